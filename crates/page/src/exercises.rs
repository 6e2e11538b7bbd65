//! The tutorial and the puzzles: exercises, answers to them, and their history, which is shared
//! with `kalah puzzles`.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use kalah_coach::exercise::{Exercise, ExerciseAnswer, Reply, ReplyKind};
use kalah_coach::history::PuzzleHistory;
use kalah_coach::lessons;
use kalah_coach::puzzle::Puzzle;
use kalah_game::{Pit, Position};
use kalah_text::names::shortened;

use crate::answer::numbered;
use crate::board::{ShownMove, ShownPosition};
use crate::error::ApiError;

/// The puzzles and what is known about the player's answers.
#[derive(Debug, Serialize)]
pub(crate) struct PuzzleList {
    /// The answers so far, in sentences.
    summary: String,
    /// Whether answers are kept in a file.
    saved: bool,
    /// By their numbers, the easiest first.
    puzzles: Vec<ListedPuzzle>,
    /// The number of the puzzle that should be set next.
    next: Option<usize>,
}

#[derive(Debug, Serialize)]
struct ListedPuzzle {
    number: usize,
    /// Whether the latest counted answer was right; none if there is none.
    right: Option<bool>,
    #[serde(flatten)]
    kind: PuzzleKind,
}

#[derive(Debug, Serialize)]
struct PuzzleKind {
    motif: &'static str,
    difficulty: &'static str,
}

impl PuzzleKind {
    fn new(puzzle: &Puzzle) -> Self {
        Self { motif: puzzle.motif.name(), difficulty: puzzle.difficulty().name() }
    }
}

/// An exercise as the learner sees it.
fn shown(exercise: &Exercise, number: usize, count: usize) -> Value {
    json!({
        "number": number,
        "count": count,
        "title": exercise.title,
        "text": exercise.text,
        "position": ShownPosition::new(&exercise.position),
        // The letters of the pits that can be sown.
        "legal": legal(&exercise.position),
    })
}

/// An answer to an exercise.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GivenAnswer {
    /// The letters of the right moves so far.
    #[serde(default)]
    moves: String,
    /// The letter of a pit, `hint` or `solution`.
    answer: String,
}

/// A reply to an answer.
#[derive(Debug, Serialize)]
pub(crate) struct ShownReply {
    verdict: ReplyKind,
    sentence: String,
    /// A right move.
    r#move: Option<ShownMove>,
    /// A wrong move, which does not change the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    tried: Option<ShownMove>,
    /// The moves of the solution from the start of the exercise, if it was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    solution: Vec<ShownMove>,
    position: ShownPosition,
    legal: Vec<char>,
    /// How a first answer to a puzzle changed the streak, in a sentence.
    streak: Option<String>,
    /// What a puzzle was about, once it has been solved.
    #[serde(flatten)]
    kind: Option<PuzzleKind>,
}

impl ShownReply {
    /// Replies to an answer; `note` counts it and describes the exercise.
    fn new(
        exercise: &Exercise,
        given: &GivenAnswer,
        note: impl FnOnce(ReplyKind) -> (Option<String>, Option<PuzzleKind>),
    ) -> Result<Self, ApiError> {
        let before = given.before(exercise)?;
        let mut position = exercise.position_after(&before).map_err(ApiError::invalid)?;
        let answer = given.answer(&position)?;
        let mut solution = Vec::new();
        if answer == ExerciseAnswer::Solution {
            for (played, after) in exercise.solution() {
                solution.push(ShownMove::new(&played, &after));
            }
        }
        let Reply { kind: verdict, text, step } =
            exercise.reply(&before, answer).map_err(ApiError::invalid)?;
        let mut tried = None;
        if let (ExerciseAnswer::Sow(pit), ReplyKind::Wrong) = (answer, verdict) {
            let mut after = position;
            let played = after.play(pit).map_err(ApiError::invalid)?;
            tried = Some(ShownMove::new(&played, &after));
        }
        let r#move = step.map(|(played, after)| {
            position = after;
            ShownMove::new(&played, &after)
        });
        let (streak, kind) = note(verdict);
        let is_solved = verdict == ReplyKind::Right;
        let legal = if is_solved { Vec::new() } else { legal(&position) };
        let position = ShownPosition::new(&position);
        Ok(Self { verdict, sentence: text, r#move, tried, solution, position, legal, streak, kind })
    }
}

impl GivenAnswer {
    /// The moves so far.
    fn before(&self, exercise: &Exercise) -> Result<Vec<Pit>, ApiError> {
        let mut before = Vec::new();
        // Nothing is kept between requests, so the moves come from the client, and each is checked.
        for letter in self.moves.chars() {
            let pit = exercise.position.parse_pit(&letter.to_string());
            let reply = pit.map(|pit| (pit, exercise.reply(&before, ExerciseAnswer::Sow(pit))));
            match reply {
                Some((pit, Ok(Reply { kind: ReplyKind::More, .. }))) => before.push(pit),
                _ => {
                    let moves = shortened(&self.moves);
                    let expected = "expected right moves that do not solve the exercise";
                    return Err(ApiError::invalid(format!("moves: {expected}, got '{moves}'")));
                }
            }
        }
        Ok(before)
    }

    fn answer(&self, position: &Position) -> Result<ExerciseAnswer, ApiError> {
        match self.answer.as_str() {
            "hint" => Ok(ExerciseAnswer::Hint),
            "solution" => Ok(ExerciseAnswer::Solution),
            word => position.parse_pit(word).map(ExerciseAnswer::Sow).ok_or_else(|| {
                let letters = position.pit_letters(position.side());
                let word = shortened(word);
                ApiError::invalid(format!(
                    "answer: expected a pit's letter, {letters}, hint or solution, got '{word}'"
                ))
            }),
        }
    }
}

fn legal(position: &Position) -> Vec<char> {
    position.moves().iter().map(|pit| pit.letter(position.side())).collect()
}

/// The lessons in the order in which they are taught.
pub(crate) fn lessons(history: &mut PuzzleHistory) -> Vec<Value> {
    history.refresh();
    let mut listed = Vec::new();
    for (number, lesson) in (1..).zip(lessons::all()) {
        listed.push(json!({
            "number": number,
            "title": lesson.title,
            "solved": history.has_solved_lesson(&lesson.title),
            "position": ShownPosition::new(&lesson.position),
        }));
    }
    listed
}

pub(crate) fn lesson(number: usize) -> Result<Value, ApiError> {
    let lessons = lessons::all();
    Ok(shown(numbered(&lessons, "lesson", number)?, number, lessons.len()))
}

/// Replies to an answer; the history records that the lesson was solved.
pub(crate) fn answer_lesson(
    number: usize,
    given: &GivenAnswer,
    history: &mut PuzzleHistory,
) -> Result<ShownReply, ApiError> {
    let lessons = lessons::all();
    let lesson = numbered(&lessons, "lesson", number)?;
    ShownReply::new(lesson, given, |verdict| {
        if verdict == ReplyKind::Right {
            history.keep_lesson(&lesson.title);
        }
        (None, None)
    })
}

/// The puzzles, including the answers that other programs have added to the history.
pub(crate) fn puzzles(history: &mut PuzzleHistory) -> PuzzleList {
    history.refresh();
    let all = history.numbered();
    let mut puzzles = Vec::new();
    for (number, puzzle) in &all {
        puzzles.push(ListedPuzzle {
            number: *number,
            right: history.latest(puzzle),
            kind: PuzzleKind::new(puzzle),
        });
    }
    let ordered = history.ordered(all);
    let next = ordered.first().map(|(number, _)| *number);
    let mut summary = history.summary();
    if let Some(trouble) = history.trouble() {
        summary += " ";
        summary += &trouble;
    }
    PuzzleList { summary, saved: history.is_saved(), puzzles, next }
}

/// Sets a puzzle: the next answer to it counts.
pub(crate) fn puzzle(number: usize, history: &mut PuzzleHistory) -> Result<Value, ApiError> {
    let all = history.numbered();
    let (_, puzzle) = numbered(&all, "puzzle", number)?;
    history.set(puzzle);
    let mut exercise = puzzle.exercise();
    // The title is the difficulty, which is a hint.
    exercise.title.clear();
    Ok(shown(&exercise, number, all.len()))
}

/// Replies to an answer, which the history counts if it is the first one.
pub(crate) fn answer_puzzle(
    number: usize,
    given: &GivenAnswer,
    history: &mut PuzzleHistory,
) -> Result<ShownReply, ApiError> {
    let all = history.numbered();
    let (_, puzzle) = numbered(&all, "puzzle", number)?;
    ShownReply::new(&puzzle.exercise(), given, |verdict| {
        let is_solved = verdict == ReplyKind::Right;
        let kind = if is_solved { Some(PuzzleKind::new(puzzle)) } else { None };
        (history.note(puzzle, verdict), kind)
    })
}
