//! A terminal that gives its keys one by one and leaves showing them to the program; all
//! else it does as before. On Windows lines are read whole: the console edits them.

use std::io;

#[cfg(unix)]
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
};

/// Standard input without lines; dropping it restores the terminal.
pub(super) struct Unbuffered {
    #[cfg(unix)]
    before: Termios,
}

#[cfg(unix)]
impl Unbuffered {
    /// None if standard input is no terminal that can be set so.
    pub(super) fn new() -> Option<Self> {
        let before = tcgetattr(io::stdin()).ok()?;
        let unbuffered = Self { before };
        unbuffered.set().is_ok().then_some(unbuffered)
    }

    fn set(&self) -> io::Result<()> {
        let mut modes = self.before.clone();
        // Ctrl-C and Ctrl-Z come as keys, so that the terminal can be restored first.
        modes.local_modes -=
            LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG | LocalModes::IEXTEN;
        modes.special_codes[SpecialCodeIndex::VMIN] = 1;
        modes.special_codes[SpecialCodeIndex::VTIME] = 0;
        Ok(tcsetattr(io::stdin(), OptionalActions::Now, &modes)?)
    }

    /// Gives the terminal to the shell until the process is continued.
    pub(super) fn suspend(&self) -> io::Result<()> {
        use rustix::process::{Signal, kill_current_process_group};
        self.restore();
        kill_current_process_group(Signal::TSTP)?;
        self.set()
    }

    fn restore(&self) {
        // An error means that the terminal is gone.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
    }
}

#[cfg(not(unix))]
impl Unbuffered {
    pub(super) fn new() -> Option<Self> {
        None
    }

    pub(super) fn suspend(&self) -> io::Result<()> {
        Ok(())
    }

    fn restore(&self) {}
}

impl Drop for Unbuffered {
    fn drop(&mut self) {
        self.restore();
    }
}
