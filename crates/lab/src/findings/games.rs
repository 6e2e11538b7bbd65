//! The findings of games between algorithms.

use serde::Serialize;

use super::measured::MeasuredFindings;
use super::verdicts::Verdicts;
use crate::experiment::claim::Measure;
use crate::experiment::judge::{Case, Figure};
use crate::experiment::matches::{FITTED_POSITIONS, MatchPlan, RivalMatch};
use crate::{Method, ProbCutModel};
use kalah_tables::statistics::Estimate;
use kalah_tables::{Axis, Bars, Cell, Chart, Findings, Marks, Section, Table};

/// The findings: `matches` were played by `plan`, with `model` for ProbCut.
pub fn games(plan: &MatchPlan, matches: &[RivalMatch], model: &ProbCutModel) -> Findings {
    let findings = MeasuredFindings {
        title: "Games of Kalah between search algorithms",
        summary: "A move is a whole turn. All rivals search moves in static order and evaluate by \
                  the difference of the stores, except for UCT and the bandits, which use only \
                  the results of random games. Every opening is played twice, with sides swapped.",
        headline: headline(plan, matches),
        pictures: vec![picture(plan, matches)],
        measured: vec![Section::with_table("ProbCut's checks", checks(plan, model))],
        rows: scores(plan, matches),
        answer: String::new(),
    };
    findings.judged(&verdicts(plan, matches))
}

fn leaves_a_turn(game: &RivalMatch, rival: usize) -> Cell {
    Cell::Number(game.leaves_a_turn(rival), 0)
}

fn pairing(game: &RivalMatch) -> String {
    format!("{} – {}", game.rivals[0], game.rivals[1])
}

/// The claims about points, with a case for each match of one of their algorithms.
fn verdicts(plan: &MatchPlan, matches: &[RivalMatch]) -> Verdicts {
    Verdicts::of(|claim| {
        let Measure::Points = claim.measure else { return Vec::new() };
        let methods: Vec<Method> = claim.pairs.iter().map(|pair| pair.own.method).collect();
        let own = matches.iter().filter(|game| methods.contains(&game.rivals[0]));
        let cases = own.map(|game| {
            let Estimate { value, error } = game.share();
            Case {
                condition: format!("{}, {}", pairing(game), plan.limit),
                figure: Figure::sample(value, error, game.played() / 2),
                sampled: None,
            }
        });
        cases.collect()
    })
}

fn headline(plan: &MatchPlan, matches: &[RivalMatch]) -> Table {
    Table::from_items(
        &format!("{}; {}; points of the rival named first", plan.rules, plan.limit),
        matches,
        &[
            ("Rival", &|game| game.rivals[0].to_string().into()),
            ("Against", &|game| game.rivals[1].to_string().into()),
            ("Points %", &|game| {
                let Estimate { value, error } = game.share();
                format!("{value:.1} ± {error:.1}").into()
            }),
            ("Won", &|game| game.ended(1).into()),
            ("Drawn", &|game| game.ended(0).into()),
            ("Lost", &|game| game.ended(-1).into()),
            ("Leaves", &|game| leaves_a_turn(game, 0)),
            ("Leaves, against", &|game| leaves_a_turn(game, 1)),
        ],
    )
}

/// A match with every condition, for programs.
#[derive(Default, Serialize)]
struct MatchRecord {
    pits: usize,
    seeds: u32,
    capture: &'static str,
    a_turn: String,
    seed: u64,
    rival: String,
    against: String,
    games: usize,
    won: usize,
    drawn: usize,
    lost: usize,
    points: f64,
    points_error: f64,
    leaves_a_turn: f64,
    leaves_a_turn_against: f64,
}

fn scores(plan: &MatchPlan, matches: &[RivalMatch]) -> Table {
    Table::from_records(matches.iter().map(|game| {
        let [rival, against] = game.rivals.map(|rival| rival.to_string());
        let Estimate { value, error } = game.share();
        MatchRecord {
            pits: plan.rules.pits(),
            seeds: plan.rules.seeds(),
            capture: plan.rules.capture().name(),
            a_turn: plan.limit.to_string(),
            seed: plan.seed,
            rival,
            against,
            games: game.played(),
            won: game.ended(1),
            drawn: game.ended(0),
            lost: game.ended(-1),
            points: value,
            points_error: error,
            leaves_a_turn: game.leaves_a_turn(0),
            leaves_a_turn_against: game.leaves_a_turn(1),
        }
    }))
}

/// ProbCut's checks, by which it predicts deep values.
fn checks(plan: &MatchPlan, model: &ProbCutModel) -> Table {
    Table::from_items(
        &format!(
            "deep = slope · shallow + offset, each fitted by least squares to {FITTED_POSITIONS} positions \
             after random turns from the start of {}, seed {}; cutoffs at {} standard deviations; \
             nodes of other heights are not checked",
            plan.rules, plan.seed, model.sureness
        ),
        &model.checks,
        &[
            ("Height", &|check| check.height.into()),
            ("Shallow", &|check| check.shallow.into()),
            ("Slope", &|check| Cell::Number(check.slope, 3)),
            ("Offset", &|check| Cell::Signed(check.offset, 3)),
            ("Deviation", &|check| Cell::Number(check.deviation, 3)),
        ],
    )
}

fn picture(plan: &MatchPlan, matches: &[RivalMatch]) -> Chart {
    let shares = matches.iter().map(|game| game.share());
    let lengths = shares.map(|share| (share.value, share.error)).collect();
    let bars = Bars { name: "points".to_owned(), lengths };
    Chart {
        name: "matches".to_owned(),
        title: "Points in matches, in percent".to_owned(),
        subtitle: format!(
            "{}, {}, up to {} games each, seed {}; a whole turn is one move; standard errors over pairs \
             of games",
            plan.rules,
            plan.limit,
            2 * plan.pairs,
            plan.seed
        ),
        x: Axis::linear("points of the rival named first, %"),
        marks: Marks::Bars(matches.iter().map(pairing).collect(), vec![bars]),
        levels: vec![(50.0, "equal".to_owned())],
        caption: "Above 50 %, the rival named first is stronger under the same limit.".to_owned(),
        ..Chart::default()
    }
}
