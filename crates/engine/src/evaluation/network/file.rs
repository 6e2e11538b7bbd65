//! The text format of networks: a line of integers for each row of weights.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use thiserror::Error;

use kalah_text::names::{alternatives, shortened};

use super::inputs::{BUCKETS, Inputs, MAX_PITS};
use super::{Activation, Block, MAX_BIAS, NEURONS, Network, Output, blocks};

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pits {}", self.pits())?;
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
        let gain = output(of_gain, blocks)?;
        let error = match of_error {
            [] => None,
            rows => Some(output(rows, blocks)?),
        };
        let weights = hidden.concat();
        let network = Self { inputs, activation, blocks, bias, weights, gain, error };
        Ok(network.with_absence_in_bias())
    }
}

/// An output from a row of numbers for each set of weights, the bias last.
fn output(rows: &[Vec<i32>], blocks: usize) -> Result<Output, NetworkError> {
    let mut output = Output { weights: Vec::new(), bias: [0; BUCKETS] };
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
