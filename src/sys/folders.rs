//! The folders of the user's own files, as the environment names them.

use std::env;
use std::path::PathBuf;

/// What the program keeps from one run to the next; none if the environment names no folder.
pub fn state() -> Option<PathBuf> {
    own("XDG_STATE_HOME", ".local/state", "kalah")
}

/// What the program can make again; none if the environment names no folder.
pub fn cache() -> Option<PathBuf> {
    let in_home = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
    own("XDG_CACHE_HOME", in_home, "kalah/cache")
}

/// The program's folder in the one that `variable` names, or else in `in_home` of the home
/// folder, or on Windows `local` in the data of local programs.
fn own(variable: &str, in_home: &str, local: &str) -> Option<PathBuf> {
    let base = named_by(variable).or_else(|| Some(named_by("HOME")?.join(in_home)));
    base.map(|base| base.join("kalah")).or_else(|| Some(named_by("LOCALAPPDATA")?.join(local)))
}

fn named_by(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}
