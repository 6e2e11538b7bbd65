//! Fitting the network of the evaluation to boards with known gains, by Adam
//! (Kingma and Ba, "Adam: a method for stochastic optimization", ICLR 2015) on the
//! squared error, in which close boards count more than decided ones. Only the output biases, one
//! per set of output weights, take plain gradient steps at the initial rate. The output for the
//! error of the gain is fitted at the same time, and does not change what the gain depends on.

use kalah_engine::evaluation::network::inputs::{BUCKETS, Inputs};
use kalah_engine::evaluation::network::{Activation, NEURONS, Network, RealOutput, RealWeights};
use kalah_game::Board;
use kalah_sys::random::{SplitMix64, mix_nth};

/// Number of samples between two steps.
const BATCH: usize = 256;
/// The initial learning rate from random weights; it decays to almost zero.
const RATE: f32 = 0.002;
/// The initial learning rate when a fitted network is refined: larger steps would lose what it
/// has learnt from other boards.
const REFINING_RATE: f32 = 0.0004;
/// Seeds per unit of the output, so that all weights are of similar size.
const UNIT: f32 = 10.0;
/// The absolute error to expect before the fit, in seeds.
const TYPICAL_ERROR: f32 = 2.2;
/// The gradient does not grow with errors beyond this number of seeds.
const MAX_ERROR: f32 = 8.0;
/// The gain, in seeds, at which a board counts half as much as an even one: games are lost by errors
/// on close boards.
const HALF_WEIGHT_GAIN: f32 = 12.0;

/// The inputs of a board, and its gain.
#[derive(Clone, Debug)]
pub struct LabelledBoard {
    inputs: Vec<u32>,
    bucket: usize,
    gain: f32,
}

impl LabelledBoard {
    /// A board whose mover gains `gain` seeds.
    pub fn new(inputs: Inputs, board: Board<u64>, gain: i32) -> Self {
        let on = inputs.of(board).iter().map(|&input| u32::from(input)).collect();
        Self { inputs: on, bucket: inputs.bucket(board.in_play()), gain: gain as f32 }
    }

    /// How much its error counts, at most 1.
    fn weight(&self) -> f32 {
        1.0 / (1.0 + (self.gain / HALF_WEIGHT_GAIN).powi(2))
    }
}

/// One weight per neuron, with gradients and Adam's moments.
#[derive(Clone, Debug)]
struct AdamWeights {
    values: Vec<f32>,
    gradient: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
}

impl AdamWeights {
    fn new(values: Vec<f32>) -> Self {
        let zero = vec![0.0; values.len()];
        Self { values, gradient: zero.clone(), mean: zero.clone(), square: zero }
    }

    /// For this number of neurons, uniform in ± `size`.
    fn random(random: &mut SplitMix64, neurons: usize, size: f32) -> Self {
        Self::new((0..neurons).map(|_| size * (2.0 * random.unit() as f32 - 1.0)).collect())
    }

    fn step(&mut self, rate: f32) {
        // Adam's usual decay rates, 0.9 and 0.999, without its bias correction.
        let moments = self.gradient.iter_mut().zip(&mut self.mean).zip(&mut self.square);
        for (value, ((gradient, mean), square)) in self.values.iter_mut().zip(moments) {
            let gradient = std::mem::take(gradient);
            *mean += 0.1 * (gradient - *mean);
            *square += 0.001 * (gradient * gradient - *square);
            *value -= rate * *mean / (square.sqrt() + 1e-6);
        }
    }
}

/// An output in [`UNIT`]s, by bucket of seeds in play.
#[derive(Clone, Debug)]
struct TrainableOutput {
    weights: Vec<AdamWeights>,
    /// In seeds.
    bias: [f32; BUCKETS],
}

impl TrainableOutput {
    fn from_weights(output: &RealOutput) -> Self {
        let weights = output.weights.iter().map(|row| AdamWeights::new(times(row, 1.0 / UNIT)));
        Self { weights: weights.collect(), bias: output.bias }
    }

    fn weights(&self) -> RealOutput {
        let weights = self.weights.iter().map(|weights| times(&weights.values, UNIT));
        RealOutput { weights: weights.collect(), bias: self.bias }
    }

    /// In seeds, from what the neurons pass on.
    fn of(&self, bucket: usize, hidden: &[f32]) -> f32 {
        let pairs = hidden.iter().zip(&self.weights[bucket].values);
        let dot: f32 = pairs.map(|(active, weight)| active * weight).sum();
        UNIT * dot + self.bias[bucket]
    }

    /// Adds the gradient of half the square of an error, in seeds; `rate` is that of the bias.
    fn backpropagate(&mut self, bucket: usize, hidden: &[f32], error: f32, rate: f32) {
        for (sum, active) in self.weights[bucket].gradient.iter_mut().zip(hidden) {
            *sum += UNIT * error * active;
        }
        self.bias[bucket] -= rate * UNIT * error;
    }

    fn step(&mut self, rate: f32) {
        self.weights.iter_mut().for_each(|weights| weights.step(rate));
    }
}

/// The network in floating point.
#[derive(Clone, Debug)]
pub struct TrainableNetwork {
    activation: Activation,
    bias: AdamWeights,
    /// Weights of the first layer, by input.
    inputs: Vec<AdamWeights>,
    gain: TrainableOutput,
    /// The absolute error to expect of the gain.
    error: TrainableOutput,
    /// Inputs whose gradients may not be zero: few, as boards have few inputs. Only these are
    /// updated.
    touched: Vec<u32>,
    /// [`RATE`] or [`REFINING_RATE`].
    rate: f32,
}

impl From<&Network> for TrainableNetwork {
    /// With the weights of `network`, to be refined in small steps.
    fn from(network: &Network) -> Self {
        let RealWeights { activation, bias, inputs, gain, error } = network.weights();
        let neurons = bias.len();
        Self {
            activation,
            bias: AdamWeights::new(bias),
            inputs: inputs.into_iter().map(AdamWeights::new).collect(),
            gain: TrainableOutput::from_weights(&gain),
            error: match error {
                Some(error) => TrainableOutput::from_weights(&error),
                None => Self::typical_error(neurons),
            },
            touched: Vec::new(),
            rate: REFINING_RATE,
        }
    }
}

impl TrainableNetwork {
    /// A model with `blocks` times [`NEURONS`] neurons, 1 or 2, and with random weights for the
    /// inputs that occur in `samples`. The weights of all others are zero, because a fit would leave
    /// them random.
    pub fn random(inputs: Inputs, samples: &[LabelledBoard], blocks: usize, seed: u64) -> Self {
        let neurons = blocks * NEURONS;
        let mut occurs = vec![false; inputs.len()];
        for &input in samples.iter().flat_map(|sample| &sample.inputs) {
            occurs[input as usize] = true;
        }
        let mut random = SplitMix64::new(seed);
        let rows = occurs.into_iter().map(|occurs| {
            let size = if occurs { 0.1 } else { 0.0 };
            AdamWeights::random(&mut random, neurons, size)
        });
        Self {
            activation: Activation::Squared,
            bias: AdamWeights::new(vec![0.4; neurons]),
            inputs: rows.collect(),
            gain: TrainableOutput {
                weights: (0..BUCKETS)
                    .map(|_| AdamWeights::random(&mut random, neurons, 0.5))
                    .collect(),
                bias: [0.0; BUCKETS],
            },
            error: Self::typical_error(neurons),
            touched: Vec::new(),
            rate: RATE,
        }
    }

    /// The same for all boards, before it is fitted.
    fn typical_error(neurons: usize) -> TrainableOutput {
        TrainableOutput {
            weights: vec![AdamWeights::new(vec![0.0; neurons]); BUCKETS],
            bias: [TYPICAL_ERROR; BUCKETS],
        }
    }

    fn sums(&self, sample: &LabelledBoard) -> Vec<f32> {
        let mut sums = self.bias.values.clone();
        for &input in &sample.inputs {
            for (sum, weight) in sums.iter_mut().zip(&self.inputs[input as usize].values) {
                *sum += weight;
            }
        }
        sums
    }

    /// What the neurons pass on of their sums.
    fn hidden(&self, sums: &[f32]) -> Vec<f32> {
        sums.iter().map(|&sum| active(self.activation, sum)).collect()
    }

    /// The root of the mean squared error on `samples`, in seeds; close boards count more.
    pub fn error(&self, samples: &[LabelledBoard]) -> f64 {
        let mut squares = 0.0;
        let mut weights = 0.0;
        for sample in samples {
            let value = self.gain.of(sample.bucket, &self.hidden(&self.sums(sample)));
            let weight = f64::from(sample.weight());
            squares += weight * f64::from(value - sample.gain).powi(2);
            weights += weight;
        }
        if samples.is_empty() { 0.0 } else { (squares / weights).sqrt() }
    }

    /// Adds the gradient of the error on a sample of a batch, of which the sample is this `share`.
    fn backpropagate(&mut self, sample: &LabelledBoard, share: f32) {
        let bucket = sample.bucket;
        let sums = self.sums(sample);
        let hidden = self.hidden(&sums);
        let difference = self.gain.of(bucket, &hidden) - sample.gain;
        let error = difference.clamp(-MAX_ERROR, MAX_ERROR) * sample.weight() * share;
        let mut back = vec![0.0; sums.len()];
        for (at, &sum) in sums.iter().enumerate() {
            let weight = self.gain.weights[bucket].values[at];
            back[at] = UNIT * error * weight * slope(self.activation, sum);
            self.bias.gradient[at] += back[at];
        }
        self.gain.backpropagate(bucket, &hidden, error, self.rate);
        let expected = self.error.of(bucket, &hidden);
        let surprise = (expected - difference.abs()).clamp(-MAX_ERROR, MAX_ERROR);
        self.error.backpropagate(bucket, &hidden, surprise * share, self.rate);
        for &input in &sample.inputs {
            self.touched.push(input);
            for (sum, back) in self.inputs[input as usize].gradient.iter_mut().zip(&back) {
                *sum += back;
            }
        }
    }

    fn step(&mut self, rate: f32) {
        self.bias.step(rate);
        self.touched.sort_unstable();
        self.touched.dedup();
        for input in self.touched.drain(..) {
            self.inputs[input as usize].step(rate);
        }
        self.gain.step(rate);
        self.error.step(rate);
    }

    /// The network with these weights, for boards with `pits` pits per row.
    pub fn network(&self, pits: usize) -> Network {
        let weights = RealWeights {
            activation: self.activation,
            bias: self.bias.values.clone(),
            inputs: self.inputs.iter().map(|weights| weights.values.clone()).collect(),
            gain: self.gain.weights(),
            error: Some(self.error.weights()),
        };
        Network::from_weights(pits, &weights)
    }

    /// Fits the model to `samples` in `epochs` passes, each in an order chosen by `seed`;
    /// `report` receives the model after each pass.
    pub fn fit(
        &mut self,
        samples: &mut [LabelledBoard],
        epochs: usize,
        seed: u64,
        mut report: impl FnMut(usize, &Self),
    ) {
        // A different stream of numbers from that of the random weights.
        let mut random = SplitMix64::new(mix_nth(seed, 1));
        for epoch in 1..=epochs {
            random.shuffle(samples);
            let left = 1.0 - (epoch - 1) as f32 / epochs as f32;
            for batch in samples.chunks(BATCH) {
                for sample in batch {
                    self.backpropagate(sample, 1.0 / batch.len() as f32);
                }
                // Not quite to zero, so that the last batches still count.
                self.step(self.rate * (left.powf(1.3) + 0.005));
            }
            report(epoch, self);
        }
    }
}

fn times(row: &[f32], factor: f32) -> Vec<f32> {
    row.iter().map(|weight| factor * weight).collect()
}

/// What a neuron passes on of its sum.
fn active(activation: Activation, sum: f32) -> f32 {
    let clipped = sum.clamp(0.0, 1.0);
    match activation {
        Activation::Clipped => clipped,
        Activation::Squared => clipped * clipped,
    }
}

/// The derivative of [`active`]: a clipped sum has none.
fn slope(activation: Activation, sum: f32) -> f32 {
    if sum <= 0.0 || sum >= 1.0 {
        return 0.0;
    }
    match activation {
        Activation::Clipped => 1.0,
        Activation::Squared => 2.0 * sum,
    }
}
