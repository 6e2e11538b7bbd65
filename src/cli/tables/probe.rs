//! `kalah tables probe`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use serde::Serialize;

use crate::cli::arguments::{CaptureArgs, Threads};
use crate::cli::{Failure, write_json};
use crate::endgame::{Extent, Tables, file};
use crate::game::{Capture, Position, Wide};
use crate::score::{Gain, Turn};

/// Show the exact value of a position and of each of its moves
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The position, as `<pits,S store,N store,S row…,N row…> S`
    position: String,
    #[command(flatten)]
    capture: CaptureArgs,
    /// The folder with tables; without it they are built in memory
    #[arg(long, value_name = "FOLDER")]
    tables: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Values as the mover sees them; margins count the stores.
#[derive(Serialize)]
struct Answer {
    position: String,
    capture: Capture,
    in_play: u32,
    gain: i32,
    margin: i32,
    moves: Vec<Worth>,
}

#[derive(Serialize)]
struct Worth {
    r#move: char,
    gain: i32,
    margin: i32,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let position =
            Position::parse(&self.position, self.capture.rule).map_err(Failure::usage)?;
        let answer = answer(&position, &self.tables(&position)?)?;
        if self.json {
            return write_json(&answer, out);
        }
        writeln!(out, "{} {}, {} seeds in play", answer.position, answer.capture, answer.in_play)?;
        writeln!(out, "gain {:+}, margin {:+}", answer.gain, answer.margin)?;
        for worth in &answer.moves {
            writeln!(out, "{} gain {:+}, margin {:+}", worth.r#move, worth.gain, worth.margin)?;
        }
        Ok(())
    }

    /// Tables that hold `position`, no larger than it needs.
    fn tables(&self, position: &Position) -> Result<Tables, Failure> {
        let (variant, in_play) = (position.variant(), position.in_play());
        let extent = || Extent::new(variant, in_play).map_err(Failure::work);
        let Some(folder) = &self.tables else {
            let threads = self.threads.count();
            return Tables::build_with(extent()?, threads, &|_| ()).map_err(Failure::work);
        };
        match file::layers(folder, variant) {
            Some(seeds) if seeds < in_play => Err(Failure::work(format!(
                "{}: the tables go up to {seeds} seeds, the position has {in_play}",
                folder.display()
            ))),
            None => Tables::open(folder, variant).map_err(Failure::work),
            Some(_) => Tables::open_up_to(folder, extent()?).map_err(Failure::work),
        }
    }
}

fn answer(position: &Position, tables: &Tables) -> Result<Answer, Failure> {
    let mover = position.side();
    let lead = position.lead(mover);
    let gain = |position: &Position| {
        tables
            .gain(position.board::<Wide>())
            .ok_or_else(|| Failure::work("the tables do not hold the position"))
    };
    let mut moves = Vec::new();
    for pit in position.moves() {
        let mut after = *position;
        after.play(pit)?;
        let turn = if after.side() == mover { Turn::Keeps } else { Turn::Passes };
        let rest = if after.is_over() { Gain::ZERO } else { turn.from_child(gain(&after)?) };
        let margin = after.lead(mover) + rest;
        let gain = margin - lead;
        moves.push(Worth { r#move: pit.letter(mover), gain: gain.0, margin: margin.0 });
    }
    let gain = gain(position)?;
    Ok(Answer {
        position: position.to_string(),
        capture: position.capture(),
        in_play: position.in_play(),
        gain: gain.0,
        margin: (lead + gain).0,
        moves,
    })
}
