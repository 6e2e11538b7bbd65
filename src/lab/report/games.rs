//! The findings of whole games between algorithms.

use super::{in_short, tested, verdict_rows, verdicts};
use crate::lab::Model;
use crate::lab::experiment::claim::{Case, Claim, Range, Unit};
use crate::lab::experiment::kalah::Outcomes;
use crate::lab::experiment::matches::{FITTED, Match, MatchResult};
use crate::lab::experiment::noe::Results;
use crate::report::{Axis, Bars, Cell, Chart, Findings, Marks, Picture, Section, Table};
use crate::sys::statistics::{Estimate, Statistic};

/// The findings: `whole` are the ensembles of whole games, `matches` are games
/// between rivals with their scores, for which ProbCut used `model`.
pub(crate) fn games(whole: &Outcomes, matches: &[(Match, MatchResult)], model: &Model) -> Findings {
    let claims = claims(matches);
    let of_whole = super::noe(&Results::comparison(whole.clone()));
    let mut sections = Vec::new();
    let mut rows = of_whole.rows;
    if let Some((first, _)) = matches.first() {
        rows = scores(matches);
        sections.push(Section {
            text: "Every opening is played twice, with both sides.".to_owned(),
            tables: vec![headline(first, matches), in_short(&claims)],
            pictures: vec![picture(first, matches)],
            ..Section::in_brief()
        });
        sections.push(Section::of("Verdicts", verdicts(&claims)));
        if !model.checks.is_empty() {
            sections.push(Section::of("ProbCut's checks", checks(first, model)));
        }
    }
    let of_whole = of_whole.sections.into_iter().filter(|_| !whole.0.is_empty());
    sections.extend(of_whole.take(3));
    Findings {
        title: "Whole games of Kalah between search algorithms".to_owned(),
        summary: "All rivals see whole turns as moves, in static order, and count the difference \
                  of the stores; UCT sees only the ends of random games."
            .to_owned(),
        sections,
        verdicts: verdict_rows(&claims),
        rows,
    }
}

/// The share of the points that the first rival won, in percent, and its error
/// over pairs of games.
fn share(score: &MatchResult) -> Estimate {
    Statistic::mean(score.pairs.iter().map(|points| 50.0 * points)).estimate()
}

fn leaves_a_turn(score: &MatchResult, rival: usize) -> Cell {
    Cell::Number(score.leaves[rival] as f64 / score.turns[rival].max(1) as f64, 0)
}

fn claims(matches: &[(Match, MatchResult)]) -> Vec<Claim> {
    let against = |rival: &str| -> Vec<Case> {
        let own = matches.iter().filter(|(game, _)| game.rivals[0].to_string() == rival);
        let case = |(game, score): &(Match, MatchResult)| Case {
            condition: format!("{rival} – {}, {}", game.rivals[1], game.limit),
            figure: share(score),
        };
        own.map(case).collect()
    };
    let claim = |statement, source, rivals: &[&str]| {
        let cases = rivals.iter().flat_map(|rival| against(rival)).collect();
        Claim::new(Unit::Number(1), statement, source, Range::above(50.0), cases)
    };
    tested(vec![
        claim("SCOUT beats alpha-beta (points %)", "Noe 1980, cited by Hsu", &["scout"]),
        claim("ProbCut beats alpha-beta (points %)", "Buro 1995", &["probcut"]),
        claim("A table beats none (points %)", "Slate and Atkin 1977", &["f3+tt"]),
        claim(
            "NegaScout, MTD(f) beat alpha-beta (points %)",
            "Reinefeld 1983, Plaat et al. 1996",
            &["negascout+tt", "mtd-f"],
        ),
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
                let Estimate { value, error } = share(score);
                format!("{value:.1} ± {error:.1}").into()
            }),
            ("Won", &|(_, score)| score.won.into()),
            ("Drawn", &|(_, score)| score.drawn.into()),
            ("Lost", &|(_, score)| score.lost.into()),
            ("Leaves", &|(_, score)| leaves_a_turn(score, 0)),
            ("Leaves, against", &|(_, score)| leaves_a_turn(score, 1)),
        ],
    )
    .head(14)
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

fn picture(first: &Match, matches: &[(Match, MatchResult)]) -> Picture {
    let pairing =
        |(game, _): &(Match, MatchResult)| format!("{} – {}", game.rivals[0], game.rivals[1]);
    let shares = matches.iter().map(|(_, score)| share(score));
    let (lengths, errors) = shares.map(|share| (share.value, share.error)).unzip();
    let bars = Bars { name: "points".to_owned(), lengths, errors };
    let chart = Chart {
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
        marks: Marks::Bars(matches.iter().map(pairing).collect(), vec![bars]),
        levels: vec![(50.0, "as good".to_owned())],
        ..Chart::default()
    };
    let caption = "Above 50 % the rival named first is stronger under the same limit.".to_owned();
    Picture { name: "matches".to_owned(), chart, caption }
}
