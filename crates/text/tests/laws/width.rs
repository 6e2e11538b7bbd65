use kalah_text::format::wrapped;
use kalah_text::width::{columns, fitting, padded};

#[test]
fn wide_characters_take_two_columns_and_combining_marks_none() {
    for (text, expected) in [("", 0), ("Kalah", 5), ("播棋", 4), ("e\u{301}", 1), ("🌱🌱", 4)]
    {
        assert_eq!(columns(text), expected, "{text}");
    }
}

#[test]
fn a_text_is_cut_and_padded_by_columns() {
    assert_eq!(
        [0, 1, 2, 3, 4, 5].map(|room| fitting("播棋", room)),
        ["", "", "播", "播", "播棋", "播棋"]
    );
    assert_eq!(fitting("e\u{301}e", 1), "e\u{301}");
    assert_eq!([padded("播", 4), padded("abc", 2)], ["播  ", "abc"]);
}

#[test]
fn lines_are_broken_by_columns() {
    assert_eq!(wrapped("播棋 播棋 a", 6), ["播棋", "播棋 a"]);
    assert_eq!(wrapped("播棋 播棋 a", 3), ["播棋", "播棋", "a"]);
}
