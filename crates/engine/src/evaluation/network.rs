//! An evaluation by a small neural network, fitted to exact and searched gains.
//!
//! ```text
//! inputs, 0 or 1                       hidden layer            outputs
//! a pit and its seeds           ─┐
//! the pits that keep the turn   ─┼──▶ sums, clipped    ──▶ a gain and its likely
//! the pits reached by captures  ─┤    to 0..=1, squared    error, by weights chosen
//! the seeds of the best capture ─┘                         by the seeds in play
//! ```
//!
//! Each input exists twice, for the mover and for the opponent. Those of empty pits and empty sets are
//! never on: their weights are part of the bias. The sums are computed from scratch for each board: a
//! sowing changes most of the inputs, so updating the sums would cost more. Weights are integers, so
//! that a board has the same value on every machine.

use std::fmt;
use std::num::ParseIntError;
use std::ops::{Deref, Range};
use std::str::FromStr;
use std::sync::LazyLock;

use thiserror::Error;

use kalah_game::{Board, Pit, PitSet, Row, Side, Value};
use kalah_text::named_enum;
use kalah_text::names::{alternatives, shortened};

use super::{Estimate, Uncertainty};

/// The hidden layer has this number of neurons or twice as many.
pub const NEURONS: usize = 64;
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
/// of the neurons is at most 2 × `NEURONS` × `HIDDEN_ONE` × 2^15 = 2^30.
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

    /// The numbers of the inputs that exclude one another: one range for each pit, for the extra
    /// turns, the captures and the best capture of each side. The first number of each stands for an
    /// empty pit, an empty set or no capture, and is never on.
    pub fn groups(self) -> impl Iterator<Item = Range<usize>> {
        let of_row =
            std::iter::repeat_n(COUNTS, self.pits).chain([1 << self.pits; 2]).chain([COUNTS]);
        of_row.clone().chain(of_row).scan(0, |start, length| {
            let group = *start..*start + length;
            *start = group.end;
            Some(group)
        })
    }

    /// The inputs that are on.
    #[inline]
    pub fn of<R: Row>(self, board: Board<R>) -> InputList {
        let mut on = InputList::default();
        let opponent = self.len() / 2;
        // The loops for the most common width are unrolled.
        match self.pits {
            6 => {
                Self::add_row(board.own, board.opponent, 6, 0, &mut on);
                Self::add_row(board.opponent, board.own, 6, opponent, &mut on);
            }
            pits => {
                Self::add_row(board.own, board.opponent, pits, 0, &mut on);
                Self::add_row(board.opponent, board.own, pits, opponent, &mut on);
            }
        }
        on
    }

    /// Adds the inputs of a row; they are numbered from `first`.
    #[inline(always)]
    fn add_row<R: Row>(own: R, across: R, pits: usize, first: usize, on: &mut InputList) {
        let mut ends = 0;
        for (index, of_pit) in ENDS[pits].iter().enumerate().take(pits) {
            let seeds = own.count(Pit::new(index)) as usize;
            on.push_unless_first(first + index * COUNTS, seeds.min(COUNTS - 1));
            ends |= of_pit[seeds.min(LAPS - 1)];
        }
        let [in_row, extra_turns, behind, lapped] = ends.to_le_bytes().map(u16::from);
        let empty = !own.occupied().0;
        let filled = across.occupied().0.reverse_bits() >> (16 - pits);
        let round = behind & empty | lapped;
        let captures = PitSet(in_row & empty & filled | round);
        // A sowing round the board has also put a seed into the opposite pit.
        let seeds = captures.iter().map(|pit| {
            across.count(pit.opposite(pits)) as usize + usize::from(round >> pit.index() & 1)
        });
        let most = seeds.max().unwrap_or(0);
        let sets = first + pits * COUNTS;
        on.push_unless_first(sets, usize::from(extra_turns));
        on.push_unless_first(sets + (1 << pits), usize::from(captures.0));
        on.push_unless_first(sets + (2 << pits), most.min(COUNTS - 1));
    }
}

/// The numbers of the inputs that are on.
#[derive(Clone, Copy, Debug, Default)]
pub struct InputList {
    numbers: [u16; MAX_ON],
    length: usize,
}

impl InputList {
    /// Adds the input at `place` in the group that begins with the number `group`, unless it is the
    /// first. It is written in either case, because a branch would often be mispredicted.
    #[inline(always)]
    fn push_unless_first(&mut self, group: usize, place: usize) {
        self.numbers[self.length] = (group + place) as u16;
        self.length += usize::from(place > 0);
    }
}

impl Deref for InputList {
    type Target = [u16];

    #[inline]
    fn deref(&self) -> &[u16] {
        &self.numbers[..self.length]
    }
}

named_enum! {
    /// What a neuron of the hidden layer passes on of its sum.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Activation: "activation" {
        /// The sum, clipped to 0..=1.
        Clipped = "clipped",
        /// The square of the clipped sum.
        Squared = "squared",
    }
}

/// A network for boards of one width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    inputs: Inputs,
    activation: Activation,
    /// The number of blocks in each row of weights, 1 or 2.
    blocks: usize,
    bias: Vec<Block>,
    /// Of the hidden layer: a row for each input.
    weights: Vec<Block>,
    gain: Output,
    /// How far the gain is likely to be off, if the network estimates that.
    error: Option<Output>,
}

/// The gain and, if it is wanted, its error, in hundredths of a seed.
type Outputs = (i32, Option<i32>);

/// The weights of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Output {
    /// A row for each set of weights.
    weights: Vec<Block>,
    bias: [i32; BUCKETS],
}

/// The weights of a network in floating point, for a fit. All rows have one length, [`NEURONS`] or
/// twice as many.
#[derive(Clone, Debug)]
pub struct RealWeights {
    /// Of the neurons.
    pub activation: Activation,
    /// Of the hidden layer.
    pub bias: Vec<f32>,
    /// Of the hidden layer, by input.
    pub inputs: Vec<Vec<f32>>,
    /// Of the gain.
    pub gain: RealOutput,
    /// Of the absolute error to expect of the gain.
    pub error: Option<RealOutput>,
}

/// The weights of an output in floating point, in seeds and by [`Inputs::bucket`].
#[derive(Clone, Debug)]
pub struct RealOutput {
    /// Of the neurons.
    pub weights: Vec<Vec<f32>>,
    /// Added to their sum.
    pub bias: [f32; BUCKETS],
}

/// A number for each of [`NEURONS`] neurons; two cache lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
struct Block([i16; NEURONS]);

/// A row of numbers in blocks.
fn blocks(numbers: &[i16]) -> impl Iterator<Item = Block> {
    numbers.as_chunks().0.iter().map(|&block| Block(block))
}

/// Rows of weights multiplied and rounded.
fn scaled<'a>(rows: impl IntoIterator<Item = &'a Vec<f32>>, by: f32) -> Vec<Block> {
    let mut scaled = Vec::new();
    for row in rows {
        let numbers: Vec<i16> = row.iter().map(|weight| (weight * by).round() as i16).collect();
        scaled.extend(blocks(&numbers));
    }
    scaled
}

impl Output {
    fn from_weights(RealOutput { weights, bias }: &RealOutput) -> Self {
        let most = MAX_BIAS as f32;
        Self {
            weights: scaled(weights, OUTPUT_SEED / f32::from(HIDDEN_ONE)),
            bias: bias.map(|bias| (bias * OUTPUT_SEED).round().clamp(-most, most) as i32),
        }
    }

    /// An output from a row of numbers for each set of weights, the bias last.
    fn from_rows(rows: &[Vec<i32>], blocks: usize) -> Result<Self, NetworkError> {
        let mut output = Self { weights: Vec::new(), bias: [0; BUCKETS] };
        for (numbers, output_bias) in rows.iter().zip(&mut output.bias) {
            let split = numbers.split_last();
            let (&bias, numbers) =
                split.ok_or_else(|| NetworkError("weights and a bias".to_owned()))?;
            if bias.unsigned_abs() > MAX_BIAS {
                let message = format!("a bias from -{MAX_BIAS} to {MAX_BIAS}, got {bias}");
                return Err(NetworkError(message));
            }
            output.weights.extend(weights(numbers, blocks)?);
            *output_bias = bias;
        }
        Ok(output)
    }

    /// In hundredths of a seed.
    #[inline(always)]
    fn of<const BLOCKS: usize>(
        &self,
        hidden: &[Block; BLOCKS],
        activation: Activation,
        bucket: usize,
    ) -> i32 {
        let weights: &[Block; BLOCKS] = &self.weights.as_chunks().0[bucket];
        let mut total = self.bias[bucket];
        for (sums, weights) in hidden.iter().zip(weights) {
            total += match activation {
                Activation::Clipped => weighted_sum(sums, weights, |sum| sum.clamp(0, HIDDEN_ONE)),
                Activation::Squared => weighted_sum(sums, weights, |sum| {
                    // Below one, so that the square fits into 16 bits.
                    let clipped = sum.clamp(0, HIDDEN_ONE - 1) as u16;
                    (clipped * clipped / HIDDEN_ONE as u16) as i16
                }),
            };
        }
        total / OUTPUT_ONE
    }
}

/// Rows of weights in floating point.
fn unscaled(rows: impl Iterator<Item = Vec<i16>>, by: f32) -> Vec<Vec<f32>> {
    rows.map(|row| row.iter().map(|&weight| f32::from(weight) / by).collect()).collect()
}

impl Network {
    /// Pits per row of the boards.
    pub fn pits(&self) -> usize {
        self.inputs.pits
    }

    /// The network trained for boards with `pits` pits per row, if there is one.
    pub fn trained(pits: usize) -> Option<&'static Self> {
        static TRAINED: [(usize, LazyLock<Network>); 4] = [
            (5, LazyLock::new(|| built_in(include_str!("networks/5.txt")))),
            (6, LazyLock::new(|| built_in(include_str!("networks/6.txt")))),
            (7, LazyLock::new(|| built_in(include_str!("networks/7.txt")))),
            (8, LazyLock::new(|| built_in(include_str!("networks/8.txt")))),
        ];
        TRAINED.iter().find(|(width, _)| *width == pits).map(|(_, network)| &**network)
    }

    /// A network for boards with `pits` pits per row from weights, which are rounded and, where they
    /// are too large, clamped.
    ///
    /// # Panics
    /// If the rows do not have the lengths and numbers that [`RealWeights`] states.
    pub fn from_weights(pits: usize, weights: &RealWeights) -> Self {
        let one = f32::from(HIDDEN_ONE);
        let bias = scaled([&weights.bias], one);
        let blocks = bias.len();
        assert!((1..=2).contains(&blocks) && weights.inputs.len() == Inputs::new(pits).len());
        let outputs: Vec<_> = [&weights.gain].into_iter().chain(&weights.error).collect();
        assert!(outputs.iter().all(|output| output.weights.len() == BUCKETS));
        let rows = [&weights.bias].into_iter().chain(&weights.inputs);
        let mut rows = rows.chain(outputs.iter().flat_map(|output| &output.weights));
        assert!(rows.all(|row| row.len() == blocks * NEURONS));
        let network = Self {
            inputs: Inputs::new(pits),
            activation: weights.activation,
            blocks,
            bias,
            weights: scaled(&weights.inputs, one),
            gain: Output::from_weights(&weights.gain),
            error: weights.error.as_ref().map(Output::from_weights),
        };
        network.with_absence_in_bias()
    }

    /// The same network with the weights of each group's first input, which is never on, moved to the
    /// bias: one input of each group is on or would be, so that the sums remain the same.
    fn with_absence_in_bias(mut self) -> Self {
        for group in self.inputs.groups() {
            let first = group.start * self.blocks;
            let absent = self.weights[first..first + self.blocks].to_vec();
            combine(&mut self.bias, &absent, i16::wrapping_add);
            for input in group {
                let row = &mut self.weights[input * self.blocks..][..self.blocks];
                combine(row, &absent, i16::wrapping_sub);
            }
        }
        self
    }

    /// Weights of an equal network, except for rounding: those of inputs that are never on are zero.
    pub fn weights(&self) -> RealWeights {
        let one = f32::from(HIDDEN_ONE);
        let output = |output: &Output| RealOutput {
            weights: unscaled(self.rows(&output.weights), OUTPUT_SEED / one),
            bias: output.bias.map(|bias| bias as f32 / OUTPUT_SEED),
        };
        RealWeights {
            activation: self.activation,
            bias: unscaled(self.rows(&self.bias), one).remove(0),
            inputs: unscaled(self.rows(&self.weights), one),
            gain: output(&self.gain),
            error: self.error.as_ref().map(output),
        }
    }

    /// The rows of weights in `blocks`.
    fn rows<'a>(&self, blocks: &'a [Block]) -> impl Iterator<Item = Vec<i16>> + use<'a> {
        blocks.chunks(self.blocks).map(|row| row.iter().flat_map(|block| block.0).collect())
    }

    /// An estimate of the mover's gain from `board`, which must not be over.
    #[inline]
    pub fn evaluate<R: Row>(&self, board: Board<R>) -> Value {
        self.estimate_in_part(board, None).value
    }

    /// The same estimate and its uncertainty.
    #[inline]
    pub fn estimate<R: Row>(&self, board: Board<R>) -> Estimate {
        self.estimate_in_part(board, self.error.as_ref())
    }

    #[inline]
    fn estimate_in_part<R: Row>(&self, board: Board<R>, error: Option<&Output>) -> Estimate {
        let inputs = self.inputs.of(board);
        let in_play = board.in_play();
        let (gain, error) = self.forward(&inputs, self.inputs.bucket(in_play), error);
        // No gain exceeds the seeds in play, but the output may.
        let most = in_play as i32 * Value::SEED;
        let uncertainty = match error {
            Some(error) => Uncertainty::of_error(Value(error)),
            None => Uncertainty::UNKNOWN,
        };
        Estimate { value: Value(gain.clamp(-most, most)), uncertainty }
    }

    /// The worth of each pit's seeds: how much the value of `board`, with `side` to move,
    /// falls without them. The only filled pit of a row is left out, because the
    /// game ends when a row is empty.
    pub fn worths<R: Row>(&self, board: Board<R>, side: Side) -> Vec<(Side, Pit, Value)> {
        let value = self.evaluate(board);
        let own = board
            .own
            .occupied()
            .iter()
            .map(|pit| (side, pit, Board { own: board.own.without(pit), ..board }));
        let opponent = board.opponent.occupied().iter().map(|pit| {
            (side.other(), pit, Board { opponent: board.opponent.without(pit), ..board })
        });
        let without = own
            .chain(opponent)
            .filter(|(_, _, board)| !board.own.is_empty() && !board.opponent.is_empty());
        without.map(|(side, pit, board)| (side, pit, value - self.evaluate(board))).collect()
    }

    /// The gain and the output `error`, if there is one, for the numbers of the inputs that are on.
    #[inline]
    fn forward(&self, inputs: &[u16], bucket: usize, error: Option<&Output>) -> Outputs {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "the processor has been found to have AVX2")]
            return unsafe { self.forward_with_avx2(inputs, bucket, error) };
        }
        self.forward_anywhere(inputs, bucket, error)
    }

    /// [`Network::forward_in`], compiled for processors with vectors of 256 bits.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn forward_with_avx2(&self, inputs: &[u16], bucket: usize, error: Option<&Output>) -> Outputs {
        self.forward_in(inputs, bucket, error)
    }

    // Not inlined: on its own it compiles to vector instructions, but inlined into the search to
    // scalar ones.
    #[inline(never)]
    fn forward_anywhere(&self, inputs: &[u16], bucket: usize, error: Option<&Output>) -> Outputs {
        self.forward_in(inputs, bucket, error)
    }

    /// The outputs, in loops whose length is a constant, so that they are unrolled.
    #[inline(always)]
    fn forward_in(&self, inputs: &[u16], bucket: usize, error: Option<&Output>) -> Outputs {
        match self.blocks {
            1 => self.outputs(&self.hidden::<1>(inputs), bucket, error),
            _ => self.outputs(&self.hidden::<2>(inputs), bucket, error),
        }
    }

    #[inline(always)]
    fn outputs<const BLOCKS: usize>(
        &self,
        hidden: &[Block; BLOCKS],
        bucket: usize,
        error: Option<&Output>,
    ) -> Outputs {
        let of = |output: &Output| output.of(hidden, self.activation, bucket);
        (of(&self.gain), error.map(of))
    }

    /// The sums of the hidden layer.
    #[inline(always)]
    fn hidden<const BLOCKS: usize>(&self, inputs: &[u16]) -> [Block; BLOCKS] {
        let mut sums = self.bias.as_chunks().0[0];
        let rows = self.weights.as_chunks::<BLOCKS>().0;
        for &input in inputs {
            for (sums, weights) in sums.iter_mut().zip(&rows[usize::from(input)]) {
                for (sum, weight) in sums.0.iter_mut().zip(&weights.0) {
                    // Weights from a file may overflow: that gives a bad value, but no panic.
                    *sum = sum.wrapping_add(*weight);
                }
            }
        }
        sums
    }
}

/// The sum of a block's outputs, each multiplied by its weight.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
fn weighted_sum(sums: &Block, weights: &Block, active: impl Fn(i16) -> i16) -> i32 {
    let mut total = 0;
    for (&sum, &weight) in sums.0.iter().zip(&weights.0) {
        total += i32::from(active(sum)) * i32::from(weight);
    }
    total
}

/// The sum of a block's outputs, each multiplied by its weight: by an instruction that the compiler
/// does not find.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn weighted_sum(sums: &Block, weights: &Block, active: impl Fn(i16) -> i16) -> i32 {
    use core::arch::wasm32::{i16x8, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane, i32x4_splat};
    let vector = |n: [i16; 8]| i16x8(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]);
    let mut total = i32x4_splat(0);
    for (&sums, &weights) in sums.0.as_chunks().0.iter().zip(weights.0.as_chunks().0) {
        let outputs = vector(sums.map(&active));
        total = i32x4_add(total, i32x4_dot_i16x8(outputs, vector(weights)));
    }
    i32x4_extract_lane::<0>(total)
        + i32x4_extract_lane::<1>(total)
        + i32x4_extract_lane::<2>(total)
        + i32x4_extract_lane::<3>(total)
}

/// Changes the numbers of `row` by those of `other`.
fn combine(row: &mut [Block], other: &[Block], sum: impl Fn(i16, i16) -> i16) {
    for (block, other) in row.iter_mut().zip(other) {
        for (number, other) in block.0.iter_mut().zip(other.0) {
            *number = sum(*number, other);
        }
    }
}

fn built_in(text: &str) -> Network {
    text.parse().expect("valid weights")
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pits {}", self.inputs.pits)?;
        match self.activation {
            Activation::Clipped => writeln!(f)?,
            Activation::Squared => writeln!(f, " {}", self.activation)?,
        }
        let text = |row: Vec<i16>| row.iter().map(i16::to_string).collect::<Vec<_>>().join(" ");
        for row in self.rows(&self.bias).chain(self.rows(&self.weights)) {
            writeln!(f, "{}", text(row))?;
        }
        for output in [&self.gain].into_iter().chain(&self.error) {
            for (row, bias) in self.rows(&output.weights).zip(output.bias) {
                writeln!(f, "{} {bias}", text(row))?;
            }
        }
        Ok(())
    }
}

/// Error for a text that is not a network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected {0}")]
pub struct NetworkError(String);

fn unknown_activation(name: &str) -> NetworkError {
    let known = Activation::ALL.map(Activation::name);
    NetworkError(format!("{} after the pits, got '{}'", alternatives(&known), shortened(name)))
}

impl FromStr for Network {
    type Err = NetworkError;

    /// Reads the lines that `Display` writes; lines that begin with `#` are comments. The first line
    /// names the activation, unless it is [`Activation::Clipped`]; the rows for the error may be
    /// missing.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let first = lines.next().and_then(|line| line.strip_prefix("pits ")).unwrap_or_default();
        let (number, activation) = match first.split_once(' ') {
            Some((number, name)) => (number, name.parse().map_err(|_| unknown_activation(name))?),
            None => (first, Activation::Clipped),
        };
        let pits = match number.parse() {
            Ok(pits @ 1..=MAX_PITS) => pits,
            _ => return Err(NetworkError(format!("'pits' and a number from 1 to {MAX_PITS}"))),
        };
        let inputs = Inputs::new(pits);
        let rows: Vec<Vec<i32>> = lines
            .map(|line| line.split(' ').map(str::parse).collect())
            .collect::<Result<_, ParseIntError>>()
            .map_err(|error| NetworkError(format!("numbers: {error}")))?;
        // One for the bias, one for each input and one for each set of weights of the gain.
        let expected = 1 + inputs.len() + BUCKETS;
        if rows.len() != expected && rows.len() != expected + BUCKETS {
            return Err(NetworkError(format!("{expected} rows of weights, got {}", rows.len())));
        }
        let (hidden, outputs) = rows.split_at(1 + inputs.len());
        let blocks = match hidden[0].len() {
            NEURONS => 1,
            length if length == 2 * NEURONS => 2,
            got => {
                let expected = format!("{NEURONS} or {} weights", 2 * NEURONS);
                return Err(NetworkError(format!("{expected}, got {got} numbers")));
            }
        };
        let mut hidden = hidden.iter().map(|row| weights(row, blocks));
        let bias = hidden.next().expect("the rows were counted above")?;
        let hidden = hidden.collect::<Result<Vec<_>, _>>()?;
        let (of_gain, of_error) = outputs.split_at(BUCKETS);
        let gain = Output::from_rows(of_gain, blocks)?;
        let error = match of_error {
            [] => None,
            rows => Some(Output::from_rows(rows, blocks)?),
        };
        let weights = hidden.concat();
        let network = Self { inputs, activation, blocks, bias, weights, gain, error };
        Ok(network.with_absence_in_bias())
    }
}

/// A row of this number of blocks.
fn weights(row: &[i32], blocks: usize) -> Result<Vec<Block>, NetworkError> {
    if row.len() != blocks * NEURONS {
        let got = row.len();
        return Err(NetworkError(format!("{} weights, got {got} numbers", blocks * NEURONS)));
    }
    let mut weights = Vec::new();
    for &number in row {
        weights.push(i16::try_from(number).map_err(|_| {
            let range = format!("weights from {} to {}", i16::MIN, i16::MAX);
            NetworkError(format!("{range}, got {number}"))
        })?);
    }
    Ok(self::blocks(&weights).collect())
}
