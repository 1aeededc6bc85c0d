//! The spanning tree of most information, by Prim's algorithm.

use super::{InformationMatrix, VariableTree};

/// A spanning tree of most information; of equal choices the variable of smaller
/// index is joined first, to what was in the tree first. None if there are no
/// variables.
///
/// Quadratic in the number of variables.
pub(super) fn best_tree(information: &InformationMatrix) -> Option<VariableTree> {
    let n = information.n_variables();
    let mut outside: Vec<usize> = (1..n).collect();
    // For each variable outside the neighbour inside that tells most about it.
    let mut nearest = vec![0; n];
    let mut edges = Vec::with_capacity(outside.len());
    while let Some(at) = best(information, &outside, &nearest) {
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
