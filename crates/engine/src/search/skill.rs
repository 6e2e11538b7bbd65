//! Weaker play for human opponents: fewer nodes, and the errors that people make.
//!
//! A player below full strength visits few nodes and then chooses among all its moves. It may take
//! an extra turn without thinking, may overlook the captures that a move allows, and values each
//! move with a random error. With each level, the nodes increase and the errors decrease, so each
//! level loses to the next; `doc/lab/levels.md` has the ladder. Below level 0, a share of the moves
//! is random.

use rand::{Rng, RngExt};

use kalah_game::{Gain, Landing, Pit, Position, Value};

use super::{event::Info, limits::Limits};

/// A strength in hundredths of a level, from random moves (level -1) to [`Skill::FULL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skill(i16);

/// The Elo ratings of levels -1, 0, 1, 2, …, measured with `kalah match` (`doc/lab/levels.md`).
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
    use kalah_game::{Capture, Depth};
    use rand::{SeedableRng, rngs::SmallRng};

    #[test]
    fn a_move_may_overlook_the_captures_that_it_allows() {
        // a ends in the empty b, opposite B.
        let position = Position::parse("<3,0,0,1,4,2,1,0,5> S", Capture::Standard).unwrap();
        assert_eq!(threatened(&position, Pit::new(0)), Gain(6), "B has 5 seeds then");
        assert_eq!(threatened(&position, Pit::new(1)), Gain::ZERO, "B is empty then");
        assert!(!keeps_turn(&position, Pit::new(1)));
        let position = Position::parse("<3,0,0,1,2,2,1,0,5> S", Capture::Standard).unwrap();
        assert!(keeps_turn(&position, Pit::new(1)));
        // After B, which keeps the turn, South itself could capture 5 seeds with A.
        let position = Position::parse("<3,0,0,1,2,2,1,4,5> S", Capture::Standard).unwrap();
        assert_eq!(threatened(&position, Pit::new(1)), Gain::ZERO);
        assert_eq!(threatened(&position, Pit::new(3)), Gain::ZERO, "there is no such pit");
    }

    fn info(pit: usize, seeds: i32) -> Info {
        Info { pv: vec![Pit::new(pit)], margin: Gain(seeds).into(), ..Info::default() }
    }

    /// How often a player chooses each of the moves with these margins, of 1,000 times.
    fn choices<const N: usize>(skill: Skill, position: &Position, infos: [Info; N]) -> [u32; N] {
        let mut random = SmallRng::seed_from_u64(5);
        let mut counts = [0; N];
        for _ in 0..1000 {
            let chosen = skill.choose(position, &infos, &mut random).unwrap();
            counts[infos.iter().position(|info| info.pv[0] == chosen).unwrap()] += 1;
        }
        counts
    }

    #[test]
    fn errors_of_beginners_reach_thirty_seeds_and_vanish_with_the_level() {
        // No move of North's can capture, and no move keeps the turn.
        let position = Position::parse("<3,0,0,1,1,2,0,0,9> S", Capture::Standard).unwrap();
        let choices =
            |skill: Skill, worse: i32| choices(skill, &position, [info(0, 0), info(1, -worse)]);
        let beginner = Skill::new(0).unwrap();
        // Errors between -30 and 30 seeds outweigh 10 seeds in two of nine cases.
        let [_, often] = choices(beginner, 10);
        assert!((300..400).contains(&often), "{often}");
        assert_eq!(choices(beginner, 61), [1000, 0]);
        // At level 5, an eighth of that: 3.75 seeds.
        let half = Skill::new(5).unwrap();
        assert!(choices(half, 6)[1] > 0);
        assert_eq!(choices(half, 8), [1000, 0]);
        let random = choices(Skill::from_elo(0), 900);
        assert!(random.iter().all(|&count| count > 400), "{random:?}");
        let [_, often] = choices(Skill::HALF_RANDOM, 900);
        assert!((200..300).contains(&often), "{often}");
    }

    #[test]
    fn beginners_take_six_of_ten_extra_turns_without_thinking() {
        let position = Position::parse("<3,0,0,3,1,1,0,9,0> S", Capture::Standard).unwrap();
        let moves = || [info(1, 0), info(0, -900), info(2, -900)];
        let [_, farther, nearest] = choices(Skill::new(0).unwrap(), &position, moves());
        assert!(farther == 0 && (550..650).contains(&nearest), "{farther}, {nearest}");
        let [_, _, nearest] = choices(Skill::new(5).unwrap(), &position, moves());
        assert!((50..100).contains(&nearest), "an eighth of that: {nearest}");
    }

    #[test]
    fn each_level_has_its_elo_and_every_elo_its_strength() {
        let levels: Vec<u32> = (0..=10).map(|level| Skill::new(level).unwrap().elo()).collect();
        assert_eq!(levels, [270, 310, 400, 560, 735, 1000, 1275, 1450, 1450, 1450, 1450]);
        assert_eq!(Skill::new(11), None);
        for elo in 0..=1450 {
            let skill = Skill::from_elo(elo);
            assert!(skill.elo() <= elo && Skill::from_elo(skill.elo()) == skill, "{elo}");
        }
        assert_eq!(Skill::from_elo(9999), Skill::from_elo(1450));
        assert_eq!(Skill::from_elo(0).elo(), 0);
    }

    #[test]
    fn a_level_tightens_the_limit_and_never_widens_it() {
        let nodes = |level, limits| Skill::new(level).unwrap().limit(limits).nodes;
        assert_eq!(
            [0, 1, 4].map(|level| nodes(level, Limits::default())),
            [30, 120, 7680].map(Some)
        );
        assert_eq!(nodes(4, Limits::nodes(100)), Some(100));
        assert_eq!(nodes(0, Limits::nodes(100)), Some(30));
        assert_eq!(Skill::FULL.limit(Limits::default()), Limits::default());
        assert_eq!(Skill::from_elo(0).limit(Limits::depth(Depth(3))).depth, Some(Depth(3)));
    }
}
