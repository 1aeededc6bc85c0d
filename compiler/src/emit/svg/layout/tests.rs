//! Laws of layouts, over random graphs.

use super::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Fails if boxes overlap, an edge does not lead down, or an edge touches a
/// box that is neither of its ends.
pub(in super::super) fn assert_clear(graph: &DrawingGraph) {
    let layout = layout(graph);
    let boxes = boxes(graph, &layout);
    for (at, a) in boxes.iter().enumerate() {
        for b in &boxes[..at] {
            assert!(!a.overlaps(b), "{a:?} overlaps {b:?}");
        }
        let inside = a.left >= -0.01 && a.right <= layout.width + 0.01;
        assert!(inside && a.top >= -0.01 && a.bottom <= layout.height + 0.01);
    }
    for (edge_idx, (edge, path)) in graph.edges.iter().zip(&layout.paths).enumerate() {
        let samples = path.samples();
        for pair in samples.windows(2) {
            assert!(
                pair[1].y >= pair[0].y - 1e-6,
                "edge {edge_idx} turns upwards"
            );
        }
        for place in &boxes {
            let is_own = place.owner == Owner::Label(edge_idx)
                || place.owner == Owner::Node(edge.from)
                || place.owner == Owner::Node(edge.to);
            let touches = samples.iter().any(|&point| place.holds(point));
            assert!(is_own || !touches, "edge {edge_idx} runs through {place:?}");
        }
        assert!(layout.nodes[edge.from].y < layout.nodes[edge.to].y);
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Owner {
    Node(usize),
    Label(usize),
}

#[derive(Clone, Copy, Debug)]
struct Box {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    owner: Owner,
}

impl Box {
    fn new(at: DrawingPoint, extent: NodeExtent, owner: Owner) -> Self {
        Box {
            left: at.x - extent.left,
            right: at.x + extent.right,
            top: at.y - extent.height / 2.0,
            bottom: at.y + extent.height / 2.0,
            owner,
        }
    }

    fn overlaps(&self, other: &Box) -> bool {
        let apart = self.right <= other.left
            || other.right <= self.left
            || self.bottom <= other.top
            || other.bottom <= self.top;
        !apart
    }

    fn holds(&self, point: DrawingPoint) -> bool {
        self.left < point.x && point.x < self.right && self.top < point.y && point.y < self.bottom
    }
}

fn boxes(graph: &DrawingGraph, layout: &DrawingLayout) -> Vec<Box> {
    let nodes = graph.nodes.iter().zip(&layout.nodes).enumerate();
    let nodes = nodes.map(|(at, (extent, place))| Box::new(*place, *extent, Owner::Node(at)));
    let labels = graph.edges.iter().zip(&layout.labels).enumerate();
    let labels = labels.filter_map(|(at, (edge, place))| {
        assert_eq!(edge.label.is_some(), place.is_some());
        Some(Box::new((*place)?, edge.label?, Owner::Label(at)))
    });
    nodes.chain(labels).collect()
}

/// A graph whose edges lead from smaller to larger numbers, with long ones,
/// double ones and lone nodes.
fn random_graph(seed: u64) -> DrawingGraph {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let n_nodes = random.random_range(1..40usize);
    let extent = |random: &mut ChaCha8Rng| NodeExtent {
        left: random.random_range(2.0..60.0),
        right: random.random_range(2.0..90.0),
        height: random.random_range(8.0..44.0),
    };
    let mut graph = DrawingGraph::default();
    for at in 0..n_nodes {
        graph.nodes.push(extent(&mut random));
        for _ in 0..random.random_range(0..4) {
            if at > 0 {
                let label = random.random_bool(0.5).then(|| extent(&mut random));
                graph.edges.push(GraphEdge {
                    from: random.random_range(0..at),
                    to: at,
                    label,
                    pull: random.random_range(0.5..12.0),
                });
            }
        }
    }
    graph
}

#[test]
fn nothing_overlaps_and_edges_lead_down() {
    for seed in 0..300 {
        println!("seed {seed}");
        assert_clear(&random_graph(seed));
    }
}

#[test]
fn the_checker_sees_an_overlap() {
    let mut graph = random_graph(5);
    assert_clear(&graph);
    let laid = layout(&graph);
    graph
        .nodes
        .iter_mut()
        .for_each(|extent| extent.right += 500.0);
    let boxes = boxes(&graph, &laid);
    let overlapping = |a: &Box| boxes.iter().any(|b| a.owner != b.owner && a.overlaps(b));
    assert!(boxes.iter().any(overlapping));
}

#[test]
fn a_graph_is_laid_out_the_same_every_time() {
    let (first, second) = (layout(&random_graph(9)), layout(&random_graph(9)));
    assert_eq!(first.nodes, second.nodes);
    assert_eq!(first.paths, second.paths);
}

#[test]
fn crossings_that_can_be_avoided_are() {
    // Two pairs written crosswise: an order without crossings exists.
    let node = NodeExtent {
        left: 5.0,
        right: 5.0,
        height: 10.0,
    };
    let pairs = [(0, 1), (0, 2), (1, 5), (1, 3), (2, 4), (2, 6), (1, 4)];
    let edges = pairs.map(|(from, to)| GraphEdge {
        from,
        to,
        label: None,
        pull: 1.0,
    });
    let graph = DrawingGraph {
        nodes: vec![node; 7],
        edges: edges.to_vec(),
    };
    let mut rows = layer::rows(&graph);
    rows.rows[2].sort_unstable_by_key(|slot| std::cmp::Reverse(*slot));
    assert!(order::n_crossings(&rows) > 0);
    order::reduce_crossings(&mut rows);
    assert_eq!(order::n_crossings(&rows), 0);
}

#[test]
fn counting_crossings_agrees_with_looking_at_every_pair() {
    for seed in 0..50 {
        let rows = layer::rows(&random_graph(seed));
        let positions = rows.positions();
        let mut expected = 0;
        for row in &rows.rows {
            let segments: Vec<(usize, usize)> = row
                .iter()
                .flat_map(|&slot| rows.below[slot].iter().map(move |&b| (slot, b)))
                .map(|(a, b)| (positions[a], positions[b]))
                .collect();
            for (at, a) in segments.iter().enumerate() {
                let crossed =
                    |b: &&(usize, usize)| (a.0 < b.0 && a.1 > b.1) || (a.0 > b.0 && a.1 < b.1);
                expected += segments[..at].iter().filter(crossed).count();
            }
        }
        assert_eq!(order::n_crossings(&rows), expected, "seed {seed}");
    }
}

#[test]
fn a_parent_stands_over_the_middle_of_its_children() {
    let node = NodeExtent {
        left: 10.0,
        right: 10.0,
        height: 20.0,
    };
    let edges = (1..4).map(|to| GraphEdge {
        from: 0,
        to,
        label: None,
        pull: 1.0,
    });
    let graph = DrawingGraph {
        nodes: vec![node; 4],
        edges: edges.collect(),
    };
    let x: Vec<f64> = layout(&graph).nodes.iter().map(|point| point.x).collect();
    assert!((x[0] - x[2]).abs() < 0.5, "{x:?}");
    assert!(x[1] < x[2] && x[2] < x[3]);
}
