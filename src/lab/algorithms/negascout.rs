//! NegaScout: SCOUT with two bounds, fail-soft.
//!
//! F4 of Hsu's slides "Scout and NegaScout", after Reinefeld, "An improvement
//! to the Scout tree search algorithm", ICCA Journal 6(4), 1983.

use crate::score::{Score, Window};

use super::search::Search;

/// Whether a published text is followed where running it shows a mistake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// With the test that the text forgot.
    #[default]
    Mended,
    /// To the letter.
    Literal,
}

/// The options of NegaScout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// With or without the published mistake.
    pub form: Form,
    /// At nodes with a height below this a null window's answer is taken for
    /// exact: 0 is never, and 3 is the "depth < 3" rule, right where sides
    /// alternate and the search is fail-soft. With extra turns as plies, or with
    /// 4, values are wrong.
    pub trusted_height: u16,
    /// Stop at a node that has reached the most its player can get.
    pub maximum_cut: bool,
}

impl Options {
    /// The "depth < 3" rule.
    pub const DEPTH_RULE: Self = Self { form: Form::Mended, trusted_height: 3, maximum_cut: false };
}

/// The value of `node` to the player to move there if it lies in `window`; an
/// upper bound of at most `alpha` or a lower bound of at least `beta` if not.
///
/// On a tree without transpositions the mended form never visits a leaf that
/// alpha-beta (F3) with the same window does not. The literal form searches
/// again when a child beats the best so far though it is no better than
/// `alpha`.
pub fn negascout<S: Search>(
    search: &mut S,
    node: S::Node,
    window: Window<S::Value>,
    options: Options,
) -> S::Value {
    let Some(children) = search.children(node) else { return search.leaf(node) };
    let below = move |search: &mut S, node, window| negascout(search, node, window, options);
    let ceiling = if options.maximum_cut { search.ceiling(node) } else { S::Value::MAX };
    let trusted = search.height(node) < options.trusted_height;
    let mut best = S::Value::MIN;
    let mut question = window;
    for child in children {
        let value = search.below(below, child, question);
        if value > best {
            let open = match options.form {
                Form::Mended => value > window.alpha.max(best),
                Form::Literal => true,
            };
            best = if !open || question.beta == window.beta || trusted || window.fails_high(value) {
                value
            } else {
                search.research();
                search.below(below, child, Window::new(value, window.beta))
            };
        }
        if window.fails_high(best) || best >= ceiling {
            break;
        }
        question = Window::null(window.alpha.max(best));
    }
    best
}
