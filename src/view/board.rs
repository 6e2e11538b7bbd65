//! The board as a picture: a pure function from a position to lines of text.
//!
//! Two layouts. *Lying*, as the board lies between two players: the far row
//! above, reversed, its store to the left; the near row below, its store to
//! the right; arrows lead to the stores. *Upright*, for narrow terminals and
//! wide boards: a line for each pair of opposite pits, the near player's pits
//! at the left, its store at the bottom. In both, sowing goes anticlockwise.
//!
//! ```text
//!    North                                North's store  0
//!  ◀──    f   e   d   c   b   a              South ▼  ▲ North
//!  ╭────┬───┬───┬───┬───┬───┬───┬────╮          A  4  │  4  f
//!  │ N  │ 4 │ 4 │ 4 │ 4 │ 4 │ 4 │    │          B  4  │  4  e
//!  │ 0  ├───┼───┼───┼───┼───┼───┤ 0  │          …
//!  │    │ 4 │ 4 │ 4 │ 4 │ 4 │ 4 │ S  │       South's store  0
//!  ╰────┴───┴───┴───┴───┴───┴───┴────╯
//!         A   B   C   D   E   F    ──▶
//!                     ● South to move
//! ```

use super::text::{Line, Role};
use crate::game::{Pit, Position, Side};

/// The characters that a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyphs {
    /// Frames, arrows and dots of Unicode.
    Unicode,
    /// No character beyond ASCII.
    Ascii,
}

impl Glyphs {
    /// The lines with the characters that there are. Lines are drawn in Unicode,
    /// each of its characters in one column.
    pub(crate) fn replace_in(self, mut lines: Vec<Line>) -> Vec<Line> {
        if self == Glyphs::Ascii {
            for span in lines.iter_mut().flat_map(|line| &mut line.0) {
                span.text = span.text.chars().map(ascii).collect();
            }
        }
        lines
    }
}

fn ascii(glyph: char) -> char {
    match glyph {
        '─' => '-',
        '│' => '|',
        '╭' | '┬' | '╮' | '├' | '┼' | '┤' | '╰' | '┴' | '╯' => '+',
        '◀' => '<',
        '▶' => '>',
        '▼' => 'v',
        '▲' => '^',
        '●' => '*',
        '…' => '.',
        '█' => '#',
        '░' => '.',
        _ => glyph,
    }
}

/// How a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Columns of the terminal.
    pub width: usize,
    /// Lines to fill: pits grow with the room and show their seeds. None: as few as can
    /// be.
    pub height: Option<usize>,
    /// Characters of the terminal.
    pub glyphs: Glyphs,
    /// Whose row is the near one.
    pub bottom: Side,
}

/// What is shown on a board besides seeds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// The pit that was sown last, shown as `[c]`.
    pub last: Option<(Side, Pit)>,
    /// A hint or a choice, shown as `>C<`.
    pub chosen: Option<(Side, Pit)>,
    /// The players' names, South's first.
    pub names: [String; 2],
    /// Who is to move, if anyone.
    pub to_move: Option<Side>,
}

impl Annotations {
    /// No pit marked, the players named by their sides.
    pub fn of(position: &Position) -> Self {
        Self {
            names: Side::BOTH.map(|side| side.name().to_owned()),
            to_move: (!position.is_over()).then(|| position.side()),
            ..Self::default()
        }
    }

    fn mark(&self, side: Side, pit: Pit) -> Option<Role> {
        if self.chosen == Some((side, pit)) {
            return Some(Role::Chosen);
        }
        (self.last == Some((side, pit))).then_some(Role::Last)
    }

    fn role(&self, side: Side) -> Role {
        if self.to_move == Some(side) { Role::Mover(side) } else { Role::Of(side) }
    }
}

/// Columns inside a pit and a store of a lying board, and lines inside a pit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lying {
    pits: usize,
    cell: usize,
    store: usize,
    lines: usize,
}

/// Spaces to the left of everything.
const MARGIN: usize = 1;

/// Lines of a lying board besides those inside its pits.
const FRAME_LINES: usize = 7;

impl Lying {
    /// The roomiest layout that fits, if one does.
    fn fitting(position: &Position, view: &View) -> Option<Self> {
        let pits = position.pits();
        let digits = digits(position);
        // Characters are about twice as high as wide: these pits are square or upright.
        let most_lines = view.height.unwrap_or(0).saturating_sub(FRAME_LINES) / 2;
        let widest = 2 * most_lines.max(1) + 2;
        (digits + 5..=widest)
            .rev()
            .chain([4, 2, 1, 0].map(|spaces| digits + spaces))
            .map(|cell| Self {
                pits,
                cell,
                store: (digits + 2).max(cell - 2),
                lines: most_lines.min(cell * 2 / 3).max(1),
            })
            .find(|layout| layout.width() <= view.width)
    }

    fn width(self) -> usize {
        MARGIN + self.first_cell() + self.pits * (self.cell + 1) + self.store + 1
    }

    /// Columns from the margin to the inside of the leftmost pit.
    fn first_cell(self) -> usize {
        self.store + 2
    }
}

/// The digits that a count on this board can need, at least two, so that the
/// picture keeps its size during a game.
fn digits(position: &Position) -> usize {
    position.total().to_string().len().max(2)
}

/// The board, at most `view.width` columns wide if it can be: an upright one
/// needs 24.
pub fn board(position: &Position, annotations: &Annotations, view: &View) -> Vec<Line> {
    let picture = Picture { position, annotations, view };
    let lines = match Lying::fitting(position, view) {
        Some(layout) => picture.lying(layout),
        None => picture.upright(),
    };
    view.glyphs.replace_in(lines)
}

/// Whether [`board`] is drawn upright, its near row running downwards.
pub fn is_upright(position: &Position, view: &View) -> bool {
    Lying::fitting(position, view).is_none()
}

/// The pit that [`board`] shows at this column and line, both from 0.
pub fn pit_at(position: &Position, view: &View, column: usize, line: usize) -> Option<(Side, Pit)> {
    let pits = position.pits();
    match Lying::fitting(position, view) {
        Some(layout) => {
            let place = column.checked_sub(MARGIN + layout.first_cell())? / (layout.cell + 1);
            // Letters, frame and inside of the far row, the same of the near one.
            let far = 1..layout.lines + 3;
            let near = far.end + 1..far.end + layout.lines + 3;
            let side = match line {
                _ if far.contains(&line) => view.bottom.other(),
                _ if near.contains(&line) => view.bottom,
                _ => return None,
            };
            let index =
                if side == view.bottom { Some(place) } else { (pits - 1).checked_sub(place) };
            index.filter(|&index| index < pits).map(|index| (side, Pit::new(index)))
        }
        None => {
            let from_top = line.checked_sub(UPRIGHT_HEAD).filter(|&index| index < pits)?;
            let middle = upright_middle(position);
            if column < middle {
                Some((view.bottom, Pit::new(from_top)))
            } else {
                Some((view.bottom.other(), Pit::new(from_top).opposite(pits)))
            }
        }
    }
}

/// Lines above the first pits of an upright board.
const UPRIGHT_HEAD: usize = 3;

/// The column of the line between the rows of an upright board.
fn upright_middle(position: &Position) -> usize {
    MARGIN + 5 + digits(position) + 2
}

struct Picture<'a> {
    position: &'a Position,
    annotations: &'a Annotations,
    view: &'a View,
}

impl Picture<'_> {
    fn lying(&self, layout: Lying) -> Vec<Line> {
        let (near, far) = (self.view.bottom, self.view.bottom.other());
        let mut lines = vec![self.caption(far, layout.width(), false)];

        let arrow = centred("◀──", layout.first_cell() - 1);
        let letters = self.margin().with(Role::Quiet, format!("{arrow} "));
        lines.push(self.letters(letters, far, layout.cell));

        lines.push(self.rule(layout, ['╭', '┬', '╮']));
        lines.extend((0..layout.lines).map(|line| self.row(layout, far, line)));
        lines.push(self.middle(layout));
        lines.extend((0..layout.lines).map(|line| self.row(layout, near, line)));
        lines.push(self.rule(layout, ['╰', '┴', '╯']));

        let letters = self.margin().with(Role::Quiet, " ".repeat(layout.first_cell()));
        let letters = self.letters(letters, near, layout.cell);
        lines.push(letters.with(Role::Quiet, centred("──▶", layout.store + 1)));
        lines.push(self.caption(near, layout.width(), true));
        lines
    }

    fn margin(&self) -> Line {
        Line::plain(" ".repeat(MARGIN))
    }

    /// The pits of `side` as they stand from left to right.
    fn left_to_right(&self, side: Side) -> Vec<Pit> {
        let pits = (0..self.position.pits()).map(Pit::new);
        if side == self.view.bottom { pits.collect() } else { pits.rev().collect() }
    }

    /// A player's name, and whether that player is to move.
    fn caption(&self, side: Side, width: usize, right: bool) -> Line {
        let to_move = self.annotations.to_move == Some(side);
        let mark = if to_move { '●' } else { ' ' };
        let tail = if to_move { " to move" } else { "" };
        let room = width.saturating_sub(MARGIN + 2 + tail.len());
        let name = shortened(&self.annotations.names[side.index()], room);
        let text = format!("{mark} {name}{tail}");
        let spaces =
            if right { width - MARGIN - text.chars().count().min(width - MARGIN) } else { 0 };
        self.margin().with(Role::Plain, " ".repeat(spaces)).with(self.annotations.role(side), text)
    }

    /// The letters of a row, each over or under its pit.
    fn letters(&self, mut line: Line, side: Side, cell: usize) -> Line {
        for pit in self.left_to_right(side) {
            // The frame's column at the right of the pit is free here.
            let (role, text) = self.letter(side, pit);
            let before = before(text.len(), cell);
            line.push(Role::Plain, " ".repeat(before));
            line.push(role, &text);
            line.push(Role::Plain, " ".repeat(cell + 1 - before - text.len()));
        }
        line
    }

    /// A pit's letter in three columns, marked if the pit is.
    fn letter(&self, side: Side, pit: Pit) -> (Role, String) {
        let letter = pit.letter(side);
        match self.annotations.mark(side, pit) {
            Some(Role::Chosen) => (Role::Chosen, format!(">{letter}<")),
            Some(role) => (role, format!("[{letter}]")),
            None => (self.annotations.role(side), format!(" {letter} ")),
        }
    }

    /// A horizontal line of the frame with these ends and crossings.
    fn rule(&self, layout: Lying, [left, cross, right]: [char; 3]) -> Line {
        let line = |columns| "─".repeat(columns);
        let mut text = format!("{left}{}{cross}", line(layout.store));
        text += &vec![line(layout.cell); layout.pits].join(&cross.to_string());
        text += &format!("{cross}{}{right}", line(layout.store));
        self.margin().with(Role::Quiet, text)
    }

    /// A line of a row between the stores: in the last one stand the counts, above them
    /// the seeds.
    fn row(&self, layout: Lying, side: Side, line: usize) -> Line {
        let (near, far) = (self.view.bottom, self.view.bottom.other());
        let in_store = if side == far { line } else { layout.lines + line };
        let mut text = self.margin().with(Role::Quiet, '│');
        text.push(Role::Of(far), self.store_line(layout, far, in_store));
        for pit in self.left_to_right(side) {
            text.push(Role::Quiet, '│');
            let shown = match line + 1 == layout.lines {
                true => centred(&self.count(side, pit), layout.cell),
                false => {
                    let seeds = self.position.row(side)[pit.index()].into();
                    seeds_in(seeds, layout.cell, layout.lines - 1).swap_remove(line)
                }
            };
            text.push(self.count_role(side, pit), shown);
        }
        text.push(Role::Quiet, '│');
        text.push(Role::Of(near), self.store_line(layout, near, in_store));
        text.with(Role::Quiet, '│')
    }

    /// A line of a store, that of its count left out: the owner's initial at the owner's
    /// end, and the seeds.
    fn store_line(&self, layout: Lying, side: Side, line: usize) -> String {
        let last = 2 * layout.lines - 1;
        let far = side != self.view.bottom;
        if line == if far { 0 } else { last } {
            return centred(&side.name()[..1], layout.store);
        }
        let seeds = if layout.lines > 1 { self.position.store(side) } else { 0 };
        seeds_in(seeds, layout.store, last).swap_remove(if far { line - 1 } else { line })
    }

    /// The line between the rows, with the seeds of both stores.
    fn middle(&self, layout: Lying) -> Line {
        let store = |side: Side| centred(&self.position.store(side).to_string(), layout.store);
        let (near, far) = (self.view.bottom, self.view.bottom.other());
        let cells = vec!["─".repeat(layout.cell); layout.pits];
        self.margin()
            .with(Role::Quiet, '│')
            .with(Role::Mover(far), store(far))
            .with(Role::Quiet, format!("├{}┤", cells.join("┼")))
            .with(Role::Mover(near), store(near))
            .with(Role::Quiet, '│')
    }

    fn count(&self, side: Side, pit: Pit) -> String {
        self.position.row(side)[pit.index()].to_string()
    }

    fn count_role(&self, side: Side, pit: Pit) -> Role {
        self.annotations.mark(side, pit).unwrap_or(match self.position.row(side)[pit.index()] {
            0 => Role::Quiet,
            _ => self.annotations.role(side),
        })
    }

    fn upright(&self) -> Vec<Line> {
        let (near, far) = (self.view.bottom, self.view.bottom.other());
        let middle = upright_middle(self.position);
        let digits = digits(self.position);
        let store = |side: Side| {
            let text = format!("{side}'s store  {}", self.position.store(side));
            let before = (middle + 1).saturating_sub(text.len() / 2);
            Line::plain(" ".repeat(before)).with(Role::Mover(side), text)
        };
        let width = self.view.width.min(2 * middle + 8);
        let mut lines = vec![self.caption(far, width, false), store(far)];
        lines.push(
            Line::plain(" ".repeat(middle - near.name().len() - 3))
                .with(Role::Quiet, format!("{near} ▼ │ ▲ {far}")),
        );
        for (pit, opposite) in self.left_to_right(near).into_iter().zip(self.left_to_right(far)) {
            let (role, letter) = self.letter(near, pit);
            let (far_role, far_letter) = self.letter(far, opposite);
            let count = format!("{:>digits$}", self.count(near, pit));
            let far_count = format!("{:<digits$}", self.count(far, opposite));
            lines.push(
                self.margin()
                    .with(Role::Plain, "  ")
                    .with(role, letter)
                    .with(self.count_role(near, pit), count)
                    .with(Role::Quiet, "  │  ")
                    .with(self.count_role(far, opposite), far_count)
                    .with(far_role, far_letter),
            );
        }
        lines.push(store(near));
        lines.push(self.caption(near, width, false));
        lines
    }
}

/// Seeds as dots in the middle of so many lines of `width` columns, about as many beside
/// each other as below each other, and as far apart as there is room for; where they are
/// too many, `…` after those that have room.
fn seeds_in(seeds: u32, width: usize, lines: usize) -> Vec<String> {
    let seeds = seeds as usize;
    let columns = width.saturating_sub(2).max(1);
    // Columns and lines from a dot to the next.
    let block = |across: usize, down: usize| {
        let (most, lines) = (columns.div_ceil(across), lines.div_ceil(down));
        let square = (1..=most).find(|&a_line| seeds <= a_line * lines.min(a_line));
        square.or((seeds <= most * lines).then_some(most)).map(|a_line| (across, down, a_line))
    };
    let blocks = [(4, 2), (2, 1), (1, 1)].into_iter();
    let fitting = { blocks }.find_map(|(across, down)| block(across, down));
    let (across, down, a_line) = fitting.unwrap_or((1, 1, columns));
    let used = (seeds.div_ceil(a_line) * down).saturating_sub(down - 1);
    let above = lines.saturating_sub(used) / 2;
    let dots = |line: usize| {
        let row = line.checked_sub(above).filter(|row| row.is_multiple_of(down));
        let before = row.map_or(seeds, |row| row / down * a_line);
        let count = seeds.saturating_sub(before).min(a_line);
        let mut dots = vec!["●"; count];
        if line + 1 == lines && before + count < seeds && row.is_some() {
            dots[count - 1] = "…";
        }
        centred(&dots.join(&" ".repeat(across - 1)), width)
    };
    (0..lines).map(dots).collect()
}

/// Columns before a text of `length` in the middle of `width`; the odd one
/// goes before it.
fn before(length: usize, width: usize) -> usize {
    width.saturating_sub(length).div_ceil(2)
}

fn centred(text: &str, width: usize) -> String {
    let before = before(text.chars().count(), width);
    format!("{:width$}", format!("{}{text}", " ".repeat(before)))
}

/// The beginning of a name that has no room.
fn shortened(name: &str, room: usize) -> String {
    if name.chars().count() <= room {
        return name.to_owned();
    }
    let mut short: String = name.chars().take(room.saturating_sub(1)).collect();
    short.push('~');
    short
}
