//! Rooted trees over variables.

use std::ops::Range;

/// A rooted tree over all variables, which are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableTree {
    parents: Vec<Option<usize>>,
    /// Breadth first, so that children of a variable are neighbours.
    order: Vec<usize>,
    /// Where a variable's children are in the order.
    children: Vec<Range<usize>>,
}

impl VariableTree {
    /// The tree with these edges. Its root is a centre, from which no variable is
    /// farther away than need be: the one of smaller index, if there are two.
    ///
    /// None if the edges do not join all variables or there are more than that
    /// takes, and if there are no variables.
    pub fn from_edges(n_variables: usize, edges: &[(usize, usize)]) -> Option<Self> {
        let fits = |&(a, b): &(usize, usize)| a < n_variables && b < n_variables;
        if edges.len() + 1 != n_variables || !edges.iter().all(fits) {
            return None;
        }
        // 1. A walk from anywhere reaches all variables, or the edges are no tree.
        let neighbours = neighbours(n_variables, edges);
        let walk = VariableTree::from_root(&neighbours, 0);
        // As few edges as can join all variables do so or leave one out.
        if walk.order.len() < n_variables {
            return None;
        }
        // 2. It ends at an end of a longest way through the tree, in whose middle the centre is.
        let end = walk.last();
        let across = VariableTree::from_root(&neighbours, end);
        Some(VariableTree::from_root(&neighbours, across.middle()))
    }

    /// What a walk from `root` reaches, breadth first, smaller indices first.
    fn from_root(neighbours: &[Vec<usize>], root: usize) -> Self {
        let mut tree = VariableTree {
            parents: vec![None; neighbours.len()],
            order: vec![root],
            children: vec![0..0; neighbours.len()],
        };
        let mut is_seen = vec![false; neighbours.len()];
        is_seen[root] = true;
        let mut at = 0;
        while let Some(&variable) = tree.order.get(at) {
            let first = tree.order.len();
            for &next in &neighbours[variable] {
                if !is_seen[next] {
                    is_seen[next] = true;
                    tree.parents[next] = Some(variable);
                    tree.order.push(next);
                }
            }
            tree.children[variable] = first..tree.order.len();
            at += 1;
        }
        tree
    }

    /// A variable that is farthest from the root.
    fn last(&self) -> usize {
        self.order[self.order.len() - 1]
    }

    /// The middle of the way from the root to the last variable.
    fn middle(&self) -> usize {
        let up = |&variable: &usize| self.parents[variable];
        let way: Vec<usize> = std::iter::successors(Some(self.last()), up).collect();
        way[(way.len() - 1) / 2].min(way[way.len() / 2])
    }

    /// Number of variables; there is at least one.
    pub fn n_variables(&self) -> usize {
        self.parents.len()
    }

    /// The variable without a parent.
    pub fn root(&self) -> usize {
        self.order[0]
    }

    /// The parent of a variable; none if it is the root.
    pub fn parent(&self, variable: usize) -> Option<usize> {
        self.parents[variable]
    }

    /// The children of a variable, smaller indices first.
    pub fn children(&self, variable: usize) -> &[usize] {
        &self.order[self.children[variable].clone()]
    }

    /// All variables, the root first and parents before children, breadth first.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The edges as (parent, child), in the order of the children.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let below = self.order[1..].iter();
        below.filter_map(|&child| Some((self.parents[child]?, child)))
    }
}

/// The neighbours of each variable, smaller indices first.
fn neighbours(n_variables: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new(); n_variables];
    for &(a, b) in edges {
        all[a].push(b);
        all[b].push(a);
    }
    all.iter_mut().for_each(|own| own.sort_unstable());
    all
}
