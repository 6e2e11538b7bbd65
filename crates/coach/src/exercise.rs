//! Exercises: a position, the goal of its mover, and the judgement of each move.
//! Lessons and puzzles are exercises; front ends only show the verdicts.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

use crate::explain::{self, JudgedMove, Outlook};
use kalah_engine::solve::{OnProgress, SolveError, Solver, SolverSettings, TableChoice};
use kalah_game::score::Turn;
use kalah_game::{Capture, Landing, MoveError, Pit, Played, Position};
use kalah_record::sentence::seeds;
use kalah_text::format::counted;

/// What the moves of an exercise must achieve.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ExerciseGoal {
    /// The last seed falls into the pit with this letter.
    LastSeedIn(char),
    /// The move captures at least this many of the opponent's seeds.
    Captures(u32),
    /// The opponent can capture nothing right after the move.
    LeavesNoCapture,
    /// One turn with this many extra turns.
    ExtraTurns(usize),
    /// No other move leads to a larger margin, according to the solver.
    BestMargin,
    /// The same, with the margin that the solver has proved for each move, best first.
    #[serde(skip)]
    Best(Vec<JudgedMove>),
}

/// A position with a task, and what to say about each answer.
#[derive(Clone, Debug, Deserialize)]
pub struct Exercise {
    /// A few words, without a full stop.
    pub title: String,
    /// The paragraphs that explain a rule or an idea, and the task.
    pub text: Vec<String>,
    #[serde(deserialize_with = "position")]
    /// It is the learner's turn.
    pub position: Position,
    pub(crate) goal: ExerciseGoal,
    pub(crate) hint: String,
    /// Moves that achieve the goal, as letters.
    pub(crate) solution: String,
    /// What the solution shows.
    pub lesson: String,
    /// Why particular moves are wrong, by their letters; the reasons for others are computed.
    #[serde(default)]
    pub(crate) reasons: BTreeMap<char, String>,
}

fn position<'de, D: Deserializer<'de>>(text: D) -> Result<Position, D::Error> {
    let text = String::deserialize(text)?;
    Position::parse(&text, Capture::Standard).map_err(serde::de::Error::custom)
}

/// What a learner can do with an exercise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExerciseAnswer {
    /// A move, not necessarily legal.
    Sow(Pit),
    /// Asks for the hint.
    Hint,
    /// Gives up and asks for the solution.
    Solution,
}

/// What a front end shows after an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The result of the answer.
    pub kind: ReplyKind,
    /// Sentences about the answer; empty after a right move that does not solve the exercise
    /// yet.
    pub text: String,
    /// A right move, and the position after it. No other answer changes the board.
    pub step: Option<(Played, Position)>,
}

/// The result of an answer; its name in lower case is part of the JSON API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ReplyKind {
    /// The move solved the exercise.
    Right,
    /// The move was right, and the same player moves again.
    More,
    /// The move does not achieve the goal.
    Wrong,
    /// The learner asked for the hint.
    Hint,
    /// The learner asked for the solution.
    Solution,
}

impl Exercise {
    /// Replies to an answer after the moves `before`, all of them right.
    ///
    /// # Errors
    /// If the pit cannot be sown.
    pub fn reply(&self, before: &[Pit], answer: ExerciseAnswer) -> Result<Reply, MoveError> {
        let (kind, text) = match answer {
            ExerciseAnswer::Sow(pit) => return self.judge(before, pit),
            ExerciseAnswer::Hint => (ReplyKind::Hint, format!("Hint: {}", self.hint)),
            ExerciseAnswer::Solution => {
                let letters: Vec<String> = self.solution.chars().map(String::from).collect();
                let task = if letters.len() > 1 { "Sow them in this order" } else { "Sow it" };
                let order = letters.join(", then ");
                (ReplyKind::Solution, format!("The solution is {order}. {task} to see why."))
            }
        };
        Ok(Reply { kind, text, step: None })
    }

    /// The moves of the solution, with the position after each.
    pub fn solution(&self) -> Vec<(Played, Position)> {
        let mut position = self.position;
        let mut steps = Vec::new();
        for letter in self.solution.chars() {
            let pit = position.parse_pit(&letter.to_string());
            if let Some(Ok(played)) = pit.map(|pit| position.play(pit)) {
                steps.push((played, position));
            }
        }
        steps
    }

    /// The position after some moves.
    ///
    /// # Errors
    /// If one of the pits cannot be sown.
    pub fn position_after(&self, moves: &[Pit]) -> Result<Position, MoveError> {
        let mut position = self.position;
        moves.iter().try_for_each(|&pit| position.play(pit).map(drop))?;
        Ok(position)
    }

    /// Judges sowing `pit` after the moves `before`, all of them right.
    fn judge(&self, before: &[Pit], pit: Pit) -> Result<Reply, MoveError> {
        let position = self.position_after(before)?;
        let mut after = position;
        let played = after.play(pit)?;
        let step = Some((played, after));
        let right = Reply { kind: ReplyKind::Right, text: format!("Right. {}", self.lesson), step };
        let wrong = match &self.goal {
            ExerciseGoal::LastSeedIn(letter) if landing(&played) == Some(*letter) => None,
            ExerciseGoal::LastSeedIn(_) => Some(path(&played) + "."),
            ExerciseGoal::Captures(least) => missed_capture(&position, &played, *least),
            ExerciseGoal::LeavesNoCapture => capture_by_reply(&position, &played, &after),
            ExerciseGoal::ExtraTurns(wanted) => {
                let done = before.len() + usize::from(played.turn == Turn::Keeps);
                if done == *wanted {
                    return Ok(right);
                }
                let more = most_extra_turns(&after, played.turn);
                // The move earned an extra turn, and enough others can follow.
                if done == before.len() + 1 && done + more >= *wanted {
                    return Ok(Reply { kind: ReplyKind::More, text: String::new(), step });
                }
                Some(missed_extra_turn(&position, &played, more))
            }
            ExerciseGoal::BestMargin => {
                let moves = solver(&position)
                    .and_then(|mut solver| solved(&mut solver, &position, &mut |_| true));
                match moves {
                    Ok(moves) => worse(&position, &moves, pit),
                    Err(error) => Some(format!("This position cannot be solved: {error}.")),
                }
            }
            ExerciseGoal::Best(moves) => worse(&position, moves, pit),
        };
        let Some(reason) = wrong else { return Ok(right) };
        let reason = self.reasons.get(&played.letter()).unwrap_or(&reason);
        let text = format!("Not quite. {reason}");
        Ok(Reply { kind: ReplyKind::Wrong, text, step: None })
    }
}

/// A solver for positions on the board of `position` with at most as many seeds in play.
pub(crate) fn solver(position: &Position) -> Result<Solver, SolveError> {
    // A lesson has few seeds: it is solved faster than tables are built.
    let (table_seeds, mebibytes) = if position.in_play() < 20 { (0, 1) } else { (12, 64) };
    let tables = TableChoice::Seeds(table_seeds);
    Solver::new(position, SolverSettings::default().tables(tables).hash(mebibytes << 20))
}

/// Each move with its exact margin and perfect play after it, best first.
///
/// # Errors
/// [`SolveError::Stopped`] if `watch` returned `false`, or another error from the solver.
pub(crate) fn solved(
    solver: &mut Solver,
    position: &Position,
    watch: &mut OnProgress<'_>,
) -> Result<Vec<JudgedMove>, SolveError> {
    let mut moves = Vec::new();
    for (played, after) in position.children() {
        let solution = solver.solve(&after, watch)?;
        let margin = played.turn.from_child(solution.margin);
        let pv = [vec![played.pit], solution.pv].concat();
        moves.push(JudgedMove { pv, margin: margin.into(), proved: true });
    }
    moves.sort_by_key(|judged| -judged.margin);
    Ok(moves)
}

/// What is wrong with a move that is not the best of `moves`.
fn worse(position: &Position, moves: &[JudgedMove], pit: Pit) -> Option<String> {
    let best = moves.first()?;
    let played = moves.iter().find(|judged| judged.pit() == pit)?;
    if played.margin == best.margin {
        return None;
    }
    let side = position.side();
    let outlook = Outlook { side, reader: Some(side), is_proved: true };
    let loss = outlook.compared(played.margin, best.margin);
    Some(match explain::fault(position, &played.pv, &best.pv) {
        Some(fault) => format!("{fault}: {loss}."),
        None => format!("With {}, {loss}.", pit.letter(side)),
    })
}

/// The letter of the pit into which the last seed fell; none for the store.
fn landing(played: &Played) -> Option<char> {
    match played.last {
        Landing::Own(pit) => Some(pit.letter(played.side)),
        Landing::Store => None,
        Landing::Opponent(pit) => Some(pit.letter(played.side.other())),
    }
}

/// `B holds 3 seeds, so the last one falls into pit E`
fn path(played: &Played) -> String {
    let landing = match landing(played) {
        Some(pit) => format!("pit {pit}"),
        None => "your store".to_owned(),
    };
    let letter = played.letter();
    match played.sown {
        1 => format!("{letter} holds only one seed, which falls into {landing}"),
        sown => format!("{letter} holds {}, so the last one falls into {landing}", seeds(sown)),
    }
}

fn missed_capture(position: &Position, played: &Played, least: u32) -> Option<String> {
    // The goal counts the opponent's seeds, without the capturing one.
    let captured = played.captured.saturating_sub(1);
    if captured >= least {
        return None;
    }
    let path = path(played);
    Some(match played.last {
        _ if captured > 0 => {
            let captured = seeds(captured);
            format!("{} captures only {captured}; another pit captures more.", played.letter())
        }
        // Checked in the position before the move: the sowing has put a seed into that pit.
        Landing::Own(pit) if position.row(played.side)[pit.index()] == 0 => {
            format!("{path}. That pit is empty, but so is the one opposite: nothing is captured.")
        }
        Landing::Own(_) => format!("{path}, which is not empty: nothing is captured."),
        _ => format!(
            "{path}. You capture only if the last seed falls into an empty pit of your own."
        ),
    })
}

fn capture_by_reply(position: &Position, played: &Played, after: &Position) -> Option<String> {
    let letter = played.letter();
    if played.turn == Turn::Keeps {
        return Some(format!(
            "{letter} keeps the turn, so you must move again; it does not save your seeds."
        ));
    }
    let captures = after.children().map(|(reply, _)| reply).filter(|reply| reply.captured > 1);
    // The largest capture need not be the best reply, but it is what the lesson warns of.
    let reply = captures.max_by_key(|reply| reply.captured)?;
    let fault = explain::fault(position, &[played.pit, reply.pit], &[])?;
    Some(format!("{fault}, by sowing {}.", reply.letter()))
}

fn missed_extra_turn(position: &Position, played: &Played, more: usize) -> String {
    let letter = played.letter();
    if played.turn == Turn::Keeps {
        return match more {
            0 => format!("{letter} keeps the turn, but after that, no other pit does."),
            1 => format!("{letter} keeps the turn, but after that, only one other pit does."),
            _ => format!(
                "{letter} keeps the turn, but after that, only {more} more extra turns can follow."
            ),
        };
    }
    let distance = position.pits() - played.pit.index();
    let steps = counted(distance as u64, "step");
    format!("{}. Your store is {steps} from {letter}.", path(played))
}

/// The maximum number of extra turns that can follow a move in the same turn.
fn most_extra_turns(after: &Position, turn: Turn) -> usize {
    if turn == Turn::Passes {
        return 0;
    }
    let extra_turns = after.children().filter(|(played, _)| played.turn == Turn::Keeps);
    extra_turns.map(|(_, after)| 1 + most_extra_turns(&after, Turn::Keeps)).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lessons;

    /// What is wrong with each first move of a lesson that does not lead to the goal.
    fn reasons(exercise: &Exercise) -> Vec<String> {
        let replies = exercise.position.moves().iter().map(|pit| exercise.judge(&[], pit).unwrap());
        let wrong = replies.filter(|reply| reply.kind == ReplyKind::Wrong);
        wrong.map(|reply| reply.text.replace("Not quite. ", "")).collect()
    }

    #[test]
    fn each_lesson_is_solved_by_its_solution_and_by_no_other_first_move() {
        let lessons = lessons::all();
        assert_eq!(lessons.len(), 8);
        for lesson in lessons {
            let moves: Vec<Pit> = lesson
                .solution
                .chars()
                .map(|letter| lesson.position.parse_pit(&letter.to_string()).unwrap())
                .collect();
            for index in 0..moves.len() {
                let reply = lesson.judge(&moves[..index], moves[index]).unwrap();
                let is_last = index + 1 == moves.len();
                assert_eq!(reply.kind, if is_last { ReplyKind::Right } else { ReplyKind::More });
            }
            let reasons = reasons(&lesson);
            assert_eq!(reasons.len() + 1, lesson.position.moves().len(), "{}", lesson.title);
            for reason in reasons {
                assert!(reason.ends_with('.') && reason.len() > 30, "{reason}");
            }
        }
    }
}
