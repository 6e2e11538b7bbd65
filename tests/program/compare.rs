//! `kalah compare` from a user's point of view.

use crate::folder::{Folder, Ran};

/// The output of a comparison, which must succeed.
fn compared(line: &str) -> String {
    Folder::new().shown(&format!("compare {line}"))
}

#[track_caller]
fn refused(line: &str, words: &str) {
    let ran = Folder::new().run(&format!("compare {line}"));
    assert_eq!(ran.code, Some(2), "{line}: {}", ran.errors);
    assert!(ran.errors.contains(words), "{line}: {}", ran.errors);
    assert!(ran.shown.is_empty(), "nothing is printed before an error");
}

#[test]
fn arguments_that_make_no_sense_are_refused_before_any_work() {
    refused("noe --depths 0", "'--depths <DEPTHS>': expected numbers from 1 to 200");
    refused("noe --orders best", "expected order 'far', 'near', 'random' or 'static', got 'best'");
    refused("noe --algorithms chess", "got 'chess'");
    refused("noe --algorithms scout+asp", "expected '+tt' or '+id' after scout");
    refused(
        "noe --algorithms negascout-depth3 --extra-turns ply",
        "--algorithms: expected compound extra turns for",
    );
    refused("noe --pits 17", "expected numbers from 1 to 16");
    refused("noe --full --depths 3", "got both");
}

#[test]
fn a_report_that_cannot_be_written_fails_before_the_run() {
    let folder = Folder::new();
    folder.write("file", "");
    let Ran { code, shown, errors } = folder.run("compare minimal --report file/report");
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains("cannot write "), "{errors}");
    assert!(shown.is_empty(), "nothing is printed before an error");
}

#[test]
fn every_search_can_be_exported_and_the_default_comparison_takes_a_count() {
    let folder = Folder::new();
    let options = "--depths 2-3 --algorithms f3,scout --timed-runs 2 --raw raw.jsonl";
    folder.shown(&format!("compare noe --seeds 4 --count 3 {options}"));
    let raw = folder.read("raw.jsonl");
    let rows: Vec<serde_json::Value> =
        raw.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 2 * 2 * 3, "two depths, two algorithms, three positions");
    for row in rows {
        assert!(row["leaves"].as_u64() > Some(0) && row["condition"] == "(6,4) far", "{row}");
        assert_eq!(row["seconds"].as_array().unwrap().len(), 2, "{row}");
    }
    refused("noe --full --seeds 4 --count 3", "got both");
}

#[test]
fn a_report_contains_a_page_charts_and_rows() {
    let folder = Folder::new();
    let line = "compare noe --depths 1-5 --seeds 4 --count 4 --format markdown --report report";
    let printed = folder.shown(line);
    assert!(printed.contains("| (6,4) far |"), "{printed}");
    let chart = folder.read("report/saving-f1-2.svg");
    assert!(chart.starts_with("<svg"));
    assert_eq!(folder.read("report/rows.csv").lines().count(), 1 + 5 * 5);
    assert_eq!(folder.read("report/rows.jsonl").lines().count(), 5 * 5);
    let page = folder.read("report/index.html");
    assert!(page.contains("<svg"));
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} in the page"));
    assert!(at(">In brief</h2>") < at("<figure>\n<svg"));
    assert!(at("<figure>\n<svg") < at(">SCOUT against alpha-beta, depth by depth</h2>"));
}

#[test]
fn a_report_shows_every_depth_that_was_asked_for() {
    let folder = Folder::new();
    folder.shown("compare noe --depths 3,7 --seeds 4 --count 2 --timed-runs 0 --report report");
    let page = folder.read("report/index.html");
    assert!(page.contains("d = 3") && page.contains("d = 7"), "{page}");
}

const SMALL: [&str; 6] = [
    "noe --depths 1-5 --count 3 --orders far,near,static --timed-runs 1",
    "noe --pits 3-6 --depths 1-3 --count 2",
    "noe --position '<6,3,5,4,4,0,5,5,5,4,4,4,4,4,4> S' --depths 1-5",
    "pearl --trees 10 --widths 2-9 --depths 1-4",
    "reinefeld --trees 3 --widths 5,6,30 --depths 3",
    "minimal",
];

#[test]
fn neither_the_summary_nor_the_complete_results_are_wider_than_a_terminal() {
    for arguments in SMALL {
        let complete = compared(&format!("{arguments} --verbose"));
        let summary = if arguments == "minimal" {
            // It takes seconds, and its complete results contain the summary's table.
            let (_, brief) = complete.split_once("\nIn brief\n").expect("the table");
            brief.split("\n\n").nth(1).expect("its rows").to_owned()
        } else {
            compared(arguments)
        };
        assert!(summary.lines().count() <= 25, "{arguments}:\n{summary}");
        // The plan without depth 5 has no verdicts.
        let has_verdicts = complete.contains("\nVerdicts\n========\n");
        assert!(has_verdicts || arguments.contains("--depths 1-3"), "{complete}");
        for line in summary.lines().chain(complete.lines()) {
            assert!(line.chars().count() <= 80, "{arguments}: {line}");
        }
    }
}

#[test]
fn a_page_without_a_claim_says_so_instead_of_showing_an_empty_table() {
    let folder = Folder::new();
    let line = "compare noe --depths 1-4 --orders near,far --count 4 --report report";
    let printed = folder.shown(line);
    assert!(printed.contains("No claim is about these conditions"), "{printed}");
    let page = folder.read("report/index.html");
    assert!(page.contains("No claim is about these conditions"), "{page}");
    assert!(!page.contains("<tbody>\n</tbody>") && !page.contains(">Verdicts</h2>"), "{page}");
    assert!(!folder.path("report/verdicts.csv").exists());
}

#[test]
fn a_comparison_takes_a_position_or_a_file_of_openings() {
    let folder = Folder::new();
    folder.write("openings.txt", "C # one\nA\n<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> N\n");
    let rows = |options: &str| {
        let quick = "--depths 3 --timed-runs 0 --format csv";
        folder.shown(&format!("compare noe {options} {quick}"))
    };
    let start = rows("--ensemble start");
    let given = rows("--position '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S'");
    let leaves = |rows: &str| -> Vec<String> {
        let leaves = rows.lines().map(|line| line.split(',').nth(13).unwrap().to_owned());
        leaves.collect()
    };
    assert_eq!(leaves(&start), leaves(&given), "the start position by its text");
    assert!(given.contains(",given,") && given.contains("\ncomparison,6,,,standard"), "{given}");
    let openings = rows("--openings openings.txt");
    assert!(openings.lines().nth(1).unwrap().contains(",given,1,3,3,f3,"), "{openings}");

    refused("noe --position '<6,0> S'", "--position: ");
    refused("noe --position '<2,0,0,1,1,1,0> S'", "--position: expected 6 pits");
    refused("noe --position '<2,3,3,0,0,0,0> S' --pits 2", "moves left to play");
    refused("noe --openings missing.txt", "missing.txt");
    refused("noe --openings x --pits 5,6", "expected one board");
}

/// The outline of a searched tree, without the table above it.
fn visits(arguments: &str) -> String {
    let printed = compared(&format!("tree {arguments}"));
    printed.split("in order:\n\n").nth(1).unwrap().to_owned()
}

#[test]
fn a_typed_tree_shows_what_is_visited_in_order_and_what_is_cut() {
    // Russell and Norvig, Artificial Intelligence: A Modern Approach, figure 5.2;
    // alpha-beta prunes 4 and 6.
    let wanted = "Node     f3   minimax
───────  ───  ───────
max 3    1    1
  min 3  2    2
    3    3    3
    12   4    4
    8    5    5
  min 2  6    6
    2    7    7
    4    cut  8
    6    cut  9
  min 2  8    10
    14   9    11
    5    10   12
    2    11   13
";
    assert_eq!(visits("russell-norvig --algorithms f3,minimax"), wanted);
}

#[test]
fn alpha_beta_cuts_what_wikipedia_shows_as_cut() {
    // The illustration of Wikipedia's article "Alpha-beta pruning": the 5 after
    // 7 and 4, the 9, and the last three leaves with their parents.
    for algorithm in ["f2", "f2'", "f3"] {
        let printed = visits(&format!("wikipedia --algorithms \"{algorithm}\""));
        let cut: Vec<&str> =
            printed.lines().filter_map(|line| line.strip_suffix("cut").map(str::trim)).collect();
        assert_eq!(cut, ["5", "9", "max 8"], "{algorithm}: {printed}");
    }
}

#[test]
fn scout_revisits_what_beats_the_first_child() {
    // By hand, after Pearl (1980): the first child is worth 4. The second one passes the test for
    // more (visits 5 to 9), so it is evaluated: its own first child is worth 9, and its second one,
    // which the test finds to be worth less, 5.
    let wanted = "Node       scout
─────────  ───────
max 5      1
  min 4    2
    4      3
    6      4
  min 5    5,10
    max 9  6,11
      5    7,12
      9    13,14
    max 5  8,15,18
      5    9,16,19
      1    17,20
";
    assert_eq!(visits("[[4,6],[[5,9],[5,1]]] --algorithms scout"), wanted);
}

#[test]
fn the_side_that_moves_first_does_not_change_the_point_of_view() {
    let answer = |options: &str| {
        let printed = compared(&format!("tree [[3,9],[5,6]] --algorithms {options}"));
        let row = printed.lines().nth(5).unwrap().to_owned();
        row.split_whitespace().skip(1).take(2).collect::<Vec<_>>().join(" ")
    };
    assert!(answer("f3").starts_with("5 "));
    assert!(answer("f3 --first min").starts_with("6 "));
    assert_eq!(answer("f3 --window 6,8"), "<= 5");
    assert_eq!(answer("f3 --window 1,4"), ">= 5");
    assert_eq!(answer("f2 --window 1,4"), ">= 4", "fail-hard");
    for name in ["test", "proof-number"] {
        let ask = |bound: u8, first: &str| answer(&format!("{name}:{bound} --first {first}"));
        assert_eq!([ask(4, "max"), ask(5, "max")], ["> 4", "<= 5"], "{name}");
        assert_eq!([ask(5, "min"), ask(6, "min")], ["> 5", "<= 6"], "{name}");
    }
}

#[test]
fn trees_and_windows_that_make_no_sense_are_refused() {
    refused("tree hsu-les", "TREE: unknown tree 'hsu-les': expected 'hsu-less', 'hsu-more'");
    refused("tree [3,x]", "TREE: expected nested lists of whole numbers");
    refused("tree [3,9] --window 1,2 --algorithms scout", "a window, got scout");
    refused("tree [3,9] --window 1,2 --algorithms test:1", "a window, got test>1");
    refused("tree [3,9] --window 2,1", "expected two numbers such as -3,8");
    refused("tree 3 --algorithms uct", "needs no moves, because the tree is a leaf, got uct");
}

#[test]
fn depths_are_lists_and_ranges() {
    let options = "--count 1 --algorithms f3 --timed-runs 0 --format csv";
    let rows = compared(&format!("noe --depths 1-3,5,2 {options}"));
    let depths: Vec<&str> = rows.lines().skip(1).filter_map(|row| row.split(',').nth(10)).collect();
    assert_eq!(depths, ["1", "2", "3", "5"]);
    for wrong in ["0", "", "a", "5-2", "201", "1-"] {
        refused(&format!("noe --depths '{wrong}'"), "expected numbers from 1 to 200");
    }
    refused("noe --depths=-1", "expected numbers from 1 to 200");
}
