//! The replay of Noe's comparison: the answer, tables and charts.

use super::measured::{MeasuredFindings, estimate};
use super::searches::{cost, cost_per_visit, rows, sections};
use super::verdicts::{JudgedClaim, Verdicts};
use crate::SearchCounts;
use crate::experiment::claim::Claim;
use crate::experiment::condition::Condition;
use crate::experiment::judge::Verdict;
use crate::experiment::measure::{Measurements, distinct};
use crate::experiment::plan::Results;
use crate::{Algorithm, Method};
use kalah_tables::{Axis, Bars, Cell, Chart, Findings, Marks, Section, Series, Table};
use kalah_text::format::{counted, signed};

/// The findings of the replay.
pub fn noe(results: &Results) -> Findings {
    let verdicts = Verdicts::new(results.judged());
    let none = Measurements::default();
    let comparison = match results.parts.first() {
        Some(part) => &part.measurements,
        None => &none,
    };
    let by_depth = Section {
        text: "F3 is alpha-beta with deep cutoffs, F1 without them. Baselines and orders are \
               explained in doc/compare.md."
            .to_owned(),
        pictures: by_depth_drawn(comparison),
        ..Section::with_table("SCOUT against alpha-beta, depth by depth", by_depth(comparison))
    };
    let costs = Section::with_table("Cost per visit", cost_per_visit(comparison));
    let findings = MeasuredFindings {
        title: "SCOUT and alpha-beta on Kalah: Noe's comparison of 1980, replayed",
        summary: "Noe's report was not found, so the boards, the evaluations, the orders of moves \
                  and the forms of alpha-beta are this project's choice. Unless a condition says \
                  otherwise, a whole turn of several sowings is one move, values are differences \
                  of the stores, and seeds are captured with those opposite. “ply” makes each \
                  sowing a move, and “free” lets sowings that earn an extra turn cost no depth: for \
                  F1, F2 and F3 the tree of whole turns, for SCOUT and PVS a different one, \
                  because they compare the turns after an extra one with one another first. \
                  “far” and “near” search the pit farthest from or nearest to the store first, \
                  “static” the move with the best evaluation. Alpha-beta cuts off as soon as the \
                  value reaches the bound (>=), except for F2 (>), which waits until the value is \
                  above it. Every visit to a leaf counts.",
        answer: answer(&verdicts),
        headline: headline(&verdicts, comparison),
        pictures: main_chart(&verdicts).into_iter().collect(),
        measured: [by_depth, costs].into_iter().chain(sections(&results.parts)).collect(),
        rows: rows(results),
    };
    findings.judged(&verdicts)
}

/// The claim about time, and the same in leaves, for each form of alpha-beta.
fn by_baseline(
    verdicts: &Verdicts,
) -> impl Iterator<Item = (Option<&JudgedClaim>, Option<&JudgedClaim>)> {
    let labels = distinct(verdicts.headline().map(|judged| judged.claim.headline));
    labels.into_iter().map(|label| {
        let mut own = verdicts.headline().filter(move |judged| judged.claim.headline == label);
        let time = own.clone().find(|judged| judged.is_time());
        (time, own.find(|judged| !judged.is_time()))
    })
}

/// The answer to the main question in three sentences; empty if nothing was timed.
fn answer(verdicts: &Verdicts) -> String {
    let mut times = Vec::new();
    let mut leaves = Vec::new();
    let mut conditions = 0;
    for (time, own) in by_baseline(verdicts) {
        if let Some(time) = time {
            conditions = conditions.max(time.conditions());
            times.push(counted_in_words(time));
        }
        leaves.extend(own.map(counted_in_words));
    }
    if times.is_empty() || leaves.is_empty() {
        return String::new();
    }
    format!(
        "Hsu's slides, which cite Noe, say of SCOUT on Kalah: “On depth = 5, it saves over 40% of \
         time”; this is tested under up to {}. In processor time, it holds {}{}. In leaves, it holds \
         {}.",
        counted(conditions as u64, "condition"),
        times.join("; "),
        slower(verdicts),
        leaves.join("; ")
    )
}

/// In how many conditions SCOUT takes more time than F3, by more than the error.
fn slower(verdicts: &Verdicts) -> String {
    match verdicts.find("slower-f3") {
        Some(judged) => format!("; SCOUT takes more time than F3 {}", holds_in(judged)),
        None => String::new(),
    }
}

fn counted_in_words(judged: &JudgedClaim) -> String {
    format!("{} against {}", holds_in(judged), judged.claim.headline)
}

/// In how many of its conditions a claim holds: `in 3 of 44 (2 open)`.
fn holds_in(judged: &JudgedClaim) -> String {
    let all = judged.conditions();
    match judged.count(Verdict::Open) {
        0 => format!("in {} of {all}", judged.holds()),
        open => format!("in {} of {all} ({open} open)", judged.holds()),
    }
}

/// The verdicts on the main claim: a row for each form of alpha-beta.
fn headline(verdicts: &Verdicts, comparison: &Measurements) -> Table {
    let caption = "Percent that SCOUT saves at depth 5: the median condition, the lowest and the \
                   highest, in how many conditions it is over 40; and nanoseconds per visited node, \
                   of the other program and of SCOUT";
    let headings =
        ["Against", "Leaves", "Range", "Over 40", "Time", "Range ", "Over 40 ", "ns each"];
    let mut table = Table::new(caption, &headings);
    for (time, leaves) in by_baseline(verdicts) {
        let Some(claim) = time.or(leaves).map(|judged| judged.claim) else { continue };
        let mut row = vec![Cell::from(claim.headline)];
        for judged in [leaves, time] {
            match judged {
                Some(judged) => row.extend([
                    signed(judged.median(), 0).into(),
                    judged.spread().trim_end_matches(" %").into(),
                    format!("{} of {}", judged.holds(), judged.conditions()).into(),
                ]),
                None => row.extend([Cell::Empty, Cell::Empty, Cell::Empty]),
            }
        }
        row.push(costs_of(claim, comparison).into());
        table.push(row);
    }
    if table.is_empty() { costs_in_brief(comparison) } else { table }
}

/// Nanoseconds per visited node of the baseline and of SCOUT: `67/70`.
fn costs_of(claim: &Claim, comparison: &Measurements) -> Option<String> {
    let pair = claim.pairs.first()?;
    let own = pair.own.method;
    let other = pair.baseline?.method;
    let [others_cost, ..] = cost(comparison, other, own)?;
    let [own_cost, ..] = cost(comparison, own, other)?;
    Some(format!("{others_cost:.0}/{own_cost:.0}"))
}

/// The cost per visit, if there is no verdict to begin with.
fn costs_in_brief(comparison: &Measurements) -> Table {
    let table = by_depth(comparison);
    if table.is_empty() { cost_per_visit(comparison) } else { table }
}

/// What SCOUT saves at the depth of Noe's claim in the median condition, in leaves and in time,
/// against each form of alpha-beta: the chart of the README.
fn main_chart(verdicts: &Verdicts) -> Option<Chart> {
    let mut names = Vec::new();
    let mut leaves_saved = Vec::new();
    let mut time_saved = Vec::new();
    let mut conditions = 0;
    for (time, leaves) in by_baseline(verdicts) {
        let time = time?;
        let leaves = leaves?;
        conditions = conditions.max(time.conditions());
        names.push(match time.claim.headline {
            "F3" => "full alpha-beta (F3)".to_owned(),
            "F1" => "no deep cutoffs (F1)".to_owned(),
            "F2 (>)" => "cutoffs only above the bound (F2)".to_owned(),
            other => format!("no bound after extra turns ({other})"),
        });
        leaves_saved.push((leaves.median(), 0.0));
        time_saved.push((time.median(), 0.0));
    }
    if names.is_empty() {
        return None;
    }
    let leaves_bars = Bars { name: "leaves".to_owned(), lengths: leaves_saved };
    let time_bars = Bars { name: "time".to_owned(), lengths: time_saved };
    Some(Chart {
        name: "saving".to_owned(),
        title: "What SCOUT saves on Kalah at depth 5".to_owned(),
        subtitle: format!("The median of up to {conditions} conditions, against four programs"),
        x: Axis::linear("saved, %"),
        marks: Marks::Bars(names, vec![leaves_bars, time_bars]),
        levels: vec![(40.0, "over 40 %, claimed".to_owned())],
        caption: "Below 0, SCOUT costs more than the other program.".to_owned(),
        ..Chart::default()
    })
}

/// The forms of alpha-beta with which SCOUT was compared under the headline's claims.
fn baselines(measurements: &Measurements) -> Vec<Method> {
    let mut methods = measurements.methods();
    methods.retain(|method| method.to_string().starts_with('f') && !method.table);
    methods
}

/// The percentage of leaves that SCOUT saves against a baseline.
fn saving(
    measurements: &Measurements,
    condition: &Condition,
    depth: u16,
    baseline: Method,
) -> Option<kalah_tables::statistics::Estimate> {
    let leaves = |counts: &SearchCounts| counts.leaves;
    let scout = measurements.find(condition, depth, Algorithm::Scout.into())?;
    let baseline = measurements.find(condition, depth, baseline)?;
    Some(scout.mean(leaves).saved(&baseline.mean(leaves)).estimate())
}

/// SCOUT's savings of leaves, depth by depth, against all baselines.
fn by_depth(measurements: &Measurements) -> Table {
    let depths = measurements.depths();
    let caption = "Leaves saved by SCOUT, percent ± standard error, by depth d; repeats counted";
    let mut table = Table::new(caption, &["Condition", "Against"])
        .with_columns(depths.iter().map(|depth| format!("d = {depth}")));
    for condition in measurements.conditions() {
        for baseline in baselines(measurements) {
            let mut row = vec![condition.words().into(), baseline.to_string().into()];
            for &depth in &depths {
                let saved = saving(measurements, &condition, depth, baseline);
                row.push(saved.map(|saved| estimate(saved, 0)).into());
            }
            if row[2..].iter().any(|cell| *cell != Cell::Empty) {
                table.push(row);
            }
        }
    }
    table.grouped(1)
}

/// The leaves that SCOUT saves by depth: a chart for each condition but the order, and for F3 and
/// F1, with a line for each order.
fn by_depth_drawn(measurements: &Measurements) -> Vec<Chart> {
    let depths = measurements.depths();
    let mut charts: Vec<Chart> = Vec::new();
    let mut drawn: Vec<Condition> = Vec::new();
    for condition in measurements.conditions() {
        if drawn.iter().any(|other| other.is_like(&condition)) {
            continue;
        }
        drawn.push(condition.clone());
        let mut alike = measurements.conditions();
        alike.retain(|own| own.is_like(&condition));
        for baseline in baselines(measurements).into_iter().take(2) {
            let mut lines = Vec::new();
            for own in &alike {
                let points = depths.iter().filter_map(|&depth| {
                    let saved = saving(measurements, own, depth, baseline)?;
                    Some((f64::from(depth), saved.value, saved.error))
                });
                lines.push(Series { name: own.order().to_owned(), points: points.collect() });
            }
            lines.retain(|line| line.points.len() > 1);
            if !lines.is_empty() {
                charts.push(by_depth_chart(&condition, baseline, lines, charts.len()));
            }
        }
    }
    charts
}

fn by_depth_chart(
    condition: &Condition,
    baseline: Method,
    lines: Vec<Series>,
    nth: usize,
) -> Chart {
    let words = condition.words();
    Chart {
        name: format!("saving-{baseline}-{}", nth + 1),
        title: format!("Leaves saved by SCOUT against {}", baseline.to_string().to_uppercase()),
        subtitle: format!("Kalah {words} and other orders, seed {}", condition.seed),
        x: Axis::whole("depth, moves"),
        y: Axis::linear("leaves saved, %"),
        marks: Marks::Lines(lines),
        levels: vec![(0.0, String::new()), (40.0, "40 %, claimed for time".into())],
        caption: "A line for each order of moves. Below 0, SCOUT costs more. Bars are standard \
                  errors."
            .to_owned(),
    }
}
