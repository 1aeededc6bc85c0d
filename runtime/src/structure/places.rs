//! A tree as rows of places, in which children stand side by side.

use super::Tree;
use std::ops::Range;

/// A tree whose variables have been given places: those with hidden states of their
/// own first, breadth first, then the others in the order of their parents. The
/// children of a place are then two runs of places, so that a circuit names them by
/// where they begin and end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Places {
    /// The variable at each place; the root is at place 0.
    pub variables: Vec<usize>,
    /// Places that have hidden states of their own.
    pub n_inner: usize,
    /// For each inner place where its inner children begin; the last is their end.
    pub inner_from: Vec<usize>,
    /// The same for its other children.
    pub outer_from: Vec<usize>,
}

impl Places {
    /// Gives places to the variables of a tree. Those with children have hidden
    /// states, and so have the root and all for which `is_hidden` says so.
    pub fn new(tree: &Tree, is_hidden: impl Fn(usize) -> bool) -> Self {
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
        Places {
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
