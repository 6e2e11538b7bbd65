use kalah_text::names::{UnknownName, choice, rest, shortened};

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
