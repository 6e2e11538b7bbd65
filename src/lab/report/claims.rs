//! The claims of the literature: what is said, where, and which figures bear it out.
//!
//! Words in quotation marks are the source's own, the others say the same in short.
//! What is not claimed anywhere, and is judged because it explains something, has
//! [`THIS_PROJECT`] as its source. `doc/compare.md` lists each claim with its verdict.

use crate::lab::experiment::claim::{Range, Unit};

/// Whether a claim is about all trees or about one that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    Every,
    Some,
}

/// What a source says, and how it is put to the test.
#[derive(Debug)]
pub(super) struct Claim {
    /// Its name in files for programs.
    pub id: &'static str,
    /// A few words for a terminal.
    pub short: &'static str,
    pub quotation: &'static str,
    pub source: &'static str,
    /// What the figure of a case counts.
    pub measured: &'static str,
    pub unit: Unit,
    /// The figures for which it is true.
    pub rule: Range,
    pub scope: Scope,
}

const PERCENT: Unit = Unit::Percent;
const MORE: Range = Range::above(0.0);
const NONE: Range = Range::between(0.0, 0.0);

/// Noe's report itself was not found.
const NOE: &str = "Hsu's slides (both sets), experiments on Kalah, citing Noe 1980";
const HSU: &str = "Hsu's slides (both sets), on SCOUT";
const HSU_NEGASCOUT: &str = "Hsu's slides (both sets), on NegaScout";
const HSU_LATER: &str = "Hsu's slides (later set), TEST against alpha-beta";
const HSU_OLDER: &str = "Hsu's slides (older set, 2015), TEST against alpha-beta";
const PEARL_1984: &str = "Hsu's slides (later set), random trees, citing Pearl 1984";
const PEARL_1980: &str = "Pearl, AAAI-80, pp. 143-145";
const REINEFELD: &str = "Hsu's slides (both sets), NegaScout, citing Reinefeld 1983";
const YU: &str = "Yu's slides, on alpha-beta's complexity";
const YU_NEGASCOUT: &str = "Yu's slides, on NegaScout";
const YU_PRUNING: &str = "Yu's slides, on forward pruning";
const YU_BANDITS: &str = "Yu's slides, on multi-armed bandits";
const AUER: &str = "Auer et al., Machine Learning 47, 2002, theorem 1";
const YU_ERROR: &str = "Yu's slides, after Russell and Norvig's figure of a two-ply tree";
const WIKIPEDIA: &str = "Wikipedia, Principal variation search";
const PLAAT: &str = "Plaat et al., Artificial Intelligence 87, 1996, pp. 255-293";
const KNUTH: &str = "Knuth and Moore, Artificial Intelligence 6, 1975, section 6";
const BURO: &str = "Buro, ICCA Journal 18(2), 1995, pp. 71-76";
const SLATE: &str = "Slate and Atkin, Chess Skill in Man and Machine, 1977, pp. 82-118";
const THIS_PROJECT: &str = "a question of this project";

const SAVES_OVER_40: &str = "\"On depth = 5, it saves over 40 % of time\"";

pub(super) const NOE_TIME_F1: Claim = Claim {
    id: "noe-time-f1",
    short: "SCOUT saves 40 % of time at d 5, F1",
    quotation: SAVES_OVER_40,
    source: NOE,
    measured: "processor time that SCOUT saves against F1 at depth 5",
    unit: PERCENT,
    rule: Range::above(40.0),
    scope: Scope::Every,
};
pub(super) const NOE_TIME_F3: Claim = Claim {
    id: "noe-time-f3",
    short: "SCOUT saves 40 % of time at d 5, F2/F3",
    measured: "processor time that SCOUT saves against F3 at depth 5",
    ..NOE_TIME_F1
};
pub(super) const NOE_LEAVES_F1: Claim = Claim {
    id: "noe-leaves-f1",
    short: "The same in leaves (second reading), F1",
    measured: "leaves that SCOUT saves against F1 at depth 5; a second reading, not the claim",
    ..NOE_TIME_F1
};
pub(super) const NOE_LEAVES_F3: Claim = Claim {
    id: "noe-leaves-f3",
    short: "The same in leaves, F2/F3",
    measured: "leaves that SCOUT saves against F3 at depth 5; a second reading, not the claim",
    ..NOE_TIME_F1
};
pub(super) const BRUTE_FORCE: Claim = Claim {
    id: "brute-force",
    short: "SCOUT far above brute force at d > 3",
    quotation: "great improvement over brute force at \"depth > 3\" for small branching factors",
    source: HSU,
    measured: "leaves that SCOUT saves against minimax at depths 4 and 5; half is read as great",
    unit: PERCENT,
    rule: Range::above(50.0),
    scope: Scope::Every,
};
pub(super) const CHARACTERISTICS: Claim = Claim {
    id: "characteristics",
    short: "SCOUT beats alpha-beta on some trees",
    quotation: "good improvement over alpha-beta on trees \"with certain characteristics\"",
    source: HSU,
    measured: "leaves that SCOUT saves against F3 at depth 5",
    unit: PERCENT,
    rule: MORE,
    scope: Scope::Some,
};
pub(super) const SKINNY_DEPTH: Claim = Claim {
    id: "skinny-depth",
    short: "Skinny trees: two moves more help SCOUT",
    quotation: "SCOUT favours skinny trees, with a high ratio of depth to width",
    source: NOE,
    measured: "points of percent of leaves that SCOUT saves more than two moves less deep",
    unit: PERCENT,
    rule: MORE,
    scope: Scope::Every,
};
pub(super) const SKINNY_WIDTH: Claim = Claim {
    id: "skinny-width",
    short: "Skinny trees: a pit less helps SCOUT",
    measured: "points of percent of leaves that SCOUT saves more than on a board a pit wider",
    ..SKINNY_DEPTH
};
pub(super) const ORDER: Claim = Claim {
    id: "order",
    short: "Order matters: static saves leaves of F3",
    quotation: "move ordering is very important; a good first branch prunes the others",
    source: NOE,
    measured: "leaves that F3 saves in static order against the farthest pit first",
    unit: PERCENT,
    rule: MORE,
    scope: Scope::Every,
};
pub(super) const ORDER_AND_SCOUT: Claim = Claim {
    id: "order-and-scout",
    short: "Good order helps SCOUT more than F3",
    quotation: "Does good order help SCOUT more than alpha-beta?",
    source: THIS_PROJECT,
    measured: "points of percent that SCOUT saves more against F3 in static order than with the farthest pit first",
    ..ORDER
};
pub(super) const VISITED_BY_TEST: Claim = Claim {
    id: "visited-by-test",
    short: "TEST visits a leaf l times at most",
    quotation: "\"It can be visited l times by TEST\"",
    source: HSU,
    measured: "most visits of TEST to one leaf, less its depth",
    unit: Unit::Number(0),
    rule: Range::at_most(0.0),
    scope: Scope::Every,
};
pub(super) const VISITED_BY_EVAL: Claim = Claim {
    id: "visited-by-eval",
    short: "SCOUT's EVAL visits a leaf once at most",
    quotation: "a first visit tests, a second one evaluates: once by SCOUT",
    source: HSU,
    measured: "most visits of EVAL to one leaf",
    unit: Unit::Number(0),
    rule: Range::at_most(1.0),
    scope: Scope::Every,
};
pub(super) const MOSTLY_TESTED: Claim = Claim {
    id: "mostly-tested",
    short: "SCOUT traverses most nodes by TEST",
    quotation: "most nodes are traversed without an exact evaluation",
    source: HSU,
    measured: "visits that are TEST's, of all visits of SCOUT to nodes",
    unit: PERCENT,
    rule: Range::above(50.0),
    scope: Scope::Every,
};
pub(super) const BEYOND_F3: Claim = Claim {
    id: "beyond-alpha-beta",
    short: "SCOUT visits leaves that F3 prunes",
    quotation: "SCOUT may visit nodes that alpha-beta prunes",
    source: PEARL_1980,
    measured: "leaves of SCOUT that F3 prunes",
    unit: PERCENT,
    rule: MORE,
    scope: Scope::Some,
};
pub(super) const NULL_WINDOWS: Claim = Claim {
    id: "null-windows",
    short: "F3 meets no null window",
    quotation: "no null window occurs inside alpha-beta",
    source: HSU_NEGASCOUT,
    measured: "nodes of F3 that it searches with a null window",
    unit: PERCENT,
    rule: NONE,
    scope: Scope::Every,
};
pub(super) const NEGASCOUT_WITHIN: Claim = Claim {
    id: "negascout-within",
    short: "NegaScout visits no leaf that F3 prunes",
    quotation: "\"it will not explore any nodes alpha-beta did not\"",
    source: WIKIPEDIA,
    measured: "leaves of NegaScout (F4) that F3 prunes",
    unit: PERCENT,
    rule: NONE,
    scope: Scope::Every,
};
pub(super) const NEGASCOUT_PRUNES: Claim = Claim {
    id: "negascout-prunes",
    short: "NegaScout prunes leaves that F3 visits",
    quotation: "an example where NegaScout's null window prunes a node that alpha-beta did not",
    source: YU_NEGASCOUT,
    measured: "leaves of F3 that NegaScout (F4) prunes",
    unit: PERCENT,
    rule: MORE,
    scope: Scope::Some,
};
pub(super) const RANDOM_TIME: Claim = Claim {
    id: "random-time",
    short: "Random order: NegaScout takes more time",
    quotation: "\"With a random move ordering, NegaScout will take more time than regular alpha-beta\"",
    source: WIKIPEDIA,
    measured: "processor time that NegaScout saves against F3",
    unit: PERCENT,
    rule: Range::below(0.0),
    scope: Scope::Every,
};
pub(super) const RANDOM_LEAVES: Claim = Claim {
    id: "random-leaves",
    short: "Random order: NegaScout is worse",
    quotation: "in random order NegaScout is usually worse than alpha-beta",
    source: YU_NEGASCOUT,
    measured: "leaves that NegaScout saves against F3",
    ..RANDOM_TIME
};
pub(super) const GOOD_ORDER: Claim = Claim {
    id: "good-order",
    short: "Static order: NegaScout is better",
    quotation: "with good order NegaScout is better than alpha-beta",
    source: YU_NEGASCOUT,
    measured: "leaves that NegaScout saves against F3 in static order at depth 5",
    unit: PERCENT,
    rule: MORE,
    scope: Scope::Every,
};
pub(super) const MUCH_BETTER: Claim = Claim {
    id: "much-better",
    short: "Order and a table help F4 much",
    quotation: "F4 \"runs much better\" with good move ordering and a transposition table",
    source: HSU_NEGASCOUT,
    measured: "leaves that NegaScout saves by iterative deepening with a table; a quarter is read as much",
    unit: PERCENT,
    rule: Range::above(25.0),
    scope: Scope::Every,
};
pub(super) const RESTART: Claim = Claim {
    id: "restart",
    short: "F4's narrower re-search wastes no leaf",
    quotation: "a re-search should use the information of the first search",
    source: HSU_NEGASCOUT,
    measured: "leaves that re-searching with (value, beta) saves against (alpha, beta)",
    unit: PERCENT,
    rule: Range::at_least(0.0),
    scope: Scope::Every,
};
pub(super) const AS_PRINTED: Claim = Claim {
    id: "as-printed",
    short: "F4 and F4' as printed waste no leaf",
    quotation: "Do the published texts of F4 and F4' visit more than they need?",
    source: THIS_PROJECT,
    measured: "leaves that each form as printed saves against itself with the test corrected",
    ..RESTART
};
pub(super) const DEPTH_RULE: Claim = Claim {
    id: "depth-rule",
    short: "The depth < 3 rule errs nowhere",
    quotation: "no re-search is needed at \"depth < 3\"",
    source: REINEFELD,
    measured: "positions on which F4 with the rule returns a wrong value",
    unit: PERCENT,
    rule: NONE,
    scope: Scope::Every,
};
pub(super) const MTD_TIME: Claim = Claim {
    id: "mtd-time",
    short: "MTD(f) takes less time than NegaScout",
    quotation: "MTD(f) outperforms NegaScout in practice",
    source: PLAAT,
    measured: "processor time that MTD(f) saves against NegaScout, both with table and deepening",
    unit: PERCENT,
    rule: MORE,
    scope: Scope::Every,
};
pub(super) const MTD_LEAVES: Claim = Claim {
    id: "mtd-leaves",
    short: "MTD(f) visits fewer leaves",
    measured: "leaves that MTD(f) saves against NegaScout, both with table and deepening",
    ..MTD_TIME
};
pub(super) const BESIDE_SSS: Claim = Claim {
    id: "beside-sss",
    short: "MT-SSS* does not beat NegaScout, MTD(f)",
    quotation: "MT-SSS* \"did not outperform NegaScout in practice\", nor MTD(f)",
    source: WIKIPEDIA,
    measured: "leaves that NegaScout and MTD(f), with table and deepening, save against MT-SSS*",
    unit: PERCENT,
    rule: Range::at_least(0.0),
    scope: Scope::Every,
};
pub(super) const NEITHER_DOMINATES: Claim = Claim {
    id: "neither-dominates",
    short: "Neither NegaScout nor MTD(f), SSS* dominates",
    quotation: "there are trees in which NegaScout searches fewer nodes than SSS* or MTD(f), and vice versa",
    source: WIKIPEDIA,
    measured: "positions on which the first visits fewer leaves than the second",
    unit: PERCENT,
    rule: MORE,
    scope: Scope::Every,
};
pub(super) const AVERAGE_GROWTH: Claim = Claim {
    id: "average-growth",
    short: "Random order: F3 takes b^(3d/4) leaves",
    quotation: "O(b^(3m/4)) nodes on average",
    source: YU,
    measured: "exponent of b in the growth of F3's leaves over two moves, in parts of a move",
    unit: Unit::Number(3),
    rule: Range::at_most(0.75),
    scope: Scope::Every,
};
pub(super) const SIMPLE_ORDER: Claim = Claim {
    id: "simple-order",
    short: "Static order: F3 comes near b^(d/2)",
    quotation: "\"very simple ordering usually achieves O(b^(m/2))\"",
    source: YU,
    measured: "the same in static order; within 0.05 of 1/2 is read as achieved",
    rule: Range::at_most(0.55),
    ..AVERAGE_GROWTH
};
pub(super) const BEAM_ERRS: Claim = Claim {
    id: "beam-errs",
    short: "Beam search prunes best moves",
    quotation: "beam search may prune the best move",
    source: YU_PRUNING,
    measured: "positions on which a beam of 3 children returns a wrong value",
    unit: PERCENT,
    rule: MORE,
    scope: Scope::Some,
};

pub(super) const ALWAYS_BETTER: Claim = Claim {
    id: "always-better",
    short: "Alpha-beta always beats SCOUT: r >= 1",
    quotation: "in experiments on random uniform trees alpha-beta is \"always\" better than SCOUT: 1 <= r(b,d)",
    source: PEARL_1984,
    measured: "r(b,d), nodes of SCOUT over nodes of F3",
    unit: Unit::Number(3),
    rule: Range::at_least(1.0),
    scope: Scope::Every,
};
pub(super) const FALLS_IN_WIDTH: Claim = Claim {
    id: "falls-in-b",
    short: "r(b,d) falls in b",
    quotation: "r(b,d) falls in b",
    measured: "change of r from one measured width to the next",
    rule: Range::below(0.0),
    ..ALWAYS_BETTER
};
pub(super) const FALLS_IN_DEPTH: Claim = Claim {
    id: "falls-in-d",
    short: "r(b,d) falls in d",
    quotation: "r(b,d) falls in d",
    measured: "change of r from one depth to the next",
    ..FALLS_IN_WIDTH
};
pub(super) const BOUND: Claim = Claim {
    id: "bound",
    short: "r(b,d) <= 1.275",
    quotation: "r(b,d) <= 1.275",
    rule: Range::at_most(1.275),
    ..ALWAYS_BETTER
};
pub(super) const BOUND_ROOT: Claim = Claim {
    id: "bound-root",
    short: "The d-th root of r(b,d) <= 1.275",
    quotation: "Are the slides' figures of r(b,d) its d-th root?",
    source: THIS_PROJECT,
    measured: "d-th root of r(b,d)",
    ..BOUND
};
pub(super) const TWENTY: Claim = Claim {
    id: "r-2-20",
    short: "r(2,20) is about 1.04",
    quotation: "r(2,20) is about 1.04",
    measured: "r(2,20); what rounds to 1.04 is read as about",
    rule: Range::between(1.035, 1.045),
    ..ALWAYS_BETTER
};
pub(super) const TWENTY_ROOT: Claim = Claim {
    id: "r-2-20-root",
    short: "Its d-th root is about 1.04",
    rule: TWENTY.rule,
    ..BOUND_ROOT
};
pub(super) const NEAR_ONE: Claim = Claim {
    id: "near-one",
    short: "r(b,20) is about 1",
    quotation: "r(b,20) is about 1",
    measured: "r(b,20); within 0.05 of 1 is read as about",
    rule: Range::between(0.95, 1.05),
    ..ALWAYS_BETTER
};
pub(super) const REINEFELD_GAIN: Claim = Claim {
    id: "reinefeld-gain",
    short: "NegaScout saves 10 to 20 %",
    quotation: "NegaScout normally beats alpha-beta on uniform random trees, b 20 to 60, by about 10 to 20 %",
    source: REINEFELD,
    measured: "leaves that F4 with the depth < 3 rule saves against F3",
    unit: PERCENT,
    rule: Range::between(10.0, 20.0),
    scope: Scope::Every,
};

pub(super) const MINIMAL_LEAVES: Claim = Claim {
    id: "minimal-leaves",
    short: "Leaves are b^ceil(l/2) + b^floor(l/2) - 1",
    quotation: "the minimal tree has b^ceil(l/2) + b^floor(l/2) - 1 leaves",
    source: KNUTH,
    measured: "largest difference of F3, SCOUT, NegaScout and PVS from the formula",
    unit: Unit::Number(0),
    rule: NONE,
    scope: Scope::Every,
};
pub(super) const H1: Claim = Claim {
    id: "h1",
    short: "TEST visits H1 nodes",
    quotation: "TEST visits H1 = 2 (b^(l/2+1) - 1)/(b - 1) - b^(l/2) nodes",
    source: HSU_LATER,
    measured: "difference of TEST from the formula",
    ..MINIMAL_LEAVES
};
pub(super) const H2: Claim = Claim {
    id: "h2",
    short: "Alpha-beta visits H2 nodes",
    quotation: "alpha-beta visits H2 = 2 H1 + b^(l/2) - (l + 2) nodes",
    measured: MINIMAL_LEAVES.measured,
    ..H1
};
pub(super) const OLD_H2: Claim = Claim {
    id: "old-h2",
    short: "Alpha-beta visits the older H2 nodes",
    quotation: "alpha-beta visits H2 = 2 H1 + b^(l/2) - b^(l/2-1) - (l + 2) nodes",
    source: HSU_OLDER,
    ..H2
};
pub(super) const TWO_TESTS: Claim = Claim {
    id: "two-tests",
    short: "H2 >= 2 H1 for b > 3",
    quotation: "H2 >= 2 H1 if b > 3",
    measured: "nodes of alpha-beta over nodes of two tests, for b > 3",
    unit: Unit::Number(3),
    rule: Range::at_least(1.0),
    ..H1
};
pub(super) const OLD_TWO_TESTS: Claim = Claim {
    id: "old-two-tests",
    short: "H2 >= 2 H1 for b > 2 (older slides)",
    quotation: "H2 >= 2 H1 if b > 2",
    source: HSU_OLDER,
    measured: "nodes of alpha-beta over nodes of two tests, for b > 2",
    ..TWO_TESTS
};
pub(super) const TWO_POINT_X: Claim = Claim {
    id: "two-point-x",
    short: "H2 is (2.x) H1 for b > 3",
    quotation: "H2 is \"(2.x) H1\"",
    measured: "nodes of alpha-beta over nodes of one test, for b > 3",
    rule: Range { low: 2.0, high: 3f64.next_down() },
    ..TWO_TESTS
};
pub(super) const TEST_CHEAPER: Claim = Claim {
    id: "test-cheaper",
    short: "TEST visits fewer nodes than alpha-beta",
    quotation: "TEST may visit fewer nodes than alpha-beta",
    source: HSU,
    measured: "nodes that TEST saves against F3 on minimal trees",
    unit: PERCENT,
    rule: MORE,
    scope: Scope::Some,
};
pub(super) const BEST_CASE: Claim = Claim {
    id: "best-case",
    short: "SCOUT cuts more in the best case",
    quotation: "in theory, both in their best case, SCOUT cuts more than alpha-beta",
    source: PEARL_1984,
    measured: "nodes that SCOUT saves against F3 on minimal trees",
    scope: Scope::Every,
    ..TEST_CHEAPER
};
pub(super) const ERROR_58: Claim = Claim {
    id: "error-58",
    short: "EVAL's error of 2: 58 % misjudged",
    quotation: "with an error of EVAL of 2 the worse branch looks better 58 % of the time",
    source: YU_ERROR,
    measured: "trials in which the branch of 99 looks better than that of 100; what rounds to 58",
    unit: PERCENT,
    rule: Range::between(57.5, 58.5),
    scope: Scope::Every,
};
pub(super) const ERROR_71: Claim = Claim {
    id: "error-71",
    short: "EVAL's error of 5: 71 % misjudged",
    quotation: "with an error of EVAL of 5 the worse branch looks better 71 % of the time",
    measured: "the same; what rounds to 71",
    rule: Range::between(70.5, 71.5),
    ..ERROR_58
};

pub(super) const SCOUT_WINS: Claim = Claim {
    id: "scout-wins",
    short: "SCOUT beats alpha-beta (its points %)",
    quotation: "Does SCOUT's saving win games?",
    source: THIS_PROJECT,
    measured: "points of the algorithm named first, in percent",
    unit: Unit::Number(1),
    rule: Range::above(50.0),
    scope: Scope::Every,
};
pub(super) const PROBCUT_WINS: Claim = Claim {
    id: "probcut-wins",
    short: "ProbCut beats alpha-beta (its points %)",
    quotation: "ProbCut plays stronger than alpha-beta (in Othello)",
    source: BURO,
    ..SCOUT_WINS
};
pub(super) const TABLE_WINS: Claim = Claim {
    id: "table-wins",
    short: "F3 with a table beats F3 (its points %)",
    quotation: "a transposition table makes a program stronger (in chess)",
    source: SLATE,
    ..SCOUT_WINS
};
pub(super) const NEGASCOUT_WINS: Claim = Claim {
    id: "negascout-wins",
    short: "NegaScout, MTD(f) beat F3 (their points %)",
    quotation: "NegaScout and MTD(f) search fewer nodes than alpha-beta; do they win games?",
    ..SCOUT_WINS
};
pub(super) const QUIESCENCE_WINS: Claim = Claim {
    id: "quiescence-wins",
    short: "Quiescence beats F3 (its points %)",
    quotation: "quiescence search fights the horizon",
    source: YU_PRUNING,
    ..SCOUT_WINS
};

pub(super) const EPSILON_LINEAR: Claim = Claim {
    id: "epsilon-linear",
    short: "Regret is linear for fixed epsilon",
    quotation: "epsilon-greedy is not zero-regret",
    source: YU_BANDITS,
    measured: "regret of the last half of the pulls over that of the quarter before: linear growth \
               doubles it, which is read as what rounds to 2",
    unit: Unit::Number(2),
    rule: Range::between(1.5, 2.5),
    scope: Scope::Every,
};
pub(super) const EPSILON_DECREASING: Claim = Claim {
    id: "epsilon-decreasing",
    short: "Epsilon-decreasing may be zero-regret",
    quotation: "epsilon-decreasing may be zero-regret",
    source: YU_BANDITS,
    measured: "mean regret of a pull after all of them over that after half of them",
    unit: Unit::Number(2),
    rule: Range::below(1.0),
    scope: Scope::Some,
};
pub(super) const UCB_ZERO_REGRET: Claim = Claim {
    id: "ucb-zero-regret",
    short: "UCB1 and UCB1-tuned are zero-regret",
    quotation: "UCB1 and UCB1-tuned are zero-regret: regret / T tends to 0",
    scope: Scope::Every,
    ..EPSILON_DECREASING
};
pub(super) const UCB1_LOGARITHMIC: Claim = Claim {
    id: "ucb1-logarithmic",
    short: "UCB1's regret is logarithmic",
    quotation: "the regret of UCB1 grows at most logarithmically",
    source: AUER,
    measured: "regret of the last half of the pulls over that of the quarter before: logarithmic \
               growth leaves it as it is, which is read as what rounds to 1 or less",
    rule: Range::below(1.5),
    ..EPSILON_LINEAR
};
pub(super) const UCB1_BOUND: Claim = Claim {
    id: "ucb1-bound",
    short: "UCB1's regret is within its bound",
    quotation: "expected regret of at most 8 sum(ln T / gap) + (1 + pi^2/3) sum(gap)",
    source: AUER,
    measured: "regret after all pulls over the bound",
    unit: Unit::Number(3),
    rule: Range::at_most(1.0),
    scope: Scope::Every,
};
/// Every claim.
#[cfg(test)]
pub(super) const CLAIMS: [&Claim; 61] = [
    &EPSILON_LINEAR,
    &EPSILON_DECREASING,
    &UCB_ZERO_REGRET,
    &UCB1_LOGARITHMIC,
    &UCB1_BOUND,
    &NOE_TIME_F1,
    &NOE_TIME_F3,
    &NOE_LEAVES_F1,
    &NOE_LEAVES_F3,
    &BRUTE_FORCE,
    &CHARACTERISTICS,
    &SKINNY_DEPTH,
    &SKINNY_WIDTH,
    &ORDER,
    &ORDER_AND_SCOUT,
    &VISITED_BY_TEST,
    &VISITED_BY_EVAL,
    &MOSTLY_TESTED,
    &BEYOND_F3,
    &NULL_WINDOWS,
    &NEGASCOUT_WITHIN,
    &NEGASCOUT_PRUNES,
    &RANDOM_TIME,
    &RANDOM_LEAVES,
    &GOOD_ORDER,
    &MUCH_BETTER,
    &RESTART,
    &AS_PRINTED,
    &DEPTH_RULE,
    &MTD_TIME,
    &MTD_LEAVES,
    &BESIDE_SSS,
    &NEITHER_DOMINATES,
    &AVERAGE_GROWTH,
    &SIMPLE_ORDER,
    &BEAM_ERRS,
    &ALWAYS_BETTER,
    &FALLS_IN_WIDTH,
    &FALLS_IN_DEPTH,
    &BOUND,
    &BOUND_ROOT,
    &TWENTY,
    &TWENTY_ROOT,
    &NEAR_ONE,
    &REINEFELD_GAIN,
    &MINIMAL_LEAVES,
    &H1,
    &H2,
    &OLD_H2,
    &TWO_TESTS,
    &OLD_TWO_TESTS,
    &TWO_POINT_X,
    &TEST_CHEAPER,
    &BEST_CASE,
    &ERROR_58,
    &ERROR_71,
    &SCOUT_WINS,
    &PROBCUT_WINS,
    &TABLE_WINS,
    &NEGASCOUT_WINS,
    &QUIESCENCE_WINS,
];
