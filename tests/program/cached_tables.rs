//! Endgame tables in the user's cache: built by a command that is given no folder, found by the
//! solver and the engine, and without influence on results that must be reproducible.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::folder::{Folder, Ran};

/// 14 seeds on 3 pits. No move ends the game.
const POSITION: &str = "<3,0,0,2,3,2,3,2,2> S";

/// A folder with the user's cache, below which the program keeps its own.
struct Cache(Folder);

impl Cache {
    fn empty() -> Self {
        Self(Folder::new())
    }

    /// A cache with tables of `seeds` seeds for 3 pits.
    fn new(seeds: u32) -> Self {
        let cache = Self::empty();
        let built = cache.run(&format!("tables cache --pits 3 --seeds {seeds} --threads 1"));
        assert_eq!(built.code, Some(0), "{}", built.errors);
        cache
    }

    /// A command that uses this cache.
    fn command(&self, line: &str) -> Command {
        let mut command = self.0.command_line(line);
        command.env("XDG_CACHE_HOME", self.0.root()).env_remove("RUST_LOG");
        command
    }

    fn run(&self, line: &str) -> Ran {
        self.command(line).output().expect("kalah starts").into()
    }

    fn tables(&self) -> PathBuf {
        self.0.path("kalah").join("tables")
    }

    fn layer(&self, seeds: u32) -> PathBuf {
        self.tables().join(format!("kalah-3-standard-{seeds:03}.layer"))
    }

    /// The result of `kalah solve` on a start of 24 seeds, and its output on stderr.
    fn solved(&self) -> (Value, String) {
        let ran = self.run("solve --pits 3 --seeds 4 --json");
        (serde_json::from_str(&ran.shown).expect("a result"), ran.errors)
    }

    /// The engine's answers to `options` and a search, and its output on stderr.
    fn searched(&self, options: &[&str], limit: &str) -> (String, String) {
        let options: String =
            options.iter().map(|option| format!("setoption name {option}\n")).collect();
        let search = format!("{options}position fen {POSITION}\nisready\ngo {limit}\n");
        let ran = Ran::with_input(self.command(""), &search);
        (ran.shown, ran.errors)
    }
}

/// The number after `key` in the last line of a search.
fn last(answers: &str, key: &str) -> u64 {
    let line = answers.lines().rfind(|line| line.contains(&format!(" {key} "))).expect(answers);
    let mut words = line.split(' ').skip_while(|&word| word != key);
    words.nth(1).and_then(|word| word.parse().ok()).expect("a number")
}

#[test]
fn the_cache_is_built_once_and_is_the_default_folder() {
    let cache = Cache::new(5);
    let tables = cache.tables();
    let again = cache.run("tables cache --pits 3 --seeds 7").shown;
    assert!(again.contains("2 layers written, 6 found: "), "{again}");
    assert!(again.contains(&format!(" in {} (", tables.display())), "{again}");
    let listed = cache.run("tables list").shown;
    assert!(listed.starts_with("3 pits, standard, up to 7 seeds"), "{listed}");
    assert!(listed.contains("plain") && !listed.contains("compact"), "{listed}");
    let verified = cache.run("tables verify --pits 3 --all");
    assert!(verified.shown.ends_with("no errors found\n"));
    // Without these variables, or with relative folders, the program has no folder for a cache.
    for value in [None, Some("relative")] {
        let mut command = cache.command("tables list");
        for name in ["XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"] {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let refused = Ran::from(command.output().unwrap());
        assert!(refused.errors.contains("no cache folder"), "{value:?}");
    }
}

#[test]
fn the_solver_reads_the_layers_in_the_cache() {
    let [none, large, small] = [Cache::empty(), Cache::new(15), Cache::new(5)];
    let (without, _) = none.solved();
    assert!(without["tables"]["folder"].is_null() && without["tables"]["read"].is_null());
    for (cache, read) in [(&large, 15), (&small, 5)] {
        let (solution, complaints) = cache.solved();
        assert_eq!(complaints, "");
        assert_eq!(solution["margin"], without["margin"]);
        let tables = &solution["tables"];
        let folder = cache.tables();
        assert_eq!((&tables["read"], tables["folder"].as_str()), (&read.into(), folder.to_str()));
        assert!(tables["seeds"].as_u64() >= Some(read) && tables["seconds"].as_f64() > Some(0.0));
    }
    let shown = small.run("solve --pits 3 --seeds 4").shown;
    assert!(shown.contains(" seeds, up to 5 read from "), "{shown}");
    let built = small.run("solve --pits 3 --seeds 4 --table-seeds 7").shown;
    assert!(built.contains("tables    7 seeds, built in "), "{built}");
    let verified = large.run("solve --pits 3 --seeds 4 --verify").shown;
    assert!(verified.contains("verified  independently"), "{verified}");
}

#[test]
fn the_engine_uses_the_cache_in_searches_that_need_not_be_reproducible() {
    let [none, cache] = [Cache::empty(), Cache::new(15)];
    let small = ["TableSeeds value 0"];
    let (timed, complaints) = cache.searched(&small, "movetime 100000");
    assert_eq!(complaints, "");
    assert!(last(&timed, "tbhits") > 0, "{timed}");
    let off = ["TableSeeds value 0", "TablePath value none"];
    let (timed, _) = cache.searched(&off, "movetime 100000");
    assert_eq!(last(&timed, "tbhits"), 0, "{timed}");
    let [with, without] = [&cache, &none].map(|cache| cache.searched(&small, "depth 9").0);
    assert_eq!(["tbhits", "nodes"].map(|key| last(&with, key)), [0, last(&without, "nodes")]);
}

#[test]
fn tables_larger_than_the_cache_are_built_on_top_of_it() {
    let [none, cache] = [Cache::empty(), Cache::new(5)];
    let [with, without] = [&cache, &none].map(|cache| cache.searched(&[], "depth 9"));
    assert!(last(&with.0, "tbhits") > 0 && with.1.is_empty(), "{with:?}");
    assert_eq!(last(&with.0, "nodes"), last(&without.0, "nodes"));
}

#[test]
fn layers_below_a_damaged_one_are_used_and_it_is_reported_and_rebuilt() {
    let [cache, small] = [Cache::new(15), Cache::new(8)];
    let solution = cache.solved().0;
    let limit = "movetime 100000";
    let (below, _) = small.searched(&["TableSeeds value 0"], limit);
    let path = cache.layer(9);
    let whole = fs::read(&path).unwrap();
    let middle = [&whole[..99], &[whole[99] ^ 1], &whole[100..]].concat();
    for damaged in [&whole[..whole.len() - 1], &middle, b"foreign", b""] {
        fs::write(&path, damaged).unwrap();
        let (solution_now, complaints) = cache.solved();
        assert_eq!(solution_now["margin"], solution["margin"]);
        assert_eq!(solution_now["tables"]["read"], 8);
        assert!(complaints.contains(&format!("{}: ", path.display())), "{complaints}");
        assert_eq!(complaints.matches("layers 9 to 15 are not used").count(), 1, "{complaints}");
        let (found, complaints) = cache.searched(&["TableSeeds value 0"], limit);
        assert_eq!(last(&found, "nodes"), last(&below, "nodes"));
        assert_eq!(complaints.matches("layers 9 to 15 are not used").count(), 1, "{complaints}");
        assert!(found.contains("info string ") && found.contains("layers 9 to 15"), "{found}");
        assert_eq!(fs::read(&path).unwrap(), damaged, "only a build writes to the cache");
        let repaired = cache.run("tables cache --pits 3 --seeds 15");
        assert!(repaired.shown.contains("\n1 layer written, 15 found"), "{repaired:?}");
        assert!(repaired.errors.contains(path.to_str().unwrap()));
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
}

#[test]
fn layers_of_an_earlier_version_are_rebuilt_with_one_warning_and_their_number() {
    let cache = Cache::new(5);
    for seeds in 0..=5 {
        let path = cache.layer(seeds);
        let mut bytes = fs::read(&path).unwrap();
        bytes[8] = 1;
        fs::write(&path, bytes).unwrap();
    }
    let rebuilt = cache.run("tables cache --pits 3 --seeds 5");
    assert!(rebuilt.shown.contains("\n6 layers written, 0 found"), "{rebuilt:?}");
    let warnings: Vec<&str> = rebuilt.errors.lines().filter(|line| line.contains("WARN")).collect();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[0].contains("expected format version 2, got 1; rebuilding this layer"));
    assert!(warnings[1].contains("rebuilt 6 damaged or outdated layers"));
    assert!(cache.run("tables cache --pits 3 --seeds 5").errors.is_empty());
}

#[test]
fn empty_files_with_the_names_of_larger_layers_build_nothing() {
    let cache = Cache::new(5);
    for seeds in 40..=42 {
        fs::write(cache.layer(seeds), "").unwrap();
    }
    fs::write(cache.layer(6), "").unwrap();
    let (found, complaints) = cache.searched(&["TableSeeds value 0"], "movetime 100000");
    assert!(complaints.contains("layers 6 to 42 are not used"), "{complaints}");
    assert!(last(&found, "tbhits") > 0, "{found}");
    assert_eq!(cache.solved().0["tables"]["read"], 5);
}

/// A mapped file without its last pages kills the process that reads them.
// Windows refuses to truncate a file that is in use.
#[cfg(not(windows))]
#[test]
fn a_layer_truncated_between_two_searches_is_no_longer_read() {
    let cache = Cache::new(15);
    let mut child = cache
        .command("")
        .env("RUST_LOG", "off")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let folder = cache.tables();
    let mut search = |before: &str| {
        let search = format!("position fen {POSITION}\n{before}ucinewgame\ngo movetime 100000\n");
        input.write_all(search.as_bytes()).unwrap();
        let answers = output.by_ref().take_while(|line| !line.starts_with("bestmove"));
        answers.collect::<Vec<_>>().join("\n")
    };
    let whole = search(&format!("setoption name TablePath value {}\n", folder.display()));
    for seeds in 9..=15 {
        File::options().write(true).open(cache.layer(seeds)).unwrap().set_len(64).unwrap();
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
    let data = Folder::new();
    let mut command = data.command_line("tables cache --pits 3 --seeds 2 --threads 1");
    command.env_remove("XDG_CACHE_HOME").env_remove("HOME").env("LOCALAPPDATA", data.root());
    let printed = Ran::from(command.output().unwrap()).shown;
    let folder = data.path("kalah").join("cache").join("tables").display().to_string();
    assert!(printed.contains(&folder) && !printed.contains('/'), "{printed}");
}
