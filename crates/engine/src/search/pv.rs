//! The triangular table of principal variations: each ply of the current path
//! holds the best known sequence of moves from there on.

use kalah_game::{Pit, Ply};

/// The principal variation below each ply. Only nodes with an open window write to it; the
/// variation below a node is valid right after the search of its child.
#[derive(Debug, Default)]
pub(super) struct PvTable {
    plies: Vec<Vec<Pit>>,
}

impl PvTable {
    pub(super) fn root(&self) -> &[Pit] {
        match self.plies.first() {
            Some(pv) => pv,
            None => &[],
        }
    }

    /// Forgets the pv from `ply` onwards.
    pub(super) fn clear(&mut self, ply: Ply) {
        self.at(ply).clear();
    }

    /// Sets the pv from `ply` onwards to `pit` alone.
    pub(super) fn start(&mut self, ply: Ply, pit: Pit) {
        let pv = self.at(ply);
        pv.clear();
        pv.push(pit);
    }

    /// Sets the pv from `ply` onwards to `pit` followed by the pv of the next ply.
    pub(super) fn extend(&mut self, ply: Ply, pit: Pit) {
        let below = std::mem::take(self.at(ply.next()));
        self.start(ply, pit);
        self.at(ply).extend(&below);
        // Return the buffer, so that each ply keeps its allocation for the next node.
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
