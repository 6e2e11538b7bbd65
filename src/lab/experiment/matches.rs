//! Matches of whole games between algorithms, at equal leaves or equal time.

use std::cell::Cell;
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use crate::game::{Position, Row, Rules, Side, with_row};
use crate::lab::algorithms::{
    Algorithm, Check, Child, Event, ExtraTurns, KalahTree, Method, Model, Observer, Options, Order,
    Player, Policy, Run, Search, Tree, deepening, f3, probcut, scout, test_above, uct,
};
use crate::score::{Gain, Score as _, Window};
use crate::sys::names::UnknownName;
use crate::sys::parallel::map;
use crate::sys::random::{SplitMix64, mix_nth};

use super::ensemble::{Ensemble, best_child, turn};

/// An algorithm that plays whole games, deepened until its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Rival {
    /// Alpha-beta F3 without a transposition table.
    AlphaBeta,
    /// SCOUT without a transposition table.
    Scout,
    /// ProbCut with the model of the match.
    ProbCut,
    /// UCT, which does not deepen.
    Uct(Policy),
    /// An algorithm with a transposition table.
    WithTable(Algorithm),
}

impl Rival {
    /// Every rival with its name in options and tables.
    pub(crate) const NAMED: [(&'static str, Self); 8] = [
        ("alphabeta", Rival::AlphaBeta),
        ("scout", Rival::Scout),
        ("probcut", Rival::ProbCut),
        ("uct", Rival::Uct(Policy::Ucb1)),
        ("uct-tuned", Rival::Uct(Policy::Ucb1Tuned)),
        ("alphabeta-tt", Rival::WithTable(Algorithm::F3)),
        ("negascout-tt", Rival::WithTable(Algorithm::NegaScout(Options::CORRECTED))),
        ("mtd-f", Rival::WithTable(Algorithm::MtdF)),
    ];

    /// Which child it searches first. Random games have no use for an order.
    fn order(self) -> Order {
        if matches!(self, Rival::Uct(_)) { Order::Far } else { Order::Static }
    }
}

impl fmt::Display for Rival {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Self::NAMED.iter().find(|(_, rival)| rival == self);
        f.pad(named.map_or("custom", |(name, _)| name))
    }
}

impl FromStr for Rival {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let named = Self::NAMED.into_iter().find(|(name, _)| *name == text);
        named
            .map(|(_, rival)| rival)
            .ok_or_else(|| UnknownName::new("rival", Self::NAMED.map(|(name, _)| name), text))
    }
}

/// What a rival may spend on a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TurnLimit {
    /// Leaves; for UCT, random games.
    Leaves(u64),
    /// Wall-clock time. What is played then differs from run to run.
    Time(Duration),
}

impl fmt::Display for TurnLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TurnLimit::Leaves(leaves) => write!(f, "{leaves} leaves a turn"),
            TurnLimit::Time(time) => write!(f, "{} ms a turn", time.as_millis()),
        }
    }
}

/// Counts leaves and stops the search at the limit.
struct Meter {
    leaves: u64,
    most: u64,
    until: Option<Instant>,
    late: bool,
}

impl Meter {
    fn new(limit: TurnLimit) -> Self {
        let (most, until) = match limit {
            TurnLimit::Leaves(leaves) => (leaves, None),
            TurnLimit::Time(time) => (u64::MAX, Some(Instant::now() + time)),
        };
        Self { leaves: 0, most, until, late: false }
    }
}

impl<N> Observer<N> for Meter {
    #[inline]
    fn observe(&mut self, event: Event<N>) {
        if !matches!(event, Event::Leaf(_)) {
            return;
        }
        self.leaves += 1;
        // Reading the clock costs about as much as a leaf.
        if self.leaves.is_multiple_of(64) && self.until.is_some_and(|until| Instant::now() >= until)
        {
            self.late = true;
        }
    }

    #[inline]
    fn is_stopped(&self) -> bool {
        self.leaves >= self.most || self.late
    }
}

/// The deepest iteration; no game of a board that people play lasts longer.
const DEEPEST: u16 = 200;

/// The number of the turn that `rival` plays, as [`turn`] counts, and the leaves
/// that it visited.
fn choose<R: Row>(
    rival: Rival,
    position: &Position,
    limit: TurnLimit,
    model: &Model,
    random: &mut SplitMix64,
) -> (usize, u64) {
    let depth = if matches!(rival, Rival::Uct(_)) { u16::MAX } else { DEEPEST };
    let tree = KalahTree::<R>::new(position, depth, ExtraTurns::Compound, rival.order());
    let root = tree.root();
    let mut run = Run::watched(&tree, Meter::new(limit));
    let index = match rival {
        Rival::AlphaBeta => deepened(&mut run, |run, child, window| run.below(f3, child, window)),
        Rival::ProbCut => deepened(&mut run, |run, child, window| {
            run.below(|run: &mut _, node, window| probcut(run, node, window, model), child, window)
        }),
        Rival::Scout => deepened(&mut run, |run, child, window| {
            let mover = Player::Max.after(child.turn);
            let is_first = window.alpha == Gain::MIN;
            if is_first || test_above(run, child.node, mover, window.alpha) {
                scout(run, child.node, mover)
            } else {
                window.alpha
            }
        }),
        Rival::Uct(policy) => {
            let win = |value: Gain| f64::from(value.0.signum() + 1) / 2.0;
            uct(&mut run, root, u64::MAX, policy, random, win)
        }
        Rival::WithTable(algorithm) => {
            run.table = Some(Default::default());
            best_by_table(&mut run, root, algorithm)
        }
    };
    (in_pit_order(&tree, index.unwrap_or(0).into()), run.observer.leaves)
}

/// The best child of the last finished iteration, by alpha-beta at the root.
fn deepened<S: Search<Value = Gain>>(
    search: &mut S,
    below: impl Fn(&mut S, Child<S::Node>, Window<Gain>) -> Gain,
) -> Option<u16> {
    let root = search.tree().root();
    let mut best = None;
    for height in 1..=search.tree().height(root) {
        let found = best_child(search, search.tree().truncated(root, height), &below);
        if search.is_stopped() {
            break;
        }
        best = found;
    }
    best
}

/// The best child in the table after the last finished iteration.
fn best_by_table<T: Tree, O: Observer<T::Node>>(
    run: &mut Run<'_, T, O>,
    root: T::Node,
    algorithm: Algorithm,
) -> Option<u16> {
    let method = Method { deepening: true, ..Method::from(algorithm) };
    let best = Cell::new(None);
    deepening(run, root, |run, node, guess| {
        let value = method.once(run, node, guess);
        if !run.is_stopped() {
            best.set(run.table.as_ref().and_then(|table| table.best(run.tree, node)));
        }
        value
    });
    best.get()
}

/// Pairs of games between two rivals.
#[derive(Clone, Debug)]
pub(crate) struct Match {
    /// Board and capture rule.
    pub rules: Rules,
    /// The scores are those of the first.
    pub rivals: [Rival; 2],
    /// What each may spend on a turn.
    pub limit: TurnLimit,
    /// Openings of three random turns, each played with both sides.
    pub pairs: usize,
    /// What openings and random games follow from.
    pub seed: u64,
}

/// How a match ended, as the first rival sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Score {
    /// Games that the first rival won, drew and lost.
    pub won: u64,
    pub drawn: u64,
    pub lost: u64,
    /// The points of each pair of games, from 0 to 2.
    pub pairs: Vec<f64>,
    /// Leaves of each rival, all turns together.
    pub leaves: [u64; 2],
    /// Turns of each rival.
    pub turns: [u64; 2],
}

/// Plays all matches; pieces of work are the pairs of games. With a limit
/// of leaves the games are the same on every machine and at any number of threads.
pub(crate) fn run(
    matches: &[Match],
    model: &Model,
    threads: usize,
    done: &(dyn Fn() + Sync),
) -> Vec<Score> {
    let pairs: Vec<(usize, usize)> = matches
        .iter()
        .enumerate()
        .flat_map(|(nth, game)| (0..game.pairs).map(move |pair| (nth, pair)))
        .collect();
    let played =
        map(&pairs, threads, done, |&(nth, pair)| (nth, play_pair(&matches[nth], model, pair)));
    let mut scores = vec![Score::default(); matches.len()];
    for (nth, games) in played {
        let score = &mut scores[nth];
        let mut points = 0.0;
        for game in games {
            match game.margin.0.signum() {
                1 => score.won += 1,
                0 => score.drawn += 1,
                _ => score.lost += 1,
            }
            points += f64::from(game.margin.0.signum() + 1) / 2.0;
            for rival in 0..2 {
                score.leaves[rival] += game.leaves[rival];
                score.turns[rival] += game.turns[rival];
            }
        }
        score.pairs.push(points);
    }
    scores
}

#[derive(Default)]
struct Game {
    /// As the first rival sees it.
    margin: Gain,
    leaves: [u64; 2],
    turns: [u64; 2],
}

fn play_pair(game: &Match, model: &Model, pair: usize) -> [Game; 2] {
    let seed = mix_nth(game.seed, pair as u64);
    let opening = Ensemble::opening(game.rules, seed);
    [Side::South, Side::North].map(|first| {
        let mut random = SplitMix64::new(mix_nth(seed, first.index() as u64 + 1));
        let mut position = opening;
        let mut played = Game::default();
        while !position.is_over() {
            let player = usize::from(position.side() != first);
            let rival = game.rivals[player];
            let (index, leaves) = with_row!(position, R => {
                choose::<R>(rival, &position, game.limit, model, &mut random)
            });
            played.leaves[player] += leaves;
            played.turns[player] += 1;
            for pit in turn(&position, index) {
                position.play(pit).expect("a sowing of the chosen turn");
            }
        }
        Game { margin: position.margin(first), ..played }
    })
}

/// The number, farthest pit first, of the root's child with number `index` in
/// the tree's own order.
fn in_pit_order<R: Row>(tree: &KalahTree<R>, index: usize) -> usize {
    let plain = tree.in_order(Order::Far);
    let chosen = tree.children(tree.root(), &mut ()).nth(index).expect("the index of a child");
    plain
        .children(plain.root(), &mut ())
        .position(|child| child.node == chosen.node)
        .expect("both orders have the same children")
}

/// ProbCut's checks for nodes 3 to 8 moves high, two moves deep less, fitted on
/// `positions` positions of the board.
pub(crate) fn fitted_model(rules: Rules, seed: u64, positions: usize) -> Model {
    let value = |position: Position, height| {
        with_row!(position, R => {
            let tree = KalahTree::<R>::new(&position, height, ExtraTurns::Compound, Order::Static);
            f3(&mut Run::new(&tree), tree.root(), Window::full())
        })
    };
    let ensemble = Ensemble::Positions(positions);
    let positions: Vec<Position> =
        (0..positions).flat_map(|nth| ensemble.group(rules, seed, nth, 1)).collect();
    let values = |height| positions.iter().map(|position| value(*position, height)).collect();
    let by_height: Vec<Vec<Gain>> = (1..=5).map(values).collect();
    let mut checks = Vec::new();
    for height in 3..=5u16 {
        let shallow = &by_height[usize::from(height) - 3];
        let deep = &by_height[usize::from(height) - 1];
        let pairs: Vec<_> = shallow.iter().copied().zip(deep.iter().copied()).collect();
        checks.extend(Check::fitted(height, height - 2, &pairs));
    }
    // Higher nodes are checked as the highest fitted ones of their parity.
    for height in 6..=8 {
        let fitted = checks.iter().rev().find(|check| check.height % 2 == height % 2);
        if let Some(&check) = fitted {
            checks.push(Check { height, shallow: height - 2, ..check });
        }
    }
    Model { checks, sureness: 1.5 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(rivals: [&str; 2], leaves: u64, pairs: usize) -> Match {
        Match {
            rules: Rules::default(),
            rivals: rivals.map(|name| name.parse().unwrap()),
            limit: TurnLimit::Leaves(leaves),
            pairs,
            seed: 1,
        }
    }

    #[test]
    fn names_read_back() {
        for (name, _) in Rival::NAMED {
            assert_eq!(name.parse::<Rival>().unwrap().to_string(), name);
        }
        assert!("chess".parse::<Rival>().is_err());
    }

    #[test]
    fn every_rival_finishes_its_games_within_its_leaves() {
        let model = fitted_model(Rules::default(), 1, 40);
        assert!(model.checks.len() >= 3, "{model:?}");
        let matches: Vec<Match> =
            Rival::NAMED.iter().map(|(name, _)| between([name, "alphabeta"], 300, 1)).collect();
        let scores = run(&matches, &model, 2, &|| ());
        assert_eq!(scores, run(&matches, &model, 1, &|| ()), "the same at any number of threads");
        for (score, game) in scores.iter().zip(&matches) {
            assert_eq!(score.won + score.drawn + score.lost, 2);
            for rival in 0..2 {
                let mean = score.leaves[rival] / score.turns[rival];
                // A node whose search is being stopped may still have leaves.
                assert!(mean < 400, "{} visited {mean} leaves a turn", game.rivals[rival]);
            }
        }
    }

    #[test]
    fn more_leaves_play_better() {
        let mut game = between(["alphabeta", "alphabeta"], 0, 0);
        let opening = |nth| Ensemble::opening(game.rules, nth);
        let mut points = 0;
        for nth in 0..12 {
            let mut position = opening(nth);
            let strong = if nth % 2 == 0 { Side::South } else { Side::North };
            let mut random = SplitMix64::new(nth);
            while !position.is_over() {
                let leaves = if position.side() == strong { 3_000 } else { 12 };
                game.limit = TurnLimit::Leaves(leaves);
                let (index, _) = choose::<u64>(
                    Rival::AlphaBeta,
                    &position,
                    game.limit,
                    &Model::default(),
                    &mut random,
                );
                for pit in turn(&position, index) {
                    position.play(pit).unwrap();
                }
            }
            points += position.margin(strong).0.signum();
        }
        assert!(points > 4, "{points}");
    }
}
