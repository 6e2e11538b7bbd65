//! `kalah replay`: shows recorded games, move by move.

use std::io::Write;
use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::Failure;
use super::records;
use crate::game::{Position, Side};
use crate::record::{Game, Move, Step};
use crate::view::board::{Annotations, View, board};
use crate::view::sentence;
use crate::view::terminal::{Terminal, TerminalOptions};

/// Show recorded games, move by move
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  kalah replay match.jsonl --game 3        the third game of the file
  kalah replay game.kgn --plain            sentences, without boards
  kalah replay match.jsonl --list          one line a game

To step through a game forwards and backwards: kalah play --load FILE")]
pub struct Args {
    /// The file of games, JSON lines or .kgn; - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Which game of the file, from 1
    #[arg(short, long, value_name = "N", conflicts_with = "list")]
    game: Option<usize>,
    /// One line a game instead
    #[arg(short, long)]
    list: bool,
    /// Sentences alone, no boards
    #[arg(long)]
    plain: bool,
    /// Boards in ASCII
    #[arg(long)]
    ascii: bool,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let (_, games) = records::read(&self.file)?;
        if self.list {
            for (index, game) in games.iter().enumerate() {
                writeln!(out, "{:>5}  {}", index + 1, headline(game))?;
            }
            return Ok(());
        }
        let shown = match self.game {
            None => &games[..],
            Some(number) => match number.checked_sub(1).and_then(|index| games.get(index)) {
                Some(game) => std::slice::from_ref(game),
                None => {
                    let count = games.len();
                    let message = format!("--game: expected 1 to {count}, got {number}");
                    return Err(Failure::Usage(message));
                }
            },
        };
        shown.iter().try_for_each(|game| self.show(game, out))
    }

    fn show(&self, game: &Game, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(out, "{}\n", headline(game))?;
        self.draw(game, game.start(), None, out)?;
        for (index, step) in game.steps().iter().enumerate() {
            writeln!(out, "{}. {}", index + 1, told(step))?;
            self.draw(game, &step.after, Some(step), out)?;
        }
        if let Some(ending) = game.ending() {
            let detail = ending.detail.as_deref().unwrap_or_default();
            writeln!(out, "{} ({}) {detail}", ending.outcome, ending.reason)?;
        }
        for warning in &game.warnings {
            writeln!(out, "warning: {warning}")?;
        }
        Ok(writeln!(out)?)
    }

    fn draw(
        &self,
        game: &Game,
        position: &Position,
        step: Option<&Step>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        if self.plain {
            return Ok(());
        }
        let terminal = Terminal::of_process(TerminalOptions { plain: false, ascii: self.ascii });
        let view = View { width: terminal.width(), glyphs: terminal.glyphs, bottom: Side::South };
        let annotations = Annotations {
            last: step.map(|step| (step.played.side, step.played.pit)),
            names: game.players.each_ref().map(|player| player.name.clone()),
            ..Annotations::of(position)
        };
        for line in board(position, &annotations, &view) {
            writeln!(out, "{}", terminal.palette.paint(&line).trim_end())?;
        }
        Ok(writeln!(out)?)
    }
}

fn headline(game: &Game) -> String {
    let [south, north] = game.players.each_ref().map(|player| player.name.as_str());
    let round = game.round.map(|round| format!("game {round}: ")).unwrap_or_default();
    let result = match game.ending() {
        None => "unfinished".to_owned(),
        Some(ending) => {
            let margin = ending.margin.map(|margin| format!(" by {margin}")).unwrap_or_default();
            format!("{}{margin} ({})", ending.outcome, ending.reason)
        }
    };
    format!("{round}{south} (South) - {north} (North), {result}, {} moves", game.moves().len())
}

/// A move in words, and what its player thought.
fn told(step: &Step) -> String {
    let Move { book, evaluation, depth, nodes, time, comment, .. } = &step.r#move;
    let mut thought = Vec::new();
    if *book {
        thought.push("opening".to_owned());
    }
    if let Some(evaluation) = evaluation {
        thought.push(match evaluation.proved {
            true => format!("proved {}", evaluation.margin.rounded()),
            false => format!("expects {}", evaluation.margin),
        });
    }
    thought.extend(depth.map(|depth| format!("depth {depth}")));
    thought.extend(nodes.map(|nodes| format!("{nodes} nodes")));
    thought.extend(time.map(|time| format!("{:.3} s", time.as_secs_f64())));
    thought.extend(comment.clone());
    let sentence = sentence::of_move(&step.played, &step.after);
    if thought.is_empty() { sentence } else { format!("{sentence} [{}]", thought.join(", ")) }
}
