//! The findings on synthetic trees, on three pages: Pearl's ratio, Reinefeld's gain,
//! and minimal trees.

use super::page::{Page, estimate, split};
use super::verdicts::Verdicts;
use crate::lab::Counts;
use crate::lab::experiment::claim::Case;
use crate::lab::experiment::uniform::{Minimal, Outcome, Shape, node_ratio_one_high};
use crate::report::{Axis, Cell, Chart, Column, Findings, Marks, Section, Series, Table};
use crate::sys::statistics::Estimate;

/// Something of each outcome by width and height: a row for each value of one,
/// a column for each of the other, as many as a terminal has room for.
fn by_shape(
    caption: &str,
    outcomes: &[Outcome],
    (down, row): (&str, fn(&Shape) -> u16),
    (across, column): (&str, fn(&Shape) -> u16),
    cell: impl Fn(&Outcome) -> Cell,
) -> Table {
    let columns: Vec<u16> =
        values(outcomes, column).into_iter().filter(is_shown).take(11).collect();
    let names = columns.iter().map(|value| format!("{across} {value}"));
    let mut table = Table::new(caption, &[down]).with_columns(names);
    for value in values(outcomes, row) {
        let cells = columns.iter().map(|&wanted| {
            let found = outcomes
                .iter()
                .find(|found| row(&found.shape) == value && column(&found.shape) == wanted);
            found.map(&cell).into()
        });
        table.push([Cell::from(value)].into_iter().chain(cells).collect());
    }
    table.head(8)
}

/// Small numbers are all columns, greater ones in steps.
fn is_shown(number: &u16) -> bool {
    *number <= 6 || matches!(number, 8 | 10 | 12 | 16) || number.is_multiple_of(10)
}

/// The different values of `property`, ascending.
fn values(outcomes: &[Outcome], property: fn(&Shape) -> u16) -> Vec<u16> {
    let mut values: Vec<u16> = outcomes.iter().map(|outcome| property(&outcome.shape)).collect();
    values.sort_unstable();
    values.dedup();
    values
}

fn width(shape: &Shape) -> u16 {
    shape.width
}

fn height(shape: &Shape) -> u16 {
    shape.height
}

/// A line for each value of `group`: `y` by the value of `x`.
fn lines(
    outcomes: &[Outcome],
    (name, group): (&str, fn(&Shape) -> u16),
    x: fn(&Shape) -> u16,
    y: impl Fn(&Outcome) -> Estimate,
) -> Marks {
    let lines = values(outcomes, group).into_iter().map(|value| {
        let own = outcomes.iter().filter(|outcome| group(&outcome.shape) == value);
        let points = own.map(|outcome| {
            let Estimate { value, error } = y(outcome);
            (f64::from(x(&outcome.shape)), value, error)
        });
        Series { name: format!("{name} = {value}"), points: points.collect() }
    });
    Marks::Lines(lines.collect())
}

fn case(shape: &Shape, what: &str, figure: Estimate) -> Case {
    Case { condition: format!("b = {}, d = {}{what}", shape.width, shape.height), figure }
}

/// A case for each outcome for which there is a figure.
fn cases(
    outcomes: &[Outcome],
    what: &str,
    figure: impl Fn(&Outcome) -> Option<Estimate>,
) -> Vec<Case> {
    outcomes
        .iter()
        .filter_map(|outcome| Some(case(&outcome.shape, what, figure(outcome)?)))
        .collect()
}

/// Pearl's ratio: the nodes of method 1 over those of method 0.
fn ratio(outcome: &Outcome) -> Estimate {
    outcome.ratio(1, 0, Counts::nodes)
}

/// The leaves of method 1 over those of method 0.
fn leaf_ratio(outcome: &Outcome) -> Estimate {
    outcome.ratio(1, 0, |counts| counts.leaves)
}

/// The d-th root of [`ratio`].
fn root(outcome: &Outcome) -> Estimate {
    let height = f64::from(outcome.shape.height);
    ratio(outcome).with(Estimate::exact(height), |ratio, height| ratio.powf(1.0 / height))
}

fn gain(outcome: &Outcome) -> Estimate {
    outcome.saved(1, 0)
}

fn columns<'a>(own: &[Column<'a, &'a Outcome>]) -> Vec<Column<'a, &'a Outcome>> {
    let shape: [Column<'a, &'a Outcome>; 4] = [
        ("Width b", &|outcome| outcome.shape.width.into()),
        ("Depth d", &|outcome| outcome.shape.height.into()),
        ("Trees", &|outcome| outcome.shape.trees.into()),
        ("F3 leaves", &|outcome| Cell::Number(outcome.leaves(0).value, 1)),
    ];
    [&shape, own].concat()
}

/// Pearl's ratio r(b,d). Method 0 is alpha-beta, method 1 SCOUT.
pub(crate) fn pearl(outcomes: &[Outcome], seed: u64) -> Findings {
    let table = Table::of(
        &format!(
            "Uniform trees with continuous random leaves, seed {seed}; alpha-beta F3 with a full \
             window, cut at >=; means over trees, repeats counted"
        ),
        outcomes,
        &columns(&[
            ("SCOUT leaves", &|outcome| Cell::Number(outcome.leaves(1).value, 1)),
            ("Leaf ratio", &|outcome| Cell::Number(leaf_ratio(outcome).value, 3)),
            ("Ratio r", &|outcome| Cell::Number(ratio(outcome).value, 3)),
            ("Error", &|outcome| Cell::Number(ratio(outcome).error, 3)),
            ("d-th root", &|outcome| Cell::Number(root(outcome).value, 3)),
        ]),
    );
    let caption = "Above 1 SCOUT visits more nodes than alpha-beta. Bars are standard errors.";
    let first = Chart {
        name: "ratio".to_owned(),
        title: "Nodes of SCOUT over nodes of alpha-beta".to_owned(),
        subtitle: format!(
            "Uniform trees of width b, continuous random leaves, seed {seed}; against F3, cut at >="
        ),
        x: Axis::whole("depth d"),
        y: Axis::linear("ratio r(b,d)"),
        marks: lines(outcomes, ("b", width), height, ratio),
        levels: vec![(1.0, "as many".to_owned()), (1.275, "1.275 (slides)".to_owned())],
        caption: caption.to_owned(),
    };
    let second = Chart {
        name: "root".to_owned(),
        title: "The d-th root of the ratio: the factor for each move".to_owned(),
        y: Axis::linear("d-th root"),
        marks: lines(outcomes, ("b", width), height, root),
        ..first.clone()
    };
    let mut pictures = [split(first), split(second)].concat().into_iter();
    let page = Page {
        title: "SCOUT against alpha-beta on random trees: Pearl's ratio r(b,d)",
        summary: "Slides that cite Pearl (Heuristics, 1984) compare the expected nodes of SCOUT \
                  and alpha-beta on uniform trees. They give a bound of 1.275 for the ratio and \
                  r(2,20) near 1.04, which fit its d-th root better: both are judged.",
        headline: by_shape(
            "Nodes of SCOUT over nodes of alpha-beta by width b and depth d",
            outcomes,
            ("b", width),
            ("d", height),
            |outcome| Cell::Number(ratio(outcome).value, 3),
        ),
        picture: pictures.next(),
        rows: table.clone(),
        measured: vec![Section { pictures: pictures.collect(), ..Section::of("Ratios", table) }],
    };
    page.with(&pearl_verdicts(outcomes))
}

fn pearl_verdicts(outcomes: &[Outcome]) -> Verdicts {
    // The expectation at depth 1 is known: no sample is needed.
    let exact = cases(outcomes, ", exact", |Outcome { shape, .. }| {
        (shape.height == 1).then(|| Estimate::exact(node_ratio_one_high(shape.width)))
    });
    Verdicts::of(vec![
        ("always-better", figures(outcomes, |_| true, ratio)),
        ("falls-in-b", steps(outcomes, width)),
        ("falls-in-d", steps(outcomes, height)),
        ("bound", [figures(outcomes, |_| true, ratio), exact].concat()),
        ("bound-root", figures(outcomes, |_| true, root)),
        ("r-2-20", figures(outcomes, is_2_20, ratio)),
        ("r-2-20-root", figures(outcomes, is_2_20, root)),
        ("near-one", figures(outcomes, |shape| shape.height == 20, ratio)),
        ("average-growth", cases(outcomes, "", |outcome| exponent(outcomes, outcome))),
    ])
}

/// A figure of each outcome of a wanted shape.
fn figures(
    outcomes: &[Outcome],
    wanted: fn(&Shape) -> bool,
    figure: fn(&Outcome) -> Estimate,
) -> Vec<Case> {
    cases(outcomes, "", |outcome| wanted(&outcome.shape).then(|| figure(outcome)))
}

fn is_2_20(shape: &Shape) -> bool {
    (shape.width, shape.height) == (2, 20)
}

/// The change of the ratio from each shape to the next in one direction.
fn steps(outcomes: &[Outcome], along: fn(&Shape) -> u16) -> Vec<Case> {
    cases(outcomes, "", |outcome| {
        let across = |shape: &Shape| (shape.width + shape.height).wrapping_sub(along(shape));
        let before = outcomes.iter().filter(|other| {
            across(&other.shape) == across(&outcome.shape)
                && along(&other.shape) < along(&outcome.shape)
        });
        let before = before.max_by_key(|other| along(&other.shape))?;
        Some(ratio(outcome).with(ratio(before), |after, before| after - before))
    })
}

/// To which power of b alpha-beta's leaves grow in a move, over the last two.
fn exponent(outcomes: &[Outcome], deep: &Outcome) -> Option<Estimate> {
    let Shape { width, height, .. } = deep.shape;
    let shallow = of_shape(outcomes, width, height.checked_sub(2)?)?;
    let two = 2.0 * f64::from(width).ln();
    // Only the greatest depth is near what the order of growth speaks of.
    of_shape(outcomes, width, height + 1).is_none().then(|| {
        deep.leaves(0).with(shallow.leaves(0), |deep, shallow| (deep / shallow).ln() / two)
    })
}

fn of_shape(outcomes: &[Outcome], width: u16, height: u16) -> Option<&Outcome> {
    outcomes.iter().find(|found| (found.shape.width, found.shape.height) == (width, height))
}

/// Reinefeld's gain. Method 0 is alpha-beta, method 1 NegaScout with the
/// "depth < 3" rule.
pub(crate) fn reinefeld(outcomes: &[Outcome], seed: u64) -> Findings {
    let table = Table::of(
        &format!(
            "Uniform trees with continuous random leaves, seed {seed}; NegaScout F4 with the depth \
             < 3 rule against alpha-beta F3, full window, cut at >=; repeats counted"
        ),
        outcomes,
        &columns(&[
            ("NegaScout leaves", &|outcome| Cell::Number(outcome.leaves(1).value, 1)),
            ("Gain %", &|outcome| Cell::Estimate(gain(outcome).value, gain(outcome).error, 1)),
        ]),
    );
    let caption = "The claim lies between the dashed lines. Bars are standard errors.";
    let chart = Chart {
        name: "gain".to_owned(),
        title: "Leaves that NegaScout saves against alpha-beta".to_owned(),
        subtitle: format!(
            "Uniform trees, continuous random leaves, seed {seed}; depth < 3 rule, against F3, \
             cut at >="
        ),
        x: Axis::whole("width b"),
        y: Axis::linear("leaves saved, %"),
        marks: lines(outcomes, ("d", height), width, gain),
        levels: vec![(10.0, "10 %".to_owned()), (20.0, "20 %".to_owned())],
        caption: caption.to_owned(),
    };
    let mut pictures = split(chart).into_iter();
    let page = Page {
        title: "NegaScout against alpha-beta on random trees: Reinefeld's gain",
        summary: "Slides that cite Reinefeld (ICCA Journal 6(4), 1983) say that NegaScout \
                  normally saves 10 to 20 % on random trees with 20 to 60 children of a node.",
        headline: by_shape(
            "Leaves that NegaScout saves, in percent, by depth d and width b",
            outcomes,
            ("d", height),
            ("b", width),
            |outcome| estimate(gain(outcome), 1),
        ),
        picture: pictures.next(),
        rows: table.clone(),
        measured: vec![Section { pictures: pictures.collect(), ..Section::of("Gains", table) }],
    };
    page.with(&Verdicts::of(vec![
        (
            "reinefeld-gain",
            cases(outcomes, "", |outcome| {
                (20..=60).contains(&outcome.shape.width).then(|| gain(outcome))
            }),
        ),
        ("random-leaves", cases(outcomes, "", |outcome| Some(gain(outcome)))),
    ]))
}

/// Minimal trees. `names` are the methods' names, alpha-beta's first, SCOUT's
/// second. `misjudged` is how often errors of 2 and of 5 mislead an evaluation.
pub(crate) fn minimal(
    outcomes: &[Outcome],
    names: &[String],
    misjudged: [Estimate; 2],
    seed: u64,
) -> Findings {
    let runs = outcomes.iter().flat_map(|outcome| {
        let cost = Minimal::of(&outcome.shape);
        let runs = names.iter().zip(outcome.counts.iter().flatten());
        runs.map(move |(name, counts)| (&outcome.shape, name, *counts, cost))
    });
    let table = Table::of(
        &format!(
            "Uniform trees, best child first, seed {seed}; full window, cut at >=; repeats counted"
        ),
        runs,
        &[
            ("Width b", &|(shape, ..)| shape.width.into()),
            ("Height l", &|(shape, ..)| shape.height.into()),
            ("Algorithm", &|(_, name, ..)| name.as_str().into()),
            ("Leaves", &|(_, _, counts, _)| counts.leaves.into()),
            ("Formula", &|(.., cost)| cost.leaves.into()),
            ("Nodes", &|(_, _, counts, _)| counts.nodes().into()),
            ("H2", &|(.., cost)| cost.nodes.into()),
            ("Old H2", &|(.., cost)| cost.old_nodes.into()),
            ("H1", &|(.., cost)| cost.test_nodes.into()),
        ],
    );
    let caption = "At 1 or above, a tree is not cheaper to evaluate than to test twice.";
    let chart = Chart {
        name: "tests".to_owned(),
        title: "Nodes of alpha-beta over nodes of two tests, on minimal trees".to_owned(),
        subtitle: format!("Uniform trees of width b, best child first, seed {seed}: H2 / (2 H1)"),
        x: Axis::whole("height l"),
        y: Axis::linear("H2 / (2 H1)"),
        marks: lines(outcomes, ("b", width), height, beside_two_tests),
        levels: vec![(1.0, "two tests".to_owned())],
        caption: caption.to_owned(),
    };
    let mut pictures = split(chart).into_iter();
    let page = Page {
        title: "Minimal trees: the best child first",
        summary: "With the best child first alpha-beta, SCOUT, NegaScout and PVS all visit the \
                  minimal tree and nothing else, each leaf once. A static evaluation with an \
                  error is tried on the two-ply tree of Russell and Norvig.",
        headline: by_shape(
            "Nodes that alpha-beta visits, by width b and height l",
            outcomes,
            ("b", width),
            ("l", height),
            |outcome| outcome.counts[0][0].nodes().into(),
        ),
        picture: pictures.next(),
        rows: table.clone(),
        measured: vec![Section { pictures: pictures.collect(), ..Section::of("Counts", table) }],
    };
    page.with(&minimal_verdicts(outcomes, misjudged))
}

/// The nodes of method 0 over those of two tests.
fn beside_two_tests(outcome: &Outcome) -> Estimate {
    let tests = 2.0 * Minimal::tested(&outcome.shape) as f64;
    Estimate::exact(outcome.counts[0][0].nodes() as f64 / tests)
}

/// [`beside_two_tests`] on the trees that are wider than `limit`.
fn two_tests(outcomes: &[Outcome], limit: u16) -> Vec<Case> {
    cases(outcomes, "", |outcome| (outcome.shape.width > limit).then(|| beside_two_tests(outcome)))
}

fn trials(figure: Estimate) -> Vec<Case> {
    vec![Case { condition: "2,000,000 trials".to_owned(), figure }]
}

/// How far the counts of all algorithms are from a formula at most.
fn away(
    outcomes: &[Outcome],
    counted: fn(&Counts) -> u64,
    formula: fn(&Minimal) -> u64,
) -> Vec<Case> {
    cases(outcomes, "", |outcome| {
        let wanted = formula(&Minimal::of(&outcome.shape));
        let away = outcome.counts[0].iter().map(|counts| counted(counts).abs_diff(wanted));
        away.max().map(|away| Estimate::exact(away as f64))
    })
}

fn minimal_verdicts(outcomes: &[Outcome], [error_of_2, error_of_5]: [Estimate; 2]) -> Verdicts {
    let tests = cases(outcomes, "", |Outcome { shape, .. }| {
        let away = Minimal::tested(shape).abs_diff(Minimal::of(shape).test_nodes);
        Some(Estimate::exact(away as f64))
    });
    let one_test = cases(outcomes, "", |outcome| {
        let ratio = 2.0 * beside_two_tests(outcome).value;
        (outcome.shape.width > 3).then(|| Estimate::exact(ratio))
    });
    let saved_by_test = cases(outcomes, "", |outcome| {
        let ratio = 2.0 * beside_two_tests(outcome).value;
        Some(Estimate::exact(100.0 * (1.0 - 1.0 / ratio)))
    });
    // SCOUT is method 1.
    let saved_by_scout =
        cases(outcomes, "", |outcome| Some(Estimate::exact(100.0 * (1.0 - ratio(outcome).value))));
    Verdicts::of(vec![
        ("minimal-leaves", away(outcomes, |counts| counts.leaves, |cost| cost.leaves)),
        ("h1", tests),
        ("h2", away(outcomes, Counts::nodes, |cost| cost.nodes)),
        ("old-h2", away(outcomes, Counts::nodes, |cost| cost.old_nodes)),
        ("two-tests", two_tests(outcomes, 3)),
        ("old-two-tests", two_tests(outcomes, 2)),
        ("two-point-x", one_test),
        ("test-cheaper", saved_by_test),
        ("best-case", saved_by_scout),
        ("error-58", trials(error_of_2)),
        ("error-71", trials(error_of_5)),
    ])
}
