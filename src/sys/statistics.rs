//! Means of samples, and how sure they are.

/// A number and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// In the unit of what was measured.
    pub value: f64,
    /// Its standard error; 0 if the sample has one member.
    pub error: f64,
}

/// The mean of a sample and its standard error.
pub fn mean(sample: &[f64]) -> Estimate {
    let count = sample.len() as f64;
    let value = sample.iter().sum::<f64>() / count;
    let error = if sample.len() < 2 { 0.0 } else { deviation(sample) / count.sqrt() };
    Estimate { value, error }
}

/// The standard deviation of what a sample of at least two members is drawn from.
pub fn deviation(sample: &[f64]) -> f64 {
    let count = sample.len() as f64;
    let mean = sample.iter().sum::<f64>() / count;
    (sample.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_mean_is_that_of_a_sample() {
        let mean = mean(&[1.0, 2.0, 3.0]);
        assert_eq!(mean.value, 2.0);
        assert!((mean.error - 1.0 / 3f64.sqrt()).abs() < 1e-12);
    }
}
