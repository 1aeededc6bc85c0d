//! Layers of nodes, and slots for what passes between them.

use super::{DrawingGraph, GraphLayers, LayerSlot, NodeExtent, SlotKind};
use crate::cycle;

/// Assigns every node a row below all of its parents and every edge a slot in
/// each row it passes. A row for labels follows every layer from which an edge
/// with a label starts.
pub(super) fn rows(graph: &DrawingGraph) -> GraphLayers {
    let layers = layers(graph);
    let row_of = row_numbers(graph, &layers);
    let n_rows = layers.iter().map(|&layer| row_of[layer] + 1).max();
    let mut rows = GraphLayers {
        rows: vec![Vec::new(); n_rows.unwrap_or(0)],
        ..GraphLayers::default()
    };
    let order = discovery_order(graph);
    for extent in &graph.nodes {
        add_slot(&mut rows, SlotKind::Node, *extent, f64::INFINITY);
    }
    for &node in &order {
        rows.rows[row_of[layers[node]]].push(node);
    }
    // An edge gets a slot in every row that it passes, the first of them with its label.
    rows.chains = vec![Vec::new(); graph.edges.len()];
    for edge_idx in edges_in_order(graph, &order) {
        add_chain(graph, edge_idx, &layers, &row_of, &mut rows);
    }
    rows
}

/// The longest way from a node without parents, then pulled down towards the
/// children where that shortens more edges than it lengthens.
fn layers(graph: &DrawingGraph) -> Vec<usize> {
    let (children, n_parents) = (children(graph), n_parents(graph));
    // Down: every node as high as its parents allow.
    let order = cycle::as_ready(n_parents.clone(), |node| children[node].iter().copied());
    let mut layers = vec![0; graph.nodes.len()];
    for &node in &order {
        for &child in &children[node] {
            layers[child] = layers[child].max(layers[node] + 1);
        }
    }
    // Up: with more edges below than above, a node is better off close to its children.
    for &node in order.iter().rev() {
        let highest_child = children[node].iter().map(|&child| layers[child]).min();
        if let Some(highest) = highest_child
            && children[node].len() > n_parents[node]
        {
            layers[node] = highest - 1;
        }
    }
    // Pulling may have left the top rows empty.
    let top = layers.iter().min().copied().unwrap_or(0);
    layers.iter().map(|layer| layer - top).collect()
}

/// The lower ends of the edges of each node.
fn children(graph: &DrawingGraph) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        children[edge.from].push(edge.to);
    }
    children
}

/// How many edges lead to each node.
fn n_parents(graph: &DrawingGraph) -> Vec<usize> {
    let mut n_parents = vec![0; graph.nodes.len()];
    for edge in &graph.edges {
        n_parents[edge.to] += 1;
    }
    n_parents
}

/// The row of each layer: layers from which labels start take two.
fn row_numbers(graph: &DrawingGraph, layers: &[usize]) -> Vec<usize> {
    let n_layers = layers.iter().max().map_or(0, |last| last + 1);
    let mut has_labels = vec![false; n_layers];
    for edge in graph.edges.iter().filter(|edge| edge.label.is_some()) {
        has_labels[layers[edge.from]] = true;
    }
    let mut next = 0;
    let numbers = has_labels.into_iter().map(|labels| {
        let row = next;
        next += if labels { 2 } else { 1 };
        row
    });
    numbers.collect()
}

/// Nodes as a walk from the top meets them, children in their order: the rows
/// start out as the author wrote them.
fn discovery_order(graph: &DrawingGraph) -> Vec<usize> {
    let (children, n_parents) = (children(graph), n_parents(graph));
    let is_root = |&node: &usize| n_parents[node] == 0;
    let mut stack: Vec<usize> = (0..n_parents.len()).filter(is_root).collect();
    stack.reverse();
    let mut seen = vec![false; graph.nodes.len()];
    let mut order = Vec::new();
    while let Some(node) = stack.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            order.push(node);
            stack.extend(children[node].iter().rev());
        }
    }
    order
}

fn edges_in_order(graph: &DrawingGraph, order: &[usize]) -> Vec<usize> {
    let mut rank = vec![0; graph.nodes.len()];
    for (at, &node) in order.iter().enumerate() {
        rank[node] = at;
    }
    let mut edges: Vec<usize> = (0..graph.edges.len()).collect();
    edges.sort_by_key(|&edge| rank[graph.edges[edge].from]);
    edges
}

fn add_slot(rows: &mut GraphLayers, kind: SlotKind, extent: NodeExtent, pull: f64) -> usize {
    rows.slots.push(LayerSlot { kind, extent, pull });
    rows.above.push(Vec::new());
    rows.below.push(Vec::new());
    rows.slots.len() - 1
}

fn add_chain(
    graph: &DrawingGraph,
    edge_idx: usize,
    layers: &[usize],
    row_of: &[usize],
    rows: &mut GraphLayers,
) {
    let edge = graph.edges[edge_idx];
    let (first, last) = (row_of[layers[edge.from]], row_of[layers[edge.to]]);
    let mut chain = vec![edge.from];
    for row in first + 1..last {
        let slot = match edge.label {
            Some(label) if row == first + 1 => add_slot(rows, SlotKind::Label, label, edge.pull),
            _ => add_slot(rows, SlotKind::Bend, NodeExtent::default(), edge.pull),
        };
        rows.rows[row].push(slot);
        chain.push(slot);
    }
    chain.push(edge.to);
    for pair in chain.windows(2) {
        rows.below[pair[0]].push(pair[1]);
        rows.above[pair[1]].push(pair[0]);
    }
    rows.chains[edge_idx] = chain;
}
