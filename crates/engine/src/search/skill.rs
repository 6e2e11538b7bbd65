//! Weaker play for human opponents: fewer nodes, and the errors that people make.
//!
//! A player below full strength visits few nodes and then chooses among all its moves. It may take
//! an extra turn without thinking, may overlook the captures that a move allows, and values each
//! move with a random error. With each level, the nodes increase and the errors decrease, so each
//! level loses to the next; `doc/play.md` has the ladder. Below level 0, a share of the moves is
//! random.

use rand::{Rng, RngExt};

use kalah_game::{Gain, Landing, Pit, Position, Value};

use super::{event::Info, limits::Limits};

/// A strength in hundredths of a level, from random moves (level -1) to [`Skill::FULL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skill(i16);

/// The Elo ratings of levels -1, 0, 1, 2, …, measured with `kalah match` (`doc/play.md`).
const LADDER: [u32; 9] = [0, 270, 310, 400, 560, 735, 1000, 1275, 1450];

const LEVEL: i16 = 100;

impl Skill {
    /// The strongest level, 10: no limit.
    pub const FULL: Self = Self(10 * LEVEL);

    /// Half of its moves are random, the others those of level 0.
    pub const HALF_RANDOM: Self = Self(-LEVEL / 2);

    /// The lowest and the highest Elo that [`Skill::from_elo`] accepts unclamped.
    pub const ELO: [u32; 2] = [LADDER[0], LADDER[LADDER.len() - 1]];

    /// The level with this number, if there is one.
    pub const fn new(level: u8) -> Option<Self> {
        if level <= 10 { Some(Self(LEVEL * level as i16)) } else { None }
    }

    /// The strength of a player with this Elo, on a scale where random play has 0; `elo` is
    /// clamped to [`Skill::ELO`].
    pub fn from_elo(elo: u32) -> Self {
        let elo = elo.clamp(Self::ELO[0], Self::ELO[1]);
        let rung = LADDER.partition_point(|&rung| rung <= elo).min(LADDER.len() - 1) - 1;
        let below = LADDER[rung];
        let above = LADDER[rung + 1];
        let part = LEVEL as u32 * (elo - below) / (above - below);
        Self(LEVEL * (rung as i16 - 1) + part as i16)
    }

    /// The Elo of this strength, at most the highest of [`Skill::ELO`].
    pub fn elo(self) -> u32 {
        let steps = (self.0 + LEVEL).max(0) as u32;
        let rung = (steps / LEVEL as u32) as usize;
        let Some(&[below, above]) = LADDER.get(rung..rung + 2).and_then(|pair| pair.first_chunk())
        else {
            return Self::ELO[1];
        };
        below + (steps % LEVEL as u32 * (above - below)).div_ceil(LEVEL as u32)
    }

    /// Whether this is full strength.
    pub fn is_full(self) -> bool {
        self == Self::FULL
    }

    /// The level, at least 0.
    fn level(self) -> f64 {
        f64::from(self.0.max(0)) / f64::from(LEVEL)
    }

    /// The `limits` of a search, tightened to this level.
    pub(super) fn limit(self, limits: Limits) -> Limits {
        if self.is_full() {
            return limits;
        }
        // 30 nodes at level 0, and four times as many at each further level.
        let max = (30.0 * 4f64.powf(self.level())) as u64;
        Limits { nodes: Some(limits.nodes.unwrap_or(max).min(max)), ..limits }
    }

    /// The share of a beginner's errors: 1 at level 0, 0 at full strength.
    fn error(self) -> f64 {
        (1.0 - self.level() / 10.0).powi(3)
    }

    /// The move that a player of this level chooses in `position`, given the pvs of all moves
    /// that may be played.
    pub(super) fn choose(
        self,
        position: &Position,
        pvs: &[Info],
        random: &mut impl Rng,
    ) -> Option<Pit> {
        // The share of random moves is 1 at level -1 and falls to 0 at level 0.
        if self.0 < 0 && random.random_bool(f64::from(-self.0) / f64::from(LEVEL)) {
            let chosen = pvs.get(random.random_range(..pvs.len().max(1)))?;
            return chosen.pv.first().copied();
        }
        // Drawn once for the whole choice and not for each move: a person who overlooks a capture
        // overlooks it in every line.
        let moves = pvs.iter().filter_map(|info| Some((*info.pv.first()?, info.margin)));
        let is_hasty = random.random_bool(HASTE * self.error());
        let overlooks = random.random_bool(OVERSIGHT * self.error());
        let extra_turns =
            moves.clone().map(|(pit, _)| pit).filter(|&pit| keeps_turn(position, pit));
        if let Some(nearest) = extra_turns.max().filter(|_| is_hasty) {
            return Some(nearest);
        }
        let max = (MAX_ERROR * self.error()) as i32;
        let judged = moves.map(|(pit, margin)| {
            let overlooked = if overlooks { threatened(position, pit) } else { Gain::ZERO };
            let error = random.random_range(-max..=max);
            (margin + overlooked.into() + Value(error), pit)
        });
        // Among equal values the first move wins, because the pvs are sorted best first.
        judged.rev().max_by_key(|&(value, _)| value).map(|(_, pit)| pit)
    }
}

/// The probability that level 0 takes an extra turn without thinking.
const HASTE: f64 = 0.6;
/// The probability that level 0 overlooks captures.
const OVERSIGHT: f64 = 0.8;
/// The largest error of level 0 in a move's value, in hundredths of a seed.
const MAX_ERROR: f64 = 3000.0;

fn keeps_turn(position: &Position, pit: Pit) -> bool {
    let mut after = *position;
    matches!(after.play(pit), Ok(played) if played.last == Landing::Store)
}

/// The largest number of seeds that the opponent can capture right after `pit` is sown.
fn threatened(position: &Position, pit: Pit) -> Gain {
    let mut after = *position;
    if after.play(pit).is_err() || after.side() == position.side() {
        return Gain::ZERO;
    }
    let captured = after.children().map(|(reply, _)| reply.captured);
    Gain(captured.max().unwrap_or(0) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_game::Capture;

    #[test]
    fn a_move_may_overlook_the_captures_that_it_allows() {
        // a ends in the empty b, opposite B.
        let position = Position::parse("<3,0,0,1,4,2,1,0,5> S", Capture::Standard).unwrap();
        assert_eq!(threatened(&position, Pit::new(0)), Gain(6), "B has 5 seeds then");
        assert_eq!(threatened(&position, Pit::new(1)), Gain::ZERO, "B is empty then");
        assert!(!keeps_turn(&position, Pit::new(1)));
        let position = Position::parse("<3,0,0,1,2,2,1,0,5> S", Capture::Standard).unwrap();
        assert!(keeps_turn(&position, Pit::new(1)));
    }
}
