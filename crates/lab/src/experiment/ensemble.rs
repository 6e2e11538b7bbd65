//! The positions on which a comparison is made.
//!
//! They follow from the rules and a seed, and are the same on every machine.

use std::sync::Arc;

use derive_more::Display;

use crate::algorithms::{Algorithm, ChildOrder, ExtraTurns, KalahTree, Method, Tree};
use kalah_game::{Gain, Pit, Position, Rules, with_row};
use kalah_sys::random::{SplitMix64, mix_nth};
use kalah_text::format::counted;

/// Maximum number of turns that lead to a position of [`Ensemble::Positions`].
const MAX_TURNS_PLAYED: usize = 16;
/// Maximum number of turns among which one is chosen; only huge boards have more.
const MAX_CHOICES: usize = 60_000;
/// Random turns at the start of each of [`Ensemble::Games`].
const RANDOM_TURNS: usize = 3;

/// A set of positions to search.
#[derive(Clone, Debug, Default, Display, PartialEq, Eq, Hash)]
pub enum Ensemble {
    /// The start position alone.
    #[default]
    #[display("start position")]
    Start,
    /// This many positions, each reached by 0 to 16 whole turns: every second one
    /// by random turns, the others by turns with the greatest immediate gain.
    #[display("{}", counted(*_0 as u64, "position"))]
    Positions(usize),
    /// All positions of this many whole games, in which, after three random turns,
    /// both sides play the best move found at the depth that is compared.
    #[display("{}", counted(*_0 as u64, "game"))]
    Games(usize),
    /// Positions that the caller chooses; the game is over in none of them.
    #[display("{}", given(_0.len()))]
    Given(Arc<[Position]>),
}

impl Ensemble {
    /// Its name in options.
    pub fn name(&self) -> &'static str {
        match self {
            Ensemble::Start => "start",
            Ensemble::Positions(_) => "positions",
            Ensemble::Games(_) => "games",
            Ensemble::Given(_) => "given",
        }
    }

    /// The group of positions with the number `nth`: one position, or the positions of one
    /// game at `depth`. Positions of different groups are independent.
    pub fn group(&self, rules: Rules, seed: u64, nth: usize, depth: u16) -> Vec<Position> {
        let start = Position::start(rules);
        match self {
            Ensemble::Start => vec![start],
            Ensemble::Positions(_) => {
                let mut random = SplitMix64::new(mix_nth(seed, nth as u64));
                vec![reached(start, nth % 2 == 1, &mut random)]
            }
            Ensemble::Games(_) => {
                // The seed is inverted, so that games and positions from the same seed have
                // different random turns.
                let mut random = SplitMix64::new(mix_nth(!seed, nth as u64));
                game(start, depth, &mut random)
            }
            Ensemble::Given(positions) => vec![positions[nth]],
        }
    }

    /// The position after three random turns.
    pub fn opening(rules: Rules, seed: u64) -> Position {
        opened(Position::start(rules), &mut SplitMix64::new(seed))
    }

    /// The number of groups.
    pub fn groups(&self) -> usize {
        match self {
            Ensemble::Start => 1,
            Ensemble::Positions(count) | Ensemble::Games(count) => *count,
            Ensemble::Given(positions) => positions.len(),
        }
    }
}

/// `given position` or, for several, `3 given positions`.
fn given(count: usize) -> String {
    if count == 1 { "given position".to_owned() } else { format!("{count} given positions") }
}

/// A position in which the game is not over, 0 to [`MAX_TURNS_PLAYED`] turns from `start`.
fn reached(start: Position, greedy: bool, random: &mut SplitMix64) -> Position {
    // A game may end within these turns, and a finished game has nothing to search.
    loop {
        let mut position = start;
        for _ in 0..random.below(MAX_TURNS_PLAYED + 1) {
            if !position.is_over() {
                play_turn(&mut position, greedy, random);
            }
        }
        if !position.is_over() {
            return position;
        }
    }
}

/// Plays a random whole turn or, if `greedy`, one of those with the greatest immediate gain.
fn play_turn(position: &mut Position, greedy: bool, random: &mut SplitMix64) {
    let turn = with_row!(position, R => {
        let tree = KalahTree::<R>::new(position, 1, ExtraTurns::Compound, ChildOrder::Far);
        let children = tree.children(tree.root()).take(MAX_CHOICES);
        let gains: Vec<Gain> =
            children.map(|child| child.turn.from_child(tree.value(child.node))).collect();
        let most = if greedy { gains.iter().max() } else { None };
        let choice: Vec<usize> = (0..gains.len())
            .filter(|&index| most.is_none_or(|most| gains[index] == *most))
            .collect();
        tree.sowings(choice[random.below(choice.len())] as u16)
    });
    for pit in turn {
        position.play(pit).expect("a sowing of a turn of the tree");
    }
}

/// The position after [`RANDOM_TURNS`], or earlier if the game is over by then.
fn opened(start: Position, random: &mut SplitMix64) -> Position {
    let mut position = start;
    for _ in 0..RANDOM_TURNS {
        if !position.is_over() {
            play_turn(&mut position, false, random);
        }
    }
    position
}

/// The positions of a game, turn by turn.
fn game(start: Position, depth: u16, random: &mut SplitMix64) -> Vec<Position> {
    let mut position = opened(start, random);
    let mut positions = Vec::new();
    while !position.is_over() {
        positions.push(position);
        for pit in best_turn(&position, depth) {
            position.play(pit).expect("a move of the best turn");
        }
    }
    positions
}

/// The sowings of the best turn by a search of `depth` turns; among equals, the
/// first one in the order [`ChildOrder::Far`].
pub(super) fn best_turn(position: &Position, depth: u16) -> Vec<Pit> {
    with_row!(position, R => {
        let tree = KalahTree::<R>::new(position, depth, ExtraTurns::Compound, ChildOrder::Far);
        let found = Method::from(Algorithm::F3).play(&tree, &mut (), 0, |_| ());
        tree.sowings(found.best.expect("the game is not over and the depth is not 0"))
    })
}
