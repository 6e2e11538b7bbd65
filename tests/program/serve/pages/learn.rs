//! Lessons and puzzles on the page.

use kalah_coach::puzzle;
use kalah_game::Pit;
use serde_json::json;

use super::{Visit, text};
use crate::browser::board::shown_seeds;

const IS_READY: &str =
    "document.querySelector('.board button[data-pit]:not([aria-disabled=true])') !== null";

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_lesson_explains_a_wrong_answer_and_accepts_the_right_one() {
    let mut visit = Visit::start(&[], &json!({}));
    visit.open("learn");
    visit.page.wait_until("document.querySelectorAll('.lessons a').length === 8");
    visit.page.click(".lessons a");
    visit.page.wait_until(IS_READY);
    assert_eq!(text(&mut visit.page, "h1"), "Lesson 1 of 8: Sowing");
    // Its task is to sow the pit whose last seed falls into F.
    visit.page.value(
        "window.sown = [];
        new MutationObserver(() => {
            const pit = document.querySelector('.pit.sown, .pit.hinted')?.dataset.pit;
            if (pit && sown.at(-1) !== pit) sown.push(pit);
        }).observe(document.querySelector('.board'), { attributes: true, subtree: true });
        0",
    );
    let before = shown_seeds(&mut visit.page);
    visit.page.click("[data-pit=C]");
    visit.page.wait_until("document.querySelector('.answer').classList.contains('wrong')");
    visit.page.wait_until(IS_READY);
    // It was sown and taken back; the solution is shown in the same way.
    assert_eq!(visit.page.value("sown"), json!(["C"]));
    assert_eq!(shown_seeds(&mut visit.page), before);
    visit.page.click("[data-do=solution]");
    visit.page.wait_until("document.querySelector('.answer').classList.contains('solution')");
    assert_eq!(visit.page.value("document.activeElement.dataset.do"), "solution");
    visit.page.wait_until(IS_READY);
    assert_eq!(visit.page.value("sown"), json!(["C", "B"]));
    assert_eq!(shown_seeds(&mut visit.page), before);
    visit.page.press("b");
    visit.page.wait_until("document.querySelector('.answer').classList.contains('right')");
    visit.page.click("[data-do=next]");
    visit.page.wait_until("document.querySelector('h1').textContent.startsWith('Lesson 2')");
    visit.open("learn");
    visit.page.wait_until("document.querySelector('.lessons [aria-label=solved]') !== null");
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_puzzle_is_solved_by_its_best_move() {
    let mut visit = Visit::start(&[], &json!({}));
    let number = 2;
    let position = puzzle::embedded()[number - 1].exercise().position;
    let margins = super::analyse::solved(&position).into_iter();
    let (best, _) =
        margins.max_by_key(|&(_, margin)| position.side().view_of(margin)).expect("a move");
    visit.open(&format!("learn/puzzles/{number}"));
    visit.page.wait_until(IS_READY);
    visit.page.click(&format!("[data-pit={best}]"));
    visit.page.wait_until("document.querySelector('.answer').classList.contains('right')");
    visit.open("learn");
    visit.page.wait_until("document.querySelector('.puzzles [aria-label=solved]') !== null");
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_key_for_an_empty_pit_of_a_puzzle_is_answered() {
    let mut visit = Visit::start(&[], &json!({}));
    let empty = (1..).zip(puzzle::embedded()).find_map(|(number, puzzle)| {
        let position = puzzle.exercise().position;
        let letters = position.pit_letters(position.side()).to_string();
        let first = letters.chars().next().expect("a letter");
        let has_seeds = position.moves().into_iter().any(|pit| pit == Pit::new(0));
        (!has_seeds).then_some((number, first))
    });
    let (number, letter) = empty.expect("a puzzle with an empty pit");
    visit.open(&format!("learn/puzzles/{number}"));
    visit.page.wait_until(IS_READY);
    visit.page.press(&letter.to_string());
    visit.page.wait_until("document.querySelector('.answer').textContent.includes('is empty')");
    assert_eq!(text(&mut visit.page, ".answer"), format!("Pit {letter} is empty."));
    visit.assert_no_errors();
}
