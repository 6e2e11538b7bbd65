//! Tables on disk: a folder with a file for each layer. The default folder is in the user's
//! cache.
//!
//! `FORMAT.md` next to this module describes the format. Layers of several boards and rules may
//! share a folder. If all layers are plain, they are mapped, and processes share their memory.
//! A file is accepted if it holds the expected board, rule and layer, has the expected length
//! and matches its checksums. Tables are opened up to the layer below the first one for which that
//! is not so, and say so; a solver builds such a layer in memory, and a build replaces it. Files
//! are renamed into place when complete, so that a build can continue after a kill with the first
//! missing layer.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use super::build::TableBuilder;
use super::extent::{BuildError, Extent, MAX_SEEDS};
use super::found::{FoundLayers, LayerFault, UnusedLayers};
use super::layer::OnPositions;
use super::layout::Layout;
use super::tables::{Origin, Tables, Wins};
use crate::memory::MappedLayer;
use kalah_game::{Capture, Position, Variant};
use kalah_sys::lock::FileLock;
use kalah_sys::machine::processors;
use kalah_sys::parallel::{for_each, map};
use kalah_sys::{files, folders};
use kalah_text::named_enum;

/// The first bytes of every file. The first byte is not ASCII, and the last two would not
/// survive a transfer as text.
const MAGIC: [u8; 8] = *b"\x8bKalah\r\n";
/// The only version that is read or written.
const VERSION: u16 = 1;
const HEADER: usize = 64;
/// Positions in a compressed block.
const BLOCK: usize = 1 << 20;
/// The compression level: higher levels save a tenth of the bytes and take ten times as long.
const LEVEL: i32 = 1;

named_enum! {
    /// The encoding of the positions of a layer.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Encoding: "encoding" {
        /// One byte per position.
        Plain = "plain",
        /// Compressed, about 0.3 bytes per position.
        #[default]
        Compact = "compact",
    }
}

/// The layer that a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The board and rule of all positions.
    pub variant: Variant,
    /// Seeds in play of each position.
    pub seeds: u32,
    /// The number of positions.
    pub positions: u64,
}

/// The header of a layer's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerHeader {
    /// The layer that the file holds.
    pub layer: Layer,
    /// The encoding of its positions.
    pub encoding: Encoding,
    /// The number of bytes after the header.
    pub stored: u64,
    /// XXH3 (64 bit) of the positions' bytes, uncompressed.
    pub checksum: u64,
}

/// Error when opening tables on disk, or when building them there.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum TablesError {
    /// The folder or a file in it cannot be written.
    #[error("{}: {error}", path.display())]
    File {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    /// A layer cannot be read.
    #[error(transparent)]
    Layer(#[from] LayerFault),
    /// No layer of the folder can be used.
    #[error(transparent)]
    Unused(#[from] UnusedLayers),
    /// The tables cannot be held in memory.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The folder has no tables for this board and rule.
    #[error("{}: no endgame tables for {variant}", folder.display())]
    Missing { folder: PathBuf, variant: Variant },
    /// The tables in the folder hold fewer seeds than the position has in play.
    #[error("{}: expected a position of at most {most} seeds, got {in_play}", folder.display())]
    TooSmall { folder: PathBuf, most: u32, in_play: u32 },
}

fn invalid(fault: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, fault.into())
}

const FOREIGN: &str = "expected an endgame table, got a different kind of file";
const DAMAGED_HEADER: &str = "the header is damaged";

impl std::fmt::Display for Layer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { variant, seeds, positions } = self;
        write!(f, "{positions} positions of {seeds} seeds, {variant}")
    }
}

impl LayerHeader {
    /// The length of the file in bytes.
    pub fn file_size(self) -> u64 {
        self.stored.saturating_add(HEADER as u64)
    }

    fn to_bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10] = self.layer.variant.pits() as u8;
        bytes[11] = self.layer.variant.capture().code();
        bytes[12] = self.layer.seeds as u8;
        bytes[13] = u8::from(self.encoding == Encoding::Compact);
        bytes[16..24].copy_from_slice(&self.layer.positions.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.stored.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.checksum.to_le_bytes());
        let own = xxh3_64(&bytes[..HEADER - 8]);
        bytes[HEADER - 8..].copy_from_slice(&own.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; HEADER]) -> io::Result<Self> {
        if bytes[..8] != MAGIC {
            return Err(invalid(FOREIGN));
        }
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        if version != VERSION {
            let message = format!("expected format version {VERSION}, got {version}");
            return Err(io::Error::new(io::ErrorKind::Unsupported, message));
        }
        if xxh3_64(&bytes[..HEADER - 8]) != word(bytes, HEADER - 8) {
            return Err(invalid(DAMAGED_HEADER));
        }
        let capture = Capture::from_code(bytes[11]).ok_or_else(|| invalid(DAMAGED_HEADER))?;
        let encoding = match bytes[13] {
            0 => Encoding::Plain,
            1 => Encoding::Compact,
            _ => return Err(invalid(DAMAGED_HEADER)),
        };
        let variant =
            Variant::new(bytes[10].into(), capture).map_err(|_| invalid(DAMAGED_HEADER))?;
        let layer = Layer { variant, seeds: bytes[12].into(), positions: word(bytes, 16) };
        Ok(Self { layer, encoding, stored: word(bytes, 24), checksum: word(bytes, 32) })
    }
}

fn word(bytes: &[u8; HEADER], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

/// Writes a layer so that `path` never names an unfinished file.
fn write(
    path: &Path,
    layer: Layer,
    encoding: Encoding,
    positions: &[u8],
    threads: usize,
) -> io::Result<()> {
    let blocks;
    let stored: Vec<&[u8]> = match encoding {
        Encoding::Plain => vec![positions],
        Encoding::Compact => {
            blocks = compress(positions, threads)?;
            blocks.iter().map(Vec::as_slice).collect()
        }
    };
    let bytes = stored.iter().map(|part| part.len() as u64).sum();
    let header = LayerHeader { layer, encoding, stored: bytes, checksum: xxh3_64(positions) };
    let header = header.to_bytes();
    let parts = std::iter::once(&header[..]).chain(stored);
    files::replace(path, parts).map_err(|error| error.error)
}

/// Reads a layer into `positions` and checks it.
fn read(path: &Path, layer: Layer, positions: &mut [u8], threads: usize) -> io::Result<()> {
    let (mut file, header) = open_layer(path, layer)?;
    match header.encoding {
        Encoding::Plain => file.read_exact(positions)?,
        Encoding::Compact => {
            let mut contents = Vec::new();
            file.read_to_end(&mut contents)?;
            decompress(&contents, positions, threads)?;
        }
    }
    check(header, positions)
}

/// Maps a layer and checks it; `None` if it is compressed.
fn map_layer(path: &Path, layer: Layer) -> io::Result<Option<MappedLayer>> {
    let (file, header) = open_layer(path, layer)?;
    if header.encoding != Encoding::Plain {
        return Ok(None);
    }
    let mapped = MappedLayer::new(file, HEADER as u64)?;
    check(header, mapped.positions())?;
    Ok(Some(mapped))
}

/// Checks the decoded positions of a layer.
fn check(header: LayerHeader, positions: &[u8]) -> io::Result<()> {
    let layer = header.layer;
    if positions.len() as u64 != layer.positions {
        return Err(invalid(format!("expected {layer}, got {} bytes", positions.len())));
    }
    // The checksum is that of the decoded bytes, so it also detects faults of the decoder.
    if xxh3_64(positions) != header.checksum {
        return Err(invalid("the contents are damaged: their checksum differs from the header's"));
    }
    // Checksums can be forged, and a search once panicked at an impossible value.
    if let Some(wins) = positions.iter().max().filter(|&&wins| u32::from(wins) > layer.seeds) {
        return Err(invalid(format!("expected at most {} seeds won, got {wins}", layer.seeds)));
    }
    Ok(())
}

/// The header of the file at `path`, which must hold `layer`. Checks its length, too.
pub(super) fn header(path: &Path, layer: Layer) -> io::Result<LayerHeader> {
    open_layer(path, layer).map(|(_, header)| header)
}

/// Opens a file with [`open`] and checks that it holds `layer`.
fn open_layer(path: &Path, layer: Layer) -> io::Result<(File, LayerHeader)> {
    let (file, header) = open(path)?;
    if header.layer != layer {
        return Err(invalid(format!("expected {layer}, got {}", header.layer)));
    }
    Ok((file, header))
}

/// Opens a file, reads its header and checks its length.
fn open(path: &Path) -> io::Result<(File, LayerHeader)> {
    let mut file = files::open(path)?;
    let mut bytes = [0; HEADER];
    file.read_exact(&mut bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => invalid(FOREIGN),
        _ => error,
    })?;
    let header = LayerHeader::from_bytes(&bytes)?;
    let (expected, got) = (header.file_size(), file.metadata()?.len());
    if got != expected {
        return Err(invalid(format!(
            "expected {expected} bytes, got {got}: the file was truncated or extended"
        )));
    }
    Ok((file, header))
}

/// The compressed blocks of [`BLOCK`] positions, each preceded by its length.
fn compress(positions: &[u8], threads: usize) -> io::Result<Vec<Vec<u8>>> {
    let blocks: Vec<&[u8]> = positions.chunks(BLOCK).collect();
    let compressed = map(&blocks, threads, &|| (), |block| {
        let packed = zstd::bulk::compress(block, LEVEL)?;
        Ok([&(packed.len() as u32).to_le_bytes()[..], &packed].concat())
    });
    compressed.into_iter().collect()
}

fn decompress(contents: &[u8], positions: &mut [u8], threads: usize) -> io::Result<()> {
    let mut rest = contents;
    let mut blocks = Vec::new();
    for target in positions.chunks_mut(BLOCK) {
        let block = rest
            .split_first_chunk::<4>()
            .and_then(|(len, after)| after.split_at_checked(u32::from_le_bytes(*len) as usize));
        let Some((packed, after)) = block else {
            return Err(invalid("the contents are damaged: a block is truncated"));
        };
        blocks.push((packed, target));
        rest = after;
    }
    if !rest.is_empty() {
        return Err(invalid("the contents are damaged: there are bytes after the last block"));
    }
    let bad = AtomicBool::new(false);
    for_each(threads, blocks.into_iter(), |(packed, target)| {
        let len = target.len();
        if zstd::bulk::decompress_to_buffer(packed, target).ok() != Some(len) {
            bad.store(true, Relaxed);
        }
    });
    if bad.into_inner() {
        return Err(invalid("the contents are damaged: a block cannot be decompressed"));
    }
    Ok(())
}

/// The name of the file of a layer.
pub fn file_name(variant: Variant, seeds: u32) -> String {
    let (pits, capture) = (variant.pits(), variant.capture());
    format!("kalah-{pits}-{capture}-{seeds:03}.layer")
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
    TablesError::Missing { folder: folder.into(), variant }
}

impl Tables {
    /// Reads and checks the layers of a board and a rule in `folder`, up to the first one that is
    /// missing or damaged; [`Origin::unused`] describes those that are not used for that reason.
    ///
    /// # Errors
    /// [`TablesError`] if there are none, or if they do not fit in memory.
    pub fn open(folder: &Path, variant: Variant) -> Result<Self, TablesError> {
        let found = FoundLayers::new(folder, variant);
        let (mut seeds, mut unused) = (found.seeds(), found.unused);
        while let Some(most) = seeds {
            match Self::open_up_to(folder, Extent::new(variant, most)?) {
                Ok(tables) => return Ok(tables.with_unused(unused)),
                // Only reading all positions shows that a checksum is wrong.
                Err(TablesError::Layer(fault)) => {
                    seeds = fault.seeds.checked_sub(1);
                    unused = Some(UnusedLayers::from_fault(folder, variant, fault));
                }
                Err(error) => return Err(error),
            }
        }
        Err(unused.map_or_else(|| missing(folder, variant), TablesError::Unused))
    }

    /// Reads tables of `extent` from `folder`, which must have at least those layers.
    pub(crate) fn open_up_to(folder: &Path, extent: Extent) -> Result<Self, TablesError> {
        if let Some(mapped) = Self::mapped(folder, extent)? {
            return Ok(mapped);
        }
        let mut builder = TableBuilder::new(extent)?;
        while let Some(seeds) = builder.next_layer() {
            read_layer(&mut builder, folder, extent, seeds)?;
        }
        Ok(builder.finish()?)
    }

    /// Reads the smallest tables in `folder` that hold `position`.
    ///
    /// # Errors
    /// [`TablesError`] if the folder has none, or if a layer is missing, damaged or does not fit
    /// in memory.
    pub fn open_for(folder: &Path, position: &Position) -> Result<Self, TablesError> {
        let (variant, in_play) = (position.variant(), position.in_play());
        let found = FoundLayers::new(folder, variant);
        match (found.seeds(), found.unused) {
            (Some(most), _) if most >= in_play => {
                Self::open_up_to(folder, Extent::new(variant, in_play)?)
            }
            (_, Some(unused)) => Err(unused.into()),
            (Some(most), None) => {
                Err(TablesError::TooSmall { folder: folder.into(), most, in_play })
            }
            (None, None) => Err(missing(folder, variant)),
        }
    }

    /// Maps tables from `folder`; `None` if one of their layers is compressed.
    fn mapped(folder: &Path, extent: Extent) -> Result<Option<Self>, TablesError> {
        let started = Instant::now();
        let layout = Layout::new(extent.variant().pits(), extent.seeds());
        let files = (0..=extent.seeds())
            .map(|seeds| layer_file(folder, extent, layout.layer(seeds).len() as u64, seeds));
        // The largest come first, so that no thread is left with a large one at the end.
        let files: Vec<_> = files.rev().collect();
        let layers = map(&files, processors(), &|| (), |(path, layer)| {
            let mapped = map_layer(path, *layer);
            mapped.map_err(|error| LayerFault::new(path.clone(), layer.seeds, error))
        });
        let layers: Option<Box<[MappedLayer]>> =
            layers.into_iter().rev().collect::<Result<_, _>>()?;
        Ok(layers.map(|layers| {
            let read = Some((folder.to_owned(), extent.seeds()));
            let origin = Origin { read, time: started.elapsed(), ..Origin::default() };
            Self::new(layout, extent.variant(), Wins::Files(layers), origin)
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
                let Err(fault) = read_layer(&mut builder, folder, extent, seeds) else {
                    progress(builder.layer_len(seeds));
                    continue;
                };
                log::warn!("{}", UnusedLayers::from_fault(folder, variant, fault));
                found = None;
            }
            builder.fill_layer(threads, progress);
        }
        builder.finish()
    }

    /// Builds tables in `folder`, one file for each layer, and continues from the layers
    /// that it already holds; `progress` also counts those, as they are read. A damaged
    /// layer is reported and replaced.
    ///
    /// Builds in one folder wait for each other where the system has locks.
    ///
    /// # Errors
    /// [`TablesError`] if the folder cannot be written, if a layer in it cannot be read or has a
    /// different version, or if the tables do not fit in memory.
    pub fn build_in(
        folder: &Path,
        extent: Extent,
        encoding: Encoding,
        threads: usize,
        progress: OnPositions,
    ) -> Result<Self, TablesError> {
        let lock = lock(folder, extent.variant());
        let _lock = lock.map_err(|error| TablesError::File { path: folder.into(), error })?;
        let found = layers(folder, extent.variant());
        let mut builder = TableBuilder::new(extent)?;
        while let Some(seeds) = builder.next_layer() {
            if found >= Some(seeds) {
                match read_layer(&mut builder, folder, extent, seeds) {
                    Ok(()) => {
                        progress(builder.layer_len(seeds));
                        continue;
                    }
                    Err(error) if error.is_damage() => {
                        log::warn!("{error}; rebuilding this layer");
                    }
                    Err(error) => return Err(error.into()),
                }
            }
            let (path, layer) = layer_file(folder, extent, builder.layer_len(seeds), seeds);
            // Written before the next layer is begun, so that a kill loses at most one layer.
            let positions = builder.fill_layer(threads, progress);
            write(&path, layer, encoding, positions, threads)
                .map_err(|error| TablesError::File { path, error })?;
        }
        Ok(builder.finish()?)
    }
}

/// Creates and locks the folder, and removes the temporary files that killed builds of
/// `variant` left.
fn lock(folder: &Path, variant: Variant) -> io::Result<Option<FileLock>> {
    fs::create_dir_all(folder)?;
    // Not every system has locks.
    let lock = FileLock::new(folder).and_then(|lock| lock.lock().map(|()| lock));
    let lock = lock.inspect_err(|error| log::debug!("cannot lock {}: {error}", folder.display()));
    let layers: Vec<String> = (0..=MAX_SEEDS).map(|seeds| file_name(variant, seeds)).collect();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".tmp") && layers.iter().any(|layer| name.starts_with(layer)) {
            fs::remove_file(path)?;
        }
    }
    Ok(lock.ok())
}

/// Reads the layer of `seeds`, which must be the next one of `builder`.
fn read_layer(
    builder: &mut TableBuilder,
    folder: &Path,
    extent: Extent,
    seeds: u32,
) -> Result<(), LayerFault> {
    let (path, layer) = layer_file(folder, extent, builder.layer_len(seeds), seeds);
    builder
        .read_layer(folder, |positions| read(&path, layer, positions, processors()))
        .map_err(|error| LayerFault::new(path, seeds, error))
}

/// A layer's file and its expected contents.
fn layer_file(folder: &Path, extent: Extent, positions: u64, seeds: u32) -> (PathBuf, Layer) {
    let variant = extent.variant();
    (folder.join(file_name(variant, seeds)), Layer { variant, seeds, positions })
}
