//! The other parts of a match, read from their files while they are being played, so that each part
//! knows when the test of the whole match has been decided.
//!
//! Only files in the folder of a part's own file are read. Parts on other machines are unknown here;
//! `kalah match merge` combines them.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::config::MatchConfig;
use crate::file::is_match;
use crate::follower::MatchFollower;
use crate::standing::{GameResult, GameResults};

/// The results of all parts of a match whose files are in one folder.
pub(crate) struct AllParts<'a> {
    config: &'a MatchConfig,
    own: PathBuf,
    /// By path; none for files of other matches and for those that cannot be read.
    found: HashMap<PathBuf, Option<MatchFollower>>,
    results: GameResults,
}

impl<'a> AllParts<'a> {
    /// The parts in the folder of `own`, the file of the part that has these `results`.
    pub(crate) fn in_folder_of(own: &Path, config: &'a MatchConfig, results: GameResults) -> Self {
        Self { config, own: own.to_owned(), found: HashMap::new(), results }
    }

    /// Adds a game of this part.
    pub(crate) fn add(&mut self, index: usize, result: GameResult) {
        self.results.insert(index, result);
    }

    /// The results of all parts, with the games that the others have finished by now. A file that
    /// cannot be read adds nothing: then this part plays on.
    pub(crate) fn results(&mut self) -> &GameResults {
        let before = self.found.len();
        self.look_for_files();
        let has_new_files = self.found.len() > before;
        for follower in self.found.values_mut().flatten() {
            let has_grown = follower.update();
            if (has_grown || has_new_files) && follower.config() == self.config {
                for (index, result) in follower.results() {
                    self.results.entry(*index).or_insert_with(|| result.clone());
                }
            }
        }
        &self.results
    }

    fn look_for_files(&mut self) {
        let folder = match self.own.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let Ok(entries) = fs::read_dir(folder) else { return };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.file_name() == self.own.file_name() || self.found.contains_key(&path) {
                continue;
            }
            match is_match(&path) {
                Ok(true) => {
                    let follower = MatchFollower::open(&path).ok();
                    let is_other_part =
                        |follower: &MatchFollower| follower.config().players == self.config.players;
                    self.found.insert(path, follower.filter(is_other_part));
                }
                // A part that has not written its first line yet is looked at again.
                Ok(false) if fs::metadata(&path).is_ok_and(|file| file.len() == 0) => {}
                _ => {
                    self.found.insert(path, None);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use kalah_game::{Position, Rules, Side};
    use kalah_record::opening::random;
    use kalah_record::{Ending, Game, Reason};

    use super::*;
    use crate::config::PlayerConfig;
    use crate::file::MatchFile;
    use crate::schedule::Schedule;

    #[test]
    fn an_empty_part_is_read_again_once_it_grows() {
        let folder = kalah_testing::folder();
        let start = Position::start(Rules::default());
        let players = ["random", "greedy"].map(|words| PlayerConfig::parse(words, "").unwrap());
        let openings = random(start, 0, 1, 1);
        let config =
            MatchConfig { players: players.into(), openings, rounds: 1, ..MatchConfig::default() };
        let schedule = Schedule::new(config).unwrap();
        let mut game = Game::new(start, Default::default());
        game.id = Some(schedule.fixtures[0].id.clone());
        game.finish(Ending::lost_by(Side::South, Reason::Time, None)).unwrap();
        let own = folder.path().join("1.jsonl");
        let mut parts = AllParts::in_folder_of(&own, &schedule.config, GameResults::new());
        let other = folder.path().join("2.jsonl");
        fs::write(&other, "").unwrap();
        assert!(parts.results().is_empty());
        fs::remove_file(&other).unwrap();
        let mut file = MatchFile::create(&other, &schedule.config, None).unwrap();
        file.append_game(&game).unwrap();
        assert_eq!(parts.results().len(), 1);
    }
}
