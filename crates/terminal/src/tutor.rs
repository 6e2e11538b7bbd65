//! A tutor: sets one exercise after another and responds to what the learner types.

use crate::command::turn;
use crate::message::GameMessage;
use kalah_coach::exercise::{Exercise, ExerciseAnswer, Reply, ReplyKind};
use kalah_coach::history::PuzzleHistory;
use kalah_coach::lessons;
use kalah_coach::puzzle::Puzzle;
use kalah_game::{Pit, Position, Side};
use kalah_record::sentence;
use kalah_text::names::quoted;

/// A series of exercises and the learner's place in it.
pub struct Tutor {
    /// The puzzles with their numbers; empty for lessons. Only the first answer to each counts.
    puzzles: Vec<(usize, Puzzle)>,
    /// Keeps the lessons solved and the answers to puzzles.
    history: Box<PuzzleHistory>,
    exercises: Vec<Exercise>,
    /// The index of the current exercise.
    current: usize,
    /// The moves made in the current exercise, all of them right.
    moves: Vec<Pit>,
    /// Wrong answers to the current exercise.
    wrong: usize,
    is_solved: bool,
    has_ended: bool,
    /// Why answers are not saved, as last reported.
    trouble: Option<String>,
    /// The summary of the history at the beginning.
    greeting: String,
}

impl Tutor {
    /// The lessons, starting with the one at this index.
    pub fn for_lessons(first: usize, history: PuzzleHistory) -> Self {
        Self::new(Vec::new(), history, lessons::all(), first)
    }

    /// These puzzles with their numbers; there must be at least one.
    pub fn for_puzzles(puzzles: Vec<(usize, Puzzle)>, history: PuzzleHistory) -> Self {
        let exercises = puzzles.iter().map(|(_, puzzle)| puzzle.exercise()).collect();
        let trouble = history.trouble();
        Self { trouble, ..Self::new(puzzles, history, exercises, 0) }
    }

    fn new(
        puzzles: Vec<(usize, Puzzle)>,
        history: PuzzleHistory,
        exercises: Vec<Exercise>,
        current: usize,
    ) -> Self {
        Self {
            puzzles,
            greeting: history.summary(),
            history: history.into(),
            exercises,
            current,
            moves: Vec::new(),
            wrong: 0,
            is_solved: false,
            has_ended: false,
            trouble: None,
        }
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended
    }

    fn exercise(&self) -> &Exercise {
        &self.exercises[self.current]
    }

    /// The side of the learner.
    pub(crate) fn side(&self) -> Side {
        self.exercise().position.side()
    }

    /// The position after the right moves so far.
    pub(crate) fn position(&self) -> Position {
        self.exercise().position_after(&self.moves).expect("moves that were judged")
    }

    /// The side to move; none once the exercise is solved.
    pub(crate) fn to_move(&self) -> Option<Side> {
        if self.is_solved { None } else { Some(self.side()) }
    }

    /// The last move on the board.
    pub(crate) fn last_move(&self) -> Option<(Side, Pit)> {
        self.moves.last().map(|&pit| (self.side(), pit))
    }

    /// The text of the prompt.
    pub(crate) fn question(&self) -> String {
        if self.is_solved {
            return "Solved, Enter continues".to_owned();
        }
        let position = &self.exercise().position;
        format!("{}, {} or help", self.name(), position.pit_letters(position.side()))
    }

    /// `Lesson 3 of 8`, `Puzzle 12`
    fn name(&self) -> String {
        match self.puzzles.get(self.current) {
            Some((number, _)) => format!("Puzzle {number}"),
            None => format!("Lesson {} of {}", self.current + 1, self.exercises.len()),
        }
    }

    /// Sets the current exercise.
    pub(crate) fn begin(&mut self) -> Vec<GameMessage> {
        self.moves.clear();
        (self.wrong, self.is_solved) = (0, false);
        if let Some((_, puzzle)) = self.puzzles.get(self.current) {
            self.history.set(puzzle);
        }
        let exercise = self.exercise();
        let heading = GameMessage::Heading(format!("{}: {}", self.name(), exercise.title));
        let texts = exercise.text.iter().cloned().map(GameMessage::Text);
        [heading].into_iter().chain(texts).chain([GameMessage::Board]).collect()
    }

    /// Answers a line.
    pub(crate) fn answer(&mut self, line: &str) -> Vec<GameMessage> {
        let word = line.trim().to_lowercase();
        let position = self.position();
        // Once the exercise is solved, letters are commands again: `n` continues, even on wide
        // boards.
        if let Some(pit) = position.parse_pit(&word).filter(|_| !self.is_solved) {
            return self.reply(ExerciseAnswer::Sow(pit));
        }
        match word.as_str() {
            "" if self.is_solved => self.go_to(self.current + 1),
            "next" | "n" | "skip" => self.go_to(self.current + 1),
            "back" => match self.current.checked_sub(1) {
                Some(previous) => self.go_to(previous),
                None => vec![GameMessage::Error("this is the first exercise".to_owned())],
            },
            "hint" | "h" => self.reply(ExerciseAnswer::Hint),
            "solution" | "solve" if self.is_solved => {
                vec![GameMessage::Text(self.exercise().lesson.clone())]
            }
            "solution" | "solve" => self.reply(ExerciseAnswer::Solution),
            "board" => vec![GameMessage::Board],
            "again" => self.begin(),
            "rules" => sentence::rules(&position).into_iter().map(GameMessage::Text).collect(),
            "help" | "?" => vec![GameMessage::Text(self.help())],
            "quit" | "q" | "exit" => self.leave(),
            word => match turn(word, &position).filter(|_| !self.is_solved) {
                Some(Ok(pits)) => self.sow_turn(pits),
                _ => vec![GameMessage::Error(self.refusal(line))],
            },
        }
    }

    /// Sows the pits of a turn up to the first one that is wrong.
    fn sow_turn(&mut self, pits: Vec<Pit>) -> Vec<GameMessage> {
        let mut messages = Vec::new();
        for pit in pits {
            let before = self.moves.len();
            messages.extend(self.reply(ExerciseAnswer::Sow(pit)));
            if self.is_solved || self.moves.len() == before {
                break;
            }
        }
        messages
    }

    fn help(&self) -> String {
        let position = &self.exercise().position;
        format!(
            "Type a pit's letter, {}, to sow it, or a command: hint, solution, next, back, again \
             (start this exercise over), board, rules, quit.",
            position.pit_letters(position.side())
        )
    }

    fn refusal(&self, line: &str) -> String {
        let letters = self.exercise().position.pit_letters(self.side());
        match line.trim() {
            _ if self.is_solved => "this one is solved; type next or again".to_owned(),
            "" => format!("type a pit's letter, {letters}; help lists the commands"),
            line => format!(
                "expected a pit's letter, {letters}, or a command (help lists them), got {}",
                quoted(line)
            ),
        }
    }

    fn reply(&mut self, answer: ExerciseAnswer) -> Vec<GameMessage> {
        let Reply { kind, mut text, step } = match self.exercise().reply(&self.moves, answer) {
            Ok(reply) => reply,
            Err(error) => return vec![GameMessage::Error(error.to_string())],
        };
        let mut messages = Vec::new();
        if let Some((played, after)) = step {
            self.moves.push(played.pit);
            messages =
                vec![GameMessage::Text(sentence::of_move(&played, &after)), GameMessage::Board];
        }
        self.is_solved |= kind == ReplyKind::Right;
        self.wrong += usize::from(matches!(kind, ReplyKind::Wrong | ReplyKind::Solution));
        if kind == ReplyKind::Wrong {
            text += match self.wrong {
                1 => " Try again, or type hint.",
                2 => " Try again, or type solution.",
                _ => "",
            };
        }
        let mut counted = None;
        if let Some((_, puzzle)) = self.puzzles.get(self.current) {
            counted = self.history.note(puzzle, kind);
        } else if kind == ReplyKind::Right {
            self.history.keep_lesson(&self.exercises[self.current].title);
        }
        let texts = Some(text).filter(|text| !text.is_empty()).into_iter().chain(counted);
        messages.extend(texts.map(GameMessage::Text));
        messages.extend(self.new_trouble());
        messages
    }

    /// Why answers are not saved, unless that has been reported already.
    fn new_trouble(&mut self) -> Option<GameMessage> {
        let trouble = self.history.trouble();
        let known = std::mem::replace(&mut self.trouble, trouble);
        self.trouble.clone().filter(|_| known.is_none()).map(GameMessage::Text)
    }

    fn go_to(&mut self, index: usize) -> Vec<GameMessage> {
        if index < self.exercises.len() {
            self.current = index;
            return self.begin();
        }
        let end = if self.puzzles.is_empty() {
            "This was the last lesson. 'kalah play --level starter --coach' is a good first game, \
             and 'kalah puzzles' has more exercises."
        } else {
            "That was the last puzzle of this kind."
        };
        let mut messages = vec![GameMessage::Text(end.to_owned())];
        messages.extend(self.leave());
        messages
    }

    fn leave(&mut self) -> Vec<GameMessage> {
        self.has_ended = true;
        if self.puzzles.is_empty() {
            return Vec::new();
        }
        // The summary includes the answers that other programs have added in the meantime. It is
        // the greeting, too, and is not repeated if nothing has changed.
        self.history.refresh();
        let summary = self.history.summary();
        let changed = if summary == self.greeting { None } else { Some(summary) };
        let texts = [changed, self.history.trouble()];
        texts.into_iter().flatten().map(GameMessage::Text).collect()
    }
}
