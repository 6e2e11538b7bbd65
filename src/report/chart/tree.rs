//! Trees as SVG text: each with some of its branches cut.

use super::canvas::{Anchor, Canvas, FAINT, INK};

/// A node of a tree that is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TreeNode {
    /// What stands at the node.
    pub label: String,
    /// What stands below it, smaller.
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

/// Trees one below the other.
pub fn trees_to_svg(title: &str, trees: &[TitledTree]) -> String {
    let places: Vec<_> = trees.iter().map(|(_, nodes)| places(nodes)).collect();
    let size = |places: &Vec<(f64, f64)>| {
        let most = |of: fn(&(f64, f64)) -> f64| places.iter().map(of).fold(0.0, f64::max);
        (most(|place| place.0), most(|place| place.1))
    };
    let sizes: Vec<_> = places.iter().map(size).collect();
    let width = sizes.iter().map(|size| size.0).fold(320.0, f64::max) + 2.0 * MARGIN;
    let height = sizes.iter().map(|size| size.1 + TITLE + 2.0 * MARGIN).sum();
    let mut canvas = Canvas::new(width, height);
    let mut top = 0.0;
    for (((name, nodes), places), (_, height)) in trees.iter().zip(&places).zip(&sizes) {
        canvas.title((MARGIN, top + MARGIN), name);
        top += MARGIN + TITLE;
        let at = |index: usize| (places[index].0 + MARGIN, places[index].1 + top);
        for (index, node) in nodes.iter().enumerate() {
            for &child in &node.children {
                branch(&mut canvas, at(index), at(child), nodes[child].cut);
            }
        }
        for (index, node) in nodes.iter().enumerate() {
            let (x, y) = at(index);
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

/// The line to a child; a cut one is faint, with a stroke across it.
fn branch(canvas: &mut Canvas, from: (f64, f64), to: (f64, f64), cut: bool) {
    canvas.line(from, to, if cut { FAINT } else { INK }, 1.5);
    if cut {
        let (x, y) = ((from.0 + 2.0 * to.0) / 3.0, (from.1 + 2.0 * to.1) / 3.0);
        canvas.line((x - 7.0, y + 4.0), (x + 7.0, y - 4.0), "#d55e00", 2.5);
    }
}

/// Where each node stands: leaves side by side, the others above their children.
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
