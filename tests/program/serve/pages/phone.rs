//! Every screen and every way to use the page: phones, the keyboard alone, both themes, forced
//! colours.

use serde_json::json;

use super::{VIEWS, Visit, moves, text};

const IS_READY: &str =
    "document.querySelector('.board button[data-pit]:not([aria-disabled=true])') !== null";

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn no_view_scrolls_sideways_on_a_phone() {
    let mut visit = Visit::start(&[], &json!({ "opponent": "human" }));
    for width in [320, 375, 390] {
        visit.page.become_phone(width);
        for (view, part) in VIEWS {
            visit.show(view, part);
            let needed = visit.page.value("document.documentElement.scrollWidth");
            assert!(needed.as_u64() <= Some(width.into()), "{view}: {needed} of {width} pixels");
        }
        visit.show("play", "button[data-pit]:not([aria-disabled=true])");
        // The board fills the width, and every pit is large enough to touch.
        let sizes = visit.page.value(
            "[document.querySelector('.wood').getBoundingClientRect().width,
                Math.min(...[...document.querySelectorAll('button.pit')].map((pit) =>
                    Math.min(pit.offsetWidth, pit.offsetHeight)))]",
        );
        assert!(sizes[0].as_f64() >= Some(0.9 * f64::from(width)), "{sizes} at {width} pixels");
        assert!(sizes[1].as_f64() >= Some(40.0), "{sizes} at {width} pixels");
        // Not with the mouse: the board may still move while it is drawn, and the click would
        // miss.
        visit.page.value("document.querySelector('[data-do=options]').click()");
        visit.page.wait_until("document.querySelector('dialog')?.open === true");
        let dialog = visit.page.value(
            "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('dialog'))",
        );
        assert_eq!(dialog, 0, "at {width} pixels");
        visit.page.value("document.querySelector('dialog [value=cancel]').click()");
    }
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn nothing_moves_during_a_game() {
    let settings = json!({ "opponent": "human", "pits": 3, "seeds": 2, "coach": true });
    let mut visit = Visit::start(&[], &settings);
    let places =
        "[...document.querySelectorAll('.wood, .message, .controls, .move-list')].map((part) => {
        const { left, top, width, height } = part.getBoundingClientRect();
        return [left, top + scrollY, width, height].map(Math.round).join(' ');
    })";
    for width in [1280, 390] {
        visit.page.become_phone(width);
        visit.begin();
        visit.page.wait_until(IS_READY);
        let before = visit.page.value(places);
        let is_over = "!document.querySelector('[data-is=result]').hidden";
        for count in 1.. {
            let pit = visit.page.value(
                "document.querySelector('button[data-pit]:not([aria-disabled=true])')?.dataset.pit",
            );
            let Some(pit) = pit.as_str() else { break };
            visit.page.press(pit);
            visit.page.wait_until(&format!(
                "document.querySelectorAll('.move-list .move').length === {count} && ({IS_READY}
                    || !document.querySelector('[data-is=result]').hidden)"
            ));
            let now = visit.page.value(places);
            // At the end, the message grows, but the board stays where it is.
            let is_kept =
                if visit.page.value(is_over) == true { now[0] == before[0] } else { now == before };
            assert!(is_kept, "after {count} moves, {width} pixels: {now}, {before}");
        }
        assert_eq!(visit.page.value(is_over), true);
        visit.page.wait_until("document.querySelectorAll('.mistakes li').length === 2");
        let cut = "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.message'))";
        assert_eq!(visit.page.value(cut), 0, "the result at {width} pixels");
        visit.page.value("document.querySelector('.controls [data-do=takeBack]').click()");
        visit.page.wait_until("document.querySelector('[data-is=result]').hidden");
        assert_eq!(visit.page.value(places), before, "after taking back, {width} pixels");
    }
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn the_board_and_what_is_said_fit_every_window() {
    let mut visit = Visit::start(&[], &json!({ "opponent": "human" }));
    visit.open("play");
    visit.page.wait_until(IS_READY);
    // The board has at least this share of the window.
    for (width, height, share) in
        [(1280, 800, 0.45), (390, 844, 0.5), (320, 568, 0.5), (844, 390, 0.25), (640, 400, 0.2)]
    {
        visit.page.set_window(width, height);
        let fits = format!(
            "(() => {{
                const within = (one) => {{
                    const {{ bottom, right }} = document.querySelector(one).getBoundingClientRect();
                    return bottom <= innerHeight && right <= innerWidth;
                }};
                const {{ width, height }} = document.querySelector('.wood').getBoundingClientRect();
                return width * height >= {share} * {width} * {height} && ['.board', '.message', '.controls'].every(within);
            }})()"
        );
        visit.page.wait_until(&fits);
    }
    // A notice covers no button, and can be closed.
    for (width, height) in [(1280, 800), (320, 568)] {
        visit.page.set_window(width, height);
        visit.open("nothing");
        visit.page.wait_until("document.querySelector('#complaint').checkVisibility()");
        let covered = visit.page.value(
            "(() => {
                const notice = document.querySelector('#complaint').getBoundingClientRect();
                return [...document.querySelectorAll('button, nav a')].filter((one) => !one.closest('.notice')).filter((one) => {
                    const { top, bottom, left, right, width } = one.getBoundingClientRect();
                    return width && top < notice.bottom && bottom > notice.top && left < notice.right && right > notice.left;
                }).map((one) => one.textContent);
            })()",
        );
        assert_eq!(covered, json!([]), "at {width} pixels");
        visit.page.click("#complaint-close");
        visit.page.wait_until("!document.querySelector('#complaint').checkVisibility()");
        visit.open("play");
        visit.page.wait_until(IS_READY);
    }
    visit.assert_no_errors();
}

/// Presses Tab until the element with the focus matches.
fn tab_to(visit: &mut Visit, selector: &str) {
    for _ in 0..60 {
        visit.page.press("Tab");
        if visit.page.value(&format!("document.activeElement.matches({selector:?})")) == true {
            let is_seen = "(({ activeElement: one }) => getComputedStyle(
                one.matches('.pit') ? one.querySelector('.hollow') : one).outlineStyle !== 'none')(document)";
            assert_eq!(visit.page.value(is_seen), true, "{selector}");
            return;
        }
    }
    panic!("{selector} cannot be reached by Tab");
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn the_keyboard_alone_plays_asks_learns_and_changes_the_theme() {
    let mut visit = Visit::start(&[], &json!({ "opponent": "human" }));
    visit.open("play");
    visit.page.wait_until(IS_READY);
    tab_to(&mut visit, "[data-pit=C]");
    visit.page.press("Enter");
    visit.page.wait_until("document.querySelectorAll('.move-list .move').length === 1");
    assert_eq!(moves(&mut visit.page), "C");
    tab_to(&mut visit, "[data-do=hint]");
    visit.page.press("Enter");
    visit.page.wait_until("document.querySelector('.advice').textContent.startsWith('Hint: ')");
    tab_to(&mut visit, "[data-do=resign]");
    visit.page.press("Enter");
    visit.page.wait_until("document.querySelector('dialog.question')?.open === true");
    visit.page.press("Enter");
    visit.page.wait_until("!document.querySelector('[data-is=result]').hidden");
    tab_to(&mut visit, "nav [data-view=learn]");
    visit.page.press("Enter");
    visit.page.wait_until("document.querySelector('.lessons a') !== null");
    tab_to(&mut visit, ".lessons a");
    visit.page.press("Enter");
    visit.page.wait_until("document.querySelector('h1')?.textContent.startsWith('Lesson 1')");
    let before = text(&mut visit.page, "html");
    tab_to(&mut visit, "#theme");
    visit.page.press("Enter");
    visit.page.wait_until("document.querySelector('#theme').ariaPressed === 'true'");
    assert_eq!(text(&mut visit.page, "html"), before);
    visit.assert_no_errors();
}

/// Texts whose contrast with their background is below 4.5, the minimum of the Web Content
/// Accessibility Guidelines, with the smallest contrast of all texts before them.
const CONTRASTS: &str = "(() => {
    const parsed = (value, place = document.body) => {
        const probe = document.createElement('span');
        probe.style.setProperty('color', value);
        place.append(probe);
        const shown = getComputedStyle(probe).color;
        probe.remove();
        const [red, green, blue, opacity = 1] = shown.match(/[\\d.]+/g).map(Number);
        const part = shown.startsWith('color(') ? 255 : 1;
        return [red * part, green * part, blue * part, opacity];
    };
    const over = ([red, green, blue, opacity], below) =>
        [red, green, blue].map((part, index) => part * opacity + below[index] * (1 - opacity));
    const light = (colour) => {
        const [red, green, blue] = colour.map((part) =>
            (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    // A gradient is readable if its colours are.
    const gradients = { '.wood': ['--wood', '--wood-light', '--wood-dark'], '.hollow': ['--hollow', '--hollow-deep'] };
    const behind = (one) => {
        for (const [kind, names] of Object.entries(gradients)) {
            if (one.matches(kind)) return names.map((name) => parsed(`var(${name})`, one));
        }
        const own = parsed(getComputedStyle(one).backgroundColor);
        return own[3] === 1 ? [own] : behind(one.parentElement).map((below) => over(own, below));
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (walker.nextNode()) nodes.push(walker.currentNode);
    const ratios = nodes.map((node) => [node.data.trim(), node.parentElement])
        .filter(([text, one]) => text && one.checkVisibility({ opacityProperty: true, visibilityProperty: true })
            && !one.closest(':disabled, .controls [aria-disabled=true], .steps [aria-disabled=true], .unseen, svg'))
        .map(([text, one]) => [Math.min(...behind(one).map((below) => {
            const [text, ground] = [over(parsed(getComputedStyle(one).color), below), below].map((colour) => light(colour.slice(0, 3)));
            return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
        })), text]).sort(([one], [other]) => one - other);
    return [ratios[0][0], ...ratios.filter(([ratio]) => ratio < 4.5)];
})()";

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn texts_are_readable_in_both_themes() {
    let mut visit = Visit::start(&[], &json!({ "opponent": "human" }));
    for preference in ["light", "dark"] {
        visit.page.prefer("prefers-color-scheme", preference);
        for (view, part) in VIEWS {
            visit.show(view, part);
            let contrasts = visit.page.value(CONTRASTS);
            let [least, unreadable @ ..] = &contrasts.as_array().expect("contrasts")[..] else {
                panic!("{contrasts}")
            };
            assert!(unreadable.is_empty(), "{view}, {preference}: {unreadable:?}");
            // If no text were measured, none would be found unreadable.
            assert!(least.as_f64() < Some(12.0), "{view}, {preference}: {least}");
        }
    }
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn the_choice_of_a_theme_is_kept() {
    let mut visit = Visit::start(&[], &json!({ "opponent": "human" }));
    let mut papers = Vec::new();
    for (preference, pressed) in [("light", "false"), ("dark", "true")] {
        visit.page.prefer("prefers-color-scheme", preference);
        visit.begin();
        visit.page.wait_until(IS_READY);
        assert_eq!(visit.page.value("document.querySelector('#theme').ariaPressed"), pressed);
        papers.push(visit.page.value("getComputedStyle(document.body).backgroundColor"));
    }
    assert_ne!(papers[0], papers[1]);
    visit.page.click("#theme");
    let is_light = "document.querySelector('#theme').ariaPressed === 'false'";
    visit.page.wait_until(is_light);
    visit.page.reload();
    visit.page.wait_until(IS_READY);
    visit.page.wait_until(is_light);
    assert_eq!(visit.page.value("getComputedStyle(document.body).backgroundColor"), papers[0]);
    // The first paint does not wait for the settings.
    visit.page.before_load(
        "const fetchNow = fetch;
        window.fetch = (address, options) =>
            (address === '/api/settings' ? new Promise(() => {}) : fetchNow(address, options));",
    );
    visit.page.reload();
    assert_eq!(visit.page.value("getComputedStyle(document.body).backgroundColor"), papers[0]);
    visit.assert_no_errors();
}

#[test]
#[cfg_attr(not(has_chromium), ignore = "needs Chromium (.ci/setup)")]
fn forced_colours_show_pits_choices_and_seeds_without_backgrounds() {
    let mut visit = Visit::start(&[], &json!({ "opponent": "human" }));
    visit.page.prefer("forced-colors", "active");
    visit.open("play");
    visit.page.wait_until(IS_READY);
    let styles = visit.page.value(
        "['[data-pit=a] .hollow', '[data-pit=A] .hollow', '.store .hollow', '.wood'].map((part) => {
            const { borderTopStyle, borderTopWidth, borderTopColor, backgroundColor } =
                getComputedStyle(document.querySelector(part));
            return borderTopStyle === 'solid' && parseFloat(borderTopWidth)
                * (borderTopColor !== backgroundColor);
        })",
    );
    let widths: Vec<f64> = serde_json::from_value(styles).expect("widths");
    assert!(widths.iter().all(|&width| width >= 1.0), "{widths:?}");
    assert!(widths[1] > widths[0], "a pit that can be sown has a wider border: {widths:?}");
    let seeds = visit.page.value(
        "getComputedStyle(document.querySelector('.pit .seed')).stroke
            !== getComputedStyle(document.body).backgroundColor",
    );
    assert_eq!(seeds, true);
    visit.show("analyse?moves=CFb", ".tree .move[aria-current]");
    let borders = visit.page.value(
        "['.tree .move', '.tree .move[aria-current]', '.tabs [aria-selected=false]', '.tabs [aria-selected=true]']
            .map((part) => getComputedStyle(document.querySelector(part)).borderBottomColor
                === getComputedStyle(document.body).backgroundColor)",
    );
    assert_eq!(borders, json!([true, false, true, false]), "which move and which tab is shown");
    visit.assert_no_errors();
}
