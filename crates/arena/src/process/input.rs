//! The input of a program, to which writing never blocks: a program that reads nothing must not
//! hold up its match for ever.

#[cfg(not(unix))]
pub(super) use threaded::{NonBlockingInput, non_blocking};
#[cfg(unix)]
pub(super) use unix::{NonBlockingInput, non_blocking};

#[cfg(unix)]
mod unix {
    use std::io;
    use std::process::ChildStdin;

    /// Fails with [`io::ErrorKind::WouldBlock`] instead of waiting until the program reads.
    pub(in crate::process) type NonBlockingInput = ChildStdin;

    pub(in crate::process) fn non_blocking(stdin: ChildStdin) -> io::Result<NonBlockingInput> {
        rustix::io::ioctl_fionbio(&stdin, true)?;
        Ok(stdin)
    }
}

/// Pipes on Windows always block, so a thread writes to them.
#[cfg(not(unix))]
mod threaded {
    use std::io::{self, Write};
    use std::process::ChildStdin;
    use std::sync::mpsc::{self, SyncSender, TrySendError};
    use std::thread::Builder;

    /// Writes that may wait for the thread.
    const MAX_WAITING: usize = 64;

    /// Fails with [`io::ErrorKind::WouldBlock`] instead of waiting until the program reads.
    #[derive(Debug)]
    pub(in crate::process) struct NonBlockingInput(SyncSender<Vec<u8>>);

    pub(in crate::process) fn non_blocking(mut stdin: ChildStdin) -> io::Result<NonBlockingInput> {
        let (sender, waiting) = mpsc::sync_channel::<Vec<u8>>(MAX_WAITING);
        // The thread ends with the connection or with the program, whose pipe then closes.
        Builder::new().name("engine-input".to_owned()).spawn(move || {
            for bytes in waiting {
                if stdin.write_all(&bytes).is_err() {
                    break;
                }
            }
        })?;
        Ok(NonBlockingInput(sender))
    }

    impl Write for NonBlockingInput {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self.0.try_send(bytes.to_owned()) {
                Ok(()) => Ok(bytes.len()),
                Err(TrySendError::Full(_)) => Err(io::ErrorKind::WouldBlock.into()),
                Err(TrySendError::Disconnected(_)) => Err(io::ErrorKind::BrokenPipe.into()),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
}
