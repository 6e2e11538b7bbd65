//! The standing of a match: its finished games, counted in the order of its
//! schedule.
//!
//! Games finish in any order, on any machine. They are counted in the order of the schedule, so
//! that a match and its merged parts give the same standing. Games that repeat an earlier one from
//! their opening to their end are not new evidence and do not count. An SPRT takes the pairs before
//! the first missing game, one by one; games after its decision do not count. The entry point is
//! [`Standing::new`].

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::schedule::{Fixture, PlacedGames, Schedule, Shard};
use crate::stats::{Encounter, Pentanomial, Rating, Sprt, SprtVerdict, Strength, ratings};
use kalah_game::{Pit, Position, Side};
use kalah_record::opening::Opening;
use kalah_record::{Ending, Game, Reason};
use kalah_tables::statistics::{Estimate, mean};

/// What a standing needs from a finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Its detail is left out unless it is a failure.
    pub(crate) ending: Ending,
    warnings: u32,
    /// Leaves of South and of North, and the number of moves that report them.
    leaves: [(u64, u64); 2],
    /// A hash of the final position and the reason for the ending.
    end: [u8; 16],
    /// The pits of the moves after the opening.
    chosen: Box<[u8]>,
}

/// The results of a match's finished games, by their place in its schedule.
pub type GameResults = BTreeMap<usize, GameResult>;

impl GameResult {
    /// The result of a game; none if it is unfinished.
    pub fn from_game(game: &Game) -> Option<Self> {
        let ending = game.ending()?;
        let end = Sha256::digest(format!("{} {}", game.position(), ending.reason));
        let chosen = game.moves().skip_while(|r#move| r#move.book);
        let mut leaves = [(0u64, 0); 2];
        for step in game.steps() {
            if let Some(visited) = step.r#move.leaves {
                let (sum, moves) = &mut leaves[step.played.side.index()];
                (*sum, *moves) = (sum.saturating_add(visited), *moves + 1);
            }
        }
        Some(Self {
            ending: Ending {
                detail: ending.detail.clone().filter(|_| ending.reason.is_failure()),
                ..*ending
            },
            warnings: game.warnings.len() as u32,
            leaves,
            // Half of the hash suffices: among a million games, the probability of a collision
            // is 10⁻²⁷.
            end: std::array::from_fn(|index| end[index]),
            chosen: chosen.map(|r#move| r#move.pit.index() as u8).collect(),
        })
    }

    /// Whether course and result agree. Times may differ: two parts of a match may both have played
    /// the game.
    pub(super) fn is_same_game(&self, other: &Self) -> bool {
        let Ending { outcome, reason, margin, .. } = other.ending;
        (self.ending.outcome, self.ending.reason, self.ending.margin) == (outcome, reason, margin)
            && (self.end, &self.chosen) == (other.end, &other.chosen)
    }

    /// The move that was made in `position` in a game with this opening, and the half points that
    /// its player finally scored; none if no move was made there.
    pub(crate) fn played_from(&self, opening: &Opening, position: &Position) -> Option<(Pit, u32)> {
        let mut reached = opening.start;
        // Moves change neither the variant nor the number of seeds on the board, so most games
        // need not be replayed.
        if (reached.variant(), reached.total()) != (position.variant(), position.total()) {
            return None;
        }
        let chosen = self.chosen.iter().map(|&pit| Pit::new(pit.into()));
        for pit in opening.moves.iter().copied().chain(chosen) {
            if reached == *position {
                return Some((pit, self.ending.outcome.half_points(position.side())));
            }
            reached.play(pit).ok()?;
        }
        None
    }

    /// Whether one of the games is part of the other: after its opening, the same moves lead to the
    /// same end. One opening of a list often leads to another, so that deterministic players reach
    /// the second one in the game from the first.
    fn repeats(&self, other: &Self) -> bool {
        let is_part = self.chosen.ends_with(&other.chosen) || other.chosen.ends_with(&self.chosen);
        self.end == other.end && is_part
    }
}

/// The results of all finished games.
pub fn results(games: &PlacedGames) -> GameResults {
    let results = games.iter();
    results.filter_map(|(&index, game)| Some((index, GameResult::from_game(game)?))).collect()
}

/// The games of a part that have not been played yet.
pub(crate) fn unplayed<'a>(
    schedule: &'a Schedule,
    shard: Shard,
    results: &GameResults,
) -> Vec<&'a Fixture> {
    let own = schedule.fixtures.iter().filter(|fixture| shard.has(fixture));
    own.filter(|fixture| !results.contains_key(&fixture.index)).collect()
}

/// The games of two players, from the first one's point of view.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PairingScore {
    /// Games won by the first player.
    pub wins: u32,
    /// Drawn games.
    pub draws: u32,
    /// Games won by the second player.
    pub losses: u32,
    /// Pairs of games by the first player's points, in half points.
    #[serde(rename = "pentanomial")]
    pub(crate) pairs: Pentanomial,
    /// The value of `pairs` after each pair.
    #[serde(skip)]
    pub(crate) history: Vec<Pentanomial>,
    /// The mean margin of each pair in which both games have one. The two games share the
    /// advantage of their opening, so only the spread of pairs gives the error of the mean.
    #[serde(skip)]
    pub(crate) pair_margins: Vec<f64>,
    /// Leaves of the first player and of the second, and the number of moves that report
    /// leaves.
    #[serde(skip)]
    leaves: [(u64, u64); 2],
}

impl PairingScore {
    pub(crate) fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The first player's points; a draw is half a point.
    pub(crate) fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// The mean margin of the pairs; none without pairs.
    pub(crate) fn mean_margin(&self) -> Option<Estimate> {
        if self.pair_margins.is_empty() { None } else { Some(mean(&self.pair_margins)) }
    }

    /// Mean leaves per move of the first player and of the second; none for a player that
    /// reports no leaves.
    pub(crate) fn leaves_a_move(&self) -> [Option<f64>; 2] {
        self.leaves.map(|(leaves, moves)| match moves {
            0 => None,
            _ => Some(leaves as f64 / moves as f64),
        })
    }

    /// The first player's strength; none from fewer than two pairs, which give no error.
    pub fn strength(&self) -> Option<Strength> {
        Strength::from_pairs(&self.pairs).filter(|_| self.pairs.pairs() > 1)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct TestStanding {
    #[serde(flatten)]
    pub(crate) hypotheses: Sprt,
    pub(crate) bounds: [f64; 2],
    pub(crate) llr: f64,
    pub(crate) verdict: SprtVerdict,
    /// Number of pairs that the test has taken.
    pub(crate) pairs: u64,
}

impl TestStanding {
    fn new(hypotheses: Sprt, pairs: &Pentanomial) -> Self {
        let llr = hypotheses.llr(pairs);
        Self {
            hypotheses,
            bounds: hypotheses.bounds(),
            llr,
            verdict: hypotheses.verdict(llr),
            pairs: pairs.pairs(),
        }
    }
}

/// The standing of a match.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Standing {
    /// The scores of the pairings that were played, by the indices of their players.
    #[serde(skip)]
    pub scores: BTreeMap<(usize, usize), PairingScore>,
    /// The finished games by the player whose failure ended them and the reason, and the first
    /// detail of each failure.
    #[serde(skip)]
    pub(crate) endings: BTreeMap<(Option<usize>, Reason), (u32, Option<String>)>,
    /// Games that repeat an earlier one and do not count.
    pub(crate) duplicates: u32,
    /// Games after the decision of the SPRT, which do not count.
    pub(crate) after_decision: u32,
    /// Finished games, counted or not.
    pub(crate) finished: u32,
    pub(crate) warnings: u32,
    /// The first and the last number of each run of missing games; games after the decision
    /// of the SPRT are not missing.
    pub missing: Vec<[usize; 2]>,
    #[serde(rename = "sprt")]
    pub(crate) test: Option<TestStanding>,
    #[serde(skip)]
    encounters: Vec<Encounter>,
}

impl Standing {
    /// Counts the finished games of a schedule.
    pub fn new(schedule: &Schedule, results: &GameResults) -> Self {
        Self::after(&Self::default(), schedule, results)
    }

    /// Counts the finished games among `games`.
    pub fn from_games(schedule: &Schedule, games: &PlacedGames) -> Self {
        Self::new(schedule, &results(games))
    }

    /// Like [`Self::new`] if `earlier` is the standing after some of the games: the pairs that left
    /// its SPRT open are not tested again, which would take half a millisecond each.
    pub fn after(earlier: &Self, schedule: &Schedule, results: &GameResults) -> Self {
        let mut counter = GameCounter::new(schedule);
        // The pairs that left an old test open say nothing about a new one.
        if let Some(test) = earlier.test
            && Some(test.hypotheses) == schedule.config.sprt
            && test.verdict == SprtVerdict::Open
        {
            counter.open_pairs = test.pairs;
        }
        // The games of a pair are adjacent.
        for games in schedule.fixtures.chunk_by(|one, other| one.pair() == other.pair()) {
            counter.count_pair(games, results);
        }
        counter.standing
    }

    /// The numbers of games that each player has lost by each failure, with the first detail.
    pub(crate) fn failures(&self) -> impl Iterator<Item = (usize, Reason, u32, Option<&str>)> {
        self.endings.iter().filter_map(|(&(player, reason), (count, detail))| {
            Some((player?, reason, *count, detail.as_deref()))
        })
    }

    /// The number of counted games in all pairings.
    pub(crate) fn counted(&self) -> u32 {
        self.scores.values().map(PairingScore::games).sum()
    }

    /// The ratings of all players; `players` is their number.
    pub(crate) fn ratings(&self, players: usize) -> Vec<Rating> {
        ratings(players, &self.encounters)
    }

    pub(crate) fn is_decided(&self) -> bool {
        matches!(self.test, Some(test) if test.verdict != SprtVerdict::Open)
    }
}

/// Counts the games of a match. A match that is being played counts each pair once, when it and all
/// pairs before it are finished: counting all of them after every game would make its cost
/// quadratic in its pairs.
pub(super) struct GameCounter<'a> {
    schedule: &'a Schedule,
    standing: Standing,
    /// The counted games by South, North and end.
    counted: HashMap<(usize, usize, [u8; 16]), Vec<GameResult>>,
    /// Whether no game has been missing so far. The SPRT stops at the first missing one: its
    /// decision must not depend on which games happened to finish early.
    is_unbroken: bool,
    /// The number of leading pairs that are known to leave the SPRT open.
    open_pairs: u64,
    /// The number of leading games that [`Self::decide`] has counted.
    games: usize,
}

impl<'a> GameCounter<'a> {
    pub(super) fn new(schedule: &'a Schedule) -> Self {
        let none = Pentanomial::default();
        let test = schedule.config.sprt.map(|sprt| TestStanding::new(sprt, &none));
        let standing = Standing { test, ..Standing::default() };
        let counted = HashMap::new();
        Self { schedule, standing, counted, is_unbroken: true, open_pairs: 0, games: 0 }
    }

    /// Whether the test has decided, given the results so far; false if the match has no test.
    pub(super) fn decide(&mut self, results: &GameResults) -> bool {
        let left = &self.schedule.fixtures[self.games..];
        for pair in left.chunk_by(|one, other| one.pair() == other.pair()) {
            let is_open = self.standing.test.is_some() && !self.standing.is_decided();
            if !is_open || pair.iter().any(|game| !results.contains_key(&game.index)) {
                break;
            }
            self.count_pair(pair, results);
            self.games += pair.len();
        }
        self.standing.is_decided()
    }

    fn count_pair(&mut self, games: &[Fixture], results: &GameResults) {
        let played: Vec<_> = games
            .iter()
            .filter_map(|fixture| results.get(&fixture.index).map(|result| (fixture, result)))
            .collect();
        self.is_unbroken &= played.len() == games.len();
        if !self.standing.is_decided() {
            self.note_missing(games, results);
        }
        let mut fresh = Vec::new();
        for &(fixture, result) in &played {
            self.standing.finished += 1;
            self.count_incidents(fixture, result);
            if self.standing.is_decided() {
                self.standing.after_decision += 1;
            } else if self.is_repeated(fixture, result) {
                self.standing.duplicates += 1;
            } else {
                self.count_game(fixture, result);
                fresh.push((fixture, result));
            }
        }
        if let Some((fixture, _)) = fresh.first() {
            self.count_evidence((fixture.first(), fixture.second()), &fresh);
        }
    }

    fn note_missing(&mut self, games: &[Fixture], results: &GameResults) {
        for fixture in games.iter().filter(|fixture| !results.contains_key(&fixture.index)) {
            let number = fixture.index + 1;
            match self.standing.missing.last_mut() {
                Some([_, last]) if *last + 1 == number => *last = number,
                _ => self.standing.missing.push([number; 2]),
            }
        }
    }

    fn count_incidents(&mut self, fixture: &Fixture, result: &GameResult) {
        self.standing.warnings += result.warnings;
        let Ending { reason, detail, .. } = &result.ending;
        let failed = result.ending.failed().map(|side| fixture.players[side.index()]);
        let (count, first_detail) = self.standing.endings.entry((failed, *reason)).or_default();
        *count += 1;
        *first_detail = first_detail.take().or_else(|| detail.clone());
    }

    /// Whether the same players have played the same game before. A failure is never a
    /// repetition, because even deterministic players can fail at any time.
    fn is_repeated(&mut self, fixture: &Fixture, result: &GameResult) -> bool {
        let [south, north] = fixture.players;
        let alike = self.counted.entry((south, north, result.end)).or_default();
        let is_failure = result.ending.reason.is_failure();
        let is_new = is_failure || !alike.iter().any(|known| known.repeats(result));
        if is_new {
            alike.push(result.clone());
        }
        !is_new
    }

    fn count_game(&mut self, fixture: &Fixture, result: &GameResult) {
        let side = side_of_first(fixture);
        let pairing = (fixture.first(), fixture.second());
        let score = self.standing.scores.entry(pairing).or_default();
        let half_points = result.ending.outcome.half_points(side);
        match half_points {
            2 => score.wins += 1,
            1 => score.draws += 1,
            _ => score.losses += 1,
        }
        for (player, side) in [side, side.other()].into_iter().enumerate() {
            let (leaves, moves) = &mut score.leaves[player];
            let (more, counted) = result.leaves[side.index()];
            (*leaves, *moves) = (leaves.saturating_add(more), *moves + counted);
        }
    }

    /// Adds the counted games of a pair to the ratings, the pairs and the SPRT.
    fn count_evidence(
        &mut self,
        (first, second): (usize, usize),
        fresh: &[(&Fixture, &GameResult)],
    ) {
        let half_points = fresh
            .iter()
            .map(|(fixture, result)| result.ending.outcome.half_points(side_of_first(fixture)))
            .sum();
        self.standing.encounters.push(Encounter {
            first,
            second,
            half_points,
            games: fresh.len() as u32,
        });
        // A single game counts for ratings. The pentanomial model needs whole pairs, whose
        // two games share the advantage of their opening.
        if fresh.len() < 2 {
            return;
        }
        let score = self.standing.scores.entry((first, second)).or_default();
        score.pairs.add(half_points);
        score.history.push(score.pairs);
        let margins: Option<Vec<f64>> = fresh
            .iter()
            .map(|(fixture, result)| {
                Some(side_of_first(fixture).view_of(f64::from(result.ending.margin?.0)))
            })
            .collect();
        score.pair_margins.extend(margins.map(|margins| mean(&margins).value));
        let pairs = score.pairs;
        // Earlier pairs are known to leave the test open. The last of them is recomputed,
        // because the standing shows its ratio.
        let sprt = self.schedule.config.sprt.filter(|_| self.is_unbroken);
        if let Some(sprt) = sprt.filter(|_| pairs.pairs() >= self.open_pairs) {
            self.standing.test = Some(TestStanding::new(sprt, &pairs));
        }
    }
}

/// The side of the first player of the pairing.
pub(super) fn side_of_first(fixture: &Fixture) -> Side {
    if fixture.players[0] == fixture.first() { Side::South } else { Side::North }
}

#[cfg(test)]
mod tests {
    use kalah_game::{Position, Rules};
    use kalah_record::opening::random;
    use kalah_sys::random::SplitMix64;

    use super::*;
    use crate::config::{MatchConfig, PlayerConfig};

    /// A result that no other game has.
    fn won(winner: Side, index: usize) -> GameResult {
        GameResult {
            ending: Ending::lost_by(winner.other(), Reason::Majority, None),
            warnings: 0,
            leaves: Default::default(),
            end: [index as u8; 16],
            chosen: [index as u8].into(),
        }
    }

    #[test]
    fn leading_pairs_decide_a_test_when_a_full_count_does() {
        const GAMES: usize = 40;
        let start = Position::start(Rules::default());
        let mut numbers = SplitMix64::new(1);
        let mut decided = 0;
        for test in ["", "elo0=0 elo1=300"].into_iter().chain(["elo0=-50 elo1=200"; 9]) {
            let players = ["random", "greedy"].map(|words| PlayerConfig::parse(words, "").unwrap());
            let config = MatchConfig {
                players: players.into(),
                openings: random(start, 3, GAMES / 2, 1),
                rounds: GAMES as u32 / 2,
                sprt: if test.is_empty() { None } else { Some(test.parse().unwrap()) },
                ..MatchConfig::default()
            };
            let schedule = Schedule::new(config).unwrap();
            let mut leading = GameCounter::new(&schedule);
            let mut results = GameResults::new();
            // Nearly in order, as several workers finish their games.
            let mut order: Vec<usize> = (0..GAMES).collect();
            order.chunks_mut(7).for_each(|games| numbers.shuffle(games));
            for index in order {
                let first = Side::BOTH[index % 2];
                let winner = if numbers.below(4) > 0 { first } else { first.other() };
                results.insert(index, won(winner, index));
                let is_decided = Standing::new(&schedule, &results).is_decided();
                assert_eq!(leading.decide(&results), is_decided, "{index}");
                decided += u32::from(is_decided);
            }
        }
        assert!((50..400).contains(&decided), "{decided}");
    }
}
