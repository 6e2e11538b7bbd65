//! The program's folders among the user's files, as the environment names them.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The folder for what the program keeps between runs; `None` if the environment names none.
pub fn state() -> Option<PathBuf> {
    Environment(env::var_os).own("XDG_STATE_HOME", ".local/state", "")
}

/// The folder for what the program can recreate; `None` if the environment names none.
pub fn cache() -> Option<PathBuf> {
    let in_home = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
    Environment(env::var_os).own("XDG_CACHE_HOME", in_home, "cache")
}

/// A file name with a leading `~/` expanded, as a shell would do.
pub fn expand_home(name: &str) -> String {
    Environment(env::var_os).expand_home(name)
}

/// Environment variables by name.
struct Environment<F>(F);

impl<F: Fn(&'static str) -> Option<OsString>> Environment<F> {
    fn expand_home(&self, name: &str) -> String {
        match (name.strip_prefix("~/"), self.folder("HOME").as_deref().and_then(Path::to_str)) {
            // `~user` is left alone: only a shell knows where it leads.
            (Some(rest), Some(home)) => format!("{home}/{rest}"),
            _ => name.to_owned(),
        }
    }

    /// The program's folder in the folder that `variable` names, or else in `in_home` of the
    /// home folder, or else (on Windows) in `%LOCALAPPDATA%`, where it has the part `local`.
    fn own(&self, variable: &'static str, in_home: &str, local: &str) -> Option<PathBuf> {
        let folder = if let Some(base) = self.folder(variable) {
            base.join("kalah")
        } else if let Some(home) = self.folder("HOME") {
            home.join(in_home).join("kalah")
        } else {
            self.folder("LOCALAPPDATA")?.join("kalah").join(local)
        };
        // Collected from its parts, so that Windows shows one kind of separator.
        Some(folder.components().collect())
    }

    /// The folder in a variable. A relative path is ignored, as the XDG Base Directory
    /// Specification requires: the program's files would depend on the folder that it is started
    /// in.
    fn folder(&self, variable: &'static str) -> Option<PathBuf> {
        self.0(variable).map(PathBuf::from).filter(|folder| folder.is_absolute())
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    /// The folder, and the name `~/a` expanded, where these variables are set.
    fn in_environment(set: &[(&str, &str)]) -> (Option<PathBuf>, String) {
        let environment = Environment(|name| {
            let (_, value) = set.iter().find(|(other, _)| *other == name)?;
            Some(OsString::from(value))
        });
        (environment.own("XDG_CACHE_HOME", ".cache", "cache"), environment.expand_home("~/a"))
    }

    #[test]
    fn the_first_variable_with_an_absolute_path_names_the_folder() {
        for (set, folder, expanded) in [
            (&[][..], None, "~/a"),
            (&[("LOCALAPPDATA", "/local")], Some("/local/kalah/cache"), "~/a"),
            (&[("HOME", "/h"), ("LOCALAPPDATA", "/local")], Some("/h/.cache/kalah"), "/h/a"),
            (&[("XDG_CACHE_HOME", "/x"), ("HOME", "/h")], Some("/x/kalah"), "/h/a"),
            (&[("XDG_CACHE_HOME", "x"), ("HOME", "/h")], Some("/h/.cache/kalah"), "/h/a"),
            (&[("XDG_CACHE_HOME", ""), ("HOME", "h")], None, "~/a"),
        ] {
            let expected = (folder.map(PathBuf::from), expanded.to_owned());
            assert_eq!(in_environment(set), expected, "{set:?}");
        }
        let home = Environment(|_| Some(OsString::from("/h")));
        for name in ["a", "/~/a", "~user/a", "~"] {
            assert_eq!(home.expand_home(name), name);
        }
    }

    #[test]
    fn the_folders_are_those_of_the_environment() {
        let environment = Environment(env::var_os);
        assert_eq!(state(), environment.own("XDG_STATE_HOME", ".local/state", ""));
        assert_eq!(expand_home("~/a"), environment.expand_home("~/a"));
        let in_home = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
        assert_eq!(cache(), environment.own("XDG_CACHE_HOME", in_home, "cache"));
    }
}
