//! The page of games in a browser: each move shows the position from the record.

use kalah_game::Position;
use kalah_record::Game;

use crate::browser::Browser;
use crate::browser::board::{seeds, shown_seeds};
use crate::folder::Folder;

/// Keys.
const HOME: &str = "Home";
const END: &str = "End";
const LEFT: &str = "ArrowLeft";
const RIGHT: &str = "ArrowRight";
const SPACE: &str = " ";

fn games(text: &str) -> Vec<Game> {
    kalah_record::format::read(text).expect("games").1
}

const PAGE: &str = "pages/index.html";

/// A match of three players with a page: its folder and the games.
fn played_match() -> (Folder, Vec<Game>) {
    let folder = Folder::new();
    let players =
        "-e 'kalah nodes=200 option.Hash=1 option.TableSeeds=0' -e greedy -e random --pairs 2";
    let printed = folder.shown(&format!("match -o x.jsonl {players} --report pages -q"));
    assert!(printed.ends_with("Page: pages/index.html\n"), "{printed}");
    let games = games(&folder.read("x.jsonl"));
    (folder, games)
}

fn assert_shows(browser: &mut Browser, position: &Position) {
    assert_eq!(shown_seeds(browser), seeds(position), "{position}");
    assert_eq!(text(browser, "#position"), position.without_rule().to_string());
}

fn text(browser: &mut Browser, selector: &str) -> String {
    let text = browser.value(&format!("document.querySelector({selector:?}).textContent"));
    text.as_str().expect("text").to_owned()
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn keys_step_through_a_game() {
    let mut browser = Browser::start();
    let (folder, games) = played_match();
    browser.open_file(&folder.path(PAGE));
    let game = &games[0];
    let moves = game.steps().len();
    // Keys belong to the page while the board is out of sight.
    browser.press(RIGHT);
    assert_shows(&mut browser, game.start());
    browser.value("document.querySelector('#games').scrollIntoView()");
    for number in 1..=moves {
        browser.press(RIGHT);
        assert_shows(&mut browser, game.position_after(number));
    }
    // There is nothing after the last move.
    browser.press(RIGHT);
    assert_shows(&mut browser, game.position());
    // The greedy player reports no expectations and has no curve.
    let caption = text(&mut browser, "#curve figcaption");
    let shown = "In seeds; up is better for South; blue: what kalah (South) expects; grey: the current lead";
    assert!(caption.starts_with(shown), "{caption}");
    let result = text(&mut browser, "#step");
    assert!(result.ends_with(&format!("Result: {}.", game.ending().unwrap())), "{result}");
    for (key, number) in [(LEFT, moves - 1), (HOME, 0), (LEFT, 0), (END, moves)] {
        browser.press(key);
        assert_shows(&mut browser, game.position_after(number));
    }
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn clicks_choose_a_game_and_step_through_it() {
    let mut browser = Browser::start();
    let (folder, games) = played_match();
    browser.open_file(&folder.path(PAGE));
    browser.click("details:has(table) summary");
    browser.click("a[href='#game-2']");
    // The page is notified of its new address only after the click.
    browser.wait_until("document.querySelector('#game').value === '2'");
    let game = &games[1];
    let moves = game.steps().len();
    for number in 0..=moves {
        assert_shows(&mut browser, game.position_after(number));
        browser.click("[data-do=next]");
    }
    for (step, number) in [("back", moves - 1), ("first", 0), ("last", moves)] {
        browser.click(&format!("[data-do={step}]"));
        assert_shows(&mut browser, game.position_after(number));
    }
    browser.click("#moves [data-move='7']");
    assert_shows(&mut browser, game.position_after(7));
    let current = text(&mut browser, "#moves [aria-current]");
    assert_eq!(current, game.steps()[6].played.letter().to_string());
    browser.click_at("#curve svg", 0.999);
    assert_shows(&mut browser, game.position());
    let requests = browser.requests();
    assert_eq!(requests.len(), 1, "only the page itself: {requests:?}");
    assert_eq!(browser.errors(), [""; 0]);
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn the_page_is_not_cut_off_at_any_window_width() {
    let mut browser = Browser::start();
    let (folder, _) = played_match();
    for width in [400, 1280, 2560] {
        browser.set_width(width);
        browser.open_file(&folder.path(PAGE));
        let needed = browser.value("document.documentElement.scrollWidth");
        assert!(needed.as_u64() <= Some(width.into()), "{needed} of {width} pixels");
        let cut = browser.value(
            "[...document.querySelectorAll('h1, h2, p, figure, .scroll')].filter((element) =>
                element.getBoundingClientRect().right > innerWidth).length",
        );
        assert_eq!(cut, 0, "at {width} pixels");
    }
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn printed_pages_show_every_table_and_the_end_of_the_game() {
    let mut browser = Browser::start();
    let (folder, games) = played_match();
    browser.open_file(&folder.path(PAGE));
    browser.print_media();
    browser.value("dispatchEvent(new Event('beforeprint')); 0");
    assert_shows(&mut browser, games[0].position());
    let shown = browser.value(
        "[...document.querySelectorAll('table')].map((table) =>
            table.checkVisibility({ contentVisibilityAuto: true }))",
    );
    let tables = shown.as_array().expect("tables");
    assert!(tables.len() > 2 && tables.iter().all(|is_shown| is_shown == true), "{tables:?}");
    // The game on the board stays where it is.
    browser.value("document.querySelector('[data-do=back]').click()");
    browser.value("dispatchEvent(new Event('beforeprint')); 0");
    assert_shows(&mut browser, games[0].position_after(games[0].steps().len() - 1));
}

/// A game between people: the pie rule, a comment, a variation, a different board.
const RECORD: &str = "[South \"Bo\"]\n[North \"Al <b>\"]\n\
    [Position \"<3,0,0,2,2,2,2,2,2> S\"]\n[PieRule \"yes\"]\n[SwappedAfter \"2\"]\n\n\
    1. B {a <i>good</i> one} A (1. A c) a *\n";

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_page_of_a_record_shows_its_lines_comments_and_swapped_names() {
    let mut browser = Browser::start();
    let folder = Folder::new();
    folder.write("game.kgn", RECORD);
    let printed = folder.shown("replay game.kgn --report pages");
    assert_eq!(printed, "Page: pages/index.html\n");
    let game = games(&folder.read("game.kgn")).remove(0);
    browser.open_file(&folder.path(PAGE));
    let name = "#board .name.south";
    assert_eq!(text(&mut browser, name), "Al <b> (South)");
    browser.press(RIGHT);
    assert_shows(&mut browser, game.position_after(1));
    let step =
        "Turn 1 of 2: Al <b> (South) sows B (2 seeds), banks 1, moves again, a <i>good</i> one.";
    assert_eq!(text(&mut browser, "#step"), step);
    browser.press(END);
    assert_shows(&mut browser, game.position());
    assert_eq!(text(&mut browser, name), "Bo (South)");
    browser.value("location.hash = '#game-1v1-2'; 0");
    let variation = &game.variations()[0];
    // The page's events follow the change in the value.
    browser.wait_until("document.querySelector('#game').value === '1v1'");
    assert_shows(&mut browser, &variation.steps()[1].after);
    // Each line has a button for the other where they diverge.
    let shared = game.shared_moves(variation);
    browser.click("#moves [data-line='1']");
    assert_shows(&mut browser, game.position_after(shared + 1));
    browser.click("#moves [data-line='1v1']");
    assert_shows(&mut browser, &variation.steps()[shared].after);
    assert_eq!(text(&mut browser, "#moves [data-line]"), "(1: a)");
}

/// A game whose players recorded their expectations. South lost its lead with F.
const WITH_EXPECTATIONS: &str = "[South \"Ann\"]\n[North \"Bob\"]\n[Result \"0-1\"]\n\
    [Termination \"resignation\"]\n\n1. C {+1.90} F {+1.50} d {-1.00} 2. A {-3.00} b {+3.50} 0-1\n";

/// A folder with the record and its page, and the page open in a browser.
fn open_record(record: &str) -> (Folder, Browser) {
    let mut browser = Browser::start();
    let folder = Folder::new();
    folder.write("game.kgn", record);
    folder.shown("replay game.kgn --report pages");
    browser.open_file(&folder.path(PAGE));
    (folder, browser)
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn mistakes_are_marked_counted_and_can_be_jumped_to() {
    let (_folder, mut browser) = open_record(WITH_EXPECTATIONS);
    let marked = browser.value(
        "[...document.querySelectorAll('#moves [data-mark]')].map(({ dataset }) =>
            [dataset.move, dataset.mark])",
    );
    assert_eq!(marked, serde_json::json!([["2", "?"]]));
    let counts = "Ann (South): 1 mistake in 2 judged moves.Bob (North): no marks in 1 judged move.";
    assert_eq!(text(&mut browser, "#counts"), counts);
    let decisive = "Turn 1 decided the game: Ann (South) sowed F and lost 4.5 seeds.";
    assert_eq!(text(&mut browser, "#decisive"), decisive);
    let meaning = text(&mut browser, "#marks");
    assert!(
        meaning.starts_with("?! is an inaccuracy, a loss of half a seed or more; ? is"),
        "{meaning}"
    );
    let step = "Turn 1 of 4: Ann (South) sows F (5 seeds), banks 1, expects South’s margin to be \
                +1.50. This mistake (?) loses 4.5 seeds.";
    for key in ["m", END, "M", "M", "m"] {
        browser.press(key);
        let shown = if key == END { "Turn 4 of 4" } else { step };
        assert!(text(&mut browser, "#step").starts_with(shown), "{key}");
    }
    browser.press(HOME);
    browser.click("#marked button");
    assert_eq!(text(&mut browser, "#step"), step);
    // North's expectation is also given from South's point of view, as in the curve.
    browser.press(RIGHT);
    let step = text(&mut browser, "#step");
    assert!(step.ends_with("expects South’s margin to be +1.00."), "{step}");
    // Lists, buttons and sentences use the same move numbers.
    assert_eq!(text(&mut browser, "#moves"), "SouthNorth1CF?2d3A4b");
    browser.click("#moves [data-move='4']");
    assert!(text(&mut browser, "#step").starts_with("Turn 3 of 4: Ann (South) sows A"));
    assert!(text(&mut browser, "#marked").starts_with("1. F?"));
}

/// Moves the clock of the page on by one step.
fn assert_steps_to(browser: &mut Browser, turn: &str) {
    browser.value("step(); 0");
    assert!(text(browser, "#step").starts_with(turn), "{turn}");
}

// The test moves the page's clock on, because a busy machine could miss a step that passes by itself.
#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn the_game_plays_by_itself_and_pauses() {
    let (_folder, mut browser) = open_record(WITH_EXPECTATIONS);
    let play = "[data-do=play]";
    browser.value(
        "window.setInterval = (step) => ((window.step = step), 1);
        window.clearInterval = () => (window.step = undefined);
        0",
    );
    browser.press(SPACE);
    assert_eq!(text(&mut browser, play).trim(), "Pause");
    assert_steps_to(&mut browser, "Turn 1 of 4: Ann (South) sows C");
    assert_steps_to(&mut browser, "Turn 1 of 4: Ann (South) sows F");
    browser.press(SPACE);
    assert_eq!(text(&mut browser, play).trim(), "Play");
    assert_eq!(browser.value("window.step === undefined"), true);
    browser.click(play);
    for turn in ["Turn 2 of 4", "Turn 3 of 4", "Turn 4 of 4"] {
        assert_steps_to(&mut browser, turn);
    }
    assert_eq!(text(&mut browser, play).trim(), "Play");
    assert_eq!(browser.value("window.step === undefined"), true);
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn the_board_is_flipped_and_pits_and_keys_have_names() {
    let (_folder, mut browser) = open_record(WITH_EXPECTATIONS);
    let before = shown_seeds(&mut browser);
    for (key, top) in [("", "Bob (North)"), ("y", "Ann (South)"), ("y", "Bob (North)")] {
        browser.press(key);
        assert_eq!(text(&mut browser, "#board .name.top"), top);
        assert_eq!(shown_seeds(&mut browser), before);
        let is_above = browser.value(
            "document.querySelector('[data-pit=f]').getBoundingClientRect().top
                < document.querySelector('[data-pit=A]').getBoundingClientRect().top",
        );
        assert_eq!(is_above, top.starts_with("Bob"));
    }
    let read = browser.accessible().into_iter();
    let names: Vec<String> = read.map(|[_, name, _]| name).collect();
    let pits = "ABCDEF".chars().map(|pit| format!("South’s pit {pit}: 4 seeds"));
    for name in pits.chain(["North’s store: 0 seeds".to_owned()]) {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    let keys = browser.value(
        "[...document.querySelectorAll('#games .keys kbd')].filter((key) =>
            key.checkVisibility()).map((key) => key.textContent)",
    );
    let keys: Vec<String> = serde_json::from_value(keys).expect("names");
    assert_eq!(keys, ["←", "→", "Home", "End", "Space", "y", "m", "Shift", "m"]);
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn games_are_copied_and_downloaded_whole() {
    let record = RECORD.replace(" *", " {(end); \\ \"q\"} *");
    let (folder, mut browser) = open_record(&record);
    browser.value("navigator.clipboard.writeText = async (text) => { window.copied = text; }; 0");
    for (action, copied) in
        [("copyPosition", "<3,0,0,2,2,2,2,2,2> S"), ("copyMoves", "BAa"), ("copyGame", "[")]
    {
        browser.click(&format!("[data-do={action}]"));
        let text = browser.value("window.copied");
        assert!(text.as_str().expect("text").starts_with(copied), "{action}: {text}");
        assert!(browser.value("document.querySelector('#said').textContent") != "", "{action}");
    }
    browser.download("[data-do=download]", folder.root());
    let saved = folder.read("game-1.kgn");
    let copied = browser.value("window.copied");
    assert_eq!(saved, copied.as_str().expect("text"));
    let [mut saved, written] = [saved, folder.read("game.kgn")].map(|text| games(&text));
    // The page numbers the games.
    saved[0].number = None;
    assert_eq!(saved, written);
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn only_the_script_and_the_style_of_the_page_are_allowed() {
    let (_folder, mut browser) = open_record(WITH_EXPECTATIONS);
    let is_styled = "getComputedStyle(document.querySelector('#board')).display";
    assert_eq!(browser.value(is_styled), "grid");
    let injected = browser.value(
        "(() => {
            const script = document.createElement('script');
            script.textContent = 'window.injected = true';
            const styled = document.createElement('p');
            styled.setAttribute('style', 'display: grid');
            document.body.append(script, styled);
            return [window.injected === true, getComputedStyle(styled).display];
        })()",
    );
    assert_eq!(injected, serde_json::json!([false, "block"]));
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_game_without_moves_or_expectations_has_no_empty_parts() {
    let record = "[South \"Ann\"]\n[North \"Bob\"]\n\n*\n";
    let (_folder, mut browser) = open_record(record);
    for part in ["#curve", "#mistakes", "#choice"] {
        let is_shown = format!("document.querySelector('{part}').checkVisibility()");
        assert_eq!(browser.value(&is_shown), false, "{part}");
    }
    assert_eq!(text(&mut browser, "#headline"), "Ann - Bob: unfinished");
    assert_eq!(text(&mut browser, "#step"), "No moves.");
    browser.press(SPACE);
    assert_eq!(text(&mut browser, "[data-do=play]").trim(), "Play");
}

#[test]
fn the_chart_of_each_pairing_shows_its_pairs() {
    let (folder, _) = played_match();
    let page = folder.read(PAGE);
    let chart = |title: &str| {
        let summary = format!("<summary>{title}</summary>");
        let (_, chart) = page.split_once(&summary).expect(title);
        chart.split_once("</svg>").expect("a chart").0
    };
    for [one, other] in [["kalah", "greedy"], ["kalah", "random"], ["greedy", "random"]] {
        let score = chart(&format!("Score of {one} - {other}"));
        let (_, points) = score.split_once("<polyline points=\"").expect("a curve");
        let (points, _) = points.split_once('"').expect("points");
        assert_eq!(points.split(' ').count(), 2, "a point for each pair");
    }
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn labels_of_charts_cover_nothing() {
    let mut browser = Browser::start();
    let folder = Folder::new();
    let conditions = "--depths 4-5 --orders far,near --count 3 --timed-runs 0";
    folder.shown(&format!("compare noe {conditions} --report pages"));
    for width in [400, 1280] {
        browser.set_width(width);
        browser.open_file(&folder.path(PAGE));
        let labels = "document.querySelectorAll('figure svg g > text').length > 20";
        assert_eq!(browser.value(labels), true);
        let overlapping = browser.value(
            "[...document.querySelectorAll('figure svg')].flatMap((chart) => {
                const boxes = [...chart.querySelectorAll('g > :is(text, rect)')].map((shape) =>
                    [shape.textContent, shape.getBoundingClientRect()]);
                return boxes.flatMap(([one, a], index) => boxes.slice(index + 1)
                    .filter(([other, b]) => (one || other) && a.left < b.right && b.left < a.right
                        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > a.height / 4)
                    .map(([other]) => `${one} / ${other}`));
            })",
        );
        assert_eq!(overlapping, serde_json::json!([]), "at {width} pixels");
    }
}
