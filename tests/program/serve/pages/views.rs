//! What holds for every view: nothing is forbidden, nothing is cut off, and little is loaded.

use std::fs;

use serde_json::json;

use super::{HOSTILE, VIEWS, Visit, text};

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn the_address_of_an_unknown_view_is_reported() {
    let mut visit = Visit::start(&[], &json!({ "opponent": "human" }));
    visit.open("nothing");
    visit.page.wait_until("document.querySelector('.board button[data-pit]') !== null");
    assert_eq!(text(&mut visit.page, "#complaint-text"), "There is no view nothing.");
    visit.open("learn");
    visit.page.wait_until("document.querySelector('#complaint').hidden");
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn without_scripts_the_page_explains_the_game_and_offers_nothing_else() {
    let mut visit = Visit::start(&[], &json!({}));
    visit.page.disable_scripts();
    visit.open("");
    let shown = visit.page.accessible();
    let with_role = |role: &str| {
        shown.iter().filter(|part| part[0] == role).map(|part| &part[1]).collect::<Vec<_>>()
    };
    assert_eq!(with_role("button"), [""; 0]);
    assert_eq!(with_role("link"), ["Kalah"]);
    let texts = with_role("StaticText");
    assert!(texts.iter().any(|text| text.contains("needs JavaScript")), "{texts:?}");
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn no_view_breaks_the_policy_or_is_cut_off_at_any_width() {
    let mut visit = Visit::start(&[], &json!({}));
    for width in [400, 1280, 2560] {
        visit.page.set_width(width);
        for (view, part) in VIEWS {
            visit.show(view, part);
            let cut = visit.page.value(
                "[...document.querySelectorAll('h1, h2, p, button, .board, .card')]
                    .filter((part) => part.checkVisibility()
                        && part.getBoundingClientRect().right > innerWidth)
                    .map((part) => part.outerHTML.slice(0, 80))",
            );
            assert_eq!(cut, json!([]), "{view} at {width} pixels");
            let needed = visit.page.value("document.documentElement.scrollWidth");
            assert!(needed.as_u64() <= Some(width.into()), "{view}: {needed} of {width} pixels");
            assert_eq!(text(&mut visit.page, "#complaint-text"), "", "{view} at {width} pixels");
        }
    }
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_view_that_is_left_while_it_loads_does_not_draw_over_the_next_one() {
    let mut visit = Visit::start(&[], &json!({}));
    visit.page.before_load(
        "const fetchNow = fetch;
        window.fetch = async (address, options) => {
            if (address === '/api/game') await new Promise((answer) => { window.answer = answer; });
            return fetchNow(address, options);
        };",
    );
    visit.open("explore");
    visit.page.wait_until("window.answer !== undefined");
    // An address that a view sets while it is being left has no effect.
    visit
        .page
        .value("location.hash = '#/learn'; history.replaceState(null, '', '#/explore?moves=A')");
    visit.page.wait_until("document.querySelector('#view .lessons li') !== null");
    visit.page.value("answer(), fetchNow('/api/boards').then((boards) => boards.json())");
    assert_eq!(text(&mut visit.page, "#view h1"), "Learn");
    assert_eq!(text(&mut visit.page, "#complaint-text"), "");
    assert_eq!(visit.page.value("location.hash"), "#/learn");
}

/// The bytes that the page has received so far, with the headers of answers.
fn received(visit: &mut Visit) -> u64 {
    let loaded = visit.page.events("Network.loadingFinished");
    let bytes = loaded.iter().map(|event| event["encodedDataLength"].as_u64().expect("bytes"));
    let frames = visit.page.events("Network.webSocketFrameReceived");
    let frames = frames.iter().filter_map(|event| event["response"]["payloadData"].as_str());
    bytes.sum::<u64>() + frames.map(|frame| frame.len() as u64).sum::<u64>()
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn the_first_view_takes_less_than_100_kilobytes_and_all_views_less_than_150() {
    let mut visit = Visit::start(&[], &json!({ "opponent": "starter", "side": "N" }));
    visit.open("");
    // The engine has moved first.
    let is_ready = "document.querySelector('.board button:not([aria-disabled=true])') !== null";
    visit.page.wait_until(is_ready);
    let bytes = received(&mut visit);
    assert!((10_000..100_000).contains(&bytes), "{bytes} bytes");
    for (view, part) in VIEWS {
        visit.show(view, part);
    }
    // The dialogues are loaded when they are first opened.
    visit.page.value(
        "Promise.all(['/editor.js', '/newgame.js'].map((file) => import(file))).then(() => 0)",
    );
    let bytes = received(&mut visit);
    assert!((50_000..150_000).contains(&bytes), "{bytes} bytes");
    let origin = visit.server.address.clone();
    let foreign = |url: &String| !url.starts_with(&origin) && !url.starts_with("data:");
    let requests = visit.page.requests();
    assert!(!requests.iter().any(foreign), "{requests:?}");
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn saved_games_with_hostile_names_are_text() {
    let mut visit = Visit::start(&[], &json!({}));
    let game = format!("[South \"{HOSTILE}\"]\n[North \"Bob\"]\n\n1. C {{{HOSTILE}}} A *\n");
    fs::write(visit.folder.path().join("hostile.kgn"), game).expect("a file");
    visit.open("play");
    visit.page.wait_until("document.querySelector('[data-is=saved] li a') !== null");
    visit.page.value("document.querySelector('[data-is=saved]').open = true");
    assert!(text(&mut visit.page, "[data-is=saved] li").starts_with(HOSTILE));
    visit.page.click("[data-is=saved] li a");
    visit.page.wait_until("document.querySelectorAll('.move-list .move').length === 2");
    assert!(text(&mut visit.page, ".board").contains(HOSTILE));
    visit.assert_no_script_ran();
    visit.open("analyse?saved=hostile.kgn");
    visit.page.wait_until("document.querySelectorAll('.tree .move').length === 2");
    assert_eq!(text(&mut visit.page, ".tree .comment"), HOSTILE);
    visit.assert_no_script_ran();
}
