//! The spanning trees of most information: the best by Prim's algorithm, others by Gabow's
//! scheme.

use super::swap::{EdgeConstraints, Swap, best_swap, edge};
use super::{InformationMatrix, VariableTree};

/// The `k` different spanning trees of most information, best first; all if there
/// are fewer, and none if there are no variables. Roots do not make trees
/// different. Equal trees come in an order that depends on indices alone.
///
/// Takes `k` times the square of the number of variables.
///
/// All trees that are not found yet are kept in branches. The trees of a branch
/// have some edges and lack others, and the best of them is known; the next one of
/// the branch is the best exchange of one edge away from it. When that is taken, its
/// branch is cut in two by the edge that was removed: what keeps it still has the
/// old tree as its best, what lacks it the new one.
pub fn best_trees(information: &InformationMatrix, k: usize) -> Vec<VariableTree> {
    let mut found = RankedTrees::default();
    let first = best_tree(information).filter(|_| k > 0);
    let Some(first) = first else {
        return Vec::new();
    };
    // 1. One branch, of all trees.
    let mut branches = Vec::new();
    let at = found.push(first, 0.0);
    branches.extend(found.branch(information, at, EdgeConstraints::default()));
    while found.trees.len() < k
        && let Some(branch) = take_best(&mut branches)
    {
        // 2. The best tree that is left, and two branches in place of the one that it was in.
        let tree = swapped(&found.trees[branch.best], &branch.swap);
        let at = found.push(tree, branch.loss);
        if found.trees.len() < k {
            let (with, without) = cut(branch.limits, &branch.swap);
            branches.extend(found.branch(information, branch.best, with));
            branches.extend(found.branch(information, at, without));
        }
    }
    found.trees
}

/// Trees that were found, and how much less information each has than the first.
#[derive(Default)]
struct RankedTrees {
    trees: Vec<VariableTree>,
    losses: Vec<f64>,
}

/// Trees within limits of which only the best was found.
struct SpanningTreeBranch {
    /// Which of the trees found that is.
    best: usize,
    limits: EdgeConstraints,
    /// What makes the second best of it.
    swap: Swap,
    /// How much less information the second best has than the first tree of all.
    loss: f64,
}

impl RankedTrees {
    fn push(&mut self, tree: VariableTree, loss: f64) -> usize {
        self.trees.push(tree);
        self.losses.push(loss);
        self.trees.len() - 1
    }

    /// The branch within limits whose best tree was found; none if it has no other.
    fn branch(
        &self,
        information: &InformationMatrix,
        best: usize,
        limits: EdgeConstraints,
    ) -> Option<SpanningTreeBranch> {
        let swap = best_swap(information, &self.trees[best], &limits)?;
        Some(SpanningTreeBranch {
            best,
            loss: self.losses[best] + swap.loss,
            limits,
            swap,
        })
    }
}

/// Takes the branch with the best tree that is not found yet, the oldest of equal
/// ones. There are at most as many as trees, and making one takes far longer than
/// looking at all.
fn take_best(branches: &mut Vec<SpanningTreeBranch>) -> Option<SpanningTreeBranch> {
    let losses = branches.iter().map(|branch| branch.loss).enumerate();
    let best = losses.min_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(branches.remove(best.0))
}

/// The limits of trees with and without the edge that was removed.
fn cut(limits: EdgeConstraints, swap: &Swap) -> (EdgeConstraints, EdgeConstraints) {
    let (mut with, mut without) = (limits.clone(), limits);
    with.kept.push(swap.removed);
    without.banned.push(swap.removed);
    (with, without)
}

fn swapped(tree: &VariableTree, swap: &Swap) -> VariableTree {
    let edges = tree.edges().map(|(parent, child)| edge(parent, child));
    let stay = edges.filter(|&edge| edge != swap.removed);
    let edges: Vec<_> = stay.chain([swap.added]).collect();
    VariableTree::from_edges(tree.n_variables(), &edges)
        .expect("the added edge joins what the removed one did")
}

/// A spanning tree of most information, by Prim's algorithm; of equal choices the variable of smaller
/// index is joined first, to what was in the tree first. None if there are no
/// variables.
///
/// Quadratic in the number of variables.
fn best_tree(information: &InformationMatrix) -> Option<VariableTree> {
    let n = information.n_variables();
    let mut outside: Vec<usize> = (1..n).collect();
    // For each variable outside the neighbour inside that tells most about it.
    let mut nearest = vec![0; n];
    let mut edges = Vec::with_capacity(outside.len());
    while let Some(at) = best(information, &outside, &nearest) {
        // The variable that tells most about one inside is joined to that; it may be nearer to
        // those outside than what was there before.
        let next = outside.remove(at);
        edges.push((nearest[next], next));
        let row = information.row(next);
        for &variable in &outside {
            if row[variable] > information.get(variable, nearest[variable]) {
                nearest[variable] = next;
            }
        }
    }
    VariableTree::from_edges(n, &edges)
}

/// The position of the variable outside that is joined next.
fn best(information: &InformationMatrix, outside: &[usize], nearest: &[usize]) -> Option<usize> {
    let gain = |at: usize| information.get(outside[at], nearest[outside[at]]);
    (0..outside.len()).reduce(|best, at| if gain(at) > gain(best) { at } else { best })
}
