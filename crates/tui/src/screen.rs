//! Drawing: a pure function from the state of the app to a frame.

use ratatui::backend::FromCrossterm;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::symbols::border;
use ratatui::widgets::{Block, Clear, Padding, Paragraph};
use ratatui::{Frame, text as terminal};

use super::app::{App, BoardLayout, Popup};
use super::keys;
use kalah_game::{Pit, Side};
use kalah_terminal::listings;
use kalah_text::format::wrapped;
use kalah_view::board::{Annotations, Glyphs, View, board};
use kalah_view::styled::{Role, StyledLine};

/// Columns of the list of moves, if it fits.
const MOVES_WIDTH: u16 = 26;
/// Lines in addition to the board: two sentences, the keys.
const OTHER_LINES: usize = 3;
/// Lines of a board whose pits take one line each.
const MIN_BOARD: usize = 9;
/// Further lines that sentences get before the board may grow.
const MORE_TEXTS: usize = 7;

/// Draws the screen. Returns where the board is; none if it does not fit.
pub(super) fn draw(frame: &mut Frame, app: &App) -> Option<BoardLayout> {
    let area = frame.area();
    let with_moves = area.width >= 40 + MOVES_WIDTH;
    let moves_width = if with_moves { MOVES_WIDTH } else { 0 };
    let width = area.width - moves_width;
    let glyphs = app.style.glyphs;
    let height = Some(app.board_lines(area));
    let view = View { width: width.into(), height, glyphs, bottom: app.game.bottom() };
    let board = app.board(&view);
    let needed = board.iter().map(StyledLine::width).max().unwrap_or(0);
    // A board that is cut off would hide pits, and clicks would miss the others.
    if needed > area.width.into() || board.len() + OTHER_LINES > area.height.into() {
        app.draw_too_small(frame);
        return None;
    }
    let [upper, keys_area] =
        Layout::vertical([Constraint::Min(0), Constraint::Length(1)]).areas(area);
    let [left, right] =
        Layout::horizontal([Constraint::Length(width), Constraint::Length(moves_width)])
            .areas(upper);
    // The first spare line goes to the seeds in hand, the next above the board, one below the hand,
    // and all others to the sentences.
    let spare = area.height - (board.len() + OTHER_LINES) as u16;
    let hand = Constraint::Length((spare >= 1).into());
    let above = Constraint::Length((spare >= 2).into());
    let below = Constraint::Length((spare >= 3).into());
    let board_height = Constraint::Length(board.len() as u16);
    let [_, board_area, hand_area, _, texts_area] =
        Layout::vertical([above, board_height, hand, below, Constraint::Min(2)]).areas(left);
    let bottom_line = app.line(&app.bottom_line(keys_area.width.into()));
    frame.render_widget(Paragraph::new(app.lines(&board)), board_area);
    frame.render_widget(Paragraph::new(app.line(&app.hand())), hand_area);
    frame.render_widget(Paragraph::new(app.lines(&app.texts(texts_area))), texts_area);
    frame.render_widget(Paragraph::new(bottom_line), keys_area);
    if with_moves {
        app.draw_moves(frame, right);
    }
    if let Some(popup) = &app.popup {
        app.draw_popup(frame, popup, board_area);
    }
    Some(BoardLayout { area: board_area, view })
}

/// The keys that fit, after `first`; the last two are always shown, because they lead to all
/// others.
fn fitting_keys(first: &str, keys: &[&str], width: usize) -> String {
    const LAST: &str = "? keys  q quit";
    let mut shown = String::new();
    for key in [first].iter().chain(keys).filter(|key| !key.is_empty()) {
        if shown.len() + key.len() + 2 + LAST.len() <= width {
            shown += &format!("{key}  ");
        }
    }
    shown + LAST
}

impl App<'_> {
    /// Asks for a larger window.
    fn draw_too_small(&self, frame: &mut Frame) {
        let area = frame.area();
        let text = format!(
            "This window has {} columns and {} lines, too few for the board. Enlarge it, or leave \
             with q and play without --tui.",
            area.width, area.height
        );
        let lines = wrapped(&text, area.width.into()).join("\n");
        frame.render_widget(Paragraph::new(lines), area);
    }

    fn style_of(&self, role: Role) -> Style {
        Style::from_crossterm(self.style.palette.style(role))
    }

    fn line(&self, line: &StyledLine) -> terminal::Line<'static> {
        let spans = line.0.iter();
        spans
            .map(|span| terminal::Span::styled(span.text.clone(), self.style_of(span.role)))
            .collect()
    }

    fn lines(&self, lines: &[StyledLine]) -> Vec<terminal::Line<'static>> {
        lines.iter().map(|line| self.line(line)).collect()
    }

    /// Lines that the board may fill. It makes room for a popup below it, unless that leaves
    /// less than the smallest board.
    fn board_lines(&self, area: Rect) -> usize {
        let popup = match &self.popup {
            Some(popup) => popup.lines.len() + 3,
            None => 0,
        };
        let height = usize::from(area.height);
        let board = height.saturating_sub(OTHER_LINES + MORE_TEXTS);
        let beside_popup = height.saturating_sub(popup);
        if beside_popup >= MIN_BOARD { board.min(beside_popup) } else { board }
    }

    /// The board, perhaps in the middle of a move.
    fn board(&self, view: &View) -> Vec<StyledLine> {
        let position = self.game.current().position();
        let annotations = self.game.annotations();
        match (self.animation.frame(), self.chosen()) {
            (Some(frame), _) => {
                board(&frame.board, &Annotations { chosen: frame.pit, ..annotations }, view)
            }
            (None, Some(pit)) if self.game.current().thinking().is_none() => {
                let chosen = Some((position.side(), pit));
                board(position, &Annotations { chosen, ..annotations }, view)
            }
            _ => board(position, &annotations, view),
        }
    }

    /// The seeds in hand while a move is shown.
    fn hand(&self) -> StyledLine {
        match self.animation.frame() {
            Some(frame) => {
                StyledLine::default().with(Role::Strong, format!("   in hand: {}", frame.hand))
            }
            None => StyledLine::default(),
        }
    }

    /// The latest sentences that fit, the last of them in full.
    fn texts(&self, area: Rect) -> Vec<StyledLine> {
        let room = usize::from(area.height);
        let width = usize::from(area.width).saturating_sub(4).max(8);
        let mut lines: Vec<StyledLine> = Vec::new();
        for (age, (role, text)) in self.texts.iter().rev().enumerate() {
            let role = if age > 0 && *role == Role::Plain { Role::Quiet } else { *role };
            let parts = wrapped(text, width);
            if lines.len() + parts.len() > room && !lines.is_empty() {
                break;
            }
            let shown = parts.into_iter().map(|part| StyledLine::plain("   ").with(role, part));
            lines.splice(0..0, shown);
        }
        lines.truncate(room);
        lines
    }

    /// The keys, or the command being typed.
    fn bottom_line(&self, width: usize) -> StyledLine {
        let line = StyledLine::default();
        if self.is_typing {
            let (before, rest) = self.typing.shown(width.saturating_sub(2));
            let line = line.with(Role::Strong, format!(":{before}"));
            return match rest.chars().next() {
                None => line.with(Role::Strong, "_"),
                Some(at) => line.with(Role::Chosen, at).with(Role::Strong, &rest[at.len_utf8()..]),
            };
        }
        if let Some(side) = self.game.current().thinking() {
            let name = self.game.name_of(side);
            let line = line.with(Role::Strong, format!("{name} is thinking  "));
            let [now] = self.game.enter(["now"]);
            let room = width.saturating_sub(line.width());
            return line.with(Role::Quiet, fitting_keys("u undo", &[&format!("{now} now")], room));
        }
        if let Some((done, count)) = self.progress {
            return line.with(Role::Strong, format!("Analysing the moves: {done} of {count}"));
        }
        if self.game.current().is_over() && self.animation.frame().is_none() {
            return line.with(Role::Quiet, fitting_keys("", &keys::AT_THE_END, width));
        }
        let last = Pit::new(self.game.current().position().pits() - 1).letter(Side::South);
        let sow = format!("A-{last}/arrows+Enter/click sow");
        line.with(Role::Quiet, fitting_keys(&sow, &keys::IN_PLAY, width))
    }

    fn draw_moves(&self, frame: &mut Frame, area: Rect) {
        let moves = listings::live_moves(self.game.current().cursor());
        let first = moves.len().saturating_sub(usize::from(area.height).saturating_sub(2));
        let mut lines = vec![StyledLine::default().with(Role::Strong, "Moves")];
        lines.extend_from_slice(&moves[first..]);
        let [_, inner] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
        let [_, inner] =
            Layout::horizontal([Constraint::Length(1), Constraint::Min(0)]).areas(inner);
        frame.render_widget(Paragraph::new(self.lines(&lines)), inner);
    }

    /// Draws a popup below the board, or over it if there is no room below.
    fn draw_popup(&self, frame: &mut Frame, popup: &Popup, board: Rect) {
        const MIN_LINES: u16 = 8;
        // The line of keys stays visible.
        let mut area = frame.area();
        area.height = area.height.saturating_sub(1);
        if area.bottom().saturating_sub(board.bottom()) >= MIN_LINES {
            area.height -= board.bottom() - area.y;
            area.y = board.bottom();
        }
        let widest = popup.lines.iter().map(StyledLine::width).max().unwrap_or(0).max(24);
        let width = (widest as u16 + 4).min(area.width);
        let height = (popup.lines.len() as u16 + 2).min(area.height);
        let place = Rect {
            x: (area.width - width) / 2,
            y: area.y + (area.height - height) / 2,
            width,
            height,
        };
        let room = usize::from(height.saturating_sub(2));
        let first = popup.first_line.min(popup.lines.len().saturating_sub(room));
        let more = popup.lines.len() > room;
        let foot = if more { " up, down; Esc closes " } else { " Esc closes " };
        let mut block = Block::bordered()
            .padding(Padding::horizontal(1))
            .title(format!(" {} ", popup.title))
            .title_bottom(foot);
        if self.style.glyphs == Glyphs::Ascii {
            block = block.border_set(border::EMPTY);
        }
        frame.render_widget(Clear, place);
        let lines = self.lines(&popup.lines[first..]);
        frame.render_widget(Paragraph::new(lines).block(block), place);
    }
}
