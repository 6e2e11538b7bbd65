//! The charts of a page.

use std::collections::BTreeMap;

use crate::arena::ledger::Games;
use crate::arena::report::{ONE_PAIR, versus};
use crate::arena::schedule::{Fixture, Schedule};
use crate::arena::standing::Standing;
use crate::arena::stats::{DEVIATIONS_95, Pentanomial, Strength};
use crate::report::format::counted;
use crate::report::{Axis, Bars, Chart, Marks, Section, Series};
use crate::sys::statistics::{Estimate, mean};

const MAX_POINTS: usize = 60;

/// The charts that there are enough games for.
pub(super) fn charts(schedule: &Schedule, standing: &Standing, games: &Games) -> Option<Section> {
    const ERRORS: &str = "Bars are 95 % intervals.";
    const MARGIN: &str = "Final store minus the opponent's, in games played to the end.";
    const TIME: &str = "By the number of the move in the game, without opening moves.";
    let charts = [
        (pairings_chart(schedule, standing), ERRORS),
        (score_chart(schedule, standing), ERRORS),
        (margins(schedule, standing), MARGIN),
        (time_use(schedule, games), TIME),
    ];
    let pictures: Vec<_> = charts
        .into_iter()
        .filter_map(|(chart, caption)| Some(Chart { caption: caption.to_owned(), ..chart? }))
        .collect();
    let has_pictures = !pictures.is_empty();
    let section = Section { heading: "Charts".to_owned(), pictures, ..Section::default() };
    has_pictures.then_some(section)
}

/// The margins of the pairings of more than two players.
fn pairings_chart(schedule: &Schedule, standing: &Standing) -> Option<Chart> {
    let known = standing.scores.iter().filter_map(|(&pairing, score)| {
        let Estimate { value, error } = score.mean_margin()?;
        Some((versus(schedule, pairing), (value, DEVIATIONS_95 * error)))
    });
    let (names, lengths): (Vec<_>, _) = known.unzip();
    let bars = Bars { name: "mean margin of the pairs".to_owned(), lengths };
    (names.len() > 1).then(|| Chart {
        title: "Margins of the pairings".to_owned(),
        subtitle: "from the first player's point of view".to_owned(),
        x: Axis::linear("seeds"),
        marks: Marks::Bars(names, vec![bars]),
        ..Chart::default()
    })
}

/// The score of the first pairing after each of its pairs.
fn score_chart(schedule: &Schedule, standing: &Standing) -> Option<Chart> {
    let &pairing = standing.scores.keys().next()?;
    let step = standing.history.len().div_ceil(MAX_POINTS).max(1);
    let shown = standing.history.iter().skip(step - 1).step_by(step);
    let points: Vec<_> = shown.filter_map(score_and_error).collect();
    let name = schedule.name(pairing.0).to_owned();
    (points.len() > 1).then(|| Chart {
        title: format!("Score of {}", versus(schedule, pairing)),
        subtitle: "mean of all pairs so far".to_owned(),
        x: Axis::whole("pairs of games"),
        y: Axis::share("score a game"),
        marks: Marks::Lines(vec![Series { name, points }]),
        levels: vec![(0.5, "equal".to_owned())],
        ..Chart::default()
    })
}

/// The point of some pairs in the chart of the score, and the half width of its bar.
fn score_and_error(pairs: &Pentanomial) -> Option<(f64, f64, f64)> {
    let strength = Strength::of(pairs)?;
    Some((pairs.pairs() as f64, strength.score, DEVIATIONS_95 * strength.score_error))
}

fn margins(schedule: &Schedule, standing: &Standing) -> Option<Chart> {
    let (&pairing, score) = standing.scores.iter().next()?;
    let sample: Vec<_> = score.margins.iter().map(|&margin| f64::from(margin)).collect();
    (sample.len() > ONE_PAIR).then(|| Chart {
        title: format!("Margins of {}", versus(schedule, pairing)),
        subtitle: counted(sample.len() as u64, "game"),
        x: Axis::whole("margin in seeds"),
        y: Axis::whole("games"),
        marks: Marks::Histogram(sample, 33),
        ..Chart::default()
    })
}

/// The mean time of each player by the number of the move.
fn time_use(schedule: &Schedule, games: &Games) -> Option<Chart> {
    // Seconds by player and number of the player's move.
    let mut times: BTreeMap<(usize, usize), Vec<f64>> = BTreeMap::new();
    for (Fixture { players, .. }, game) in schedule.played(games) {
        let mut numbers = [0; 2];
        for step in game.steps() {
            let side = step.played.side.index();
            numbers[side] += 1;
            if let (false, Some(time)) = (step.r#move.book, step.r#move.time) {
                let times = times.entry((players[side], numbers[side])).or_default();
                times.push(time.as_secs_f64());
            }
        }
    }
    let longest = times.values().map(|times| mean(times).value).fold(0.0, f64::max);
    let (unit, in_unit) = if longest < 1.0 { ("milliseconds", 1000.0) } else { ("seconds", 1.0) };
    let series: Vec<_> = (0..schedule.config.players.len())
        .map(|player| Series {
            name: schedule.name(player).to_owned(),
            points: times
                .range((player, 0)..=(player, usize::MAX))
                .map(|(&(_, number), times)| (number as f64, in_unit * mean(times).value, 0.0))
                .collect(),
        })
        .filter(|series| !series.points.is_empty())
        .collect();
    (!series.is_empty()).then(|| Chart {
        title: "Mean time for a move".to_owned(),
        subtitle: counted(games.len() as u64, "game"),
        x: Axis::whole("move of the player"),
        y: Axis::linear(unit),
        marks: Marks::Lines(series),
        ..Chart::default()
    })
}
