//! A tutor: gives one exercise after another and answers what the learner types.

use super::exercise::{Answer, Exercise, Reply, ReplyKind};
use super::history::PuzzleHistory;
use super::lessons;
use super::message::Message;
use super::puzzle::Puzzle;
use crate::game::{Pit, Position, Side};
use crate::sys::names::{choice, shortened};
use crate::view::sentence;

/// What the exercises come from.
enum Course {
    Lessons,
    /// Puzzles; the first answer to each counts.
    Puzzles(Vec<Puzzle>, Box<PuzzleHistory>),
}

pub(crate) struct Tutor {
    course: Course,
    exercises: Vec<Exercise>,
    /// The index of the current exercise.
    current: usize,
    /// The moves of the current exercise, all right.
    moves: Vec<Pit>,
    /// Wrong answers to the current exercise.
    wrong: usize,
    is_solved: bool,
    has_ended: bool,
}

impl Tutor {
    /// The lessons, from the one with this number on.
    ///
    /// # Errors
    /// A message about the numbers there are.
    pub(crate) fn of_lessons(number: usize) -> Result<Self, String> {
        let exercises = lessons::all();
        if !(1..=exercises.len()).contains(&number) {
            return Err(format!("expected {}, got {number}", choice("lesson", exercises.len())));
        }
        Ok(Self::new(Course::Lessons, exercises, number - 1))
    }

    /// These puzzles, of which there must be at least one.
    pub(crate) fn of_puzzles(puzzles: Vec<Puzzle>, history: PuzzleHistory) -> Self {
        let exercises = puzzles.iter().map(Puzzle::exercise).collect();
        Self::new(Course::Puzzles(puzzles, history.into()), exercises, 0)
    }

    fn new(course: Course, exercises: Vec<Exercise>, current: usize) -> Self {
        Self {
            course,
            exercises,
            current,
            moves: Vec::new(),
            wrong: 0,
            is_solved: false,
            has_ended: false,
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
        (!self.is_solved).then(|| self.side())
    }

    /// The last move on the board.
    pub(crate) fn last_move(&self) -> Option<(Side, Pit)> {
        self.moves.last().map(|&pit| (self.side(), pit))
    }

    /// What the learner is asked for, for the prompt.
    pub(crate) fn question(&self) -> String {
        if self.is_solved {
            return "Solved, Enter continues".to_owned();
        }
        let position = &self.exercise().position;
        format!("{}, {} or help", self.name(), position.pit_letters(position.side()))
    }

    /// `Lesson 3 of 8`
    fn name(&self) -> String {
        let kind = match self.course {
            Course::Lessons => "Lesson",
            Course::Puzzles(..) => "Puzzle",
        };
        format!("{kind} {} of {}", self.current + 1, self.exercises.len())
    }

    /// Sets the current exercise.
    pub(crate) fn begin(&mut self) -> Vec<Message> {
        self.moves.clear();
        (self.wrong, self.is_solved) = (0, false);
        if let Course::Puzzles(puzzles, history) = &mut self.course {
            history.set(&puzzles[self.current]);
        }
        let exercise = self.exercise();
        let heading = Message::Heading(format!("{}: {}", self.name(), exercise.title));
        let texts = exercise.text.iter().cloned().map(Message::Text);
        [heading].into_iter().chain(texts).chain([Message::Board]).collect()
    }

    /// Answers a line.
    pub(crate) fn answer(&mut self, line: &str) -> Vec<Message> {
        let word = line.trim().to_lowercase();
        let position = self.position();
        if let Some(pit) = position.parse_pit(&word).filter(|_| !self.is_solved) {
            return self.reply(Answer::Sow(pit));
        }
        match word.as_str() {
            "" if self.is_solved => self.go_to(self.current + 1),
            "next" | "n" | "skip" => self.go_to(self.current + 1),
            "back" => match self.current.checked_sub(1) {
                Some(previous) => self.go_to(previous),
                None => vec![Message::Error("this is the first exercise".to_owned())],
            },
            "hint" | "h" => self.reply(Answer::Hint),
            "solution" | "solve" if self.is_solved => {
                vec![Message::Text(self.exercise().lesson.clone())]
            }
            "solution" | "solve" => self.reply(Answer::Solution),
            "board" => vec![Message::Board],
            "again" => self.begin(),
            "rules" => sentence::rules(&position).into_iter().map(Message::Text).collect(),
            "help" | "?" => vec![Message::Text(self.help())],
            "quit" | "q" | "exit" => self.leave(),
            _ => vec![Message::Error(self.refusal(line))],
        }
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
                "expected a pit's letter, {letters}, or a command (help lists them), got '{}'",
                shortened(line)
            ),
        }
    }

    fn reply(&mut self, answer: Answer) -> Vec<Message> {
        let Reply { kind, mut text, step } = match self.exercise().reply(&self.moves, answer) {
            Ok(reply) => reply,
            Err(error) => return vec![Message::Error(error.to_string())],
        };
        let mut messages = Vec::new();
        if let Some((played, after)) = step {
            self.moves.push(played.pit);
            messages = vec![Message::Text(sentence::of_move(&played, &after)), Message::Board];
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
        let counted = match &mut self.course {
            Course::Lessons => None,
            Course::Puzzles(puzzles, history) => history.note(&puzzles[self.current], kind),
        };
        let texts = Some(text).filter(|text| !text.is_empty()).into_iter().chain(counted);
        messages.extend(texts.map(Message::Text));
        messages
    }

    fn go_to(&mut self, index: usize) -> Vec<Message> {
        if index < self.exercises.len() {
            self.current = index;
            return self.begin();
        }
        let end = match self.course {
            Course::Lessons => {
                "This was the last lesson. 'kalah play --level starter --coach' is a good first \
                 game, and 'kalah puzzles' has more exercises."
            }
            Course::Puzzles(..) => "That was the last puzzle of this kind.",
        };
        let mut messages = vec![Message::Text(end.to_owned())];
        messages.extend(self.leave());
        messages
    }

    fn leave(&mut self) -> Vec<Message> {
        self.has_ended = true;
        match &self.course {
            Course::Lessons => Vec::new(),
            Course::Puzzles(_, history) => vec![Message::Text(history.summary())],
        }
    }
}
