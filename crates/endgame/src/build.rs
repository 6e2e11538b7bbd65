//! Retrograde analysis in memory: layers of equal seeds in play, the fewest seeds first.
//!
//! This is sound because no move adds seeds: a position depends only on its own layer and on
//! lower layers, which are finished.

use std::{path::Path, sync::OnceLock};

use super::extent::{BuildError, Extent};
use super::found::LayerFault;
use super::layer::{LayerBuilder, OnPositions};
use super::layer_file::{self, layer_in};
use super::layout::Layout;
use super::tables::{Origin, Tables, Wins};
use kalah_game::Variant;
use kalah_sys::clock::Instant;
use kalah_sys::machine::{available_memory, processors, require_address_space};
use kalah_sys::memory::{ZeroedBytes, zeroed_bytes};

/// Tables being built; the layers below [`TableBuilder::next_layer`] are finished.
#[derive(Debug)]
pub(super) struct TableBuilder {
    extent: Extent,
    layout: Layout,
    /// The packed numbers of seeds that the mover of each position still wins.
    wins: ZeroedBytes,
    layers: LayerBuilder,
    next: u32,
    started: Instant,
    origin: Origin,
}

impl TableBuilder {
    /// Allocates tables; no layer is finished yet.
    pub(super) fn new(extent: Extent) -> Result<Self, BuildError> {
        // Checked before allocating: a system that overcommits grants the memory and kills the
        // process once it is written to. Besides, a small allocation that fails aborts the process.
        require_address_space(extent.build_memory())?;
        if let Some(available) = available_memory().filter(|&bytes| bytes < extent.build_memory()) {
            let fitting = Extent::fitting(extent.variant(), available);
            return Err(BuildError::TooLarge { extent, available, fitting });
        }
        let layout = Layout::new(extent.variant().pits(), extent.seeds());
        Ok(Self {
            wins: zeroed_bytes(layout.bytes())?,
            layers: LayerBuilder::new(extent.variant()),
            next: 0,
            started: Instant::now(),
            origin: Origin::default(),
            extent,
            layout,
        })
    }

    /// The seeds of the lowest unfinished layer; `None` if all are finished.
    pub(super) fn next_layer(&self) -> Option<u32> {
        if self.next <= self.extent.seeds() { Some(self.next) } else { None }
    }

    /// Computes the next layer and returns its bytes.
    pub(super) fn fill_layer(&mut self, threads: usize, progress: OnPositions) -> &[u8] {
        let layer = self.layout.layer(self.next);
        let bytes = &mut self.wins[..layer.end];
        self.layers.fill(&self.layout, bytes, self.next, threads, progress);
        self.origin.built.push(self.next);
        self.next += 1;
        &self.wins[layer]
    }

    /// Reads the next layer from `folder`; it is finished if that succeeds.
    pub(super) fn read_layer(
        &mut self,
        folder: &Path,
        progress: OnPositions,
    ) -> Result<(), LayerFault> {
        let seeds = self.next;
        let (path, layer) = layer_in(folder, self.extent.variant(), seeds);
        let bytes = &mut self.wins[self.layout.layer(seeds)];
        if let Err(error) = layer_file::read(&path, layer, bytes, processors()) {
            // A failed read may have filled part of it, and the caller may now build this layer
            // instead.
            bytes.fill(0);
            return Err(LayerFault::new(path, seeds, error));
        }
        self.origin.read = Some((folder.to_owned(), seeds));
        self.next += 1;
        progress(self.layout.layer_len(seeds));
        Ok(())
    }

    /// Takes the layers of smaller tables, which are then finished.
    fn copy_layers(&mut self, smaller: &Tables) {
        for seeds in 0..=smaller.seeds() {
            self.wins[self.layout.layer(seeds)].copy_from_slice(smaller.layer(seeds));
        }
        self.next = smaller.seeds() + 1;
        self.origin = smaller.origin.clone();
    }

    /// The tables, once all layers are finished.
    pub(super) fn finish(self) -> Tables {
        debug_assert_eq!(self.next_layer(), None);
        Tables {
            layout: self.layout,
            variant: self.extent.variant(),
            wins: Wins::Memory(self.wins),
            origin: Origin { time: self.started.elapsed(), ..self.origin },
            checksum: OnceLock::new(),
        }
    }
}

impl Tables {
    /// Builds tables for up to `seeds` seeds in play, on `threads` threads.
    ///
    /// # Errors
    /// [`BuildError`] if they are too large or there is no memory for them.
    pub fn build(variant: Variant, seeds: u32, threads: usize) -> Result<Self, BuildError> {
        Self::build_extent(Extent::new(variant, seeds)?, threads, &|_| ())
    }

    /// Tables with one more seed in play, built on one thread; `None` if both together would take more
    /// than `bytes` bytes, or if there is little memory left.
    pub fn with_another_layer(&self, bytes: u64) -> Option<Self> {
        let extent = Extent::new(self.variant, self.seeds() + 1).ok()?;
        let needed = self.bytes_in_memory() + extent.build_memory();
        if needed > bytes {
            return None;
        }
        if let Some(available) = available_memory()
            && available / 2 < needed
        {
            return None;
        }
        let mut builder = TableBuilder::new(extent).ok()?;
        builder.copy_layers(self);
        builder.fill_layer(1, &|_| ());
        Some(builder.finish())
    }

    /// Builds tables of the given extent; `progress` receives the positions as they are
    /// finished.
    ///
    /// # Errors
    /// [`BuildError`] if there is no memory for them.
    pub fn build_extent(
        extent: Extent,
        threads: usize,
        progress: OnPositions,
    ) -> Result<Self, BuildError> {
        let mut builder = TableBuilder::new(extent)?;
        while builder.next_layer().is_some() {
            builder.fill_layer(threads, progress);
        }
        Ok(builder.finish())
    }
}
