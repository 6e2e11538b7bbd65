//! The programs in `contrib` that share no code with `kalah`: `check_proof.py` derives the
//! margins from the leaves of a ledger, and `prove_leaf.rs` proves leaves.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::process::Command;

use super::*;
use crate::folder::Ran;

const CHECKER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/contrib/check_proof.py");
const PROVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/contrib/prove_leaf.rs");
/// The proofs of Kalah(6,6).
const STANDARD: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/openings/6x6-standard-proof/ledger.jsonl");
const EMPTY_CAPTURE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/openings/6x6-empty-capture-proof/ledger.jsonl");
/// The openings of (6,4) whose margin is 0.
const EVEN: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/openings/6x4-standard-even-proof/ledger.jsonl");
/// A second proof with standard captures, whose answers each took at most 20 million nodes from an
/// empty transposition table.
const CERTIFICATE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/openings/6x6-standard-certificate/ledger.jsonl");

/// Output and exit code of the checker.
pub(super) fn check(ledger: &Path) -> (String, i32) {
    let output = Command::new("python3").arg(CHECKER).arg(ledger).arg("-v").output();
    let Ran { code, shown, errors } = output.expect("python3 starts").into();
    (shown + &errors, code.unwrap())
}

/// The exit codes of the checker for several ledgers, each given by its lines. One process checks
/// them all, because starting Python takes longer than checking a ledger.
fn exit_codes(ledgers: impl Iterator<Item = Vec<String>>) -> Vec<i32> {
    const CHECK_EACH: &str = "
import runpy, sys
check = runpy.run_path(sys.argv[1])['main']
for ledger in sys.argv[2:]:
    print('exit code', check([ledger]))
";
    let folder = folder();
    let files = (0..).zip(ledgers).map(|(number, lines)| {
        let file = folder.path().join(format!("{number}.jsonl"));
        fs::write(&file, lines.join("\n")).unwrap();
        file
    });
    let output = Command::new("python3").args(["-c", CHECK_EACH, CHECKER]).args(files).output();
    let Ran { code, shown, errors } = output.unwrap().into();
    assert_eq!(code, Some(0), "{shown}{errors}");
    let codes = shown.lines().filter_map(|line| line.strip_prefix("exit code "));
    codes.map(|code| code.parse().unwrap()).collect()
}

/// The numbers of the lines that a verdict of the checker needs, from 1.
fn leaves(verdict: &str) -> BTreeSet<usize> {
    let lines = verdict.lines().filter_map(|line| line.trim().strip_prefix("line "));
    lines.map(|line| line.split(':').next().unwrap().parse().unwrap()).collect()
}

/// A proof of a small start in pieces of a few nodes, and its margin.
fn proved(pits: u32, seeds: u32, capture: Capture) -> (Folder, Interval<Gain>) {
    let folder = Folder::in_memory();
    let board = format!("--pits {pits} --seeds {seeds} --capture {capture}");
    folder.shown(&format!("proof plan p {board} --piece-nodes 40"));
    folder.shown("proof work p --threads 1 --hash 1 --table-seeds=4");
    let margin = ProofStatus::read(&folder.path("p")).unwrap().margin;
    (folder, margin)
}

const SMALL: [(u32, u32, Capture); 3] =
    [(3, 4, Capture::Standard), (4, 3, Capture::Standard), (4, 3, Capture::EmptyCapture)];

#[test]
#[cfg_attr(not(has_python), ignore = "needs Python 3")]
fn the_checker_derives_the_margin_of_a_proof_from_its_leaves() {
    for (pits, seeds, capture) in SMALL {
        let (folder, margin) = proved(pits, seeds, capture);
        let (verdict, code) = check(&folder.path("p/ledger.jsonl"));
        for bound in ["at least", "at most"] {
            let expected = format!("margin {bound} {}: ", margin.lower);
            assert!(verdict.contains(&expected), "{expected}: {verdict}");
        }
        assert_eq!(code, 0, "{verdict}");
    }
}

#[test]
#[cfg_attr(not(has_python), ignore = "needs Python 3")]
fn the_proofs_of_six_six_need_their_leaves() {
    // Removing a leaf must leave the margin unproved. To save time, only every eighth leaf of the
    // first ledger is tried, every second leaf of the one with empty captures and every twentieth
    // of the certificate. For the listed leaves, other lines can take their place.
    for (ledger, count, every, replaceable, bounds) in [
        (
            STANDARD,
            485,
            8,
            &[74, 77, 81, 113, 129, 206, 210, 560, 605, 615, 661, 687][..],
            ["margin at least +4: 11 leaves", "margin at most +4: 14 leaves"],
        ),
        (
            EMPTY_CAPTURE,
            74,
            2,
            &[7, 15, 38, 43, 44, 45, 59, 64, 110],
            ["margin at least +2: 1 leaf", "margin at most +2: 32 leaves"],
        ),
        (
            CERTIFICATE,
            419,
            20,
            &[331, 332, 333],
            ["margin at least +4: 74 leaves", "margin at most +4: 345 leaves"],
        ),
    ] {
        let (verdict, code) = check(Path::new(ledger));
        let leaves = leaves(&verdict);
        assert_eq!(leaves.len(), count);
        assert!(replaceable.iter().all(|leaf| leaves.contains(leaf)));
        assert!(bounds.iter().all(|bound| verdict.contains(bound)), "{verdict}");
        assert_eq!(code, 0);
        let lines: Vec<String> =
            fs::read_to_string(ledger).unwrap().lines().map(str::to_owned).collect();
        for claim in verdict.lines().filter(|line| line.starts_with("  line ")) {
            let words: Vec<&str> = claim.split_whitespace().collect();
            let [_, number, .., sign, bound] = words[..] else { panic!("{claim}") };
            let number: usize = number.trim_end_matches(':').parse().unwrap();
            let name = if sign == ">=" { "lower" } else { "upper" };
            let expected = format!("\"{name}\":{bound},");
            assert!(lines[number - 1].contains(&expected), "{claim}: {}", lines[number - 1]);
        }
        let removed: Vec<usize> =
            leaves.into_iter().step_by(every).chain(replaceable.iter().copied()).collect();
        let codes = exit_codes(removed.iter().map(|leaf| {
            let mut rest = lines.clone();
            rest.remove(leaf - 1);
            rest
        }));
        assert_eq!(codes.len(), removed.len());
        for (leaf, code) in removed.iter().zip(codes) {
            let expected = i32::from(!replaceable.contains(leaf));
            assert_eq!(code, expected, "{ledger} without line {leaf}");
        }
    }
}

/// The positions of a verdict of the checker and their margins.
fn margins(verdict: &str) -> HashMap<&str, i32> {
    let bounds = |name: &str| -> Vec<i32> {
        let lines = verdict.lines().filter_map(|line| line.strip_prefix(name));
        lines.map(|rest| rest.split(':').next().unwrap().parse().unwrap()).collect()
    };
    let margins = bounds("margin at least ");
    assert_eq!(margins, bounds("margin at most "));
    let positions = verdict.lines().filter_map(|line| line.split_once(", standard captures"));
    positions.map(|(position, _)| position).zip(margins).collect()
}

/// The lines of a list of openings: position, moves, margin and proof.
fn lines_of_list(list: &str) -> impl Iterator<Item = [&str; 4]> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('\t').collect::<Vec<_>>().try_into().unwrap())
}

#[test]
#[cfg_attr(not(has_python), ignore = "needs Python 3")]
fn the_checker_refuses_what_is_not_a_ledger() {
    let folder = folder();
    let file = folder.path().join("ledger.jsonl");
    let root = "{\"root\":\"<6> S\",\"capture\":\"standard\"}";
    for wrong in [&b""[..], b"[]", b"{\"root\":5}", b"{", root.as_bytes(), b"\xff\xfe"] {
        fs::write(&file, wrong).unwrap();
        let (complaint, code) = check(&file);
        assert_eq!(code, 2, "{complaint}");
        assert!(complaint.starts_with("error: ") && complaint.lines().count() == 1, "{complaint}");
    }
}

#[test]
#[cfg_attr(not(has_python), ignore = "needs Python 3")]
fn the_checker_derives_the_listed_margins_of_six_six() {
    let (verdict, _) = check(Path::new(STANDARD));
    let mut derived = margins(&verdict);
    assert_eq!(derived.remove("<6,0,0,6,6,6,6,6,6,6,6,6,6,6,6> S"), Some(4));
    assert_eq!(derived.len(), 222);
    for [position, moves, margin, proof] in
        lines_of_list(include_str!("../../../openings/6x6-standard.tsv"))
    {
        assert!(proof.starts_with("exact"), "{moves}: {proof}");
        if let Some(derived) = derived.remove(position) {
            assert_eq!(derived, margin.parse::<i32>().unwrap(), "{moves}");
        }
    }
    assert!(derived.is_empty(), "{derived:?}");
}

#[test]
#[cfg_attr(not(has_python), ignore = "needs Python 3")]
fn the_checker_derives_a_margin_of_0_for_the_even_openings_of_six_four() {
    let (verdict, _) = check(Path::new(EVEN));
    let derived = margins(&verdict);
    let mut openings = lines_of_list(include_str!("../../../openings/6x4-standard-fair.tsv"));
    assert!(openings.all(|[position, ..]| derived[position] == 0));
    assert_eq!(derived.len(), 16);
}

#[test]
fn each_answer_of_the_certificate_of_six_six_is_small_and_repeatable() {
    let lines = fs::read_to_string(CERTIFICATE).unwrap();
    for line in lines.lines().filter(|line| line.contains("\"lower\"")) {
        let (_, nodes) = line.split_once("\"nodes\":").unwrap();
        let nodes: u64 = nodes.split(',').next().unwrap().parse().unwrap();
        assert!((1..=20_000_000).contains(&nodes), "{line}");
        assert!(line.contains("\"threads\":1,") && line.contains("\"kept_table\":false"), "{line}");
    }
}

#[test]
fn the_log_of_the_independent_program_proves_every_bound_of_the_certificate() {
    let ledger = fs::read_to_string(CERTIFICATE).unwrap();
    let mut claims = HashSet::new();
    for (number, line) in (1..).zip(ledger.lines()).filter(|(_, line)| line.contains("\"lower\"")) {
        let entry: serde_json::Value = serde_json::from_str(line).unwrap();
        let position = entry["position"].as_str().unwrap();
        let all = i64::from(Position::parse(position, Capture::Standard).unwrap().in_play());
        let [lower, upper] = ["lower", "upper"].map(|name| entry[name].as_i64().unwrap());
        claims.extend((lower != -all).then(|| format!("line {number}: gain at least {lower}")));
        claims.extend((upper != all).then(|| format!("line {number}: gain at most {upper}")));
    }
    let log = include_str!("../../../openings/6x6-standard-certificate/prove_leaf.log");
    let proved: Vec<_> = log.lines().map(|line| line.split_once(": proved, ").unwrap().0).collect();
    assert_eq!(proved.len(), claims.len(), "each once");
    assert_eq!(proved.into_iter().map(str::to_owned).collect::<HashSet<_>>(), claims);
}

#[test]
#[cfg_attr(not(has_python), ignore = "needs Python 3")]
fn a_wrong_bound_changes_the_margin_or_contradicts_the_others() {
    let (verdict, _) = check(Path::new(STANDARD));
    let lines: Vec<String> =
        fs::read_to_string(STANDARD).unwrap().lines().map(str::to_owned).collect();
    let changed: Vec<usize> = leaves(&verdict).into_iter().step_by(4).collect();
    let codes = exit_codes(changed.iter().map(|leaf| {
        // An upper bound of -72 is wrong for every leaf: it is below all proved gains.
        let mut wrong = lines.clone();
        let line = &mut wrong[leaf - 1];
        let (before, after) = line.split_once("\"upper\":").unwrap();
        let end = after.find([',', '}']).unwrap();
        *line = format!("{before}\"upper\":-72{}", &after[end..]);
        wrong
    }));
    assert_eq!(codes.len(), changed.len());
    for (leaf, code) in changed.iter().zip(codes) {
        assert_ne!(code, 0, "{STANDARD} with a wrong line {leaf}");
    }
}

#[test]
#[ignore = "slow: .ci/run"]
fn an_independent_program_proves_every_leaf_and_refutes_a_wrong_one() {
    let folder = folder();
    let prover = folder.path().join("prove_leaf");
    let compiled = Command::new("rustc")
        .args(["-O", "--edition", "2024", "-o"])
        .args([prover.as_path(), Path::new(PROVER)])
        .output()
        .unwrap();
    let compiled = Ran::from(compiled);
    assert_eq!(compiled.code, Some(0), "{}", compiled.errors);
    let prove = |ledger: &Path, lines: &[&str]| {
        let mut command = Command::new(&prover);
        let command = command.arg(ledger).args(lines).args(["--table-seeds", "6", "--hash", "1"]);
        let Ran { code, shown, .. } = command.output().unwrap().into();
        (shown, code)
    };
    for (pits, seeds, capture) in SMALL {
        let (proof, _) = proved(pits, seeds, capture);
        let ledger = proof.path("p/ledger.jsonl");
        let lines = fs::read_to_string(&ledger).unwrap();
        let (log, code) = prove(&ledger, &[]);
        assert_eq!(code, Some(0), "{log} of {lines}");
        let mut with_bounds =
            (1..).zip(lines.lines()).filter(|(_, line)| line.contains("\"lower\""));
        assert!(with_bounds.clone().count() > 5, "{lines}");
        assert!(
            with_bounds.all(|(number, _)| log.contains(&format!("line {number}: gain at "))),
            "{log} of {lines}"
        );
    }
    let wrong = folder.path().join("wrong.jsonl");
    // The margin is 6 (tests/data/solved.tsv).
    let line =
        r#"{"position":"<4,0,0,3,3,3,3,3,3,3,3> S","capture":"standard","lower":8,"upper":24}"#;
    fs::write(&wrong, line).unwrap();
    let (log, code) = prove(&wrong, &["1"]);
    assert_eq!(code, Some(1), "{log}");
    let (_, code) = prove(&wrong, &["2"]);
    assert_eq!(code, Some(2), "there is no such line");
    // A line with bounds that cannot be read is an error.
    fs::write(&wrong, format!("{line}\n{}", line.replace("> S", "> N"))).unwrap();
    assert_eq!(prove(&wrong, &[]).1, Some(2));
}
