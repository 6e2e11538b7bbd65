//! In place of mapped files, where the feature `files` is missing: none can be opened.

use std::convert::Infallible;
use std::fs::File;
use std::io;
use std::path::Path;

use super::Words;

/// Words of a file; there are none.
#[derive(Debug)]
pub struct MappedFile(Infallible);

impl MappedFile {
    pub(super) fn new(_: &Path, _: &str, _: usize) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn words(&self) -> &[Words] {
        match self.0 {}
    }
}

/// The bytes of a file; there are none.
#[derive(Debug)]
pub struct MappedLayer(Infallible);

impl MappedLayer {
    /// Always an error.
    pub fn new(_: File, _: u64) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// The mapped bytes.
    pub fn bytes(&self) -> &[u8] {
        match self.0 {}
    }

    /// Whether the file is unchanged since it was mapped.
    pub fn is_intact(&self) -> bool {
        match self.0 {}
    }
}
