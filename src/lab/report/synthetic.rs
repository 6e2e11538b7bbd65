//! The findings on synthetic trees.

use crate::lab::experiment::statistics::Estimate;
use crate::lab::experiment::uniform::{Outcome, minimal_cost};
use crate::report::{Axis, LineChart, Series};
use crate::report::{Cell, Table};
use crate::report::{Findings, Picture, Section};
use crate::report::{Judged, Verdict, verdicts};

/// The d-th root of a ratio of leaves, with its error.
fn root(ratio: Estimate, height: u16) -> Estimate {
    let value = ratio.value.powf(1.0 / f64::from(height));
    Estimate { value, error: value * ratio.error / ratio.value / f64::from(height) }
}

fn number(estimate: Estimate, decimals: usize) -> String {
    format!("{:.decimals$} ± {:.decimals$}", estimate.value, estimate.error)
}

fn at(outcomes: &[Outcome], width: u16, height: u16) -> Option<&Outcome> {
    outcomes.iter().find(|found| found.shape.width == width && found.shape.height == height)
}

/// Pearl's ratio r(b,d). Method 0 is alpha-beta, method 1 SCOUT.
pub fn pearl(outcomes: &[Outcome], seed: u64) -> Findings {
    let headings = [
        "Width b",
        "Depth d",
        "Trees",
        "Alpha-beta leaves",
        "SCOUT leaves",
        "Ratio r",
        "Standard error",
        "d-th root of r",
    ];
    let mut table = Table::new(
        &format!(
            "Uniform trees with continuous random leaves, seed {seed}; alpha-beta F3 with a full \
             window, cut at >=; means over trees, repeats counted"
        ),
        &headings,
    );
    for outcome in outcomes {
        let ratio = outcome.ratio(1, 0);
        table.push(vec![
            outcome.shape.width.into(),
            outcome.shape.height.into(),
            outcome.shape.trees.into(),
            Cell::Number(outcome.mean_leaves(0), 1),
            Cell::Number(outcome.mean_leaves(1), 1),
            Cell::Number(ratio.value, 3),
            Cell::Number(ratio.error, 3),
            Cell::Number(root(ratio, outcome.shape.height).value, 4),
        ]);
    }
    let chart = |title: &str, label: &str, of: &dyn Fn(&Outcome) -> Estimate| {
        let mut widths: Vec<u16> = outcomes.iter().map(|outcome| outcome.shape.width).collect();
        widths.dedup();
        let line = |width: u16| {
            let own = outcomes.iter().filter(|outcome| outcome.shape.width == width);
            let (points, errors) = own
                .map(|outcome| {
                    let estimate = of(outcome);
                    ((f64::from(outcome.shape.height), estimate.value), estimate.error)
                })
                .unzip();
            Series { name: format!("b = {width}"), points, errors }
        };
        LineChart {
            title: title.to_owned(),
            subtitle: format!(
                "Uniform trees of width b, continuous random leaves, seed {seed}; against F3, cut at >="
            ),
            x: Axis::whole("depth d"),
            y: Axis::linear(label),
            series: widths.into_iter().map(line).take(7).collect(),
            levels: vec![(1.0, "as many as alpha-beta".to_owned())],
        }
        .to_svg()
    };
    let pictures = vec![
        Picture {
            name: "ratio".to_owned(),
            svg: chart("Leaves of SCOUT over leaves of alpha-beta", "ratio r(b, d)", &|outcome| {
                outcome.ratio(1, 0)
            }),
            caption: "Below 1 SCOUT visits fewer leaves. The ratio grows with depth on narrow \
                      trees."
                .to_owned(),
        },
        Picture {
            name: "root".to_owned(),
            svg: chart(
                "The same ratio, its d-th root: the factor for each move",
                "d-th root of r(b, d)",
                &|outcome| root(outcome.ratio(1, 0), outcome.shape.height),
            ),
            caption: "The d-th root of the ratio. The published bound fits this, not the ratio."
                .to_owned(),
        },
    ];
    Findings {
        title: "SCOUT against alpha-beta on random trees: Pearl's ratio".to_owned(),
        summary: "Pearl, Artificial Intelligence 14(2), 1980, compares the expected leaves of \
                  SCOUT and alpha-beta on uniform trees. Slides that cite him give a bound of \
                  1.275 and r(2,20) near 1.04: both fit the d-th root of the ratio."
            .to_owned(),
        sections: vec![
            Section {
                heading: "Ratios".to_owned(),
                tables: vec![table.clone()],
                pictures,
                ..Section::default()
            },
            Section {
                heading: "Verdicts".to_owned(),
                tables: vec![verdicts("", &pearl_verdicts(outcomes))],
                ..Section::default()
            },
        ],
        rows: table,
    }
}

fn pearl_verdicts(outcomes: &[Outcome]) -> Vec<Judged> {
    let mut judged = Vec::new();
    for (width, height, published, tolerance) in [
        (2, 1, 1.25, 0.01),
        (3, 1, 1.278, 0.01),
        (2, 10, 1.866, 0.06),
        (10, 6, 1.154, 0.04),
        (20, 5, 0.969, 0.03),
    ] {
        if let Some(outcome) = at(outcomes, width, height) {
            let ratio = outcome.ratio(1, 0);
            let near = (ratio.value - published).abs() <= tolerance + 3.0 * ratio.error;
            judged.push(Judged {
                claim: format!("r({width},{height}) = {published}"),
                verdict: Verdict::of([near]),
                evidence: number(ratio, 3),
            });
        }
    }
    let limits = |of: &dyn Fn(&Outcome) -> Estimate| {
        let values = outcomes.iter().map(|outcome| (of(outcome), &outcome.shape));
        values.max_by(|a, b| a.0.value.total_cmp(&b.0.value))
    };
    let bound = 1.28;
    for (name, most) in [
        ("ratio", limits(&|outcome| outcome.ratio(1, 0))),
        ("d-th root", limits(&|outcome| root(outcome.ratio(1, 0), outcome.shape.height))),
    ] {
        if let Some((most, shape)) = most {
            judged.push(Judged {
                claim: format!("The {name} stays below about 1.275"),
                verdict: Verdict::of([most.value < bound + 3.0 * most.error]),
                evidence: format!(
                    "greatest {} at b = {}, d = {}",
                    number(most, 3),
                    shape.width,
                    shape.height
                ),
            });
        }
    }
    if let Some(outcome) = at(outcomes, 2, 20) {
        let ratio = outcome.ratio(1, 0);
        let root = root(ratio, 20);
        judged.push(Judged {
            claim: "r(2,20) is about 1.04".to_owned(),
            verdict: Verdict::of([(ratio.value - 1.04).abs() < 0.02]),
            evidence: format!("r = {}; its 20th root is {}", number(ratio, 3), number(root, 4)),
        });
    }
    let wide =
        outcomes.iter().filter(|outcome| outcome.shape.width >= 20 && outcome.shape.height >= 5);
    let wide: Vec<f64> = wide.map(|outcome| outcome.ratio(1, 0).value).collect();
    judged.push(Judged {
        claim: "On wide and deep random trees (b >= 20, d >= 5) SCOUT visits fewer leaves"
            .to_owned(),
        verdict: Verdict::of(wide.iter().map(|&ratio| ratio < 1.0)),
        evidence: wide.iter().map(|ratio| format!("{ratio:.3}")).collect::<Vec<_>>().join(", "),
    });
    judged
}

/// Reinefeld's gain. Method 0 is alpha-beta, method 1 NegaScout with the
/// "depth < 3" rule.
pub fn reinefeld(outcomes: &[Outcome], seed: u64) -> Findings {
    let headings =
        ["Width b", "Depth d", "Trees", "Alpha-beta leaves", "NegaScout leaves", "Gain %"];
    let mut table = Table::new(
        &format!(
            "Uniform trees with continuous random leaves, seed {seed}; NegaScout F4 with the depth \
             < 3 rule against alpha-beta F3, full window, cut at >=; repeats counted"
        ),
        &headings,
    );
    for outcome in outcomes {
        let gain = outcome.saved(1, 0);
        table.push(vec![
            outcome.shape.width.into(),
            outcome.shape.height.into(),
            outcome.shape.trees.into(),
            Cell::Number(outcome.mean_leaves(0), 0),
            Cell::Number(outcome.mean_leaves(1), 0),
            Cell::Estimate(gain.value, gain.error, 1),
        ]);
    }
    let mut heights: Vec<u16> = outcomes.iter().map(|outcome| outcome.shape.height).collect();
    heights.sort_unstable();
    heights.dedup();
    let line = |&height: &u16| {
        let own = outcomes.iter().filter(|outcome| outcome.shape.height == height);
        let (points, errors) = own
            .map(|outcome| {
                let gain = outcome.saved(1, 0);
                ((f64::from(outcome.shape.width), gain.value), gain.error)
            })
            .unzip();
        Series { name: format!("d = {height}"), points, errors }
    };
    let chart = LineChart {
        title: "Leaves that NegaScout saves against alpha-beta".to_owned(),
        subtitle: format!(
            "Uniform trees, continuous random leaves, seed {seed}; depth < 3 rule, against F3, cut at >="
        ),
        x: Axis::whole("width b"),
        y: Axis::linear("leaves saved, %"),
        series: heights.iter().map(line).collect(),
        levels: vec![(10.0, "10 to 20 % claimed".to_owned()), (20.0, String::new())],
    };
    let judged: Vec<Judged> = heights
        .iter()
        .map(|&height| {
            let own: Vec<&Outcome> =
                outcomes.iter().filter(|outcome| outcome.shape.height == height).collect();
            let inside = own.iter().map(|outcome| {
                let gain = outcome.saved(1, 0);
                (10.0 - gain.error..=20.0 + gain.error).contains(&gain.value)
            });
            let told = own.iter().map(|outcome| {
                format!("b = {}: {} %", outcome.shape.width, number(outcome.saved(1, 0), 1))
            });
            Judged {
                claim: format!("NegaScout gains 10 to 20 % at depth {height}"),
                verdict: Verdict::of(inside),
                evidence: told.collect::<Vec<_>>().join(", "),
            }
        })
        .collect();
    Findings {
        title: "NegaScout against alpha-beta on random trees: Reinefeld's gain".to_owned(),
        summary: "Reinefeld, ICCA Journal 6(4), 1983, claims that NegaScout saves 10 to 20 % of \
                  alpha-beta's leaves on wide random trees."
            .to_owned(),
        sections: vec![
            Section {
                heading: "Gains".to_owned(),
                tables: vec![table.clone()],
                pictures: vec![Picture {
                    name: "gain".to_owned(),
                    svg: chart.to_svg(),
                    caption: "The gain grows with the width of the tree.".to_owned(),
                }],
                ..Section::default()
            },
            Section {
                heading: "Verdicts".to_owned(),
                tables: vec![verdicts("", &judged)],
                ..Section::default()
            },
        ],
        rows: table,
    }
}

/// Minimal trees. `names` are the methods' names, alpha-beta's first.
pub fn minimal(outcomes: &[Outcome], names: &[String], seed: u64) -> Findings {
    let headings =
        ["Width b", "Height l", "Algorithm", "Leaves", "By formula", "Nodes", "H2", "Old H2"];
    let mut table = Table::new(
        &format!(
            "Uniform trees, best child first, seed {seed}; full window, cut at >=; repeats counted"
        ),
        &headings,
    );
    let mut tests: Vec<[bool; 3]> = Vec::new();
    for outcome in outcomes {
        let (width, height) = (outcome.shape.width, outcome.shape.height);
        let cost = minimal_cost(width.into(), height.into());
        for (name, counts) in names.iter().zip(outcome.counts.iter().flatten()) {
            table.push(vec![
                width.into(),
                height.into(),
                name.as_str().into(),
                counts.leaves.into(),
                cost.leaves.into(),
                counts.nodes().into(),
                cost.nodes.into(),
                cost.old_nodes.into(),
            ]);
            let nodes = counts.nodes();
            tests.push([
                counts.leaves == cost.leaves,
                nodes == cost.nodes,
                nodes == cost.old_nodes,
            ]);
        }
    }
    let claim = |claim: &str, which: usize| Judged {
        claim: claim.to_owned(),
        verdict: Verdict::of(tests.iter().map(|test| test[which])),
        evidence: format!(
            "exact in {} of {} rows",
            tests.iter().filter(|test| test[which]).count(),
            tests.len()
        ),
    };
    let judged = [
        claim("Leaves are b^ceil(l/2) + b^floor(l/2) - 1 (Knuth and Moore)", 0),
        claim(
            "Nodes are H2 = 2 H1 + b^(l/2) - (l + 2), H1 = 2 (b^(l/2+1) - 1)/(b - 1) - b^(l/2)",
            1,
        ),
        claim("Nodes are the older H2, less by b^(l/2-1)", 2),
    ];
    Findings {
        title: "Minimal trees".to_owned(),
        summary: "With the best child first alpha-beta, SCOUT, NegaScout and PVS all visit the \
                  minimal tree and nothing else, each leaf once."
            .to_owned(),
        sections: vec![
            Section {
                heading: "Verdicts".to_owned(),
                tables: vec![verdicts("", &judged)],
                ..Section::default()
            },
            Section {
                heading: "Counts".to_owned(),
                tables: vec![table.clone()],
                ..Section::default()
            },
        ],
        rows: table,
    }
}
