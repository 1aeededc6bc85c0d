//! What is drawn, before it has places.

use super::layout::NodeExtent;
use super::measure::text_width;

/// Size of names, leaves and groups.
pub(super) const TEXT_SIZE: f64 = 13.0;
/// Size of edge labels and of the second line of a group.
pub(super) const SMALL_SIZE: f64 = 11.0;
/// Radius of sums and products.
pub(super) const RADIUS: f64 = 13.0;
/// Height of a leaf's box.
pub(super) const LEAF_HEIGHT: f64 = 26.0;
/// Height of a group's box.
pub(super) const GROUP_HEIGHT: f64 = 42.0;
/// Room between a circle and the name beside it.
pub(super) const NAME_GAP: f64 = 6.0;
/// How far the loop of a group that feeds itself reaches out.
pub(super) const LOOP_REACH: f64 = 26.0;
/// Height of an edge label.
pub(super) const LABEL_HEIGHT: f64 = 14.0;

/// A drawing without places. Edges lead downwards: they have no cycles.
#[derive(Clone, Debug, Default)]
pub(super) struct SvgDiagram {
    pub nodes: Vec<SvgNode>,
    pub edges: Vec<SvgEdge>,
    /// Below the drawing.
    pub caption: String,
    /// A second, quieter line below it.
    pub note: Option<String>,
    /// Spoken by screen readers.
    pub description: String,
    /// Whether nodes are groups rather than units.
    pub is_collapsed: bool,
}

/// What a node looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SvgShape {
    /// A circle with a plus.
    Sum,
    /// A circle with a cross.
    Product,
    /// A rounded box with text.
    Leaf,
    /// A box for many sums and products.
    Group,
    /// A box for many leaves.
    LeafGroup,
}

/// A unit or a group of units.
#[derive(Clone, Debug)]
pub(super) struct SvgNode {
    pub shape: SvgShape,
    /// Text inside a box.
    pub text: String,
    /// Second line of a group.
    pub subtext: String,
    /// The name beside a circle, or above a leaf's text.
    pub name: Option<String>,
    /// Shown when pointed at.
    pub tooltip: String,
    /// The label of the loop of a group that feeds itself.
    pub own_edges: Option<String>,
    pub is_root: bool,
}

/// An edge between two nodes.
#[derive(Clone, Debug)]
pub(super) struct SvgEdge {
    pub from: usize,
    pub to: usize,
    pub label: Option<String>,
    pub tooltip: String,
    /// Relative to that of an ordinary edge.
    pub thickness: f64,
    /// How much it wants to be upright, relative to an ordinary edge.
    pub pull: f64,
    /// Whether it really leads upwards, from `to` to `from`.
    pub is_reversed: bool,
}

impl SvgNode {
    /// The width of the box, loop and name left out.
    pub fn box_width(&self) -> f64 {
        let padded = |text: &str, size| text_width(text, size) + 20.0;
        match self.shape {
            SvgShape::Sum | SvgShape::Product => 2.0 * RADIUS,
            SvgShape::Leaf => padded(&self.text, TEXT_SIZE).max(34.0),
            SvgShape::Group | SvgShape::LeafGroup => {
                let text = padded(&self.text, TEXT_SIZE * 1.05);
                text.max(padded(&self.subtext, SMALL_SIZE)).max(90.0)
            }
        }
    }

    /// The height of the box.
    pub fn box_height(&self) -> f64 {
        match self.shape {
            SvgShape::Sum | SvgShape::Product => 2.0 * RADIUS,
            SvgShape::Leaf => LEAF_HEIGHT,
            SvgShape::Group | SvgShape::LeafGroup => GROUP_HEIGHT,
        }
    }

    /// The room it takes with all that stands beside it.
    pub fn extent(&self) -> NodeExtent {
        let half = self.box_width() / 2.0;
        let name = self.name.as_ref();
        let beside = name.map_or(0.0, |name| NAME_GAP + text_width(name, TEXT_SIZE));
        let own = self.own_edges.as_ref();
        let own = own.map_or(0.0, |label| {
            LOOP_REACH + 4.0 + text_width(label, SMALL_SIZE)
        });
        NodeExtent {
            left: half,
            right: half + beside + own,
            height: self.box_height(),
        }
    }
}

impl SvgEdge {
    /// The room its label takes.
    pub fn label_extent(&self) -> Option<NodeExtent> {
        let width = text_width(self.label.as_ref()?, SMALL_SIZE) + 6.0;
        Some(NodeExtent {
            left: width / 2.0,
            right: width / 2.0,
            height: LABEL_HEIGHT,
        })
    }
}
