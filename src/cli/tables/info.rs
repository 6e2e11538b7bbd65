//! `kalah tables info`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use serde::Serialize;

use super::Folder;
use crate::cli::{Failure, write_json};
use crate::endgame::file::{self, Header};
use crate::game::{Capture, Variant};

/// List the layers that a folder holds, of all boards and rules
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    folder: Folder,
    /// One JSON object a line and layer
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Layer {
    file: PathBuf,
    pits: usize,
    capture: Capture,
    seeds: u32,
    positions: u64,
    bytes: u64,
    format: &'static str,
    checksum: String,
}

impl Layer {
    fn new(file: PathBuf, header: Header) -> Self {
        Self {
            file,
            pits: header.layer.variant.pits(),
            capture: header.layer.variant.capture(),
            seeds: header.layer.seeds,
            positions: header.layer.positions,
            bytes: header.file_size(),
            format: header.encoding.name(),
            checksum: format!("{:016x}", header.checksum),
        }
    }
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = &self.folder.folder;
        let mut any = false;
        for variant in Variant::all() {
            if file::layers(folder, variant).is_none() {
                continue;
            }
            any = true;
            let headers = file::headers(folder, variant)?;
            let layers = headers.into_iter().map(|(path, header)| Layer::new(path, header));
            if self.json {
                for layer in layers {
                    write_json(&layer, out)?;
                }
            } else {
                print_layers(&layers.collect::<Vec<_>>(), out)?;
            }
        }
        if any {
            Ok(())
        } else {
            Err(Failure::work(format!("{}: no endgame tables", folder.display())))
        }
    }
}

fn print_layers(layers: &[Layer], out: &mut dyn Write) -> Result<(), Failure> {
    let Some(last) = layers.last() else { return Ok(()) };
    writeln!(out, "{} pits, {}, up to {} seeds", last.pits, last.capture, last.seeds)?;
    writeln!(out, "seeds      positions          bytes  a position  format   checksum")?;
    let line = |out: &mut dyn Write, name: &str, positions: u64, bytes: u64, rest: &str| {
        let share = bytes as f64 / positions as f64;
        writeln!(out, "{name:>5} {positions:>14} {bytes:>14} {share:>11.3}  {rest}")
    };
    for layer in layers {
        let rest = format!("{:<8} {}", layer.format, layer.checksum);
        line(out, &layer.seeds.to_string(), layer.positions, layer.bytes, &rest)?;
    }
    let sum = |of: fn(&Layer) -> u64| layers.iter().map(of).sum();
    Ok(line(out, "all", sum(|layer| layer.positions), sum(|layer| layer.bytes), "")?)
}
