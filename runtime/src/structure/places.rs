//! A tree as rows of places, in which children stand side by side.

use super::VariableTree;
use std::ops::Range;

/// A tree whose variables have been given places: those with hidden states of their
/// own first, breadth first, then the others in the order of their parents. The
/// children of a place are then two runs of places, so that a circuit names them by
/// where they begin and end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TreePlaces {
    /// The variable at each place; the root is at place 0.
    pub variables: Vec<usize>,
    /// Places that have hidden states of their own.
    pub n_inner: usize,
    /// For each inner place where its inner children begin; the last is their end.
    pub inner_from: Vec<usize>,
    /// The same for its other children.
    pub outer_from: Vec<usize>,
}

impl TreePlaces {
    /// Gives places to the variables of a tree. Those with children have hidden
    /// states, and so have the root and all for which `is_hidden` says so.
    pub fn new(tree: &VariableTree, is_hidden: impl Fn(usize) -> bool) -> Self {
        let is_inner =
            |&variable: &usize| !tree.children(variable).is_empty() || is_hidden(variable);
        let mut inner: Vec<usize> = tree.order().first().copied().into_iter().collect();
        let mut outer = Vec::new();
        let mut inner_from = Vec::new();
        let mut outer_ends = vec![0];
        let mut at = 0;
        while at < inner.len() {
            let children = tree.children(inner[at]).iter().copied();
            let (hidden, other): (Vec<_>, Vec<_>) = children.partition(is_inner);
            inner_from.push(inner.len());
            inner.extend(hidden);
            outer.extend(other);
            outer_ends.push(outer.len());
            at += 1;
        }
        let n_inner = inner.len();
        inner_from.push(n_inner);
        TreePlaces {
            outer_from: outer_ends.iter().map(|end| n_inner + end).collect(),
            variables: inner.into_iter().chain(outer).collect(),
            n_inner,
            inner_from,
        }
    }

    /// The places of the inner children of an inner place.
    pub fn inner_children(&self, place: usize) -> Range<usize> {
        self.inner_from[place]..self.inner_from[place + 1]
    }

    /// The places of its other children.
    pub fn outer_children(&self, place: usize) -> Range<usize> {
        self.outer_from[place]..self.outer_from[place + 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every variable has a place, and its parent's place has it among its children.
    fn assert_placed(tree: &VariableTree, is_hidden: impl Fn(usize) -> bool) {
        let places = TreePlaces::new(tree, &is_hidden);
        let mut seen = places.variables.clone();
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..tree.n_variables()));
        assert_eq!(places.variables[0], tree.root());
        let mut n_children = 0;
        for place in 0..places.n_inner {
            let parent = Some(places.variables[place]);
            for child in places.inner_children(place) {
                assert!(place < child && child < places.n_inner);
                assert_eq!(tree.parent(places.variables[child]), parent);
            }
            for child in places.outer_children(place) {
                let variable = places.variables[child];
                assert!(child >= places.n_inner && tree.children(variable).is_empty());
                assert!(!is_hidden(variable));
                assert_eq!(tree.parent(variable), parent);
            }
            n_children += places.inner_children(place).len() + places.outer_children(place).len();
        }
        assert_eq!(n_children + 1, tree.n_variables());
    }

    #[test]
    fn children_stand_side_by_side() {
        for n in 1..8 {
            for seed in 0..50 {
                let parent = |child: usize| (seed * 31 + child * 7 + seed / child) % child;
                let edges: Vec<_> = (1..n).map(|child| (parent(child), child)).collect();
                let tree =
                    VariableTree::from_edges(n, &edges).expect("every variable has a parent");
                assert_placed(&tree, |_| false);
                assert_placed(&tree, |_| true);
                assert_placed(&tree, |variable| variable % 3 == seed % 3);
            }
        }
    }

    #[test]
    fn leaves_without_states_come_last() {
        let tree = VariableTree::from_edges(5, &[(0, 1), (1, 2), (1, 3), (3, 4)]).expect("a tree");
        let places = TreePlaces::new(&tree, |_| false);
        assert_eq!(places.variables, [1, 3, 0, 2, 4]);
        assert_eq!((places.n_inner, places.inner_from), (2, vec![1, 2, 2]));
        assert_eq!(places.outer_from, [2, 4, 5]);
    }

    #[test]
    fn a_single_variable_has_states() {
        let tree = VariableTree::from_edges(1, &[]).expect("a tree");
        let places = TreePlaces::new(&tree, |_| false);
        assert_eq!((places.variables, places.n_inner), (vec![0], 1));
    }
}
