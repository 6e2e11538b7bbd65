//! Playing on the page: whole games, and what interrupts them.

use kalah_game::{Capture, Pit, Position, Rules};
use serde_json::{Value, json};

use super::{Server, Visit, checked_position, moves, position_after, text};
use crate::browser::Browser;
use crate::browser::board::{seeds, shown_seeds};

/// Whether a person is to move or the game is over, after more moves than before.
fn is_ready_after(moves: usize) -> String {
    format!(
        "(() => {{
            const letters = document.querySelectorAll('.move-list .move');
            const isOver = !document.querySelector('[data-is=result]').hidden;
            const isAllowed = document.querySelector(
                '.board button[data-pit]:not([aria-disabled=true])') !== null;
            return letters.length >= {moves} && (isOver || isAllowed);
        }})()"
    )
}

/// A game against a player on a board, without the coach.
fn settings(opponent: &str, [pits, seeds]: [u32; 2], capture: Capture) -> Value {
    let (capture, help) = (capture.to_string(), false);
    json!({ "side": "S", "opponent": opponent, "pits": pits, "seeds": seeds, "capture": capture,
        "coach": help })
}

fn start_of([pits, seeds]: [u32; 2], capture: Capture) -> Position {
    Position::start(Rules::new(pits, seeds, capture).expect("rules"))
}

fn selector(position: &Position, pit: Pit) -> String {
    format!("[data-pit={}]", pit.letter(position.side()))
}

/// A pit that varies from move to move, so that games have captures and extra turns.
fn choice(position: &Position, number: usize) -> Pit {
    let pits = position.moves();
    let index = number * 7 % pits.len();
    pits.into_iter().nth(index).expect("a move")
}

/// Holds requests for the engine's move back, in `held`, until they are released.
const HOLD_REPLIES: &str = "
    window.held = [];
    const sent = window.fetch;
    window.fetch = (path, options) => (held && /\"intent\":\"reply\"/.test(options?.body)
        ? new Promise((resolve) => held.push(() => resolve(sent(path, options))))
        : sent(path, options));
    0";
const RELEASE_REPLIES: &str = "held.forEach((send) => send()); held = undefined; 0";

/// Plays until the end; compares the board with the rules whenever a person may move.
pub(super) fn play_to_the_end(
    page: &mut Browser,
    start: &Position,
    mut sow: impl FnMut(&mut Browser, &Position, Pit),
) -> Position {
    let mut count = 0;
    loop {
        page.wait_until(&is_ready_after(count));
        let position = checked_position(page, start);
        if position.is_over() {
            return position;
        }
        count = moves(page).len() + 1;
        sow(page, &position, choice(&position, count));
    }
}

/// The only saved game, once it has a result.
fn finished_game(visit: &Visit) -> kalah_record::Game {
    let saved = visit.wait_for_saved(|games| games.len() == 1 && games[0].ending().is_some());
    saved.into_iter().next().expect("a game")
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn an_address_with_neither_a_position_nor_a_level_opens_a_game() {
    let visit = Visit::start(&[], &json!({}));
    let mut page = visit.page.sibling();
    page.open(&format!("{}#/play?pits=3", visit.server.address));
    page.wait_until(&is_ready_after(0));
    assert_eq!(page.errors(), [""; 0]);
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_whole_game_by_mouse_is_sown_judged_and_saved() {
    let (board, capture) = ([6, 4], Capture::Standard);
    let mut visit = Visit::start(&[], &settings("starter", board, capture));
    visit.open("play");
    let start = start_of(board, capture);
    let end = play_to_the_end(&mut visit.page, &start, |page, position, pit| {
        page.click(&selector(position, pit));
    });
    let game = finished_game(&visit);
    assert_eq!(game.position(), &end);
    let played: String = game.steps().iter().map(|step| step.played.letter()).collect();
    assert_eq!(played, moves(&mut visit.page));
    let [south, north] = kalah_game::Side::BOTH.map(|side| end.store(side));
    let result = text(&mut visit.page, "[data-is=result]");
    assert!(result.contains(&format!("{} to {}", south.max(north), south.min(north))), "{result}");
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_whole_game_by_keys_and_touch_fits_a_phone() {
    let (board, capture) = ([6, 3], Capture::Standard);
    let mut visit = Visit::start(&[], &settings("starter", board, capture));
    visit.page.become_phone(390);
    visit.open("play");
    let start = start_of(board, capture);
    play_to_the_end(&mut visit.page, &start, |page, position, pit| {
        let needed = page.value("document.documentElement.scrollWidth");
        assert!(needed.as_u64() <= Some(390), "{needed} pixels");
        // About half of the moves are made by touch, the others by key.
        if position.in_play() % 2 == 0 {
            page.tap(&selector(position, pit));
        } else {
            page.press(&pit.letter(position.side()).to_lowercase().to_string());
        }
    });
    finished_game(&visit);
    visit.assert_no_errors();
}

/// Plays two people's games on these boards, by keys.
fn compare_boards_with_rules(boards: &[[u32; 2]], capture: Capture) {
    let mut visit = Visit::start(&[], &settings("human", [6, 4], capture));
    for &board in boards {
        let start = start_of(board, capture);
        visit.choose(&json!({ "game": settings("human", board, capture) }));
        visit.begin();
        visit.page.wait_until(&format!(
            "document.querySelectorAll('[data-pit]').length === {}",
            2 * start.pits()
        ));
        play_to_the_end(&mut visit.page, &start, |page, position, pit| {
            page.press(&pit.letter(position.side()).to_lowercase().to_string());
        });
    }
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn boards_show_what_the_rules_say() {
    compare_boards_with_rules(&[[6, 4], [9, 1]], Capture::Standard);
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn boards_show_what_the_rules_say_with_empty_captures() {
    compare_boards_with_rules(&[[4, 3]], Capture::EmptyCapture);
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_game_survives_reloading_even_while_the_engine_thinks() {
    let (board, capture) = ([6, 4], Capture::Standard);
    let mut visit = Visit::start(&[], &settings("500ms", board, capture));
    visit.open("play");
    visit.page.wait_until(&is_ready_after(0));
    // C ends in the store, and South moves again.
    visit.page.click("[data-pit=C]");
    visit.page.wait_until(&is_ready_after(1));
    // The address names the game as soon as it is saved.
    visit.page.wait_until("location.hash.endsWith('.kgn')");
    visit.page.reload();
    visit.page.wait_until(&is_ready_after(1));
    assert_eq!(moves(&mut visit.page), "C");
    checked_position(&mut visit.page, &start_of(board, capture));
    visit.page.click("[data-pit=A]");
    visit.wait_for_saved(|games| games[0].steps().len() >= 2);
    visit.page.reload();
    visit.page.wait_until(&is_ready_after(3));
    let position = checked_position(&mut visit.page, &start_of(board, capture));
    assert!(moves(&mut visit.page).starts_with("CA"), "{position}");
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn two_pages_play_two_games() {
    let (board, capture) = ([6, 4], Capture::Standard);
    let mut visit = Visit::start(&[], &settings("starter", board, capture));
    let mut other = visit.page.sibling();
    visit.open("play");
    other.open(&format!("{}#/play", visit.server.address));
    let start = start_of(board, capture);
    let mut counts = [0, 0];
    // A page that opens after the first move would follow the game of the other.
    visit.page.wait_until(&is_ready_after(0));
    other.wait_until(&is_ready_after(0));
    for round in 0..6 {
        for (index, page) in [&mut visit.page, &mut other].into_iter().enumerate() {
            page.wait_until(&is_ready_after(counts[index]));
            let position = checked_position(page, &start);
            counts[index] = moves(page).len() + 1;
            page.click(&selector(&position, choice(&position, round + index)));
        }
    }
    let letters = [(&mut visit.page, counts[0]), (&mut other, counts[1])].map(|(page, count)| {
        page.wait_until(&is_ready_after(count));
        moves(page)
    });
    assert_ne!(letters[0], letters[1]);
    let saved = visit.wait_for_saved(|games| {
        games.len() == 2 && games.iter().all(|game| game.steps().len() >= 6)
    });
    for game in saved {
        let played: String = game.steps().iter().map(|step| step.played.letter()).collect();
        assert!(letters.iter().any(|letters| letters.starts_with(&played)), "{played}");
    }
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_restarted_server_finds_the_game_where_it_was() {
    let (board, capture) = ([6, 4], Capture::Standard);
    let mut visit = Visit::start(&[], &settings("starter", board, capture));
    visit.open("play");
    visit.page.wait_until(&is_ready_after(0));
    visit.page.click("[data-pit=C]");
    visit.page.wait_until(&is_ready_after(1));
    visit.server.kill();
    visit.page.click("[data-pit=A]");
    visit.page.wait_until("!document.querySelector('#offline').hidden");
    let said = text(&mut visit.page, "#offline");
    assert!(said.contains("Nothing is lost"), "{said}");
    visit.restart();
    visit.page.wait_until("document.querySelector('#offline').hidden");
    visit.page.wait_until(&is_ready_after(3));
    let start = start_of(board, capture);
    checked_position(&mut visit.page, &start);
    let letters = moves(&mut visit.page);
    assert!(letters.starts_with("CA"), "{letters}");
    // The page saves the moves one after the other.
    let saved =
        visit.wait_for_saved(|games| games.len() == 1 && games[0].steps().len() >= letters.len());
    assert_eq!(saved[0].position(), &position_after(&start, &letters));
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn screen_readers_announce_every_pit_and_every_move() {
    let (board, capture) = ([6, 4], Capture::Standard);
    let mut visit = Visit::start(&[], &settings("human", board, capture));
    visit.open("play");
    visit.page.wait_until(&is_ready_after(0));
    visit.page.click("[data-pit=B]");
    visit.page.wait_until(&is_ready_after(1));
    let position = checked_position(&mut visit.page, &start_of(board, capture));
    let heard = visit.page.accessible();
    for (place, seeds) in crate::browser::board::seeds(&position) {
        let seeds = if seeds == 1 { "1 seed".to_owned() } else { format!("{seeds} seeds") };
        let (role, name) = if let Some(side) = place.strip_suffix(" store") {
            ("image", format!("{side}’s store: {seeds}"))
        } else {
            let side = if place.as_str() < "a" { "South" } else { "North" };
            ("button", format!("{side}’s pit {place}: {seeds}"))
        };
        let found = heard.iter().any(|thing| thing[0] == role && thing[1] == name);
        assert!(found, "{role} {name}: {heard:?}");
    }
    let sentence = "South sowed B";
    let announced =
        heard.iter().any(|[role, name, _]| role == "StaticText" && name.starts_with(sentence));
    assert!(announced, "{heard:?}");
    let is_live = "[...document.querySelectorAll('[aria-live=polite] > *')].at(-1).textContent";
    let last = visit.page.value(is_live);
    assert!(last.as_str().is_some_and(|last| last.starts_with(sentence)), "{last}");
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn seeds_move_one_by_one_unless_motion_is_reduced() {
    let (board, capture) = ([6, 4], Capture::Standard);
    let mut visit = Visit::start(&[], &settings("human", board, capture));
    let watch = "(() => {
        window.moving = window.farthest = 0;
        new MutationObserver(() => {
            const seeds = document.querySelectorAll('.loose');
            window.moving += seeds.length + document.querySelectorAll('.flag').length;
            // A seed passes every place before its own.
            for (const seed of seeds) {
                const frames = seed.getAnimations()[0]?.effect.getKeyframes().length ?? 0;
                window.farthest = Math.max(window.farthest, (frames - 1) / 2);
            }
        }).observe(document.querySelector('.board'), { childList: true, subtree: true });
    })()";
    // Without a chosen pace, the system's preference decides.
    visit.choose(&json!({ "pace": null }));
    visit.open("play");
    visit.page.wait_until(&is_ready_after(0));
    visit.page.value(watch);
    for (count, preference) in ["reduce", "no-preference"].into_iter().enumerate() {
        visit.page.prefer("prefers-reduced-motion", preference);
        let position = checked_position(&mut visit.page, &start_of(board, capture));
        let pit = choice(&position, 1);
        let sown = position.row(position.side())[pit.index()];
        visit.page.click(&selector(&position, pit));
        visit.page.wait_until(&is_ready_after(count + 1));
        let moved = visit.page.value("window.farthest");
        assert_eq!(moved, if preference == "reduce" { 0 } else { sown }, "{preference}");
    }
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn two_pages_with_one_game_keep_both_lines() {
    let (board, capture) = ([6, 4], Capture::Standard);
    let mut visit = Visit::start(&[], &settings("human", board, capture));
    visit.open("play");
    visit.page.wait_until(&is_ready_after(0));
    visit.page.press("A");
    visit.page.wait_until("location.hash.endsWith('.kgn')");
    let hash = visit.page.value("location.hash");
    let mut other = visit.page.sibling();
    other.open(&format!("{}{}", visit.server.address, hash.as_str().expect("an address")));
    other.wait_until(&is_ready_after(1));
    other.press("a");
    // The pages of one browser follow each other.
    visit.page.wait_until(&is_ready_after(2));
    checked_position(&mut visit.page, &start_of(board, capture));
    // Another browser's page is not heard.
    other.value("BroadcastChannel.prototype.postMessage = () => {}; 0");
    other.press("B");
    visit.wait_for_saved(|games| games[0].steps().len() == 3);
    visit.page.press("C");
    visit.page.wait_until("document.querySelector('#complaint').checkVisibility()");
    let said = text(&mut visit.page, "#complaint-text");
    assert!(said.starts_with("This game was also continued in another tab"), "{said}");
    assert!(!said.contains(".kgn"), "{said}");
    visit.page.wait_until(&format!("location.hash.endsWith('.kgn') && location.hash !== {hash}"));
    let mut lines: Vec<String> = visit
        .saved()
        .iter()
        .map(|game| game.steps().iter().map(|step| step.played.letter()).collect())
        .collect();
    lines.sort();
    assert_eq!(lines, ["AaB", "AaC"]);
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_tab_does_not_offer_to_continue_a_game_that_another_tab_plays() {
    let mut visit = Visit::start(&[], &settings("expert", [6, 4], Capture::Standard));
    // The engine does not answer.
    visit.page.before_load(HOLD_REPLIES);
    visit.open("play");
    // C ends in the store. A game of one move would not be offered.
    for (count, key) in ["c", "a"].into_iter().enumerate() {
        visit.page.wait_until(&is_ready_after(count));
        visit.page.press(key);
    }
    visit.wait_for_saved(|games| games.first().is_some_and(|game| game.steps().len() == 2));
    let hash = visit.page.value("location.hash");
    let mut other = visit.page.sibling();
    other.before_load(
        "window.asked = 0;
        const post = BroadcastChannel.prototype.postMessage;
        BroadcastChannel.prototype.postMessage = function count(message) {
            if (message.what === 'awaited?') asked += 1;
            post.call(this, message);
        };",
    );
    other.open(&visit.server.address);
    other.wait_until("asked >= 2");
    assert_eq!(other.value("location.hash"), hash);
    let is_offered = "document.querySelector('.advice button')?.textContent === 'Continue'";
    assert_eq!(other.value(is_offered), false);
    // Once the first tab has left the game, the second one may continue it.
    visit.open("learn");
    other.wait_until(is_offered);
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn an_empty_pit_is_named() {
    let (board, capture) = ([6, 4], Capture::Standard);
    let mut visit = Visit::start(&[], &settings("human", board, capture));
    visit.open("play");
    visit.page.wait_until(&is_ready_after(0));
    // The right button marks a pit until the next move.
    let mark = "document.querySelector('[data-pit=b]').dispatchEvent(
        new PointerEvent('contextmenu', { bubbles: true, cancelable: true }))";
    assert_eq!(visit.page.value(mark), false);
    let label = "document.querySelector('[data-pit=b]').ariaLabel.endsWith(', marked')";
    assert_eq!(visit.page.value(label), true);
    // So do two keys.
    for is_marked in [false, true] {
        visit.page.press("x");
        visit.page.press("b");
        assert_eq!(visit.page.value(label), is_marked);
    }
    // C ends in the store, and South moves again.
    for count in 1..=2 {
        visit.page.press("c");
        visit.page.wait_until(&is_ready_after(1));
        let said = text(&mut visit.page, "[data-is=advice]");
        assert_eq!(said.contains("Pit C is empty."), count == 2, "{said}");
        assert_eq!(visit.page.value(label), false);
    }
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn earlier_positions_can_be_viewed_without_leaving_the_game() {
    let (board, capture) = ([6, 4], Capture::Standard);
    let mut visit = Visit::start(&[], &settings("human", board, capture));
    let start = start_of(board, capture);
    visit.open("play");
    for (count, key) in (0..).zip(["c", "a", "b"]) {
        visit.page.wait_until(&is_ready_after(count));
        visit.page.press(key);
    }
    visit.page.wait_until(&is_ready_after(3));
    let is_shown = |page: &mut Browser, moves: &str| {
        assert_eq!(shown_seeds(page), seeds(&position_after(&start, moves)), "{moves}");
    };
    visit.page.press("ArrowLeft");
    is_shown(&mut visit.page, "CA");
    // No pit of an earlier position can be sown.
    visit.page.press("c");
    assert_eq!(
        visit.page.value("document.querySelectorAll('.pit[aria-disabled=false]').length"),
        0
    );
    visit.page.click("[data-look='1']");
    is_shown(&mut visit.page, "C");
    visit.page.click(".steps [data-do=first]");
    is_shown(&mut visit.page, "");
    visit.page.press("ArrowRight");
    is_shown(&mut visit.page, "C");
    visit.page.click(".steps [data-do=last]");
    is_shown(&mut visit.page, "CAb");
    // The keys that the buttons name.
    visit.page.press("Home");
    is_shown(&mut visit.page, "");
    visit.page.press("End");
    is_shown(&mut visit.page, "CAb");
    assert_eq!(moves(&mut visit.page), "CAb");
    let position = checked_position(&mut visit.page, &start);
    visit.page.click(&selector(&position, choice(&position, 1)));
    visit.page.wait_until(&is_ready_after(4));
    checked_position(&mut visit.page, &start);
    visit.assert_no_errors();
}

// The page asks for the game in its file when the reader comes back to it; the answer may already
// have a move that was made here in the meantime.
#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_page_does_not_follow_its_own_move() {
    let mut visit = Visit::start(&[], &settings("beginner", [6, 4], Capture::Standard));
    visit.open("play");
    visit.page.wait_until(&is_ready_after(0));
    visit.page.click("[data-pit=C]");
    visit.page.wait_until(&is_ready_after(1));
    visit.page.wait_until("location.hash.endsWith('.kgn')");
    visit.page.value(HOLD_REPLIES);
    visit.page.value(
        "window.asked = 0;
        window.answered = 0;
        const fetched = window.fetch;
        const isReleased = new Promise((release) => { window.release = release; });
        window.fetch = async (path, options) => {
            if (path !== '/api/play' || /intent/.test(options.body)) return fetched(path, options);
            asked += 1;
            await isReleased;
            const answer = await fetched(path, options);
            setTimeout(() => { answered += 1; }, 200);
            return answer;
        };
        dispatchEvent(new Event('focus'));
        0",
    );
    visit.page.wait_until("asked > 0");
    visit.page.click("[data-pit=A]");
    visit.page.wait_until("held.length > 0");
    visit.wait_for_saved(|games| games[0].steps().len() == 2);
    visit.page.value("release(); 0");
    visit.page.wait_until("answered === asked");
    let waits = "document.querySelector('.advice button')?.textContent === 'Continue'";
    assert_eq!(visit.page.value(waits), false);
    visit.page.value(RELEASE_REPLIES);
    visit.page.wait_until(&is_ready_after(3));
    visit.assert_no_errors();
}

// The test holds the search back, because a busy machine could miss the time that it takes.
#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_reply_ends_the_view_of_an_earlier_position() {
    let (board, capture) = ([6, 4], Capture::Standard);
    let mut visit = Visit::start(&[], &settings("beginner", board, capture));
    visit.open("play");
    visit.page.wait_until(&is_ready_after(0));
    visit.page.value(HOLD_REPLIES);
    visit.page.click("[data-pit=A]");
    visit.page.wait_until("document.querySelector('.thinking') !== null && held.length > 0");
    visit.page.press("ArrowLeft");
    assert_eq!(visit.page.value("document.querySelector('.board.preview') !== null"), true);
    visit.page.value(RELEASE_REPLIES);
    visit.page.wait_until(&is_ready_after(2));
    visit.page.wait_until("document.querySelector('.board.preview') === null");
    checked_position(&mut visit.page, &start_of(board, capture));
    visit.assert_no_errors();
}

// The answer is lost on its way to a view that was left.
#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_reply_that_was_saved_but_not_heard_is_found_again() {
    let mut visit = Visit::start(&[], &settings("depth=1", [6, 4], Capture::Standard));
    visit.open("play?position=<6,0,0,1,1,1,1,1,1,1,1,1,1,1,0>+S");
    visit.page.wait_until(&is_ready_after(0));
    visit.page.value(
        "window.sent = window.fetch;
        window.fetch = (path, options) => {
            if (!/\"intent\":\"reply\"/.test(options?.body)) return sent(path, options);
            const { signal, ...others } = options;
            window.heard = sent(path, others);
            return new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        };
        0",
    );
    visit.page.click("[data-pit=A]");
    visit.wait_for_saved(|games| games.first().is_some_and(|game| game.steps().len() == 2));
    visit.page.click("nav [data-view=learn]");
    visit.page.wait_until("document.querySelector('.lessons li') !== null");
    visit.page.value("window.fetch = sent; 0");
    visit.page.click("nav [data-view=play]");
    visit.page.wait_until(&is_ready_after(2));
    assert_eq!(visit.saved().len(), 1);
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_move_whose_answer_was_lost_is_not_made_twice() {
    let mut visit = Visit::start(&[], &settings("human", [6, 4], Capture::Standard));
    visit.open("play");
    visit.page.wait_until(&is_ready_after(0));
    visit.page.click("[data-pit=A]");
    visit.page.wait_until(&is_ready_after(1));
    visit.page.click("[data-do=takeBack]");
    visit.page.wait_until("document.querySelectorAll('.move-list .move').length === 0");
    visit.page.wait_until(&is_ready_after(0));
    visit.page.value(
        "window.sent = window.fetch;
        window.fetch = async (path, options) => {
            const answer = await sent(path, options);
            if (!/\"intent\":/.test(options?.body)) return answer;
            window.fetch = sent;
            throw new TypeError('lost');
        };
        0",
    );
    visit.page.click("[data-pit=B]");
    visit.page.wait_until(&is_ready_after(1));
    assert_eq!(moves(&mut visit.page), "B");
    assert_eq!(visit.saved().len(), 1);
    assert_eq!(text(&mut visit.page, "#complaint-text"), "");
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_game_that_is_not_saved_survives_a_reload() {
    let mut visit = Visit::start(&[], &json!({}));
    visit.server = Server::start(&["--no-save"]);
    let game = settings("human", [6, 4], Capture::Standard);
    visit.choose(&json!({ "game": game, "pace": { "name": "off" } }));
    visit.open("play");
    for (count, key) in ["a", "a", "b"].into_iter().enumerate() {
        visit.page.wait_until(&is_ready_after(count));
        visit.page.press(key);
    }
    visit.page.wait_until(&is_ready_after(3));
    visit.page.reload();
    visit.page.wait_until(&is_ready_after(3));
    assert_eq!(moves(&mut visit.page), "AaB");
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_move_that_fails_is_taken_from_the_board() {
    let mut visit = Visit::start(&[], &settings("human", [6, 4], Capture::Standard));
    visit.open("play");
    visit.page.wait_until(&is_ready_after(0));
    visit.page.value(
        "window.sent = window.fetch;
        window.fetch = (path, options) => (/\"intent\":/.test(options?.body)
            ? Promise.resolve(new Response('{\"error\":\"no\"}', { status: 500 }))
            : sent(path, options));
        0",
    );
    visit.page.click("[data-pit=A]");
    visit.page.wait_until("document.querySelector('#complaint').checkVisibility()");
    visit.page.wait_until(&is_ready_after(0));
    checked_position(&mut visit.page, &start_of([6, 4], Capture::Standard));
    visit.page.value("window.fetch = sent; 0");
    visit.page.click("[data-pit=A]");
    visit.page.wait_until(&is_ready_after(1));
    checked_position(&mut visit.page, &start_of([6, 4], Capture::Standard));
}
