//! What a page keeps: settings, progress, positions and judgements survive reloads, changes of view
//! and new servers.

use serde_json::json;

use crate::wait_for;

use super::{Visit, checked_line, moves, text};
use kalah_game::{Capture, Position, Rules};

/// South to move; pit A loses six seeds.
const ENDING: &str = "<4,5,5,2,0,1,1,1,0,2,1> S";

const IS_READY: &str =
    "document.querySelector('.board button[data-pit]:not([aria-disabled=true])') !== null";

fn from_here(position: &str) -> String {
    format!("play?position={}&capture=standard", position.replace(' ', "+"))
}

/// Waits until the board has this many pits.
fn wait_for_pits(visit: &mut Visit, pits: usize) {
    let has_pits = format!("document.querySelectorAll('[data-pit]').length === {pits}");
    visit.page.wait_until(&has_pits);
    visit.page.wait_until(IS_READY);
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn settings_of_two_pages_merge_and_outlive_the_server() {
    let mut visit = Visit::start(&[], &json!({ "opponent": "human" }));
    let mut other = visit.page.sibling();
    visit.open("play");
    wait_for_pits(&mut visit, 12);
    // Both pages read the settings before either changes them.
    other.open(&format!("{}#/play", visit.server.address));
    other.wait_until(IS_READY);
    other.click("[data-do=options]");
    visit.page.click("[data-do=options]");
    visit.page.wait_until("document.querySelector('dialog')?.open === true");
    visit.page.value("document.querySelector('[name=pits]').value = 4; 0");
    visit.page.click("dialog .main");
    wait_for_pits(&mut visit, 8);
    other.wait_until("document.querySelector('dialog')?.open === true");
    other.value("document.querySelector('[name=seeds]').value = 3; 0");
    other.click("dialog .main");
    other.wait_until("document.querySelector('dialog').open === false");
    visit.page.click("#theme");
    let is_kept = |settings: &serde_json::Value| {
        let game = &settings["game"];
        game["pits"] == 4 && game["seeds"] == 3 && settings["theme"]["dark"].is_boolean()
    };
    wait_for("settings of both pages", || Some(visit.settings()).filter(is_kept));
    visit.server.kill();
    visit.restart();
    assert!(is_kept(&visit.settings()));
    visit.begin();
    wait_for_pits(&mut visit, 8);
    assert_eq!(text(&mut visit.page, "[data-pit=A] .seeds"), "3");
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_game_from_a_position_survives_a_reload_and_other_views() {
    let mut visit = Visit::start(&[], &json!({ "opponent": "human" }));
    visit.open(&from_here(ENDING));
    wait_for_pits(&mut visit, 8);
    for _ in 0..2 {
        visit.page.reload();
        wait_for_pits(&mut visit, 8);
        assert_eq!(text(&mut visit.page, "[data-pit=A] .seeds"), "2");
    }
    visit.open("learn");
    visit.page.wait_until("document.querySelector('.lessons li') !== null");
    visit.page.click("nav [data-view=play]");
    wait_for_pits(&mut visit, 8);
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_move_that_the_server_has_not_saved_yet_survives_a_reload_and_other_views() {
    let mut visit = Visit::start(&[], &json!({ "opponent": "human" }));
    visit.open(&from_here(ENDING));
    wait_for_pits(&mut visit, 8);
    // The server does not answer.
    visit.page.value("window.fetch = () => new Promise(() => {}); 0");
    visit.page.click("[data-pit=A]");
    visit.page.wait_until("history.state?.intent?.sow === 'A'");
    visit.page.reload();
    wait_for_pits(&mut visit, 8);
    assert_eq!(moves(&mut visit.page), "A");
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn every_view_shows_the_same_after_a_reload() {
    let mut visit = Visit::start(&[], &json!({ "opponent": "human" }));
    let views = [
        ("play", "document.querySelector('.board .name')?.dataset.score === '0'"),
        ("analyse?moves=CFb", "document.querySelectorAll('.tree .move').length === 3"),
        ("explore?moves=CFb", "document.querySelectorAll('.tree .move').length === 3"),
        ("learn", "document.querySelectorAll('.lessons li').length === 8"),
        ("learn/lessons/2", "document.querySelector('h1')?.textContent.startsWith('Lesson 2')"),
        ("learn/puzzles/3", "document.querySelector('h1')?.textContent.startsWith('Puzzle 3')"),
        ("watch", "document.querySelector('h1')?.textContent === 'Watch a match'"),
    ];
    for (view, is_shown) in views {
        visit.open(view);
        visit.page.wait_until(is_shown);
        visit.page.reload();
        visit.page.wait_until(is_shown);
        assert_eq!(text(&mut visit.page, "#complaint-text"), "", "{view}");
    }
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn judgements_survive_a_reload() {
    let settings = json!({ "opponent": "human", "coach": true });
    let mut visit = Visit::start(&[], &settings);
    visit.open(&from_here(ENDING));
    wait_for_pits(&mut visit, 8);
    visit.page.click("[data-pit=A]");
    let is_marked = "document.querySelector('.move-list .mark')?.textContent === '??'";
    visit.page.wait_until(is_marked);
    // The remedy is on the line of the message.
    let remedy = "document.querySelector('.advice.bad [data-do=takeBack]').checkVisibility()";
    assert_eq!(visit.page.value(remedy), true);
    visit.page.wait_until("location.hash.endsWith('.kgn')");
    visit.page.reload();
    visit.page.wait_until(is_marked);
    // At the end, a sentence leads to the move that decided the game.
    visit.page.press("a");
    visit.page.wait_until("document.querySelectorAll('.move-list .move').length === 2");
    visit.page.wait_until(IS_READY);
    visit.page.click("[data-do=resign]");
    visit.page.wait_until("document.querySelector('dialog.question')?.open === true");
    visit.page.click("dialog [value=yes]");
    visit.page.wait_until("document.querySelector('.linked') !== null");
    let said = text(&mut visit.page, ".linked");
    assert!(said.starts_with("South’s turn 1 decided the game: A let North capture 2"), "{said}");
    let line = "document.querySelector('.curve .now').x1.baseVal.value";
    let end = visit.page.value(line).as_f64();
    visit.page.click(".linked");
    visit.page.wait_until("document.querySelector('.hinted')?.dataset.pit === 'D'");
    assert_eq!(text(&mut visit.page, "[data-pit=A] .seeds"), "2");
    // The vertical line of the curve follows; the button keeps the focus at the start.
    visit.page.press("ArrowRight");
    let middle = visit.page.value(line).as_f64();
    visit.page.value("document.querySelector('[data-do=back]').focus(); 0");
    visit.page.click("[data-do=back]");
    let start = visit.page.value(line).as_f64();
    assert!(start < middle && middle < end, "{start:?}, {middle:?}, {end:?}");
    assert_eq!(visit.page.value("document.activeElement.dataset.do"), "back");
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn newcomers_are_encouraged_and_see_the_better_move_on_request() {
    let settings = json!({ "opponent": "starter", "coach": true });
    let mut visit = Visit::start(&[], &settings);
    visit.open(&from_here(ENDING));
    wait_for_pits(&mut visit, 8);
    visit.page.click("[data-pit=A]");
    let has_advice =
        "document.querySelector('.advice').textContent.includes('would gain about 6 seeds more')";
    visit.page.wait_until(has_advice);
    let said = text(&mut visit.page, ".advice");
    assert!(said.starts_with("There is more in this position. A different"), "{said}");
    assert_eq!(visit.page.value("document.querySelectorAll('.mark').length"), 0);
    visit.page.value("document.querySelector('.advice button').click()");
    let said = text(&mut visit.page, ".advice span");
    assert!(said.starts_with("A lets North capture 2"), "{said}");
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_reply_waits_for_the_end_of_a_demonstration() {
    let settings = json!({ "opponent": "starter", "coach": true });
    let mut visit = Visit::start(&[], &settings);
    visit.choose(&json!({ "pace": { "name": "normal" } }));
    visit.open(&from_here(ENDING));
    wait_for_pits(&mut visit, 8);
    // Whether an earlier position is shown whenever the board or the list of moves changes.
    visit.page.value(
        "window.seen = [];
        new MutationObserver(() => {
            const advice = document.querySelector('.remedies button');
            if (advice?.textContent === 'Show me') advice.click();
            const isEarlier = document.querySelector('.board').classList.contains('preview');
            const moves = document.querySelectorAll('.move-list .move').length;
            seen.push(`${isEarlier ? 'earlier' : 'current'} ${moves}`);
        }).observe(document.querySelector('.desk'), { attributes: true, childList: true, subtree: true });
        0",
    );
    visit.page.click("[data-pit=A]");
    visit.page.wait_until("document.querySelectorAll('.move-list .move').length >= 2");
    let seen = visit.page.value("seen.filter((one, index) => one !== seen[index - 1])");
    assert_eq!(seen, json!(["current 0", "current 1", "earlier 1", "current 1", "current 2"]));
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_review_that_fails_says_so() {
    let mut visit = Visit::start(&[], &json!({ "opponent": "human", "coach": false }));
    visit.page.before_load(
        "const reach = fetch;
        window.fetch = (path, options) => (path === '/api/judge'
            ? Promise.resolve(new Response('{\"error\":\"busy\"}', { status: 503 }))
            : reach(path, options));",
    );
    visit.open(&from_here(ENDING));
    wait_for_pits(&mut visit, 8);
    visit.page.click("[data-pit=A]");
    visit.page.wait_until("document.querySelectorAll('.move-list .move').length === 1");
    visit.page.click("[data-do=resign]");
    visit.page.wait_until("document.querySelector('dialog.question')?.open === true");
    visit.page.click("dialog [value=yes]");
    visit.page.wait_until("document.querySelector('.result')?.textContent.includes('busy')");
    let said = text(&mut visit.page, ".mistakes");
    assert!(said.contains("not all moves were judged") && !said.contains('…'), "{said}");
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_missing_game_is_named_in_a_sentence() {
    let mut visit = Visit::start(&[], &json!({}));
    for view in ["analyse?saved=gone.kgn", "play/gone.kgn"] {
        visit.open(view);
        visit.page.wait_until("document.querySelector('#complaint').checkVisibility()");
        assert_eq!(text(&mut visit.page, "#complaint-text"), "This game is no longer saved here.");
    }
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn giving_up_a_game_needs_a_confirmation() {
    let mut visit = Visit::start(&[], &json!({ "opponent": "human" }));
    visit.open("play");
    wait_for_pits(&mut visit, 12);
    visit.page.click("[data-pit=C]");
    visit.page.wait_until("document.querySelectorAll('.move-list .move').length === 1");
    let answer = |visit: &mut Visit, action: &str, answer: &str| {
        visit.page.click(&format!("[data-do={action}]"));
        visit.page.wait_until("document.querySelector('dialog.question')?.open === true");
        visit.page.click(&format!("dialog [value={answer}]"));
        visit.page.wait_until("document.querySelector('dialog.question') === null");
    };
    answer(&mut visit, "resign", "no");
    answer(&mut visit, "begin", "no");
    assert_eq!(moves(&mut visit.page), "C");
    assert_eq!(visit.page.value("document.querySelector('[data-is=result]').hidden"), true);
    answer(&mut visit, "resign", "yes");
    visit.page.wait_until("!document.querySelector('[data-is=result]').hidden");
    // Once the game is over, nothing is lost.
    let shown = "[...document.querySelectorAll('.controls .main')]
        .filter((one) => one.checkVisibility()).map((one) => one.dataset.do)";
    assert_eq!(visit.page.value(shown), json!(["rematch"]));
    visit.page.click("[data-do=begin]");
    visit.page.wait_until("document.querySelectorAll('.move-list .move').length === 0");
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_different_position_clears_the_results_of_the_last_one() {
    let mut visit = Visit::start(&[], &json!({}));
    visit.choose(&json!({ "review": { "seconds": 0.1 } }));
    let start = Position::start(Rules::new(3, 2, Capture::Standard).expect("rules"));
    let link = format!("analyse?position={}&moves=BAa", start.to_string().replace(' ', "+"));
    visit.open(&link);
    checked_line(&mut visit.page, &start, "BAa");
    visit.page.click("[data-do=review]");
    visit.page.wait_until("document.querySelectorAll('.mistakes li').length === 2");
    visit.page.click("[data-tab=files]");
    visit.page.click("[data-of=files] textarea");
    visit.page.type_text(&start.to_string());
    visit.page.click("[data-do=read]");
    checked_line(&mut visit.page, &start, "");
    let left = visit.page.value(
        "[document.querySelector('[data-of=review] [role=status]').textContent,
            document.querySelectorAll('.mistakes li, .note:not(:empty)').length,
            document.querySelector('[data-of=files] textarea').value,
            document.querySelector('[data-of=legend]').hidden,
            document.querySelector('[data-do=review]').disabled]",
    );
    assert_eq!(left, json!(["", 0, "", true, true]));
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn the_last_lesson_offers_the_first_game() {
    let mut visit = Visit::start(&[], &json!({ "opponent": "expert" }));
    visit.open("learn/lessons/8");
    for (number, pit) in (1..).zip(["d", "c", "e"]) {
        visit.page.wait_until(IS_READY);
        visit.page.press(pit);
        let is_answered = if number == 3 { "right" } else { "more" };
        visit.page.wait_until(&format!(
            "document.querySelector('.answer').classList.contains('{is_answered}')"
        ));
    }
    visit.page.click("[data-is=first-game]");
    wait_for_pits(&mut visit, 12);
    assert!(text(&mut visit.page, ".board .name.north").contains("starter"));
    assert_eq!(visit.page.value("document.querySelector('[data-is=coach]').checked"), true);
    visit.open("learn");
    visit.page.wait_until("document.querySelector('.lessons [aria-label=solved]') !== null");
    visit.assert_no_errors();
}
