//! The board as a drawing: a pure function from a position to lines of text.
//!
//! There are two layouts. *Horizontal*, as the board lies between two players: the far row is
//! at the top, reversed, with its store on the left; the near row is at the bottom with
//! its store on the right; arrows point to the stores. *Upright*, for narrow terminals and
//! wide boards: a line for each pair of opposite pits, the near player's pits on the left
//! and its store at the bottom. In both layouts sowing goes anticlockwise.
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

use crate::styled::{Role, StyledLine};
use kalah_game::{Pit, Position, Side};
use kalah_text::{foreign::Foreign, width};

/// The characters that a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyphs {
    /// Frames, arrows and dots of Unicode.
    Unicode,
    /// ASCII characters only.
    Ascii,
}

impl Glyphs {
    /// Replaces the characters that the terminal lacks. Lines are drawn in Unicode, with
    /// characters that take one column each.
    pub fn replace_in(self, mut lines: Vec<StyledLine>) -> Vec<StyledLine> {
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
        '▟' | '▛' => '/',
        '▙' | '▜' => '\\',
        '░' => '.',
        _ => glyph,
    }
}

/// How a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Columns of the terminal.
    pub width: usize,
    /// Lines to fill: pits grow with the space and show their seeds. None draws as few
    /// lines as possible.
    pub height: Option<usize>,
    /// The characters that the terminal can show.
    pub glyphs: Glyphs,
    /// The side whose row is the near one.
    pub bottom: Side,
}

/// The contents of a drawing other than seeds.
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
    /// No marked pits; the players are named by their sides.
    pub fn new(position: &Position) -> Self {
        Self {
            names: Side::BOTH.map(|side| side.name().to_owned()),
            to_move: if position.is_over() { None } else { Some(position.side()) },
            ..Self::default()
        }
    }

    fn mark(&self, side: Side, pit: Pit) -> Option<Role> {
        if self.chosen == Some((side, pit)) {
            Some(Role::Chosen)
        } else if self.last == Some((side, pit)) {
            Some(Role::Last)
        } else {
            None
        }
    }

    fn role(&self, side: Side) -> Role {
        if self.to_move == Some(side) { Role::Mover(side) } else { Role::Of(side) }
    }
}

/// Sizes of a horizontal board: columns of a pit and a store, and lines of a pit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct HorizontalLayout {
    pits: usize,
    cell: usize,
    store: usize,
    lines: usize,
}

/// Spaces to the left of everything.
const MARGIN: usize = 1;

/// Lines of a horizontal board outside its pits.
const FRAME_LINES: usize = 7;

impl HorizontalLayout {
    /// The largest layout that fits, if any.
    fn fitting(position: &Position, view: &View) -> Option<Self> {
        let pits = position.pits();
        let digits = digits(position);
        // Characters are about twice as high as wide, so pits up to this width are square or
        // taller, never flat.
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

/// The digits of the largest count possible on this board, at least two, so that the
/// drawing keeps its size during a game.
fn digits(position: &Position) -> usize {
    position.total().to_string().len().max(2)
}

/// Draws the board, at most `view.width` columns wide; an upright one needs 24 columns.
pub fn board(position: &Position, annotations: &Annotations, view: &View) -> Vec<StyledLine> {
    let picture = Picture { position, annotations, view };
    let lines = match HorizontalLayout::fitting(position, view) {
        Some(layout) => picture.horizontal(layout),
        None => picture.upright(),
    };
    view.glyphs.replace_in(lines)
}

/// Whether [`board`] is drawn upright, its near row running downwards.
pub fn is_upright(position: &Position, view: &View) -> bool {
    HorizontalLayout::fitting(position, view).is_none()
}

/// The pit that [`board`] draws at this column and line, both counted from 0.
pub fn pit_at(position: &Position, view: &View, column: usize, line: usize) -> Option<(Side, Pit)> {
    let pits = position.pits();
    match HorizontalLayout::fitting(position, view) {
        Some(layout) => {
            let place = column.checked_sub(MARGIN + layout.first_cell())? / (layout.cell + 1);
            // A row covers the lines inside its pits, the line of its letters, and the frame
            // between them.
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
    fn horizontal(&self, layout: HorizontalLayout) -> Vec<StyledLine> {
        let near = self.view.bottom;
        let far = near.other();
        let mut lines = vec![self.caption(far, layout.width(), false)];

        let arrow = centred("◀──", layout.first_cell() - 1);
        let letters = self.margin().with(Role::Quiet, format!("{arrow} "));
        lines.push(self.letters(letters, far, layout.cell));

        lines.push(self.rule(layout, ['╭', '┬', '╮']));
        lines.extend((0..layout.lines).map(|line| self.row(layout, far, line)));
        lines.push(self.middle(layout));
        lines.extend((0..layout.lines).map(|line| self.row(layout, near, line)));
        lines.push(self.rule(layout, ['╰', '┴', '╯']));

        let spaces = self.margin().with(Role::Quiet, " ".repeat(layout.first_cell()));
        let letters = self.letters(spaces, near, layout.cell);
        lines.push(letters.with(Role::Quiet, centred("──▶", layout.store + 1)));
        lines.push(self.caption(near, layout.width(), true));
        lines
    }

    fn margin(&self) -> StyledLine {
        StyledLine::plain(" ".repeat(MARGIN))
    }

    /// The pits of `side` as drawn, from left to right.
    fn left_to_right(&self, side: Side) -> Vec<Pit> {
        let pits = (0..self.position.pits()).map(Pit::new);
        if side == self.view.bottom { pits.collect() } else { pits.rev().collect() }
    }

    /// A player's name, and whether that player is to move.
    fn caption(&self, side: Side, width: usize, right: bool) -> StyledLine {
        let to_move = self.annotations.to_move == Some(side);
        let mark = if to_move { '●' } else { ' ' };
        let tail = if to_move { " to move" } else { "" };
        let room = width.saturating_sub(MARGIN + 2 + tail.len());
        // Escaped before it is shortened, because escapes take more columns.
        let name = match self.annotations.names[side.index()].as_str() {
            "" => side.name().to_owned(),
            name => Foreign(name).to_string(),
        };
        let text = format!("{mark} {}{tail}", shortened(&name, room));
        let spaces = if right { (width - MARGIN).saturating_sub(width::columns(&text)) } else { 0 };
        self.margin().with(Role::Plain, " ".repeat(spaces)).with(self.annotations.role(side), text)
    }

    /// The letters of a row, each above or below its pit.
    fn letters(&self, mut line: StyledLine, side: Side, cell: usize) -> StyledLine {
        for pit in self.left_to_right(side) {
            // On this line, the column of the frame to the right of the pit is free.
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

    /// A horizontal line of the frame with these ends and junctions.
    fn rule(&self, layout: HorizontalLayout, [left, cross, right]: [char; 3]) -> StyledLine {
        let store = "─".repeat(layout.store);
        let cells = vec!["─".repeat(layout.cell); layout.pits].join(&cross.to_string());
        let text = format!("{left}{store}{cross}{cells}{cross}{store}{right}");
        self.margin().with(Role::Quiet, text)
    }

    /// A line of a row and of the stores next to it: the counts in the last line, the seeds above.
    fn row(&self, layout: HorizontalLayout, side: Side, line: usize) -> StyledLine {
        let near = self.view.bottom;
        let far = near.other();
        let in_store = if side == far { line } else { layout.lines + line };
        let mut text = self.margin().with(Role::Quiet, '│');
        text.push(Role::Of(far), self.store_line(layout, far, in_store));
        for pit in self.left_to_right(side) {
            text.push(Role::Quiet, '│');
            let seeds = self.position.row(side)[pit.index()];
            let role = self.count_role(side, pit);
            // Underlined blanks would look like stripes.
            let blank = if role == Role::Last { Role::Plain } else { role };
            if line + 1 == layout.lines {
                let count = seeds.to_string();
                let before = before(count.len(), layout.cell);
                text.push(blank, " ".repeat(before));
                text.push(role, &count);
                text.push(blank, " ".repeat(layout.cell - before - count.len()));
            } else {
                let lines = self.seeds_in(layout, seeds.into(), layout.cell, layout.lines - 1);
                let role = if role == Role::Last { self.annotations.role(side) } else { role };
                text.push(role, &lines[line]);
            }
        }
        text.push(Role::Quiet, '│');
        text.push(Role::Of(near), self.store_line(layout, near, in_store));
        text.with(Role::Quiet, '│')
    }

    /// A line of a store, except the one with its count: the owner's initial at the owner's end,
    /// and the seeds, half of them on each side of the count.
    fn store_line(&self, layout: HorizontalLayout, side: Side, line: usize) -> String {
        let far = side != self.view.bottom;
        let upper = line < layout.lines;
        let has_initial = far == upper;
        if has_initial && line == if far { 0 } else { 2 * layout.lines - 1 } {
            return centred(&side.name()[..1], layout.store);
        }
        let seeds = if layout.lines > 1 { self.position.store(side) } else { 0 };
        // Two blocks of seeds: a single one would draw large seeds across the count.
        let here = if has_initial { seeds / 2 } else { seeds.div_ceil(2) };
        let lines = layout.lines - usize::from(has_initial);
        let first = if upper { usize::from(far) } else { layout.lines };
        self.seeds_in(layout, here, layout.store, lines)[line - first].clone()
    }

    /// The line between the rows, with the counts of both stores.
    fn middle(&self, layout: HorizontalLayout) -> StyledLine {
        let near = self.view.bottom;
        let far = near.other();
        let near_store = centred(&self.position.store(near).to_string(), layout.store);
        let far_store = centred(&self.position.store(far).to_string(), layout.store);
        let cells = vec!["─".repeat(layout.cell); layout.pits];
        self.margin()
            .with(Role::Quiet, '│')
            .with(Role::Mover(far), far_store)
            .with(Role::Quiet, format!("├{}┤", cells.join("┼")))
            .with(Role::Mover(near), near_store)
            .with(Role::Quiet, '│')
    }

    /// The seeds of a pit or a store, in `lines` lines. They are as large as the fullest
    /// pit allows, so that all pits can be compared at a glance.
    fn seeds_in(
        &self,
        layout: HorizontalLayout,
        seeds: u32,
        width: usize,
        lines: usize,
    ) -> Vec<String> {
        let counts = Side::BOTH.into_iter().flat_map(|side| self.position.row(side));
        let fullest = counts.copied().max().unwrap_or(0).into();
        let size = Seeds::fitting(fullest, 0, layout.cell, layout.lines.saturating_sub(1));
        Seeds::fitting(seeds, size.0.min(Seeds::FIRST_DOT), width, lines)
            .1
            .drawn(seeds, width, lines)
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

    fn upright(&self) -> Vec<StyledLine> {
        let near = self.view.bottom;
        let far = near.other();
        let middle = upright_middle(self.position);
        let digits = digits(self.position);
        let width = self.view.width.min(2 * middle + 8);
        let mut lines = vec![self.caption(far, width, false), self.upright_store(far)];
        lines.push(
            StyledLine::plain(" ".repeat(middle - near.name().len() - 3))
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
        lines.push(self.upright_store(near));
        lines.push(self.caption(near, width, false));
        lines
    }

    fn upright_store(&self, side: Side) -> StyledLine {
        let text = format!("{side}'s store  {}", self.position.store(side));
        let before = (upright_middle(self.position) + 1).saturating_sub(text.len() / 2);
        StyledLine::plain(" ".repeat(before)).with(Role::Mover(side), text)
    }
}

/// Seeds drawn in a block, centred: how each looks, and how many share a line.
struct Seeds {
    /// The lines of one seed.
    seed: &'static [&'static str],
    /// Columns and lines from one seed to the next.
    across: usize,
    down: usize,
    per_line: usize,
}

impl Seeds {
    /// Sizes and distances, largest first.
    const SIZES: [(&[&str], usize, usize); 5] = [
        (&["▟██▙", "▜██▛"], 6, 3),
        (&["██"], 4, 2),
        (&["●"], 4, 2),
        (&["●"], 2, 1),
        (&["●"], 1, 1),
    ];
    const FIRST_DOT: usize = 2;

    /// The largest size, starting with number `first`, at which these seeds fit, and its number.
    /// The block of seeds is about as many seeds wide as it is high.
    fn fitting(seeds: u32, first: usize, width: usize, lines: usize) -> (usize, Self) {
        let seeds = seeds as usize;
        let columns = width.saturating_sub(2).max(1);
        for (number, &(seed, across, down)) in Self::SIZES.iter().enumerate().skip(first) {
            let max = (columns + across - seed[0].chars().count()) / across;
            let lines = (lines + down - seed.len()) / down;
            // If the pit is narrower than a seed, `max` is 0 and this size does not fit even an
            // empty pit: `drawn` divides by the number of seeds per line.
            let square = (1..=max).find(|&per_line| seeds <= per_line * lines.min(per_line));
            let per_line = match square {
                Some(per_line) => per_line,
                None if 0 < max && seeds <= max * lines => max,
                None => continue,
            };
            return (number, Self { seed, across, down, per_line });
        }
        let (seed, across, down) = Self::SIZES[Self::SIZES.len() - 1];
        (Self::SIZES.len() - 1, Self { seed, across, down, per_line: columns })
    }

    /// The lines of a pit with the seeds; `…` stands for those that do not fit.
    fn drawn(&self, seeds: u32, width: usize, lines: usize) -> Vec<String> {
        let seeds = seeds as usize;
        let used = seeds.div_ceil(self.per_line) * self.down;
        let above = lines.saturating_sub(used.saturating_sub(self.down - self.seed.len())) / 2;
        let mut drawn = vec![String::new(); above];
        for line in 0..lines - above {
            let before = line / self.down * self.per_line;
            let count = seeds.saturating_sub(before).min(self.per_line);
            let part = self.seed.get(line % self.down);
            let mut row = vec![*part.unwrap_or(&""); count];
            if above + line + 1 == lines && before + count < seeds {
                row[count - 1] = "…";
            }
            let gap = self.across - self.seed[0].chars().count();
            drawn.push(match part {
                Some(_) => row.join(&" ".repeat(gap)),
                None => String::new(),
            });
        }
        drawn.iter().map(|line| centred(line, width)).collect()
    }
}

/// Columns before a text of `length` that is centred in `width`. If the space cannot be divided
/// evenly, there is one column more before the text than after it.
fn before(length: usize, width: usize) -> usize {
    width.saturating_sub(length).div_ceil(2)
}

fn centred(text: &str, width: usize) -> String {
    let before = before(width::columns(text), width);
    width::padded(&format!("{}{text}", " ".repeat(before)), width)
}

/// A name shortened to `room` columns.
fn shortened(name: &str, room: usize) -> String {
    if width::columns(name) <= room {
        return name.to_owned();
    }
    format!("{}~", width::fitting(name, room.saturating_sub(1)))
}
