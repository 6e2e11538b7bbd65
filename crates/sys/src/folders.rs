//! The program's folders among the user's files, as the environment names them.

use std::env;
use std::path::{Path, PathBuf};

/// The folder for what the program keeps between runs; `None` if the environment names none.
pub fn state() -> Option<PathBuf> {
    own("XDG_STATE_HOME", ".local/state", "")
}

/// The folder for what the program can recreate; `None` if the environment names none.
pub fn cache() -> Option<PathBuf> {
    let in_home = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
    own("XDG_CACHE_HOME", in_home, "cache")
}

/// A file name with a leading `~/` expanded, as a shell would do.
pub fn expand_home(name: &str) -> String {
    match (name.strip_prefix("~/"), named_by("HOME").as_deref().and_then(Path::to_str)) {
        // `~user` is left alone: only a shell knows where it leads.
        (Some(rest), Some(home)) => format!("{home}/{rest}"),
        _ => name.to_owned(),
    }
}

/// The program's folder in the folder that `variable` names, or else in `in_home` of the
/// home folder, or else (on Windows) in `%LOCALAPPDATA%`, where it has the part `local`.
fn own(variable: &str, in_home: &str, local: &str) -> Option<PathBuf> {
    let folder = if let Some(base) = named_by(variable) {
        base.join("kalah")
    } else if let Some(home) = named_by("HOME") {
        home.join(in_home).join("kalah")
    } else {
        named_by("LOCALAPPDATA")?.join("kalah").join(local)
    };
    // Collected from its parts, so that Windows shows one kind of separator.
    Some(folder.components().collect())
}

/// The folder in an environment variable. A relative path is ignored, as the XDG Base Directory
/// Specification requires: the program's files would depend on the folder that it is started in.
fn named_by(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).filter(|folder| folder.is_absolute())
}
