//! The layers that a folder holds, and why some of them are not used.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use thiserror::Error;

use super::extent::MAX_SEEDS;
use super::layer_file::{LayerHeader, file_name, header, layer_in};
use kalah_game::Variant;

/// The layers of a board and a rule in a folder that can be used: those from 0 upwards, up to
/// the first one that is missing or damaged.
#[derive(Debug)]
pub struct FoundLayers {
    /// The files and headers of these layers, in the order of their seeds.
    pub usable: Vec<(PathBuf, LayerHeader)>,
    /// Why the larger layers in the folder are not used, if there are any.
    pub unused: Option<UnusedLayers>,
}

/// A layer's file that cannot be read, is damaged, or is of a different kind.
#[derive(Clone, Debug, Error)]
#[error("{}: {error}", path.display())]
pub struct LayerFault {
    /// The seeds of the layer.
    pub seeds: u32,
    pub(super) path: PathBuf,
    #[source]
    pub(super) error: Arc<io::Error>,
}

/// The layers of a folder that cannot be used, because a layer needs all those below it.
#[derive(Clone, Debug, Error)]
#[error("{message}")]
pub struct UnusedLayers {
    /// The seeds of the first layer that cannot be used.
    pub first: u32,
    message: String,
}

impl LayerFault {
    pub(super) fn new(path: PathBuf, seeds: u32, error: io::Error) -> Self {
        Self { seeds, path, error: Arc::new(error) }
    }

    /// Whether the file is damaged, of a different kind or of an earlier version, so that it may be
    /// replaced. A later version is none of these.
    pub(super) fn is_damage(&self) -> bool {
        matches!(self.error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof)
    }
}

impl UnusedLayers {
    /// The layers in `folder` from the one with a fault upwards.
    pub(super) fn from_fault(folder: &Path, variant: Variant, fault: LayerFault) -> Self {
        let first = fault.seeds;
        let largest = largest(folder, variant).unwrap_or(first);
        Self::new(folder, variant, first, Some(fault), largest)
    }

    /// Without a `fault`, the first layer is missing.
    fn new(
        folder: &Path,
        variant: Variant,
        first: u32,
        fault: Option<LayerFault>,
        largest: u32,
    ) -> Self {
        let message = match fault {
            Some(fault) if first == largest => format!("{fault}; layer {first} is not used"),
            Some(fault) => format!("{fault}; layers {first} to {largest} are not used"),
            None => {
                let mut above = first + 1..largest;
                let next = above.find(|&seeds| folder.join(file_name(variant, seeds)).exists());
                let unused = match next {
                    Some(next) => format!("{next} to {largest} are"),
                    None => format!("{largest} is"),
                };
                format!("{}: layer {first} is missing, {unused} not used", folder.display())
            }
        };
        Self { first, message }
    }
}

impl FoundLayers {
    /// Reads the names, headers and lengths of the files, but not the positions.
    pub fn new(folder: &Path, variant: Variant) -> Self {
        let mut usable = Vec::new();
        let Some(largest) = largest(folder, variant) else { return Self { usable, unused: None } };
        for seeds in 0..=largest {
            let (path, layer) = layer_in(folder, variant, seeds);
            let fault = match header(&path, layer) {
                Ok(header) => {
                    usable.push((path, header));
                    continue;
                }
                // A missing file is not a fault in itself, but the layers above it are of no use.
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                Err(error) => Some(LayerFault::new(path, seeds, error)),
            };
            let unused = UnusedLayers::new(folder, variant, seeds, fault, largest);
            return Self { usable, unused: Some(unused) };
        }
        Self { usable, unused: None }
    }

    /// The seeds of the largest usable layer.
    pub fn seeds(&self) -> Option<u32> {
        (self.usable.len() as u32).checked_sub(1)
    }
}

/// The largest layer in `folder`, whether or not it can be used.
fn largest(folder: &Path, variant: Variant) -> Option<u32> {
    // The folder is listed once, because asking for each layer that could exist takes longer.
    let entries = fs::read_dir(folder).ok()?;
    let names: HashSet<OsString> = entries.flatten().map(|entry| entry.file_name()).collect();
    let is_there =
        |&seeds: &u32| names.contains(OsString::from(file_name(variant, seeds)).as_os_str());
    (0..=MAX_SEEDS).rev().find(is_there)
}
