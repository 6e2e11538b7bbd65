//! A temporary folder in which a test runs commands of the program and looks at their files.

use std::io::Write;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::process::{Command, Output, Stdio};

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
            .map(|bytes| String::from_utf8(bytes).expect("output in UTF-8"));
        Self { code: output.status.code(), shown, errors }
    }
}

impl Ran {
    /// Runs a command with this input.
    pub(crate) fn with_input(mut command: Command, input: &str) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        // A program may end before it has read everything.
        let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
        child.wait_with_output().expect("the program ends").into()
    }

    /// The same with Unix paths on every system.
    pub(crate) fn with_unix_paths(mut self) -> Self {
        for text in [&mut self.shown, &mut self.errors] {
            *text = text.replace(MAIN_SEPARATOR, "/");
        }
        self
    }
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder is made"))
    }

    /// A folder in memory, where available, for commands that sync files often.
    pub(crate) fn in_memory() -> Self {
        Self(kalah_testing::folder())
    }

    /// The path of the folder.
    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file in the folder.
    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.root().join(name)
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
        command.current_dir(self.root());
        command
    }

    /// A command, which will run in the folder. Its words may be quoted as in a shell.
    pub(crate) fn command_line(&self, line: &str) -> Command {
        let mut command = self.command();
        command.args(shlex::split(line).expect("quotes are closed"));
        command
    }

    /// A shell that will run a script in the folder, in which `"$0"` is the program.
    #[cfg(unix)]
    pub(crate) fn shell(&self, script: &str) -> Command {
        let mut command = Command::new("sh");
        command.current_dir(self.root()).args(["-c", script, env!("CARGO_BIN_EXE_kalah")]);
        command
    }

    /// Runs a command, whose words may be quoted as in a shell.
    pub(crate) fn run(&self, line: &str) -> Ran {
        self.command_line(line).output().expect("kalah starts").into()
    }

    /// Runs a command some of whose words contain quotes.
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
