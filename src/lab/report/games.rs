//! The findings of whole games between algorithms.

use super::page::Page;
use super::verdicts::Verdicts;
use crate::lab::Model;
use crate::lab::experiment::claim::Case;
use crate::lab::experiment::kalah::Outcomes;
use crate::lab::experiment::matches::{FITTED, Match, MatchResult};
use crate::lab::experiment::noe::Results;
use crate::report::{Axis, Bars, Cell, Chart, Findings, Marks, Section, Table};
use crate::sys::statistics::Estimate;

/// The findings: `whole` are the ensembles of whole games, `matches` are games
/// between rivals with their scores, for which ProbCut used `model`.
pub(crate) fn games(whole: &Outcomes, matches: &[(Match, MatchResult)], model: &Model) -> Findings {
    let of_whole = super::noe(&Results::comparison(whole.clone()));
    let Some((first, _)) = matches.first() else { return of_whole };
    let mut measured = vec![Section::of("ProbCut's checks", checks(first, model))];
    measured.extend(of_whole.sections.into_iter().take(if whole.0.is_empty() { 0 } else { 4 }));
    let page = Page {
        title: "Whole games of Kalah between search algorithms",
        summary: "All rivals see whole turns as moves, in static order, and count the difference \
                  of the stores; UCT sees only the ends of random games. Every opening is played \
                  twice, with both sides.",
        headline: headline(first, matches),
        picture: Some(picture(first, matches)),
        measured,
        rows: scores(matches),
    };
    page.with(&verdicts(matches))
}

fn leaves_a_turn(score: &MatchResult, rival: usize) -> Cell {
    Cell::Number(score.leaves_a_turn(rival), 0)
}

fn pairing(game: &Match) -> String {
    format!("{} – {}", game.rivals[0], game.rivals[1])
}

fn verdicts(matches: &[(Match, MatchResult)]) -> Verdicts {
    let against = |rivals: &[&str]| -> Vec<Case> {
        let own = matches
            .iter()
            .filter(|(game, _)| rivals.contains(&game.rivals[0].to_string().as_str()));
        let cases = own.map(|(game, score)| Case {
            condition: format!("{}, {}", pairing(game), game.limit),
            figure: score.share(),
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

fn headline(first: &Match, matches: &[(Match, MatchResult)]) -> Table {
    Table::of(
        &format!("{}; {}; points of the rival named first", first.rules, first.limit),
        matches,
        &[
            ("Rival", &|(game, _)| game.rivals[0].to_string().into()),
            ("Against", &|(game, _)| game.rivals[1].to_string().into()),
            ("Points %", &|(_, score)| {
                let Estimate { value, error } = score.share();
                format!("{value:.1} ± {error:.1}").into()
            }),
            ("Won", &|(_, score)| score.ended(1).into()),
            ("Drawn", &|(_, score)| score.ended(0).into()),
            ("Lost", &|(_, score)| score.ended(-1).into()),
            ("Leaves", &|(_, score)| leaves_a_turn(score, 0)),
            ("Leaves, against", &|(_, score)| leaves_a_turn(score, 1)),
        ],
    )
}

/// Every match with every condition, for programs.
fn scores(matches: &[(Match, MatchResult)]) -> Table {
    Table::of(
        "",
        matches,
        &[
            ("Pits", &|(game, _)| game.rules.pits().into()),
            ("Seeds", &|(game, _)| game.rules.seeds().into()),
            ("Capture", &|(game, _)| game.rules.capture().name().into()),
            ("A turn", &|(game, _)| game.limit.to_string().into()),
            ("Seed", &|(game, _)| game.seed.into()),
            ("Rival", &|(game, _)| game.rivals[0].to_string().into()),
            ("Against", &|(game, _)| game.rivals[1].to_string().into()),
            ("Games", &|(game, _)| (2 * game.pairs).into()),
            ("Won", &|(_, score)| score.ended(1).into()),
            ("Drawn", &|(_, score)| score.ended(0).into()),
            ("Lost", &|(_, score)| score.ended(-1).into()),
            ("Points %", &|(_, score)| Cell::Number(score.share().value, 1)),
            ("Points error %", &|(_, score)| Cell::Number(score.share().error, 1)),
            ("Leaves a turn", &|(_, score)| leaves_a_turn(score, 0)),
            ("Leaves a turn, against", &|(_, score)| leaves_a_turn(score, 1)),
        ],
    )
}

/// What ProbCut takes the deep values for.
fn checks(game: &Match, model: &Model) -> Table {
    Table::of(
        &format!(
            "deep = slope · shallow + offset, each by least squares on {FITTED} positions that random \
             turns from the start of {} lead to, seed {}; cuts at {} standard deviations; nodes of \
             other heights are not checked",
            game.rules, game.seed, model.sureness
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

fn picture(first: &Match, matches: &[(Match, MatchResult)]) -> Chart {
    let shares = matches.iter().map(|(_, score)| score.share());
    let lengths = shares.map(|share| (share.value, share.error)).collect();
    let bars = Bars { name: "points".to_owned(), lengths };
    Chart {
        name: "matches".to_owned(),
        title: "Points in matches, in percent".to_owned(),
        subtitle: format!(
            "{}, {}, {} games each, seed {}; a whole turn is one move; standard errors over pairs \
             of games",
            first.rules,
            first.limit,
            2 * first.pairs,
            first.seed
        ),
        x: Axis::linear("points of the rival named first, %"),
        marks: Marks::Bars(matches.iter().map(|(game, _)| pairing(game)).collect(), vec![bars]),
        levels: vec![(50.0, "as good".to_owned())],
        caption: "Above 50 % the rival named first is stronger under the same limit.".to_owned(),
        ..Chart::default()
    }
}
