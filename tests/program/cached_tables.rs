//! Endgame tables in the user's cache: built by a command that is given no folder, found by the
//! solver and the engine, and without influence on results that must be reproducible.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// 14 seeds on 3 pits. No move ends the game.
const POSITION: &str = "<3,0,0,2,3,2,3,2,2> S";

/// The program, with the user's cache in `cache`.
fn kalah(cache: &Path, arguments: &str) -> Command {
    let mut command = crate::kalah();
    command.env("XDG_CACHE_HOME", cache).env_remove("RUST_LOG").args(arguments.split_whitespace());
    command
}

fn run(cache: &Path, arguments: &str) -> Output {
    kalah(cache, arguments).output().expect("kalah starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A cache with tables of `seeds` seeds for 3 pits.
fn cache(seeds: u32) -> tempfile::TempDir {
    let cache = tempfile::tempdir().unwrap();
    let built = run(cache.path(), &format!("tables cache --pits 3 --seeds {seeds} --threads 1"));
    assert!(built.status.success(), "{}", text(&built.stderr));
    cache
}

fn layer(cache: &Path, seeds: u32) -> PathBuf {
    cache.join("kalah").join("tables").join(format!("kalah-3-standard-{seeds:03}.layer"))
}

/// The result of `kalah solve` on a start of 24 seeds, and its output on stderr.
fn solved(cache: &Path) -> (Value, String) {
    let Output { stdout, stderr, .. } = run(cache, "solve --pits 3 --seeds 4 --json");
    (serde_json::from_slice(&stdout).expect("a result"), text(&stderr))
}

/// The engine's answers to `options` and a search, and its output on stderr.
fn searched(cache: &Path, options: &[&str], limit: &str) -> (String, String) {
    let mut child = crate::kalah()
        .env("XDG_CACHE_HOME", cache)
        .env_remove("RUST_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let options: String =
        options.iter().map(|option| format!("setoption name {option}\n")).collect();
    let search = format!("{options}position fen {POSITION}\nisready\ngo {limit}\n");
    child.stdin.take().unwrap().write_all(search.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (text(&output.stdout), text(&output.stderr))
}

/// The number after `key` in the last line of a search.
fn last(answers: &str, key: &str) -> u64 {
    let line = answers.lines().rfind(|line| line.contains(&format!(" {key} "))).expect(answers);
    let mut words = line.split(' ').skip_while(|&word| word != key);
    words.nth(1).and_then(|word| word.parse().ok()).expect("a number")
}

#[test]
fn the_cache_is_built_once_and_is_the_default_folder() {
    let cache = cache(5);
    let tables = cache.path().join("kalah").join("tables");
    let again = text(&run(cache.path(), "tables cache --pits 3 --seeds 7").stdout);
    assert!(again.contains("2 layers written, 6 found: "), "{again}");
    assert!(again.contains(&format!(" in {} (", tables.display())), "{again}");
    let listed = text(&run(cache.path(), "tables list").stdout);
    assert!(listed.starts_with("3 pits, standard, up to 7 seeds"), "{listed}");
    assert!(listed.contains("plain") && !listed.contains("compact"), "{listed}");
    let verified = run(cache.path(), "tables verify --pits 3 --all");
    assert!(text(&verified.stdout).ends_with("no errors found\n"));
    // Without these variables, or with relative folders, the program has no folder for a cache.
    for value in [None, Some("relative")] {
        let mut command = kalah(cache.path(), "tables list");
        for name in ["XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"] {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let refused = command.output().unwrap();
        assert!(text(&refused.stderr).contains("no cache folder"), "{value:?}");
    }
}

#[test]
fn the_solver_reads_the_layers_in_the_cache() {
    let [none, large, small] = [tempfile::tempdir().unwrap(), cache(15), cache(5)];
    let (without, _) = solved(none.path());
    assert!(without["tables"]["folder"].is_null() && without["tables"]["read"].is_null());
    for (cache, read) in [(&large, 15), (&small, 5)] {
        let (solution, complaints) = solved(cache.path());
        assert_eq!(complaints, "");
        assert_eq!(solution["margin"], without["margin"]);
        let tables = &solution["tables"];
        let folder = cache.path().join("kalah").join("tables");
        assert_eq!((&tables["read"], tables["folder"].as_str()), (&read.into(), folder.to_str()));
        assert!(tables["seeds"].as_u64() >= Some(read) && tables["seconds"].as_f64() > Some(0.0));
    }
    let shown = text(&run(small.path(), "solve --pits 3 --seeds 4").stdout);
    assert!(shown.contains(" seeds, up to 5 read from "), "{shown}");
    let built = text(&run(small.path(), "solve --pits 3 --seeds 4 --table-seeds 7").stdout);
    assert!(built.contains("tables    7 seeds, built in "), "{built}");
    let verified = text(&run(large.path(), "solve --pits 3 --seeds 4 --verify").stdout);
    assert!(verified.contains("verified  independently"), "{verified}");
}

#[test]
fn the_engine_uses_the_cache_in_searches_that_need_not_be_reproducible() {
    let [none, cache] = [tempfile::tempdir().unwrap(), cache(15)];
    let small = ["TableSeeds value 0"];
    let (timed, complaints) = searched(cache.path(), &small, "movetime 100000");
    assert_eq!(complaints, "");
    assert!(last(&timed, "tbhits") > 0, "{timed}");
    let off = ["TableSeeds value 0", "TablePath value none"];
    let (timed, _) = searched(cache.path(), &off, "movetime 100000");
    assert_eq!(last(&timed, "tbhits"), 0, "{timed}");
    let [with, without] = [&cache, &none].map(|cache| searched(cache.path(), &small, "depth 9").0);
    assert_eq!(["tbhits", "nodes"].map(|key| last(&with, key)), [0, last(&without, "nodes")]);
}

#[test]
fn tables_larger_than_the_cache_are_built_on_top_of_it() {
    let [none, cache] = [tempfile::tempdir().unwrap(), cache(5)];
    let [with, without] = [&cache, &none].map(|cache| searched(cache.path(), &[], "depth 9"));
    assert!(last(&with.0, "tbhits") > 0 && with.1.is_empty(), "{with:?}");
    assert_eq!(last(&with.0, "nodes"), last(&without.0, "nodes"));
}

#[test]
fn layers_below_a_damaged_one_are_used_and_it_is_reported_and_rebuilt() {
    let [cache, small] = [cache(15), cache(8)];
    let solution = solved(cache.path()).0;
    let limit = "movetime 100000";
    let (below, _) = searched(small.path(), &["TableSeeds value 0"], limit);
    let path = layer(cache.path(), 9);
    let whole = fs::read(&path).unwrap();
    let middle = [&whole[..99], &[whole[99] ^ 1], &whole[100..]].concat();
    for damaged in [&whole[..whole.len() - 1], &middle, b"foreign", b""] {
        fs::write(&path, damaged).unwrap();
        let (solution_now, complaints) = solved(cache.path());
        assert_eq!(solution_now["margin"], solution["margin"]);
        assert_eq!(solution_now["tables"]["read"], 8);
        assert!(complaints.contains(&format!("{}: ", path.display())), "{complaints}");
        assert_eq!(complaints.matches("layers 9 to 15 are not used").count(), 1, "{complaints}");
        let (found, complaints) = searched(cache.path(), &["TableSeeds value 0"], limit);
        assert_eq!(last(&found, "nodes"), last(&below, "nodes"));
        assert_eq!(complaints.matches("layers 9 to 15 are not used").count(), 1, "{complaints}");
        assert!(found.contains("info string ") && found.contains("layers 9 to 15"), "{found}");
        assert_eq!(fs::read(&path).unwrap(), damaged, "only a build writes to the cache");
        let repaired = run(cache.path(), "tables cache --pits 3 --seeds 15");
        assert!(text(&repaired.stdout).contains("\n1 layer written, 15 found"), "{repaired:?}");
        assert!(text(&repaired.stderr).contains(path.to_str().unwrap()));
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
}

#[test]
fn empty_files_with_the_names_of_larger_layers_build_nothing() {
    let cache = cache(5);
    for seeds in 40..=42 {
        fs::write(layer(cache.path(), seeds), "").unwrap();
    }
    fs::write(layer(cache.path(), 6), "").unwrap();
    let (found, complaints) = searched(cache.path(), &["TableSeeds value 0"], "movetime 100000");
    assert!(complaints.contains("layers 6 to 42 are not used"), "{complaints}");
    assert!(last(&found, "tbhits") > 0, "{found}");
    assert_eq!(solved(cache.path()).0["tables"]["read"], 5);
}

/// A mapped file without its last pages kills the process that reads them.
// Windows refuses to truncate a file that is in use.
#[cfg(not(windows))]
#[test]
fn a_layer_truncated_between_two_searches_is_no_longer_read() {
    let cache = cache(15);
    let mut child = kalah(cache.path(), "")
        .env("RUST_LOG", "off")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let folder = cache.path().join("kalah").join("tables");
    let mut search = |before: &str| {
        let search = format!("position fen {POSITION}\n{before}ucinewgame\ngo movetime 100000\n");
        input.write_all(search.as_bytes()).unwrap();
        let answers = output.by_ref().take_while(|line| !line.starts_with("bestmove"));
        answers.collect::<Vec<_>>().join("\n")
    };
    let whole = search(&format!("setoption name TablePath value {}\n", folder.display()));
    for seeds in 9..=15 {
        File::options().write(true).open(layer(cache.path(), seeds)).unwrap().set_len(64).unwrap();
    }
    let below = search("");
    assert!(below.contains("layers 9 to 15 are not used"), "{below}");
    assert!(last(&below, "tbhits") > 0 && last(&below, "nodes") > last(&whole, "nodes"));
    assert!(search("").contains(" pv "), "the process still answers");
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[cfg(windows)]
#[test]
fn the_cache_is_below_the_local_data_of_the_user() {
    let data = tempfile::tempdir().unwrap();
    let mut command = crate::kalah();
    command.env_remove("XDG_CACHE_HOME").env_remove("HOME").env("LOCALAPPDATA", data.path());
    command.args("tables cache --pits 3 --seeds 2 --threads 1".split(' '));
    let output = command.output().unwrap();
    let folder = data.path().join("kalah").join("cache").join("tables");
    let (printed, folder) = (text(&output.stdout), folder.display().to_string());
    assert!(printed.contains(&folder) && !printed.contains('/'), "{printed}");
}
