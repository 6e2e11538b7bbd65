//! The JSON documents of commands hold the same figures as their text output.

use std::fs;
use std::path::MAIN_SEPARATOR;

use serde_json::Value;

use crate::folder::{Folder, Ran};

/// The text output of a command and its JSON document, whose common fields are checked.
fn both(folder: &Folder, line: &str) -> (String, Value) {
    let text = folder.shown(line);
    let document = folder.shown(&format!("{line} --json"));
    assert_eq!(document.lines().count(), 1, "{document}");
    let document: Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["kalah"], env!("CARGO_PKG_VERSION"));
    assert!(document["results"].is_array(), "{document}");
    (text, document)
}

#[test]
fn a_match_and_its_parts_give_the_figures_of_the_text() {
    let folder = Folder::new();
    let play = "match -q -e 'random name=a' -e 'random name=b' -p 9 --sprt 'elo0=0 elo1=50'";
    let played = folder.shown(&format!("{play} -o x.jsonl --json --report page"));
    let played: Value = serde_json::from_str(&played).unwrap();
    let (text, merged) = both(&folder, "match merge x.jsonl --report page");
    assert_eq!((&played["command"], &merged["command"]), (&"match".into(), &"match merge".into()));
    assert_eq!(played["results"], merged["results"]);
    let pairing = &merged["results"][0];
    let [wins, draws, losses] = ["wins", "draws", "losses"].map(|key| pairing[key].clone());
    assert!(text.contains(&format!("{wins} win")) && text.contains(&format!("{draws} draw")));
    assert!(text.contains(&format!("{losses} loss")), "{text}");
    let [value, error] = ["value", "standard_error"].map(|key| pairing["margin"][key].as_f64());
    let margin = format!("{:+.2} ± {:.2} seeds in 9", value.unwrap(), 1.959964 * error.unwrap());
    assert!(text.contains(&margin), "{margin}: {text}");
    let elo = pairing["strength"]["elo"].as_f64().unwrap();
    assert!(text.contains(&format!("Elo: {elo:+.1}")), "{elo}: {text}");
    let pentanomial: Vec<u64> = serde_json::from_value(pairing["pentanomial"].clone()).unwrap();
    let listed = pentanomial.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    assert!(text.contains(&format!("2 points: {listed}.")), "{listed}: {text}");
    assert_eq!(merged["players"][0]["games"], pairing["games"]);
    let llr = merged["sprt"]["llr"].as_f64().unwrap();
    assert!(text.contains(&format!("LLR {llr:.2}")) && merged["sprt"]["verdict"] == "open");
    // Each statement is one line, however long it is.
    assert!(text.lines().all(|line| line.ends_with('.') || line.starts_with("Page: ")), "{text}");
}

/// Missing games and failures are listed; infinite and unknown figures are null.
#[test]
fn an_unfinished_match_reports_what_is_missing_and_unknown() {
    let folder = Folder::new();
    let engine = "kalah nodes=500 option.TableSeeds=0 option.Hash=1";
    let play = format!("match -q -e '{engine}' -e 'random name=r' -p 6 --shard 1/3 -o x.jsonl");
    folder.shown(&play);
    let (text, merged) = both(&folder, "match merge x.jsonl");
    assert!(text.contains("Missing: 8 games, numbers 3-6, 9-12."), "{text}");
    assert_eq!(merged["missing"].to_string(), "[[3,6],[9,12]]");
    assert_eq!((&merged["scheduled"], &merged["finished"]), (&12.into(), &4.into()));
    assert_eq!(merged["results"][0]["losses"], 0);
    assert!(merged["results"][0]["strength"]["elo"].is_null() && merged["sprt"].is_null());
    assert!(merged["players"][0]["error"].is_null());
}

#[test]
fn equal_pairs_of_three_players_leave_no_certain_rating() {
    let folder = Folder::new();
    folder.write("o.txt", "<1,0,0,1,1> S\n<1,1,1,2,2> S\n");
    let players = "-e greedy -e 'greedy name=b' -e 'greedy name=c'";
    let play = format!("match -q -p 2 --openings o.txt {players} -o x.jsonl --json");
    let played: Value = serde_json::from_str(&folder.shown(&play)).unwrap();
    for player in played["players"].as_array().unwrap() {
        assert_eq!(player["points"].as_f64(), player["games"].as_f64().map(|games| games / 2.0));
        assert!(player["error"].is_null(), "{player}");
    }
}

#[test]
fn a_suite_and_the_bench_give_the_figures_of_the_text() {
    let folder = Folder::new();
    let suite = include_str!("../data/suite_34_46.tsv");
    let few: Vec<&str> = suite.lines().take(9).collect();
    folder.write("suite.tsv", few.join("\n"));
    let (text, score) = both(&folder, "bench --suite suite.tsv --nodes 50");
    for key in ["positions", "best", "nodes"] {
        let line = text.lines().find(|line| line.starts_with(key)).unwrap();
        assert_eq!(line.split_whitespace().nth(1), Some(score[key].to_string().as_str()));
    }
    let answers = score["results"].as_array().unwrap();
    let lost: i64 = answers.iter().map(|answer| answer["lost"].as_i64().unwrap()).sum();
    assert_eq!(score["lost"], lost);
    let (_, stores) =
        both(&folder, "bench --suite suite.tsv --nodes 50 --option Evaluation=stores");
    assert_ne!(stores["results"], score["results"]);
    for (option, error) in [
        ("Hash", "expected NAME=VALUE"),
        ("Hush=1", "Hush"),
        ("Hash=x", "Hash"),
        ("threads=2", "is determined by the suite"),
    ] {
        let refused = folder.run(&format!("bench --suite suite.tsv --option {option}"));
        assert_eq!(refused.code, Some(2));
        assert!(refused.errors.contains(error), "{option}");
    }
    // The bench does not even open the user's cache: if it did, it would report this file.
    fs::create_dir_all(folder.path("kalah/tables")).unwrap();
    folder.write("kalah/tables/kalah-6-standard-000.layer", "foreign");
    let mut bench = folder.command_line("bench --json");
    let bench = Ran::from(bench.env("XDG_CACHE_HOME", folder.root()).output().unwrap());
    assert_eq!(bench.errors, "");
    let bench: Value = serde_json::from_str(&bench.shown).unwrap();
    let signature: u64 = include_str!("../data/signature.txt").trim().parse().unwrap();
    let nodes = bench["results"].as_array().unwrap().iter().map(|one| one["nodes"].as_u64());
    assert_eq!(nodes.sum::<Option<u64>>(), Some(signature));
    assert!(bench["signature"] == signature && bench["seconds"].as_f64() > Some(0.0));
}

#[test]
fn lists_of_openings_are_counted() {
    let folder = Folder::new();
    let (text, made) = both(&folder, "openings make --pits 3 --seeds 2 --plies 2 --out lists");
    let (shown, verified) = both(&folder, "openings verify lists/3x2-standard.json --sample 2");
    assert_eq!(made["folder"], "lists");
    for (made, verified) in
        made["results"].as_array().unwrap().iter().zip(verified["results"].as_array().unwrap())
    {
        let positions = &made["positions"];
        assert!(
            text.contains(&format!("{positions} positions in lists{MAIN_SEPARATOR}")),
            "{text}"
        );
        assert_eq!((&verified["lines"], &verified["verified"]), (positions, &2.into()));
        let replayed = format!("{positions} lines replayed, 2 of {}", verified["proved"]);
        assert!(shown.contains(&replayed), "{shown}");
    }
}

#[test]
fn comparisons_contain_the_rows_of_their_line_format() {
    let folder = Folder::new();
    let few = "compare noe --depths 1-2 --count 4 --timed-runs 0";
    let lines = folder.shown(&format!("{few} --format json"));
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let document = folder.shown(&format!("{few} --json"));
    let document: Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["command"], "compare noe");
    assert_eq!(document["results"], Value::Array(lines));
    assert!(document["verdicts"].is_array() && document["title"].is_string());
    let games: Value = serde_json::from_str(&folder.shown("compare games --json")).unwrap();
    assert!(games["results"][0]["verdict"].is_string(), "{games}");
    assert_eq!(games["verdicts"], Value::Null, "the same rows are not printed twice");
    let (text, tree) = both(&folder, "compare tree [[3,9],[5,6]] --algorithms f3");
    assert!(text.starts_with(&format!("{}\n\n", tree["title"].as_str().unwrap())), "{text}");
    let row = text.lines().find(|line| line.starts_with("f3 ")).unwrap();
    let cells: Vec<&str> = row.split_whitespace().collect();
    let result = &tree["results"][0];
    assert_eq!(cells[1..4].join(" "), format!("5 {} {}", result["leaves"], result["nodes"]));
}

#[test]
fn saved_games_are_records_with_their_numbers() {
    let folder = Folder::new();
    fs::create_dir(folder.path("saved")).unwrap();
    let record = "[South \"Ann\"]\n[North \"Bob\"]\n1. CF {+0.50/12} b *\n";
    folder.write("saved/2026-11-20-100000.kgn", record);
    folder.write("saved/2026-11-19-100000.kgn", "1. Z *");
    let (text, document) = both(&folder, "games --games saved");
    let games = document["results"].as_array().unwrap();
    assert!(games.len() == 1 && games[0]["number"] == 1 && games[0]["result"].is_null());
    assert!(text.contains("Ann") && games[0]["south"]["name"] == "Ann");
    assert_eq!(games[0]["moves"].as_array().unwrap().len(), 3);
    let damaged = document["damaged"][0].as_str().unwrap();
    assert!(text.contains(&format!("Not listed: {damaged}")), "{text}");
    let one = folder.shown("games 1 --games saved --json");
    assert_eq!(serde_json::from_str::<Value>(&one).unwrap()["results"], document["results"]);
}
