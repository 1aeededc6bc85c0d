//! Sharing: units that compute the same from the same are one.

mod alike;

use crate::check::Checked;
use crate::circuit::{CircuitGraph, CircuitRebuild, UnitId, UnitKind};
use alike::ClassRepresentatives;
use hashbrown::HashTable;
use std::hash::{Hash, Hasher};

/// Merges structurally equal units, named ones included.
///
/// Before: `node x = 0.3: a + 0.7: !a; node y = 0.7: !a + 0.3: a; root 0.5: x * b + 0.5: y * !b`.
/// After: `node x = 0.3: a + 0.7: !a; root 0.5: x * b + 0.5: x * !b`.
///
/// The builder shares anonymous units as they are made; here names do not
/// matter, nor does the order of factors and terms, and fixed numbers are equal
/// if their values are. Learned numbers are equal only to themselves: tied units
/// are merged, units that learn apart are not. The first of equal units stays;
/// if it has no name, it takes that of the first that has one.
///
/// Linear in edges, apart from sorting the children of each unit.
pub(super) fn share(checked: Checked) -> Checked {
    let circuit = checked.circuit();
    let first_of = Classes::of(circuit);
    let is_first = |unit: UnitId| first_of[unit.index()] == unit;
    if circuit.units().all(is_first) {
        return checked;
    }
    let mut rebuild = CircuitRebuild::new(circuit);
    // The first unit of a class is copied, all others become it.
    let named = first_names(circuit, &first_of);
    for unit in circuit.units() {
        let first = first_of[unit.index()];
        match rebuild.get(first) {
            Some(copy) => rebuild.replace(unit, copy),
            None => {
                let children = rebuild.children(unit);
                rebuild.copy_as(unit, &children, rebuild.origin(named[unit.index()]));
            }
        }
    }
    let shared = rebuild.finish();
    checked.rewritten(shared)
}

/// For the first unit of each class, the unit whose name it gets; others keep their own.
pub(super) fn first_names(circuit: &CircuitGraph, first_of: &[UnitId]) -> Vec<UnitId> {
    let mut named = first_of.to_vec();
    for unit in circuit.units() {
        let holder = &mut named[first_of[unit.index()].index()];
        if circuit.name(*holder).is_none() && circuit.name(unit).is_some() {
            *holder = unit;
        }
    }
    named
}

struct Classes<'a> {
    circuit: &'a CircuitGraph,
    alike: ClassRepresentatives,
    first_of: Vec<UnitId>,
    known: HashTable<UnitId>,
    /// Contents of the first units, one after the other.
    contents: Vec<UnitContentKey>,
    /// Where the content of each unit begins, and where that of the last ends.
    starts: Vec<usize>,
}

/// A child and its weight, or a leaf: ids of what they are equal to.
type UnitContentKey = (u32, u32);

impl<'a> Classes<'a> {
    /// The first unit that each is equal to, by unit index.
    fn of(circuit: &'a CircuitGraph) -> Vec<UnitId> {
        let mut classes = Classes {
            circuit,
            alike: ClassRepresentatives::of(circuit),
            first_of: Vec::with_capacity(circuit.n_units()),
            known: HashTable::with_capacity(circuit.n_units()),
            contents: Vec::with_capacity(circuit.n_edges()),
            starts: vec![0],
        };
        for unit in circuit.units() {
            classes.add(unit);
        }
        classes.first_of
    }

    fn add(&mut self, unit: UnitId) {
        // The content of a unit is what its children are equal to. Sorting makes the order of terms
        // and factors irrelevant.
        let start = self.contents.len();
        self.push_content(unit);
        self.contents[start..].sort_unstable();
        self.starts.push(self.contents.len());
        let hash = self.hash(unit);
        let found = self.known.find(hash, |&old| self.is_equal(old, unit));
        match found {
            Some(&first) => {
                // Only first units are compared with, so this content is done with.
                self.contents.truncate(start);
                self.starts[unit.index() + 1] = start;
                self.first_of.push(first);
            }
            None => {
                self.first_of.push(unit);
                let mut known = std::mem::take(&mut self.known);
                known.insert_unique(hash, unit, |&old| self.hash(old));
                self.known = known;
            }
        }
    }

    fn push_content(&mut self, unit: UnitId) {
        let (circuit, alike, first_of) = (self.circuit, &self.alike, &self.first_of);
        if let UnitKind::Input(leaf) = circuit.kind(unit) {
            return self.contents.push((alike.leaf(leaf), 0));
        }
        let parts = circuit.children(unit).map(|child| {
            let weight = child.weight.map(|w| alike.entry(circuit.entry_position(w)));
            let child = first_of[child.unit.index()];
            (child.index() as u32, weight.unwrap_or(0))
        });
        self.contents.extend(parts);
    }

    fn content(&self, unit: UnitId) -> &[UnitContentKey] {
        &self.contents[self.starts[unit.index()]..self.starts[unit.index() + 1]]
    }

    fn is_equal(&self, a: UnitId, b: UnitId) -> bool {
        self.kind(a) == self.kind(b) && self.content(a) == self.content(b)
    }

    fn hash(&self, unit: UnitId) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        (self.kind(unit), self.content(unit)).hash(&mut hasher);
        hasher.finish()
    }

    /// The kind without which leaf it is.
    fn kind(&self, unit: UnitId) -> std::mem::Discriminant<UnitKind> {
        std::mem::discriminant(&self.circuit.kind(unit))
    }
}
