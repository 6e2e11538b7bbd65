//! Move ordering of a proof. Estimates determine only the order and the reported progress, so a
//! wrong estimate costs time but never changes a value.

use super::node::{ProofChild, ProofNode};
use super::plan;
use crate::evaluation::Evaluation;
use kalah_game::{
    Board, Depth, Gain, MAX_PITS, Row, Score, Sowing, Sown, Turn, Value, Variant, Window,
};

/// The order in which moves are searched. It changes only the duration of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The transposition table's move, then by estimates of the gain and of the size of
    /// the tree. With few seeds above the endgame tables: extra turns, captures, other
    /// moves that bank a seed, and among equals the pit nearest the store, which gives
    /// the smallest trees.
    #[default]
    Standard,
    /// With different bonuses, or captures before extra turns, and without the transposition
    /// table's move, so that an independent verification visits different positions. Takes
    /// up to twice as long.
    Independent,
}

/// Bonuses added to the estimate of a move because its tree is smaller, in hundredths of a
/// seed. One refutation is as good as another, so the cheapest is preferred.
#[derive(Debug)]
struct Bonuses {
    /// For each seed banked.
    banked: i32,
    /// For an extra turn.
    again: i32,
    /// For each pit nearer the store.
    nearer: i32,
}

impl Order {
    /// The bonuses of the standard order are tuned (doc/lab/kalah66.md).
    fn bonuses(self) -> Bonuses {
        match self {
            // A bonus of 2 or 4 seeds for each one banked makes no clear difference. Half a seed
            // for each pit nearer the store saves a tenth of the nodes.
            Order::Standard => Bonuses { banked: 300, again: 1000, nearer: 50 },
            Order::Independent => Bonuses { banked: 500, again: 600, nearer: -20 },
        }
    }
}

// Estimating from 4 seeds above the endgame tables upwards, and looking ahead from 6, saved a
// quarter of the nodes of (6,4) but took twice as long (doc/lab/kalah66.md).
/// The number of seeds above the endgame tables from which moves are ordered by estimates;
/// below it, estimating takes longer than a better order saves.
const WORTH_ESTIMATING: u32 = 8;
/// The number of seeds above the endgame tables from which an estimate looks a ply ahead.
const WORTH_LOOKING_AHEAD: u32 = 15;
/// The same on boards of at least [`MANY_SEEDS`].
const WORTH_LOOKING_AHEAD_EARLY: u32 = 12;
/// The number of seeds in play from which looking ahead pays off closer to the tables, because
/// the network for 6 pits was fitted to exact gains only of positions with at most 40 seeds
/// (measurements in doc/lab/kalah66.md). It was not measured for other widths.
const MANY_SEEDS: u32 = 43;
/// Additional seeds in play for each further ply of look-ahead. With that many more seeds, a
/// proof takes several times as long, and so may its estimates.
const SEEDS_PER_PLY: u32 = 4;
/// The maximum number of leaves of an estimate, because an estimate does not poll for a stop.
const MAX_LEAVES: u32 = 2_000_000;
/// The rank of the transposition table's move, above all others.
const TT_MOVE: u32 = 1 << 20;

/// Orders the moves of one variant.
#[derive(Debug)]
pub(super) struct MoveOrder<R> {
    order: Order,
    /// The maximum number of seeds in play that the endgame tables cover.
    tabled: u32,
    sowing: Sowing<R>,
    evaluation: Evaluation<'static>,
    pits: usize,
}

impl<R: Row> MoveOrder<R> {
    pub(super) fn new(order: Order, variant: Variant, tabled: u32) -> Self {
        let pits = variant.pits();
        let sowing = Sowing::new(variant);
        Self { order, tabled, sowing, evaluation: Evaluation::best(pits), pits }
    }

    /// Whether the moves of a node are ordered by estimates.
    #[inline]
    pub(super) fn estimates(&self, node: &ProofNode<R>) -> bool {
        node.in_play >= self.tabled + WORTH_ESTIMATING
    }

    /// The number of seeds in play from which estimates look ahead.
    fn looking_ahead(&self) -> u32 {
        let earliest = self.tabled + WORTH_LOOKING_AHEAD_EARLY;
        MANY_SEEDS.clamp(earliest, self.tabled + WORTH_LOOKING_AHEAD)
    }

    /// Whether ordering the moves of a node takes as long as searching many others.
    #[inline]
    pub(super) fn is_slow(&self, in_play: u32) -> bool {
        in_play >= self.looking_ahead() + SEEDS_PER_PLY
    }

    /// The rank of a child of `node`, at least 2. The child with the highest rank is searched
    /// first.
    #[inline]
    pub(super) fn rank(&self, child: &ProofChild<R>, node: &ProofNode<R>) -> u32 {
        let pit = child.pit.index() as u32;
        let captured = 4 * child.banked.0 as u32;
        let again = child.turn == Turn::Keeps;
        match self.order {
            // The transposition table's move proved a bound of this position before, or came
            // nearest to proving one. It is always first: ranking it by its estimate plus 3 seeds
            // visited the same number of nodes.
            Order::Standard if node.tt_move == Some(child.pit) => TT_MOVE,
            _ if self.estimates(node) => self.estimated(child),
            // After an extra turn the same player chooses again: one good line is enough to refute,
            // so the tree is small.
            Order::Standard if again => (1 << 19) + pit,
            // A move that banks more than one seed is a capture, or a sowing of more than a lap.
            // Trying large captures before extra turns made no clear difference.
            Order::Standard if child.banked.0 > 1 => 100 + captured + pit,
            // Among the others, moves that bank a seed first: 21 % fewer nodes for (6,4). With the
            // pit with the fewest seeds first, (6,4) took 2.2 times as long; with the moves that
            // leave the opponent few extra turns, 3.5 times. Killer moves and history took more
            // than five times as long, because statistics of cutoffs ignore the sizes of the trees
            // (doc/lab/kalah66.md).
            Order::Standard if child.banked.0 == 1 => 2 + MAX_PITS as u32 + pit,
            Order::Independent if child.banked.0 > 1 => (1 << 19) + captured,
            Order::Independent if again => (1 << 18) + pit,
            _ => 2 + pit,
        }
    }

    /// The estimated gain of a move plus the bonuses for a small tree.
    fn estimated(&self, child: &ProofChild<R>) -> u32 {
        let bonuses = self.order.bonuses();
        let ProofChild { node, pit, banked, turn } = child;
        // A full window, because ranks compare moves with each other and not with the bound:
        // capping the estimates 2, 4 or 8 seeds above the bound took 2.4 to 1.6 times the nodes.
        let value = self.look_ahead(node.board, self.depth(node.in_play), Window::full());
        let gain = child.gain(value);
        let again = if *turn == Turn::Keeps { bonuses.again } else { 0 };
        let nearer = bonuses.nearer * pit.index() as i32;
        let rank = gain.0 + bonuses.banked * banked.0 + again + nearer;
        // Ranks are unsigned and stay below that of the transposition table's move.
        (rank + TT_MOVE as i32 / 2).clamp(2, TT_MOVE as i32 - 1) as u32
    }

    /// The estimated number of nodes below a child, relative to its siblings. The question is
    /// whether the gain of their parent reaches `beta`.
    pub(super) fn relative_nodes(&self, child: &ProofChild<R>, beta: Gain) -> f64 {
        let value = self.evaluation.evaluate(child.node.board, self.pits);
        let gain = child.gain(value);
        let distance = (gain - Value::from(beta)).seeds().abs();
        plan::relative_nodes(child.banked, distance)
    }

    /// The look-ahead of the estimate of a board with `in_play` seeds, in plies.
    fn depth(&self, in_play: u32) -> Depth {
        let Some(above) = in_play.checked_sub(self.looking_ahead()) else { return Depth::ZERO };
        let plies = 1 + above / SEEDS_PER_PLY;
        Depth(plies.min(MAX_LEAVES.ilog(self.pits.max(2) as u32)) as u16)
    }

    /// The value of a board by a fail-soft alpha-beta search.
    fn look_ahead(&self, board: Board<R>, depth: Depth, window: Window<Value>) -> Value {
        let variant = self.sowing.variant();
        if board.is_over(variant) {
            return board.final_gain(variant).into();
        }
        if depth == Depth::ZERO {
            return self.evaluation.evaluate(board, self.pits);
        }
        let mut best = Value::MIN;
        // Plain alpha-beta over a few plies, nearest the store first: cutoffs never change the
        // value at the root. An extra turn counts as a ply, because not counting it saved nodes
        // but no time.
        for pit in board.moves(variant).iter().rev() {
            let Sown { board, banked, turn } = board.sow(&self.sowing, pit);
            let banked = Value::from(Gain(banked as i32));
            let after = window.raised(best).after(banked).for_child(turn);
            best = best
                .max(banked + turn.from_child(self.look_ahead(board, depth - Depth::ONE, after)));
            if window.fails_high(best) {
                break;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_game::{Capture, Pit, Played, Position, Wide};

    /// Plain minimax on unpacked positions, from the mover's point of view and without stores.
    fn minimax(position: &Position, depth: Depth) -> Value {
        if position.is_over() || depth == Depth::ZERO {
            let board = position.board::<u64>();
            return if position.is_over() {
                board.final_gain(position.variant()).into()
            } else {
                Evaluation::best(position.pits()).evaluate(board, position.pits())
            };
        }
        let side = position.side();
        let margins = position.children().map(|(played, after)| {
            let banked = after.lead(side) - position.lead(side);
            Value::from(banked) + played.turn.from_child(minimax(&after, depth - Depth::ONE))
        });
        margins.max().expect("a move")
    }

    #[test]
    fn an_estimate_of_a_large_board_has_a_bounded_depth() {
        for (pits, most) in [(1, 20), (6, 8), (16, 5)] {
            let variant = Variant::new(pits, Capture::Standard).unwrap();
            let order = MoveOrder::<Wide>::new(Order::Standard, variant, 0);
            assert_eq!([14, 15, 19].map(|in_play| order.depth(in_play).0), [0, 1, 2]);
            assert_eq!(order.depth(10_000), Depth(most), "{pits} pits");
        }
    }

    #[test]
    fn estimates_of_boards_with_many_seeds_look_ahead_nearer_the_tables() {
        let variant = Variant::new(6, Capture::Standard).unwrap();
        for (tabled, first) in [(19, 34), (26, 41), (29, 43), (31, 43), (34, 46)] {
            let order = MoveOrder::<u64>::new(Order::Standard, variant, tabled);
            assert_eq!([first - 1, first].map(|in_play| order.depth(in_play).0), [0, 1]);
        }
    }

    #[test]
    fn estimates_match_plain_minimax() {
        for capture in Capture::ALL {
            for text in ["<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S", "<4,3,2,1,0,2,5,3,1,0,9> N"] {
                let position = Position::parse(text, capture).unwrap();
                let order = MoveOrder::<u64>::new(Order::Standard, position.variant(), 0);
                for depth in (0..=4).map(Depth) {
                    let found = order.look_ahead(position.board(), depth, Window::full());
                    assert_eq!(found, minimax(&position, depth), "{text}, {depth} plies");
                }
            }
        }
    }

    /// The moves of a position near the tables from the highest rank to the lowest.
    fn ranked(order: Order, text: &str, tt_move: Option<usize>) -> String {
        let position = Position::parse(text, Capture::Standard).unwrap();
        let tt_move = tt_move.map(Pit::new);
        let node = |position: &Position| ProofNode {
            board: position.board::<u64>(),
            in_play: position.in_play(),
            key: None,
            tt_move,
        };
        let order = MoveOrder::new(order, position.variant(), position.in_play());
        let rank = |(played, after): (Played, Position)| {
            let banked = Gain(played.banked as i32);
            let Played { pit, turn, .. } = played;
            let child = ProofChild { node: node(&after), pit, banked, turn };
            (order.rank(&child, &node(&position)), pit)
        };
        let mut ranks: Vec<(u32, Pit)> = position.children().map(rank).collect();
        ranks.sort_by(|one, other| other.cmp(one));
        ranks.iter().map(|(_, pit)| char::from(b'A' + pit.index() as u8)).collect()
    }

    #[test]
    fn near_the_tables_moves_are_ordered_by_what_they_bank_and_who_moves_next() {
        // A captures, C is quiet, D and F keep the turn, and E banks a seed.
        let all = "<6,0,0,1,0,1,3,3,1,0,0,0,0,1,0> S";
        assert_eq!(ranked(Order::Standard, all, None), "FDAEC");
        assert_eq!(ranked(Order::Standard, all, Some(2)), "CFDAE");
        for tt_move in [None, Some(2)] {
            assert_eq!(ranked(Order::Independent, all, tt_move), "AFDEC");
        }
        // A captures more than C, or as much.
        let larger = "<6,0,0,1,0,1,0,0,0,0,0,1,0,5,0> S";
        let equal = "<6,0,0,1,0,1,0,0,0,0,0,1,0,1,0> S";
        for order in [Order::Standard, Order::Independent] {
            assert_eq!(ranked(order, larger, None), "AC");
        }
        assert_eq!(ranked(Order::Standard, equal, None), "CA");
    }
}
