//! A tutor: gives one exercise after another and answers what the learner types.

use super::exercise::{Exercise, Verdict};
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
    Puzzles(Vec<Puzzle>, PuzzleHistory),
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
    /// Whether help was asked for in the current exercise.
    is_helped: bool,
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
        Self::new(Course::Puzzles(puzzles, history), exercises, 0)
    }

    fn new(course: Course, exercises: Vec<Exercise>, current: usize) -> Self {
        Self {
            course,
            exercises,
            current,
            moves: Vec::new(),
            wrong: 0,
            is_helped: false,
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
        let mut position = self.exercise().position;
        for &pit in &self.moves {
            position.play(pit).expect("a move that was judged");
        }
        position
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
        (self.wrong, self.is_helped, self.is_solved) = (0, false, false);
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
            return self.sow(pit);
        }
        match word.as_str() {
            "" if self.is_solved => self.go_to(self.current + 1),
            "next" | "n" | "skip" => self.go_to(self.current + 1),
            "back" => match self.current.checked_sub(1) {
                Some(previous) => self.go_to(previous),
                None => vec![Message::Error("this is the first exercise".to_owned())],
            },
            "hint" | "h" => {
                self.is_helped = true;
                vec![Message::Text(format!("Hint: {}", self.exercise().hint))]
            }
            "solution" | "solve" => self.show_solution(),
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

    fn sow(&mut self, pit: Pit) -> Vec<Message> {
        let mut after = self.position();
        let verdict = match self.exercise().judge(&self.moves, pit) {
            Ok(verdict) => verdict,
            Err(error) => return vec![Message::Error(error.to_string())],
        };
        if let Verdict::Wrong(reason) = verdict {
            return self.correct(&reason);
        }
        let played = after.play(pit).expect("a move that was judged");
        self.moves.push(pit);
        let mut messages = vec![Message::Text(sentence::of_move(&played, &after)), Message::Board];
        if verdict == Verdict::Solved {
            self.is_solved = true;
            messages.push(Message::Text(format!("Right. {}", self.exercise().lesson)));
            messages.extend(self.count(true).map(Message::Text));
        }
        messages
    }

    /// Says why an answer is wrong; the board stays as it is.
    fn correct(&mut self, reason: &str) -> Vec<Message> {
        self.wrong += 1;
        let counted = self.count(false);
        let next = match self.wrong {
            1 => " Try again, or type hint.",
            2 => " Try again, or type solution.",
            _ => "",
        };
        let text = format!("Not quite. {reason}{next}");
        [text].into_iter().chain(counted).map(Message::Text).collect()
    }

    fn show_solution(&mut self) -> Vec<Message> {
        if self.is_solved {
            return vec![Message::Text(self.exercise().lesson.clone())];
        }
        self.wrong += 1;
        let counted = self.count(false);
        let solution: Vec<String> =
            self.exercise().solution.chars().map(|letter| letter.to_string()).collect();
        let text = format!("The solution is {}. Sow it to see why.", solution.join(", then "));
        [text].into_iter().chain(counted).map(Message::Text).collect()
    }

    /// Counts the first answer to a puzzle; returns its effect on the streak, in a sentence.
    fn count(&mut self, is_right: bool) -> Option<String> {
        let is_first = self.wrong == usize::from(!is_right) && !self.is_helped;
        let Course::Puzzles(puzzles, history) = &mut self.course else { return None };
        let puzzle = &puzzles[self.current];
        is_first.then(|| history.count(puzzle, is_right))
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
