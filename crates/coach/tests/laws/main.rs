//! Laws of the coach: its judgements are those of the solver, and its sentences are true.

mod advice;
mod exercise;
mod find;
mod history;
mod judge;

use kalah_coach::judge::Judge;
use kalah_engine::Engine;
use kalah_engine::search::Stopper;
use kalah_engine::solve::{Solver, SolverSettings, TableChoice};
use kalah_game::score::Value;
use kalah_game::{Pit, Position, Rules};
use kalah_sys::random::SplitMix64;

/// A judge with little memory and without tables.
fn judge() -> Judge {
    Judge { engine: Engine::without_tables(1).unwrap(), stopper: Stopper::new() }
}

/// A position with few seeds in play, in which there is a choice.
fn random_ending(rules: Rules, seeds: u32, random: &mut SplitMix64) -> Position {
    loop {
        let mut position = Position::start(rules);
        while !position.is_over() {
            if position.in_play() <= seeds && position.moves().len() > 1 {
                return position;
            }
            let mut moves = position.moves().iter();
            let pit = moves.nth(random.below(moves.len())).unwrap();
            position.play(pit).unwrap();
        }
    }
}

/// The exact margin of each move, by the solver.
fn solved(position: &Position) -> Vec<(Pit, Value)> {
    let tables = TableChoice::Seeds(0);
    let settings = SolverSettings::default().tables(tables).hash(1 << 20);
    let mut solver = Solver::new(position, settings).unwrap();
    let moves = solver.moves(position, &mut |_| true).unwrap();
    moves.into_iter().map(|(pit, margin)| (pit, margin.into())).collect()
}

/// Pits by their letters, which are the mover's in capitals for South.
fn pits(position: &Position, letters: &str) -> Vec<Pit> {
    let pits = letters.chars().map(|letter| position.parse_pit(&letter.to_string()).unwrap());
    pits.collect()
}
