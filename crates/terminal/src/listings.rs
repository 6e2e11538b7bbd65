//! Longer messages as lines of text: moves, values, the analysis of a game, help.
//!
//! Pure functions. Lines may be wider than a terminal: [`folded`] makes them fit.

use std::collections::BTreeMap;

use crate::command::COMMANDS;
use kalah_coach::advice::pv_text;
use kalah_coach::explain::in_seeds;
use kalah_engine::search::Info;
use kalah_game::{Position, Side};
use kalah_play::cursor::GameCursor;
use kalah_play::players;
use kalah_play::seat::{LEVELS, Level};
use kalah_record::sentence;
use kalah_record::{Game, Move, Outcome, Step, turn_numbers};
use kalah_text::foreign::Foreign;
use kalah_text::format::{counted, wrapped};
use kalah_text::width::columns;
use kalah_view::styled::{Role, StyledLine};

/// An error as a sentence.
pub fn error(error: &str) -> String {
    let mut letters = error.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str().trim_end_matches('.'))
}

/// The moves made, as the pages show them: each line has a turn of South and the following turn of
/// North, each after its number. `marks` are those of moves by their number, from 1.
pub fn moves(game: &Game, marks: &BTreeMap<usize, (String, i32)>) -> Vec<StyledLine> {
    /// The columns of a turn of South, unless it is longer.
    const COLUMN: usize = 14;
    let mut lines: Vec<StyledLine> = Vec::new();
    let mut last = 0;
    for (number, (turn, step)) in (1..).zip(turn_numbers(game.steps()).zip(game.steps())) {
        let side = step.played.side;
        let begins = turn != last;
        last = turn;
        // A game can begin with a turn of North, which then has its own line.
        if begins && (side == Side::South || lines.is_empty()) {
            lines.push(StyledLine::default());
        }
        let Some(line) = lines.last_mut() else { continue };
        if begins && side == Side::North {
            line.push(Role::Plain, " ".repeat(COLUMN.saturating_sub(line.width()).max(1)));
        }
        if begins {
            let width = if side == Side::South { 3 } else { 0 };
            line.push(Role::Quiet, format!("{turn:>width$}. "));
        }
        line.push(Role::Of(side), step.played.letter());
        if let Some((mark, _)) = marks.get(&number) {
            line.push(Role::Bad, mark.as_str());
        }
        if game.swapped_after() == Some(number) {
            line.push(Role::Quiet, " (swap)");
        }
    }
    if lines.is_empty() { vec![StyledLine::plain("No moves yet.")] } else { lines }
}

/// The [`moves`] of a game in play, and the numbers of its undone moves and variations.
pub fn live_moves(game: &GameCursor) -> Vec<StyledLine> {
    let mut lines = moves(game.record(), &BTreeMap::new());
    if game.undone() > 0 {
        lines.push(StyledLine::default().with(Role::Quiet, format!("({} undone)", game.undone())));
    }
    let variations = game.whole().variations().len() as u64;
    if variations > 0 {
        let text = format!("({})", counted(variations, "variation"));
        lines.push(StyledLine::default().with(Role::Quiet, text));
    }
    lines
}

/// The variations, each from the turn at which it leaves the game, with their comments.
pub fn variations(game: &Game) -> Vec<StyledLine> {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(game.variations()) {
        let after = game.shared_moves(&line);
        let turns = turn_numbers(line.steps()).zip(line.steps());
        let mut text = String::new();
        let mut last = None;
        for (index, (turn, step)) in turns.enumerate().skip(after) {
            if last.replace(turn) != Some(turn) {
                text += &format!(" {turn}. ");
            }
            if line.swapped_after() == Some(index) {
                text += "(swap) ";
            }
            if text.ends_with(']') {
                text.push(' ');
            }
            text.push(step.played.letter());
            if let Some(comment) = &step.r#move.comment {
                text += &format!(" [{}]", Foreign(comment));
            }
        }
        if line.swapped_after() == Some(line.steps().len()) {
            text += " (swap)";
        }
        let name = format!("Variation {number}:");
        lines.push(StyledLine::default().with(Role::Quiet, name).with(Role::Plain, text));
    }
    if lines.is_empty() { vec![StyledLine::plain("No variations.")] } else { lines }
}

/// The values of the pits, best first.
pub(crate) fn values(position: &Position, values: &[Info], width: usize) -> Vec<StyledLine> {
    let side = position.side();
    let Some(best) = values.first() else {
        return vec![StyledLine::plain("No pit can be sown.")];
    };
    let mut lines = vec![
        StyledLine::default().with(Role::Strong, format!("{side}'s final margin, pit by pit:")),
    ];
    for info in values {
        let Some(pit) = info.pv.first() else { continue };
        let value = in_seeds(info.margin, info.proved);
        let role = if info.margin == best.margin { Role::Good } else { Role::Plain };
        let mut line =
            StyledLine::plain("  ").with(Role::Mover(side), pit.letter(side).to_string());
        line.push(role, format!("  {value:>6}"));
        let kind = if info.proved { "exact".to_owned() } else { format!("depth {}", info.depth) };
        let mut pv = pv_text(position, &info.pv, 10);
        // Cut after a whole turn, and left out if not even one fits.
        while !pv.is_empty() && line.width() + 13 + pv.len() > width {
            pv.truncate(pv.rfind(' ').unwrap_or(0));
        }
        line.push(Role::Quiet, format!("  {kind:<9}  {pv}").trim_end());
        lines.push(line);
    }
    lines
}

/// The commands and what they do.
pub(crate) fn help(position: &Position) -> Vec<StyledLine> {
    let pits = position.pit_letters(position.side());
    let mut lines = vec![help_line(&pits, "sow that pit; case does not matter")];
    let mut names = Vec::new();
    for command in &COMMANDS {
        names.push(match command.short {
            "" => command.usage(),
            short => format!("{} ({short})", command.usage()),
        });
        if !command.about.is_empty() {
            lines.push(help_line(&std::mem::take(&mut names).join(", "), command.about));
        }
    }
    lines.push(StyledLine::plain("A command can be shortened to any unambiguous prefix."));
    lines
}

fn help_line(names: &str, about: &str) -> StyledLine {
    StyledLine::default()
        .with(Role::Strong, format!("{names:<23}"))
        .with(Role::Plain, format!("  {about}"))
}

/// The lines, folded where they are too long; only a longer word is wider than `width`. A text in
/// the second column stays there if it has room. Only the first column of a folded line keeps its
/// role, and so its colour.
pub fn folded(lines: Vec<StyledLine>, width: usize) -> Vec<StyledLine> {
    const INDENT: usize = 2;
    // A narrower column would hold only a word or two per line.
    const MIN_COLUMN: usize = 16;
    let mut all = Vec::new();
    for line in lines {
        if line.width() <= width {
            all.push(line);
            continue;
        }
        let text = line.text();
        let (first, second) = text.split_at(second_column(&text));
        let longest = second.split(' ').map(columns).max().unwrap_or(0);
        let stays = !first.is_empty() && columns(first) + longest.max(MIN_COLUMN) <= width;
        let (head, rest, indent) =
            if stays { (first, second, columns(first)) } else { ("", &text[..], INDENT) };
        let role = match line.0.iter().find(|span| !span.text.trim().is_empty()) {
            Some(span) => span.role,
            None => Role::Plain,
        };
        for (index, part) in wrapped(rest, width.saturating_sub(indent)).iter().enumerate() {
            let fits = index > 0 && indent + columns(part) <= width;
            let start = StyledLine::plain(" ".repeat(if fits { indent } else { 0 }));
            let name = first.trim();
            all.push(match part.strip_prefix(name).filter(|_| index == 0 && !stays) {
                Some(about) => start.with(role, name).with(Role::Plain, about),
                None if index == 0 => start.with(role, head).with(Role::Plain, part),
                None => start.with(Role::Plain, part),
            });
        }
    }
    all
}

/// Where the second column of a line begins, after a gap of two or more spaces; 0 if there is none.
fn second_column(line: &str) -> usize {
    let start = line.len() - line.trim_start().len();
    let Some(gap) = line[start..].find("  ") else { return 0 };
    line.len() - line[start + gap..].trim_start().len()
}

/// The levels, `current` marked.
pub(crate) fn levels(current: Option<Level>) -> Vec<StyledLine> {
    let mut lines = Vec::new();
    for level in LEVELS {
        let mark = if current == Some(level) { "* " } else { "  " };
        let line = StyledLine::plain(mark).with(Role::Strong, format!("{:<9}", level.name));
        lines.push(line.with(Role::Plain, format!(" {}", level.about)));
    }
    lines
        .push(StyledLine::plain("or an algorithm from 'kalah compare tree --help': uct, scout@2s"));
    lines
}

/// The rules of the game on this board.
pub fn rules(position: &Position, width: usize) -> Vec<StyledLine> {
    let sentences = sentence::rules(position);
    sentences.iter().flat_map(|text| wrapped(text, width)).map(StyledLine::plain).collect()
}

/// The result of a game, and what to do next.
pub(crate) fn result(record: &Game, person: Option<Side>) -> Vec<StyledLine> {
    let Some(ending) = record.ending() else { return Vec::new() };
    let role = match ending.outcome {
        Outcome::Won(winner) if person == Some(winner) => Role::Good,
        Outcome::Won(winner) if person == Some(winner.other()) => Role::Bad,
        _ => Role::Strong,
    };
    let title = sentence::heading(ending, person) + ".";
    let mut lines = vec![StyledLine::default().with(role, title)];
    lines.extend(sentence::ending(record).map(StyledLine::plain));
    let next = "x analyses, u undoes, n plays again.";
    lines.extend([StyledLine::default(), StyledLine::default().with(Role::Quiet, next)]);
    lines
}

/// A game in a line; `number` is its place in its file, from 1.
pub fn headline(game: &Game, number: usize) -> String {
    let [south, north] = players::shown_names(game);
    // In the file of a match, games are in the order in which they ended, so their place
    // can differ from their number in the schedule.
    let place = match game.number {
        Some(place) if place as usize != number => format!(", number {place} of its match"),
        _ => String::new(),
    };
    let result = sentence::result(game);
    let variations = match game.variations().len() {
        0 => String::new(),
        count => format!(" and {}", counted(count as u64, "variation")),
    };
    let moves = counted(game.moves().len() as u64, "move");
    let south = seated(south, Side::South);
    let north = seated(north, Side::North);
    format!("{south} - {north}, {result}, {moves}{variations}{place}")
}

/// A player's name and side; the side alone for a player without a name.
fn seated(name: String, side: Side) -> String {
    if name.is_empty() { side.to_string() } else { format!("{name} ({side})") }
}

/// A move in words, with its mark and its annotations.
pub fn step(step: &Step, mark: Option<&str>) -> String {
    let Move { book, evaluation, depth, nodes, time, comment, .. } = &step.r#move;
    let mut annotations: Vec<String> = mark.map(str::to_owned).into_iter().collect();
    if *book {
        annotations.push("opening".to_owned());
    }
    if let Some(evaluation) = evaluation {
        annotations.push(if evaluation.proved {
            format!("proved {}", evaluation.margin.rounded())
        } else {
            format!("expects {}", evaluation.margin)
        });
    }
    annotations.extend(depth.map(|depth| format!("depth {depth}")));
    annotations.extend(nodes.map(|nodes| counted(nodes, "node")));
    annotations.extend(time.map(|time| format!("{:.3} s", time.as_secs_f64())));
    annotations.extend(comment.as_ref().map(|comment| Foreign(comment).to_string()));
    let sentence = sentence::of_move(&step.played, &step.after);
    if annotations.is_empty() {
        sentence
    } else {
        format!("{sentence} [{}]", annotations.join(", "))
    }
}

/// A saved game in a sentence after its number:
/// `3. 2026-11-26 09:15: you against kalah, casual; unfinished, 12 moves.`
pub fn saved(number: u64, game: &Game) -> String {
    let names = players::shown_names(game);
    let [south, north] = Side::BOTH.map(|side| match names[side.index()].as_str() {
        // Other programs may have left it out.
        "" => side.name(),
        name => name,
    });
    let winner = sentence::winner(game);
    let moves = counted(game.steps().len() as u64, "move");
    let date = match game.date.as_deref() {
        // To the minute.
        Some(date) => date.get(..16).unwrap_or(date).replace('T', " ") + ": ",
        None => String::new(),
    };
    format!("{number}. {date}{south} against {north}; {winner}, {moves}.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis;
    use kalah_coach::explain::{JudgedMove, Judgement};
    use kalah_game::score::Value;
    use kalah_game::{Capture, Pit, Rules};
    use kalah_record::{Move, Reason};
    use kalah_view::board::Glyphs;
    use proptest::prelude::*;

    /// A game of moves chosen by their places among the legal ones; after a jump to the start
    /// (`None`), other moves make a variation.
    fn game(rules: Rules, choices: &[Option<u8>], loser: Option<Side>) -> GameCursor {
        let mut game = GameCursor::new(Position::start(rules), false);
        for choice in choices {
            let moves: Vec<Pit> = game.position().moves().iter().collect();
            match choice {
                None => _ = game.step_to(0),
                Some(_) if moves.is_empty() => {}
                Some(place) => {
                    let pit = moves[usize::from(*place) % moves.len()];
                    game.play(Move::new(pit)).expect("a legal move");
                }
            }
        }
        loser.into_iter().for_each(|side| game.lose(side, Reason::Resignation));
        game
    }

    /// Made-up judgements: every other move loses a seed.
    fn judgements(record: &Game) -> Vec<Judgement> {
        let steps = record.steps().iter().enumerate();
        steps
            .map(|(index, step)| {
                let judged = |pit, margin| JudgedMove { pv: vec![pit], margin, proved: false };
                let best = record.position_after(index).moves().iter().next().expect("a move");
                let margin = Value((index as i32 - 4) * Value::SEED);
                let lost = Value((index as i32 % 2) * Value::SEED);
                let played = judged(step.played.pit, margin - lost);
                Judgement { played, best: judged(best, margin) }
            })
            .collect()
    }

    /// The values of all pits, with the rest of the game as the variation of each.
    fn infos(record: &Game) -> Vec<Info> {
        let pits: Vec<Pit> = record.moves().map(|r#move| r#move.pit).collect();
        let moves = record.start().moves().iter();
        moves.map(|pit| Info { pv: [&[pit], &pits[..]].concat(), ..Info::default() }).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

        #[test]
        fn listings_fit_every_width_unless_a_word_is_longer(
            choices in prop::collection::vec(prop::option::weighted(0.95, any::<u8>()), 0..60),
            (pits, seeds) in (1_u32..=16, 1_u32..=6),
            loser in prop::option::of(prop::sample::select(Side::BOTH.to_vec())),
        ) {
            let game = game(Rules::new(pits, seeds, Capture::Standard).unwrap(), &choices, loser);
            let (record, position) = (game.whole(), game.position());
            let (judgements, infos) = (judgements(&record), infos(&record));
            for width in 1..=200 {
                let listings = [
                    live_moves(&game),
                    variations(&record),
                    values(record.start(), &infos, width),
                    analysis::listing(&record, &judgements, width, Glyphs::Unicode),
                    levels(Some(LEVELS[0])),
                    help(position),
                    rules(position, width),
                    result(&record, loser),
                ];
                for line in listings.into_iter().flat_map(|lines| folded(lines, width)) {
                    let longest = line.text().split(' ').map(columns).max().unwrap_or(0);
                    prop_assert!(line.width() <= width.max(longest), "{width}: {line:?}");
                }
            }
        }
    }
}
