//! The charts of a document.

use super::totals::GameTotals;
use crate::schedule::Schedule;
use crate::standing::{PairingScore, Standing};
use crate::stats::{Pentanomial, Strength};
use crate::summary::{ONE_PAIR, versus};
use kalah_tables::statistics::DEVIATIONS_95;
use kalah_tables::{Axis, Chart, Marks, Section, Series};
use kalah_text::format::counted;

/// Maximum number of points in a score chart; a longer match shows every n-th pair.
const MAX_POINTS: usize = 60;

/// The meaning of error bars in every chart; the tables use the same intervals.
const ERRORS: &str = "Error bars are 95 % intervals.";

/// The charts for which there are enough games: those of all games and, in a folded section
/// of their own if there are several pairings, those of each pairing.
pub(super) fn charts(
    schedule: &Schedule,
    standing: &Standing,
    totals: &GameTotals,
) -> Vec<Section> {
    let mut by_pairing = Vec::new();
    for (&pairing, score) in &standing.scores {
        by_pairing.extend(score_chart(schedule, pairing, score));
        by_pairing.extend(margins_chart(schedule, pairing, score));
    }
    let mut of_all = Vec::new();
    // The charts of the only pairing are those of all games.
    if standing.scores.len() == 1 {
        of_all.append(&mut by_pairing);
    }
    of_all.extend(time_use(schedule, totals));
    let mut sections = Vec::new();
    for (heading, pictures, folded) in
        [("Charts", of_all, false), ("Charts of each pairing", by_pairing, true)]
    {
        if !pictures.is_empty() {
            let heading = heading.to_owned();
            sections.push(Section { heading, pictures, folded, ..Section::default() });
        }
    }
    sections
}

/// The score of a pairing after each of its pairs.
fn score_chart(
    schedule: &Schedule,
    pairing: (usize, usize),
    score: &PairingScore,
) -> Option<Chart> {
    let step = score.history.len().div_ceil(MAX_POINTS).max(1);
    let shown = score.history.iter().skip(step - 1).step_by(step);
    let points: Vec<_> = shown.filter_map(score_and_error).collect();
    let name = schedule.name(pairing.0).to_owned();
    if points.len() < 2 {
        return None;
    }
    Some(Chart {
        title: format!("Score of {}", versus(schedule, pairing)),
        subtitle: "mean of all pairs so far".to_owned(),
        x: Axis::whole("pairs of games"),
        y: Axis::share("score per game"),
        marks: Marks::Lines(vec![Series { name, points }]),
        levels: vec![(0.5, "equal".to_owned())],
        caption: ERRORS.to_owned(),
        ..Chart::default()
    })
}

/// A point of the score chart after some pairs: their number, the score, and the half width
/// of its error bar.
fn score_and_error(pairs: &Pentanomial) -> Option<(f64, f64, f64)> {
    let strength = Strength::from_pairs(pairs)?;
    Some((pairs.pairs() as f64, strength.score, DEVIATIONS_95 * strength.score_error))
}

fn margins_chart(
    schedule: &Schedule,
    pairing: (usize, usize),
    score: &PairingScore,
) -> Option<Chart> {
    let sample: Vec<_> = score.margins.iter().map(|&margin| f64::from(margin)).collect();
    if sample.len() <= ONE_PAIR {
        return None;
    }
    Some(Chart {
        title: format!("Margins of {}", versus(schedule, pairing)),
        subtitle: counted(sample.len() as u64, "game"),
        x: Axis::whole("margin in seeds"),
        y: Axis::whole("games"),
        marks: Marks::Histogram(sample, 33),
        caption: format!(
            "{}'s final store minus the opponent's, in games played to the end or decided by a \
             table.",
            schedule.name(pairing.0)
        ),
        ..Chart::default()
    })
}

/// The mean time of each player by move number.
fn time_use(schedule: &Schedule, totals: &GameTotals) -> Option<Chart> {
    let players = 0..schedule.config.players.len();
    let times = players.clone().flat_map(|player| totals.mean_times(player));
    let longest = times.map(|(_, seconds)| seconds).fold(0.0, f64::max);
    let (unit, in_unit) = if longest < 1.0 { ("milliseconds", 1000.0) } else { ("seconds", 1.0) };
    let series: Vec<_> = players
        .map(|player| Series {
            name: schedule.name(player).to_owned(),
            points: totals
                .mean_times(player)
                .map(|(number, seconds)| (number as f64, in_unit * seconds, 0.0))
                .collect(),
        })
        .filter(|series| !series.points.is_empty())
        .collect();
    if series.is_empty() {
        return None;
    }
    Some(Chart {
        title: "Mean time per move".to_owned(),
        subtitle: counted(totals.games(), "game"),
        x: Axis::whole("move number in the game"),
        y: Axis::linear(unit),
        marks: Marks::Lines(series),
        caption: "Opening moves are excluded.".to_owned(),
        ..Chart::default()
    })
}
