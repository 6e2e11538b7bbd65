//! The findings of whole games between algorithms.

use crate::lab::experiment::kalah::Outcomes;
use crate::lab::experiment::matches::{Match, Score};
use crate::lab::experiment::noe::Results;
use crate::report::{Axis, Bars, Cell, Chart, Findings, Marks, Picture, Section, Table};
use crate::sys::statistics::{Estimate, mean};

/// The findings: `whole` are the ensembles of whole games, `matches` are games
/// between rivals with their scores.
pub(crate) fn games(whole: &Outcomes, matches: &[(Match, Score)]) -> Findings {
    let mut sections = Vec::new();
    let mut rows = Table::default();
    if !matches.is_empty() {
        rows = scores(matches);
        sections.push(Section {
            text: "Each opening of three random turns is played twice, with both sides.".to_owned(),
            pictures: vec![picture(matches)],
            ..Section::of("Matches", rows.clone())
        });
    }
    if !whole.0.is_empty() {
        let of_whole = super::noe(&Results::comparison(whole.clone()));
        sections.extend(of_whole.sections.into_iter().take(1));
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
fn share(score: &Score) -> Estimate {
    mean(&score.pairs.iter().map(|points| 50.0 * points).collect::<Vec<f64>>())
}

fn scores(matches: &[(Match, Score)]) -> Table {
    let leaves_a_turn = |score: &Score, rival: usize| {
        Cell::Number(score.leaves[rival] as f64 / score.turns[rival].max(1) as f64, 0)
    };
    Table::of(
        "A whole turn is one move; leaves of UCT are random games; points are of the rival named \
         first; the error is over pairs of games",
        matches,
        &[
            ("Board", &|(game, _)| {
                format!("({},{})", game.rules.pits(), game.rules.seeds()).into()
            }),
            ("Capture", &|(game, _)| game.rules.capture().name().into()),
            ("Allowance", &|(game, _)| game.limit.to_string().into()),
            ("Seed", &|(game, _)| game.seed.into()),
            ("Rival", &|(game, _)| game.rivals[0].to_string().into()),
            ("Against", &|(game, _)| game.rivals[1].to_string().into()),
            ("Games", &|(_, score)| (score.won + score.drawn + score.lost).into()),
            ("Won", &|(_, score)| score.won.into()),
            ("Drawn", &|(_, score)| score.drawn.into()),
            ("Lost", &|(_, score)| score.lost.into()),
            ("Points %", &|(_, score)| Cell::Number(share(score).value, 1)),
            ("Points error %", &|(_, score)| Cell::Number(share(score).error, 1)),
            ("Leaves a turn", &|(_, score)| leaves_a_turn(score, 0)),
            ("Leaves a turn, against", &|(_, score)| leaves_a_turn(score, 1)),
        ],
    )
}

fn picture(matches: &[(Match, Score)]) -> Picture {
    let (first, _) = &matches[0];
    let pairing = |(game, _): &(Match, Score)| format!("{} – {}", game.rivals[0], game.rivals[1]);
    let bars = Bars {
        name: "points".to_owned(),
        lengths: matches.iter().map(|(_, score)| share(score).value).collect(),
    };
    let chart = Chart {
        title: "Points in matches, in percent".to_owned(),
        subtitle: format!(
            "{}, {}, {} games each, seed {}; a whole turn is one move",
            first.rules,
            first.limit,
            2 * first.pairs,
            first.seed
        ),
        x: Axis::linear("points of the rival named first, %"),
        marks: Marks::Bars(matches.iter().map(pairing).collect(), vec![bars]),
        levels: vec![(50.0, "as good".to_owned())],
        ..Chart::default()
    };
    let caption = "Above 50 % the rival named first is stronger at the same cost.".to_owned();
    Picture { name: "matches".to_owned(), chart, caption }
}
