//! Which numbers and leaves are the same, now and for ever.

use crate::circuit::{CircuitGraph, Leaf, LeafId, LeafKind, ParamId, ParamKind};
use rustc_hash::FxHashMap;

/// For entries and leaves the first that each is equal to.
pub(super) struct ClassRepresentatives {
    entries: Vec<u32>,
    leaves: Vec<u32>,
}

impl ClassRepresentatives {
    /// Fixed entries are equal if their values are, learned ones only to
    /// themselves; leaves are equal if all their parts are. Linear in entries.
    pub fn of(circuit: &CircuitGraph) -> Self {
        // Numbers, then vectors of them, then leaves: each by what its parts are equal to.
        let entries = equal_entries(circuit);
        let params = equal_params(circuit, &entries);
        let leaves = equal_leaves(circuit, &params);
        ClassRepresentatives { entries, leaves }
    }

    /// The first entry that is equal to the one at a position.
    pub fn entry(&self, position: usize) -> u32 {
        self.entries[position]
    }

    /// The first leaf that is equal to this one.
    pub fn leaf(&self, leaf: LeafId) -> u32 {
        self.leaves[leaf.index()]
    }
}

fn equal_entries(circuit: &CircuitGraph) -> Vec<u32> {
    let mut firsts: FxHashMap<(u8, u64), u32> = FxHashMap::default();
    let entries = (0..).zip(circuit.all_entries());
    let first = |(at, entry): (u32, &crate::circuit::ParameterEntry)| match entry.fixed_value() {
        Some(value) => *firsts.entry(value.bits()).or_insert(at),
        None => at,
    };
    entries.map(first).collect()
}

fn equal_params(circuit: &CircuitGraph, entries: &[u32]) -> Vec<ParamId> {
    let mut firsts: FxHashMap<(ParamKind, &[u32]), ParamId> = FxHashMap::default();
    let params = circuit.parameters().iter().enumerate();
    let first = |(at, parameter): (usize, &crate::circuit::CircuitParameter)| {
        // A learned entry has its own position, so vectors with one are unique.
        let content = &entries[parameter.entries()];
        let key = (parameter.kind, content);
        *firsts.entry(key).or_insert(ParamId::new(at))
    };
    params.map(first).collect()
}

fn equal_leaves(circuit: &CircuitGraph, params: &[ParamId]) -> Vec<u32> {
    let mut firsts: FxHashMap<Leaf, u32> = FxHashMap::default();
    let leaves = (0..).zip(circuit.leaves());
    let first = |(at, leaf): (u32, &Leaf)| {
        // Leaves differ as they stand, so only parameters can make them equal.
        let LeafKind::Distribution(distribution) = &leaf.kind else {
            return at;
        };
        let mut distribution = distribution.clone();
        for param in &mut distribution.params {
            *param = params[param.index()];
        }
        let leaf = Leaf {
            variable: leaf.variable,
            kind: LeafKind::Distribution(distribution),
        };
        *firsts.entry(leaf).or_insert(at)
    };
    leaves.map(first).collect()
}
