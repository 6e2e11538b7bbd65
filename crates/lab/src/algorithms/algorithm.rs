//! The names of the algorithms, and the capabilities of each.

use std::fmt;
use std::mem::discriminant;

use kalah_game::{Interval, Score, Window};

use super::alpha_beta::{
    Cutoff, ExtraTurnBounds, F1Form, alpha_beta_by_sides, f1, f2, f2_strict, f3, minimax, negamax,
};
use super::bandit::{Policy, Strategy};
use super::best_first::{mt_dual, mt_sss, mtd, sss};
use super::negascout::pvs;
use super::printed::{Options, printed_f4, printed_f4_prime};
use super::proof::proof_number;
use super::scout::{TestQuestion, scout, test};
use super::search::{TreeEvent, TreeSearch};
use super::selective::{beam, probcut, quiescence};
use super::tree::{Measure, MinimaxSide};

/// An algorithm that finds the value of a tree, or estimates it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "`NAMED` describes each")]
pub enum Algorithm {
    Minimax,
    Negamax,
    F1(F1Form),
    F2(Cutoff),
    F2Prime,
    F3,
    F3Prime,
    Test,
    Scout,
    NegaScout(Options),
    F4Prime(Options),
    Pvs,
    MtdF,
    MtSss,
    MtDual,
    Sss,
    ProofNumber,
    Quiescence,
    Beam,
    ProbCut,
    Uct(Policy),
    Bandit(Strategy),
}

use Algorithm as A;

const F1: Algorithm = A::F1(F1Form { extra_turns: ExtraTurnBounds::Both, cutoff: Cutoff::AtBeta });
const F2: Algorithm = A::F2(Cutoff::AtBeta);
const EPSILON_GREEDY: Algorithm = A::Bandit(Strategy::EpsilonGreedy);
const EPSILON_DECREASING: Algorithm = A::Bandit(Strategy::EpsilonDecreasing);
const UCB1: Algorithm = A::Bandit(Strategy::Ucb(Policy::Ucb1));

impl Algorithm {
    /// All algorithms and forms, as a help text lists them.
    pub fn help() -> String {
        let algorithms = Self::NAMED.map(|(name, _, about)| format!("\n  {name:<18} {about}"));
        let forms = Self::FORMS.map(|(suffix, about)| format!("\n  {suffix:<18} {about}"));
        format!(
            "Algorithms:{}\n\nForms of negascout and f4', unless a line says otherwise:{}\n\n\
             Along an extra turn, f1 passes on both bounds. Add +tt, +id or +asp for a transposition\n\
             table, iterative deepening or aspiration windows: negascout-depth3+tt+id; +asp4 widens the\n\
             windows fourfold. test and proof-number also answer questions: 'test>5', 'test>=5',\n\
             'test<5', 'test<=5'; test:5 means test>5 and needs no quotes.",
            algorithms.concat(),
            forms.concat()
        )
    }

    /// Every algorithm in its plain form, with its name and its description.
    pub const NAMED: [(&'static str, Self, &'static str); 24] = [
        ("minimax", A::Minimax, "every leaf, with a rule for each player"),
        ("negamax", A::Negamax, "F0: every leaf, one rule for both players"),
        ("f1", F1, "alpha-beta without deep cutoffs"),
        ("f2", F2, "alpha-beta, fail-hard"),
        ("f2'", A::F2Prime, "F2 and G2: F2 with a rule for each player"),
        ("f3", A::F3, "alpha-beta, fail-soft"),
        ("f3'", A::F3Prime, "F3 with a rule for each player"),
        ("test", A::Test, "TEST, repeated until the bounds meet"),
        ("scout", A::Scout, "SCOUT: EVAL and TEST"),
        ("negascout", A::NegaScout(Options::CORRECTED), "F4 with the missing test added"),
        ("f4'", A::F4Prime(Options::CORRECTED), "F4' and G4': F4 with a rule for each player"),
        ("pvs", A::Pvs, "principal variation search, fail-hard"),
        ("mtd-f", A::MtdF, "null windows from a guess, with a table"),
        ("mt-sss", A::MtSss, "SSS* as null windows from above, with a table"),
        ("mt-dual", A::MtDual, "DUAL* as null windows from below, with a table"),
        ("sss", A::Sss, "SSS* with its OPEN list"),
        ("proof-number", A::ProofNumber, "proof-number search, repeated until the bounds meet"),
        ("quiescence", A::Quiescence, "f3, extended by extra turns and captures"),
        ("beam", A::Beam, "f3 over the 3 children that look best"),
        ("probcut", A::ProbCut, "f3 with cutoffs by shallow searches"),
        ("uct", A::Uct(Policy::Ucb1), "random games in a growing tree, UCB1"),
        ("epsilon-greedy", EPSILON_GREEDY, "random games, of which 1 in 10 explores"),
        ("epsilon-decreasing", EPSILON_DECREASING, "random games, ever fewer of which explore"),
        ("ucb1", UCB1, "random games, UCB1 at the root only"),
    ];

    /// The suffixes that name a form of an algorithm, with their descriptions. One that includes
    /// others comes before them.
    pub const FORMS: [(&'static str, &'static str); 10] = [
        ("-printed", "word for word: the three below together"),
        ("-literal", "the test as printed"),
        ("-depth3", "no re-search at depth < 3"),
        ("-max", "a cutoff at the maximum"),
        ("-wide", "re-search with (alpha, beta); not of f4'"),
        ("-f3", "re-search by alpha-beta; not of f4'"),
        ("-upper", "f1 that passes on only the opponent's bound"),
        ("-reset", "f1 that passes on no bound along an extra turn"),
        ("-strict", "f1 or f2 that cuts off only above beta"),
        ("-tuned", "uct or ucb1 with UCB1-tuned"),
    ];

    /// Its form with this suffix; `None` if it has no such form.
    pub(super) fn form(self, suffix: &str) -> Option<Self> {
        let form = match (self, suffix) {
            (A::F1(form), "-upper") => {
                A::F1(F1Form { extra_turns: ExtraTurnBounds::Opponent, ..form })
            }
            (A::F1(form), "-reset") => {
                A::F1(F1Form { extra_turns: ExtraTurnBounds::Neither, ..form })
            }
            (A::F1(form), "-strict") => A::F1(F1Form { cutoff: Cutoff::AboveBeta, ..form }),
            (A::F2(_), "-strict") => A::F2(Cutoff::AboveBeta),
            (A::NegaScout(options), _) => A::NegaScout(options.form(suffix)?),
            (A::F4Prime(_), "-wide" | "-f3") => return None,
            (A::F4Prime(options), _) => A::F4Prime(options.form(suffix)?),
            (A::Uct(_), "-tuned") => A::Uct(Policy::Ucb1Tuned),
            (A::Bandit(Strategy::Ucb(_)), "-tuned") => A::Bandit(Strategy::Ucb(Policy::Ucb1Tuned)),
            _ => return None,
        };
        Some(form)
    }

    /// Its description in [`Algorithm::NAMED`], which is the same for all its forms.
    pub fn about(self) -> &'static str {
        self.named().2
    }

    /// Its row of [`Algorithm::NAMED`].
    fn named(self) -> (&'static str, Self, &'static str) {
        // A row for each form would list every combination of suffixes.
        let is_plain = |plain: Self| match (plain, self) {
            (A::Bandit(plain), A::Bandit(own)) => discriminant(&plain) == discriminant(&own),
            _ => discriminant(&plain) == discriminant(&self),
        };
        let row = Self::NAMED.into_iter().find(|(_, algorithm, _)| is_plain(*algorithm));
        row.expect("every plain form has a name")
    }

    /// Whether it finds the minimax value of every tree, or, with
    /// [`Algorithm::needs_alternation`], of every tree in which the sides alternate.
    pub fn is_exact(self) -> bool {
        !matches!(self, A::Quiescence | A::Beam | A::ProbCut) && !self.samples()
    }

    /// Whether its values are correct only if the sides alternate.
    pub fn needs_alternation(self) -> bool {
        match self {
            A::NegaScout(options) | A::F4Prime(options) => options.trusted_depth > 1,
            _ => false,
        }
    }

    /// Whether it plays random games; it then has neither a depth nor bounds.
    pub fn samples(self) -> bool {
        matches!(self, A::Uct(_) | A::Bandit(_))
    }

    /// Whether it decides if a value is beyond a bound, instead of finding the value.
    pub(super) fn answers(self) -> bool {
        matches!(self, A::Test | A::ProofNumber)
    }

    /// Whether it goes through [`TreeSearch::visit`] at every node, so that a table can
    /// answer.
    pub(super) fn can_have_table(self) -> bool {
        !matches!(self, A::Sss | A::ProofNumber | A::Quiescence) && !self.samples()
    }

    /// Whether it takes a window.
    pub(super) fn has_window(self) -> bool {
        let none = matches!(self, A::Minimax | A::Scout | A::Sss);
        !none && !self.answers() && !self.needs_table() && !self.samples()
    }

    /// Whether it repeats most of its work without a table.
    pub(super) fn needs_table(self) -> bool {
        matches!(self, A::MtdF | A::MtSss | A::MtDual)
    }

    /// The value of `node`, where it is Max's turn, with a full window. The
    /// null-window drivers start from `guess`.
    pub(super) fn value<S: TreeSearch>(
        self,
        search: &mut S,
        node: S::Node,
        guess: S::Value,
    ) -> S::Value {
        match self {
            A::MtdF => mtd(search, node, guess),
            A::MtSss => mt_sss(search, node),
            A::MtDual => mt_dual(search, node),
            A::Test | A::ProofNumber => self.value_by_questions(search, node, guess),
            _ => self.value_within(search, node, Window::full()),
        }
    }

    /// The value of `node`, where Max is to move, by one search within `window`;
    /// algorithms that take no window ignore it.
    pub(super) fn value_within<S: TreeSearch>(
        self,
        search: &mut S,
        node: S::Node,
        window: Window<S::Value>,
    ) -> S::Value {
        search.report(TreeEvent::Pass);
        search.visit(|s: &mut S, node, window| self.search(s, node, window), node, window)
    }

    fn search<S: TreeSearch>(self, s: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
        match self {
            A::Minimax => minimax(s, node, MinimaxSide::Max),
            A::Negamax => negamax(s, node, window),
            A::F1(form) => f1(s, node, window, form),
            A::F2(Cutoff::AtBeta) => f2(s, node, window),
            A::F2(Cutoff::AboveBeta) => f2_strict(s, node, window),
            A::F2Prime => alpha_beta_by_sides(s, node, MinimaxSide::Max, window, false),
            A::F3 => f3(s, node, window),
            A::F3Prime => alpha_beta_by_sides(s, node, MinimaxSide::Max, window, true),
            A::Scout => scout(s, node, MinimaxSide::Max),
            A::NegaScout(options) => printed_f4(s, node, window, options),
            A::F4Prime(options) => printed_f4_prime(s, node, window, options),
            A::Pvs => pvs(s, node, window),
            A::Sss => sss(s, node, MinimaxSide::Max),
            A::Quiescence => quiescence(s, node, window),
            A::Beam => beam(s, node, window),
            A::ProbCut => probcut(s, node, window),
            A::Test
            | A::ProofNumber
            | A::MtdF
            | A::MtSss
            | A::MtDual
            | A::Uct(_)
            | A::Bandit(_) => {
                unreachable!("{self} is not a single search with a window")
            }
        }
    }

    /// The answer to `question` about `node`, where Max is to move, by TEST or by
    /// proof numbers: the bound of the value that it proves.
    pub(super) fn answer<S: TreeSearch>(
        self,
        search: &mut S,
        node: S::Node,
        question: TestQuestion<S::Value>,
    ) -> S::Value {
        search.report(TreeEvent::Pass);
        let window = question.window();
        if self == A::ProofNumber {
            // For integers, each of the four questions asks whether the value is above a bound.
            let above = TestQuestion::above(window.alpha);
            let prove =
                |s: &mut S, n, _| above.proved(proof_number(s, n, MinimaxSide::Max, above.bound));
            return search.visit(prove, node, window);
        }
        let prove = |s: &mut S, n, _| question.proved(test(s, n, MinimaxSide::Max, question));
        search.visit(prove, node, window)
    }

    /// The value of `node` by a series of questions: the bound moves from `guess` in steps
    /// that double until the value is bracketed, then by bisection, as in C* (Coplan, "A
    /// special-purpose machine for an improved search algorithm for deep chess
    /// combinations", Advances in Computer Chess 3, 1982).
    fn value_by_questions<S: TreeSearch>(
        self,
        search: &mut S,
        node: S::Node,
        guess: S::Value,
    ) -> S::Value {
        let mut proved: Interval<S::Value> = Interval::unknown();
        let mut bound = guess;
        let mut step = 1.0;
        while proved.lower < proved.upper && !search.is_stopped() {
            let question = TestQuestion::above(bound);
            if question.holds(self.answer(search, node, question)) {
                proved.lower = bound.successor();
            } else {
                proved.upper = bound;
            }
            let Interval { lower, upper } = proved;
            // Bisection between a bound and the extreme of all scores would begin far from any
            // value.
            bound = S::Value::at_most(if upper == S::Value::MAX {
                lower.number() + step - 1.0
            } else if lower == S::Value::MIN {
                upper.number() - step
            } else {
                (lower.number() + upper.number()) / 2.0
            });
            step *= 2.0;
        }
        proved.lower
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, mut form, _) = self.named();
        let mut text = name.to_owned();
        // A suffix belongs to the name if the algorithm has that form, and the suffixes before it do
        // not include it.
        for (suffix, _) in Self::FORMS {
            if let Some(changed) = form.form(suffix)
                && changed != form
                && self.form(suffix) == Some(*self)
            {
                text += suffix;
                form = changed;
            }
        }
        f.pad(&text)
    }
}
