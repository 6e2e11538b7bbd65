//! Layers of endgame tables, and values in them, as text and as JSON.

use std::fmt;
use std::path::{Path, PathBuf};

use indicatif::HumanBytes;
use serde::Serialize;

use kalah_engine::endgame::{FoundLayers, LayerHeader, Tables};
use kalah_game::{Gain, Position, PositionText, Variant};
use kalah_tables::{Cell, Column, Table};
use kalah_text::format::counted;

/// The file of a layer.
#[derive(Serialize)]
pub struct LayerFile {
    file: PathBuf,
    #[serde(flatten)]
    variant: Variant,
    seeds: u32,
    positions: u64,
    bytes: u64,
    format: &'static str,
    checksum: String,
}

impl LayerFile {
    /// The layer of a file with this header.
    pub fn new((file, header): (PathBuf, LayerHeader)) -> Self {
        Self {
            file,
            variant: header.layer.variant,
            seeds: header.layer.seeds,
            positions: header.layer.positions,
            bytes: header.file_size(),
            format: header.encoding.name(),
            checksum: format!("{:016x}", header.checksum),
        }
    }

    /// A table of the layers of one variant, of which there is at least one.
    pub fn table(variant: Variant, layers: &[Self]) -> Table {
        let title = format!("{variant}, up to {}", counted(layers.len() as u64 - 1, "seed"));
        let columns: [Column<'_, &Self>; 6] = [
            ("seeds", &|layer| layer.seeds.into()),
            ("positions", &|layer| layer.positions.into()),
            ("bytes", &|layer| layer.bytes.into()),
            ("per position", &|layer| Cell::Number(layer.bytes as f64 / layer.positions as f64, 3)),
            ("format", &|layer| layer.format.into()),
            ("checksum", &|layer| layer.checksum.as_str().into()),
        ];
        Table::from_items(&title, layers, &columns)
    }
}

/// What `threads` threads have done to build `tables` in `folder`, in one or two lines.
pub fn built(tables: &Tables, folder: &Path, threads: usize) -> String {
    let origin = tables.origin();
    let layers = tables.seeds() as usize + 1;
    let new = counted(origin.built.len() as u64, "layer");
    // An earlier build may have left layers with more seeds in the folder.
    let files = FoundLayers::new(folder, tables.variant()).usable;
    let bytes: u64 = files.iter().take(layers).map(|(_, header)| header.file_size()).sum();
    let positions: u64 = (0..=tables.seeds()).map(|seeds| tables.layer_len(seeds)).sum();
    let mut lines = format!(
        "{new} written, {} found: {} in {} ({:.3} bytes per position)\n",
        layers - origin.built.len(),
        HumanBytes(bytes),
        folder.display(),
        bytes as f64 / positions as f64
    );
    if !origin.built.is_empty() {
        let built: u64 = origin.built.iter().map(|&seeds| tables.layer_len(seeds)).sum();
        let seconds = origin.time.as_secs_f64();
        let rate = built as f64 / seconds / 1e6;
        let threads = counted(threads as u64, "thread");
        lines += &format!(
            "{seconds:.3} s, writing included: {rate:.1} million positions per second on {threads}\n"
        );
    }
    lines
}

/// A position and its moves in endgame tables.
#[derive(Serialize)]
pub struct Probed {
    #[serde(flatten)]
    position: PositionText,
    in_play: u32,
    #[serde(flatten)]
    value: ProbedValue,
    moves: Vec<ProbedMove>,
}

/// From the mover's point of view; the margin includes the stores.
#[derive(Serialize)]
struct ProbedValue {
    gain: i32,
    margin: i32,
}

#[derive(Serialize)]
struct ProbedMove {
    r#move: char,
    #[serde(flatten)]
    value: ProbedValue,
}

impl Probed {
    /// The values of `position` in `tables`, which hold it.
    pub fn new(position: &Position, tables: &Tables) -> Self {
        let side = position.side();
        let value = |margin: Gain| {
            let gain = (margin - position.lead(side)).0;
            ProbedValue { gain, margin: margin.0 }
        };
        let margins = tables.margin(position).zip(tables.move_margins(position));
        let (margin, moves) = margins.expect("tables that hold the position");
        let moves = moves
            .into_iter()
            .map(|(pit, margin)| ProbedMove { r#move: pit.letter(side), value: value(margin) });
        Self {
            position: PositionText::new(position),
            in_play: position.in_play(),
            value: value(margin),
            moves: moves.collect(),
        }
    }
}

impl fmt::Display for ProbedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "gain {:+}, margin {:+}", self.gain, self.margin)
    }
}

impl fmt::Display for Probed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seeds = counted(self.in_play.into(), "seed");
        writeln!(f, "{}, {seeds} in play\n{}", self.position, self.value)?;
        self.moves.iter().try_for_each(|ProbedMove { r#move, value }| writeln!(f, "{move} {value}"))
    }
}
