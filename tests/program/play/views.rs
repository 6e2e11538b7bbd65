//! Boards as they are drawn, compared character by character with
//! `tests/data/board_views.txt`. After an intended change,
//! `KALAH_WRITE_VIEWS=1 cargo test --test program play::views` rewrites the file.

use std::fmt::Write;

use kalah_game::{Capture, Pit, Position, Rules, Side};
use kalah_view::board::{Annotations, Glyphs, View, board, pit_at};
use kalah_view::styled::{Role, StyledLine};

const GOLDEN: &str = include_str!("../../data/board_views.txt");

/// Pits, seeds per pit, columns of the terminal.
const SIZES: [(u32, u32, usize); 13] = [
    (3, 3, 40),
    (4, 4, 80),
    (5, 5, 40),
    (6, 4, 24),
    (6, 4, 40),
    (6, 4, 80),
    (7, 7, 40),
    (8, 8, 60),
    (9, 9, 80),
    (10, 10, 80),
    (11, 20, 120),
    (12, 12, 40),
    (12, 12, 80),
];

/// A position after a move, with all possible marks.
fn marked(pits: u32, seeds: u32) -> (Position, Annotations) {
    let mut position = Position::start(Rules::new(pits, seeds, Capture::Standard).unwrap());
    let played = position.play(Pit::new(1)).unwrap();
    let marks = Annotations {
        last: Some((played.side, played.pit)),
        chosen: Some((Side::North, Pit::new(0))),
        names: ["South (you)", "North (beginner)"].map(str::to_owned),
        ..Annotations::new(&position)
    };
    (position, marks)
}

/// A board with few pits, some of which hold a hundred or more seeds.
fn three_digits() -> Position {
    let text = "<4,100,7,250,0,1,12,3,100,0,99> N";
    Position::parse(text, Capture::Standard).unwrap()
}

fn views() -> Vec<(String, Position, Annotations, View)> {
    let mut views = Vec::new();
    for (pits, seeds, width) in SIZES {
        let (position, marks) = marked(pits, seeds);
        for bottom in Side::BOTH {
            // At each size, each side gets one of the glyph sets, in turn.
            let glyphs = match (pits % 2 == 0) == (bottom == Side::South) {
                true => Glyphs::Unicode,
                false => Glyphs::Ascii,
            };
            let view = View { width, height: None, glyphs, bottom };
            let title = format!("{pits} pits of {seeds}, {width} columns, {bottom} at the bottom");
            views.push((title, position, marks.clone(), view));
        }
    }
    for (width, bottom) in [(40, Side::South), (80, Side::North)] {
        let position = three_digits();
        let view = View { width, height: None, glyphs: Glyphs::Unicode, bottom };
        let title = format!("three digits, {width} columns, {bottom} at the bottom");
        views.push((title, position, Annotations::new(&position), view));
    }
    views
}

#[test]
fn boards_look_as_they_should() {
    let mut drawn = String::new();
    for (title, position, marks, view) in views() {
        writeln!(drawn, "# {title}").unwrap();
        for line in board(&position, &marks, &view) {
            writeln!(drawn, "{}", line.text()).unwrap();
        }
        writeln!(drawn).unwrap();
    }
    if std::env::var_os("KALAH_WRITE_VIEWS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/board_views.txt");
        std::fs::write(path, drawn).unwrap();
        return;
    }
    for (drawn, golden) in drawn.split("# ").zip(GOLDEN.split("# ")) {
        assert_eq!(drawn, golden, "\ndrawn:\n{drawn}\nexpected:\n{golden}");
    }
    assert_eq!(drawn.len(), GOLDEN.len());
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for pits in 1..=16 {
        for seeds in [1, 4, 10, 100, 1000] {
            let (position, marks) = marked(pits.max(2), seeds);
            for width in 24..=120 {
                let view =
                    View { width, height: None, glyphs: Glyphs::Unicode, bottom: Side::South };
                for line in board(&position, &marks, &view) {
                    assert!(line.width() <= width, "{pits}x{seeds} at {width}: {}", line.text());
                }
            }
        }
    }
}

/// A board that may fill a screen shows every seed.
#[test]
fn a_board_grows_with_its_room_and_shows_its_seeds() {
    let mut start = Position::start(Rules::default());
    let mut before = (0, 0);
    for (width, height) in [(54, 9), (54, 16), (94, 28), (174, 48)] {
        let view =
            View { width, height: Some(height), glyphs: Glyphs::Unicode, bottom: Side::South };
        let lines = board(&start, &Annotations::default(), &view);
        let size = (lines[4].width(), lines.len());
        assert!(size.0 <= width && size.1 <= height, "{size:?} in {width} x {height}");
        assert!(size.0 > width - 12 && size.1 > before.1, "{size:?} in {width} x {height}");
        let seeds = seeds_in(&lines);
        assert_eq!(seeds, if height == 9 { 0 } else { 48 }, "{width} x {height}");
        before = size;
        for pits in 1..=16 {
            let (position, marks) = marked(pits.max(2), 10);
            for line in board(&position, &marks, &view) {
                assert!(line.width() <= width, "{pits} pits: {}", line.text());
            }
        }
    }
    // Stores show their seeds, too.
    while !start.is_over() {
        start.play(start.moves().nearest().unwrap()).unwrap();
    }
    let view = View { width: 174, height: Some(48), glyphs: Glyphs::Unicode, bottom: Side::North };
    let lines = board(&start, &Annotations::default(), &view);
    assert_eq!(seeds_in(&lines), start.total());
}

/// The seeds drawn, whatever their size.
fn seeds_in(lines: &[StyledLine]) -> u32 {
    let text: String = lines.iter().map(StyledLine::text).collect();
    let large = text.matches("▟██▙").count();
    assert_eq!(text.matches("▜██▛").count(), large);
    (text.matches('●').count() + text.matches("██").count() - large) as u32
}

#[test]
fn seeds_grow_with_the_board_to_one_size_in_all_pits() {
    let start = Position::start(Rules::default());
    for (height, seed, ascii) in [(12, "●", "*"), (16, "██", "##"), (28, "▟██▙", "/##\\")]
    {
        for (glyphs, seed) in [(Glyphs::Unicode, seed), (Glyphs::Ascii, ascii)] {
            let view = View { width: 174, height: Some(height), glyphs, bottom: Side::South };
            let lines = board(&start, &Annotations::default(), &view);
            let drawn: String = lines.iter().map(StyledLine::text).collect();
            assert_eq!(drawn.matches(seed).count(), 48, "{seed}");
        }
    }
}

/// The count of a store is in its middle.
#[test]
fn the_count_of_a_store_splits_no_seed() {
    for store in 0..=40 {
        let rows = [vec![1; 6], vec![6, 5, 4, 3, 2, 1]];
        let position = Position::new(
            [&rows[0], &rows[1]],
            [store, 40 - store],
            Side::South,
            Capture::Standard,
        )
        .unwrap();
        for height in [28, 38, 48, 60] {
            let view = View {
                width: 174,
                height: Some(height),
                glyphs: Glyphs::Unicode,
                bottom: Side::South,
            };
            let lines = board(&position, &Annotations::default(), &view);
            let lines: Vec<String> = lines.iter().map(StyledLine::text).collect();
            for (upper, lower) in lines.iter().zip(&lines[1..]) {
                for (column, _) in upper.chars().enumerate().filter(|&(_, glyph)| glyph == '▟') {
                    assert_eq!(lower.chars().nth(column), Some('▜'), "{}", lines.join("\n"));
                }
            }
        }
    }
}

#[test]
fn only_the_count_of_the_pit_sown_last_is_underlined() {
    let mut position = Position::start(Rules::default());
    let played = position.play(Pit::new(2)).unwrap();
    let marks =
        Annotations { last: Some((played.side, played.pit)), ..Annotations::new(&position) };
    let view = View { width: 74, height: Some(22), glyphs: Glyphs::Unicode, bottom: Side::South };
    let lines = board(&position, &marks, &view);
    let spans = lines.iter().flat_map(|line| &line.0).filter(|span| span.role == Role::Last);
    let texts: Vec<&str> = spans.map(|span| span.text.as_str()).collect();
    assert_eq!(texts, ["0", "[C]"]);
}

/// Where a board shows the letters of its pits, a click finds them.
#[test]
fn a_click_on_a_count_finds_its_pit() {
    let larger = |(title, position, marks, view): (String, _, _, View)| {
        let view = View { width: view.width + 60, height: Some(view.width / 2), ..view };
        (format!("{title}, larger"), position, marks, view)
    };
    for (title, _, _, view) in views().into_iter().chain(views().into_iter().map(larger)) {
        // Every pit has a different count, by which it can be found on the board.
        let pits = 4;
        let rows: [Vec<u32>; 2] = [(11..11 + pits).collect(), (51..51 + pits).collect()];
        let position =
            Position::new([&rows[0], &rows[1]], [0, 0], Side::South, Capture::Standard).unwrap();
        let lines: Vec<String> = board(&position, &Annotations::new(&position), &view)
            .iter()
            .map(StyledLine::text)
            .collect();
        for side in Side::BOTH {
            for (index, &count) in position.row(side).iter().enumerate() {
                let (line, column) = place_of(&lines, &count.to_string());
                let found = pit_at(&position, &view, column, line);
                assert_eq!(found, Some((side, Pit::new(index))), "{title}: {count}");
            }
        }
        assert_eq!(pit_at(&position, &view, 0, 0), None);
        assert_eq!(pit_at(&position, &view, 500, 500), None);
    }
}

/// The line and column of a text, in characters.
fn place_of(lines: &[String], text: &str) -> (usize, usize) {
    let places = lines.iter().enumerate().filter_map(|(line, shown)| {
        let bytes = shown.find(text)?;
        Some((line, shown[..bytes].chars().count()))
    });
    { places }.next().unwrap_or_else(|| panic!("no {text} in {lines:#?}"))
}
