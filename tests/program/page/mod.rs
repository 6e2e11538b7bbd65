//! The page of games in a browser: each move shows the position of the record.

mod browser;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use browser::Browser;
use kalah::game::{Pit, Position, Side};
use kalah::record::{self, Game};
use tempfile::TempDir;

/// Keys and their codes.
const HOME: (&str, u32) = ("Home", 36);
const END: (&str, u32) = ("End", 35);
const LEFT: (&str, u32) = ("ArrowLeft", 37);
const RIGHT: (&str, u32) = ("ArrowRight", 39);

fn run(directory: &Path, arguments: &[&str]) -> String {
    let mut kalah = Command::new(env!("CARGO_BIN_EXE_kalah"));
    let output = kalah.current_dir(directory).args(arguments).output().expect("kalah starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn games(file: &Path) -> Vec<Game> {
    record::format::read(&fs::read_to_string(file).expect("a file")).expect("games").1
}

/// A match of three players with a page: its directory, the page and the games.
fn played_match() -> (TempDir, PathBuf, Vec<Game>) {
    let directory = tempfile::tempdir().expect("a directory");
    let players =
        ["-e", "kalah nodes=200 option.Hash=1 option.TableSeeds=0", "-e", "greedy", "-e", "random"];
    let arguments = ["match", "-o", "x.jsonl", "--pairs", "2", "--report", "pages", "-q"];
    let printed = run(directory.path(), &[&arguments[..], &players].concat());
    assert!(printed.ends_with("Page: pages/index.html\n"), "{printed}");
    let games = games(&directory.path().join("x.jsonl"));
    let page = directory.path().join("pages/index.html");
    (directory, page, games)
}

/// Seeds by the letter of their pit; stores by that of their side.
type Seeds = BTreeMap<String, u64>;

fn seeds(position: &Position) -> Seeds {
    let pits = |side: Side| {
        let row = (0..).zip(position.row(side));
        row.map(move |(pit, &seeds)| (Pit::new(pit).letter(side).to_string(), seeds.into()))
    };
    let stores = Side::BOTH.map(|side| (format!("{side} store"), position.store(side).into()));
    Side::BOTH.into_iter().flat_map(pits).chain(stores).collect()
}

/// What the board of the page shows.
fn shown_seeds(browser: &mut Browser) -> Seeds {
    let shown = browser.value(
        "[...document.querySelectorAll('[data-pit], [data-store]')].map((place) => {
            const { pit, store } = place.dataset;
            const name = pit ?? { S: 'South store', N: 'North store' }[store];
            return [name, Number(place.querySelector('.seeds').textContent)];
        })",
    );
    serde_json::from_value::<Vec<(String, u64)>>(shown).expect("pairs").into_iter().collect()
}

fn assert_shows(browser: &mut Browser, position: &Position) {
    assert_eq!(shown_seeds(browser), seeds(position), "{position}");
    let text = browser.value("document.querySelector('#position').textContent");
    assert_eq!(text, position.to_string());
}

#[test]
fn keys_step_through_a_game() {
    let Some(mut browser) = Browser::start() else { return };
    let (_directory, page, games) = played_match();
    browser.open(&page);
    let game = &games[0];
    let moves = game.steps().len();
    // Keys are for the page where the board is out of sight.
    browser.press(RIGHT.0, RIGHT.1);
    assert_shows(&mut browser, game.start());
    browser.value("document.querySelector('#games').scrollIntoView()");
    for number in 1..=moves {
        browser.press(RIGHT.0, RIGHT.1);
        assert_shows(&mut browser, game.position_after(number));
    }
    // There is nothing after the last move.
    browser.press(RIGHT.0, RIGHT.1);
    assert_shows(&mut browser, game.position());
    // Greedy expects nothing, and has no curve.
    let caption = browser.value("document.querySelector('#curve figcaption').textContent");
    let caption = caption.as_str().expect("text").to_owned();
    assert!(caption.contains("kalah (South) expects; seeds in the stores"), "{caption}");
    let result = browser.value("document.querySelector('#step').textContent");
    let result = result.as_str().expect("text").to_owned();
    assert!(result.ends_with(&format!("Result: {}.", game.ending().unwrap())), "{result}");
    for (key, number) in [(LEFT, moves - 1), (HOME, 0), (LEFT, 0), (END, moves)] {
        browser.press(key.0, key.1);
        assert_shows(&mut browser, game.position_after(number));
    }
}

#[test]
fn clicks_choose_a_game_and_step_through_it() {
    let Some(mut browser) = Browser::start() else { return };
    let (_directory, page, games) = played_match();
    browser.open(&page);
    browser.click("summary");
    browser.click("a[href='#game-2']");
    // The page hears of its new address after the click.
    while browser.value("document.querySelector('#game').value") != "2" {}
    let game = &games[1];
    let moves = game.steps().len();
    for number in 0..=moves {
        assert_shows(&mut browser, game.position_after(number));
        browser.click("[data-step=next]");
    }
    for (step, number) in [("back", moves - 1), ("first", 0), ("last", moves)] {
        browser.click(&format!("[data-step={step}]"));
        assert_shows(&mut browser, game.position_after(number));
    }
    browser.click("#moves [data-move='7']");
    assert_shows(&mut browser, game.position_after(7));
    let current = browser.value("document.querySelector('#moves [aria-current]').textContent");
    assert_eq!(current, game.steps()[6].played.letter().to_string());
    browser.click_at("#curve svg", 0.999);
    assert_shows(&mut browser, game.position());
    let (requests, errors) = browser.requests_and_errors();
    assert_eq!(requests.len(), 1, "only the page itself: {requests:?}");
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn no_width_of_a_window_cuts_the_page() {
    let Some(mut browser) = Browser::start() else { return };
    let (_directory, page, _) = played_match();
    for width in [400, 1280, 2560] {
        browser.set_width(width);
        browser.open(&page);
        let needed = browser.value("document.documentElement.scrollWidth");
        assert!(needed.as_u64() <= Some(width.into()), "{needed} of {width} pixels");
        let cut = browser.value(
            "[...document.querySelectorAll('h1, h2, p, svg, .scroll')].filter((element) =>
                element.getBoundingClientRect().right > innerWidth).length",
        );
        assert_eq!(cut, 0, "at {width} pixels");
    }
}

#[test]
fn paper_shows_every_table_and_the_end_of_the_game() {
    let Some(mut browser) = Browser::start() else { return };
    let (_directory, page, games) = played_match();
    browser.open(&page);
    browser.print_media();
    browser.value("dispatchEvent(new Event('beforeprint')); 0");
    assert_shows(&mut browser, games[0].position());
    let hidden = browser.value(
        "[...document.querySelectorAll('table')].filter((table) => !table.checkVisibility({
            contentVisibilityAuto: true })).length",
    );
    assert_eq!(hidden, 0);
    // A game that is being looked at stays where it is.
    browser.value("document.querySelector('[data-step=back]').click()");
    browser.value("dispatchEvent(new Event('beforeprint')); 0");
    assert_shows(&mut browser, games[0].position_after(games[0].steps().len() - 1));
}

/// A record of people: the pie rule, a comment, a variation, another board.
const RECORD: &str = "[South \"Bo\"]\n[North \"Al <b>\"]\n\
    [Position \"<3,0,0,2,2,2,2,2,2> S\"]\n[PieRule \"yes\"]\n[SwappedAfter \"2\"]\n\n\
    1. B {a <i>good</i> one} A (1. A c) a *\n";

#[test]
fn a_page_of_a_record_shows_its_lines_comments_and_swapped_names() {
    let Some(mut browser) = Browser::start() else { return };
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("game.kgn");
    fs::write(&file, RECORD).expect("a file");
    let printed = run(directory.path(), &["replay", "game.kgn", "--report", "pages"]);
    assert_eq!(printed, "Page: pages/index.html\n");
    let game = games(&file).remove(0);
    browser.open(&directory.path().join("pages/index.html"));
    let name = "document.querySelector('#board .name.south').textContent";
    assert_eq!(browser.value(name), "Al <b> (South)");
    browser.press(RIGHT.0, RIGHT.1);
    assert_shows(&mut browser, game.position_after(1));
    let step = browser.value("document.querySelector('#step').textContent");
    assert_eq!(step, "Move 1 of 3: Al <b> sows B, a <i>good</i> one.");
    browser.press(END.0, END.1);
    assert_shows(&mut browser, game.position());
    assert_eq!(browser.value(name), "Bo (South)");
    browser.value("location.hash = '#game-1v1-2'; 0");
    let variation = &game.variations()[0];
    // Events of the page come after the value.
    while browser.value("document.querySelector('#game').value") != "1v1" {}
    assert_shows(&mut browser, &variation.steps()[1].after);
    // Each line leads to the other where they part.
    let shared = game.shared_moves(variation);
    browser.click("#moves [data-line='1']");
    assert_shows(&mut browser, game.position_after(shared + 1));
    browser.click("#moves [data-line='1v1']");
    assert_shows(&mut browser, &variation.steps()[shared].after);
    let text = browser.value("document.querySelector('#moves [data-line]').textContent");
    assert_eq!(text, "(1: a)");
}
