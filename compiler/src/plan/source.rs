//! Where packed weights come from.

use crate::circuit::LeafId;

/// What one place of the packed weight buffer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WeightSource {
    /// The constant 1: a value-set indicator adds up rows of evidence.
    One,
    /// An entry of a parameter, by its position in
    /// [`CircuitGraph::all_entries`](crate::circuit::CircuitGraph::all_entries).
    Entry(u32),
    /// The probability that a leaf gives to one value of its domain.
    Table {
        /// The leaf.
        leaf: LeafId,
        /// Position of the value in the domain.
        code: u32,
    },
    /// What a leaf is worth for a missing cell: its mass, or its largest value
    /// when the most probable completion is asked for.
    Missing(LeafId),
}
