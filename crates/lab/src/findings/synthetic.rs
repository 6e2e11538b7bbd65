//! The findings on synthetic trees, of three comparisons: Pearl's ratio, Reinefeld's gain,
//! and minimal trees.

use std::collections::BTreeSet;

use super::draft::{Draft, estimate, split};
use super::verdicts::Verdicts;
use crate::SearchCounts;
use crate::experiment::claim::Case;
use crate::experiment::keys;
use crate::experiment::synthetic::{
    MinimalTree, OrderedTrees, Shape, ShapeCounts, node_ratio_one_high,
};
use kalah_tables::statistics::Estimate;
use kalah_tables::{Axis, Cell, Chart, Column, Findings, Marks, Series, Table};

/// One figure of each result by width and height: a row for each value of one, a column
/// for each value of the other, as many as a terminal has room for.
fn by_shape(
    caption: &str,
    results: &[ShapeCounts],
    (down, row): (&str, fn(&Shape) -> u16),
    (across, column): (&str, fn(&Shape) -> u16),
    cell: impl Fn(&ShapeCounts) -> Cell,
) -> Table {
    let columns: Vec<u16> = values(results, column).into_iter().filter(is_shown).take(11).collect();
    let names = columns.iter().map(|value| format!("{across} {value}"));
    let mut table = Table::new(caption, &[down]).with_columns(names);
    for value in values(results, row) {
        let cells = columns.iter().map(|&wanted| {
            let found = results
                .iter()
                .find(|found| row(&found.shape) == value && column(&found.shape) == wanted);
            found.map(&cell).into()
        });
        table.push([Cell::from(value)].into_iter().chain(cells).collect());
    }
    table.head(8)
}

/// All small numbers have a column, larger ones only in steps.
fn is_shown(number: &u16) -> bool {
    *number <= 6 || matches!(number, 8 | 10 | 12 | 16) || number.is_multiple_of(10)
}

/// The different values of `property`, ascending.
fn values(results: &[ShapeCounts], property: fn(&Shape) -> u16) -> BTreeSet<u16> {
    results.iter().map(|result| property(&result.shape)).collect()
}

fn width(shape: &Shape) -> u16 {
    shape.width
}

fn height(shape: &Shape) -> u16 {
    shape.height
}

/// A line for each value of `group`: `y` by the value of `x`.
fn lines(
    results: &[ShapeCounts],
    (name, group): (&str, fn(&Shape) -> u16),
    x: fn(&Shape) -> u16,
    y: impl Fn(&ShapeCounts) -> Estimate,
) -> Marks {
    let lines = values(results, group).into_iter().map(|value| {
        let own = results.iter().filter(|result| group(&result.shape) == value);
        let points = own.map(|result| {
            let Estimate { value, error } = y(result);
            (f64::from(x(&result.shape)), value, error)
        });
        Series { name: format!("{name} = {value}"), points: points.collect() }
    });
    Marks::Lines(lines.collect())
}

fn case(shape: &Shape, what: &str, figure: Estimate) -> Case {
    Case { condition: format!("b = {}, d = {}{what}", shape.width, shape.height), figure }
}

/// A case for each result that has a figure.
fn cases(
    results: &[ShapeCounts],
    what: &str,
    figure: impl Fn(&ShapeCounts) -> Option<Estimate>,
) -> Vec<Case> {
    results.iter().filter_map(|result| Some(case(&result.shape, what, figure(result)?))).collect()
}

/// Pearl's ratio: the nodes of method 1 divided by those of method 0.
fn ratio(result: &ShapeCounts) -> Estimate {
    result.ratio(1, 0, SearchCounts::nodes)
}

/// The leaves of method 1 divided by those of method 0.
fn leaf_ratio(result: &ShapeCounts) -> Estimate {
    result.ratio(1, 0, |counts| counts.leaves)
}

/// The d-th root of [`ratio`].
fn root(result: &ShapeCounts) -> Estimate {
    let height = f64::from(result.shape.height);
    ratio(result).with(Estimate::exact(height), |ratio, height| ratio.powf(1.0 / height))
}

fn gain(result: &ShapeCounts) -> Estimate {
    result.saved(1, 0)
}

fn columns<'a>(own: &[Column<'a, &'a ShapeCounts>]) -> Vec<Column<'a, &'a ShapeCounts>> {
    let shape: [Column<'a, &'a ShapeCounts>; 4] = [
        ("Width b", &|result| result.shape.width.into()),
        ("Depth d", &|result| result.shape.height.into()),
        ("Trees", &|result| result.shape.trees.into()),
        ("F3 leaves", &|result| Cell::Number(result.leaves(0).value, 1)),
    ];
    [&shape, own].concat()
}

/// Pearl's ratio r(b,d). Method 0 is alpha-beta, method 1 SCOUT.
pub fn pearl(results: &[ShapeCounts], seed: u64) -> Findings {
    let table = Table::from_items(
        &format!(
            "Uniform trees with continuous random leaves, seed {seed}; alpha-beta F3 with a full \
             window, cut at >=; means over trees, repeats counted"
        ),
        results,
        &columns(&[
            ("SCOUT leaves", &|result| Cell::Number(result.leaves(1).value, 1)),
            ("Leaf ratio", &|result| Cell::Number(leaf_ratio(result).value, 3)),
            ("Ratio r", &|result| Cell::Number(ratio(result).value, 3)),
            ("Error", &|result| Cell::Number(ratio(result).error, 3)),
            ("d-th root", &|result| Cell::Number(root(result).value, 3)),
        ]),
    );
    let caption = "Above 1, SCOUT visits more nodes than alpha-beta. Bars are standard errors.";
    let first = Chart {
        name: "ratio".to_owned(),
        title: "Nodes of SCOUT over nodes of alpha-beta".to_owned(),
        subtitle: format!(
            "Uniform trees of width b, continuous random leaves, seed {seed}; against F3, cut at >="
        ),
        x: Axis::whole("depth d"),
        y: Axis::linear("ratio r(b,d)"),
        marks: lines(results, ("b", width), height, ratio),
        levels: vec![(1.0, "equal".to_owned()), (1.275, "1.275 (slides)".to_owned())],
        caption: caption.to_owned(),
    };
    let second = Chart {
        name: "root".to_owned(),
        title: "The d-th root of the ratio: the factor for each move".to_owned(),
        y: Axis::linear("d-th root"),
        marks: lines(results, ("b", width), height, root),
        ..first.clone()
    };
    let draft = Draft {
        title: "SCOUT against alpha-beta on random trees: Pearl's ratio r(b,d)",
        summary: "Slides that cite Pearl (Heuristics, 1984) compare the expected nodes of SCOUT \
                  and alpha-beta on uniform trees. They give a bound of 1.275 for the ratio and \
                  r(2,20) near 1.04, which fit its d-th root better: both are judged.",
        headline: by_shape(
            "Nodes of SCOUT over nodes of alpha-beta by width b and depth d",
            results,
            ("b", width),
            ("d", height),
            |result| Cell::Number(ratio(result).value, 3),
        ),
        ..Draft::with_measured("Ratios", table, [split(first), split(second)].concat())
    };
    draft.judged(&pearl_verdicts(results))
}

fn pearl_verdicts(results: &[ShapeCounts]) -> Verdicts {
    // The expectation at depth 1 is known, so no sample is needed.
    let exact = cases(results, ", exact", |ShapeCounts { shape, .. }| {
        (shape.height == 1).then(|| Estimate::exact(node_ratio_one_high(shape.width)))
    });
    Verdicts::from_cases(vec![
        ("always-better", figures(results, |_| true, ratio)),
        ("falls-in-b", steps(results, width, height)),
        ("falls-in-d", steps(results, height, width)),
        ("bound", [figures(results, |_| true, ratio), exact].concat()),
        ("bound-root", figures(results, |_| true, root)),
        ("r-2-20", figures(results, is_2_20, ratio)),
        ("r-2-20-root", figures(results, is_2_20, root)),
        ("near-one", figures(results, |shape| shape.height >= 20, ratio)),
        ("small-width", figures(results, is_narrow_and_deep, gain)),
        ("average-growth", cases(results, "", |result| exponent(results, result, 0))),
        (
            "asymptotic",
            cases(results, "", |result| {
                let [f3, scout] = [0, 1].map(|method| exponent(results, result, method));
                Some(scout?.with(f3?, |scout, f3| scout - f3))
            }),
        ),
    ])
}

/// A figure of each result of a wanted shape.
fn figures(
    results: &[ShapeCounts],
    wanted: fn(&Shape) -> bool,
    figure: fn(&ShapeCounts) -> Estimate,
) -> Vec<Case> {
    cases(results, "", |result| wanted(&result.shape).then(|| figure(result)))
}

/// Whether a tree has few branches and is deeper than 3, the depth that the slide gives.
fn is_narrow_and_deep(shape: &Shape) -> bool {
    shape.width <= 5 && shape.height > 3
}

fn is_2_20(shape: &Shape) -> bool {
    (shape.width, shape.height) == (2, 20)
}

/// The change of the ratio from each shape to the next one along an axis, with the other axis
/// held fixed.
fn steps(results: &[ShapeCounts], along: fn(&Shape) -> u16, held: fn(&Shape) -> u16) -> Vec<Case> {
    cases(results, "", |result| {
        let before = results.iter().filter(|other| {
            held(&other.shape) == held(&result.shape) && along(&other.shape) < along(&result.shape)
        });
        let before = before.max_by_key(|other| along(&other.shape))?;
        Some(ratio(result).with(ratio(before), |after, before| after - before))
    })
}

/// The exponent of b in the growth of a method's leaves per move, over the last two moves.
fn exponent(results: &[ShapeCounts], deep: &ShapeCounts, method: usize) -> Option<Estimate> {
    let Shape { width, height, .. } = deep.shape;
    let shallow = with_shape(results, width, height.checked_sub(2)?)?;
    let two = 2.0 * f64::from(width).ln();
    // The claim is asymptotic, so only the greatest depth counts.
    with_shape(results, width, height + 1).is_none().then(|| {
        let [deep, shallow] = [deep, shallow].map(|result| result.leaves(method));
        deep.with(shallow, |deep, shallow| (deep / shallow).ln() / two)
    })
}

fn with_shape(results: &[ShapeCounts], width: u16, height: u16) -> Option<&ShapeCounts> {
    results.iter().find(|found| (found.shape.width, found.shape.height) == (width, height))
}

/// The methods of [`reinefeld`].
pub const REINEFELD: &str = "f3,negascout-depth3,negascout-wide,scout";

/// Reinefeld's gain. The methods are those of [`REINEFELD`].
pub fn reinefeld(results: &[ShapeCounts], seed: u64) -> Findings {
    let table = Table::from_items(
        &format!(
            "Uniform trees with continuous random leaves, seed {seed}; NegaScout F4 with the depth \
             < 3 rule against alpha-beta F3, full window, cut at >=; repeats counted"
        ),
        results,
        &columns(&[
            ("NegaScout leaves", &|result| Cell::Number(result.leaves(1).value, 1)),
            ("Gain %", &|result| Cell::Estimate(gain(result).value, gain(result).error, 1)),
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
        marks: lines(results, ("d", height), width, gain),
        levels: vec![(10.0, "10 %".to_owned()), (20.0, "20 %".to_owned())],
        caption: caption.to_owned(),
    };
    let draft = Draft {
        title: "NegaScout against alpha-beta on random trees: Reinefeld's gain",
        summary: "Slides that cite Reinefeld (ICCA Journal 6(4), 1983) say that NegaScout \
                  normally saves 10 to 20 % on random trees with 20 to 60 children per node.",
        headline: by_shape(
            "Leaves that NegaScout saves, in percent, by depth d and width b",
            results,
            ("d", height),
            ("b", width),
            |result| estimate(gain(result), 1),
        ),
        ..Draft::with_measured("Gains", table, split(chart))
    };
    let gains = figures(results, is_wide, gain);
    draft.judged(&Verdicts::from_cases(vec![
        ("reinefeld-superior", gains.clone()),
        ("reinefeld-gain", gains),
        ("random-leaves", figures(results, |_| true, |result| result.saved(2, 0))),
        ("large-width", figures(results, is_wide, |result| result.saved(3, 0))),
    ]))
}

/// Whether a tree has one of the widths that the slides give.
fn is_wide(shape: &Shape) -> bool {
    (20..=60).contains(&shape.width)
}

/// Minimal trees, compared with trees in other orders. `misjudged` holds the percentages of trials
/// in which an evaluation with errors of 2 and of 5 misjudges two moves.
pub fn minimal(trees: &OrderedTrees, misjudged: [Estimate; 2], seed: u64) -> Findings {
    let results = trees.best_first.as_slice();
    let runs = results.iter().flat_map(|result| {
        let cost = MinimalTree::new(&result.shape);
        let runs = OrderedTrees::METHODS.split(',').zip(result.counts.iter().flatten());
        runs.map(move |(name, counts)| (&result.shape, name, *counts, cost))
    });
    let table = Table::from_items(
        &format!(
            "Uniform trees, best child first, seed {seed}; full window, cut at >=; repeats counted"
        ),
        runs,
        &[
            ("Width b", &|(shape, ..)| shape.width.into()),
            ("Height l", &|(shape, ..)| shape.height.into()),
            ("Algorithm", &|(_, name, ..)| (*name).into()),
            ("Leaves", &|(_, _, counts, _)| counts.leaves.into()),
            ("Formula", &|(.., cost)| cost.leaves.into()),
            ("Nodes", &|(_, _, counts, _)| counts.nodes().into()),
            ("H2", &|(.., cost)| cost.nodes.into()),
            ("Old H2", &|(.., cost)| cost.old_nodes.into()),
            ("H1", &|(.., cost)| cost.test_nodes.into()),
        ],
    );
    let caption = "At 1 or above, evaluating a tree costs at least as much as testing it twice.";
    let chart = Chart {
        name: "tests".to_owned(),
        title: "Nodes of alpha-beta over nodes of two tests, on minimal trees".to_owned(),
        subtitle: format!("Uniform trees of width b, best child first, seed {seed}: H2 / (2 H1)"),
        x: Axis::whole("height l"),
        y: Axis::linear("H2 / (2 H1)"),
        marks: lines(results, ("b", width), height, ratio_to_two_tests),
        levels: vec![(1.0, "two tests".to_owned())],
        caption: caption.to_owned(),
    };
    let draft = Draft {
        title: "Minimal trees: the best child first",
        summary: "With the best child first, alpha-beta, SCOUT, NegaScout and PVS all visit the \
                  minimal tree and nothing else, each leaf once. The same shapes are searched \
                  with the best child anywhere, with the worst child first, and with random \
                  leaves. A static evaluation with an error is tried on the two-ply tree of \
                  Russell and Norvig, and Zobrist keys on the boards of a search of Kalah.",
        headline: by_shape(
            "Nodes that alpha-beta visits, by width b and height l",
            results,
            ("b", width),
            ("l", height),
            |result| result.counts[0][0].nodes().into(),
        ),
        ..Draft::with_measured("Counts", table, split(chart))
    };
    draft.judged(&minimal_verdicts(trees, misjudged, seed))
}

/// The nodes of method 0 divided by those of two tests, which answer yes.
fn ratio_to_two_tests(result: &ShapeCounts) -> Estimate {
    let one = result.ratio(0, YES, SearchCounts::nodes);
    Estimate { value: one.value / 2.0, error: one.error / 2.0 }
}

/// The indices of TEST with a true and a false verdict among the methods.
const YES: usize = OrderedTrees::VALUED;
const NO: usize = YES + 1;

fn trials(figure: Estimate) -> Vec<Case> {
    vec![Case { condition: "2,000,000 trials".to_owned(), figure }]
}

/// The largest difference from a formula among the counts of some methods.
fn away(
    results: &[ShapeCounts],
    methods: std::ops::Range<usize>,
    counted: fn(&SearchCounts) -> u64,
    formula: fn(&MinimalTree) -> u64,
) -> Vec<Case> {
    cases(results, "", |result| {
        let wanted = formula(&MinimalTree::new(&result.shape));
        let counts = result.counts[0][methods.clone()].iter();
        let away = counts.map(|counts| counted(counts).abs_diff(wanted));
        away.max().map(|away| Estimate::exact(away as f64))
    })
}

fn leaves(counts: &SearchCounts) -> u64 {
    counts.leaves
}

/// The cost that some methods save with the best child first, compared with the best child
/// anywhere.
fn saved_by_order(
    trees: &OrderedTrees,
    methods: &[(usize, &str)],
    cost: fn(&SearchCounts) -> u64,
) -> Vec<Case> {
    let pairs = trees.best_first.iter().zip(&trees.unordered);
    let saved = pairs.flat_map(|(first, anywhere)| {
        methods.iter().map(move |(method, what)| {
            case(&first.shape, what, first.saved_against(anywhere, *method, cost))
        })
    });
    saved.collect()
}

/// The leaves of TEST over b^(l/2).
fn over_the_root(results: &[ShapeCounts], what: &str, method: usize) -> Vec<Case> {
    cases(results, what, |result| {
        let Shape { width, height, .. } = result.shape;
        let root = Estimate::exact(f64::from(width).powf(f64::from(height) / 2.0));
        Some(result.leaves(method).with(root, |leaves, root| leaves / root))
    })
}

fn minimal_verdicts(trees: &OrderedTrees, [of_2, of_5]: [Estimate; 2], seed: u64) -> Verdicts {
    let results = trees.best_first.as_slice();
    let valued = 0..OrderedTrees::VALUED;
    let omega = [
        over_the_root(results, ", minimal, TRUE", YES),
        over_the_root(results, ", minimal, FALSE", NO),
        over_the_root(&trees.unordered, ", any order, TRUE", YES),
        over_the_root(&trees.unordered, ", any order, FALSE", NO),
    ];
    let twice = cases(results, "", |result| {
        let half = f64::from(result.shape.width).powf(f64::from(result.shape.height) / 2.0);
        Some(Estimate::exact(result.leaves(0).value / half))
    });
    let unpruned = cases(&trees.worst_first, "", |result| {
        let all = u64::from(result.shape.width).pow(result.shape.height.into());
        Some(Estimate::exact(result.counts[0][0].leaves.abs_diff(all) as f64))
    });
    let pairs = trees.cubed[0].iter().zip(&trees.cubed[1]);
    let changed = pairs.map(|(plain, cubed)| {
        case(&plain.shape, "", Estimate::exact(f64::from(u8::from(plain.counts != cubed.counts))))
    });
    let (longer_keys, longest_keys) = key_lengths(seed);
    Verdicts::from_cases(vec![
        ("first-branch", saved_by_order(trees, &[(1, "")], leaves)),
        ("minimal-leaves", away(results, valued.clone(), leaves, |cost| cost.leaves)),
        ("h1", away(results, YES..YES + 1, SearchCounts::nodes, |cost| cost.test_nodes)),
        ("h2", away(results, valued.clone(), SearchCounts::nodes, |cost| cost.nodes)),
        ("old-h2", away(results, valued, SearchCounts::nodes, |cost| cost.old_nodes)),
        ("two-tests", figures(results, |shape| shape.width > 3, ratio_to_two_tests)),
        ("old-two-tests", figures(results, |shape| shape.width > 2, ratio_to_two_tests)),
        (
            "two-point-x",
            figures(results, |_| true, |result| result.ratio(0, YES, SearchCounts::nodes)),
        ),
        ("omega", omega.concat()),
        ("true-first", saved_by_order(trees, &[(YES, "")], leaves)),
        (
            "scans-fast",
            saved_by_order(trees, &[(YES, ", TRUE"), (NO, ", FALSE")], SearchCounts::nodes),
        ),
        (
            "best-case",
            cases(results, "", |result| {
                Some(ratio(result).with(Estimate::exact(1.0), |ratio, one| 100.0 * (one - ratio)))
            }),
        ),
        ("twice-as-deep", twice),
        ("worst-case", unpruned),
        ("relative-order", changed.collect()),
        ("error-58", trials(of_2)),
        ("error-71", trials(of_5)),
        ("longer-keys", longer_keys),
        ("collision-64", longest_keys),
    ])
}

/// The colliding pairs of keys of each length: divided by those of the length before, and at 64
/// bits.
fn key_lengths(seed: u64) -> (Vec<Case>, Vec<Case>) {
    let (boards, pairs) = keys::collisions(seed);
    let by_length: Vec<(u32, u64)> = keys::LENGTHS.into_iter().zip(pairs).collect();
    let steps = by_length.windows(2).filter(|pair| pair[0].1 > 0 && pair[1].0 < 64);
    let longer =
        steps.map(|pair| collisions(pair[1].0, boards, pair[1].1 as f64 / pair[0].1 as f64));
    let longest = by_length.iter().filter(|(bits, _)| *bits == 64);
    let longest = longest.map(|(bits, pairs)| collisions(*bits, boards, *pairs as f64));
    (longer.collect(), longest.collect())
}

fn collisions(bits: u32, boards: usize, figure: f64) -> Case {
    Case { condition: format!("{bits} bits, {boards} boards"), figure: Estimate::exact(figure) }
}
