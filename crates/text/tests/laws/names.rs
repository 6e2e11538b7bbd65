use std::path::Path;

use kalah_text::names::{UnknownName, argument, missing, quoted, rest, shortened};

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
