//! Locks that keep other processes of this program away from a file or a folder.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

/// An exclusive lock on a file or a folder. Dropping it releases the lock.
#[derive(Debug)]
pub struct FileLock(File);

impl FileLock {
    /// The lock of the existing file or folder at `path`, which is not locked yet.
    ///
    /// # Errors
    /// If it cannot be opened or, on Windows, if the file `path.lock` cannot be created.
    pub fn new(path: &Path) -> io::Result<Self> {
        if cfg!(unix) {
            return Ok(Self(File::open(path)?));
        }
        // Locks on Windows are mandatory: a lock on the file itself would keep others from reading
        // it. A folder cannot be locked at all. A separator at the end makes no difference.
        let mut name = path.components().as_path().as_os_str().to_owned();
        name.push(".lock");
        Ok(Self(File::options().write(true).create(true).truncate(false).open(name)?))
    }

    /// Takes a lock that processes hold for as long as they run. Waits for up to a second while
    /// another process holds it, because a process that was killed may hold it a moment longer.
    /// Where the system has no locks, as on some network file systems, this only warns: it guards
    /// against a second start by mistake.
    ///
    /// # Errors
    /// [`ErrorKind::WouldBlock`] if another process still holds it.
    pub fn try_lock(&self) -> io::Result<()> {
        self.try_lock_for(Duration::from_secs(1))
    }

    /// Like [`FileLock::try_lock`], but waits for up to `limit`.
    pub(crate) fn try_lock_for(&self, limit: Duration) -> io::Result<()> {
        const PAUSE: Duration = Duration::from_millis(20);
        let mut waited = Duration::ZERO;
        while waited < limit {
            match self.0.try_lock() {
                Err(TryLockError::WouldBlock) => {
                    sleep(PAUSE);
                    waited += PAUSE;
                }
                Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Interrupted => {}
                Err(TryLockError::Error(error)) => {
                    crate::log::warn!(
                        "cannot lock files here, so other processes can write to them: {error}"
                    );
                    return Ok(());
                }
                Ok(()) => return Ok(()),
            }
        }
        Err(io::Error::new(ErrorKind::WouldBlock, "in use by another process"))
    }

    /// Locks, waiting for as long as another process holds the lock.
    ///
    /// # Errors
    /// If the system has no locks: callers that wait share the file with others, which would then
    /// be unsafe.
    pub fn lock(&self) -> io::Result<()> {
        loop {
            match self.0.lock() {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                locked => return locked,
            }
        }
    }

    /// Releases the lock, which can then be locked again.
    pub fn unlock(&self) {
        // A failure is harmless: closing the file releases the lock in any case.
        let _ = self.0.unlock();
    }
}
