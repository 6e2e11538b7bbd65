//! The file of one layer: its name, its header and its positions.
//!
//! `FORMAT.md` next to this module describes the format. Folders of layers belong to `folder`.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use xxhash_rust::xxh3::xxh3_64;

use super::layout::{blocks, layer_bytes};
use super::packed::{any_above, pack, packed_len, update, width, with_width};
use kalah_game::Variant;
use kalah_sys::files;
use kalah_sys::files::invalid;
use kalah_sys::memory::MappedLayer;
use kalah_sys::parallel::{for_each, map};
use kalah_text::named_enum;

/// The first bytes of every file. The first byte is not ASCII, and the last two would not
/// survive a transfer as text.
const MAGIC: [u8; 8] = *b"\x8bKalah\r\n";
/// The only version that is read or written.
const VERSION: u16 = 2;
const HEADER: usize = 64;
/// Positions in a compressed part; a multiple of 8, so that each part starts on a byte boundary.
const FRAME: u64 = 1 << 20;
/// The bytes that the frames of a layer of few positions may add to one byte for each.
const MAX_OVERHEAD: u64 = 1 << 20;
/// The compression level. Level 6 saves 5 % of the bytes and takes three times as long; level 1
/// writes a quarter more bytes and takes twice as long to read.
#[cfg(all(feature = "compression", not(target_family = "wasm")))]
const LEVEL: u8 = 3;
/// The first bytes of a Zstandard frame.
#[cfg(all(feature = "compression", not(target_family = "wasm")))]
const ZSTANDARD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

named_enum! {
    /// The encoding of the positions of a layer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Encoding: "encoding" {
        /// As in memory: 5 bits per position with 16 to 31 seeds.
        Plain = "plain",
        /// Compressed, about 0.3 bytes per position.
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

impl Layer {
    pub(super) fn new(variant: Variant, seeds: u32) -> Self {
        let mut blocks = blocks(variant.pits(), seeds);
        let positions = blocks.try_fold(0_u64, |sum, block| sum.checked_add(block?));
        // If 64 bits cannot count the positions, they are more than any file holds.
        Self { variant, seeds, positions: positions.unwrap_or(u64::MAX) }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variant, seeds, positions } = self;
        write!(f, "{positions} positions of {seeds} seeds, {variant}")
    }
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
    /// XXH3 (64 bit) of the packed values.
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
        bytes[11] = self.layer.variant.code();
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
            // Layers of earlier versions may be replaced, like damaged ones.
            let kind = if version < VERSION {
                io::ErrorKind::InvalidData
            } else {
                io::ErrorKind::Unsupported
            };
            return Err(io::Error::new(kind, message));
        }
        if xxh3_64(&bytes[..HEADER - 8]) != word(bytes, HEADER - 8) {
            return Err(invalid(DAMAGED_HEADER));
        }
        let variant = Variant::from_code(bytes[10].into(), bytes[11])
            .ok_or_else(|| invalid(DAMAGED_HEADER))?;
        let encoding = match bytes[13] {
            0 => Encoding::Plain,
            1 => Encoding::Compact,
            _ => return Err(invalid(DAMAGED_HEADER)),
        };
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
    bytes: &[u8],
    threads: usize,
) -> io::Result<()> {
    let frames;
    let stored: Vec<&[u8]> = match encoding {
        Encoding::Plain => vec![bytes],
        Encoding::Compact => {
            frames = compress(layer, bytes, threads)?;
            frames.iter().map(Vec::as_slice).collect()
        }
    };
    let len = stored.iter().map(|part| part.len() as u64).sum();
    let header = LayerHeader { layer, encoding, stored: len, checksum: xxh3_64(bytes) };
    let header_bytes = header.to_bytes();
    let parts = std::iter::once(&header_bytes[..]).chain(stored);
    files::replace(path, parts).map_err(|error| error.error)
}

/// Reads a layer into `bytes`, which are zero, and checks it.
pub(super) fn read(path: &Path, layer: Layer, bytes: &mut [u8], threads: usize) -> io::Result<()> {
    let (mut file, header) = open_layer(path, layer)?;
    match header.encoding {
        Encoding::Plain => file.read_exact(bytes)?,
        Encoding::Compact => {
            let mut contents = Vec::new();
            file.read_to_end(&mut contents)?;
            decompress(&contents, layer, bytes, threads)?;
        }
    }
    check(header, bytes)
}

/// Maps a layer and checks it; `None` if it is compressed.
pub(super) fn map_layer(path: &Path, layer: Layer) -> io::Result<Option<MappedLayer>> {
    let (file, header) = open_layer(path, layer)?;
    if header.encoding != Encoding::Plain {
        return Ok(None);
    }
    let mapped = MappedLayer::new(file, HEADER as u64)?;
    check(header, mapped.bytes())?;
    Ok(Some(mapped))
}

/// Checks the bytes of a layer in memory.
fn check(header: LayerHeader, bytes: &[u8]) -> io::Result<()> {
    let layer = header.layer;
    // The checksum is that of the decoded bytes, so it also detects faults of the decoder.
    if xxh3_64(bytes) != header.checksum {
        return Err(invalid("the contents are damaged: their checksum differs from the header's"));
    }
    // Checksums can be forged, and a search once panicked at an impossible value.
    let mut rest = bytes;
    for (_, len) in parts(layer) {
        // Another program may have truncated the file meanwhile.
        let Some((part, after)) = rest.split_at_checked(len) else {
            return Err(io::ErrorKind::UnexpectedEof.into());
        };
        rest = after;
        let seeds = layer.seeds;
        if let Some(wins) = any_above(part, seeds as u8, width(seeds)) {
            return Err(invalid(format!("expected at most {seeds} seeds won, got {wins}")));
        }
    }
    Ok(())
}

/// The number of positions in each part of a layer that is compressed by itself, and its bytes in
/// memory.
fn parts(layer: Layer) -> impl Iterator<Item = (usize, usize)> {
    let Layer { variant, seeds, .. } = layer;
    let blocks = blocks(variant.pits(), seeds).map(|block| block.expect("a layer that fits"));
    blocks.flat_map(move |block| {
        (0..block).step_by(FRAME as usize).map(move |begin| {
            let positions = FRAME.min(block - begin);
            let bytes = packed_len(positions, width(seeds)).expect("a layer that fits");
            (positions as usize, bytes as usize)
        })
    })
}

/// The header of the file at `path`, which must hold `layer`. Checks its length, too.
pub(super) fn header(path: &Path, layer: Layer) -> io::Result<LayerHeader> {
    open_layer(path, layer).map(|(_, header)| header)
}

/// Opens a file, reads its header, and checks that it holds `layer` and has the length for it.
fn open_layer(path: &Path, layer: Layer) -> io::Result<(File, LayerHeader)> {
    let mut file = files::open(path)?;
    let mut bytes = [0; HEADER];
    file.read_exact(&mut bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => invalid(FOREIGN),
        _ => error,
    })?;
    let header = LayerHeader::from_bytes(&bytes)?;
    let expected = header.file_size();
    let got = file.metadata()?.len();
    if got != expected {
        return Err(invalid(format!(
            "expected {expected} bytes, got {got}: the file was truncated or extended"
        )));
    }
    if header.layer != layer {
        return Err(invalid(format!("expected {layer}, got {}", header.layer)));
    }
    let is_possible = match header.encoding {
        Encoding::Plain => Some(header.stored) == layer_bytes(layer.variant.pits(), layer.seeds),
        // A file of zeros may have any length and take no space on disk, but a reader needs memory.
        Encoding::Compact => header.stored / 2 <= layer.positions.saturating_add(MAX_OVERHEAD),
    };
    if !is_possible {
        return Err(invalid(format!("expected {layer}, got {} bytes", header.stored)));
    }
    Ok((file, header))
}

#[cfg(all(feature = "compression", not(target_family = "wasm")))]
fn compress_frame(wins: &[u8]) -> io::Result<Vec<u8>> {
    Ok(miniz_oxide::deflate::compress_to_vec_zlib(wins, LEVEL))
}

/// Returns the number of positions in the frame. Frames of earlier versions are Zstandard's.
#[cfg(all(feature = "compression", not(target_family = "wasm")))]
fn decompress_frame(frame: &[u8], wins: &mut [u8]) -> io::Result<usize> {
    if frame.starts_with(&ZSTANDARD) {
        let decoded = ruzstd::decoding::FrameDecoder::new().decode_all(frame, wins);
        return decoded.map_err(io::Error::other);
    }
    let inflated = miniz_oxide::inflate::decompress_slice_iter_to_slice(
        wins,
        std::iter::once(frame),
        true,
        false,
    );
    inflated.map_err(|status| io::Error::other(format!("{status:?}")))
}

// A browser has no files, so its page need not contain the decoders.
#[cfg(not(all(feature = "compression", not(target_family = "wasm"))))]
fn compress_frame(_: &[u8]) -> io::Result<Vec<u8>> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(all(feature = "compression", not(target_family = "wasm"))))]
fn decompress_frame(_: &[u8], _: &mut [u8]) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The compressed parts of a layer, each preceded by its length.
fn compress(layer: Layer, bytes: &[u8], threads: usize) -> io::Result<Vec<Vec<u8>>> {
    let width = width(layer.seeds);
    let mut rest = bytes;
    let mut frames = Vec::new();
    for (positions, len) in parts(layer) {
        let (part, after) = rest.split_at(len);
        frames.push((positions, part));
        rest = after;
    }
    let compressed = map(&frames, threads, &|| (), |&(positions, part)| {
        let mut wins = vec![0; positions];
        with_width!(width, WIDTH => {
            update::<WIDTH, _>(&mut wins, part, 0, |number, won| *number = won)
        });
        let frame = compress_frame(&wins)?;
        Ok([&(frame.len() as u32).to_le_bytes()[..], &frame].concat())
    });
    compressed.into_iter().collect()
}

fn decompress(contents: &[u8], layer: Layer, bytes: &mut [u8], threads: usize) -> io::Result<()> {
    let width = width(layer.seeds);
    let mut contents = contents;
    let mut bytes = bytes;
    let mut frames = Vec::new();
    for (positions, len) in parts(layer) {
        let frame = contents
            .split_first_chunk::<4>()
            .and_then(|(len, after)| after.split_at_checked(u32::from_le_bytes(*len) as usize));
        let Some((frame, after)) = frame else {
            return Err(invalid("the contents are damaged: a frame is truncated"));
        };
        let (part, rest) = bytes.split_at_mut(len);
        frames.push((frame, positions, part));
        contents = after;
        bytes = rest;
    }
    if !contents.is_empty() {
        return Err(invalid("the contents are damaged: there are bytes after the last frame"));
    }
    let bad = AtomicBool::new(false);
    for_each(threads, frames.into_iter(), |(frame, positions, part)| {
        let mut wins = vec![0; positions];
        if decompress_frame(frame, &mut wins).ok() == Some(positions) {
            pack(&wins, part, 0, width);
        } else {
            bad.store(true, Relaxed);
        }
    });
    if bad.into_inner() {
        return Err(invalid("the contents are damaged: a frame cannot be decompressed"));
    }
    Ok(())
}

/// The extension of the files of layers.
pub(super) const EXTENSION: &str = "layer";

/// The file of a layer in `folder`, and its expected contents.
pub(super) fn layer_in(folder: &Path, variant: Variant, seeds: u32) -> (PathBuf, Layer) {
    (folder.join(file_name(variant, seeds)), Layer::new(variant, seeds))
}

/// The name of the file of a layer.
pub fn file_name(variant: Variant, seeds: u32) -> String {
    format!("kalah-{}-{}-{seeds:03}.{EXTENSION}", variant.pits(), variant.capture())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use kalah_sys::random::SplitMix64;

    /// A layer of 8 pits with blocks of more than one frame.
    fn layer() -> Layer {
        let variant = Variant::new(8, kalah_game::Capture::Standard).unwrap();
        Layer::new(variant, 11)
    }

    /// The bytes of a layer with random values up to `most`.
    fn random_values(layer: Layer, most: usize) -> Vec<u8> {
        let mut random = SplitMix64::new(1);
        let mut bytes = Vec::new();
        for (positions, len) in parts(layer) {
            let wins: Vec<u8> = (0..positions).map(|_| random.below(most + 1) as u8).collect();
            let mut part = vec![0; len];
            pack(&wins, &mut part, 0, width(layer.seeds));
            bytes.append(&mut part);
        }
        bytes
    }

    /// The bytes that are read, or the error.
    fn read_back(path: &Path, layer: Layer) -> Result<Vec<u8>, String> {
        let len = layer_bytes(layer.variant.pits(), layer.seeds).unwrap();
        let mut bytes = vec![0; len as usize];
        let read = read(path, layer, &mut bytes, 2).map(|()| bytes).map_err(|e| e.to_string());
        // Mapping a layer checks it in the same way.
        let mapped = map_layer(path, layer).map_err(|e| e.to_string());
        match (&read, mapped) {
            (Ok(read), Ok(Some(mapped))) => assert_eq!(read, mapped.bytes()),
            (Err(read), Err(mapped)) => assert_eq!(*read, mapped),
            (_, Ok(None)) => {
                assert_eq!(open_layer(path, layer).unwrap().1.encoding, Encoding::Compact)
            }
            (read, mapped) => panic!("read: {}, mapped: {}", read.is_ok(), mapped.is_ok()),
        }
        read
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes too long")]
    fn blocks_of_several_frames_are_read_as_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("layer");
        let bytes = random_values(layer(), 11);
        for encoding in Encoding::ALL {
            write(&path, layer(), encoding, &bytes, 2).unwrap();
            assert_eq!(read_back(&path, layer()).unwrap(), bytes);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes too long")]
    fn impossible_values_and_lengths_are_refused_although_the_checksums_match() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("layer");
        let bytes = random_values(layer(), 12);
        for encoding in Encoding::ALL {
            write(&path, layer(), encoding, &bytes, 2).unwrap();
            let error = read_back(&path, layer()).unwrap_err();
            assert_eq!(error, "expected at most 11 seeds won, got 12");
        }
        let long = [&bytes[..], &[0]].concat();
        for wrong in [&bytes[1..], &long, &[]] {
            write(&path, layer(), Encoding::Plain, wrong, 2).unwrap();
            let error = read_back(&path, layer()).unwrap_err();
            assert!(error.ends_with(&format!("got {} bytes", wrong.len())), "{error}");
        }
    }

    #[test]
    fn a_file_that_is_much_longer_than_its_layer_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("layer");
        let stored = 1 << 40;
        let header =
            LayerHeader { layer: layer(), encoding: Encoding::Compact, stored, checksum: 0 };
        fs::write(&path, header.to_bytes()).unwrap();
        File::options().write(true).open(&path).unwrap().set_len(header.file_size()).unwrap();
        let error = read_back(&path, layer()).unwrap_err();
        assert!(error.ends_with("got 1099511627776 bytes"), "{error}");
    }
}
