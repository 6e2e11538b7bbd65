//! Independent verification of tables: recomputes gains without the code that built them.
//!
//! A gain is right if it follows from the gains of the positions one move away and those
//! are right. So if all gains of all layers follow, all are right, because every game ends.
//! Plain minimax takes longer and needs no table at all. Both make moves one by one and
//! share nothing with the builder.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use thiserror::Error;

use super::{layer::OnPositions, layout::RowCounts, tables::Tables};
use kalah_game::{
    Board, Capture, Gain, Position, Row, Rules, Side, Sowing, Variant, Wide, with_row,
};
use kalah_sys::{parallel::map, random::SplitMix64};

/// Error for a position whose gain in the tables is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{position}: expected a gain of {expected}, got {got} from the tables")]
#[non_exhaustive]
pub struct Mismatch {
    /// The position, with South to move and both stores empty.
    pub position: Position,
    /// The gain as recomputed.
    pub expected: Gain,
    /// The gain that the tables hold.
    pub got: Gain,
}

/// Which positions of a layer to verify.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerSample {
    /// The number of positions drawn at random, some perhaps twice; all positions of a layer that
    /// has no more.
    pub count: u64,
    /// The seed of the random numbers; the same seed always draws the same positions.
    pub seed: u64,
}

impl LayerSample {
    /// Every position.
    pub const ALL: Self = Self { count: u64::MAX, seed: 0 };

    /// The number of positions in the sample of a layer with `positions` positions.
    pub fn size(self, positions: u64) -> u64 {
        self.count.min(positions)
    }

    /// The numbers of a chunk of the sample. Each chunk has its own stream of random numbers, so
    /// that the sample is the same for any number of threads.
    fn numbers(self, chunk: Range<u64>, positions: u64) -> impl Iterator<Item = u64> {
        let is_all = self.count >= positions;
        let mut random = SplitMix64::new(self.seed.wrapping_add(chunk.start));
        chunk.map(
            move |number| {
                if is_all { number } else { random.below(positions as usize) as u64 }
            },
        )
    }
}

/// Recomputes positions with `seeds` seeds in play from the positions one move
/// away, which the tables hold, too. Returns the number recomputed.
///
/// # Errors
/// [`Mismatch`] with one position that is wrong.
pub fn verify_layer(
    tables: &Tables,
    seeds: u32,
    sample: LayerSample,
    threads: usize,
    progress: OnPositions,
) -> Result<u64, Mismatch> {
    let check: Box<dyn Fn(u64) -> Option<Mismatch> + Sync> = with_row!(tables, R => {
        let sowing = Sowing::<R>::new(tables.variant());
        Box::new(move |number| check(tables, &sowing, seeds, number))
    });
    let positions = tables.layer_len(seeds);
    let total = sample.size(positions);
    let wrong = AtomicBool::new(false);
    let chunks: Vec<u64> = (0..total).step_by(CHUNK).collect();
    let mismatches = map(&chunks, threads, &|| (), |&first| {
        // One wrong position is enough.
        if wrong.load(Relaxed) {
            return None;
        }
        let last = total.min(first + CHUNK as u64);
        let mismatch = sample.numbers(first..last, positions).find_map(&check);
        wrong.fetch_or(mismatch.is_some(), Relaxed);
        progress(last - first);
        mismatch
    });
    match mismatches.into_iter().flatten().next() {
        Some(mismatch) => Err(mismatch),
        None => Ok(total),
    }
}

/// Positions that a thread takes at a time.
const CHUNK: usize = 1 << 16;

/// Recomputes the position with this number in the layer of `seeds` seeds.
fn check<R: Row>(tables: &Tables, sowing: &Sowing<R>, seeds: u32, number: u64) -> Option<Mismatch> {
    let rows = tables.layout.rows_at(seeds, number);
    let [own, opponent] = rows.map(|row| R::from_counts(&row.map(u16::from)[..R::LANES]));
    let board = Board { own, opponent };
    // A move leads to fewer seeds in play or to a lower rank of the mover's row, so no
    // value can confirm itself.
    let gains = board.moves(tables.variant()).iter().map(|pit| {
        let sown = board.sow(sowing, pit);
        let rest = tables.gain(sown.board).expect("no move adds seeds");
        sown.gain() + sown.turn.from_child(rest)
    });
    let expected = gains.max().unwrap_or_else(|| board.final_gain(tables.variant()));
    let got = tables.gain(board).expect("a position of a layer");
    if expected == got {
        return None;
    }
    Some(Mismatch { position: position(tables, rows), expected, got })
}

fn position(tables: &Tables, rows: [RowCounts; 2]) -> Position {
    let rows = rows.map(|row| row.map(u32::from));
    let pits = tables.variant().pits();
    let rows = [&rows[0][..pits], &rows[1][..pits]];
    Position::new(rows, [0, 0], Side::South, tables.variant().capture())
        .expect("the rows of a layer are a legal position")
}

/// Compares positions with `seeds` seeds in play with plain minimax. Returns the number
/// compared.
///
/// # Errors
/// [`Mismatch`] with one position that is wrong.
pub fn verify_by_minimax(
    tables: &Tables,
    seeds: u32,
    sample: LayerSample,
    minimax: &mut Minimax,
) -> Result<u64, Mismatch> {
    let positions = tables.layer_len(seeds);
    let total = sample.size(positions);
    for number in sample.numbers(0..total, positions) {
        let position = position(tables, tables.layout.rows_at(seeds, number));
        let expected = minimax.gain(&position);
        let got = tables.gain(position.board::<Wide>()).expect("a position of a layer");
        if expected != got {
            return Err(Mismatch { position, expected, got });
        }
    }
    Ok(total)
}

/// Minimax on the plain rules, with memoised gains.
#[derive(Debug, Default)]
pub struct Minimax {
    known: HashMap<(Variant, Board<Wide>), Gain>,
}

impl Minimax {
    /// The gain of the mover of `position`.
    pub fn gain(&mut self, position: &Position) -> Gain {
        let key = (position.variant(), position.board());
        if let Some(&gain) = self.known.get(&key) {
            return gain;
        }
        let mover = position.side();
        let lead = position.lead(mover);
        let gains = position.children().map(|(played, after)| {
            after.lead(mover) - lead + played.turn.from_child(self.gain(&after))
        });
        let gain = gains.max().unwrap_or_else(|| position.margin(mover) - lead);
        self.known.insert(key, gain);
        gain
    }
}

/// Positions for which [`Minimax`] is fast: all of two pits with at most three seeds in each, and
/// the starts with three pits and two or three seeds, under both rules of capture. No game in them
/// is over.
pub fn small_positions() -> Vec<Position> {
    let mut positions = Vec::new();
    for capture in Capture::ALL {
        for n in 0..256 {
            let south = [n % 4, n / 4 % 4];
            let north = [n / 16 % 4, n / 64];
            let position = Position::new([&south[..], &north], [0, 0], Side::South, capture);
            positions.push(position.expect("a position of a few seeds"));
        }
        for seeds in [2, 3] {
            let rules = Rules::new(3, seeds, capture).expect("a small board");
            positions.push(Position::start(rules));
        }
    }
    positions.retain(|position| !position.is_over());
    positions
}
