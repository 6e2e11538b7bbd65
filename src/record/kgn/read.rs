//! `.kgn` text to games.

use std::collections::BTreeMap;

use super::super::{Ending, Game, Move, Outcome, Player, Problem, Reason, RecordError};
use super::text::{Place, Text, quoted};
use super::{UNFINISHED, annotation, tag};
use crate::game::notation::MoveError;
use crate::game::{Capture, Pit, Position, Rules, Side};
use crate::score::Gain;

/// Reads all games of a text.
///
/// # Errors
/// [`RecordError`] at the first place where the text is wrong.
pub fn read(text: &str) -> Result<Vec<Game>, RecordError> {
    Reader::new(text).collect()
}

/// Reads the games of a text one by one; ends after the first error.
pub struct Reader<'a> {
    text: Text<'a>,
}

impl<'a> Reader<'a> {
    /// Starts at the beginning of `text`.
    pub fn new(text: &'a str) -> Self {
        let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self { text: Text::new(rest) }
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<Game, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.text.skip_blanks();
        if self.text.rest.is_empty() {
            return None;
        }
        let game = read_game(&mut self.text);
        if game.is_err() {
            self.text.rest = "";
        }
        Some(game)
    }
}

fn read_game(text: &mut Text<'_>) -> Result<Game, RecordError> {
    let tags = Tags::read(text)?;
    let mut game = tags.begin()?;
    let result = read_moves(text, &mut game)?;
    tags.finish(&mut game, result)?;
    Ok(game)
}

/// Reads moves to the result, the next game's tags or the end of the text.
fn read_moves(
    text: &mut Text<'_>,
    game: &mut Game,
) -> Result<Option<(Place, String)>, RecordError> {
    let mut latest: Option<Move> = None;
    let mut result = None;
    while result.is_none() {
        text.skip_blanks();
        let place = text.place;
        match text.rest.chars().next() {
            None | Some('[') => break,
            Some('{') => {
                let comment = text.comment()?;
                match &mut latest {
                    Some(r#move) => annotation::read(comment, r#move),
                    None => return Err(place.unexpected("a move before its comment", "'{'")),
                }
            }
            Some(first) if first.is_ascii_alphabetic() => {
                for (index, letter) in text.word().chars().enumerate() {
                    let place = Place { column: place.column + index, ..place };
                    commit(game, latest.take());
                    latest = Some(Move::new(read_letter(game, letter, place)?));
                }
            }
            Some(first) if first.is_ascii_digit() || first == '*' => {
                let word = text.word();
                let number = word.trim_end_matches('.');
                if word == UNFINISHED || word.contains(['-', '/']) {
                    result = Some((place, word.to_owned()));
                } else if !number.bytes().all(|byte| byte.is_ascii_digit()) {
                    return Err(place.unexpected("a turn's number or a result", &quoted(word)));
                }
            }
            Some(_) => {
                let got = quoted(text.word());
                return Err(place.unexpected("a move, a comment or a result", &got));
            }
        }
    }
    commit(game, latest);
    Ok(result)
}

/// Plays a move whose comments have been read.
fn commit(game: &mut Game, r#move: Option<Move>) {
    if let Some(r#move) = r#move {
        let played = game.play(r#move);
        debug_assert!(played.is_ok(), "read_letter has tried it");
    }
}

/// A letter of the side to move, in its case, that can be played.
fn read_letter(game: &Game, letter: char, place: Place) -> Result<Pit, RecordError> {
    let position = game.position();
    let index = game.moves().len() + 1;
    let side = position.side();
    let letters = [0, position.pits() - 1].map(|pit| Pit::new(pit).letter(side));
    let of_the_side = letter.is_ascii_uppercase() == (side == Side::South);
    if !of_the_side && letter.is_ascii_alphabetic() && !position.is_over() {
        let [first, last] = letters;
        return Err(place.error(Problem::Turn { index, side, first, last, got: letter }));
    }
    position
        .parse_move(letter.encode_utf8(&mut [0; 4]))
        .map_err(|error: MoveError| place.error(Problem::Move { index, error }))
}

/// The tags before the moves, each with its place.
struct Tags {
    single: BTreeMap<String, (Place, String)>,
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
            let side = Side::BOTH.iter().find(|side| {
                name.strip_prefix(side.name()).is_some_and(|suffix| suffix == tag::OPTION)
            });
            if let Some(side) = side {
                let (option, value) = value
                    .split_once('=')
                    .ok_or_else(|| place.unexpected("name=value", &quoted(&value)))?;
                tags.options[side.index()].insert(option.to_owned(), value.to_owned());
            } else if name == tag::WARNING {
                tags.warnings.push(value);
            } else if tags.single.insert(name.clone(), (place, value)).is_some() {
                return Err(place.error(Problem::Repeated(name)));
            }
            text.skip_blanks();
        }
        Ok(tags)
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.single.get(name).map(|(_, value)| value.as_str())
    }

    /// A tag's value, read by `parse`; its errors get the tag's place.
    fn parsed<T, E: Into<Problem>>(
        &self,
        name: &str,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<Option<T>, RecordError> {
        let read = |(place, value): &(Place, String)| {
            parse(value).map_err(|problem| place.error(problem.into()))
        };
        self.single.get(name).map(read).transpose()
    }

    /// The game before its first move.
    fn begin(&self) -> Result<Game, RecordError> {
        let capture = self.parsed(tag::CAPTURE, str::parse::<Capture>)?.unwrap_or_default();
        let start = self
            .parsed(tag::POSITION, |text| Position::parse(text, capture))?
            .unwrap_or_else(|| start_with(capture));
        let players = Side::BOTH.map(|side| {
            let of_side = |suffix| self.get(&format!("{side}{suffix}")).map(str::to_owned);
            Player {
                name: of_side("").unwrap_or_default(),
                version: of_side(tag::VERSION),
                limit: of_side(tag::LIMIT),
                options: self.options[side.index()].clone(),
            }
        });
        let text = |name| self.get(name).map(str::to_owned);
        let mut game = Game::new(start, players);
        game.event = text(tag::EVENT);
        game.date = text(tag::DATE);
        game.id = text(tag::ID);
        game.opening = text(tag::OPENING);
        game.round = self.parsed(tag::ROUND, |value| number("a game's number", value))?;
        game.warnings = self.warnings.clone();
        game.tags = self.others();
        Ok(game)
    }

    /// The tags that are no field of a game.
    fn others(&self) -> BTreeMap<String, String> {
        use tag::*;
        const FIELDS: [&str; 10] =
            [EVENT, DATE, ROUND, ID, OPENING, POSITION, CAPTURE, RESULT, TERMINATION, MARGIN];
        let is_field = |name: &str| {
            FIELDS.contains(&name)
                || name == DETAIL
                || Side::BOTH.iter().any(|side| {
                    name.strip_prefix(side.name())
                        .is_some_and(|suffix| ["", VERSION, LIMIT].contains(&suffix))
                })
        };
        let others = self.single.iter().filter(|(name, _)| !is_field(name));
        others.map(|(name, (_, value))| (name.clone(), value.clone())).collect()
    }

    /// Records the ending that the tags and the text after the moves tell.
    fn finish(
        &self,
        game: &mut Game,
        after_moves: Option<(Place, String)>,
    ) -> Result<(), RecordError> {
        let tagged = self.single.get(tag::RESULT);
        if let (Some((_, tag)), Some((place, text))) = (tagged, &after_moves)
            && tag != text
        {
            return Err(place.error(Problem::Results { tag: tag.clone(), text: text.clone() }));
        }
        let Some((place, result)) = after_moves.as_ref().or(tagged) else { return Ok(()) };
        if result == UNFINISHED {
            return Ok(());
        }
        let outcome = result.parse::<Outcome>().map_err(|error| place.error(error.into()))?;
        let reason = self.parsed(tag::TERMINATION, str::parse)?.unwrap_or(Reason::Normal);
        let margin = self.parsed(tag::MARGIN, |value| number("a margin in seeds", value))?;
        let detail = self.get(tag::DETAIL).map(str::to_owned);
        game.finish(Ending { outcome, reason, margin: margin.map(Gain), detail })
            .map_err(|error| place.error(error.into()))
    }
}

fn start_with(capture: Capture) -> Position {
    let usual = Rules::default();
    let rules = Rules::new(usual.pits() as u32, usual.seeds(), capture);
    Position::start(rules.unwrap_or(usual))
}

fn number<T: std::str::FromStr>(expected: &str, text: &str) -> Result<T, Problem> {
    text.parse()
        .map_err(|_| Problem::Unexpected { expected: expected.to_owned(), got: quoted(text) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::kgn::write;

    const GAME: &str = "[South \"Ann\"]\n[North \"kalah\"]\n\n1. CF d {+0.50/12 0.012s} 2. A *\n";

    fn error(text: &str) -> String {
        read(text).err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn a_record_written_by_hand_reads_and_is_completed() {
        let games = read(GAME).unwrap();
        assert_eq!(games.len(), 1);
        assert_eq!(
            write(&games[0]),
            "[South \"Ann\"]\n[North \"kalah\"]\n\
             [Position \"<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S\"]\n[Capture \"standard\"]\n\
             [Result \"*\"]\n\n1. CF d {+0.50/12 0.012s} 2. A *\n\n"
        );
    }

    #[test]
    fn games_follow_each_other() {
        assert_eq!(read(&GAME.repeat(3)).unwrap().len(), 3);
        assert_eq!(read(" \r\n; nothing here\n").unwrap().len(), 0);
        assert_eq!(read("1. C 1... \n[Event \"x\"]\n1. A *").map(|games| games.len()), Ok(2));
    }

    #[test]
    fn errors_name_the_line_and_the_column() {
        for (wrong, message) in [
            (
                "1. CFF",
                "line 4, column 6: move 3: it is North's turn, expected a letter from a to f, got 'F'",
            ),
            (
                "1. Cc",
                "line 4, column 5: move 2: it is South's turn, expected a letter from A to F, got 'c'",
            ),
            ("1. CC", "line 4, column 5: move 2: pit C is empty"),
            ("1. G", "line 4, column 4: move 1: expected a pit's letter from A to F, got 'G'"),
            ("{x} 1. C", "line 4, column 1: expected a move before its comment, got '{'"),
            ("1. C {x", "line 4, column 6: expected '}' after this '{', got the end of the text"),
            ("1. C 1-0", "line 4, column 6: expected a finished game"),
            ("1. C 2-0", "line 4, column 6: expected result '1-0', '0-1' or '1/2-1/2', got '2-0'"),
            ("1. C 1x", "line 4, column 6: expected a turn's number or a result, got '1x'"),
            ("1. C ?", "line 4, column 6: expected a move, a comment or a result, got '?'"),
        ] {
            let tags = GAME.split_once("1. ").unwrap().0;
            let got = error(&format!("{tags}{wrong}"));
            assert!(got.starts_with(message), "{wrong}: {got}");
        }
    }

    #[test]
    fn errors_in_tags_stand_at_the_tag() {
        for (text, message) in [
            ("[", "line 1, column 2: expected a tag's name, got ''"),
            ("[A", "line 1, column 3: expected '\"', got the end of the line"),
            ("[A \"", "line 1, column 5: expected '\"', got the end of the line"),
            ("[A \"\\x\"]", "line 1, column 5: expected '\\\\', '\\\"', '\\n' or '\\r', got '\\'"),
            ("[A \"x\"", "line 1, column 7: expected ']', got the end of the line"),
            ("[A \"x\"]\n[A \"y\"]", "line 2, column 1: expected one A tag, got another"),
            ("[Round \"x\"]", "line 1, column 1: expected a game's number, got 'x'"),
            ("[Capture \"x\"]", "line 1, column 1: expected capture rule"),
            (
                "[Position \"x\"]",
                "line 1, column 1: start position: expected '<' at column 1, got 'x'",
            ),
            ("[SouthOption \"x\"]", "line 1, column 1: expected name=value, got 'x'"),
            (
                "[Result \"1-0\"]\n0-1",
                "line 2, column 1: expected the result of the Result tag, 1-0, got 0-1",
            ),
            (
                "[Result \"1-0\"]\n[Termination \"x\"]",
                "line 2, column 1: expected reason 'normal',",
            ),
        ] {
            let got = error(text);
            assert!(got.starts_with(message), "{text}: {got}");
        }
    }
}
