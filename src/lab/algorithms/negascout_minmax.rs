//! NegaScout with a function for each player.
//!
//! F4' and G4' of Hsu's slides "Scout and NegaScout", after Reinefeld, "An
//! improvement to the Scout tree search algorithm", ICCA Journal 6(4), 1983.
//! The slides test at `m` where they should test at `max(alpha, m)` (G4' at
//! `min(beta, m)`): right values, many more leaves.

use crate::score::{Score, Window};

use super::negascout::{Form, Options};
use super::search::Search;
use super::tree::{Child, Player};

/// The value of `child`, which `player` moves to, as Max counts it.
fn below<S: Search>(
    search: &mut S,
    child: Child<S::Node>,
    player: Player,
    window: Window<S::Value>,
    options: Options,
) -> S::Value {
    match player.after(child.turn) {
        Player::Max => f4_prime(search, child.node, window, options),
        Player::Min => g4_prime(search, child.node, window, options),
    }
}

/// F4': the value of `node`, where Max is to move, if it lies in `window`; a
/// bound beyond it if not. Values and window are as Max counts.
pub fn f4_prime<S: Search>(
    search: &mut S,
    node: S::Node,
    window: Window<S::Value>,
    options: Options,
) -> S::Value {
    let Some(mut children) = search.children(node) else { return search.leaf(node) };
    let ceiling = if options.maximum_cut { search.ceiling(node) } else { S::Value::MAX };
    let trusted = search.height(node) < options.trusted_height;
    let first = children.next().expect("a node with children has a first one");
    let mut best = below(search, first, Player::Max, window, options);
    for child in children {
        if window.fails_high(best) || best >= ceiling {
            break;
        }
        let bound = match options.form {
            Form::Mended => window.alpha.max(best),
            Form::Literal => best,
        };
        let value = below(search, child, Player::Max, Window::null(bound), options);
        if value > bound && !trusted && !window.fails_high(value) {
            search.research();
            let window = Window::new(value, window.beta);
            best = below(search, child, Player::Max, window, options);
        } else {
            best = best.max(value);
        }
    }
    best
}

/// G4': the value of `node`, where Min is to move, if it lies in `window`; a
/// bound beyond it if not. Values and window are as Max counts.
pub fn g4_prime<S: Search>(
    search: &mut S,
    node: S::Node,
    window: Window<S::Value>,
    options: Options,
) -> S::Value {
    let Some(mut children) = search.children(node) else { return -search.leaf(node) };
    let floor = if options.maximum_cut { -search.ceiling(node) } else { S::Value::MIN };
    let trusted = search.height(node) < options.trusted_height;
    let first = children.next().expect("a node with children has a first one");
    let mut best = below(search, first, Player::Min, window, options);
    for child in children {
        if window.fails_low(best) || best <= floor {
            break;
        }
        let bound = match options.form {
            Form::Mended => window.beta.min(best),
            Form::Literal => best,
        };
        let value = below(search, child, Player::Min, Window::null_under(bound), options);
        if value < bound && !trusted && !window.fails_low(value) {
            search.research();
            let window = Window::new(window.alpha, value);
            best = below(search, child, Player::Min, window, options);
        } else {
            best = best.min(value);
        }
    }
    best
}
