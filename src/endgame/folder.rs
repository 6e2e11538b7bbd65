//! A folder with the layers of tables, a file each.
//!
//! Layers of several boards and rules may share a folder. A file is only ever
//! added whole, so a build that was killed goes on where it was.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::extent::{Extent, ExtentError, MOST_SEEDS};
use super::file::{self, Encoding, FileError, Header, Layer};
use super::layout::Layout;
use super::tables::{BuildError, Progress, Site, Tables};
use crate::game::Variant;
use crate::sys::machine::processors;

/// Why a folder gives no tables.
#[derive(Debug, Error)]
pub enum FolderError {
    /// A file is damaged, foreign or cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The tables cannot be held in memory.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// There is nothing for this board and rule.
    #[error("{}: no endgame tables for {variant}", folder.display())]
    Missing {
        /// The folder.
        folder: PathBuf,
        /// The board and rule.
        variant: Variant,
    },
    /// The folder cannot be made.
    #[error("{}: {error}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
}

impl From<ExtentError> for FolderError {
    fn from(error: ExtentError) -> Self {
        Self::Build(error.into())
    }
}

/// The name of the file of a layer.
pub fn file_name(variant: Variant, seeds: u32) -> String {
    let (pits, capture) = (variant.pits(), variant.capture());
    format!("kalah-{pits}-{capture}-{seeds:03}.layer")
}

/// The most seeds for which `folder` has all layers from 0 on; `None` if it has
/// not even that of 0. Looks at names only.
pub fn layers(folder: &Path, variant: Variant) -> Option<u32> {
    let exists = |&seeds: &u32| folder.join(file_name(variant, seeds)).exists();
    (0..=MOST_SEEDS).take_while(exists).last()
}

/// The headers of all layers that `folder` has from 0 on.
///
/// # Errors
/// [`FolderError`] if there are none, or one is damaged in a way that shows
/// without reading all of it.
pub fn headers(folder: &Path, variant: Variant) -> Result<Vec<(PathBuf, Header)>, FolderError> {
    let most = layers(folder, variant).ok_or_else(|| missing(folder, variant))?;
    let header = |seeds| {
        let path = folder.join(file_name(variant, seeds));
        Ok(file::read_header(&path).map(|header| (path, header))?)
    };
    (0..=most).map(header).collect()
}

fn missing(folder: &Path, variant: Variant) -> FolderError {
    FolderError::Missing { folder: folder.into(), variant }
}

impl Tables {
    /// Reads the tables of a board and a rule, all layers that `folder` has,
    /// and checks every byte of them.
    ///
    /// # Errors
    /// [`FolderError`] if there are none, if one is not whole and unaltered, or
    /// if they do not fit the memory.
    pub fn open(folder: &Path, variant: Variant) -> Result<Self, FolderError> {
        let seeds = layers(folder, variant).ok_or_else(|| missing(folder, variant))?;
        Self::open_up_to(folder, Extent::new(variant, seeds)?)
    }

    /// Reads the tables of some extent from `folder`, which has at least those.
    ///
    /// # Errors
    /// As [`Tables::open`].
    pub fn open_up_to(folder: &Path, extent: Extent) -> Result<Self, FolderError> {
        let mut site = Site::new(extent)?;
        while !site.is_finished() {
            take(&mut site, folder, extent, processors())?;
        }
        Ok(site.finish().map_err(BuildError::from)?)
    }

    /// Builds tables in `folder`, a file a layer, going on with the layers that
    /// it has. `progress` is told of those, too, as they are read.
    ///
    /// One build of the same tables may run in a folder at a time.
    ///
    /// # Errors
    /// [`FolderError`] if the folder cannot be written, if a layer in it is not
    /// whole and unaltered, or if the tables do not fit the memory.
    pub fn build_in(
        folder: &Path,
        extent: Extent,
        encoding: Encoding,
        threads: usize,
        progress: Progress,
    ) -> Result<Self, FolderError> {
        std::fs::create_dir_all(folder)
            .map_err(|error| FolderError::Folder { folder: folder.into(), error })?;
        let had = layers(folder, extent.variant());
        let mut site = Site::new(extent)?;
        while !site.is_finished() {
            if had >= Some(site.next_layer()) {
                progress(take(&mut site, folder, extent, processors())?.layer.positions);
                continue;
            }
            let seeds = site.next_layer();
            site.fill_layer(threads, progress);
            let (path, layer) = place(folder, extent, site.layout(), seeds);
            file::write(&path, layer, encoding, site.layer(seeds), threads)?;
        }
        Ok(site.finish().map_err(BuildError::from)?)
    }
}

/// Reads the next layer of `site`.
fn take(
    site: &mut Site,
    folder: &Path,
    extent: Extent,
    threads: usize,
) -> Result<Header, FileError> {
    let (path, layer) = place(folder, extent, site.layout(), site.next_layer());
    site.take_layer(|positions| file::read(&path, layer, positions, threads))
}

/// Where a layer's file is and what must be in it.
fn place(folder: &Path, extent: Extent, layout: &Layout, seeds: u32) -> (PathBuf, Layer) {
    let variant = extent.variant();
    let positions = layout.layer(seeds).len() as u64;
    (folder.join(file_name(variant, seeds)), Layer { variant, seeds, positions })
}
