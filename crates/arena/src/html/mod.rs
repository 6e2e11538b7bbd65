//! The HTML document of a match or of any record of games: tables, charts, the conditions, and
//! every game to step through. [`findings`] creates all of it; `overview` creates the part that
//! needs no records of games.

mod charts;
mod conditions;
mod totals;
mod viewer;

use self::charts::charts;
use self::conditions::{conditions, endings, players};
pub(crate) use self::totals::GameTotals;
pub use self::viewer::{GameData, GameTitle, Legend};
use crate::file::MatchRun;
use crate::schedule::{Fixture, PlacedGames, Schedule};
use crate::standing::{PairingScore, Standing, side_of_first};
use crate::summary::{crosstable, pairings, sentences, versus};
use kalah_game::Side;
use kalah_record::{Game, sentence};
use kalah_tables::{Cell, Findings, Section, Table};
use kalah_text::format::{counted, fixed};

/// The document of the games of a schedule. `runs` are the runs in the file of a match; none
/// if the schedule was derived from a record of games.
pub fn findings(
    schedule: &Schedule,
    standing: &Standing,
    games: &PlacedGames,
    runs: Option<&[MatchRun]>,
) -> Findings {
    let is_one_game = schedule.fixtures.len() == 1;
    let viewer = Section {
        heading: if is_one_game { "Game" } else { "Games" }.to_owned(),
        html: self::viewer::viewer(schedule, games),
        ..Section::default()
    };
    let totals = GameTotals::new(schedule, games);
    let mut sections = overview(schedule, standing, &totals, runs);
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
        style: kalah_view::viewer::STYLE.to_owned(),
        script: kalah_view::viewer::script(),
        ..Findings::default()
    }
}

/// The tables and the charts of a schedule.
pub(crate) fn overview(
    schedule: &Schedule,
    standing: &Standing,
    totals: &GameTotals,
    runs: Option<&[MatchRun]>,
) -> Vec<Section> {
    let mut conditions_section = Section::with_table("Conditions", players(schedule, totals));
    conditions_section.tables.push(conditions(schedule, totals, runs));
    if standing.finished < 2 {
        // A single result needs no statistics.
        return vec![conditions_section];
    }
    let mut crosstables = Section::with_table("Crosstable", crosstable(schedule, standing));
    crosstables.tables.push(pairings(schedule, standing));
    let mut sections = vec![crosstables];
    sections.extend(charts(schedule, standing));
    sections.push(Section::with_table("How games ended", endings(schedule, standing)));
    sections.push(conditions_section);
    sections
}

/// The event or, if it has no name, the players.
pub(crate) fn title(schedule: &Schedule) -> String {
    let players = &schedule.config.players;
    match (schedule.config.event.as_str(), players.as_slice()) {
        ("", [one, other]) => format!("{} against {}", one.name, other.name),
        ("", _) => format!("Games of {}", counted(players.len() as u64, "player")),
        (event, _) => event.to_owned(),
    }
}

fn openings(schedule: &Schedule, standing: &Standing, games: &PlacedGames) -> Section {
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
    games: &PlacedGames,
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
        row.push(half_points.map(|half| Cell::Number(f64::from(half) / 2.0, 1)).into());
        row.extend(links);
        table.push(row);
    }
    table
}

/// A game's margin or result from the point of view of `side`, linked to the game.
fn link(fixture: &Fixture, game: &Game, side: Side) -> Cell {
    Cell::Link(sentence::result_for(game, side), format!("#game-{}", fixture.number(game)))
}
