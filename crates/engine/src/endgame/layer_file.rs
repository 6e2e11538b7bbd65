//! The file of one layer: its name, its header and its positions.
//!
//! `FORMAT.md` next to this module describes the format. Folders of layers belong to `file`.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use derive_more::Display;
use xxhash_rust::xxh3::xxh3_64;

use crate::file_error::invalid;
use crate::memory::MappedLayer;
use kalah_game::{Capture, Variant};
use kalah_sys::files;
use kalah_sys::parallel::{for_each, map};
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
#[cfg(not(target_family = "wasm"))]
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
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("{positions} positions of {seeds} seeds, {variant}")]
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

const FOREIGN: &str = "expected an endgame table, got a different kind of file";
const DAMAGED_HEADER: &str = "the header is damaged";

impl LayerHeader {
    /// The length of the file in bytes.
    pub fn file_size(self) -> u64 {
        self.stored.saturating_add(HEADER as u64)
    }

    fn to_bytes(self) -> [u8; HEADER] {
        // Little-endian on every machine, so that folders can be copied between machines.
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

/// Writes a layer so that `path` never refers to an unfinished file.
pub(super) fn write(
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
pub(super) fn read(
    path: &Path,
    layer: Layer,
    positions: &mut [u8],
    threads: usize,
) -> io::Result<()> {
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
pub(super) fn map_layer(path: &Path, layer: Layer) -> io::Result<Option<MappedLayer>> {
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

#[cfg(not(target_family = "wasm"))]
fn pack(block: &[u8]) -> io::Result<Vec<u8>> {
    zstd::bulk::compress(block, LEVEL)
}

/// Returns the number of positions in the block.
#[cfg(not(target_family = "wasm"))]
fn unpack(packed: &[u8], positions: &mut [u8]) -> io::Result<usize> {
    zstd::bulk::decompress_to_buffer(packed, positions)
}

// A browser has no files, and zstd is not written in Rust.
#[cfg(target_family = "wasm")]
fn pack(_: &[u8]) -> io::Result<Vec<u8>> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(target_family = "wasm")]
fn unpack(_: &[u8], _: &mut [u8]) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The compressed blocks of [`BLOCK`] positions, each preceded by its length.
fn compress(positions: &[u8], threads: usize) -> io::Result<Vec<Vec<u8>>> {
    let blocks: Vec<&[u8]> = positions.chunks(BLOCK).collect();
    let compressed = map(&blocks, threads, &|| (), |block| {
        let packed = pack(block)?;
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
        if unpack(packed, target).ok() != Some(len) {
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
