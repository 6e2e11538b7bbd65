//! The findings of whole games between algorithms.

use super::page::Page;
use super::verdicts::Verdicts;
use crate::lab::Model;
use crate::lab::experiment::claim::Case;
use crate::lab::experiment::kalah::Outcomes;
use crate::lab::experiment::matches::{FITTED, Match, Plan};
use crate::lab::experiment::noe::Results;
use crate::report::{Axis, Bars, Cell, Chart, Findings, Marks, Section, Table};
use crate::sys::statistics::Estimate;

/// The findings: `whole` are the ensembles of whole games, `matches` those of `plan`, for
/// which ProbCut used `model`.
pub(crate) fn games(whole: &Outcomes, plan: &Plan, matches: &[Match], model: &Model) -> Findings {
    let of_whole = super::noe(&Results::comparison(whole.clone()));
    if matches.is_empty() {
        return of_whole;
    }
    let mut measured = vec![Section::of("ProbCut's checks", checks(plan, model))];
    measured.extend(of_whole.sections.into_iter().take(if whole.0.is_empty() { 0 } else { 4 }));
    let page = Page {
        title: "Whole games of Kalah between search algorithms",
        summary: "All rivals see whole turns as moves, in static order, and count the difference \
                  of the stores; UCT sees only the ends of random games. Every opening is played \
                  twice, with both sides.",
        headline: headline(plan, matches),
        picture: Some(picture(plan, matches)),
        measured,
        rows: scores(plan, matches),
    };
    page.with(&verdicts(plan, matches))
}

fn leaves_a_turn(game: &Match, rival: usize) -> Cell {
    Cell::Number(game.leaves_a_turn(rival), 0)
}

fn pairing(game: &Match) -> String {
    format!("{} – {}", game.rivals[0], game.rivals[1])
}

fn verdicts(plan: &Plan, matches: &[Match]) -> Verdicts {
    let against = |rivals: &[&str]| -> Vec<Case> {
        let own =
            matches.iter().filter(|game| rivals.contains(&game.rivals[0].to_string().as_str()));
        let cases = own.map(|game| Case {
            condition: format!("{}, {}", pairing(game), plan.limit),
            figure: game.share(),
        });
        cases.collect()
    };
    Verdicts::of(vec![
        ("scout-wins", against(&["scout"])),
        ("probcut-wins", against(&["probcut"])),
        ("quiescence-wins", against(&["quiescence"])),
        ("table-wins", against(&["f3+tt"])),
        ("negascout-wins", against(&["negascout+tt", "mtd-f"])),
    ])
}

fn headline(plan: &Plan, matches: &[Match]) -> Table {
    Table::of(
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

/// Every match with every condition, for programs.
fn scores(plan: &Plan, matches: &[Match]) -> Table {
    Table::of(
        "",
        matches,
        &[
            ("Pits", &|_| plan.rules.pits().into()),
            ("Seeds", &|_| plan.rules.seeds().into()),
            ("Capture", &|_| plan.rules.capture().name().into()),
            ("A turn", &|_| plan.limit.to_string().into()),
            ("Seed", &|_| plan.seed.into()),
            ("Rival", &|game| game.rivals[0].to_string().into()),
            ("Against", &|game| game.rivals[1].to_string().into()),
            ("Games", &|_| (2 * plan.pairs).into()),
            ("Won", &|game| game.ended(1).into()),
            ("Drawn", &|game| game.ended(0).into()),
            ("Lost", &|game| game.ended(-1).into()),
            ("Points %", &|game| Cell::Number(game.share().value, 1)),
            ("Points error %", &|game| Cell::Number(game.share().error, 1)),
            ("Leaves a turn", &|game| leaves_a_turn(game, 0)),
            ("Leaves a turn, against", &|game| leaves_a_turn(game, 1)),
        ],
    )
}

/// What ProbCut takes the deep values for.
fn checks(plan: &Plan, model: &Model) -> Table {
    Table::of(
        &format!(
            "deep = slope · shallow + offset, each by least squares on {FITTED} positions that random \
             turns from the start of {} lead to, seed {}; cuts at {} standard deviations; nodes of \
             other heights are not checked",
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

fn picture(plan: &Plan, matches: &[Match]) -> Chart {
    let shares = matches.iter().map(|game| game.share());
    let lengths = shares.map(|share| (share.value, share.error)).collect();
    let bars = Bars { name: "points".to_owned(), lengths };
    Chart {
        name: "matches".to_owned(),
        title: "Points in matches, in percent".to_owned(),
        subtitle: format!(
            "{}, {}, {} games each, seed {}; a whole turn is one move; standard errors over pairs \
             of games",
            plan.rules,
            plan.limit,
            2 * plan.pairs,
            plan.seed
        ),
        x: Axis::linear("points of the rival named first, %"),
        marks: Marks::Bars(matches.iter().map(pairing).collect(), vec![bars]),
        levels: vec![(50.0, "as good".to_owned())],
        caption: "Above 50 % the rival named first is stronger under the same limit.".to_owned(),
        ..Chart::default()
    }
}
