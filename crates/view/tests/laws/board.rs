//! Drawings of positions, and lines of text with roles.

use std::collections::HashSet;

use kalah_game::{Capture, Pit, Position, Rules, Side};
use kalah_text::width;
use kalah_view::board::{Annotations, Glyphs, View, board, is_upright, pit_at};
use kalah_view::styled::{Role, StyledLine};
use proptest::prelude::*;

#[test]
fn neighbours_in_one_role_are_one_span() {
    let line = StyledLine::plain("a").with(Role::Plain, "b").with(Role::Strong, "c");
    assert_eq!((line.0.len(), line.width(), line.text()), (2, 3, "abc".to_owned()));
}

#[test]
fn lines_have_no_control_characters() {
    let line = StyledLine::plain("a\u{1b}[2J\n\u{9b}b").with(Role::Strong, "\u{202e}c");
    assert_eq!(line.text(), "a\\u001b[2J\\u000a\\u009bb\\u202ec");
}

/// A position all of whose pits and stores hold different numbers, all of two digits.
fn distinct(pits: u32) -> Position {
    let counts: Vec<String> = (11..).take(2 * pits as usize + 2).map(|n| n.to_string()).collect();
    Position::parse(&format!("<{pits},{}> S", counts.join(",")), Capture::Standard).unwrap()
}

/// The numbers in drawn lines, each with its column and line.
fn numbers(lines: &[StyledLine]) -> Vec<(u32, usize, usize)> {
    let mut found = Vec::new();
    for (row, line) in lines.iter().enumerate() {
        let mut column = 0;
        for word in line.text().split(|letter: char| !letter.is_ascii_digit()) {
            found.extend(word.parse().ok().map(|number| (number, column, row)));
            column += word.len() + 1;
        }
    }
    found
}

#[test]
fn every_pit_and_store_shows_its_seeds_once_and_a_click_on_them_finds_the_pit() {
    for (pits, width) in
        (1..=8).flat_map(|pits| (24..130).step_by(5).map(move |width| (pits, width)))
    {
        let position = distinct(pits);
        for (height, bottom) in
            [(None, Side::South), (Some(12), Side::North), (Some(20), Side::South)]
        {
            let view = View { width, height, glyphs: Glyphs::Ascii, bottom };
            let lines = board(&position, &Annotations::new(&position), &view);
            assert!(lines.iter().all(|line| line.width() <= width), "{width}");
            let mut shown = numbers(&lines);
            shown.sort_unstable();
            let seeds: Vec<u32> = shown.iter().map(|&(number, ..)| number).collect();
            assert_eq!(seeds, (11..).take(2 * pits as usize + 2).collect::<Vec<_>>(), "{lines:?}");
            for (number, column, row) in shown {
                let pit = pit_at(&position, &view, column, row);
                match pit {
                    Some((side, pit)) => {
                        assert_eq!(u32::from(position.row(side)[pit.index()]), number)
                    }
                    None => assert!(Side::BOTH.iter().any(|&side| position.store(side) == number)),
                }
            }
        }
    }
}

/// Boards of a few sizes with seeds of every size, in views of all sizes.
fn drawings() -> impl Iterator<Item = (Position, View)> {
    let positions = [
        "<2,0,0,0,1,1,0> S",
        "<3,4,9,1,0,2,2,1,0> N",
        "<4,20,21,11,0,12,13,0,14,15,16> S",
        "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S",
    ];
    let heights = [None, Some(12), Some(17), Some(29)];
    let sizes = (24..130)
        .step_by(7)
        .flat_map(move |width| heights.into_iter().map(move |height| (width, height)));
    sizes.flat_map(move |(width, height)| {
        positions.map(|text| {
            let position = Position::parse(text, Capture::Standard).unwrap();
            (position, View { width, height, glyphs: Glyphs::Unicode, bottom: Side::South })
        })
    })
}

/// The texts between the frames of a horizontal board: far store, pits, near store. The line
/// between the rows is missing.
fn rows(lines: &[StyledLine]) -> Vec<Vec<String>> {
    let texts = lines.iter().map(StyledLine::text);
    let rows = texts.filter(|text| text.contains('│') && !text.contains('├'));
    rows.map(|row| row.trim().trim_matches('│').split('│').map(str::to_owned).collect()).collect()
}

#[test]
fn a_board_is_the_largest_that_fits_and_ascii_changes_only_its_characters() {
    let mut frames = HashSet::new();
    for (position, view) in drawings() {
        let drawn = |view| board(&position, &Annotations::new(&position), &view);
        let frame = |width| {
            let view = View { width, ..view };
            let line = drawn(view).into_iter().find(|line| line.text().starts_with(" ╭"))?;
            assert!(!is_upright(&position, &view));
            Some(line.width())
        };
        let lines = drawn(view);
        let plain = drawn(View { glyphs: Glyphs::Ascii, ..view });
        assert!(plain.iter().all(|line| line.text().is_ascii()), "{plain:?}");
        let widths = |lines: &[StyledLine]| lines.iter().map(StyledLine::width).collect::<Vec<_>>();
        assert_eq!(widths(&plain), widths(&lines));
        let Some(width) = frame(view.width) else { continue };
        frames.insert(width);
        assert!(width <= view.width && lines.len() <= view.height.unwrap_or(9), "{view:?}");
        assert_eq!(frame(width), Some(width), "{view:?}");
        assert!(frame(width - 1) < Some(width), "{view:?}");
    }
    assert!(frames.len() > 10, "{frames:?}");
}

#[test]
fn the_seeds_of_a_pit_are_drawn_once_in_its_middle_and_counted_below() {
    let mut whole = 0;
    for (position, view) in drawings().filter(|(position, view)| !is_upright(position, view)) {
        let annotations = Annotations { to_move: None, ..Annotations::new(&position) };
        let lines = board(&position, &annotations, &view);
        let rows = rows(&lines);
        let height = rows.len() / 2;
        for (row, line) in lines.iter().enumerate() {
            // Every column and line of a pit belongs to it, and no other line to any pit.
            let mut frames = 0;
            for (column, character) in line.text().chars().enumerate() {
                frames += usize::from(character == '│');
                let pit = pit_at(&position, &view, column, row);
                let is_inside = character != '│' && (2..position.pits() + 2).contains(&frames);
                if row == 0 || row + 1 == lines.len() {
                    assert_eq!(pit, None, "{column}, {row}: {view:?}");
                } else if is_inside && row != lines.len() / 2 {
                    let (side, pit) = pit.expect("a pit");
                    let place =
                        if side == view.bottom { pit } else { pit.opposite(position.pits()) };
                    let half = if row < lines.len() / 2 { Side::North } else { Side::South };
                    assert_eq!((place.index(), side), (frames - 2, half), "{column}, {row}");
                }
            }
        }
        // Dots stand side by side only if some pit has too many for gaps between them.
        let mut is_crowded = false;
        let mut is_full = false;
        for (row, side) in rows.chunks(height).zip([Side::North, Side::South]) {
            for (column, pit) in (1..=position.pits()).zip(0..) {
                let index = if side == Side::South { pit } else { position.pits() - 1 - pit };
                let seeds = usize::from(position.row(side)[index]);
                let cell: Vec<&str> = row.iter().map(|texts| texts[column].as_str()).collect();
                assert_eq!(cell[height - 1].trim(), seeds.to_string());
                let drawn = cell[..height - 1].concat();
                is_crowded |= drawn.contains("●●");
                is_full |= seeds > (cell[0].chars().count() - 1) / 2 * (height - 1);
                if !drawn.contains('…') && height > 1 {
                    // A large seed has two lines, each with two blocks.
                    let large = drawn.matches('▟').count();
                    let blocks = drawn.matches("██").count() - 2 * large;
                    assert_eq!(large + blocks + drawn.matches('●').count(), seeds, "{cell:?}");
                    let blank = |line: &&&str| line.trim().is_empty();
                    let above = cell[..height - 1].iter().take_while(blank).count();
                    let below = cell[..height - 1].iter().rev().take_while(blank).count();
                    assert!(seeds == 0 || (above..=above + 1).contains(&below), "{cell:?}");
                    whole += 1;
                }
            }
        }
        assert!(is_full || !is_crowded, "{view:?} {position}");
        for text in rows.concat().iter().filter(|text| !text.trim().is_empty()) {
            let left = width::columns(text) - width::columns(text.trim_start());
            let right = width::columns(text) - width::columns(text.trim_end());
            assert!((right..=right + 1).contains(&left), "{text:?}");
        }
    }
    assert!(whole > 1000, "{whole}");
}

#[test]
fn a_pit_has_the_role_of_its_mark_or_owner_and_an_empty_one_is_quiet() {
    for (position, view) in drawings() {
        let last = Some((Side::South, Pit::new(1)));
        let chosen = Some((Side::North, Pit::new(0)));
        let annotations = Annotations { last, chosen, ..Annotations::new(&position) };
        let lines = board(&position, &annotations, &view);
        let mut found = 0;
        for (row, line) in lines.iter().enumerate() {
            let mut column = 0;
            for span in &line.0 {
                for character in span.text.chars() {
                    if let Some((side, pit)) = pit_at(&position, &view, column, row)
                        && character.is_ascii_alphanumeric()
                    {
                        let is_empty = position.row(side)[pit.index()] == 0;
                        let role = match (side, pit) {
                            marked if Some(marked) == chosen => Role::Chosen,
                            marked if Some(marked) == last => Role::Last,
                            _ if is_empty && character.is_ascii_digit() => Role::Quiet,
                            _ if side == position.side() => Role::Mover(side),
                            _ => Role::Of(side),
                        };
                        assert_eq!(span.role, role, "{character} of {}", pit.letter(side));
                        let is_letter = character.is_ascii_alphabetic();
                        assert!(!is_letter || character == pit.letter(side), "{character}");
                        found += usize::from(is_letter);
                    }
                    column += 1;
                }
            }
        }
        assert_eq!(found, 2 * position.pits(), "{view:?}");
        // In an upright board, the line between the rows is the boundary of their pits.
        let divided = lines.iter().enumerate().filter(|_| is_upright(&position, &view));
        for (row, line) in divided {
            let middle = line.text().chars().position(|character| character == '│');
            let Some(middle) = middle.filter(|_| row > 2) else { continue };
            let sides = [middle - 1, middle].map(|column| pit_at(&position, &view, column, row));
            assert_eq!(sides.map(|pit| pit.unwrap().0), [Side::South, Side::North]);
        }
    }
}

#[test]
fn a_name_is_shortened_only_to_the_room_that_it_has_and_the_mover_is_named() {
    let name = "abcdefghijklmnopqrstuvwxyz".repeat(5);
    for (position, view) in drawings().step_by(61) {
        // The far caption begins at the left, so that its width shows the room it has taken.
        let bottom = position.side();
        for (view, is_mover) in
            [(View { bottom, ..view }, false), (View { bottom: bottom.other(), ..view }, true)]
        {
            let far = view.bottom.other();
            let tail = if is_mover { " to move" } else { "" };
            let caption = |length: usize| {
                let names = [&name[..length]; 2].map(str::to_owned);
                let annotations = Annotations { names, ..Annotations::new(&position) };
                let lines = board(&position, &annotations, &view);
                let near = lines[lines.len() - 1].text();
                assert_eq!(near.contains("● a"), !is_mover, "{near}");
                assert_eq!(near.ends_with(" to move"), !is_mover, "{near}");
                let line = &lines[0];
                assert_eq!(line.0.last().unwrap().role == Role::Mover(far), is_mover);
                (line.text(), line.width())
            };
            let mark = if is_mover { '●' } else { ' ' };
            let whole = |length: usize| format!(" {mark} {}{tail}", &name[..length]);
            let room = (1..name.len()).take_while(|&length| caption(length).0 == whole(length));
            let room = room.count();
            let (shortened, width) = caption(name.len());
            assert_eq!(shortened, format!(" {mark} {}~{tail}", &name[..room - 1]));
            assert_eq!((caption(room).1, caption(room + 1).1), (width, width), "{shortened}");
            let frame = board(&position, &Annotations::new(&position), &view)[2].width();
            if is_upright(&position, &view) {
                assert!((frame..=view.width).contains(&width), "{shortened}");
            } else {
                assert_eq!(width, frame, "{shortened}");
            }
        }
    }
}

#[test]
fn the_width_of_a_line_counts_columns() {
    assert_eq!(StyledLine::plain("播棋").with(Role::Strong, "e\u{301}").width(), 5);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_board_fits_with_any_names(
        names in prop::array::uniform2(prop_oneof![any::<String>(), "[播棋🌱e\u{301}]{0,60}"]),
        pits in 1_u32..=16,
        height in prop::option::of(8_usize..40),
        bottom in prop::sample::select(Side::BOTH.to_vec()),
    ) {
        let position = Position::start(Rules::new(pits, 4, Capture::Standard).unwrap());
        let annotations = Annotations { names, ..Annotations::new(&position) };
        for width in 0..=120 {
            let view = View { width, height, glyphs: Glyphs::Unicode, bottom };
            for line in board(&position, &annotations, &view) {
                prop_assert!(line.width() <= width.max(24), "{width}: {:?}", line.text());
            }
        }
    }
}
