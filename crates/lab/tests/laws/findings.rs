//! What a comparison reports follows from what it has counted.

use std::collections::HashMap;

use kalah_game::Rules;
use kalah_lab::experiment::claim::{Comparison, Measure, RECORDS};
use kalah_lab::experiment::condition::{Condition, KalahTrees};
use kalah_lab::experiment::ensemble::Ensemble;
use kalah_lab::experiment::measure::ComparisonPlan;
use kalah_lab::experiment::pair::Side;
use kalah_lab::experiment::plan::{Plan, methods};
use kalah_lab::{ChildOrder, ExtraTurns, findings};
use kalah_tables::{Findings, Marks, Style, Table};

use super::experiments::fields;

/// The mean counts of a row for programs, of a position or a tree.
struct Row {
    condition: String,
    width: f64,
    depth: i32,
    method: String,
    leaves: f64,
    nodes: f64,
    wrong: f64,
}

/// The lines of a table by their columns.
fn lines(table: &Table) -> Vec<HashMap<String, String>> {
    let text = table.to_text(Style::Csv);
    let mut lines = text.lines().map(fields);
    let head = lines.next().expect("a heading");
    lines.map(|line| head.iter().cloned().zip(line).collect()).collect()
}

fn rows(findings: &Findings) -> Vec<Row> {
    let rows = lines(&findings.rows).into_iter().map(|line| {
        let number = |name: &str| line[name].parse::<f64>().unwrap_or(f64::NAN);
        let order = &line["order"];
        let condition = match (line["pits"].as_str(), order.as_str()) {
            ("", "continuous") => format!("b = {}", line["width"]),
            ("", _) => format!("b = {} {order}", line["width"]),
            (pits, _) => format!("({pits},{}) {order}", line["seeds"]),
        };
        Row {
            condition,
            width: number("width"),
            depth: line["depth"].parse().expect("a depth"),
            method: line["algorithm"].clone(),
            leaves: number("leaves") / number("positions"),
            nodes: (number("leaves") + number("interior")) / number("positions"),
            wrong: number("wrong_values") / number("positions"),
        }
    });
    rows.collect()
}

/// The figure with this name of two rows, computed from their means; none if it needs more.
fn figure(name: &str, own: &Row, other: Option<&Row>) -> Option<f64> {
    let saved = |own: f64, other: f64| 100.0 * (1.0 - own / other);
    // Knuth and Moore, "An analysis of alpha-beta pruning", 1975.
    let minimal = own.width.powi((own.depth + 1) / 2) + own.width.powi(own.depth / 2) - 1.0;
    Some(match name {
        "leaves saved" => saved(own.leaves, other?.leaves),
        "nodes saved" => saved(own.nodes, other?.nodes),
        "leaves, ratio" => own.leaves / other?.leaves,
        "nodes, ratio" => own.nodes / other?.nodes,
        "nodes, ratio to twice" => own.nodes / other?.nodes / 2.0,
        "nodes, d-th root of ratio" => (own.nodes / other?.nodes).powf(1.0 / f64::from(own.depth)),
        "wrong values" => 100.0 * own.wrong,
        "leaves beyond the minimal tree" => own.leaves - minimal,
        "leaves beyond b^d" => own.leaves - own.width.powi(own.depth),
        _ => return None,
    })
}

/// Whether a rule such as `above 40` or `10 to 20` is true of a figure.
fn is_true(rule: &str, figure: f64) -> bool {
    let number = |text: &str| text.parse::<f64>().expect("a number");
    match rule.rsplit_once(' ').expect("words") {
        ("above", end) => figure > number(end),
        ("at least", end) => figure >= number(end),
        ("below", end) => figure < number(end),
        ("at most", end) => figure <= number(end),
        ("exactly", end) => figure == number(end),
        (range, end) => {
            let start = range.strip_suffix(" to").expect("a range");
            number(start) <= figure && figure <= number(end)
        }
    }
}

/// Checks every verdict against the rows; returns the number of figures that were computed again.
fn check(findings: &Findings) -> usize {
    let rows = rows(findings);
    let find = |condition: &str, depth: i32, side: &Side| {
        let board: Vec<&str> = condition.split(' ').collect();
        let board = if board[0] == "b" { board[..3].join(" ") } else { board[0].to_owned() };
        let condition = match side.order {
            Some("continuous") => board,
            Some(order) => format!("{board} {order}"),
            None => condition.to_owned(),
        };
        let method = side.method.to_string();
        rows.iter()
            .find(|row| row.condition == condition && row.depth == depth && row.method == method)
    };
    let mut checked = 0;
    for line in lines(&findings.verdicts) {
        let number = |name: &str| line[name].parse::<f64>().expect(name);
        let claim = RECORDS.claims.iter().find(|claim| claim.id == line["id"]).expect("a record");
        assert_eq!(line["measured"], claim.figure);
        // The bounds of shares are rounded.
        let low = number("low") - 1e-9;
        let high = number("high") + 1e-9;
        assert!((low..=high).contains(&number("figure")), "{line:?}");
        match line["verdict"].as_str() {
            "holds" => assert!(is_true(&line["rule"], number("figure")), "{line:?}"),
            "fails" => assert!(!is_true(&line["rule"], number("figure")), "{line:?}"),
            _ => {}
        }
        let Measure::Search(measure) = claim.measure else { continue };
        let Some((condition, rest)) = line["condition"].split_once(", d ") else { continue };
        let (depth, words) = rest.split_once(", ").unwrap_or((rest, ""));
        let depth = depth.parse().expect("a depth");
        let pair = claim.pairs.iter().find(|pair| {
            let named = match pair.baseline {
                Some(baseline) => format!("{} against {}", pair.own.method, baseline.method),
                None => pair.own.method.to_string(),
            };
            words.is_empty() || words == named
        });
        let pair = pair.expect("a pair");
        let own = find(condition, depth, &pair.own).expect("a row");
        let other = pair.baseline.and_then(|side| find(condition, depth, &side));
        let Some(expected) = figure(measure.name, own, other) else { continue };
        let found = number("figure");
        assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{expected}: {line:?}");
        checked += 1;
    }
    checked
}

#[test]
fn every_figure_of_kalah_follows_from_the_rows_and_every_line_of_the_charts_too() {
    let kalah = KalahTrees { ensemble: Ensemble::Positions(4), ..KalahTrees::default() };
    let orders = [ChildOrder::Far, ChildOrder::Near, ChildOrder::Static];
    let trees = kalah.varied(&[Rules::default()], &[ExtraTurns::Compound], &orders).into_iter();
    let plan = ComparisonPlan {
        conditions: trees.map(|trees| Condition { trees, seed: 1 }).collect(),
        depths: vec![1, 2, 3, 4, 5],
        methods: methods("f3,f2,f1,scout").unwrap(),
        timed_runs: 0,
    };
    let findings = findings::noe(&Plan::chosen(Comparison::Noe, 1, plan).run(2, &|| ()));
    assert!(check(&findings) >= 9);
    let rows = rows(&findings);
    let mut points = 0;
    assert!(findings.sections.iter().all(|section| !section.heading.is_empty()));
    for section in findings.sections.iter().filter(|section| section.heading.contains("by depth")) {
        for chart in &section.pictures {
            assert!(!chart.title.is_empty());
            let Marks::Lines(series) = &chart.marks else { continue };
            for (depth, saved, _) in series.iter().flat_map(|line| &line.points) {
                let same_depth = rows.iter().filter(|row| f64::from(row.depth) == *depth);
                let is_counted = same_depth.clone().any(|own| {
                    same_depth.clone().any(|other| {
                        let is_same = own.condition == other.condition;
                        is_same && (100.0 * (1.0 - own.leaves / other.leaves) - saved).abs() < 1e-9
                    })
                });
                assert!(is_counted, "{}: {depth}, {saved}", chart.title);
                points += 1;
            }
        }
    }
    assert!(points >= 15, "{points}");
}

#[test]
fn every_figure_of_uniform_trees_follows_from_the_rows() {
    for (comparison, trees) in [(Comparison::Pearl, Some(10)), (Comparison::Minimal, None)] {
        let plan =
            Plan::of(comparison, 1, None).with_shapes(Some(&[2, 3, 4]), Some(&[2, 4]), trees);
        let checked = check(&findings::uniform(&plan.run(2, &|| ())));
        assert!(checked >= 6, "{checked}");
    }
}
