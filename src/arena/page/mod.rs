//! The page of a match or of any record of games: tables, charts, the conditions,
//! and every game to step through. [`page`] makes it.

mod charts;
mod conditions;
pub(crate) mod viewer;

use self::charts::charts;
use self::conditions::{conditions, endings, players};
use self::viewer::{script, style, viewer};
use super::ledger::{Games, Run};
use super::report::{crosstable, pairings, sentences, versus};
use super::schedule::{Fixture, Schedule};
use super::standing::{PairingScore, Standing, side_of_first};
use crate::game::Side;
use crate::record::{Game, Outcome};
use crate::report::format::{counted, fixed, signed};
use crate::report::{Cell, Findings, Section, Table};

/// The page of the games of a schedule. `runs` are those in the file of a match; none
/// if the schedule was made from games.
pub(crate) fn page(
    schedule: &Schedule,
    standing: &Standing,
    games: &Games,
    runs: Option<&[Run]>,
) -> Findings {
    let is_one_game = schedule.fixtures.len() == 1;
    let viewer = Section {
        heading: if is_one_game { "Game" } else { "Games" }.to_owned(),
        html: viewer(schedule, games),
        ..Section::default()
    };
    let mut conditions_section = Section::of("Conditions", players(schedule, games));
    conditions_section.tables.push(conditions(schedule, games, runs));
    let sections = if standing.finished < 2 {
        // One result is not a statistic.
        vec![viewer, conditions_section]
    } else {
        let mut crosstables = Section::of("Crosstable", crosstable(schedule, standing));
        crosstables.tables.push(pairings(schedule, standing));
        let endings = Section::of("How games ended", endings(schedule, games));
        let mut sections = vec![crosstables, viewer, openings(schedule, standing, games)];
        sections.extend(charts(schedule, standing, games));
        sections.extend([endings, conditions_section]);
        sections
    };
    let summary = if is_one_game { Vec::new() } else { sentences(schedule, standing) };
    Findings {
        title: title(schedule),
        summary: summary.join("\n"),
        sections,
        style: style(),
        script: script(),
        ..Findings::default()
    }
}

fn title(schedule: &Schedule) -> String {
    let players = &schedule.config.players;
    match (schedule.config.event.as_str(), players.as_slice()) {
        ("", [one, other]) => format!("{} against {}", one.name, other.name),
        ("", _) => format!("Games of {}", counted(players.len() as u64, "player")),
        (event, _) => event.to_owned(),
    }
}

fn openings(schedule: &Schedule, standing: &Standing, games: &Games) -> Section {
    let scores = standing.scores.iter();
    Section {
        heading: "Openings".to_owned(),
        text: "Each margin is a link to its game.".to_owned(),
        tables: scores.map(|(&pair, score)| opening_table(schedule, pair, score, games)).collect(),
        folded: true,
        ..Section::default()
    }
}

/// The openings of a pairing, with the first player's points and margins from each.
fn opening_table(
    schedule: &Schedule,
    (first, second): (usize, usize),
    score: &PairingScore,
    games: &Games,
) -> Table {
    let names = [first, second].map(|player| schedule.name(player));
    let caption = format!(
        "{}: {} of {} points; margins from the point of view of {}",
        versus(schedule, (first, second)),
        fixed(score.points(), 1),
        score.games(),
        names[0]
    );
    let sides = names.map(|name| format!("{name} as South"));
    let mut table = Table::new(&caption, &["opening", "moves", "points", &sides[0], &sides[1]]);
    let ours: Vec<_> = schedule
        .played(games)
        .filter(|(fixture, _)| (fixture.first(), fixture.second()) == (first, second))
        .collect();
    for pair in ours.chunk_by(|one, other| one.0.pair() == other.0.pair()) {
        let mut links = [Cell::Empty, Cell::Empty];
        let mut half_points = None;
        for &(fixture, game) in pair {
            let side = side_of_first(fixture);
            links[fixture.index % 2] = link(fixture, game, side);
            if let Some(ending) = game.ending() {
                *half_points.get_or_insert(0) += ending.outcome.half_points(side);
            }
        }
        let opening = schedule.opening(pair[0].0);
        let mut row = vec![opening.name.as_str().into(), opening.letters().into()];
        row.push(half_points.map_or(Cell::Empty, |half| Cell::Number(f64::from(half) / 2.0, 1)));
        row.extend(links);
        table.push(row);
    }
    table
}

/// A game's margin or result from the point of view of `side`, linked to the game.
fn link(fixture: &Fixture, game: &Game, side: Side) -> Cell {
    let shown = match game.ending() {
        None => "unfinished".to_owned(),
        Some(ending) => match (ending.margin, ending.outcome) {
            (Some(margin), _) => signed(side.view_of(f64::from(margin.0)), 0),
            (None, Outcome::Draw) => format!("drawn ({})", ending.reason),
            (None, Outcome::Won(winner)) if winner == side => format!("won ({})", ending.reason),
            (None, Outcome::Won(_)) => format!("lost ({})", ending.reason),
        },
    };
    Cell::Link(shown, format!("#game-{}", fixture.number(game)))
}
