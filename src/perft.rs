//! `kalah perft`: the number of move sequences of each depth.

use std::{fmt, io::Write, time::Instant};

use clap::Args;
use serde::Serialize;

use super::arguments::BoardArgs;
use super::failure::Failure;
use super::output::write_result;
use kalah_game::depth::Depth;
use kalah_game::perft::{Counting, divide, perft};
use kalah_text::typed::number;

/// Count the sequences of DEPTH sowings, or fewer where the game ends earlier
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalah perft 10                     depths 1 to 10 from the (6,4) start
  kalah perft 8 --pits 8 --divide    leaves below each first move
  kalah perft 9 --json --bulk        one JSON object per depth")]
pub(super) struct PerftArgs {
    /// Sowings to look ahead; an extra turn counts as a sowing of its own
    #[arg(value_parser = number::<u16>(0..=500))]
    depth: u16,
    #[command(flatten)]
    board: BoardArgs,
    /// Show the leaves below each first move, at DEPTH only
    #[arg(long)]
    divide: bool,
    /// Count the moves of the last ply without making them
    #[arg(long)]
    bulk: bool,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// The leaves below a first move.
#[derive(Serialize)]
struct MoveLeaves {
    depth: u16,
    leaves: u64,
    r#move: char,
}

impl fmt::Display for MoveLeaves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {}", self.r#move, self.leaves)
    }
}

/// The leaves of one depth, and the time taken to count them.
#[derive(Serialize)]
struct DepthLeaves {
    depth: u16,
    leaves: u64,
    seconds: f64,
}

impl fmt::Display for DepthLeaves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, leaves, seconds } = self;
        let rate = *leaves as f64 / seconds.max(1e-9) / 1e6;
        writeln!(f, "{depth:>5} {leaves:>15} {seconds:>9.3} s {rate:>8.1} M")
    }
}

impl PerftArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let position = self.board.position()?;
        let counting = if self.bulk { Counting::Bulk } else { Counting::EachMove };
        if self.divide {
            let divided = divide(&position, Depth(self.depth), counting);
            for &(pit, leaves) in &divided {
                let r#move = pit.letter(position.side());
                write_result(&MoveLeaves { depth: self.depth, leaves, r#move }, self.json, out)?;
            }
            if !self.json {
                let total: u64 = divided.iter().map(|(_, leaves)| leaves).sum();
                writeln!(out, "total {total}")?;
            }
            return Ok(());
        }
        if !self.json {
            writeln!(out, "{:>5} {:>15} {:>11} {:>10}", "depth", "leaves", "time", "leaves/s")?;
        }
        // Starts at depth 1, but `kalah perft 0` still counts its one leaf.
        for depth in 1.min(self.depth)..=self.depth {
            let started = Instant::now();
            let leaves = perft(&position, Depth(depth), counting);
            let seconds = started.elapsed().as_secs_f64();
            write_result(&DepthLeaves { depth, leaves, seconds }, self.json, out)?;
            out.flush()?;
        }
        Ok(())
    }
}
