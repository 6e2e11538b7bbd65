//! In place of mapped files, where the feature `files` is missing: none can be opened.

use std::convert::Infallible;
use std::fs::File;
use std::io;
use std::path::Path;

use super::Words;

#[derive(Debug)]
pub(crate) struct MappedFile(Infallible);

impl MappedFile {
    pub(super) fn new(_: &Path, _: &str, _: usize) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn words(&self) -> &[Words] {
        match self.0 {}
    }
}

#[derive(Debug)]
pub(crate) struct MappedLayer(Infallible);

impl MappedLayer {
    pub(crate) fn new(_: File, _: u64) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self.0 {}
    }

    pub(crate) fn is_intact(&self) -> bool {
        match self.0 {}
    }
}
