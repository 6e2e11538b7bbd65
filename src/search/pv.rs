//! The triangular table of principal variations: each ply of the current path
//! holds the best sequence of moves known from there on.

use crate::game::Pit;
use crate::game::depth::Ply;

/// The principal variation below each ply. Only nodes with an open window write to it; the
/// variation below a node is valid right after the search of its child.
#[derive(Debug, Default)]
pub(super) struct PvTable {
    plies: Vec<Vec<Pit>>,
}

impl PvTable {
    pub(super) fn root(&self) -> &[Pit] {
        self.plies.first().map_or(&[], Vec::as_slice)
    }

    /// No pv is known from `ply` on.
    pub(super) fn clear(&mut self, ply: Ply) {
        self.at(ply).clear();
    }

    /// The pv from `ply` on is `pit`, with nothing known after it.
    pub(super) fn start(&mut self, ply: Ply, pit: Pit) {
        let pv = self.at(ply);
        pv.clear();
        pv.push(pit);
    }

    /// The pv from `ply` on is `pit` and the pv of the next ply.
    pub(super) fn extend(&mut self, ply: Ply, pit: Pit) {
        let below = std::mem::take(self.at(ply.next()));
        self.start(ply, pit);
        self.at(ply).extend(&below);
        // Give the allocation back.
        *self.at(ply.next()) = below;
    }

    fn at(&mut self, ply: Ply) -> &mut Vec<Pit> {
        let index = usize::from(ply.0);
        if self.plies.len() <= index {
            self.plies.resize(index + 1, Vec::new());
        }
        &mut self.plies[index]
    }
}
