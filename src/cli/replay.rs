//! `kalah replay`: shows recorded games, move by move.

use std::io::Write;
use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::Failure;
use super::records;
use crate::game::{Pit, Position, Side};
use crate::play::pages;
use crate::record::{Game, Move, Step};
use crate::report::format::counted;
use crate::view::board::Annotations;
use crate::view::sentence;
use crate::view::terminal::{Terminal, TerminalOptions};

/// Show recorded games, move by move
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  kalah replay match.jsonl --game 3        the third game of the file
  kalah replay game.kgn --plain            sentences, without boards
  kalah replay match.jsonl --list          one line a game

To step through a game forwards and backwards: kalah play --load FILE")]
pub(super) struct Args {
    /// File of games, JSON lines or .kgn; - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Which game of the file, from 1
    #[arg(short, long, value_name = "N", conflicts_with = "list")]
    game: Option<usize>,
    /// One line a game instead
    #[arg(short, long)]
    list: bool,
    /// Sentences without boards
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
            writeln!(out, "{}. {}", index + 1, in_words(step))?;
            let last = Some((step.played.side, step.played.pit));
            self.draw(game, &step.after, last, out)?;
        }
        if let Some(ending) = game.ending() {
            let detail = ending.detail.as_deref().unwrap_or_default();
            writeln!(out, "{} ({}) {detail}", ending.outcome, ending.reason)?;
        }
        if !game.variations().is_empty() {
            writeln!(out, "\nVariations:")?;
            for line in pages::variations(game) {
                writeln!(out, "{}", line.text())?;
            }
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
        last: Option<(Side, Pit)>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        if self.plain {
            return Ok(());
        }
        let names = game.players.each_ref().map(|player| player.name.clone());
        let annotations = Annotations { last, names, ..Annotations::of(position) };
        let terminal = Terminal::of_process(TerminalOptions { plain: false, ascii: self.ascii });
        Ok(writeln!(out, "{}", terminal.draw(position, &annotations, Side::South))?)
    }
}

fn headline(game: &Game) -> String {
    let [south, north] = game.players.each_ref().map(|player| player.name.as_str());
    let round = game.round.map(|round| format!(", game {round} of its match")).unwrap_or_default();
    let result = match game.ending() {
        None => "unfinished".to_owned(),
        Some(ending) => {
            let margin = ending.margin.map(|margin| format!(" by {margin}")).unwrap_or_default();
            format!("{}{margin} ({})", ending.outcome, ending.reason)
        }
    };
    let variations = match game.variations().len() {
        0 => String::new(),
        count => format!(" and {}", counted(count as u64, "variation")),
    };
    let moves = counted(game.moves().len() as u64, "move");
    format!("{south} (South) - {north} (North), {result}, {moves}{variations}{round}")
}

/// A move in words, with its annotations.
fn in_words(step: &Step) -> String {
    let Move { book, evaluation, depth, nodes, time, comment, .. } = &step.r#move;
    let mut annotations = Vec::new();
    if *book {
        annotations.push("opening".to_owned());
    }
    if let Some(evaluation) = evaluation {
        annotations.push(match evaluation.proved {
            true => format!("proved {}", evaluation.margin.rounded()),
            false => format!("expects {}", evaluation.margin),
        });
    }
    annotations.extend(depth.map(|depth| format!("depth {depth}")));
    annotations.extend(nodes.map(|nodes| format!("{nodes} nodes")));
    annotations.extend(time.map(|time| format!("{:.3} s", time.as_secs_f64())));
    annotations.extend(comment.clone());
    let sentence = sentence::of_move(&step.played, &step.after);
    if annotations.is_empty() {
        sentence
    } else {
        format!("{sentence} [{}]", annotations.join(", "))
    }
}
