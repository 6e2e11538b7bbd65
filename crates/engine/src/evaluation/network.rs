//! An evaluation by a small neural network, fitted to exact and searched gains.
//!
//! ```text
//! inputs, 0 or 1                       hidden layer            output
//! a pit and its seeds           ─┐
//! the pits that keep the turn   ─┼──▶ 64 sums, clipped ──▶ a gain, by weights
//! the pits reached by captures  ─┤    to 0..=1             chosen by the seeds
//! the seeds of the best capture ─┘                         in play
//! ```
//!
//! Each input exists twice, for the mover and for the opponent. On 6 pits, 18 are on, because empty
//! pits have inputs, too. The sums are computed from scratch for each board: a sowing changes most
//! of the inputs, so updating the sums would cost more. Weights are integers, so that a board has
//! the same value on every machine.

use std::{fmt, num::ParseIntError, str::FromStr};

use arrayvec::ArrayVec;
use once_cell::sync::Lazy;
use thiserror::Error;

use kalah_game::{Board, Pit, PitSet, Row, Side, Value};

// On held-out boards, the error of 32 neurons is 0.12 seeds larger; 128 would lower it by 0.02 to
// 0.09 (doc/lab/strength.md).
/// Neurons of the hidden layer.
pub const HIDDEN: usize = 64;
/// Sets of output weights.
pub const BUCKETS: usize = 10;
/// The most pits per row that a network takes: it has inputs for every set of pits.
pub const MAX_PITS: usize = 8;
/// The most inputs that are on: one for each pit, and three more for each row.
const MAX_ON: usize = 2 * (MAX_PITS + 3);
/// Seed counts of a pit that have an input each; larger counts share the last one.
const COUNTS: usize = 20;
/// Seed counts with entries of their own in [`ENDS`]; larger ones share the last, which is empty.
/// Captures need at most 17 seeds.
const LAPS: usize = 32;

/// The end of a sowing, by the pits per row, its pit and its seeds: a bit in one of four sets, or
/// none. The bit is that of the pit where it ends or, if it ends in the store, where it began.
///
/// ```text
/// 31           24 23           16 15            8 7             0
/// | its own pit  | a pit behind | the store    | a pit ahead  |
/// ```
///
/// A sowing that goes round the board captures in the pit where it began, which it has emptied,
/// or in a pit behind it that was empty.
static ENDS: [[[u32; LAPS]; MAX_PITS]; MAX_PITS + 1] = ends();

const fn ends() -> [[[u32; LAPS]; MAX_PITS]; MAX_PITS + 1] {
    let mut ends = [[[0; LAPS]; MAX_PITS]; MAX_PITS + 1];
    let mut pits = 1;
    while pits <= MAX_PITS {
        let mut index = 0;
        while index < pits {
            let mut seeds = 1;
            while seeds < LAPS {
                let last = index + seeds;
                let lap = 2 * pits + 1;
                ends[pits][index][seeds] = if last < pits {
                    1 << last
                } else if last == pits {
                    1 << 8 << index
                } else if lap <= last && last < lap + index {
                    1 << 16 << (last - lap)
                } else if last == lap + index {
                    1 << 24 << index
                } else {
                    0
                };
                seeds += 1;
            }
            index += 1;
        }
        pits += 1;
    }
    ends
}

/// The integer that represents 1 in the hidden layer.
const HIDDEN_ONE: i16 = 256;
/// The integer that represents an output weight of one hundredth of a seed.
const OUTPUT_ONE: i32 = 64;
/// The largest absolute value of an output bias, with which no output overflows: the weighted sum
/// of the neurons is at most `HIDDEN` × `HIDDEN_ONE` × 2^15 = 2^29.
const MAX_BIAS: u32 = 1 << 30;
/// The integer that represents one seed in the sum of the outputs.
const OUTPUT_SEED: f32 = (Value::SEED * OUTPUT_ONE) as f32;

/// The inputs for boards of one width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs {
    pits: usize,
}

impl Inputs {
    /// The inputs for boards with `pits` pits per row.
    pub fn new(pits: usize) -> Self {
        Self { pits }
    }

    /// The number of inputs.
    #[expect(clippy::len_without_is_empty, reason = "there are always some")]
    #[inline]
    pub fn len(self) -> usize {
        2 * (self.pits * COUNTS + (2 << self.pits) + COUNTS)
    }

    /// The number of the set of output weights for a board with `in_play` seeds: the seeds in play
    /// per pit of one row, at most [`BUCKETS`] - 1.
    #[inline]
    pub fn bucket(self, in_play: u32) -> usize {
        (in_play / self.pits as u32).min(BUCKETS as u32 - 1) as usize
    }

    /// Calls `visit` with the number of each input that is on.
    #[inline]
    pub fn for_each<R: Row>(self, board: Board<R>, mut visit: impl FnMut(usize)) {
        let opponent = self.len() / 2;
        // The loops for the most common width are unrolled.
        match self.pits {
            6 => {
                Self::visit_row(board.own, board.opponent, 6, &mut visit);
                Self::visit_row(board.opponent, board.own, 6, |input| visit(opponent + input));
            }
            pits => {
                Self::visit_row(board.own, board.opponent, pits, &mut visit);
                Self::visit_row(board.opponent, board.own, pits, |input| visit(opponent + input));
            }
        }
    }

    #[inline(always)]
    fn visit_row<R: Row>(own: R, across: R, pits: usize, mut visit: impl FnMut(usize)) {
        let mut ends = 0;
        for (index, of_pit) in ENDS[pits].iter().enumerate().take(pits) {
            let seeds = own.count(Pit::new(index)) as usize;
            // Empty pits have an input, too, so that the number of inputs that are on is fixed.
            visit(index * COUNTS + seeds.min(COUNTS - 1));
            ends |= of_pit[seeds.min(LAPS - 1)];
        }
        let [in_row, extra_turns, behind, lapped] = ends.to_le_bytes().map(u16::from);
        let empty = !own.occupied().0;
        let filled = across.occupied().0.reverse_bits() >> (16 - pits);
        let round = behind & empty | lapped;
        let captures = PitSet(in_row & empty & filled | round);
        // A sowing round the board has also put a seed into the opposite pit.
        let seeds = captures.map(|pit| {
            across.count(pit.opposite(pits)) as usize + usize::from(round >> pit.index() & 1)
        });
        let most = seeds.max().unwrap_or(0);
        let sets = pits * COUNTS;
        visit(sets + usize::from(extra_turns));
        visit(sets + (1 << pits) + usize::from(captures.0));
        visit(sets + (2 << pits) + most.min(COUNTS - 1));
    }
}

/// A network for boards of one width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    inputs: Inputs,
    bias: Neurons,
    /// By input.
    weights: Vec<Neurons>,
    outputs: [OutputWeights; BUCKETS],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OutputWeights {
    bias: i32,
    weights: Neurons,
}

/// The weights of a network in floating point, for a fit.
#[derive(Clone, Debug)]
pub struct RealWeights {
    /// Of the hidden layer.
    pub bias: [f32; HIDDEN],
    /// Of the hidden layer, by input.
    pub inputs: Vec<[f32; HIDDEN]>,
    /// By [`Inputs::bucket`]; weights and bias in seeds.
    pub outputs: [([f32; HIDDEN], f32); BUCKETS],
}

/// A number for each neuron; two cache lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
struct Neurons([i16; HIDDEN]);

impl Neurons {
    /// Weights multiplied and rounded.
    fn scaled(row: [f32; HIDDEN], by: f32) -> Self {
        Self(row.map(|weight| (weight * by).round() as i16))
    }

    fn unscaled(&self, by: f32) -> [f32; HIDDEN] {
        self.0.map(|weight| f32::from(weight) / by)
    }

    fn read(row: &[i32]) -> Result<Self, NetworkError> {
        let Ok(row) = <&[i32; HIDDEN]>::try_from(row) else {
            return Err(NetworkError(format!("{HIDDEN} weights, got {} numbers", row.len())));
        };
        let mut weights = [0; HIDDEN];
        for (weight, &number) in weights.iter_mut().zip(row) {
            *weight = i16::try_from(number).map_err(|_| {
                let range = format!("weights from {} to {}", i16::MIN, i16::MAX);
                NetworkError(format!("{range}, got {number}"))
            })?;
        }
        Ok(Self(weights))
    }
}

impl fmt::Display for Neurons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.map(|weight| weight.to_string()).join(" "))
    }
}

impl Network {
    /// Pits per row of the boards.
    pub fn pits(&self) -> usize {
        self.inputs.pits
    }

    /// The network trained for boards with `pits` pits per row, if there is one.
    pub fn trained(pits: usize) -> Option<&'static Self> {
        static TRAINED: [(usize, Lazy<Network>); 4] = [
            (5, Lazy::new(|| built_in(include_str!("networks/5.txt")))),
            (6, Lazy::new(|| built_in(include_str!("networks/6.txt")))),
            (7, Lazy::new(|| built_in(include_str!("networks/7.txt")))),
            (8, Lazy::new(|| built_in(include_str!("networks/8.txt")))),
        ];
        TRAINED.iter().find(|(width, _)| *width == pits).map(|(_, network)| &**network)
    }

    /// A network for boards with `pits` pits per row from weights, which are rounded.
    pub fn from_weights(pits: usize, weights: &RealWeights) -> Self {
        let one = f32::from(HIDDEN_ONE);
        Self {
            inputs: Inputs::new(pits),
            bias: Neurons::scaled(weights.bias, one),
            weights: weights.inputs.iter().map(|&row| Neurons::scaled(row, one)).collect(),
            outputs: weights.outputs.map(|(weights, bias)| OutputWeights {
                bias: (bias * OUTPUT_SEED).round() as i32,
                weights: Neurons::scaled(weights, OUTPUT_SEED / one),
            }),
        }
    }

    /// The inverse of [`Network::from_weights`], except for rounding.
    pub fn weights(&self) -> RealWeights {
        let one = f32::from(HIDDEN_ONE);
        RealWeights {
            bias: self.bias.unscaled(one),
            inputs: self.weights.iter().map(|row| row.unscaled(one)).collect(),
            outputs: self.outputs.map(|OutputWeights { bias, weights }| {
                (weights.unscaled(OUTPUT_SEED / one), bias as f32 / OUTPUT_SEED)
            }),
        }
    }

    /// An estimate of the mover's gain from `board`, which must not be over.
    #[inline]
    pub fn evaluate<R: Row>(&self, board: Board<R>) -> Value {
        let mut inputs = ArrayVec::<u16, MAX_ON>::new();
        self.inputs.for_each(board, |input| inputs.push(input as u16));
        let in_play = board.in_play();
        // No gain exceeds the seeds in play, but the output may.
        let most = in_play as i32 * Value::SEED;
        Value(self.output(&self.hidden(&inputs), self.inputs.bucket(in_play)).clamp(-most, most))
    }

    /// The worth of each pit's seeds: how much the value of `board`, with `side` to move,
    /// falls without them. The only filled pit of a row is left out, because no
    /// game goes on with an empty row.
    pub fn worths<R: Row>(&self, board: Board<R>, side: Side) -> Vec<(Side, Pit, Value)> {
        let value = self.evaluate(board);
        let own = board
            .own
            .occupied()
            .map(|pit| (side, pit, Board { own: board.own.without(pit), ..board }));
        let opponent = board.opponent.occupied().map(|pit| {
            (side.other(), pit, Board { opponent: board.opponent.without(pit), ..board })
        });
        let without = own
            .chain(opponent)
            .filter(|(_, _, board)| !board.own.is_empty() && !board.opponent.is_empty());
        without.map(|(side, pit, board)| (side, pit, value - self.evaluate(board))).collect()
    }

    // `hidden` and `output` must not be inlined: on their own they compile to vector instructions,
    // but inlined into the search to scalar ones.
    #[inline(never)]
    fn hidden(&self, inputs: &[u16]) -> Neurons {
        let mut sums = self.bias;
        for &input in inputs {
            for (sum, weight) in sums.0.iter_mut().zip(&self.weights[usize::from(input)].0) {
                // Weights from a file may overflow: that gives a bad value, but no panic.
                *sum = sum.wrapping_add(*weight);
            }
        }
        sums
    }

    #[inline(never)]
    fn output(&self, hidden: &Neurons, bucket: usize) -> i32 {
        let OutputWeights { bias, weights } = &self.outputs[bucket];
        let mut value = *bias;
        for (sum, weight) in hidden.0.iter().zip(&weights.0) {
            value += i32::from((*sum).clamp(0, HIDDEN_ONE)) * i32::from(*weight);
        }
        value / OUTPUT_ONE
    }
}

fn built_in(text: &str) -> Network {
    text.parse().expect("valid weights")
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "pits {}", self.inputs.pits)?;
        writeln!(f, "{}", self.bias)?;
        for row in &self.weights {
            writeln!(f, "{row}")?;
        }
        for OutputWeights { bias, weights } in &self.outputs {
            writeln!(f, "{weights} {bias}")?;
        }
        Ok(())
    }
}

/// Error for a text that is not a network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected {0}")]
pub struct NetworkError(String);

impl FromStr for Network {
    type Err = NetworkError;

    /// Reads the lines that `Display` writes; lines that begin with `#` are comments.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let number = lines.next().and_then(|line| line.strip_prefix("pits "));
        let pits = match number.unwrap_or_default().parse() {
            Ok(pits @ 1..=MAX_PITS) => pits,
            _ => return Err(NetworkError(format!("'pits' and a number from 1 to {MAX_PITS}"))),
        };
        let inputs = Inputs::new(pits);
        let rows: Vec<Vec<i32>> = lines
            .map(|line| line.split(' ').map(str::parse).collect())
            .collect::<Result<_, ParseIntError>>()
            .map_err(|error| NetworkError(format!("numbers: {error}")))?;
        // One for the bias, one for each input and one for each set of output weights.
        let expected = 1 + inputs.len() + BUCKETS;
        if rows.len() != expected {
            return Err(NetworkError(format!("{expected} rows of weights, got {}", rows.len())));
        }
        let (hidden, last) = rows.split_at(1 + inputs.len());
        let mut weights =
            hidden.iter().map(|row| Neurons::read(row)).collect::<Result<Vec<_>, _>>()?;
        let bias = weights.remove(0);
        let mut outputs = Vec::with_capacity(BUCKETS);
        for numbers in last {
            let (&bias, numbers) = numbers
                .split_last()
                .ok_or_else(|| NetworkError("weights and a bias".to_owned()))?;
            if bias.unsigned_abs() > MAX_BIAS {
                let message = format!("a bias from -{MAX_BIAS} to {MAX_BIAS}, got {bias}");
                return Err(NetworkError(message));
            }
            outputs.push(OutputWeights { bias, weights: Neurons::read(numbers)? });
        }
        Ok(Self {
            inputs,
            bias,
            weights,
            outputs: outputs.try_into().expect("the rows were counted above"),
        })
    }
}
