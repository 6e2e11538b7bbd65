//! Reads games from `.kgn` text.

use std::{collections::BTreeMap, fmt::Display, str::FromStr};

use super::annotation;
use super::write::{SWAP, UNFINISHED, result_name};
use crate::ending::{Ending, Reason};
use crate::error::RecordError;
use crate::game::{Game, Move, Player, SWAPPED_AFTER, Variation, VariationBudget};
use kalah_game::{Capture, Gain, Outcome, Position, Rules, Side};
use kalah_text::foreign::{self, without_mark};
use kalah_text::names::{UnknownName, is_long_dash, quoted};

/// Reads all games of a text.
///
/// # Errors
/// [`RecordError`] at the first place where the text is wrong.
pub fn read(text: &str) -> Result<Vec<Game>, RecordError> {
    read_while(text, &mut |_| true)
}

/// Like [`read`], but stops after the first game for which `continues` returns `false`.
pub(crate) fn read_while(
    text: &str,
    continues: &mut dyn FnMut(&Game) -> bool,
) -> Result<Vec<Game>, RecordError> {
    let mut text = Text::new(without_mark(text));
    let mut games = Vec::new();
    text.skip_blanks();
    while !text.rest.is_empty() {
        let game = read_game(&mut text)?;
        text.skip_blanks();
        let is_last = !continues(&game);
        games.push(game);
        if is_last {
            break;
        }
    }
    Ok(games)
}

/// How the letter of a move names its pit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Letters {
    /// Capital letters are South's pits, small ones North's.
    BySide,
    /// All letters of the game are small, and name pits of the side to move.
    OfMover,
}

/// Reads a game. Some people write all moves of a game in small letters; the side to move then tells
/// whose pits they are.
fn read_game(text: &mut Text<'_>) -> Result<Game, RecordError> {
    let before = text.clone();
    let refusal = match read_spelled_game(text) {
        Err(refusal) if text.has_wrong_case => refusal,
        read => return read,
    };
    *text = Text { letters: Letters::OfMover, ..before };
    let game = read_spelled_game(text);
    text.letters = Letters::BySide;
    game.map_err(|_| refusal)
}

fn read_spelled_game(text: &mut Text<'_>) -> Result<Game, RecordError> {
    let mut comment = None;
    while text.rest.starts_with('{') {
        annotation::read_comment(text.comment()?, &mut comment);
        text.skip_blanks();
    }
    let place = text.place;
    let got = text.rest_of_line();
    let is_tagged = text.rest.starts_with('[');
    let mut tags = Tags::read(text)?;
    let mut game = tags.begin()?;
    game.comment = comment;
    text.budget = VariationBudget::default();
    let result = read_moves(text, &mut game)?;
    // Turn numbers and parentheses alone would turn any list of numbers into a game.
    let is_empty =
        game.steps.is_empty() && game.variations.iter().all(|line| line.steps.is_empty());
    if is_empty && !is_tagged && result.is_none() {
        return Err(place.unexpected("a tag, a move or a result", &got));
    }
    if text.rest.starts_with(')') {
        return Err(text.place.unexpected("a move, a comment or a result", "')'"));
    }
    tags.finish(&mut game, result, text.place)?;
    Ok(game)
}

/// Plays moves up to the result, the next game's tags or the end of the text. A comment before
/// the first of them becomes that of the game.
fn read_moves(
    text: &mut Text<'_>,
    game: &mut Game,
) -> Result<Option<(LineColumn, WrittenResult)>, RecordError> {
    let shared = game.steps.len();
    loop {
        text.skip_blanks();
        let place = text.place;
        let rest = text.rest;
        match rest.chars().next() {
            None | Some('[' | ')') => return Ok(None),
            Some('(') => read_variation(text, game)?,
            Some('{') => {
                let comment = text.comment()?;
                match game.steps[shared..].last_mut() {
                    Some(step) => annotation::read(comment, &mut step.r#move),
                    None => annotation::read_comment(comment, &mut game.comment),
                }
            }
            Some(first) if first.is_alphabetic() => {
                let word = text.take_while(char::is_alphabetic);
                // Pits have the letters A to P, so this cannot be a turn of four moves.
                if word == SWAP {
                    game.swapped_after = Some(game.steps.len());
                    continue;
                }
                for (index, letter) in word.chars().enumerate() {
                    let place = LineColumn { column: place.column + index, ..place };
                    text.read_move(game, letter).map_err(|error| place.error(error))?;
                }
                let mark = text.take_while(|character| matches!(character, '!' | '?'));
                add_mark(game, mark);
            }
            Some('$') => {
                let mark = text.word();
                let is_code = mark.len() > 1 && mark[1..].bytes().all(|b| b.is_ascii_digit());
                if game.steps.len() == shared || !is_code {
                    let got = quoted(mark);
                    return Err(place.unexpected("a move, a comment or a result", &got));
                }
                add_mark(game, mark);
            }
            // Other writers put dots and commas in many places, where they have no meaning.
            Some('.' | '…' | ',') => {
                text.take_while(|character| matches!(character, '.' | '…' | ','));
            }
            Some(first) if first.is_ascii_digit() || matches!(first, '*' | '½') => {
                if let Some((length, result)) = leading_result(text.rest) {
                    text.take(length);
                    return Ok(Some((place, result)));
                }
                text.take_while(|character| character.is_ascii_digit());
                let after = text.rest.chars().next();
                // No turn number contains these characters.
                if after.is_some_and(|c| is_long_dash(c) || "-/*½".contains(c)) {
                    let got = format!("{}{}", &rest[..rest.len() - text.rest.len()], text.word());
                    return Err(place.error(unknown_result(&got)));
                }
            }
            Some(_) => {
                let got = quoted(text.word());
                return Err(place.unexpected("a move, a comment or a result", &got));
            }
        }
    }
}

/// Reads a variation in parentheses. It replaces the last move, as in PGN, and may hold
/// further variations.
fn read_variation(text: &mut Text<'_>, game: &mut Game) -> Result<(), RecordError> {
    /// Each level takes space on the stack.
    const MAX_NESTED: usize = 100;
    let place = text.place;
    text.take(1);
    text.nested += 1;
    if text.nested > MAX_NESTED {
        return Err(place.error(format!("too many nested variations (limit {MAX_NESTED})")));
    }
    text.budget.add(game.steps.len()).map_err(|error| place.error(error))?;
    let steps = game.steps[..game.steps.len().saturating_sub(1)].to_vec();
    // The variation shares only a swap that comes before its own moves.
    let swapped_after = game.swapped_after.filter(|&moves| moves < steps.len());
    let start = *game.start();
    let mut line = Game { steps, swapped_after, ..Game::new(start, Default::default()) };
    // The variation may end with a result, which has no meaning there.
    read_moves(text, &mut line)?;
    text.skip_blanks();
    if !text.rest.starts_with(')') {
        return Err(place.unexpected("')' after this '('", &text.rest_of_line()));
    }
    text.take(1);
    text.nested -= 1;
    let shared = game.steps.len().saturating_sub(1);
    let before = line.comment.take();
    if let Some(first) = line.steps.get_mut(shared) {
        first.r#move.comment = annotation::joined(before, first.r#move.comment.take());
    } else {
        // Without moves of its own, only its comment has a meaning.
        let comment = match game.steps.last_mut() {
            Some(last) => &mut last.r#move.comment,
            None => &mut game.comment,
        };
        *comment = annotation::joined(comment.take(), before);
    }
    // Variations of a variation are lines of the game like all others.
    game.variations.append(&mut line.variations);
    game.variations.push(Variation { steps: line.steps, swapped_after: line.swapped_after });
    Ok(())
}

/// Keeps the mark of the last move, such as `!` or `$1`, as a comment on it.
fn add_mark(game: &mut Game, mark: &str) {
    let words = match mark {
        "$1" => "!",
        "$2" => "?",
        "$3" => "!!",
        "$4" => "??",
        "$5" => "!?",
        "$6" => "?!",
        other => other,
    };
    if let Some(step) = game.steps.last_mut() {
        annotation::read_comment(words, &mut step.r#move.comment);
    }
}

/// A result as a record gives it: an outcome, or none for an unfinished game.
type WrittenResult = Option<Outcome>;

/// The result at the beginning of a text and its length in bytes.
fn leading_result(text: &str) -> Option<(usize, WrittenResult)> {
    /// Characters of the longest result, with some spaces.
    const MAX_LENGTH: usize = 16;
    let is_part = |c: char| is_long_dash(c) || "012/-½* ".contains(c);
    let parts = text.char_indices().take_while(|&(_, c)| is_part(c)).take(MAX_LENGTH);
    let mut found = None;
    for (at, character) in parts {
        let length = at + character.len_utf8();
        // `1-05` is not a result.
        let is_whole = !text[length..].starts_with(|c: char| c.is_alphanumeric() || c == '/');
        if is_whole && let Ok(result) = parse_result(&text[..length]) {
            found = Some((length, result));
        }
    }
    found
}

/// Reads a result. People and text processors write it with longer dashes, with spaces around them,
/// and with `½`.
fn parse_result(text: &str) -> Result<WrittenResult, UnknownName> {
    let plain = text.replace(is_long_dash, "-").replace('½', "1/2").replace(' ', "");
    match plain.as_str() {
        UNFINISHED => Ok(None),
        "1/2" => Ok(Some(Outcome::Draw)),
        name => name.parse().map(Some).map_err(|_| unknown_result(text)),
    }
}

fn unknown_result(got: &str) -> UnknownName {
    UnknownName::new("result", ["1-0", "0-1", "1/2-1/2", UNFINISHED], got)
}

/// Whether a text is a result.
pub(crate) fn is_result(text: &str) -> bool {
    parse_result(text).is_ok()
}

struct Tags {
    single: BTreeMap<String, (LineColumn, String)>,
    options: [BTreeMap<String, String>; 2],
    warnings: Vec<String>,
}

impl Tags {
    fn read(text: &mut Text<'_>) -> Result<Self, RecordError> {
        text.skip_blanks();
        let mut tags =
            Self { single: BTreeMap::new(), options: Default::default(), warnings: Vec::new() };
        while text.rest.starts_with('[') {
            let place = text.place;
            let (name, value) = text.tag()?;
            let side =
                Side::BOTH.iter().find(|side| name.strip_prefix(side.name()) == Some("Option"));
            if let Some(side) = side {
                let (option, value) = value
                    .split_once('=')
                    .ok_or_else(|| place.unexpected("name=value", &quoted(&value)))?;
                tags.options[side.index()].insert(option.to_owned(), value.to_owned());
            } else if name == "Warning" {
                tags.warnings.push(value);
            } else if tags.single.insert(name.clone(), (place, value)).is_some() {
                return Err(place.error(format!("expected one {name} tag, got a second")));
            }
            text.skip_blanks();
        }
        Ok(tags)
    }

    fn take(&mut self, name: &str) -> Option<String> {
        self.single.remove(name).map(|(_, value)| value)
    }

    /// A tag's value, read by `parse`, whose errors are reported at the tag.
    fn take_parsed<T, E: Display>(
        &mut self,
        name: &str,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<Option<T>, RecordError> {
        let tag = self.single.remove(name);
        tag.map(|(place, value)| parse(&value).map_err(|error| place.error(error))).transpose()
    }

    /// The game before its first move.
    fn begin(&mut self) -> Result<Game, RecordError> {
        let capture = self.take_parsed("Capture", str::parse::<Capture>)?.unwrap_or_default();
        let start = self.take_parsed("Position", |text| {
            Position::parse(text, capture).map_err(|error| format!("start position: {error}"))
        })?;
        let players = Side::BOTH.map(|side| Player {
            name: self.take(side.name()).unwrap_or_default(),
            version: self.take(&format!("{side}Version")),
            limit: self.take(&format!("{side}Limit")),
            options: std::mem::take(&mut self.options[side.index()]),
        });
        let mut game =
            Game::new(start.unwrap_or_else(|| Position::start(Rules::usual(capture))), players);
        game.event = self.take("Event");
        game.date = self.take("Date");
        game.id = self.take("Id");
        game.opening = self.take("Opening");
        // Earlier versions wrote `Round`.
        let name = if self.single.contains_key("Number") { "Number" } else { "Round" };
        game.number = self.take_parsed(name, |value| number("a game number", value))?;
        game.warnings = std::mem::take(&mut self.warnings);
        // Variations may begin before the swap or after it, so reading them needs this tag before
        // the others are set.
        let swapped = self.single.get(SWAPPED_AFTER);
        game.swapped_after = swapped.and_then(|(_, moves)| moves.parse().ok());
        Ok(game)
    }

    /// Sets the ending, from the tags and the result after the moves, and all tags that have no
    /// field of their own.
    fn finish(
        mut self,
        game: &mut Game,
        after_moves: Option<(LineColumn, WrittenResult)>,
        end: LineColumn,
    ) -> Result<(), RecordError> {
        // A game that has the tag but no result has been cut off: its last moves may be missing.
        if let Some(tag) = self.take_parsed("Result", parse_result)? {
            let expected = format!("the result of the Result tag, {}", result_name(tag));
            match after_moves {
                None => return Err(end.unexpected(&expected, "the end of the game")),
                Some((place, got)) if got != tag => {
                    return Err(place.unexpected(&expected, result_name(got)));
                }
                Some(_) => {}
            }
        }
        if let Some((place, Some(outcome))) = after_moves {
            let reason = match self.take_parsed("Termination", str::parse)? {
                Some(reason) => reason,
                None => usual_reason(outcome, game.position()).map_err(|text| place.error(text))?,
            };
            let margin = self.take_parsed("Margin", |value| number("a margin in seeds", value))?;
            let detail = self.take("Detail");
            game.finish(Ending { outcome, reason, margin: margin.map(Gain), detail })
                .map_err(|error| place.error(error))?;
        }
        // The board shows how a game ended that is written without a result.
        game.finish_if_played_out();
        // Tags about the ending have no meaning in an unfinished game.
        for name in ["Termination", "Margin", "Detail"] {
            self.single.remove(name);
        }
        let others = self.single.into_iter().map(|(name, (_, value))| (name, value));
        game.set_tags_of_file(others.collect());
        Ok(())
    }
}

/// Why a game ended that does not give the reason.
fn usual_reason(outcome: Outcome, last: &Position) -> Result<Reason, String> {
    if last.is_over() {
        return Ok(Reason::Normal);
    }
    match outcome {
        // As in chess, where a result before the end means that the loser gave up.
        Outcome::Won(_) => Ok(Reason::Resignation),
        Outcome::Draw => {
            Err("expected a finished game, or a Termination tag that says why it was \
                              drawn before its end, such as [Termination \"move-limit\"]"
                .to_owned())
        }
    }
}

fn number<T: FromStr>(expected: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("expected {expected}, got {}", quoted(text)))
}

#[derive(Clone, Copy)]
struct LineColumn {
    line: usize,
    column: usize,
}

impl LineColumn {
    fn error(self, message: impl Display) -> RecordError {
        RecordError { line: self.line, column: self.column, message: message.to_string() }
    }

    fn unexpected(self, expected: &str, got: &str) -> RecordError {
        self.error(format_args!("expected {expected}, got {got}"))
    }
}

#[derive(Clone)]
struct Text<'a> {
    rest: &'a str,
    place: LineColumn,
    /// The number of variations that have begun but not ended.
    nested: usize,
    /// How much of their limits the variations of the current game have used up.
    budget: VariationBudget,
    letters: Letters,
    /// Whether the letter of a move was refused because of its case.
    has_wrong_case: bool,
}

impl<'a> Text<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            rest: text,
            place: LineColumn { line: 1, column: 1 },
            nested: 0,
            budget: VariationBudget::default(),
            letters: Letters::BySide,
            has_wrong_case: false,
        }
    }

    /// Plays the move named by a letter.
    fn read_move(&mut self, game: &mut Game, letter: char) -> Result<(), String> {
        let position = game.position();
        let side = position.side();
        let is_capital = letter.is_ascii_uppercase();
        let is_right = match self.letters {
            Letters::BySide => is_capital == (side == Side::South),
            Letters::OfMover => !is_capital,
        };
        if !is_right && letter.is_ascii_alphabetic() && !position.is_over() {
            self.has_wrong_case = true;
            return Err(format!(
                "move {}: it is {side}'s turn, expected a letter, {}, got '{letter}'",
                game.steps.len() + 1,
                position.pit_letters(side)
            ));
        }
        let letter = match (self.letters, side) {
            (Letters::BySide, _) => letter,
            (Letters::OfMover, Side::South) => letter.to_ascii_uppercase(),
            (Letters::OfMover, Side::North) => letter.to_ascii_lowercase(),
        };
        let played = game.play_letter(letter.encode_utf8(&mut [0; 4]), Move::new);
        played.map(drop).map_err(|error| error.to_string())
    }

    /// Steps over `bytes` bytes and returns them.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        for character in taken.chars() {
            if character == '\n' {
                self.place = LineColumn { line: self.place.line + 1, column: 1 };
            } else {
                self.place.column += 1;
            }
        }
        taken
    }

    fn take_while(&mut self, mut wanted: impl FnMut(char) -> bool) -> &'a str {
        let end = self.rest.find(|character| !wanted(character));
        self.take(end.unwrap_or(self.rest.len()))
    }

    /// Steps over spaces, line ends and comments from `;` to the end of a line.
    fn skip_blanks(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            if !self.rest.starts_with(';') {
                return;
            }
            self.take_while(|character| character != '\n');
        }
    }

    fn word(&mut self) -> &'a str {
        self.take_while(|character| {
            !character.is_whitespace() && !['{', '[', ';', '(', ')'].contains(&character)
        })
    }

    fn expect(&mut self, wanted: &str) -> Result<(), RecordError> {
        if self.rest.starts_with(wanted) {
            self.take(wanted.len());
            return Ok(());
        }
        Err(self.place.unexpected(&format!("'{wanted}'"), &self.rest_of_line()))
    }

    fn rest_of_line(&self) -> String {
        let line = self.rest.lines().next().unwrap_or("");
        if line.is_empty() { "the end of the line".to_owned() } else { quoted(line) }
    }

    fn comment(&mut self) -> Result<&'a str, RecordError> {
        let place = self.place;
        self.expect("{")?;
        let inside = self.take_while(|character| character != '}');
        if self.rest.is_empty() {
            return Err(place.unexpected("'}' after this '{'", "the end of the text"));
        }
        self.take(1);
        Ok(inside)
    }

    /// Reads `[Name "value"]`.
    fn tag(&mut self) -> Result<(String, String), RecordError> {
        self.expect("[")?;
        self.take_while(|character| character == ' ');
        let place = self.place;
        let name = self.take_while(|c| c.is_alphanumeric() || c == '_' || c == '-');
        if name.is_empty() {
            let line = self.rest.lines().next().unwrap_or("");
            return Err(place.unexpected("a tag name", &quoted(line)));
        }
        self.take_while(|character| character == ' ');
        self.expect("\"")?;
        let value = self.string()?;
        self.take_while(|character| character == ' ');
        self.expect("]")?;
        Ok((name.to_owned(), value))
    }

    /// Reads the rest of a string and its closing quote.
    fn string(&mut self) -> Result<String, RecordError> {
        let mut value = String::new();
        loop {
            let place = self.place;
            value.push_str(self.take_while(|c| !['"', '\\', '\n'].contains(&c)));
            match self.rest.as_bytes().first() {
                Some(b'"') => {
                    self.take(1);
                    return Ok(value);
                }
                Some(b'\\') => {
                    self.take(1);
                    let (character, length) = match self.rest.chars().next() {
                        Some('n') => (Some('\n'), 1),
                        Some('r') => (Some('\r'), 1),
                        Some('u') => (foreign::unescaped(&self.rest[1..]), 5),
                        Some(character @ ('"' | '\\')) => (Some(character), 1),
                        _ => (None, 0),
                    };
                    let expected = "'\\\\', '\\\"', '\\n', '\\r' or '\\u001b'";
                    value.push(character.ok_or_else(|| place.unexpected(expected, "'\\'"))?);
                    self.take(length);
                }
                _ => return Err(self.place.unexpected("'\"'", "the end of the line")),
            }
        }
    }
}
