//! Trees as SVG text, in which some branches may be cut.

use super::canvas::{Anchor, Canvas, FAINT, INK};

/// A node of a tree to be drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TreeNode {
    /// The text at the node.
    pub label: String,
    /// Smaller text below the label.
    pub note: String,
    /// Whether the branch to it is cut.
    pub cut: bool,
    /// Indices of its children.
    pub children: Vec<usize>,
}

/// One tree under its title; the root is the first node.
pub type TitledTree = (String, Vec<TreeNode>);

/// Width of a leaf, height of a level, room around a tree.
const LEAF: f64 = 38.0;
const LEVEL: f64 = 62.0;
const MARGIN: f64 = 30.0;
/// Heights of a node's label, and of the note below it.
const LABEL: f64 = 19.0;
const NOTE: f64 = 13.0;
const TITLE: f64 = 44.0;

/// Draws trees one below the other.
pub fn trees_to_svg(title: &str, trees: &[TitledTree]) -> String {
    let places: Vec<_> = trees.iter().map(|(_, nodes)| places(nodes)).collect();
    let sizes: Vec<_> = places.iter().map(|places| size(places)).collect();
    let width = sizes.iter().map(|size| size.0).fold(320.0, f64::max) + 2.0 * MARGIN;
    let height = sizes.iter().map(|size| size.1 + TITLE + 2.0 * MARGIN).sum();
    let mut canvas = Canvas::new(width, height);
    let mut top = 0.0;
    for (((name, nodes), places), (_, height)) in trees.iter().zip(&places).zip(&sizes) {
        canvas.title((MARGIN, top + MARGIN), name);
        top += MARGIN + TITLE;
        let places: Vec<_> = places.iter().map(|(x, y)| (x + MARGIN, y + top)).collect();
        for (node, &place) in nodes.iter().zip(&places) {
            for &child in &node.children {
                branch(&mut canvas, place, places[child], nodes[child].cut);
            }
        }
        for (node, (x, y)) in nodes.iter().zip(places) {
            // The branches begin below the note.
            let ground = if node.note.is_empty() { LABEL } else { LABEL + NOTE };
            canvas.rect((x - 15.0, y - 11.0), (30.0, ground), "#fff");
            canvas.text((x, y + 4.0), Anchor::Middle, 14, &node.label);
            canvas.text((x, y + 18.0), Anchor::Middle, 10, &node.note);
        }
        top += height + MARGIN;
    }
    let names: Vec<&str> = trees.iter().map(|(name, _)| name.as_str()).collect();
    canvas.finish(title, &names.join("; "))
}

/// The width and the height of a tree, measured to the middles of its nodes.
fn size(places: &[(f64, f64)]) -> (f64, f64) {
    places.iter().fold((0.0, 0.0), |(width, height), &(x, y)| (x.max(width), y.max(height)))
}

/// The line to a child; a cut one is faint, with a stroke across it.
fn branch(canvas: &mut Canvas, from: (f64, f64), to: (f64, f64), cut: bool) {
    canvas.line(from, to, if cut { FAINT } else { INK }, 1.5);
    if cut {
        let x = (from.0 + 2.0 * to.0) / 3.0;
        let y = (from.1 + 2.0 * to.1) / 3.0;
        canvas.line((x - 7.0, y + 4.0), (x + 7.0, y - 4.0), "#d55e00", 2.5);
    }
}

/// The place of each node: leaves side by side, other nodes centred above their children.
fn places(nodes: &[TreeNode]) -> Vec<(f64, f64)> {
    let mut places = vec![(0.0, 0.0); nodes.len()];
    if !nodes.is_empty() {
        place(nodes, 0, 0.0, &mut 0.0, &mut places);
    }
    places
}

fn place(nodes: &[TreeNode], index: usize, y: f64, left: &mut f64, places: &mut [(f64, f64)]) {
    let children = &nodes[index].children;
    for &child in children {
        place(nodes, child, y + LEVEL, left, places);
    }
    let x = match (children.first(), children.last()) {
        (Some(&first), Some(&last)) => f64::midpoint(places[first].0, places[last].0),
        _ => {
            *left += LEAF;
            *left - LEAF / 2.0
        }
    };
    places[index] = (x, y);
}
