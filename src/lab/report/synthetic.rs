//! The findings on synthetic trees: the words, columns, charts and verdicts of
//! three pages, and what draws them.

use crate::lab::experiment::uniform::{Outcome, Shape, minimal_cost};
use crate::report::{Axis, Cell, Chart, Findings, Judged, Marks, Picture, Section, Series};
use crate::report::{Table, verdicts};
use crate::sys::statistics::Estimate;

/// The words of a page: its title, what was done, the heading of its table.
struct Words {
    title: &'static str,
    summary: &'static str,
    heading: &'static str,
}

fn page(words: Words, table: Table, pictures: Vec<Picture>, judged: &[Judged]) -> Findings {
    let rows = table.clone();
    let measured = Section { pictures, ..Section::of(words.heading, table) };
    Findings {
        title: words.title.to_owned(),
        summary: words.summary.to_owned(),
        sections: vec![measured, Section::of("Verdicts", verdicts("", judged))],
        rows,
    }
}

/// A line for each value of `group`: `y` by the value of `x`.
fn lines(
    outcomes: &[Outcome],
    (name, group): (&str, fn(&Shape) -> u16),
    x: fn(&Shape) -> u16,
    y: impl Fn(&Outcome) -> Estimate,
) -> Marks {
    let mut groups: Vec<u16> = outcomes.iter().map(|outcome| group(&outcome.shape)).collect();
    groups.sort_unstable();
    groups.dedup();
    let line = |value| {
        let own = outcomes.iter().filter(|outcome| group(&outcome.shape) == value);
        let point = |outcome: &Outcome| {
            let estimate = y(outcome);
            ((f64::from(x(&outcome.shape)), estimate.value), estimate.error)
        };
        let (points, errors) = own.map(point).unzip();
        Series { name: format!("{name} = {value}"), points, errors }
    };
    Marks::Lines(groups.into_iter().map(line).take(7).collect())
}

/// The leaves of method 1 over those of method 0.
fn ratio(outcome: &Outcome) -> Estimate {
    outcome.ratio(1, 0)
}

/// The d-th root of [`ratio`], with its error.
fn root(outcome: &Outcome) -> Estimate {
    let (ratio, height) = (ratio(outcome), f64::from(outcome.shape.height));
    let value = ratio.value.powf(1.0 / height);
    Estimate { value, error: value * ratio.error / ratio.value / height }
}

fn gain(outcome: &Outcome) -> Estimate {
    outcome.saved(1, 0)
}

fn number(estimate: Estimate, decimals: usize) -> String {
    format!("{:.decimals$} ± {:.decimals$}", estimate.value, estimate.error)
}

/// Pearl's ratio r(b,d). Method 0 is alpha-beta, method 1 SCOUT.
pub(crate) fn pearl(outcomes: &[Outcome], seed: u64) -> Findings {
    let table = Table::of(
        &format!(
            "Uniform trees with continuous random leaves, seed {seed}; alpha-beta F3 with a full \
             window, cut at >=; means over trees, repeats counted"
        ),
        outcomes,
        &[
            ("Width b", &|outcome| outcome.shape.width.into()),
            ("Depth d", &|outcome| outcome.shape.height.into()),
            ("Trees", &|outcome| outcome.shape.trees.into()),
            ("Alpha-beta leaves", &|outcome| Cell::Number(outcome.mean_leaves(0), 1)),
            ("SCOUT leaves", &|outcome| Cell::Number(outcome.mean_leaves(1), 1)),
            ("Ratio r", &|outcome| Cell::Number(ratio(outcome).value, 3)),
            ("Standard error", &|outcome| Cell::Number(ratio(outcome).error, 3)),
            ("d-th root of r", &|outcome| Cell::Number(root(outcome).value, 4)),
        ],
    );
    let picture =
        |name: &str, title: &str, label: &str, y: fn(&Outcome) -> Estimate, caption: &str| {
            let chart = Chart {
                title: title.to_owned(),
                subtitle: format!(
                    "Uniform trees of width b, continuous random leaves, seed {seed}; against F3, \
                     cut at >="
                ),
                x: Axis::whole("depth d"),
                y: Axis::linear(label),
                marks: lines(outcomes, ("b", |shape| shape.width), |shape| shape.height, y),
                levels: vec![(1.0, "as many as alpha-beta".to_owned())],
            };
            Picture { name: name.to_owned(), chart, caption: caption.to_owned() }
        };
    let words = Words {
        title: "SCOUT against alpha-beta on random trees: Pearl's ratio",
        summary: "Pearl, Artificial Intelligence 14(2), 1980, compares the expected leaves of \
                  SCOUT and alpha-beta on uniform trees. Slides that cite him give a bound of \
                  1.275 and r(2,20) near 1.04: both fit the d-th root of the ratio.",
        heading: "Ratios",
    };
    let pictures = vec![
        picture(
            "ratio",
            "Leaves of SCOUT over leaves of alpha-beta",
            "ratio r(b, d)",
            ratio,
            "Below 1 SCOUT visits fewer leaves. The ratio grows with depth on narrow trees.",
        ),
        picture(
            "root",
            "The same ratio, its d-th root: the factor for each move",
            "d-th root of r(b, d)",
            root,
            "The d-th root of the ratio. The published bound fits this, not the ratio.",
        ),
    ];
    page(words, table, pictures, &pearl_verdicts(outcomes))
}

fn pearl_verdicts(outcomes: &[Outcome]) -> Vec<Judged> {
    let at = |width, height| {
        let mut shaped = outcomes.iter();
        shaped.find(|found| found.shape.width == width && found.shape.height == height)
    };
    let mut judged = Vec::new();
    for (width, height, published, tolerance) in [
        (2, 1, 1.25, 0.01),
        (3, 1, 1.278, 0.01),
        (2, 10, 1.866, 0.06),
        (10, 6, 1.154, 0.04),
        (20, 5, 0.969, 0.03),
    ] {
        if let Some(measured) = at(width, height).map(ratio) {
            let near = (measured.value - published).abs() <= tolerance + 3.0 * measured.error;
            let claim = format!("r({width},{height}) = {published}");
            judged.push(Judged::new(claim, [near], number(measured, 3)));
        }
    }
    type Measure = fn(&Outcome) -> Estimate;
    let measures = [("ratio", ratio as Measure), ("d-th root", root)];
    for (name, measure) in measures {
        let values = outcomes.iter().map(|outcome| (measure(outcome), &outcome.shape));
        if let Some((most, shape)) = values.max_by(|a, b| a.0.value.total_cmp(&b.0.value)) {
            judged.push(Judged::new(
                format!("The {name} stays below about 1.275"),
                [most.value < 1.28 + 3.0 * most.error],
                format!(
                    "greatest {} at b = {}, d = {}",
                    number(most, 3),
                    shape.width,
                    shape.height
                ),
            ));
        }
    }
    if let Some(outcome) = at(2, 20) {
        let (ratio, root) = (ratio(outcome), root(outcome));
        judged.push(Judged::new(
            "r(2,20) is about 1.04",
            [(ratio.value - 1.04).abs() < 0.02],
            format!("r = {}; its 20th root is {}", number(ratio, 3), number(root, 4)),
        ));
    }
    let wide =
        outcomes.iter().filter(|outcome| outcome.shape.width >= 20 && outcome.shape.height >= 5);
    let wide: Vec<f64> = wide.map(|outcome| ratio(outcome).value).collect();
    judged.push(Judged::new(
        "On wide and deep random trees (b >= 20, d >= 5) SCOUT visits fewer leaves",
        wide.iter().map(|&ratio| ratio < 1.0),
        wide.iter().map(|ratio| format!("{ratio:.3}")).collect::<Vec<_>>().join(", "),
    ));
    judged
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
        &[
            ("Width b", &|outcome| outcome.shape.width.into()),
            ("Depth d", &|outcome| outcome.shape.height.into()),
            ("Trees", &|outcome| outcome.shape.trees.into()),
            ("Alpha-beta leaves", &|outcome| Cell::Number(outcome.mean_leaves(0), 0)),
            ("NegaScout leaves", &|outcome| Cell::Number(outcome.mean_leaves(1), 0)),
            ("Gain %", &|outcome| Cell::Estimate(gain(outcome).value, gain(outcome).error, 1)),
        ],
    );
    let chart = Chart {
        title: "Leaves that NegaScout saves against alpha-beta".to_owned(),
        subtitle: format!(
            "Uniform trees, continuous random leaves, seed {seed}; depth < 3 rule, against F3, \
             cut at >="
        ),
        x: Axis::whole("width b"),
        y: Axis::linear("leaves saved, %"),
        marks: lines(outcomes, ("d", |shape| shape.height), |shape| shape.width, gain),
        levels: vec![(10.0, "10 to 20 % claimed".to_owned()), (20.0, String::new())],
    };
    let caption = "The gain grows with the width of the tree.".to_owned();
    let words = Words {
        title: "NegaScout against alpha-beta on random trees: Reinefeld's gain",
        summary: "Reinefeld, ICCA Journal 6(4), 1983, claims that NegaScout saves 10 to 20 % of \
                  alpha-beta's leaves on wide random trees.",
        heading: "Gains",
    };
    let pictures = vec![Picture { name: "gain".to_owned(), chart, caption }];
    page(words, table, pictures, &reinefeld_verdicts(outcomes))
}

fn reinefeld_verdicts(outcomes: &[Outcome]) -> Vec<Judged> {
    let mut heights: Vec<u16> = outcomes.iter().map(|outcome| outcome.shape.height).collect();
    heights.sort_unstable();
    heights.dedup();
    let judge = |height: u16| {
        let own = outcomes.iter().filter(|outcome| outcome.shape.height == height);
        let gains: Vec<(u16, Estimate)> =
            own.map(|outcome| (outcome.shape.width, gain(outcome))).collect();
        let claimed =
            |gain: Estimate| (10.0 - gain.error..=20.0 + gain.error).contains(&gain.value);
        let evidence =
            gains.iter().map(|(width, gain)| format!("b = {width}: {} %", number(*gain, 1)));
        Judged::new(
            format!("NegaScout gains 10 to 20 % at depth {height}"),
            gains.iter().map(|&(_, gain)| claimed(gain)),
            evidence.collect::<Vec<_>>().join(", "),
        )
    };
    heights.into_iter().map(judge).collect()
}

/// Minimal trees. `names` are the methods' names, alpha-beta's first.
pub(crate) fn minimal(outcomes: &[Outcome], names: &[String], seed: u64) -> Findings {
    let runs: Vec<_> = outcomes
        .iter()
        .flat_map(|Outcome { shape, counts }| {
            let cost = minimal_cost(shape.width.into(), shape.height.into());
            let runs = names.iter().zip(counts.iter().flatten());
            runs.map(move |(name, counts)| (shape, name, *counts, cost))
        })
        .collect();
    let table = Table::of(
        &format!(
            "Uniform trees, best child first, seed {seed}; full window, cut at >=; repeats counted"
        ),
        &runs,
        &[
            ("Width b", &|(shape, ..)| shape.width.into()),
            ("Height l", &|(shape, ..)| shape.height.into()),
            ("Algorithm", &|(_, name, ..)| name.as_str().into()),
            ("Leaves", &|(_, _, counts, _)| counts.leaves.into()),
            ("By formula", &|(.., cost)| cost.leaves.into()),
            ("Nodes", &|(_, _, counts, _)| counts.nodes().into()),
            ("H2", &|(.., cost)| cost.nodes.into()),
            ("Old H2", &|(.., cost)| cost.old_nodes.into()),
        ],
    );
    let claim = |claim: &str, tests: Vec<bool>| {
        let exact = tests.iter().filter(|&&exact| exact).count();
        let evidence = format!("exact in {exact} of {} rows", tests.len());
        Judged::new(claim, tests, evidence)
    };
    let runs = runs.iter();
    let judged = [
        claim(
            "Leaves are b^ceil(l/2) + b^floor(l/2) - 1 (Knuth and Moore)",
            runs.clone().map(|(_, _, counts, cost)| counts.leaves == cost.leaves).collect(),
        ),
        claim(
            "Nodes are H2 = 2 H1 + b^(l/2) - (l + 2), H1 = 2 (b^(l/2+1) - 1)/(b - 1) - b^(l/2)",
            runs.clone().map(|(_, _, counts, cost)| counts.nodes() == cost.nodes).collect(),
        ),
        claim(
            "Nodes are the older H2, less by b^(l/2-1)",
            runs.map(|(_, _, counts, cost)| counts.nodes() == cost.old_nodes).collect(),
        ),
    ];
    let words = Words {
        title: "Minimal trees",
        summary: "With the best child first alpha-beta, SCOUT, NegaScout and PVS all visit the \
                  minimal tree and nothing else, each leaf once.",
        heading: "Counts",
    };
    let mut findings = page(words, table, Vec::new(), &judged);
    // Here the verdicts are short and the counts are long.
    findings.sections.reverse();
    findings
}
