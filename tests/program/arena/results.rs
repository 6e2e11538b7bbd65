//! The results of a match: repeated games, adjudication, SPRT, pages.

use std::path::Path;

use kalah_arena::file;
use kalah_arena::schedule::{PlacedGames, Schedule};
use kalah_arena::standing::Standing;

use super::{deterministic, games};
use crate::folder::Folder;

#[test]
#[ignore = "slow: .ci/run"]
fn a_test_accepts_a_better_setting_and_rejects_an_equal_one() {
    let verdict = |file: &str, nodes: u32| {
        let options = "option.Hash=1 option.TableSeeds=0";
        let new = format!("-e 'kalah name=new nodes={nodes} {options}'");
        let old = format!("-e 'kalah name=old nodes=100 {options}'");
        let test = "--pairs 3000 -c 2 --sprt 'elo0=0 elo1=20'";
        // Undo the wrapping of sentences at 80 columns.
        Folder::new().run(&format!("match -o {file} {new} {old} {test}")).shown.replace('\n', " ")
    };
    let better = verdict("better.jsonl", 200);
    assert!(better.contains("accepts H1, a difference of 20 normalised Elo"), "{better}");
    let equal = verdict("equal.jsonl", 100);
    assert!(equal.contains("accepts H0, a difference of 0 normalised Elo"), "{equal}");
}

#[test]
#[ignore = "long: .ci/long"]
fn two_seeds_agree_within_their_error_bars_on_what_twice_the_nodes_are_worth() {
    let folder = Folder::new();
    let estimate = |seed: u32| {
        let file = format!("seed-{seed}.jsonl");
        let options = "option.Hash=1 option.TableSeeds=0";
        let new = format!("-e 'kalah name=new nodes=400 {options}'");
        let old = format!("-e 'kalah name=old nodes=200 {options}'");
        folder.shown(&format!("match -o {file} {new} {old} --pairs 300 -c 2 --seed {seed}"));
        let contents = file::read(&folder.path(&file)).unwrap();
        let schedule = Schedule::new(contents.config).unwrap();
        let mut games = PlacedGames::new();
        file::place(contents.games, &schedule, Path::new(&file), &mut games).unwrap();
        Standing::from_games(&schedule, &games).scores[&(0, 1)].strength().unwrap()
    };
    let [one, two] = [1, 2].map(estimate);
    let apart = (one.elo - two.elo).abs();
    let [one_error, two_error] =
        [one, two].map(|strength| (strength.elo_interval[1] - strength.elo_interval[0]) / 2.0);
    assert!(apart < one_error.hypot(two_error), "{one:?} {two:?}");
    assert!(one.elo_interval[0] > 0.0 && two.elo_interval[0] > 0.0, "{one:?} {two:?}");
}

#[test]
fn three_players_get_the_score_of_each_pairing() {
    let players = "-e 'kalah nodes=50 option.Hash=1 option.TableSeeds=0' -e greedy -e random";
    let summary = Folder::new().run(&format!("match -o x.jsonl -p 3 {players}")).shown;
    let row = |pairing: &str| {
        let row = summary.lines().find_map(|line| line.strip_prefix(pairing));
        row.unwrap_or_else(|| panic!("{pairing}: {summary}")).split_whitespace().collect::<Vec<_>>()
    };
    assert_eq!(row("pairing")[..4], ["wins", "draws", "losses", "points"]);
    for pairing in ["kalah - greedy", "kalah - random", "greedy - random"] {
        let counts: Vec<u32> = row(pairing)[..3].iter().filter_map(|n| n.parse().ok()).collect();
        assert_eq!((counts.len(), counts.iter().sum::<u32>()), (3, 6), "{summary}");
        assert!(row(pairing).contains(&"±"), "{summary}");
    }
}

#[test]
fn a_report_contains_the_conditions_and_every_game() {
    let folder = Folder::new();
    deterministic(&folder, "-o x.jsonl --report pages");
    let page = folder.read("pages/index.html");
    for condition in [
        ">kalah match -e 'kalah name=a nodes=300 option.Hash=1 option.TableSeeds=0' -e ",
        concat!(">kalah ", env!("CARGO_PKG_VERSION"), "</td>"),
        ">every player against every other, 12 pairs per pairing</td>",
        ">6 pits per row, 48 seeds, standard captures</td>",
    ] {
        assert!(page.contains(condition), "{condition}");
    }
    let games = games(&folder, "x.jsonl");
    for (number, game) in (1..).zip(&games) {
        let moves: String = game.steps().iter().map(|step| step.played.letter()).collect();
        assert!(page.contains(&format!("\"moves\":\"{moves}\"")), "game {number}");
        assert_eq!(page.matches(&format!("href=\"#game-{number}\"")).count(), 1);
    }
    let replayed = folder.run("replay x.jsonl --report again").with_unix_paths();
    assert_eq!(replayed.shown, "Page: again/index.html\n");
    assert_eq!(folder.read("again/index.html"), page);
    folder.shown("match merge x.jsonl --report merged");
    assert_eq!(folder.read("merged/index.html"), page);
}

/// The page of games in `.kgn` format.
fn page(kgn: &str) -> String {
    let folder = Folder::new();
    folder.write("games.kgn", kgn);
    folder.shown("replay games.kgn --report page");
    folder.read("page/index.html")
}

#[test]
fn one_game_gets_no_statistics() {
    for result in ["*", "0-1\n"] {
        let tag = if result == "*" { "" } else { "[Termination \"time\"]\n" };
        let page = page(&format!("[South \"a\"]\n[North \"b\"]\n{tag}\n1. C {result}"));
        let headings =
            page.split("<h2 id=").skip(1).map(|rest| rest.split(['>', '<']).nth(1).unwrap());
        assert_eq!(headings.collect::<Vec<_>>(), ["Game", "Conditions"]);
        assert!(!page.contains("Games: "), "{page}");
    }
}

#[test]
fn games_without_the_other_game_of_their_pair_are_on_the_page() {
    let games = [["a", "b", "one"], ["b", "a", "two"]].map(|[south, north, opening]| {
        format!(
            "[South \"{south}\"]\n[North \"{north}\"]\n[Opening \"{opening}\"]\n\
             [Termination \"time\"]\n\n0-1\n\n"
        )
    });
    let page = page(&games.concat());
    for shown in [
        "href=\"#game-1\">lost (time)",
        "href=\"#game-2\">won (time)",
        "<td class=\"short\">b</td>",
        ">a against b: 1 win, 0 draws, 1 loss (",
    ] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
}
