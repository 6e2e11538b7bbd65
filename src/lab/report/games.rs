//! The findings of whole games between algorithms.

use crate::lab::experiment::kalah::Outcomes;
use crate::lab::experiment::matches::{Match, Score};
use crate::lab::experiment::statistics::mean;
use crate::report::{Axis, BarChart, Bars};
use crate::report::{Cell, Table};
use crate::report::{Findings, Picture, Section};

/// The findings: `whole` are the ensembles of whole games, `matches` are games
/// between rivals with their scores.
pub fn games(whole: &Outcomes, matches: &[(Match, Score)]) -> Findings {
    let mut sections = Vec::new();
    let mut rows = Table::default();
    if !matches.is_empty() {
        let table = scores(matches);
        rows = table.clone();
        sections.push(Section {
            heading: "Matches".to_owned(),
            text: "Each opening of three random turns is played twice, with both sides.".to_owned(),
            tables: vec![table],
            pictures: vec![picture(matches)],
        });
    }
    if !whole.0.is_empty() {
        let mut of_whole = super::noe(&crate::lab::experiment::noe::Results {
            comparison: whole.clone(),
            ..Default::default()
        });
        sections.extend(of_whole.sections.drain(..1));
        if matches.is_empty() {
            rows = of_whole.rows;
        }
    }
    Findings {
        title: "Whole games of Kalah between search algorithms".to_owned(),
        summary: "All rivals see whole turns as moves, in static order, and count the difference \
                  of the stores; UCT sees only the ends of random games."
            .to_owned(),
        sections,
        rows,
    }
}

/// The share of the points that the first rival won, in percent, and its error
/// over pairs of games.
fn share(score: &Score) -> (f64, f64) {
    let points: Vec<f64> = score.pairs.iter().map(|points| 50.0 * points).collect();
    let mean = mean(&points);
    (mean.value, mean.error)
}

fn scores(matches: &[(Match, Score)]) -> Table {
    let headings = [
        "Board",
        "Capture",
        "Allowance",
        "Seed",
        "Rival",
        "Against",
        "Games",
        "Won",
        "Drawn",
        "Lost",
        "Points %",
        "Points error %",
        "Leaves a turn",
        "Leaves a turn, against",
    ];
    let mut table = Table::new(
        "A whole turn is one move; leaves of UCT are random games; points are of the rival named \
         first; the error is over pairs of games",
        &headings,
    );
    for (game, score) in matches {
        let (points, error) = share(score);
        let a_turn = |rival: usize| {
            Cell::Number(score.leaves[rival] as f64 / score.turns[rival].max(1) as f64, 0)
        };
        table.push(vec![
            format!("({},{})", game.rules.pits(), game.rules.seeds()).into(),
            game.rules.capture().name().into(),
            game.limit.to_string().into(),
            game.seed.into(),
            game.rivals[0].to_string().into(),
            game.rivals[1].to_string().into(),
            (score.won + score.drawn + score.lost).into(),
            score.won.into(),
            score.drawn.into(),
            score.lost.into(),
            Cell::Number(points, 1),
            Cell::Number(error, 1),
            a_turn(0),
            a_turn(1),
        ]);
    }
    table
}

fn picture(matches: &[(Match, Score)]) -> Picture {
    let (first, _) = &matches[0];
    let chart = BarChart {
        title: "Points in matches, in percent".to_owned(),
        subtitle: format!(
            "{}, {}, {} games each, seed {}; a whole turn is one move",
            first.rules,
            first.limit,
            2 * first.pairs,
            first.seed
        ),
        axis: Axis::linear("points of the rival named first, %"),
        groups: matches
            .iter()
            .map(|(game, _)| format!("{} – {}", game.rivals[0], game.rivals[1]))
            .collect(),
        bars: vec![Bars {
            name: "points".to_owned(),
            lengths: matches.iter().map(|(_, score)| share(score).0).collect(),
        }],
        levels: vec![(50.0, "as good".to_owned())],
    };
    Picture {
        name: "matches".to_owned(),
        svg: chart.to_svg(),
        caption: "Above 50 % the rival named first is stronger at the same cost.".to_owned(),
    }
}
