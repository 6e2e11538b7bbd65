//! The tutorial and the puzzles: exercises, answers to them, and their history, which is
//! that of `kalah puzzles`.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Path, State};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use super::super::error::ApiError;
use super::super::shared::{MAX_WAIT, Shared};
use super::board::{MoveData, PositionData};
use crate::game::{Pit, Position};
use crate::play::exercise::{Answer, Exercise, Reply, ReplyKind};
use crate::play::history::PuzzleHistory;
use crate::play::lessons;
use crate::play::puzzle::{self, Puzzle};
use crate::sys::names::{choice, shortened};
use crate::sys::stop::Flag;

/// All puzzles, those of the player's own games last; the place of each, from 1, is its
/// number.
fn all_puzzles(history: &PuzzleHistory) -> Vec<Puzzle> {
    [&puzzle::embedded(), history.own()].concat()
}

/// Works on the history beside the thread of the connections. Other programs may have its
/// file locked: only one request waits for them there, and the others wait here.
async fn with_history<T: Send + 'static>(
    shared: &Shared,
    work: impl FnOnce(&mut PuzzleHistory) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let history = timeout(MAX_WAIT, Arc::clone(&shared.history).lock_owned()).await;
    let mut history = history.map_err(|_| ApiError::busy())?;
    let folder = shared.content.games.clone();
    let work =
        move |_: &Flag| work(history.get_or_insert_with(|| PuzzleHistory::of(folder.as_deref())));
    shared.run(work).await
}

#[derive(Debug, Serialize)]
pub(super) struct LessonList {
    lessons: Vec<Titled>,
}

#[derive(Debug, Serialize)]
struct Titled {
    number: usize,
    title: String,
}

#[derive(Debug, Serialize)]
pub(super) struct PuzzleList {
    /// The answers so far, in sentences.
    summary: String,
    /// Whether answers are kept in a file.
    saved: bool,
    /// In the order in which they should be set.
    puzzles: Vec<ListedPuzzle>,
}

#[derive(Debug, Serialize)]
struct ListedPuzzle {
    number: usize,
    /// Whether the latest first answer was right; none without answers.
    right: Option<bool>,
    /// What a solver is not to know before.
    #[serde(flatten)]
    kind: Option<PuzzleKind>,
}

#[derive(Debug, Serialize)]
struct PuzzleKind {
    motif: &'static str,
    difficulty: &'static str,
}

impl PuzzleKind {
    fn of(puzzle: &Puzzle) -> Self {
        Self { motif: puzzle.motif.name(), difficulty: puzzle.difficulty().name() }
    }
}

impl PuzzleList {
    fn of(history: &mut PuzzleHistory) -> Self {
        history.refresh();
        let puzzles = all_puzzles(history).into_iter().enumerate().collect();
        let ordered = history.ordered(puzzles, |(_, puzzle)| puzzle);
        let puzzles = ordered.into_iter().map(|(index, puzzle)| {
            let right = history.latest(&puzzle);
            let kind = right.map(|_| PuzzleKind::of(&puzzle));
            ListedPuzzle { number: index + 1, right, kind }
        });
        let puzzles = puzzles.collect();
        Self { summary: history.summary(), saved: history.is_saved(), puzzles }
    }
}

/// An exercise as it is set.
#[derive(Debug, Serialize)]
pub(super) struct Task {
    number: usize,
    count: usize,
    title: String,
    text: Vec<String>,
    position: PositionData,
    /// The letters of the pits that can be sown.
    legal: Vec<char>,
}

impl Task {
    fn of(exercise: &Exercise, number: usize, count: usize) -> Self {
        Self {
            number,
            count,
            title: exercise.title.clone(),
            text: exercise.text.clone(),
            position: PositionData::of(&exercise.position),
            legal: legal(&exercise.position),
        }
    }
}

/// An answer to an exercise.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Answered {
    /// The letters of the right moves so far.
    #[serde(default)]
    moves: String,
    /// The letter of a pit, `hint` or `solution`.
    answer: String,
}

#[derive(Debug, Serialize)]
pub(super) struct Judged {
    verdict: ReplyKind,
    sentence: String,
    /// A right move.
    r#move: Option<MoveData>,
    position: PositionData,
    legal: Vec<char>,
    /// The effect of a first answer to a puzzle on the streak.
    streak: Option<String>,
    /// What a puzzle was about, once it has been solved.
    #[serde(flatten)]
    kind: Option<PuzzleKind>,
}

impl Judged {
    /// Replies to an answer; `note` counts it and describes the exercise.
    fn of(
        exercise: &Exercise,
        answered: &Answered,
        note: impl FnOnce(ReplyKind) -> (Option<String>, Option<PuzzleKind>),
    ) -> Result<Self, ApiError> {
        let before = answered.before(exercise)?;
        let mut position = exercise.position_after(&before).map_err(ApiError::invalid)?;
        let answer = answered.answer(&position)?;
        let Reply { kind: verdict, text, step } =
            exercise.reply(&before, answer).map_err(ApiError::invalid)?;
        let r#move = step.map(|(played, after)| {
            position = after;
            MoveData::of(&played, &after)
        });
        let (streak, kind) = note(verdict);
        let is_solved = verdict == ReplyKind::Right;
        let legal = if is_solved { Vec::new() } else { legal(&position) };
        let position = PositionData::of(&position);
        Ok(Self { verdict, sentence: text, r#move, position, legal, streak, kind })
    }
}

impl Answered {
    /// The moves so far.
    fn before(&self, exercise: &Exercise) -> Result<Vec<Pit>, ApiError> {
        let mut before = Vec::new();
        for letter in self.moves.chars() {
            let pit = exercise.position.parse_pit(&letter.to_string());
            let reply = pit.map(|pit| (pit, exercise.reply(&before, Answer::Sow(pit))));
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

    fn answer(&self, position: &Position) -> Result<Answer, ApiError> {
        match self.answer.as_str() {
            "hint" => Ok(Answer::Hint),
            "solution" => Ok(Answer::Solution),
            word => position.parse_pit(word).map(Answer::Sow).ok_or_else(|| {
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
    position.moves().map(|pit| pit.letter(position.side())).collect()
}

/// The item with a number, from 1.
fn numbered<'a, T>(items: &'a [T], noun: &str, number: usize) -> Result<&'a T, ApiError> {
    number.checked_sub(1).and_then(|index| items.get(index)).ok_or_else(|| {
        ApiError::not_found(format!("expected {}, got {number}", choice(noun, items.len())))
    })
}

pub(super) async fn lessons(State(shared): State<Arc<Shared>>) -> Result<Response, ApiError> {
    let list = shared.answer(|_| {
        let lessons = (1..).zip(lessons::all());
        let lessons = lessons.map(|(number, lesson)| Titled { number, title: lesson.title });
        Ok(LessonList { lessons: lessons.collect() })
    });
    list.await
}

pub(super) async fn lesson(
    State(shared): State<Arc<Shared>>,
    number: Result<Path<usize>, PathRejection>,
) -> Result<Response, ApiError> {
    let Path(number) = number?;
    let task = shared.answer(move |_| {
        let lessons = lessons::all();
        Ok(Task::of(numbered(&lessons, "lesson", number)?, number, lessons.len()))
    });
    task.await
}

pub(super) async fn answer_lesson(
    State(shared): State<Arc<Shared>>,
    number: Result<Path<usize>, PathRejection>,
    answered: Result<Json<Answered>, JsonRejection>,
) -> Result<Json<Judged>, ApiError> {
    let (Path(number), Json(answered)) = (number?, answered?);
    let judged = shared.run(move |_| {
        let lessons = lessons::all();
        let lesson = numbered(&lessons, "lesson", number)?;
        Judged::of(lesson, &answered, |_| (None, None))
    });
    judged.await.map(Json)
}

pub(super) async fn puzzles(
    State(shared): State<Arc<Shared>>,
) -> Result<Json<PuzzleList>, ApiError> {
    with_history(&shared, |history| Ok(PuzzleList::of(history))).await.map(Json)
}

pub(super) async fn puzzle(
    State(shared): State<Arc<Shared>>,
    number: Result<Path<usize>, PathRejection>,
) -> Result<Json<Task>, ApiError> {
    let Path(number) = number?;
    let task = with_history(&shared, move |history| {
        let all = all_puzzles(history);
        // Its title is its difficulty.
        let title = String::new();
        let exercise = Exercise { title, ..numbered(&all, "puzzle", number)?.exercise() };
        Ok(Task::of(&exercise, number, all.len()))
    });
    task.await.map(Json)
}

pub(super) async fn answer_puzzle(
    State(shared): State<Arc<Shared>>,
    number: Result<Path<usize>, PathRejection>,
    answered: Result<Json<Answered>, JsonRejection>,
) -> Result<Json<Judged>, ApiError> {
    let (Path(number), Json(answered)) = (number?, answered?);
    let judged = with_history(&shared, move |history| {
        let all = all_puzzles(history);
        let puzzle = numbered(&all, "puzzle", number)?;
        Judged::of(&puzzle.exercise(), &answered, |verdict| {
            let is_solved = verdict == ReplyKind::Right;
            (history.note(puzzle, verdict), is_solved.then(|| PuzzleKind::of(puzzle)))
        })
    });
    judged.await.map(Json)
}
