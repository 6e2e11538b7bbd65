//! Tables on disk: a folder with a file for each layer. The default folder is in the user's
//! cache.
//!
//! `layer_file` defines the format of a layer. Layers of several boards and rules may share a
//! folder. If all layers are plain, they are mapped, and processes share their memory. A file is
//! accepted if it holds the expected board, rule and layer, has the expected length and matches its
//! checksums. Tables are opened up to the layer below the first one that fails these checks, and
//! report it; a solver builds such a layer in memory, and a build replaces it. Files are renamed
//! into place when complete, so that a build that was killed can continue with the first missing
//! layer.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use thiserror::Error;

use super::build::TableBuilder;
use super::extent::{BuildError, Extent, MAX_SEEDS};
use super::found::{FoundLayers, LayerFault, UnusedLayers};
use super::layer::OnPositions;
use super::layer_file::{self, EXTENSION, Encoding, file_name, layer_in, map_layer};
use super::layout::Layout;
use super::tables::{Origin, Tables, Wins};
use kalah_game::{Position, Variant};
use kalah_sys::clock::Instant;
use kalah_sys::files::FileError;
use kalah_sys::files::{self, AccessError};
use kalah_sys::folders;
use kalah_sys::lock::FileLock;
use kalah_sys::log;
use kalah_sys::machine::processors;
use kalah_sys::parallel::map;

/// Error when opening tables on disk, or when building them there.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages describe the fields")]
#[non_exhaustive]
pub enum TablesError {
    /// The folder or a file in it cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A layer cannot be read.
    #[error(transparent)]
    Layer(#[from] LayerFault),
    /// No layer of the folder can be used.
    #[error(transparent)]
    Unused(#[from] UnusedLayers),
    /// The tables cannot be held in memory.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The folder cannot be read: it may not exist.
    #[error(transparent)]
    Folder(#[from] AccessError),
    /// The folder has no tables for this board and rule.
    #[error("{}: no endgame tables for {variant}", folder.display())]
    Missing { folder: PathBuf, variant: Variant },
    /// The tables in the folder hold fewer seeds than the position has in play.
    #[error(
        "{}: expected a position with at most {max} seeds in play, got {in_play}",
        folder.display()
    )]
    TooSmall { folder: PathBuf, max: u32, in_play: u32 },
}

/// The largest number of seeds for which `folder` has all layers from 0 upwards; `None` if
/// layer 0 is missing. Checks names only.
pub fn layers(folder: &Path, variant: Variant) -> Option<u32> {
    let layers = 0..=MAX_SEEDS;
    layers.take_while(|&seeds| folder.join(file_name(variant, seeds)).exists()).last()
}

/// The default folder of tables, in the user's cache, whether or not it exists; `None` if the
/// environment names no cache folder.
pub fn cache() -> Option<PathBuf> {
    folders::cache().map(|folder| folder.join("tables"))
}

/// The extent of the usable layers in `folder`, but at least `least`, and why larger ones in the
/// folder are not used. Checks names, headers and lengths only.
pub fn extent_in(folder: Option<&Path>, least: Extent) -> (Extent, Option<UnusedLayers>) {
    let Some(found) = folder.map(|folder| FoundLayers::new(folder, least.variant())) else {
        return (least, None);
    };
    let extent = found.seeds().and_then(|seeds| Extent::new(least.variant(), seeds).ok());
    (extent.filter(|found| found.seeds() > least.seeds()).unwrap_or(least), found.unused)
}

fn missing(folder: &Path, variant: Variant) -> TablesError {
    match files::check_folder(folder) {
        Ok(()) => TablesError::Missing { folder: folder.into(), variant },
        Err(error) => error.into(),
    }
}

impl Tables {
    /// Reads and checks the layers of a board and a rule in `folder`, up to the first one that is
    /// missing or damaged; [`Origin::unused`] describes those that are not used for that reason.
    ///
    /// # Errors
    /// [`TablesError`] if there are none, or if they do not fit in memory.
    pub fn open(folder: &Path, variant: Variant) -> Result<Self, TablesError> {
        let found = FoundLayers::new(folder, variant);
        let mut seeds = found.seeds();
        let mut unused = found.unused;
        while let Some(max) = seeds {
            match Self::open_up_to(folder, Extent::new(variant, max)?) {
                Ok(mut tables) => {
                    tables.origin.unused = unused;
                    return Ok(tables);
                }
                // A wrong checksum is found only by reading all positions.
                Err(TablesError::Layer(fault)) => {
                    seeds = fault.seeds.checked_sub(1);
                    unused = Some(UnusedLayers::from_fault(folder, variant, fault));
                }
                Err(error) => return Err(error),
            }
        }
        match unused {
            Some(unused) => Err(TablesError::Unused(unused)),
            None => Err(missing(folder, variant)),
        }
    }

    /// Reads tables of `extent` from `folder`, which must have at least those layers.
    pub fn open_up_to(folder: &Path, extent: Extent) -> Result<Self, TablesError> {
        if let Some(mapped) = Self::mapped(folder, extent)? {
            return Ok(mapped);
        }
        let mut builder = TableBuilder::new(extent)?;
        while builder.next_layer().is_some() {
            builder.read_layer(folder, &|_| ())?;
        }
        Ok(builder.finish())
    }

    /// Reads the smallest tables in `folder` that hold `position`.
    ///
    /// # Errors
    /// [`TablesError`] if the folder has none, or if a layer is missing, damaged or does not fit
    /// in memory.
    pub fn open_for(folder: &Path, position: &Position) -> Result<Self, TablesError> {
        let variant = position.variant();
        let in_play = position.in_play();
        let found = FoundLayers::new(folder, variant);
        match (found.seeds(), found.unused) {
            (Some(max), _) if max >= in_play => {
                Self::open_up_to(folder, Extent::new(variant, in_play)?)
            }
            (_, Some(unused)) => Err(unused.into()),
            (Some(max), None) => Err(TablesError::TooSmall { folder: folder.into(), max, in_play }),
            (None, None) => Err(missing(folder, variant)),
        }
    }

    /// The smallest tables that hold `position`, as in [`Tables::read_or_build`]; layers of the
    /// folder that cannot be used are reported.
    ///
    /// # Errors
    /// [`BuildError`] if there is no memory for them.
    pub fn read_or_build_for(
        folder: Option<&Path>,
        position: &Position,
        threads: usize,
    ) -> Result<Self, BuildError> {
        let extent = Extent::new(position.variant(), position.in_play())?;
        let (_, unused) = extent_in(folder, extent);
        unused.iter().for_each(|unused| log::warn!("{unused}"));
        Self::read_or_build(folder, extent, threads, &|_| ())
    }

    /// Maps tables from `folder`; `None` if one of their layers is compressed.
    fn mapped(folder: &Path, extent: Extent) -> Result<Option<Self>, TablesError> {
        let started = Instant::now();
        let layout = Layout::new(extent.variant().pits(), extent.seeds());
        // The largest come first, so that no thread is left with a large one at the end.
        let largest_first = (0..=extent.seeds()).rev();
        let files: Vec<_> =
            largest_first.map(|seeds| layer_in(folder, extent.variant(), seeds)).collect();
        let mapped = map(&files, processors(), &|| (), |(path, layer)| {
            map_layer(path, *layer)
                .map_err(|error| LayerFault::new(path.clone(), layer.seeds, error))
        });
        let mut layers = Vec::with_capacity(mapped.len());
        for layer in mapped.into_iter().rev() {
            match layer? {
                Some(layer) => layers.push(layer),
                None => return Ok(None),
            }
        }
        let read = Some((folder.to_owned(), extent.seeds()));
        Ok(Some(Self {
            layout,
            variant: extent.variant(),
            wins: Wins::Files(layers.into()),
            origin: Origin { read, time: started.elapsed(), ..Origin::default() },
            checksum: OnceLock::new(),
        }))
    }

    /// Tables of `extent`: reads the usable layers in `folder`, and builds the others in memory.
    /// A damaged layer and those above it are built as well, but their files are not replaced. The
    /// caller reports files that [`FoundLayers`] leaves out; damage behind a correct header is
    /// reported here.
    ///
    /// # Errors
    /// [`BuildError`] if there is no memory for them.
    pub fn read_or_build(
        folder: Option<&Path>,
        extent: Extent,
        threads: usize,
        progress: OnPositions,
    ) -> Result<Self, BuildError> {
        let Some(folder) = folder else { return Self::build_extent(extent, threads, progress) };
        let variant = extent.variant();
        let mut found = FoundLayers::new(folder, variant).seeds();
        if found >= Some(extent.seeds())
            && let Ok(tables) = Self::open_up_to(folder, extent)
        {
            return Ok(tables);
        }
        let mut builder = TableBuilder::new(extent)?;
        while let Some(seeds) = builder.next_layer() {
            if found >= Some(seeds) {
                let Err(fault) = builder.read_layer(folder, progress) else { continue };
                log::warn!("{}", UnusedLayers::from_fault(folder, variant, fault));
                found = None;
            }
            builder.fill_layer(threads, progress);
        }
        Ok(builder.finish())
    }

    /// Builds tables in `folder`, one file for each layer, and continues from the layers
    /// that it already holds; `progress` also counts those, as they are read. Damaged layers are
    /// replaced; the first one and their number are reported.
    ///
    /// Builds in one folder wait for each other where the system has locks.
    ///
    /// # Errors
    /// [`TablesError`] if the folder cannot be written, if a layer in it cannot be read or has a
    /// later version, or if the tables do not fit in memory.
    pub fn build_in(
        folder: &Path,
        extent: Extent,
        encoding: Encoding,
        threads: usize,
        progress: OnPositions,
    ) -> Result<Self, TablesError> {
        let _lock = lock(folder).map_err(|error| FileError { path: folder.into(), error })?;
        let found = layers(folder, extent.variant());
        let mut replaced = 0;
        let mut builder = TableBuilder::new(extent)?;
        while let Some(seeds) = builder.next_layer() {
            if found >= Some(seeds) {
                match builder.read_layer(folder, progress) {
                    Ok(()) => continue,
                    Err(error) if error.is_damage() => {
                        // After an update of the program, all layers may have an earlier version.
                        if replaced == 0 {
                            log::warn!("{error}; rebuilding this layer");
                        } else {
                            log::debug!("{error}; rebuilding this layer, too");
                        }
                        replaced += 1;
                    }
                    Err(error) => return Err(error.into()),
                }
            }
            let (path, layer) = layer_in(folder, extent.variant(), seeds);
            // Written before the next layer is begun, so that a kill loses at most one layer.
            let bytes = builder.fill_layer(threads, progress);
            layer_file::write(&path, layer, encoding, bytes, threads)
                .map_err(|error| FileError { path, error })?;
        }
        if replaced > 1 {
            log::warn!("{}: rebuilt {replaced} damaged or outdated layers", folder.display());
        }
        Ok(builder.finish())
    }
}

/// Creates and locks the folder, and removes the temporary files that killed builds left.
fn lock(folder: &Path) -> io::Result<Option<FileLock>> {
    fs::create_dir_all(folder)?;
    // Not every system has locks. Without one, two processes build the same layers, each of which
    // replaces a file as a whole.
    let locked = FileLock::new(folder).and_then(|lock| lock.lock().map(|()| lock));
    if let Err(error) = &locked {
        log::debug!("cannot lock {}: {error}", folder.display());
    }
    files::remove_abandoned(folder, EXTENSION);
    Ok(locked.ok())
}
