//! The best exchange of one edge of a tree for another.

use super::{InformationMatrix, VariableTree};

/// A pair of variables, the smaller index first.
pub(super) type SpanningTreeEdge = (usize, usize);

/// Edges that may not be exchanged.
#[derive(Clone, Debug, Default)]
pub(super) struct EdgeConstraints {
    /// Edges of the tree that have to stay.
    pub kept: Vec<SpanningTreeEdge>,
    /// Edges that may not be added.
    pub banned: Vec<SpanningTreeEdge>,
}

#[derive(Clone, Debug)]
pub(super) struct Swap {
    /// How much information it costs.
    pub loss: f64,
    pub removed: SpanningTreeEdge,
    /// The edge that joins what falls apart.
    pub added: SpanningTreeEdge,
}

/// The exchange that costs least, of equal ones that which adds the edge of smallest
/// indices; none if the limits leave none.
///
/// An edge that is added closes a cycle, of which the edge of least information
/// goes. Walking the tree once from each variable gives that of all pairs:
/// quadratic in the number of variables.
pub(super) fn best_swap(
    information: &InformationMatrix,
    tree: &VariableTree,
    limits: &EdgeConstraints,
) -> Option<Swap> {
    let mut search = SwapSearch::new(information, tree, limits);
    let mut best: Option<(f64, SpanningTreeEdge)> = None;
    for from in 0..tree.n_variables() {
        search.walk(from);
        best = search.better(from, best);
    }
    best.map(|(loss, added)| Swap {
        loss,
        removed: search.weakest(added),
        added,
    })
}

/// A tree whose variables are known by their positions in its order, so that
/// parents have smaller ones.
struct SwapSearch<'a> {
    information: &'a InformationMatrix,
    limits: &'a EdgeConstraints,
    order: &'a [usize],
    /// The parent of each but the root.
    above: Vec<usize>,
    /// The information of the edge to the parent; infinite if it has to stay.
    weights: Vec<f64>,
    /// The smallest weight on the way from where the last walk began.
    smallest: Vec<f64>,
    /// Where the last walk began that came by on its way up.
    walked_up: Vec<usize>,
}

impl<'a> SwapSearch<'a> {
    fn new(
        information: &'a InformationMatrix,
        tree: &'a VariableTree,
        limits: &'a EdgeConstraints,
    ) -> Self {
        let n = tree.n_variables();
        let mut position = vec![0; n];
        for (at, &variable) in tree.order().iter().enumerate() {
            position[variable] = at;
        }
        let mut search = SwapSearch {
            information,
            limits,
            order: tree.order(),
            above: vec![0; n],
            weights: vec![f64::INFINITY; n],
            smallest: vec![f64::INFINITY; n],
            walked_up: vec![usize::MAX; n],
        };
        for (parent, child) in tree.edges() {
            search.above[position[child]] = position[parent];
            if !limits.kept.contains(&edge(parent, child)) {
                search.weights[position[child]] = information.get(parent, child);
            }
        }
        search
    }

    /// Finds the smallest weight on the way from one variable to each other one.
    fn walk(&mut self, from: usize) {
        // 1. Up to the root.
        self.smallest[from] = f64::INFINITY;
        self.walked_up[from] = from;
        let mut at = from;
        while at > 0 {
            let next = self.above[at];
            self.smallest[next] = self.smallest[at].min(self.weights[at]);
            self.walked_up[next] = from;
            at = next;
        }
        // 2. Down to all others, whose parents come before them.
        for at in 1..self.order.len() {
            if self.walked_up[at] != from {
                self.smallest[at] = self.smallest[self.above[at]].min(self.weights[at]);
            }
        }
    }

    /// The cheapest edge so far, with those that join `from`, where the last walk
    /// began, to later variables.
    fn better(
        &self,
        from: usize,
        mut best: Option<(f64, SpanningTreeEdge)>,
    ) -> Option<(f64, SpanningTreeEdge)> {
        let row = self.information.row(self.order[from]);
        for at in from + 1..self.order.len() {
            let loss = self.smallest[at] - row[self.order[at]];
            // Whether the edge is allowed is asked last, because it takes longest.
            if best.is_none_or(|(least, _)| loss <= least) && loss < f64::INFINITY {
                let added = edge(self.order[from], self.order[at]);
                let is_first = best.is_none_or(|best| (loss, added) < best);
                if is_first && self.above[at] != from && !self.limits.banned.contains(&added) {
                    best = Some((loss, added));
                }
            }
        }
        best
    }

    /// The edge of least weight between two variables, of equal ones that of
    /// smallest indices.
    fn weakest(&self, (a, b): SpanningTreeEdge) -> SpanningTreeEdge {
        let position = |variable: usize| self.order.iter().position(|&other| other == variable);
        let ends = position(a).zip(position(b));
        let (mut low, mut high) = ends.expect("the order has all variables");
        let mut weakest = (f64::INFINITY, (a, b));
        while low != high {
            // A parent comes first, so the later one is not above the other.
            let at = low.max(high);
            let to_parent = edge(self.order[at], self.order[self.above[at]]);
            let here = (self.weights[at], to_parent);
            if here < weakest {
                weakest = here;
            }
            (low, high) = (low.min(high), self.above[at]);
        }
        weakest.1
    }
}

pub(super) fn edge(a: usize, b: usize) -> SpanningTreeEdge {
    (a.min(b), a.max(b))
}
