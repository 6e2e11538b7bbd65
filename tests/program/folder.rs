//! A temporary folder in which a test runs commands of the program and looks at their files.

use std::path::PathBuf;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A folder that is removed at the end of the test.
pub(crate) struct Folder(TempDir);

/// How a program ended and what it printed.
#[derive(Debug)]
pub(crate) struct Ran {
    /// `None` if a signal ended the program.
    pub(crate) code: Option<i32>,
    /// Standard output.
    pub(crate) shown: String,
    /// Standard error.
    pub(crate) errors: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let [shown, errors] = [output.stdout, output.stderr]
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Self { code: output.status.code(), shown, errors }
    }
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder is made"))
    }

    /// A folder in memory, where available, for commands that sync files often.
    pub(crate) fn in_memory() -> Self {
        Self(crate::common::folder())
    }

    /// The path of a file in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), contents).expect("the file is written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("the file is read")
    }

    /// The program, which will run in the folder.
    pub(crate) fn command(&self) -> Command {
        let mut command = crate::kalah();
        command.current_dir(self.0.path());
        command
    }

    /// A shell that will run a script in the folder, in which `"$0"` is the program.
    #[cfg(unix)]
    pub(crate) fn shell(&self, script: &str) -> Command {
        let mut command = Command::new("sh");
        command.current_dir(self.0.path()).args(["-c", script, env!("CARGO_BIN_EXE_kalah")]);
        command
    }

    /// Runs a command whose words are separated by spaces.
    pub(crate) fn run(&self, line: &str) -> Ran {
        self.run_words(&line.split_whitespace().collect::<Vec<_>>())
    }

    /// Runs a command some of whose words contain spaces.
    pub(crate) fn run_words(&self, words: &[&str]) -> Ran {
        self.command().args(words).output().expect("kalah starts").into()
    }

    /// The output of a command, which must succeed.
    pub(crate) fn shown(&self, line: &str) -> String {
        let ran = self.run(line);
        assert_eq!(ran.code, Some(0), "{line}: {}", ran.errors);
        ran.shown
    }
}
