//! Margins that were proved before this program was built: those in the proofs in this
//! repository, and those of the starts that this project or others have solved. The
//! [book](super) combines them with its lists.

#[cfg(feature = "files")]
use std::sync::LazyLock;

#[cfg(feature = "files")]
use crate::solve::ledger::Ledger;
use kalah_game::{Gain, Interval, Position, Rules};

/// Margins of starts and their sources: published ones, and others that were proved
/// twice, by `kalah solve --verify` or in a folder of this repository.
const STARTS: &str = include_str!("known_margins.tsv");

/// The proofs of (6,6) (doc/kalah66.md) and of openings of (6,4) (doc/openings.md).
#[cfg(feature = "files")]
static PROOFS: LazyLock<[Ledger; 4]> =
    LazyLock::new(|| kalah_openings::PROOFS.map(|ledger| Ledger::parse(ledger).expect("a ledger")));

/// A start whose margin is known.
#[derive(Clone, Copy, Debug)]
pub struct KnownStart {
    /// The start.
    pub rules: Rules,
    /// The margin of the player who moves first.
    pub margin: Gain,
    /// The paper, or the command and the folder of this repository, that proved it.
    pub source: &'static str,
}

/// All starts whose margins are known.
pub fn starts() -> impl Iterator<Item = KnownStart> {
    STARTS.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[pits, seeds, capture, margin, source] = fields.as_slice() else {
            unreachable!("five columns: {line}")
        };
        let pits = pits.parse().expect("a number");
        let seeds = seeds.parse().expect("a number");
        let capture = capture.parse().expect("a capture rule");
        let rules = Rules::new(pits, seeds, capture).expect("a board");
        KnownStart { rules, margin: Gain(margin.parse().expect("a margin")), source }
    })
}

/// The positions in the proofs, without stores, and the proved bounds on their gains.
pub(crate) fn gains() -> impl Iterator<Item = (&'static Position, Interval<Gain>)> {
    #[cfg(feature = "files")]
    {
        PROOFS.iter().flat_map(Ledger::bounds)
    }
    #[cfg(not(feature = "files"))]
    std::iter::empty()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::path::Path;

    use super::*;

    #[test]
    fn built_in_proofs_have_all_bounds_of_their_ledgers() {
        let openings = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openings");
        let folders: [&str; kalah_openings::PROOFS.len()] = [
            "6x6-standard-proof",
            "6x6-standard-certificate",
            "6x6-empty-capture-proof",
            "6x4-standard-even-proof",
        ];
        for (folder, proof) in folders.iter().zip(&*PROOFS) {
            let ledger = Ledger::read(&openings.join(folder).join("ledger.jsonl")).unwrap();
            let [expected, bounds] = [&ledger, proof].map(|ledger| ledger.bounds().collect());
            let expected: HashMap<_, _> = expected;
            assert!(!expected.is_empty() && bounds == expected, "{folder}");
        }
    }
}
