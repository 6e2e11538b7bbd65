//! One layer of tables in a file.
//!
//! `FORMAT.md` beside this module describes the format. A file is believed if
//! it is of the expected board, rule and layer, has the expected length, and
//! its bytes give the checksums in its header; anything else is an error.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use crate::game::{Capture, Variant};
use crate::sys::names::UnknownName;
use crate::sys::parallel::for_each;

/// The first bytes of every file. The first is no text, the last two would not
/// survive a transfer as text.
const MAGIC: [u8; 8] = *b"\x8bKalah\r\n";
/// The version written, and the only one read.
const VERSION: u16 = 1;
const HEADER: usize = 64;
/// Positions in a compressed block.
const BLOCK: usize = 1 << 20;
/// Fast; the higher levels gain a tenth and take ten times as long.
const LEVEL: i32 = 1;

/// How the positions of a layer are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// A byte a position.
    Plain,
    /// Compressed, about 0.3 bytes a position.
    #[default]
    Compact,
}

impl Encoding {
    /// Every encoding.
    pub const ALL: [Encoding; 2] = [Encoding::Plain, Encoding::Compact];

    /// The encoding's name in listings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Compact => "compact",
        }
    }
}

impl std::fmt::Display for Encoding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl std::str::FromStr for Encoding {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let named = |encoding: &Self| encoding.name() == text;
        Self::ALL
            .into_iter()
            .find(named)
            .ok_or_else(|| UnknownName::new("encoding", Self::ALL.map(Self::name), text))
    }
}

/// What a layer's file must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The board and rule.
    pub variant: Variant,
    /// Seeds in play.
    pub seeds: u32,
    /// Positions with that many seeds.
    pub positions: u64,
}

/// What the header of a layer's file says beyond the layer itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The layer.
    pub layer: Layer,
    /// How its positions are written.
    pub encoding: Encoding,
    /// Bytes after the header.
    pub stored: u64,
    /// XXH3 (64 bit) of the positions' bytes, uncompressed.
    pub checksum: u64,
}

/// Why a layer's file is not believed or cannot be written.
#[derive(Debug, Error)]
#[error("{}: {fault}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    #[source]
    pub fault: Fault,
}

/// What can be wrong with a layer's file.
#[derive(Debug, Error)]
pub enum Fault {
    /// The system's error.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Another kind of file.
    #[error("expected an endgame table, got another kind of file")]
    Foreign,
    /// Written by another version of the program.
    #[error("expected format version {VERSION}, got {0}")]
    Version(u16),
    /// The header does not give its own checksum.
    #[error("the header is damaged")]
    DamagedHeader,
    /// Another board, rule or layer.
    #[error("expected {}, got {}", describe(expected), describe(got))]
    OtherLayer {
        /// The layer that was asked for.
        expected: Layer,
        /// The layer that is in the file.
        got: Layer,
    },
    /// Something is missing or was added.
    #[error("expected {expected} bytes, got {got}: the file is cut off or was added to")]
    Length {
        /// Bytes that there should be.
        expected: u64,
        /// Bytes that there are.
        got: u64,
    },
    /// The positions do not give the checksum in the header.
    #[error("the contents are damaged: {0}")]
    Damaged(&'static str),
}

fn describe(layer: &Layer) -> String {
    format!("{} positions of {} seeds, {}", layer.positions, layer.seeds, layer.variant)
}

impl Header {
    /// The length of the file in bytes.
    pub fn file_size(self) -> u64 {
        self.stored.saturating_add(HEADER as u64)
    }

    fn to_bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10] = self.layer.variant.pits() as u8;
        bytes[11] = u8::from(self.layer.variant.capture() == Capture::EmptyCapture);
        bytes[12] = self.layer.seeds as u8;
        bytes[13] = u8::from(self.encoding == Encoding::Compact);
        bytes[16..24].copy_from_slice(&self.layer.positions.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.stored.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.checksum.to_le_bytes());
        let own = xxh3_64(&bytes[..HEADER - 8]);
        bytes[HEADER - 8..].copy_from_slice(&own.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; HEADER]) -> Result<Self, Fault> {
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        if bytes[..8] != MAGIC {
            return Err(Fault::Foreign);
        }
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        if version != VERSION {
            return Err(Fault::Version(version));
        }
        if xxh3_64(&bytes[..HEADER - 8]) != word(HEADER - 8) {
            return Err(Fault::DamagedHeader);
        }
        let capture = match bytes[11] {
            0 => Capture::Standard,
            1 => Capture::EmptyCapture,
            _ => return Err(Fault::DamagedHeader),
        };
        let encoding = match bytes[13] {
            0 => Encoding::Plain,
            1 => Encoding::Compact,
            _ => return Err(Fault::DamagedHeader),
        };
        let variant = Variant::new(bytes[10].into(), capture).map_err(|_| Fault::DamagedHeader)?;
        let layer = Layer { variant, seeds: bytes[12].into(), positions: word(16) };
        Ok(Self { layer, encoding, stored: word(24), checksum: word(32) })
    }
}

/// Writes a layer so that `path` never names an unfinished file: under another
/// name first, which is synced and then renamed.
///
/// # Errors
/// [`FileError`] with the system's error.
pub fn write(
    path: &Path,
    layer: Layer,
    encoding: Encoding,
    positions: &[u8],
    threads: usize,
) -> Result<Header, FileError> {
    let written = || -> Result<Header, Fault> {
        let blocks = match encoding {
            Encoding::Plain => Vec::new(),
            Encoding::Compact => compress(positions, threads)?,
        };
        let stored = match encoding {
            Encoding::Plain => positions.len() as u64,
            Encoding::Compact => blocks.iter().map(|block| 4 + block.len() as u64).sum(),
        };
        let header = Header { layer, encoding, stored, checksum: xxh3_64(positions) };
        let part = unfinished(path);
        let mut file = File::create(&part)?;
        file.write_all(&header.to_bytes())?;
        if encoding == Encoding::Plain {
            file.write_all(positions)?;
        }
        for block in blocks {
            file.write_all(&(block.len() as u32).to_le_bytes())?;
            file.write_all(&block)?;
        }
        file.sync_all()?;
        std::fs::rename(&part, path)?;
        // The new name must last, too. Only some systems can sync a folder.
        #[cfg(unix)]
        if let Some(folder) = path.parent() {
            File::open(folder)?.sync_all()?;
        }
        Ok(header)
    };
    written().map_err(|fault| FileError { path: path.into(), fault })
}

/// What a file is called while it is written.
fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// What the header of a file says, and whether the file is as long as it says.
///
/// # Errors
/// [`FileError`] if it is no such file, or has another length.
pub fn read_header(path: &Path) -> Result<Header, FileError> {
    open(path).map(|(_, header)| header).map_err(|fault| FileError { path: path.into(), fault })
}

/// Reads a layer into `positions` and checks every byte.
///
/// # Errors
/// [`FileError`] if the file is not that layer, whole and unaltered.
pub fn read(
    path: &Path,
    layer: Layer,
    positions: &mut [u8],
    threads: usize,
) -> Result<Header, FileError> {
    let mut read = || -> Result<Header, Fault> {
        let (mut file, header) = open(path)?;
        if header.layer != layer || positions.len() as u64 != layer.positions {
            return Err(Fault::OtherLayer { expected: layer, got: header.layer });
        }
        match header.encoding {
            Encoding::Plain => file.read_exact(positions)?,
            Encoding::Compact => {
                let mut contents = Vec::new();
                file.read_to_end(&mut contents)?;
                decompress(&contents, positions, threads)?;
            }
        }
        if xxh3_64(positions) != header.checksum {
            return Err(Fault::Damaged("another checksum than the header's"));
        }
        Ok(header)
    };
    read().map_err(|fault| FileError { path: path.into(), fault })
}

fn open(path: &Path) -> Result<(File, Header), Fault> {
    let mut file = File::open(path)?;
    let mut bytes = [0; HEADER];
    file.read_exact(&mut bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => Fault::Foreign,
        _ => Fault::Io(error),
    })?;
    let header = Header::from_bytes(&bytes)?;
    let got = file.metadata()?.len();
    let expected = header.file_size();
    if got != expected {
        return Err(Fault::Length { expected, got });
    }
    Ok((file, header))
}

/// The compressed blocks of [`BLOCK`] positions.
fn compress(positions: &[u8], threads: usize) -> io::Result<Vec<Vec<u8>>> {
    let blocks: Vec<_> =
        positions.chunks(BLOCK).map(|block| (block, Mutex::new(Ok(Vec::new())))).collect();
    for_each(threads, blocks.iter(), |(block, packed)| {
        let result = zstd::bulk::compress(block, LEVEL);
        *packed.lock().expect("a block has one worker") = result;
    });
    blocks.into_iter().map(|(_, packed)| packed.into_inner().expect("no worker panicked")).collect()
}

fn decompress(contents: &[u8], positions: &mut [u8], threads: usize) -> Result<(), Fault> {
    const SHORT: Fault = Fault::Damaged("a block is cut off");
    let mut rest = contents;
    let mut blocks = Vec::new();
    for target in positions.chunks_mut(BLOCK) {
        let (len, after) = rest.split_first_chunk::<4>().ok_or(SHORT)?;
        let len = u32::from_le_bytes(*len) as usize;
        let (packed, after) = after.split_at_checked(len).ok_or(SHORT)?;
        blocks.push((packed, target));
        rest = after;
    }
    if !rest.is_empty() {
        return Err(Fault::Damaged("something follows the last block"));
    }
    let bad = Mutex::new(false);
    for_each(threads, blocks.into_iter(), |(packed, target)| {
        let len = target.len();
        if zstd::bulk::decompress_to_buffer(packed, target).ok() != Some(len) {
            *bad.lock().expect("setting a flag does not panic") = true;
        }
    });
    match bad.into_inner() {
        Ok(false) => Ok(()),
        _ => Err(Fault::Damaged("a block cannot be decompressed")),
    }
}
