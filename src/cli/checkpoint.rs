//! What a long solve has proved, saved so that it can be resumed.
//!
//! A file has a header line and then one JSON object a line: a position without
//! stores, and the bounds proved of its gain. It is written to a temporary name
//! and renamed, so that it is whole at any time.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Failure;
use crate::game::{Capture, Position};
use crate::score::{Gain, Interval};
use crate::solve::{Progress, Solver};

const HEADER: &str = "kalah checkpoint 1";

#[derive(Serialize, Deserialize)]
struct Line {
    position: String,
    capture: Capture,
    lower: i32,
    upper: i32,
}

/// The bounds proved so far and their file.
pub(super) struct Checkpoint {
    file: PathBuf,
    proved: BTreeMap<(String, Capture), Interval<Gain>>,
}

impl Checkpoint {
    /// Reads `file`; one that does not exist is an empty checkpoint.
    ///
    /// # Errors
    /// If it cannot be read or is not a checkpoint.
    pub(super) fn open(file: &Path) -> Result<Self, Failure> {
        let mut checkpoint = Self { file: file.to_owned(), proved: BTreeMap::new() };
        let text = match fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(checkpoint),
            Err(error) => return Err(checkpoint.failure(&error)),
        };
        let mut lines = text.lines();
        if lines.next() != Some(HEADER) {
            return Err(checkpoint.failure(&format!("expected a first line '{HEADER}'")));
        }
        for (index, text) in lines.enumerate() {
            let (position, gain) = read_line(text)
                .map_err(|error| checkpoint.failure(&format!("line {}: {error}", index + 2)))?;
            checkpoint.proved.insert((position.to_string(), position.capture()), gain);
        }
        Ok(checkpoint)
    }

    /// Gives `solver` the bounds proved before.
    pub(super) fn restore(&self, solver: &mut Solver) {
        for ((text, capture), &gain) in &self.proved {
            if let Ok(position) = Position::parse(text, *capture) {
                solver.learn(&position, gain);
            }
        }
    }

    /// Saves what has been proved since the last time.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn save(&mut self, progress: &Progress) -> Result<(), Failure> {
        let key = (progress.bare.to_string(), progress.bare.capture());
        if self.proved.insert(key, progress.gain) == Some(progress.gain) {
            return Ok(());
        }
        self.write().map_err(|error| self.failure(&error))
    }

    fn write(&self) -> io::Result<()> {
        let mut text = format!("{HEADER}\n");
        for ((position, capture), gain) in &self.proved {
            let (lower, upper) = (gain.lower.0, gain.upper.0);
            let line = Line { position: position.clone(), capture: *capture, lower, upper };
            text += &serde_json::to_string(&line)?;
            text.push('\n');
        }
        let temporary = self.file.with_extension("tmp");
        fs::write(&temporary, text)?;
        fs::rename(temporary, &self.file)
    }

    fn failure(&self, error: &impl ToString) -> Failure {
        Failure::work(format!("checkpoint {}: {}", self.file.display(), error.to_string()))
    }
}

fn read_line(text: &str) -> Result<(Position, Interval<Gain>), String> {
    let line: Line = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let position =
        Position::parse(&line.position, line.capture).map_err(|error| error.to_string())?;
    let seeds = position.in_play() as i32;
    if !(-seeds..=seeds).contains(&line.lower) || !(line.lower..=seeds).contains(&line.upper) {
        return Err(format!("expected bounds within {seeds}, got {text}"));
    }
    Ok((position, Interval { lower: Gain(line.lower), upper: Gain(line.upper) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::solve::Settings;

    #[test]
    fn a_stopped_solve_goes_on_from_what_it_proved() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("solve.checkpoint");
        let start = Position::start(Rules::new(4, 5, Capture::Standard).unwrap());
        let mut checkpoint = Checkpoint::open(&file).unwrap();
        let mut until_a_bound = |progress: Progress| {
            checkpoint.save(&progress).unwrap();
            progress.gain == Interval::within(Gain(40))
        };
        let mut solver = Solver::new(&start, Settings::default()).unwrap();
        assert!(solver.margin(&start, None, &mut until_a_bound).is_err());

        let resumed = Checkpoint::open(&file).unwrap();
        let kept = *resumed.proved.values().next().expect("a proved bound");
        assert!(kept.lower > Gain(-40) || kept.upper < Gain(40), "{kept:?}");
        let mut solver = Solver::new(&start, Settings::default()).unwrap();
        resumed.restore(&mut solver);
        let mut first = None;
        let mut watch = |progress: Progress| {
            first.get_or_insert(progress.gain);
            true
        };
        assert_eq!(solver.margin(&start, None, &mut watch).unwrap(), Gain(4));
        let first = first.expect("a bound left to prove");
        assert!(first.lower >= kept.lower && first.upper <= kept.upper);
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("notes.txt");
        for text in [
            "",
            "something else\n",
            "kalah checkpoint 1\n{}\n",
            "kalah checkpoint 1\n{\"position\":\"<1,0,0,1,1> S\",\"capture\":\"standard\",\
             \"lower\":0,\"upper\":9}\n",
        ] {
            fs::write(&file, text).unwrap();
            assert!(matches!(Checkpoint::open(&file), Err(Failure::Work(_))), "{text:?}");
        }
    }
}
