//! What is proved, in a file: a long proof goes on from it.
//!
//! Each line is a position without stores and the bounds proved of its gain. A
//! line is appended as soon as a bound is proved, and synced: whatever ends the
//! process, nothing proved is lost. Lines of one position narrow each other.

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::without_stores;
use crate::game::{Capture, Position};
use crate::score::{Gain, Interval};
use crate::sys::journal::Journal;

const HEADER: &str = r#"{"journal":"kalah proofs 1"}"#;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    position: String,
    capture: Capture,
    lower: i32,
    upper: i32,
}

/// Proved bounds and their file.
#[derive(Debug)]
pub struct Ledger {
    journal: Journal,
    proved: HashMap<Position, Interval<Gain>>,
}

impl Ledger {
    /// Reads the ledger at `path`, or begins one there.
    ///
    /// # Errors
    /// As [`Journal::open`]; also if a bound is impossible or two contradict each
    /// other.
    pub fn open(path: &Path) -> io::Result<Self> {
        let (journal, lines) = Journal::open(path, HEADER)?;
        let mut proved = HashMap::new();
        // The header is the first line.
        for (number, text) in (2..).zip(&lines) {
            let (position, gain) = read_line(text).map_err(|error| {
                io::Error::new(ErrorKind::InvalidData, format!("line {number}: {error}"))
            })?;
            let known = proved.entry(position).or_insert(gain);
            *known = known.and(gain);
            if known.lower > known.upper {
                let fault = format!("line {number} contradicts an earlier one");
                return Err(io::Error::new(ErrorKind::InvalidData, fault));
            }
        }
        Ok(Self { journal, proved })
    }

    /// The positions, without stores, and the bounds proved of their gains.
    pub fn bounds(&self) -> impl Iterator<Item = (&Position, Interval<Gain>)> {
        self.proved.iter().map(|(position, &gain)| (position, gain))
    }

    /// Appends what is proved of the gain of `bare`, a position without stores, if
    /// that is more than the ledger has.
    ///
    /// # Errors
    /// That of the system. The bounds are tried again when they have narrowed.
    pub fn add(&mut self, bare: &Position, gain: Interval<Gain>) -> io::Result<()> {
        let known = self.proved.get(bare).copied();
        let known = known.unwrap_or(Interval::within(Gain(bare.in_play() as i32)));
        if gain.and(known) == known {
            return Ok(());
        }
        self.proved.insert(*bare, gain);
        let (lower, upper) = (gain.lower.0, gain.upper.0);
        let line = Line { position: bare.to_string(), capture: bare.capture(), lower, upper };
        self.journal.append(&serde_json::to_string(&line)?)
    }
}

fn read_line(text: &str) -> Result<(Position, Interval<Gain>), String> {
    let line: Line = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let position =
        Position::parse(&line.position, line.capture).map_err(|error| error.to_string())?;
    let seeds = position.in_play() as i32;
    let gain = Interval { lower: Gain(line.lower), upper: Gain(line.upper) };
    let possible = gain.and(Interval::within(Gain(seeds))) == gain && gain.lower <= gain.upper;
    let parity = [gain.lower, gain.upper].iter().all(|bound| (bound.0 - seeds) % 2 == 0);
    if !possible || !parity || position != without_stores(&position) {
        let expected = format!("a position without stores and bounds of the parity of {seeds}");
        return Err(format!("expected {expected} within it, got {text}"));
    }
    Ok((position, gain))
}

#[cfg(test)]
mod tests {
    use super::super::{Progress, Settings, SolveError, Solver};
    use super::*;
    use crate::game::Rules;
    use std::fs;
    use std::path::PathBuf;

    fn start(pits: u32, seeds: u32) -> Position {
        Position::start(Rules::new(pits, seeds, Capture::Standard).unwrap())
    }

    fn solver(ledger: &Ledger, start: &Position) -> Solver {
        let mut solver = Solver::new(start, Settings::default()).unwrap();
        ledger.bounds().for_each(|(bare, gain)| solver.learn(bare, gain));
        solver
    }

    /// A ledger that says `lower` and `upper` of a position.
    fn planted(position: &str, lower: i32, upper: i32) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("proofs");
        let (mut journal, _) = Journal::open(&path, HEADER).unwrap();
        let line = format!(
            r#"{{"position":"{position}","capture":"standard","lower":{lower},"upper":{upper}}}"#
        );
        journal.append(&line).unwrap();
        (folder, path)
    }

    #[test]
    fn a_stopped_solve_goes_on_from_what_it_proved() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("proofs");
        let start = start(4, 5);
        let mut ledger = Ledger::open(&path).unwrap();
        let mut until_a_bound = |progress: Progress| {
            ledger.add(&progress.bare, progress.gain).unwrap();
            progress.gain == Interval::within(Gain(40))
        };
        let mut first = Solver::new(&start, Settings::default()).unwrap();
        assert!(first.margin(&start, None, &mut until_a_bound).is_err());
        drop(ledger);

        let resumed = Ledger::open(&path).unwrap();
        let (_, kept) = resumed.bounds().next().expect("a proved bound");
        assert!(kept.lower > Gain(-40) || kept.upper < Gain(40), "{kept:?}");
        let mut first = None;
        let mut watch = |progress: Progress| {
            first.get_or_insert(progress.gain);
            true
        };
        let mut solver = solver(&resumed, &start);
        assert_eq!(solver.margin(&start, None, &mut watch).unwrap(), Gain(4));
        let first = first.expect("a bound left to prove");
        assert!(first.lower >= kept.lower && first.upper <= kept.upper);
    }

    #[test]
    fn impossible_bounds_are_refused_with_their_line() {
        for (lower, upper) in [(0, 4), (-4, 2), (1, 1), (2, 0), (-2, 1)] {
            let (_folder, path) = planted("<1,0,0,1,1> S", lower, upper);
            let error = Ledger::open(&path).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidData);
            assert!(error.to_string().starts_with("line 2: expected"), "{error}");
        }
        for position in ["<1,1,0,1,1> S", "<1,0,0,1,1> N"] {
            let (_folder, path) = planted(position, 0, 0);
            assert!(Ledger::open(&path).is_err(), "{position}");
        }
        let (_folder, path) = planted("<1,0,0,1,1> S", 0, 0);
        let (mut journal, lines) = Journal::open(&path, HEADER).unwrap();
        journal.append(&lines[0].replace('0', "2").replace("<1,2,2", "<1,0,0")).unwrap();
        drop(journal);
        let error = Ledger::open(&path).unwrap_err().to_string();
        assert_eq!(error, "line 3 contradicts an earlier one");
    }

    #[test]
    fn wrong_bounds_end_a_solve_with_an_error() {
        let start = start(3, 3);
        // The gain is 2 (tests/data/solved.tsv).
        for (lower, upper) in [(8, 8), (8, 18), (-18, 0), (0, 0), (-2, -2)] {
            let (_folder, path) = planted("<3,0,0,3,3,3,3,3,3> S", lower, upper);
            let ledger = Ledger::open(&path).unwrap();
            let solved = solver(&ledger, &start).solve(&start, &mut |_| true);
            let contradicts = matches!(solved, Err(SolveError::Contradiction { .. }));
            assert!(contradicts, "{lower} to {upper}: {solved:?}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_loses_no_line_that_was_written() {
        assert!(Ledger::open(Path::new("/dev/full")).is_err());
        let (_folder, path) = planted("<1,0,0,1,1> S", 0, 0);
        let before = fs::read(&path).unwrap();
        drop(Ledger::open(&path).unwrap());
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}
