use std::path::Path;

use kalah_text::names::{UnknownName, argument, dash_tip, missing, quoted, rest, shortened};

#[test]
fn the_error_lists_the_names_and_quotes_the_text() {
    let error = UnknownName::new("order", ["far", "near", "random"], "n\near\0");
    assert_eq!(
        error.to_string(),
        "expected order 'far', 'near' or 'random', got 'n\\u000aear\\u0000'"
    );
    assert_eq!(missing("game", 9, 5), "no game 9: there are 5");
    assert_eq!(missing("game", 2, 1), "no game 2: there is only one");
    assert_eq!(missing("game", 1, 0), "no game 1: there are none");
    assert_eq!(shortened(&"x".repeat(30)), format!("{}…", "x".repeat(24)));
    assert_eq!([rest("x]"), rest("")], ["'x]'", "the end"]);
}

#[test]
fn a_letter_that_only_looks_latin_is_named() {
    assert_eq!(quoted("C"), "'C'");
    // Cyrillic Es, and Greek Alpha within a word.
    assert_eq!(quoted("\u{421}"), "'\u{421}' (\u{421} is U+0421, not a letter from A to Z)");
    assert_eq!(quoted("B\u{391}"), "'B\u{391}' (\u{391} is U+0391, not a letter from A to Z)");
}

#[test]
fn a_dash_in_place_of_hyphens_is_named_with_what_to_type() {
    for (word, typed) in
        [("\u{2013}h", "-h"), ("\u{2014}help", "--help"), ("\u{2212}\u{2212}pairs=2", "--pairs=2")]
    {
        let dash = word.chars().next().unwrap();
        assert_eq!(dash_tip(word), Some(format!("'{dash}' is not a hyphen; type {typed}")));
    }
    for other in ["", "--help", "a\u{2013}b", "\u{2013}", "\u{2014}\u{2014}"] {
        assert_eq!(dash_tip(other), None, "{other}");
    }
}

#[test]
fn a_path_in_a_suggested_command_is_one_argument() {
    for (path, expected) in
        [("games/a-1", "games/a-1"), ("a b", "\"a b\""), ("孙悟空", "孙悟空"), ("", "")]
    {
        assert_eq!(argument(Path::new(path)), expected);
    }
    if cfg!(unix) {
        assert_eq!(argument(Path::new("$a`\"")), "\"\\$a\\`\\\"\"");
    }
}
