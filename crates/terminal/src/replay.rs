//! A recorded game, move by move.

use std::io::{self, Write};

use crate::listings;
use crate::terminal::Terminal;
use kalah_game::{Pit, Position, Side};
use kalah_record::mark::JudgedLine;
use kalah_record::{Game, turn_numbers};
use kalah_text::foreign::{Escaping, Foreign};
use kalah_view::board::Annotations;

/// Writes a game to `out`, with a board after each move unless it is `plain`. `number` is its place
/// in its file, from 1.
///
/// # Errors
/// If it cannot be written.
pub fn show(
    game: &Game,
    number: usize,
    terminal: &Terminal,
    plain: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let names = game.players.each_ref().map(|player| player.name.clone());
    // Empty, or a board between blank lines.
    let board = |position: &Position, last: Option<(Side, Pit)>| {
        if plain {
            return String::new();
        }
        let names = names.clone();
        let annotations = Annotations { last, names, ..Annotations::new(position) };
        format!("\n{}\n", terminal.draw(position, &annotations, Side::South))
    };
    let out = &mut Escaping(out);
    writeln!(out, "{}", listings::headline(game, number))?;
    if let Some(comment) = &game.comment {
        writeln!(out, "[{}]", Foreign(comment))?;
    }
    if plain {
        writeln!(out)?;
    }
    // Boards bypass the escaping writer, because their colours are escape sequences.
    write!(out.0, "{}", board(game.start(), None))?;
    let judged = JudgedLine::new(game, &game.main_line(), true);
    let marks = judged.map(|judged| judged.marks).unwrap_or_default();
    for (number, (turn, step)) in (1..).zip(turn_numbers(game.steps()).zip(game.steps())) {
        let mark = marks.get(&number).map(|(mark, _)| mark.as_str());
        writeln!(out, "{turn}. {}", listings::step(step, mark))?;
        let last = Some((step.played.side, step.played.pit));
        write!(out.0, "{}", board(&step.after, last))?;
    }
    if let Some(ending) = game.ending() {
        let detail = ending.detail.as_ref().map(|detail| format!(" {}", Foreign(detail)));
        writeln!(out, "{ending}{}", detail.unwrap_or_default())?;
    }
    write!(out.0, "\n{}", terminal.painted(&listings::moves(game, &marks)))?;
    if !game.variations().is_empty() {
        write!(out.0, "\n{}", terminal.painted(&listings::variations(game)))?;
    }
    for warning in &game.warnings {
        writeln!(out, "warning: {}", Foreign(warning))?;
    }
    writeln!(out)
}
