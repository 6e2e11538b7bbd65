//! The replay of Noe's comparison: the answer, tables and charts.

use super::brief::Brief;
use super::curves::Curves;
use super::searches::{cost, cost_per_visit, estimate, leaves_saved};
use super::verdicts::{JudgedClaim, Verdicts};
use crate::experiment::claim::Claim;
use crate::experiment::condition::Condition;
use crate::experiment::judge::Verdict;
use crate::experiment::measure::{Measurements, distinct};
use crate::{Algorithm, Method};
use kalah_tables::{Axis, Bars, Cell, Chart, Marks, Section, Table};
use kalah_text::format::{counted, signed};

/// The answer to the main question, and SCOUT's savings depth by depth.
pub(super) fn brief(verdicts: &Verdicts, comparison: &Measurements) -> Brief {
    let mut baselines = comparison.methods();
    baselines.retain(|method| method.to_string().starts_with('f') && !method.table);
    let own = Method::from(Algorithm::Scout);
    let mut curves = Curves { searched: comparison, own, baselines, figure: leaves_saved };
    let caption = "Leaves saved by SCOUT, percent ± standard error, by depth d; repeats counted";
    let table = curves.table(caption, |saved| estimate(saved, 0));
    let headline = headline(verdicts, comparison, &table);
    curves.baselines.truncate(2);
    let by_depth = Section {
        text: "F3 is alpha-beta with deep cutoffs, F1 without them. Baselines and orders are \
               explained in doc/compare.md."
            .to_owned(),
        pictures: curves.charts(false, by_depth_chart),
        ..Section::with_table("SCOUT against alpha-beta, depth by depth", table)
    };
    Brief {
        answer: answer(verdicts),
        headline,
        pictures: main_chart(verdicts).into_iter().collect(),
        more: vec![by_depth, Section::with_table("Cost per visit", cost_per_visit(comparison))],
    }
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
fn headline(verdicts: &Verdicts, comparison: &Measurements, by_depth: &Table) -> Table {
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
    // Without a verdict to begin with, what was measured.
    if !table.is_empty() {
        table
    } else if by_depth.is_empty() {
        cost_per_visit(comparison)
    } else {
        by_depth.clone()
    }
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

fn by_depth_chart(condition: &Condition, baseline: Method, nth: usize) -> Chart {
    let words = condition.words();
    Chart {
        name: format!("saving-{baseline}-{}", nth + 1),
        title: format!("Leaves saved by SCOUT against {}", baseline.to_string().to_uppercase()),
        subtitle: format!("Kalah {words} and other orders, seed {}", condition.seed),
        x: Axis::whole("depth, moves"),
        y: Axis::linear("leaves saved, %"),
        levels: vec![(0.0, String::new()), (40.0, "40 %, claimed for time".into())],
        caption: "A line for each order of moves. Below 0, SCOUT costs more. Bars are standard \
                  errors."
            .to_owned(),
        ..Chart::default()
    }
}
