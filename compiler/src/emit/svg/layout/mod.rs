//! A layered drawing of an acyclic graph, after Sugiyama.
//!
//! Four steps, each a file: nodes get layers and long edges bends (`layer`),
//! every row gets an order with few crossings (`order`), every slot an x
//! coordinate that keeps edges straight (`place`, `relax`), and every edge a
//! smooth path that touches no box but its own (`route`).
//!
//! The label of an edge has a slot of its own in the row below the edge's
//! start, so that labels cannot lie on each other or on nodes.

mod layer;
mod order;
mod place;
mod relax;
mod route;
#[cfg(test)]
mod tests;

pub(super) use route::EdgePath;
#[cfg(test)]
pub(super) use tests::assert_clear;

/// What is to be laid out. Edges lead from parents to children, without cycles.
#[derive(Clone, Debug, Default)]
pub(super) struct DrawingGraph {
    pub nodes: Vec<NodeExtent>,
    pub edges: Vec<GraphEdge>,
}

/// The room a box takes around its anchor, at which edges are attached.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct NodeExtent {
    /// Room to the left of the anchor.
    pub left: f64,
    /// Room to the right of it.
    pub right: f64,
    /// Height, half of it above the anchor.
    pub height: f64,
}

/// An edge with the room its label takes, if it has one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GraphEdge {
    pub from: usize,
    pub to: usize,
    pub label: Option<NodeExtent>,
    /// How much it wants to be upright, relative to an ordinary edge.
    pub pull: f64,
}

/// A place in the drawing; y grows downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct DrawingPoint {
    pub x: f64,
    pub y: f64,
}

/// Where everything goes.
#[derive(Clone, Debug)]
pub(super) struct DrawingLayout {
    /// The anchors of the nodes.
    pub nodes: Vec<DrawingPoint>,
    /// The ways of the edges, from parent to child.
    pub paths: Vec<EdgePath>,
    /// The centres of the labels.
    pub labels: Vec<Option<DrawingPoint>>,
    pub width: f64,
    pub height: f64,
}

/// Lays out a graph; the same graph always gives the same drawing.
pub(super) fn layout(graph: &DrawingGraph) -> DrawingLayout {
    let mut rows = layer::rows(graph);
    order::reduce_crossings(&mut rows);
    let mut x = place::coordinates(&rows);
    relax::relax(&rows, &mut x);
    route::finish(graph, &rows, &x)
}

/// What a place in a row is kept for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SlotKind {
    Node,
    /// The label of an edge, which runs through it.
    Label,
    /// An edge on its way past a row.
    Bend,
}

/// A place in a row.
#[derive(Clone, Copy, Debug)]
struct LayerSlot {
    kind: SlotKind,
    extent: NodeExtent,
    /// That of the edge that passes; infinite for a node, which leaves it to its edges.
    pull: f64,
}

/// All rows from top to bottom, and what connects neighbouring ones.
#[derive(Clone, Debug, Default)]
struct GraphLayers {
    slots: Vec<LayerSlot>,
    /// Slots of each row from left to right.
    rows: Vec<Vec<usize>>,
    /// Neighbours in the row above, in the order their edges were given.
    above: Vec<Vec<usize>>,
    /// Neighbours in the row below.
    below: Vec<Vec<usize>>,
    /// The slots each edge runs through, both ends included. The first slots
    /// are the nodes, in order.
    chains: Vec<Vec<usize>>,
}

impl GraphLayers {
    /// The position of every slot in its row.
    fn positions(&self) -> Vec<usize> {
        let mut positions = vec![0; self.slots.len()];
        for row in &self.rows {
            for (at, &slot) in row.iter().enumerate() {
                positions[slot] = at;
            }
        }
        positions
    }
}
