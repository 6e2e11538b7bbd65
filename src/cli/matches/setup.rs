//! From the arguments of a match to its configuration.

use std::time::Duration;

use super::RunArgs;
use crate::arena::config::{Adjudication, MatchConfig, PlayerConfig, Timing};
use crate::arena::opening::{self, Opening};
use crate::arena::stats::{Model, Sprt};
use crate::cli::failure::Failure;

impl RunArgs {
    /// The configuration that the arguments ask for.
    pub(super) fn config(&self) -> Result<MatchConfig, Failure> {
        let player = |words: &String| {
            let player = PlayerConfig::parse(words, &self.each);
            player.map_err(|error| Failure::Usage(format!("--engine '{words}': {error}")))
        };
        Ok(MatchConfig {
            event: self.event.clone(),
            players: self.engines.iter().map(player).collect::<Result<_, _>>()?,
            format: self.format,
            rounds: self.pairs,
            seed: self.seed,
            adjudication: Adjudication {
                majority: self.adjudicate_majority,
                table_seeds: self.adjudicate_table,
                move_limit: self.move_limit,
            },
            timing: Timing {
                margin: Duration::from_millis(self.margin),
                patience: Duration::from_secs(self.patience),
                start: Duration::from_secs(self.start_timeout),
            },
            sprt: self.sprt.as_deref().map(sprt).transpose()?,
            openings: self.openings()?,
        })
    }

    /// One opening for each round, or all there are.
    fn openings(&self) -> Result<Vec<Opening>, Failure> {
        let start = self.board.position()?;
        if start.is_over() {
            return Err(Failure::Usage("--position: expected moves left to play".to_owned()));
        }
        let rounds = self.pairs as usize;
        let mut openings = match &self.openings {
            None => opening::random(start, self.random_plies.into(), rounds, self.seed),
            Some(path) => opening::load(path, start)
                .map_err(|error| Failure::Usage(format!("--openings: {error}")))?,
        };
        if self.shuffle {
            opening::shuffle(&mut openings, self.seed);
        }
        openings.truncate(rounds);
        Ok(openings)
    }
}

/// Reads a test from `key=value` words.
fn sprt(words: &str) -> Result<Sprt, Failure> {
    let mut sprt = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::default() };
    for word in words.split_whitespace() {
        let wrong = || {
            Failure::Usage(format!(
                "--sprt: expected elo0=, elo1=, alpha=, beta= with a number, \
                 or model=normalized|logistic, got '{word}'"
            ))
        };
        let (key, value) = word.split_once('=').ok_or_else(wrong)?;
        let number = || value.parse().map_err(|_| wrong());
        match key {
            "elo0" => sprt.elo0 = number()?,
            "elo1" => sprt.elo1 = number()?,
            "alpha" => sprt.alpha = number()?,
            "beta" => sprt.beta = number()?,
            "model" => {
                sprt.model = match value {
                    "normalized" | "normalised" => Model::Normalized,
                    "logistic" => Model::Logistic,
                    _ => return Err(wrong()),
                };
            }
            _ => return Err(wrong()),
        }
    }
    sprt.checked().map_err(|error| Failure::Usage(format!("--sprt: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_read_from_words() {
        let test = sprt("elo0=-1.5 elo1=3 model=logistic").unwrap();
        assert_eq!((test.elo0, test.elo1, test.model), (-1.5, 3.0, Model::Logistic));
        for wrong in ["elo0", "elo0=x", "elo2=3", "model=bayes", "elo0=5 elo1=5", "alpha=2"] {
            assert!(matches!(sprt(wrong), Err(Failure::Usage(_))), "{wrong}");
        }
    }
}
