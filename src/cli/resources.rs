//! What a solver may use, as options.

use clap::Args as ClapArgs;

use super::arguments::Threads;
use crate::depth::Depth;
use crate::engine::Engine;
use crate::game::Position;
use crate::score::Gain;
use crate::search::{Info, Limits, Stopper};
use crate::solve::{Settings, TableChoice};

#[derive(Debug, Default, ClapArgs)]
pub(super) struct Resources {
    #[command(flatten)]
    pub threads: Threads,
    /// Memory for proved bounds, in MiB [default: what the search seems to need]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub hash: Option<u32>,
    /// Build endgame tables up to so many seeds in play, 0 for none [default:
    /// what pays]
    #[arg(long, value_name = "SEEDS")]
    pub table_seeds: Option<u32>,
}

impl Resources {
    /// The settings of a solver that uses these.
    pub fn settings(&self) -> Settings {
        Settings {
            threads: self.threads.count(),
            hash: self.hash.map(|mebibytes| (mebibytes as usize) << 20),
            tables: self.table_seeds.map_or(TableChoice::Automatic, TableChoice::Seeds),
            guess,
            ..Settings::default()
        }
    }
}

/// A first guess for the proof of `position`, as its mover sees it, for proofs
/// that take long. The proof never relies on it.
fn guess(position: &Position) -> Option<Gain> {
    /// Positions with fewer seeds in play are proved before a guess pays.
    const WORTH_GUESSING: u32 = 50;
    /// A tenth of a second's search, or less.
    const DEPTH: Depth = Depth(12);
    const MEBIBYTES: usize = 16;

    let worth = position.in_play() >= WORTH_GUESSING;
    let info = worth.then(|| searched(position, DEPTH, MEBIBYTES)).flatten()?;
    Some(info.margin.rounded())
}

/// What a search of `position` to `depth` finds, with `mebibytes` MiB for its
/// table; none if there is no memory or the game is over.
pub(super) fn searched(position: &Position, depth: Depth, mebibytes: usize) -> Option<Info> {
    let mut engine = Engine::with_hash(mebibytes).ok()?;
    engine.set_position(*position);
    engine.search(Limits::depth(depth), &Stopper::new(), &mut |_| ()).info
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    #[test]
    fn large_starts_are_guessed_within_a_few_seeds() {
        let guess_of =
            |seeds| guess(&Position::start(Rules::new(6, seeds, Default::default()).unwrap()));
        assert_eq!(guess_of(4), None);
        let guess = guess_of(5).unwrap();
        assert!((6..=14).contains(&guess.0), "{guess} for a margin of 10");
    }
}
