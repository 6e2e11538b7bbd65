//! The figures that claims about the effort of searches are about.

use kalah_text::named_enum;

use super::judge::Unit;

named_enum! {
    /// A figure of an algorithm and its baseline under one condition and at one depth.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SearchFigure: "figure" {
        /// The percentage by which leaves are fewer than the baseline's.
        LeavesSaved = "leaves saved",
        /// The same for nodes.
        NodesSaved = "nodes saved",
        /// The same for second searches of a node.
        ResearchesSaved = "re-searches saved",
        /// The same for processor time.
        TimeSaved = "time saved",
        /// The leaves saved at a depth, minus those saved two moves before. A single move would
        /// compare an odd depth with an even one, which differ.
        SavingWithDepth = "leaves saved, change over two moves",
        /// The leaves saved in one order, minus those saved in the baseline's order.
        SavingWithOrder = "leaves saved, change from another order",
        /// The leaves saved with a table in both, minus those saved without.
        SavingByTable = "leaves saved, change by a table",
        /// The same with a table and iterative deepening.
        SavingByDeepening = "leaves saved, change by deepening",
        /// The slope of the leaves saved by the width, in points for each pit or child.
        SavingWithWidth = "leaves saved, trend with width",
        /// Leaves over those of the baseline.
        LeafRatio = "leaves, ratio",
        /// Nodes over those of the baseline.
        NodeRatio = "nodes, ratio",
        /// Nodes over twice those of the baseline.
        NodeRatioToTwo = "nodes, ratio to twice",
        /// The d-th root of the ratio of nodes.
        NodeRatioRoot = "nodes, d-th root of ratio",
        /// The change of the ratio of nodes from the next smaller depth that was measured.
        NodeRatioWithDepth = "nodes, ratio, change with depth",
        /// The change of the ratio of nodes from the next smaller width that was measured.
        NodeRatioWithWidth = "nodes, ratio, change with width",
        /// Leaves over those of minimax at half the depth; on uniform trees, over b^(d/2).
        HalfDepth = "leaves, ratio to half the depth",
        /// The exponent that turns the growth of the baseline over two moves, or that of all
        /// leaves of a uniform tree, into that of the algorithm.
        Exponent = "growth, exponent",
        /// The exponent on uniform trees, minus the baseline's.
        ExponentGap = "growth, exponent above",
        /// Children visited at an interior node, minus those that the baseline visits.
        Children = "children visited, difference",
        /// Percent of trees on which the value is wrong.
        Wrong = "wrong values",
        /// Percent of trees, under all conditions, on which the leaves are fewer.
        Fewer = "trees with fewer leaves",
        /// Percent of trees on which other leaves are visited, or in another order.
        OtherLeaves = "trees with other leaves",
        /// The error of the baseline, against a search four moves deeper, that is saved.
        ErrorSaved = "error saved",
        /// Leaves, minus those of the minimal tree.
        BeyondMinimal = "leaves beyond the minimal tree",
        /// Leaves, minus all leaves of the tree.
        BeyondAllLeaves = "leaves beyond b^d",
        /// Nodes, minus all nodes of the tree.
        BeyondAllNodes = "nodes beyond all",
        /// Nodes, minus H1.
        BeyondH1 = "nodes beyond H1",
        /// Nodes, minus H2.
        BeyondH2 = "nodes beyond H2",
        /// Nodes, minus the older H2.
        BeyondOldH2 = "nodes beyond the older H2",
    }
}

use SearchFigure as F;

impl SearchFigure {
    /// The unit of the figure.
    pub fn unit(self) -> Unit {
        match self {
            F::LeavesSaved | F::NodesSaved | F::ResearchesSaved | F::TimeSaved => Unit::Percent,
            F::SavingWithDepth | F::SavingWithOrder | F::SavingWithWidth => Unit::Percent,
            F::SavingByTable | F::SavingByDeepening => Unit::Percent,
            F::Wrong | F::Fewer | F::OtherLeaves | F::ErrorSaved => Unit::Percent,
            F::LeafRatio | F::HalfDepth | F::Children => Unit::Number(2),
            F::NodeRatio | F::NodeRatioToTwo | F::NodeRatioRoot => Unit::Number(3),
            F::NodeRatioWithDepth | F::NodeRatioWithWidth => Unit::Number(3),
            F::Exponent | F::ExponentGap => Unit::Number(3),
            F::BeyondMinimal | F::BeyondAllLeaves | F::BeyondAllNodes => Unit::Number(0),
            F::BeyondH1 | F::BeyondH2 | F::BeyondOldH2 => Unit::Number(0),
        }
    }
}
