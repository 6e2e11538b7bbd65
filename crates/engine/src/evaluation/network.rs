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
//!
//! [`inputs`] defines the inputs, [`mod@file`] the text format.

pub mod file;
pub mod inputs;

use std::sync::LazyLock;

use kalah_game::{Board, Pit, Row, Side, Value};
use kalah_text::named_enum;

use super::{Estimate, Uncertainty};
use inputs::{BUCKETS, Inputs};

/// The hidden layer has this number of neurons or twice as many.
pub const NEURONS: usize = 64;
/// The integer that represents 1 in the hidden layer.
const HIDDEN_ONE: i16 = 256;
/// The integer that represents an output weight of one hundredth of a seed.
const OUTPUT_ONE: i32 = 64;
/// The largest absolute value of an output bias, with which no output overflows: the weighted sum
/// of the neurons is at most 2 × `NEURONS` × `HIDDEN_ONE` × 2^15 = 2^30.
const MAX_BIAS: u32 = 1 << 30;
/// The integer that represents one seed in the sum of the outputs.
const OUTPUT_SEED: f32 = (Value::SEED * OUTPUT_ONE) as f32;

named_enum! {
    /// The activation function of the hidden layer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Activation: "activation" {
        /// The sum, clipped to 0..=1.
        Clipped = "clipped",
        /// The square of the clipped sum.
        Squared = "squared",
    }
}

impl Activation {
    /// Replaces the sums of neurons with their activations.
    #[inline(always)]
    fn apply(self, sums: &mut Block) {
        match self {
            Self::Clipped => {
                for sum in &mut sums.0 {
                    *sum = (*sum).clamp(0, HIDDEN_ONE);
                }
            }
            Self::Squared => {
                for sum in &mut sums.0 {
                    // Below one, so that the square fits into 16 bits.
                    let clipped = (*sum).clamp(0, HIDDEN_ONE - 1) as u16;
                    *sum = (clipped * clipped / HIDDEN_ONE as u16) as i16;
                }
            }
        }
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

    /// The output, in hundredths of a seed.
    #[inline(always)]
    fn of<const BLOCKS: usize>(&self, activations: &[Block; BLOCKS], bucket: usize) -> i32 {
        let weights: &[Block; BLOCKS] = &self.weights.as_chunks().0[bucket];
        let mut total = self.bias[bucket];
        for (activations, weights) in activations.iter().zip(weights) {
            total += dot(activations, weights);
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
        self.inputs.pits()
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
            1 => self.outputs(&self.activations::<1>(inputs), bucket, error),
            _ => self.outputs(&self.activations::<2>(inputs), bucket, error),
        }
    }

    #[inline(always)]
    fn outputs<const BLOCKS: usize>(
        &self,
        activations: &[Block; BLOCKS],
        bucket: usize,
        error: Option<&Output>,
    ) -> Outputs {
        let gain = self.gain.of(activations, bucket);
        let error = error.map(|error| error.of(activations, bucket));
        (gain, error)
    }

    /// The activations of the hidden layer.
    #[inline(always)]
    fn activations<const BLOCKS: usize>(&self, inputs: &[u16]) -> [Block; BLOCKS] {
        let mut blocks = self.hidden(inputs);
        for sums in &mut blocks {
            self.activation.apply(sums);
        }
        blocks
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

/// The dot product of a block of activations and their weights, by `pmaddwd`, which the compiler
/// does not always find.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
#[expect(unsafe_code, reason = "the processor has SSE2")]
fn dot(activations: &Block, weights: &Block) -> i32 {
    use core::arch::x86_64::{
        _mm_add_epi32, _mm_cvtsi128_si32, _mm_madd_epi16, _mm_set_epi16, _mm_setzero_si128,
        _mm_shuffle_epi32,
    };
    // SAFETY: the function is compiled only for processors with SSE2, to which these instructions
    // belong, and none of them accesses memory.
    unsafe {
        let vector = |n: [i16; 8]| _mm_set_epi16(n[7], n[6], n[5], n[4], n[3], n[2], n[1], n[0]);
        let mut total = _mm_setzero_si128();
        for (&active, &weights) in activations.0.as_chunks().0.iter().zip(weights.0.as_chunks().0) {
            total = _mm_add_epi32(total, _mm_madd_epi16(vector(active), vector(weights)));
        }
        let halves = _mm_add_epi32(total, _mm_shuffle_epi32::<0b01_00_11_10>(total));
        let sums = _mm_add_epi32(halves, _mm_shuffle_epi32::<0b10_11_00_01>(halves));
        _mm_cvtsi128_si32(sums)
    }
}

/// The same for WebAssembly.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn dot(activations: &Block, weights: &Block) -> i32 {
    use core::arch::wasm32::{i16x8, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane, i32x4_splat};
    let vector = |n: [i16; 8]| i16x8(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]);
    let mut total = i32x4_splat(0);
    for (&active, &weights) in activations.0.as_chunks().0.iter().zip(weights.0.as_chunks().0) {
        total = i32x4_add(total, i32x4_dot_i16x8(vector(active), vector(weights)));
    }
    i32x4_extract_lane::<0>(total)
        + i32x4_extract_lane::<1>(total)
        + i32x4_extract_lane::<2>(total)
        + i32x4_extract_lane::<3>(total)
}

/// The same for other processors.
#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
use plain_dot as dot;

#[cfg(any(
    test,
    not(any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "wasm32", target_feature = "simd128")
    ))
))]
#[inline(always)]
fn plain_dot(activations: &Block, weights: &Block) -> i32 {
    let pairs = activations.0.iter().zip(&weights.0);
    pairs.map(|(&active, &weight)| i32::from(active) * i32::from(weight)).sum()
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

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_sys::random::SplitMix64;

    #[test]
    fn the_dot_product_is_that_of_plain_arithmetic() {
        let mut random = SplitMix64::new(1);
        for weight in [0, 1, -1, i16::MIN, i16::MAX] {
            for _ in 0..100 {
                let activations = Block([0; NEURONS].map(|_: i16| random.below(257) as i16));
                let weights =
                    Block(
                        [0; NEURONS].map(|_: i16| {
                            if weight == 0 { random.next_u64() as i16 } else { weight }
                        }),
                    );
                assert_eq!(dot(&activations, &weights), plain_dot(&activations, &weights));
            }
        }
    }
}
