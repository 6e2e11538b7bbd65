//! What people press and drop: keys of other layouts, letters that must do nothing, and files.

use kalah_game::{Capture, Position, Rules};
use serde_json::json;

use super::{Visit, moves, text};

fn settings() -> serde_json::Value {
    json!({ "opponent": "human", "pits": 6, "seeds": 4, "coach": false })
}

fn wait_for_moves(visit: &mut Visit, letters: &str) {
    visit.page.wait_until(&format!(
        "[...document.querySelectorAll('.move-list .move')].map(({{ dataset }}) => dataset.letter)
            .join('') === '{letters}' && document.querySelector('.board [aria-disabled=false]') !== null"
    ));
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_letter_that_is_not_latin_counts_by_the_place_of_its_key() {
    let mut visit = Visit::start(&[], &settings());
    visit.show("play", ".board button[data-pit]:not([aria-disabled=true])");
    // A Russian keyboard, then a Greek one, then Dvorak, where the letter counts.
    for (key, code, after) in
        [("и", "KeyB", "B"), ("ф", "KeyA", "Ba"), ("Ψ", "KeyC", "BaC"), ("e", "KeyD", "BaCe")]
    {
        visit.page.press_at(key, code);
        wait_for_moves(&mut visit, after);
    }
    visit.page.press_at("г", "KeyU");
    wait_for_moves(&mut visit, "BaC");
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn letters_do_nothing_once_they_are_turned_off() {
    let mut visit = Visit::start(&[], &settings());
    visit.show("play", ".board button[data-pit]:not([aria-disabled=true])");
    visit.page.press("b");
    wait_for_moves(&mut visit, "B");
    visit.page.click(".keys input");
    for key in ["a", "u", "y"] {
        visit.page.press(key);
    }
    assert_eq!(moves(&mut visit.page), "B");
    visit.page.press("ArrowLeft");
    visit.page.wait_until("document.querySelector('[data-pit=B]').textContent.includes('4')");
    // The choice holds in every view and after a reload.
    visit.show("analyse", ".board [data-pit]");
    visit.page.reload();
    visit.page.wait_until("document.querySelector('.keys input')?.checked === false");
    visit.page.wait_until("document.querySelector('.board [aria-disabled=false]') !== null");
    visit.page.press("c");
    visit.page.click(".keys input");
    visit.page.press("c");
    visit.page.wait_until("location.hash.includes('moves=C')");
    visit.page.press("y");
    visit
        .page
        .wait_until("document.querySelector('.board .name.top').textContent.includes('South')");
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn a_file_dropped_on_any_view_is_opened_in_the_analysis() {
    let mut visit = Visit::start(&[], &settings());
    let mut after = Position::start(Rules::usual(Capture::Standard));
    after.play_moves(["C", "F", "a"]).expect("legal moves");
    for view in ["play", "analyse", "explore", "learn", "watch"] {
        visit.show("learn/lessons/1", ".board [data-pit]");
        visit.show(view, "*");
        let kept = visit.page.value(
            "(() => {
                const dataTransfer = new DataTransfer();
                dataTransfer.items.add(new File(['1.CF 1...a *'], 'g.kgn'));
                return ['dragover', 'drop'].map((name) => !document.querySelector('main')
                    .dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer })));
            })()",
        );
        assert_eq!(kept, json!([true, true]), "{view}");
        let is_open =
            format!("document.querySelector('.view-analyse .position')?.textContent === '{after}'");
        visit.page.wait_until(&is_open);
        assert_eq!(text(&mut visit.page, "#complaint-text"), "", "{view}");
        visit.page.value("sessionStorage.clear()");
    }
    visit.assert_no_errors();
}
