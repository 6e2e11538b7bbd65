//! F4, F4' and G4' as the slides print them, with their mistakes and shortcuts.
//!
//! [`negascout`](super::negascout()) is the algorithm without them.

use kalah_game::{Score, Window};

use super::negascout::{Research, negascout};
use super::search::TreeSearch;
use super::tree::Tree;

/// How far the published text is followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// Whether the test of the published text is kept. F4 searches again if a child beats the best
    /// so far, even if it is no better than `alpha`. F4' tests at the best so far, `m`, where it
    /// should test at `max(alpha, m)` (G4' at `min(beta, m)`). The values are still correct, but
    /// the search visits leaves that alpha-beta prunes.
    pub literal: bool,
    /// At nodes with a depth below this, the result of a null window is taken
    /// as exact. 0 means never; 3 is the "depth < 3" rule, which is correct if the sides
    /// alternate and the search is fail-soft. If an extra turn is a ply, or with a depth
    /// of 4, some values are wrong.
    pub trusted_depth: u16,
    /// Cut off at a node once its side to move has the maximum that it can get there. F4' does so
    /// only after its second child.
    pub maximum_cut: bool,
    /// How F4 searches again. F4' always does as F4 in the text.
    pub research: Research,
}

impl Options {
    /// Without mistakes and shortcuts.
    pub const CORRECTED: Self = Self {
        literal: false,
        trusted_depth: 0,
        maximum_cut: false,
        research: Research::FromValue,
    };
    /// The "depth < 3" rule.
    pub const DEPTH_RULE: Self = Self { trusted_depth: 3, ..Self::CORRECTED };
    /// The text of the newest edition of the slides, with its test, its "depth < 3" rule and its
    /// cutoff at the maximum, which the edition of 2021 does not have.
    pub const AS_PRINTED: Self = Self { literal: true, maximum_cut: true, ..Self::DEPTH_RULE };

    /// The options of the form with this suffix.
    pub(super) fn form(self, suffix: &str) -> Option<Self> {
        let form = match suffix {
            "-printed" => Self { research: self.research, ..Self::AS_PRINTED },
            "-literal" => Self { literal: true, ..self },
            "-depth3" => Self { trusted_depth: 3, ..self },
            "-max" => Self { maximum_cut: true, ..self },
            "-wide" => Self { research: Research::WholeWindow, ..self },
            "-f3" => Self { research: Research::AlphaBeta, ..self },
            _ => return None,
        };
        Some(form)
    }

    fn is_corrected(self) -> bool {
        self == Self { research: self.research, ..Self::CORRECTED }
    }
}

/// F4 with the options of the text: see [`negascout`].
pub fn printed_f4<S: TreeSearch>(
    search: &mut S,
    node: S::Node,
    window: Window<S::Value>,
    options: Options,
) -> S::Value {
    if options.is_corrected() {
        return negascout(search, node, window, options.research);
    }
    let Some(children) = search.children(node) else { return search.leaf(node) };
    let below = move |search: &mut S, node, window| printed_f4(search, node, window, options);
    let ceiling = if options.maximum_cut { search.tree().ceiling(node) } else { S::Value::MAX };
    let trusted = search.tree().depth(node) < options.trusted_depth;
    let mut best = S::Value::MIN;
    let mut question = window;
    for child in children {
        let value = search.below(below, child, question);
        if value > best {
            let open = options.literal || value > window.alpha.max(best);
            // A child that failed high in a null window is worth at least `value`. It is searched
            // again for its exact value, unless it is no better than alpha, it was searched up to
            // `window.beta` already, the depth rule trusts it, or it causes a cutoff.
            best = if !open || question.beta == window.beta || trusted || window.fails_high(value) {
                value
            } else {
                let rest = Window::new(question.alpha, window.beta);
                options.research.search(search, below, child, value, rest)
            };
        }
        if window.fails_high(best) || best >= ceiling {
            break;
        }
        question = Window::null(window.alpha.max(best));
    }
    best
}

/// F4' and G4' with the options of the text. Without any, they are [`negascout`].
pub fn printed_f4_prime<S: TreeSearch>(
    search: &mut S,
    node: S::Node,
    window: Window<S::Value>,
    options: Options,
) -> S::Value {
    if options.is_corrected() {
        return negascout(search, node, window, Research::FromValue);
    }
    let Some(mut children) = search.children(node) else { return search.leaf(node) };
    let below = move |search: &mut S, node, window| printed_f4_prime(search, node, window, options);
    let ceiling = if options.maximum_cut { search.tree().ceiling(node) } else { S::Value::MAX };
    let trusted = search.tree().depth(node) < options.trusted_depth;
    let first = children.next().expect("a node with children has a first one");
    let mut best = search.below(below, first, window);
    if window.fails_high(best) {
        return best;
    }
    for child in children {
        let bound = if options.literal { best } else { window.alpha.max(best) };
        let value = search.below(below, child, Window::null(bound));
        // `value` is only a lower bound of a child that beats the null window, so it is searched
        // again, unless the depth rule trusts it or it causes a cutoff.
        if value > bound && !trusted && !window.fails_high(value) {
            best = Research::FromValue.search(search, below, child, value, window);
        } else {
            best = best.max(value);
        }
        // The text compares with the maximum only here, in line 14, and not after the first child.
        if window.fails_high(best) || best >= ceiling {
            break;
        }
    }
    best
}
