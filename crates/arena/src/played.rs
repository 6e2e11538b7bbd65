//! The games of a match that have been played, from one file or several, and their page.

use std::fs;
use std::path::{Path, PathBuf};

use crate::file::{self, Contents, MatchRun};
use crate::schedule::{PlacedGames, Schedule};
use crate::standing::Standing;
use crate::{MatchError, html};
use kalah_record::Game;
use kalah_sys::files::{self, AccessError};

/// A match, or the games of any record.
pub struct PlayedMatch {
    /// The schedule of the match.
    pub schedule: Schedule,
    /// The finished games.
    pub games: PlacedGames,
    /// The runs of the match; `None` for games that are not from a match file.
    pub runs: Option<Vec<MatchRun>>,
}

impl PlayedMatch {
    /// The match in a file.
    ///
    /// # Errors
    /// If the file cannot be read or is not a match file.
    pub fn read(path: &Path) -> Result<Self, MatchError> {
        let Contents { config, runs, games } = file::read(path)?;
        let schedule = Schedule::new(config)?;
        let mut placed = PlacedGames::new();
        file::place(games, &schedule, path, &mut placed)?;
        Ok(Self { schedule, games: placed, runs: Some(runs) })
    }

    /// Merges the files of a match's parts, which may overlap.
    ///
    /// # Errors
    /// If a file cannot be read, or if two of them contradict each other.
    pub fn read_parts(first: &Path, others: &[PathBuf]) -> Result<Self, MatchError> {
        let mut all = Self::read(first)?;
        for path in others {
            let Contents { config, runs, games } = file::read(path)?;
            if config != all.schedule.config {
                let first = first.display();
                let error = format!("{first} and {} belong to different matches", path.display());
                return Err(MatchError::Failed(error));
            }
            file::place(games, &all.schedule, path, &mut all.games)?;
            let known = all.runs.get_or_insert_default();
            let new: Vec<_> = runs.into_iter().filter(|run| !known.contains(run)).collect();
            known.extend(new);
        }
        Ok(all)
    }

    /// The games of a record, which need not belong to a match.
    pub fn from_games(games: Vec<Game>) -> Self {
        let (schedule, games) = Schedule::from_games(games);
        Self { schedule, games, runs: None }
    }

    /// Writes a page with tables, charts and the games into a folder, and returns its file.
    pub fn write_html(&self, folder: &Path) -> Result<PathBuf, AccessError> {
        let Self { schedule, games, runs } = self;
        let standing = Standing::from_games(schedule, games);
        let findings = html::findings(schedule, &standing, games, runs.as_deref());
        let file = folder.join("index.html");
        fs::create_dir_all(folder).map_err(AccessError::writing(folder))?;
        files::replace(&file, [findings.to_html()])?;
        Ok(file)
    }
}
