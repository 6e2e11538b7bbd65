//! Analysis on the page: margins, links, and games from outside.

use std::collections::{BTreeMap, BTreeSet};

use kalah_engine::solve::{Solver, SolverSettings};
use kalah_game::{Capture, Position, Rules, Side};
use serde_json::{Value, json};

use super::{HOSTILE, Visit, checked_line, position_after, text};

/// South's exact margin after each move, by its letter.
pub(super) fn solved(position: &Position) -> BTreeMap<String, i32> {
    let mut solver = Solver::new(position, SolverSettings::default()).expect("a solver");
    let mut solve = |child: &Position| {
        if child.is_over() {
            return child.margin(Side::South).0;
        }
        let solution = solver.solve(child, &mut |_| true).expect("a solution");
        child.side().view_of(solution.margin).0
    };
    let children = position.children();
    children.map(|(played, child)| (played.letter().to_string(), solve(&child))).collect()
}

/// What the notes on pits show: South's margin, with a star for the best moves of the player to
/// move.
fn expected_notes(position: &Position) -> BTreeMap<String, String> {
    let margins = solved(position);
    let best = margins.values().map(|&margin| position.side().view_of(margin)).max();
    let noted = margins.into_iter().map(|(pit, margin)| {
        let star = if Some(position.side().view_of(margin)) == best { "★" } else { "" };
        let shown = match margin.signum() {
            1 => format!("+{margin}"),
            0 => "0".to_owned(),
            _ => margin.to_string(),
        };
        (pit, format!("{star}{shown}"))
    });
    noted.collect()
}

/// The notes of proved margins on the pits.
const PROVED: &str = "Object.fromEntries([...document.querySelectorAll('[data-pit]')]
    .map((pit) => [pit.dataset.pit, pit.querySelector('.note.proved')?.textContent ?? ''])
    .filter(([, text]) => text))";

fn wait_for_notes(visit: &mut Visit, expected: &BTreeMap<String, String>) {
    // Stars move until all margins are proved.
    let expected = serde_json::to_string(expected).expect("JSON");
    visit.page.wait_until(&format!(
        "JSON.stringify(Object.fromEntries(Object.entries({PROVED}).sort())) === '{expected}'"
    ));
}

/// Opens a view of the analysis and waits until it is complete.
fn open(visit: &mut Visit, view: &str) {
    visit.open(view);
    visit.page.wait_until(IS_COMPLETE);
}

/// The engine has introduced itself, after which the layout no longer changes.
const IS_COMPLETE: &str = "document.querySelector('[data-of=threads]')?.value > 0";

fn link(start: &Position, moves: &str) -> String {
    let start_text = start.without_rule().to_string().replace(' ', "+");
    format!("analyse?position={start_text}&capture={}&moves={moves}", start.capture())
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn pits_show_the_exact_margins_of_a_solved_position() {
    let mut visit = Visit::start(&[], &json!({}));
    // With South to move, and with North.
    for (capture, moves) in [(Capture::Standard, "BCa"), (Capture::EmptyCapture, "A")] {
        let start = Position::start(Rules::new(4, 3, capture).expect("rules"));
        open(&mut visit, &link(&start, moves));
        let position = position_after(&start, moves);
        checked_line(&mut visit.page, &start, moves);
        let expected = expected_notes(&position);
        visit.page.click("[data-do=solve]");
        wait_for_notes(&mut visit, &expected);
        assert_eq!(expected.len(), position.moves().len());
        // The engine proves the same margins.
        visit.page.reload();
        visit.page.wait_until(IS_COMPLETE);
        visit.page.click("[data-of=toggle]");
        wait_for_notes(&mut visit, &expected);
        visit.page.click("[data-of=toggle]");
    }
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_link_is_a_position_and_the_back_button_returns() {
    let mut visit = Visit::start(&[], &json!({}));
    let start = Position::start(Rules::new(5, 4, Capture::EmptyCapture).expect("rules"));
    // Either case of a letter is accepted.
    open(&mut visit, &link(&start, "bac"));
    checked_line(&mut visit.page, &start, "BAc");
    // A different position opens in the same page.
    open(&mut visit, &link(&start, "BA"));
    checked_line(&mut visit.page, &start, "BA");
    visit.page.value("history.back()");
    checked_line(&mut visit.page, &start, "BAc");
    visit.page.press("ArrowLeft");
    checked_line(&mut visit.page, &start, "BA");
    visit.page.wait_until("location.hash.endsWith('moves=BA')");
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn pasted_games_are_text_whatever_they_contain() {
    let mut visit = Visit::start(&[], &json!({}));
    open(&mut visit, "analyse");
    visit.page.click("[data-tab=files]");
    let game = format!(
        "[South \"{HOSTILE}\"]\n[North \"Bob\"]\n[Position \"<3,0,0,2,2,2,2,2,2> S\"]\n\n\
         1. B {{{HOSTILE}}} A (1. A c) a *\n"
    );
    visit.page.click("[data-of=files] textarea");
    visit.page.type_text(&game);
    visit.page.click("[data-do=read]");
    visit.page.wait_until("document.querySelectorAll('.tree .move').length === 4");
    let start = Position::parse("<3,0,0,2,2,2,2,2,2> S", Capture::Standard).expect("a position");
    checked_line(&mut visit.page, &start, "BAa");
    assert_eq!(text(&mut visit.page, "h1"), format!("{HOSTILE} - Bob"));
    assert_eq!(text(&mut visit.page, ".tree .comment"), HOSTILE);
    visit.assert_no_script_ran();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn an_engine_that_thinks_with_all_threads_leaves_time_for_the_page() {
    /// Seconds of the browser's clock.
    const SPAN: f64 = 3.0;
    let mut visit = Visit::start(&[], &json!({}));
    visit.choose(&json!({ "engine": { "threads": 64 } }));
    open(&mut visit, "analyse");
    visit.page.click("[data-of=toggle]");
    let mut times: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    visit.page.wait_for_events("Network.webSocketFrameReceived", |events| {
        times = paces(events);
        let all: Vec<f64> = times.values().flatten().copied().collect();
        let last = all.iter().copied().fold(f64::MIN, f64::max);
        let first = all.iter().copied().fold(f64::MAX, f64::min);
        times.len() >= 6 && last - first > SPAN
    });
    let mut all: Vec<f64> = times.into_values().flatten().collect();
    all.sort_by(f64::total_cmp);
    let span = all[all.len() - 1] - all[0];
    // A pause follows each burst, but bursts that were delayed on the way may arrive together.
    assert!(all.len() as f64 <= 20.0 * span + 30.0, "{} in {span} s", all.len());
    let asked = visit.page.events("Network.webSocketFrameSent");
    let threads = asked.iter().filter_map(|event| event["response"]["payloadData"].as_str());
    let threads: BTreeSet<&str> = threads.filter(|line| line.contains(" Threads ")).collect();
    let available = std::thread::available_parallelism().expect("threads").get();
    if available > 1 {
        assert_eq!(threads, [&*format!("setoption name Threads value {available}")].into());
    }
    // The page still answers a click.
    visit.page.click("[data-of=toggle]");
    visit.page.wait_until("document.querySelector('[data-of=toggle]').ariaPressed === 'false'");
    visit.assert_no_errors();
}

/// When the `info` lines of each kind arrived.
fn paces(events: &[Value]) -> BTreeMap<String, Vec<f64>> {
    let mut times: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for event in events {
        let line = event["response"]["payloadData"].as_str().unwrap_or_default();
        let words: Vec<&str> = line.split(' ').collect();
        let after = |name: &str| {
            let place = words.iter().position(|word| *word == name)?;
            words.get(place + 1).copied()
        };
        let kind = match (after("multipv"), after("currmove")) {
            (Some(rank), _) => format!("pv {rank}"),
            (None, Some(_)) => "move".to_owned(),
            (None, None) => continue,
        };
        times.entry(kind).or_default().push(event["timestamp"].as_f64().expect("a time"));
    }
    times
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn comments_and_whole_analyses_survive_reloads_and_other_views() {
    let mut visit = Visit::start(&[], &json!({}));
    visit.choose(&json!({ "review": { "seconds": 0.1 } }));
    let start = Position::start(Rules::new(3, 2, Capture::Standard).expect("rules"));
    open(&mut visit, &link(&start, "BAa"));
    checked_line(&mut visit.page, &start, "BAa");
    let shown = "[...document.querySelectorAll('.tree .comment')].map((one) => one.textContent)";
    let wait_for = |visit: &mut Visit, comments: &[&str]| {
        let comments = json!(comments).to_string();
        visit.page.wait_until(&format!("JSON.stringify({shown}) === {comments:?}"));
    };
    // The field keeps the focus.
    visit.page.click("[aria-label='Comment on this move']");
    visit.page.type_text("quiet");
    wait_for(&mut visit, &["quiet"]);
    visit.page.reload();
    wait_for(&mut visit, &["quiet"]);
    visit.page.click("[data-do=first]");
    visit.page.click("[aria-label='Comment on the game']");
    visit.page.type_text("casual");
    wait_for(&mut visit, &["casual", "quiet"]);
    visit.page.wait_until(IS_COMPLETE);
    visit.page.click("[data-do=review]");
    visit.page.wait_until("document.querySelectorAll('.mistakes li').length === 2");
    visit.page.reload();
    let is_judged = "document.querySelectorAll('.mistakes li').length === 2";
    visit.page.wait_until(is_judged);
    wait_for(&mut visit, &["casual", "quiet"]);
    visit.open("learn");
    visit.page.wait_until("document.querySelector('.lessons li') !== null");
    visit.open("analyse");
    visit.page.wait_until(is_judged);
    wait_for(&mut visit, &["casual", "quiet"]);
    visit.assert_no_errors();
}

/// Focuses a list with the mouse. It does not open: the browser shows an open list in a process of
/// its own, which takes the keys until it has closed.
fn focus_by_mouse(visit: &mut Visit, list: &str) {
    visit
        .page
        .value("addEventListener('mousedown', (event) => event.preventDefault(), { once: true })");
    visit.page.click(list);
    let focused = format!(
        "(list => (list.focus(), list.matches(':focus:not(:open)')))
            (document.querySelector({list:?}))"
    );
    assert_eq!(visit.page.value(&focused), true, "{list}");
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn keys_step_through_the_game_after_a_choice_with_the_mouse() {
    let mut visit = Visit::start(&[], &json!({}));
    let start = Position::start(Rules::new(5, 4, Capture::Standard).expect("rules"));
    open(&mut visit, &link(&start, "BAc"));
    focus_by_mouse(&mut visit, "[data-of=lines]");
    for (key, moves) in [("ArrowLeft", "BA"), ("Home", ""), ("ArrowRight", "B"), ("End", "BAc")] {
        visit.page.press(key);
        checked_line(&mut visit.page, &start, moves);
    }
    visit.open("explore?moves=Ab");
    let start = Position::start(Rules::default());
    checked_line(&mut visit.page, &start, "Ab");
    visit.page.wait_until("document.querySelector('[data-of=openings] option') !== null");
    focus_by_mouse(&mut visit, "[data-of=openings] select");
    for (key, moves) in [("Home", ""), ("End", "Ab"), ("ArrowLeft", "A")] {
        visit.page.press(key);
        checked_line(&mut visit.page, &start, moves);
    }
    visit.page.wait_until("location.hash.startsWith('#/explore?')");
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn proved_values_differ_from_estimates_without_colours() {
    let mut visit = Visit::start(&[], &json!({}));
    visit.open("explore");
    visit.page.wait_until("document.querySelector('.board [data-pit]') !== null");
    visit.page.prefer("forced-colors", "active");
    let styles = visit.page.value(
        "['chip south', 'chip south proved', 'note north', 'note north proved'].map((kind) => {
            const one = document.createElement('span');
            one.className = kind;
            document.querySelector('#view').append(one);
            return getComputedStyle(one).borderTopStyle;
        })",
    );
    assert_eq!(styles, json!(["solid", "double", "solid", "double"]));
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn commands_and_links_can_be_pasted() {
    let mut visit = Visit::start(&[], &json!({}));
    open(&mut visit, "analyse");
    let start = Position::start(Rules::new(5, 4, Capture::Standard).expect("rules"));
    let texts = [
        (format!("position fen {start} moves B A c"), "BAc"),
        (format!("http://127.0.0.1:1/#/{}", link(&start, "BA")), "BA"),
        (format!("{{before}} [Position \"{start}\"] 1. B"), "B"),
    ];
    for (pasted, moves) in texts {
        visit.page.wait_until(IS_COMPLETE);
        visit.page.click("[data-tab=files]");
        visit.page.value("document.querySelector('[data-of=files] textarea').value = ''");
        visit.page.click("[data-of=files] textarea");
        visit.page.type_text(&pasted);
        visit.page.click("[data-do=read]");
        checked_line(&mut visit.page, &start, moves);
    }
    assert_eq!(text(&mut visit.page, ".tree .comment"), "before");
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_copied_link_opens_its_position_when_it_is_pasted() {
    let mut visit = Visit::start(&[], &json!({}));
    let start = Position::start(Rules::new(5, 4, Capture::EmptyCapture).expect("rules"));
    open(&mut visit, &link(&start, "BA"));
    checked_line(&mut visit.page, &start, "BA");
    let copied = visit.page.value(
        "navigator.clipboard.writeText = async (text) => { window.copied = text; };
        document.querySelector('[data-do=copyLink]').click();
        new Promise((resolve) => setTimeout(() => resolve(window.copied)))",
    );
    let copied = copied.as_str().expect("a link").to_owned();
    visit.page.click("[data-do=fresh]");
    visit.page.wait_until("document.querySelectorAll('[data-pit]').length === 12");
    visit.page.click("[data-tab=files]");
    visit.page.click("[data-of=files] textarea");
    visit.page.type_text(&copied);
    visit.page.click("[data-do=read]");
    checked_line(&mut visit.page, &start, "BA");
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn tabs_are_chosen_with_arrow_keys_and_are_one_stop_for_the_tab_key() {
    let mut visit = Visit::start(&[], &json!({}));
    open(&mut visit, "analyse?moves=CF");
    visit.page.click("[data-tab=analysis]");
    let state = "[...document.querySelectorAll('[role=tab]')].map((tab) => [tab.dataset.tab,
        tab.ariaSelected, tab.tabIndex, tab === document.activeElement,
        document.getElementById(tab.getAttribute('aria-controls')).checkVisibility()].join(' '))";
    let [analysis, openings, files] = [0, 1, 2].map(|shown| {
        let described =
            |index| if index == shown { "true 0 true true" } else { "false -1 false false" };
        let tabs = (0..).zip(["analysis", "openings", "files"]);
        json!(tabs.map(|(index, tab)| format!("{tab} {}", described(index))).collect::<Vec<_>>())
    });
    assert_eq!(visit.page.value(state), analysis);
    for (key, expected) in [
        ("ArrowRight", &openings),
        ("ArrowRight", &files),
        ("ArrowRight", &analysis),
        ("ArrowLeft", &files),
        ("Home", &analysis),
        ("End", &files),
    ] {
        visit.page.press(key);
        assert_eq!(&visit.page.value(state), expected, "{key}");
    }
    // The position shown has not changed.
    let start = Position::start(Rules::new(6, 4, Capture::Standard).expect("rules"));
    checked_line(&mut visit.page, &start, "CF");
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_view_that_was_just_opened_leaves_its_address_alone() {
    let visit = Visit::start(&[], &json!({}));
    for view in ["analyse", "analyse?moves=CFb"] {
        let mut page = visit.page.sibling();
        page.before_load(
            "window.stored = 0;
            const store = history.replaceState;
            history.replaceState = function (...place) {
                window.stored += 1;
                store.apply(this, place);
            };",
        );
        page.open(&format!("{}#/{view}", visit.server.address));
        let is_settled = "document.querySelector('.pit[aria-disabled=false]') !== null
            && document.querySelector('[data-of=play]').href !== ''";
        page.wait_until(is_settled);
        assert_eq!(page.value("window.stored"), 0, "{view}");
        assert_eq!(page.errors(), [""; 0]);
    }
}
