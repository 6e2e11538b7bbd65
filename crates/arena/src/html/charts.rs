//! The charts of a document.

use crate::schedule::Schedule;
use crate::standing::{PairingScore, Standing};
use crate::stats::{Pentanomial, Strength};
use crate::summary::versus;
use kalah_tables::statistics::DEVIATIONS_95;
use kalah_tables::{Axis, Chart, Marks, Section, Series};

/// Maximum number of points in a score chart; a longer match shows every n-th pair.
const MAX_POINTS: usize = 60;

/// The charts of each pairing that has enough games, folded if there are several pairings.
pub(super) fn charts(schedule: &Schedule, standing: &Standing) -> Option<Section> {
    let scores = standing.scores.iter();
    let pictures: Vec<_> =
        scores.filter_map(|(&pairing, score)| score_chart(schedule, pairing, score)).collect();
    if pictures.is_empty() {
        return None;
    }
    let folded = standing.scores.len() > 1;
    let heading = if folded { "Charts of each pairing" } else { "Charts" }.to_owned();
    Some(Section { heading, pictures, folded, ..Section::default() })
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
        caption: "Error bars are 95 % intervals.".to_owned(),
        ..Chart::default()
    })
}

/// A point of the score chart after some pairs: their number, the score, and the half width
/// of its error bar.
fn score_and_error(pairs: &Pentanomial) -> Option<(f64, f64, f64)> {
    let strength = Strength::from_pairs(pairs)?;
    Some((pairs.pairs() as f64, strength.score, DEVIATIONS_95 * strength.score_error))
}
