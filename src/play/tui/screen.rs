//! What is on the screen: a pure function from what is known to a frame.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text as terminal;
use ratatui::widgets::{Block, Clear, Padding, Paragraph};

use super::keys;
use crate::game::{Pit, Position, Side};
use crate::view::board::{Annotations, Glyphs, View, board, pit_at};
use crate::view::palette::{Palette, TextStyle};
use crate::view::text::{Line, Role, wrapped};

/// All that the screen shows.
#[derive(Clone, Debug)]
pub struct Screen {
    /// The board, maybe in the midst of a sowing.
    pub position: Position,
    /// Seeds in the hand, during a sowing.
    pub hand: Option<u32>,
    /// What is pointed out.
    pub annotations: Annotations,
    /// Whose row is the near one.
    pub bottom: Side,
    /// Colours.
    pub palette: Palette,
    /// Characters.
    pub glyphs: Glyphs,
    /// South's expected margin, if the bar is shown and if it is known.
    pub expected: Option<Option<f64>>,
    /// The moves, a line for each turn of South.
    pub moves: Vec<Line>,
    /// What was said, the latest last; whether it was trouble.
    pub sayings: Vec<(bool, String)>,
    /// A command being typed.
    pub typed: Option<String>,
    /// Who is thinking.
    pub thinking: Option<String>,
    /// Sowings of the game that are judged, of how many.
    pub progress: Option<(usize, usize)>,
    /// Whether the game is over.
    pub over: bool,
}

/// A page over the board.
#[derive(Clone, Debug)]
pub struct Popup {
    title: String,
    lines: Vec<Line>,
    /// The line at its top.
    pub first_line: usize,
}

impl Popup {
    /// A page; the page of commands becomes one of keys here.
    pub fn new(title: &str, lines: Vec<Line>) -> Self {
        if title != "Commands" {
            return Self { title: title.to_owned(), lines, first_line: 0 };
        }
        let keys = keys::ALL.map(|(key, about)| {
            Line::default()
                .with(Role::Strong, format!("{key:<14}"))
                .with(Role::Plain, format!(" {about}"))
        });
        let mut page = Vec::from(keys);
        page.push(Line::default());
        page.push(Line::plain("After ':' these commands can be typed:"));
        page.extend(lines);
        Self { title: "Keys".to_owned(), lines: page, first_line: 0 }
    }
}

/// Where the board stands, for clicks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Geometry {
    board: Option<(Rect, View)>,
    upright: bool,
}

impl Geometry {
    /// Whether the near row runs downwards.
    pub fn is_upright(&self) -> bool {
        self.upright
    }

    /// The pit at this place of the screen.
    pub fn pit_at(&self, position: &Position, column: usize, row: usize) -> Option<(Side, Pit)> {
        let (area, view) = self.board?;
        let column = column.checked_sub(area.x.into())?;
        let line = row.checked_sub(area.y.into())?;
        pit_at(position, &view, column, line)
    }
}

/// Columns of the list of moves, where there is room for it.
const MOVES_WIDTH: u16 = 26;
/// Lines besides the board: bar, two sentences, keys.
const OTHER_LINES: usize = 4;

/// Draws the screen and tells where the board is.
pub fn draw(frame: &mut Frame, screen: &Screen, popup: Option<&Popup>) -> Geometry {
    let area = frame.area();
    let with_moves = area.width >= 40 + MOVES_WIDTH;
    let board_width = if with_moves { area.width - MOVES_WIDTH } else { area.width };
    let view = View { width: board_width.into(), glyphs: screen.glyphs, bottom: screen.bottom };
    let board = board(&screen.position, &screen.annotations, &view);
    let needed = board.iter().map(Line::width).max().unwrap_or(0);
    if needed > area.width.into() || board.len() + OTHER_LINES > area.height.into() {
        too_small(frame, needed.max(24), board.len() + OTHER_LINES);
        return Geometry::default();
    }
    let [upper, keys_area] =
        Layout::vertical([Constraint::Min(0), Constraint::Length(1)]).areas(area);
    let [left, right] = Layout::horizontal([
        Constraint::Length(board_width),
        Constraint::Length(if with_moves { MOVES_WIDTH } else { 0 }),
    ])
    .areas(upper);
    // What is left over goes above the board and to the sentences.
    let spare = area.height as usize - board.len() - OTHER_LINES;
    let [_, board_area, bar_area, _, sayings_area] = Layout::vertical([
        Constraint::Length(spare.min(1) as u16),
        Constraint::Length(board.len() as u16),
        Constraint::Length(1),
        Constraint::Length(spare.saturating_sub(1).min(1) as u16),
        Constraint::Min(2),
    ])
    .areas(left);
    let upright = board.len() != LYING_LINES;
    frame.render_widget(Paragraph::new(screen.lines(&board)), board_area);
    frame.render_widget(Paragraph::new(screen.bar(bar_area.width.into())), bar_area);
    frame.render_widget(Paragraph::new(screen.sayings(sayings_area)), sayings_area);
    frame.render_widget(Paragraph::new(screen.bottom_line(keys_area.width.into())), keys_area);
    if with_moves {
        screen.draw_moves(frame, right);
    }
    if let Some(popup) = popup {
        screen.draw_popup(frame, popup);
    }
    Geometry { board: Some((board_area, view)), upright }
}

/// Lines of a lying board.
const LYING_LINES: usize = 9;

fn too_small(frame: &mut Frame, width: usize, height: usize) {
    let area = frame.area();
    let text = format!(
        "This window has {} columns and {} lines; the board needs {width} and {height}. Make it \
         larger, or leave with q and play without --tui.",
        area.width, area.height
    );
    let lines: Vec<terminal::Line> =
        wrapped(&text, area.width.into()).into_iter().map(terminal::Line::from).collect();
    frame.render_widget(Paragraph::new(lines), area);
}

impl Screen {
    fn style(&self, role: Role) -> Style {
        let TextStyle { colour, bold, underlined, reversed } = self.palette.style(role);
        let mut style = Style::default();
        if let Some(colour) = colour {
            style = style.fg(Color::Indexed(colour));
        }
        for (wanted, modifier) in [
            (bold, Modifier::BOLD),
            (underlined, Modifier::UNDERLINED),
            (reversed, Modifier::REVERSED),
        ] {
            if wanted {
                style = style.add_modifier(modifier);
            }
        }
        style
    }

    fn line(&self, line: &Line) -> terminal::Line<'static> {
        let span = |span: &crate::view::text::Span| {
            terminal::Span::styled(span.text.clone(), self.style(span.role))
        };
        line.0.iter().map(span).collect()
    }

    fn lines(&self, lines: &[Line]) -> Vec<terminal::Line<'static>> {
        lines.iter().map(|line| self.line(line)).collect()
    }

    /// Who is ahead: `South ██████████░░░░░░ North  South by 3.5`.
    fn bar(&self, width: usize) -> terminal::Line<'static> {
        if let Some(hand) = self.hand {
            let text = format!("   in the hand: {hand}");
            return self.line(&Line::default().with(Role::Strong, text));
        }
        let Some(expected) = self.expected else { return terminal::Line::default() };
        let [full, empty] = match self.glyphs {
            Glyphs::Unicode => ["█", "░"],
            Glyphs::Ascii => ["#", "."],
        };
        let value = match expected {
            Some(margin) if margin >= 0.05 => format!("  South by {margin:.1}"),
            Some(margin) if margin <= -0.05 => format!("  North by {:.1}", -margin),
            Some(_) => "  even".to_owned(),
            None => String::new(),
        };
        let columns = width.saturating_sub(3 + 6 + 6 + 15).clamp(8, 40);
        let largest = f64::from(self.position.total().clamp(2, 48)) / 2.0;
        let share = 0.5 + expected.unwrap_or(0.0).clamp(-largest, largest) / (2.0 * largest);
        let south = (share * columns as f64).round() as usize;
        let line = Line::plain("   ")
            .with(Role::Of(Side::South), "South ")
            .with(Role::Of(Side::South), full.repeat(south))
            .with(Role::Of(Side::North), empty.repeat(columns - south))
            .with(Role::Of(Side::North), " North")
            .with(Role::Strong, value);
        self.line(&line)
    }

    /// The latest sentences that have room, the last of them in full.
    fn sayings(&self, area: Rect) -> Vec<terminal::Line<'static>> {
        let room = usize::from(area.height);
        let width = usize::from(area.width).saturating_sub(4).max(8);
        let mut lines: Vec<Line> = Vec::new();
        for (latest, (trouble, text)) in self.sayings.iter().rev().enumerate() {
            let role = match (trouble, latest) {
                (true, _) => Role::Bad,
                (_, 0) => Role::Plain,
                _ => Role::Quiet,
            };
            let mut said: Vec<Line> = wrapped(text, width)
                .into_iter()
                .map(|line| Line::plain("   ").with(role, line))
                .collect();
            if lines.len() + said.len() > room && !lines.is_empty() {
                break;
            }
            said.append(&mut lines);
            lines = said;
        }
        lines.truncate(room);
        self.lines(&lines)
    }

    /// What can be typed, or what is being typed.
    fn bottom_line(&self, width: usize) -> terminal::Line<'static> {
        let line = match (&self.typed, &self.thinking) {
            (Some(typed), _) => {
                let start = typed.chars().count().saturating_sub(width.saturating_sub(3));
                let shown: String = typed.chars().skip(start).collect();
                Line::default().with(Role::Strong, format!(":{shown}_"))
            }
            (None, Some(name)) => Line::default()
                .with(Role::Strong, format!("{name} thinks"))
                .with(Role::Quiet, "; u undo, :now, q quit"),
            (None, None) if let Some((done, all)) = self.progress => {
                let text = format!("Judging the moves: {done} of {all}");
                Line::default().with(Role::Strong, text)
            }
            (None, None) if self.over => Line::default()
                .with(Role::Quiet, ":new another game  x analysis  < > step  u undo  q quit"),
            (None, None) => {
                let last = Pit::new(self.position.pits() - 1).letter(Side::South);
                let text = keys::SUMMARY.replace("A-F", &format!("A-{last}"));
                let parts = text.split("  ");
                let mut shown = String::new();
                // The last two must stay: they lead to all others.
                let tail = "  ? keys  q quit";
                for part in parts.filter(|part| !tail.contains(part)) {
                    if shown.len() + 2 + part.len() + tail.len() <= width {
                        shown += if shown.is_empty() { "" } else { "  " };
                        shown += part;
                    }
                }
                Line::default().with(Role::Quiet, (shown + tail).trim_start().to_owned())
            }
        };
        self.line(&line)
    }

    fn draw_moves(&self, frame: &mut Frame, area: Rect) {
        let room = usize::from(area.height).saturating_sub(2);
        let first = self.moves.len().saturating_sub(room);
        let mut lines = vec![Line::default().with(Role::Strong, "Moves")];
        lines.extend(self.moves[first..].iter().cloned());
        let [_, inner] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
        frame.render_widget(Paragraph::new(self.lines(&lines)), inner);
    }

    fn draw_popup(&self, frame: &mut Frame, popup: &Popup) {
        let area = frame.area();
        let widest = popup.lines.iter().map(Line::width).max().unwrap_or(0).max(24);
        let width = (widest as u16 + 4).min(area.width);
        let height = (popup.lines.len() as u16 + 2).min(area.height);
        let place =
            Rect { x: (area.width - width) / 2, y: (area.height - height) / 2, width, height };
        let room = usize::from(height.saturating_sub(2));
        let first = popup.first_line.min(popup.lines.len().saturating_sub(room));
        let more = popup.lines.len() > room;
        let foot = if more { " up, down; any other key closes " } else { " any key closes " };
        let mut block = Block::bordered()
            .padding(Padding::horizontal(1))
            .title(format!(" {} ", popup.title))
            .title_bottom(foot);
        if self.glyphs == Glyphs::Ascii {
            block = block.border_set(ASCII_BORDER);
        }
        frame.render_widget(Clear, place);
        let lines = self.lines(&popup.lines[first..]);
        frame.render_widget(Paragraph::new(lines).block(block), place);
    }
}

const ASCII_BORDER: ratatui::symbols::border::Set = ratatui::symbols::border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};
