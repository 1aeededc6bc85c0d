//! What is known of missing cells.

use super::Cell;
use crate::circuit::{ValueSet, VarId};
use std::collections::BTreeMap;

/// Sets in which the values of missing cells lie, the same for all rows: evidence that
/// is an interval or a set. Variables that are not mentioned are free.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Within {
    sets: BTreeMap<VarId, ValueSet>,
}

impl Within {
    /// The sets of some variables.
    pub fn new(sets: BTreeMap<VarId, ValueSet>) -> Self {
        Within { sets }
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// Where a missing value lies, if that is known.
    pub fn set(&self, variable: VarId) -> Option<&ValueSet> {
        self.sets.get(&variable)
    }

    /// A missing cell of a variable.
    pub fn cell(&self, variable: VarId) -> Cell {
        match self.set(variable) {
            Some(set) => Cell::In(set.clone()),
            None => Cell::Missing,
        }
    }
}
