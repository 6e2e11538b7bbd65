//! The standing of a match as an HTML page with tables and pictures.

use std::collections::BTreeMap;

use super::ledger::Results;
use super::schedule::Schedule;
use super::standing::Standing;
use super::stats::{Estimate, Pentanomial};
use super::summary;
use crate::game::Side;
use crate::report::{Axis, Cell, Histogram, LineChart, Page, Series, Table};

/// The most points of a line: more cannot be distinguished.
const POINTS: usize = 60;

/// The page of a match.
pub fn page(schedule: &Schedule, standing: &Standing, results: &Results) -> Page {
    let title = match schedule.config.event.as_str() {
        "" => "Match",
        event => event,
    };
    let mut page = Page::new(title);
    for sentence in summary::sentences(schedule, standing) {
        page.paragraph(&sentence);
    }
    page.heading("Players").table(&players(schedule));
    page.heading("Crosstable").table(&summary::crosstable(schedule, standing));
    if let Some(chart) = score_chart(schedule, standing) {
        let caption = "Each bar is one standard error to either side.";
        page.heading("Score over time").picture(&chart.to_svg(), caption);
    }
    if let Some(histogram) = margins(schedule, standing) {
        let caption = "Final store minus the opponent's, of games played to the end.";
        page.heading("Margins").picture(&histogram.to_svg(), caption);
    }
    if let Some(chart) = time_use(schedule, results) {
        let caption = "Mean time by the number of the move in the game, opening moves left out.";
        page.heading("Time").picture(&chart.to_svg(), caption);
    }
    page.heading("How games ended").table(&endings(schedule, results));
    page
}

fn players(schedule: &Schedule) -> Table {
    let mut table = Table::new("", &["player", "limit", "options"]);
    for spec in &schedule.config.players {
        let option = |(name, value): (&String, &String)| format!("{name}={value}");
        let options: Vec<_> = spec.options.iter().map(option).collect();
        table.push(vec![
            Cell::Text(spec.name.clone()),
            Cell::Text(spec.allowance.to_string()),
            Cell::Text(options.join(", ")),
        ]);
    }
    table
}

/// The names of the first pairing.
fn first_pairing(schedule: &Schedule, standing: &Standing) -> Option<[String; 2]> {
    let (first, second) = standing.scores.keys().next()?;
    Some([*first, *second].map(|player| schedule.name(player).to_owned()))
}

fn score_chart(schedule: &Schedule, standing: &Standing) -> Option<LineChart> {
    let [first, second] = first_pairing(schedule, standing)?;
    let step = standing.history.len().div_ceil(POINTS).max(1);
    let shown = standing.history.iter().skip(step - 1).step_by(step);
    let (points, errors) = shown.filter_map(score_and_error).unzip();
    Some(LineChart {
        title: format!("{first} against {second}"),
        subtitle: "mean score of all pairs so far".to_owned(),
        x: Axis::whole("pairs of games"),
        y: Axis::linear("score a game"),
        series: vec![Series { name: first, points, errors }],
        levels: vec![(0.5, "equal".to_owned())],
    })
    .filter(|chart| chart.series.iter().any(|series| !series.points.is_empty()))
}

fn score_and_error(pairs: &Pentanomial) -> Option<((f64, f64), f64)> {
    let estimate = Estimate::of(pairs)?;
    Some(((pairs.pairs() as f64, estimate.score), estimate.score_error))
}

fn margins(schedule: &Schedule, standing: &Standing) -> Option<Histogram> {
    let [first, second] = first_pairing(schedule, standing)?;
    let score = standing.scores.values().next()?;
    let sample: Vec<_> = score.margins.iter().map(|&margin| f64::from(margin)).collect();
    (!sample.is_empty()).then(|| Histogram {
        title: format!("Margins of {first} against {second}"),
        subtitle: format!("{} games", sample.len()),
        axis: Axis::whole("margin in seeds"),
        counted: "games".to_owned(),
        sample,
        bins: 33,
    })
}

/// The mean time of each player by the number of the move.
fn time_use(schedule: &Schedule, results: &Results) -> Option<LineChart> {
    let mut times: BTreeMap<(usize, usize), (f64, u32)> = BTreeMap::new();
    for (&index, game) in results {
        let players = schedule.fixtures[index].players;
        let mut numbers = [0; 2];
        for step in game.steps() {
            let side: Side = step.played.side;
            let number = &mut numbers[side.index()];
            *number += 1;
            if let (false, Some(time)) = (step.r#move.book, step.r#move.time) {
                let sum = times.entry((players[side.index()], *number)).or_default();
                *sum = (sum.0 + time.as_secs_f64() * 1000.0, sum.1 + 1);
            }
        }
    }
    let series: Vec<_> = (0..schedule.config.players.len())
        .map(|player| Series {
            name: schedule.name(player).to_owned(),
            points: times
                .range((player, 0)..=(player, usize::MAX))
                .map(|(&(_, number), &(sum, count))| (number as f64, sum / f64::from(count)))
                .collect(),
            errors: Vec::new(),
        })
        .filter(|series| !series.points.is_empty())
        .collect();
    (!series.is_empty()).then(|| LineChart {
        title: "Time for a move".to_owned(),
        subtitle: format!("{} games", results.len()),
        x: Axis::whole("move of the player"),
        y: Axis::linear("milliseconds"),
        series,
        levels: Vec::new(),
    })
}

fn endings(schedule: &Schedule, results: &Results) -> Table {
    let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
    for (&index, game) in results {
        let Some(ending) = game.ending() else { continue };
        let loser = Side::BOTH
            .into_iter()
            .find(|side| ending.reason.is_failure() && ending.outcome.half_points(*side) == 0)
            .map(|side| schedule.name(schedule.fixtures[index].players[side.index()]).to_owned());
        *counts.entry((ending.reason.to_string(), loser.unwrap_or_default())).or_default() += 1;
    }
    let mut table = Table::new("", &["reason", "failed", "games"]);
    for ((reason, failed), count) in counts {
        table.push(vec![Cell::Text(reason), Cell::Text(failed), Cell::Count(count)]);
    }
    table
}
