use std::path::Path;

use kalah_text::names::{UnknownName, argument, choice, rest, shortened};

#[test]
fn the_error_lists_the_names_and_quotes_the_text() {
    let error = UnknownName::new("order", ["far", "near", "random"], "n\near\0");
    assert_eq!(
        error.to_string(),
        "expected order 'far', 'near' or 'random', got 'n\\u000aear\\u0000'"
    );
    assert_eq!([2, 1, 0].map(|count| choice("game", count)), ["game 1 to 2", "game 1", "no game"]);
    assert_eq!(shortened(&"x".repeat(30)), format!("{}…", "x".repeat(24)));
    assert_eq!([rest("x]"), rest("")], ["'x]'", "the end"]);
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
