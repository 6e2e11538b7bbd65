//! Matches on the page, while they are played.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use serde_json::json;

use super::{HOSTILE, Visit, text};
use crate::browser::board::{seeds, shown_seeds};

/// The lines of the file for a match of four games.
fn played_match(folder: &Path, name: &str) -> Vec<String> {
    let players = ["-e", &format!("random \"name={name}\""), "-e", "greedy"];
    let played = crate::kalah()
        .current_dir(folder)
        .args(["match", "-q", "-o", "whole.jsonl", "--pairs", "2"])
        .args(players)
        .output()
        .expect("kalah starts");
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    let text = fs::read_to_string(folder.join("whole.jsonl")).expect("a file");
    text.split_inclusive('\n').map(str::to_owned).collect()
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_match_grows_on_the_page_while_it_is_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let lines = played_match(folder.path(), "x");
    let games = super::read_games(&lines.concat());
    assert_eq!(games.len(), 4);
    let file = folder.path().join("match.jsonl");
    let begun = lines.len() - 2;
    fs::write(&file, lines[..begun].concat()).expect("a file");
    let file = file.to_str().expect("UTF-8");
    let mut visit = Visit::start(&[file], &json!({}));
    // Without a view in its address, the page opens the match.
    let address = visit.server.address.clone();
    visit.page.open(&address);
    visit.page.wait_until("document.querySelectorAll('#game option').length === 2");
    visit.page.value("window.isSamePage = true");
    visit.page.click("[data-is=following] input");
    let mut growing = OpenOptions::new().append(true).open(file).expect("the file");
    for (index, line) in lines.iter().enumerate().skip(begun) {
        growing.write_all(line.as_bytes()).expect("a line");
        let number = index + 1 - (lines.len() - games.len());
        visit.page.wait_until(&format!(
            "document.querySelectorAll('#game option').length === {number}
                && document.querySelector('#game').value === '{number}'"
        ));
        visit.page.wait_until(&format!(
            "document.querySelector('#view').innerText.includes('{number} of 4 finished')"
        ));
        visit.page.click("[data-do=last]");
        assert_eq!(shown_seeds(&mut visit.page), seeds(games[number - 1].position()));
    }
    assert_eq!(visit.page.value("window.isSamePage"), true);
    // A reload shows the same position.
    visit.page.click("[data-do=back]");
    let shown = games[3].steps().len() - 1;
    visit.page.wait_until(&format!("location.hash === '#/watch/1/4/{shown}'"));
    visit.page.reload();
    visit.page.wait_until("document.querySelector('#headline')?.textContent > ''");
    assert_eq!(shown_seeds(&mut visit.page), seeds(games[3].position_after(shown)));
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn names_of_players_are_text() {
    let folder = tempfile::tempdir().expect("a folder");
    played_match(folder.path(), HOSTILE);
    let file = folder.path().join("whole.jsonl");
    let file = file.to_str().expect("UTF-8");
    let mut visit = Visit::start(&[file], &json!({}));
    visit.open("watch/1");
    visit.page.wait_until("document.querySelectorAll('#game option').length === 4");
    visit.page.wait_until("document.querySelector('#headline').textContent !== ''");
    let headline = text(&mut visit.page, "#headline");
    assert!(headline.contains(HOSTILE), "{headline}");
    visit.assert_no_script_ran();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn the_address_of_an_unknown_match_or_game_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    played_match(folder.path(), "x");
    let file = folder.path().join("whole.jsonl");
    let file = file.to_str().expect("UTF-8");
    let mut visit = Visit::start(&[file], &json!({}));
    visit.open("watch/99");
    visit.page.wait_until("document.querySelector('h1')?.textContent === 'There is no match 99'");
    assert!(!text(&mut visit.page, "#view").contains("No game has finished"));
    // The existing matches can be chosen.
    visit.page.click("[data-is=matches] a");
    visit.page.wait_until("document.querySelectorAll('#game option').length === 4");
    visit.assert_no_errors();
    visit.open("watch/1/99");
    let complaint = "No finished game 99.";
    visit.page.wait_until(&format!(
        "document.querySelector('#complaint-text').textContent === '{complaint}'
            && document.querySelector('#game')?.value === '1'"
    ));
    // A number of moves beyond the end shows the end, and no number the start.
    let games = super::read_games(&fs::read_to_string(file).expect("a file"));
    for (moves, shown) in [("999", games[1].steps().len()), ("x", 0), ("-1", 0), ("1.5", 1)] {
        visit.open(&format!("watch/1/2/{moves}"));
        visit.page.wait_until(&format!("location.hash === '#/watch/1/2/{shown}'"));
        assert_eq!(shown_seeds(&mut visit.page), seeds(games[1].position_after(shown)));
    }
}
