//! The reports, frozen as text: wording, layout and charts. Their numbers are computed a second
//! time in `findings.rs`.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use kalah_lab::experiment::claim::Comparison;
use kalah_lab::experiment::plan::{Plan, methods};
use kalah_lab::findings::trace::Trace;
use kalah_lab::{ListTree, MinimaxSide, findings};
use kalah_tables::{Chart, Findings, Marks, Style, Table};

use super::experiments::fields;
use super::findings::{NOE, uniform};

/// Rows that are shown of each table.
const ROWS: usize = 3;

/// The first rows of a table, in columns that are separated by bars.
fn table(table: &Table) -> String {
    let rows = table.to_text(Style::Csv);
    let shown = rows.lines().take(1 + ROWS).map(|row| fields(row).join(" | ") + "\n");
    format!(
        "{}: {} rows\n{}",
        table.to_text(Style::Aligned).lines().next().unwrap(),
        table.len(),
        shown.collect::<String>()
    )
}

/// Of each claim, the number of cases, the verdicts, the figures of all cases and those of the first.
fn claims(verdicts: &Table) -> String {
    let rows = verdicts.to_text(Style::Csv);
    let rows: Vec<Vec<String>> = rows.lines().skip(1).map(fields).collect();
    let mut shown = String::new();
    for cases in rows.chunk_by(|a, b| a[0] == b[0]) {
        let first = [&cases[0][..1], &cases[0][4..]].concat().join(" | ");
        let mut verdicts: Vec<&str> = cases.iter().map(|case| case[14].as_str()).collect();
        verdicts.sort_unstable();
        let counts =
            verdicts.chunk_by(|a, b| a == b).map(|own| format!("{} {}", own.len(), own[0]));
        writeln!(shown, "{first}; {}", counts.collect::<Vec<_>>().join(", ")).unwrap();
    }
    shown
}

fn chart(chart: &Chart) -> String {
    let Chart { name, title, subtitle, x, y, marks, levels, caption } = chart;
    let mut shown = format!("{name}: {title}\n{subtitle}\n{x:?} {y:?} {levels:?}\n");
    let point = |(x, y, error): &(f64, f64, f64)| format!(" {x}:{y:.2}±{error:.2}");
    match marks {
        Marks::Lines(lines) => {
            for line in lines {
                let points: String = line.points.iter().map(point).collect();
                writeln!(shown, "{}{points}", line.name).unwrap();
            }
        }
        other => writeln!(shown, "{other:.2?}").unwrap(),
    }
    shown + caption + "\n"
}

fn report(findings: &Findings) -> String {
    let mut shown =
        format!("# {}\n{}\n\n{}\n", findings.title, findings.summary, findings.to_brief());
    for section in &findings.sections {
        writeln!(shown, "## {}\n{}", section.heading, section.text).unwrap();
        section.tables.iter().for_each(|own| shown += &table(own));
        section.pictures.iter().for_each(|own| shown += &chart(own));
    }
    shown
        + "## Verdicts, for programs\n"
        + &claims(&findings.verdicts)
        + "## Rows\n"
        + &table(findings.results())
}

/// Compares `report` with the expected text. If they differ, `report` is written to a file, so that an
/// intended change can be copied from there.
#[track_caller]
fn assert_frozen(name: &str, report: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/laws/reports");
    let frozen = fs::read_to_string(folder.join(name)).unwrap_or_default();
    if frozen != report {
        let changed = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::write(&changed, report).unwrap();
        let line = frozen.lines().zip(report.lines()).take_while(|(old, new)| old == new).count();
        let old = frozen.lines().nth(line);
        let new = report.lines().nth(line);
        panic!("{name}, line {}: {old:?} is now {new:?}; see {}", line + 1, changed.display());
    }
}

#[test]
#[ignore = "slow: .ci/run"]
fn comparisons_are_reported_as_frozen() {
    assert_frozen("noe.txt", &report(&findings::report(&NOE)));
    for comparison in [Comparison::Pearl, Comparison::Reinefeld, Comparison::Minimal] {
        let findings = findings::report(&uniform(comparison));
        // One claim is about the time that keys take in this run.
        let report = report(&findings);
        let lines = report.lines().filter(|line| {
            !line.starts_with("Shorter keys are faster ") && !line.starts_with("shorter-keys ")
        });
        let report: String = lines.map(|line| line.to_owned() + "\n").collect();
        assert_frozen(&format!("{comparison}.txt"), &report);
    }
}

#[test]
fn matches_are_reported_as_frozen() {
    let results = Plan::of(Comparison::Games, 1, None).run(2, &|| ());
    assert_frozen("games.txt", &report(&findings::report(&results)));
}

#[test]
fn searched_trees_are_drawn_as_frozen() {
    let mut shown = String::new();
    for (text, first) in
        [("hsu-more", MinimaxSide::Max), ("[[4,6],[[5,9],[5,1]],3]", MinimaxSide::Min)]
    {
        let mut tree: ListTree = text.parse().unwrap();
        tree.first = first;
        let methods = methods("minimax,f3,scout,negascout+id,test>5").unwrap().into_iter();
        let traces: Vec<_> =
            methods.map(|method| Trace::new(method, &tree, None).unwrap()).collect();
        shown += &findings::trace::counts(&traces).to_text(Style::Aligned);
        shown += &findings::trace::outline(&tree, &traces).to_text(Style::Aligned);
    }
    assert_frozen("trees.txt", &shown);
}
