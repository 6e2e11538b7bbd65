//! The endgame tables that a solver has used.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;

use kalah_engine::endgame::{Origin, Tables};
use kalah_text::format::counted;

/// The endgame tables of a solver and their origin, as text and as JSON.
#[derive(Serialize)]
pub struct TablesUsed {
    seeds: u32,
    /// The folder from which layers were read, and in `read` the seeds of the largest of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    read: Option<u32>,
    /// Whether other layers were built.
    #[serde(skip)]
    built: bool,
    /// The time taken to read and build them.
    seconds: f64,
}

impl TablesUsed {
    /// The tables of a solver.
    pub fn new(tables: &Tables) -> Self {
        let Origin { read, built, time, .. } = tables.origin().clone();
        let (folder, read) = read.unzip();
        let built = !built.is_empty();
        Self { seeds: tables.seeds(), folder, read, built, seconds: time.as_secs_f64() }
    }
}

impl fmt::Display for TablesUsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seeds, seconds, .. } = self;
        write!(f, "{}, ", counted((*seeds).into(), "seed"))?;
        match (&self.folder, self.read) {
            (Some(folder), Some(read)) if self.built => {
                write!(f, "up to {read} read from {}, others built", folder.display())?;
            }
            (Some(folder), _) => write!(f, "read from {}", folder.display())?,
            (None, _) => write!(f, "built")?,
        }
        write!(f, " in {seconds:.3} s")
    }
}
