//! SCOUT with two bounds: a window for the first child, a null window for the
//! others, and a second search for those that beat it.
//!
//! [`negascout`] is F4, [`f4_prime`] the pair F4' and G4' of rules for Max and Min,
//! both from Hsu's slides "Scout and NegaScout", after Reinefeld, "An improvement to
//! the Scout tree search algorithm", ICCA Journal 6(4), 1983.
//! [`pvs`] is the fail-hard relative of Campbell and Marsland, "A comparison of
//! minimax tree search algorithms", Artificial Intelligence 20, 1983. The
//! slides have a mistake in both F4 and F4'; see [`Form`].

use kalah_game::{Score, Window};

use super::search::{TreeEvent, TreeSearch};
use super::tree::Tree;

/// Whether the published text is followed where tests show that it has a mistake.
///
/// F4 searches again if a child beats the best so far, even if it is no better
/// than `alpha`. F4' tests at the best so far, `m`, where it should test at
/// `max(alpha, m)` (G4' at `min(beta, m)`). The values are still correct, but the search visits
/// leaves that alpha-beta prunes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// With the comparison that the text omits.
    #[default]
    Corrected,
    /// Word for word, with the mistake.
    AsPrinted,
}

/// The options of NegaScout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// With or without the published mistake.
    pub form: Form,
    /// At nodes with a height below this, the result of a null window is taken
    /// as exact. 0 means never; 3 is the "depth < 3" rule, which is correct if the sides
    /// alternate and the search is fail-soft. If an extra turn is a ply, or with a height
    /// of 4, some values are wrong.
    pub trusted_height: u16,
    /// Cut off at a node once its side to move has the maximum that it can get there. F4' does so
    /// only after its second child.
    pub maximum_cut: bool,
    /// F4 searches again with `(alpha, beta)`, as PVS does, and not with
    /// `(value, beta)`.
    pub whole_window: bool,
}

impl Options {
    /// The corrected form without shortcuts.
    pub const CORRECTED: Self =
        Self { form: Form::Corrected, trusted_height: 0, maximum_cut: false, whole_window: false };
    /// The "depth < 3" rule.
    pub const DEPTH_RULE: Self = Self { trusted_height: 3, ..Self::CORRECTED };
    /// The text of the newest edition of the slides, with its test, its "depth < 3" rule and its
    /// cutoff at the maximum, which the edition of 2021 does not have.
    pub const AS_PRINTED: Self =
        Self { form: Form::AsPrinted, maximum_cut: true, ..Self::DEPTH_RULE };
}

/// F4: the value of `node` to the side to move there if it lies in `window`; an
/// upper bound of at most `alpha` or a lower bound of at least `beta` if not.
///
/// On a tree without transpositions the corrected form never visits a leaf that
/// alpha-beta (F3) with the same window does not.
pub fn negascout<S: TreeSearch>(
    search: &mut S,
    node: S::Node,
    window: Window<S::Value>,
    options: Options,
) -> S::Value {
    let Some(children) = search.children(node) else { return search.leaf(node) };
    let below = move |search: &mut S, node, window| negascout(search, node, window, options);
    let ceiling = if options.maximum_cut { search.tree().ceiling(node) } else { S::Value::MAX };
    let trusted = search.tree().height(node) < options.trusted_height;
    let mut best = S::Value::MIN;
    let mut question = window;
    for child in children {
        let value = search.below(below, child, question);
        if value > best {
            let open = match options.form {
                Form::Corrected => value > window.alpha.max(best),
                Form::AsPrinted => true,
            };
            // A child that failed high in a null window is worth at least `value`. It is searched
            // again for its exact value, unless it is no better than alpha, it was searched up to
            // `window.beta` already, the depth rule trusts it, or it causes a cutoff.
            best = if !open || question.beta == window.beta || trusted || window.fails_high(value) {
                value
            } else {
                search.report(TreeEvent::Research);
                let alpha = if options.whole_window { question.alpha } else { value };
                search.below(below, child, Window::new(alpha, window.beta))
            };
        }
        if window.fails_high(best) || best >= ceiling {
            break;
        }
        // Null window: proving that no other child is better costs less than finding its value.
        question = Window::null(window.alpha.max(best));
    }
    best
}

/// F4': the value of `node` to the side to move there if it lies in `window`; a
/// bound beyond it if not. G4', the text's rule for Min, is its mirror image: here
/// the side to move always takes the role of Max.
pub fn f4_prime<S: TreeSearch>(
    search: &mut S,
    node: S::Node,
    window: Window<S::Value>,
    options: Options,
) -> S::Value {
    let Some(mut children) = search.children(node) else { return search.leaf(node) };
    let below = move |search: &mut S, node, window| f4_prime(search, node, window, options);
    let ceiling = if options.maximum_cut { search.tree().ceiling(node) } else { S::Value::MAX };
    let trusted = search.tree().height(node) < options.trusted_height;
    let first = children.next().expect("a node with children has a first one");
    let mut best = search.below(below, first, window);
    if window.fails_high(best) {
        return best;
    }
    for child in children {
        let bound = match options.form {
            Form::Corrected => window.alpha.max(best),
            Form::AsPrinted => best,
        };
        let value = search.below(below, child, Window::null(bound));
        // `value` is only a lower bound of a child that beats the null window, so it is searched
        // again, unless the depth rule trusts it or it causes a cutoff.
        if value > bound && !trusted && !window.fails_high(value) {
            search.report(TreeEvent::Research);
            best = search.below(below, child, Window::new(value, window.beta));
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

/// PVS, fail-hard: the value of `node` to the side to move there if it lies in
/// `window`; at most `alpha` if the value is, at least `beta` if the value is.
///
/// A child that beats the null window is searched again with the whole window
/// `(alpha, beta)`.
pub fn pvs<S: TreeSearch>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let Some(children) = search.children(node) else { return search.leaf(node) };
    let mut left = window;
    for (nth, child) in children.enumerate() {
        let null = Window::null(left.alpha);
        let is_first = nth == 0;
        let mut value = search.below(pvs, child, if is_first { left } else { null });
        if !is_first && null.fails_high(value) && !left.fails_high(value) {
            search.report(TreeEvent::Research);
            value = search.below(pvs, child, left);
        }
        left.alpha = left.alpha.max(value);
        if window.fails_high(left.alpha) {
            break;
        }
    }
    left.alpha
}
