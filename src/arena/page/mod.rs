//! The page of a match or of any record of games: tables, charts, the conditions,
//! and every game to step through. [`page`] makes it; [`overview`] makes the part that needs
//! no games.

mod charts;
mod conditions;
mod particulars;
pub(crate) mod viewer;

use self::charts::charts;
use self::conditions::{conditions, endings, players};
pub(crate) use self::particulars::Particulars;
use self::viewer::{script, style, viewer};
use super::ledger::{Games, Run};
use super::report::{crosstable, pairings, sentences, versus};
use super::schedule::{Fixture, Schedule};
use super::standing::{PairingScore, Standing, side_of_first};
use crate::game::Side;
use crate::record::{Game, Outcome};
use crate::report::{Cell, Findings, Section, Table};
use crate::sys::format::{counted, fixed, signed};

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
    let particulars = Particulars::of(schedule, games);
    let mut sections = overview(schedule, standing, &particulars, runs);
    if standing.finished < 2 {
        sections.insert(0, viewer);
    } else {
        sections.splice(1..1, [viewer, openings(schedule, standing, games)]);
    }
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

/// The tables and the charts of a schedule.
pub(crate) fn overview(
    schedule: &Schedule,
    standing: &Standing,
    particulars: &Particulars,
    runs: Option<&[Run]>,
) -> Vec<Section> {
    let mut conditions_section = Section::of("Conditions", players(schedule, particulars));
    conditions_section.tables.push(conditions(schedule, particulars, runs));
    if standing.finished < 2 {
        // One result is not a statistic.
        return vec![conditions_section];
    }
    let mut crosstables = Section::of("Crosstable", crosstable(schedule, standing));
    crosstables.tables.push(pairings(schedule, standing));
    let mut sections = vec![crosstables];
    sections.extend(charts(schedule, standing, particulars));
    sections.push(Section::of("How games ended", endings(schedule, particulars)));
    sections.push(conditions_section);
    sections
}

/// The event, or who plays.
pub(crate) fn title(schedule: &Schedule) -> String {
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
