//! Which units a target depends on.

use super::{ChildEdge, CircuitGraph, UnitId, VarId};

/// The units that some targets reach, the targets included.
///
/// A circuit may hold nodes that nothing uses; what is wrong with them does
/// not make the circuit wrong and is no part of its size, so checks, sizes and
/// drawings look at a reach rather than at all.
#[derive(Clone, Debug)]
pub struct ReachableUnits {
    marked: Vec<bool>,
}

impl ReachableUnits {
    /// What `targets` reach. Linear in edges.
    pub fn of(circuit: &CircuitGraph, targets: &[UnitId]) -> Self {
        ReachableUnits::along(circuit, targets, |_, _| true)
    }

    /// What `targets` reach by edges that `is_taken` picks. Linear in edges.
    pub(crate) fn along(
        circuit: &CircuitGraph,
        targets: &[UnitId],
        is_taken: impl Fn(UnitId, ChildEdge) -> bool,
    ) -> Self {
        let mut marked = vec![false; circuit.n_units()];
        for target in targets {
            marked[target.index()] = true;
        }
        // Parents have larger ids than their children, so one walk down is enough.
        for unit in circuit.units().rev() {
            if marked[unit.index()] {
                for child in circuit.children(unit) {
                    marked[child.unit.index()] |= is_taken(unit, child);
                }
            }
        }
        ReachableUnits { marked }
    }

    /// The units from which `unit` can be reached, itself included. Linear in edges.
    pub(crate) fn to(circuit: &CircuitGraph, unit: UnitId) -> Self {
        let mut marked = vec![false; circuit.n_units()];
        marked[unit.index()] = true;
        for above in circuit.units().skip(unit.index() + 1) {
            marked[above.index()] = circuit
                .children(above)
                .any(|child| marked[child.unit.index()]);
        }
        ReachableUnits { marked }
    }

    /// Whether the unit is in it.
    pub fn contains(&self, unit: UnitId) -> bool {
        self.marked[unit.index()]
    }

    /// For each unit, by index, whether it is in it.
    pub fn marked(&self) -> &[bool] {
        &self.marked
    }

    /// The units in it, children before parents.
    pub fn units(&self) -> impl Iterator<Item = UnitId> + '_ {
        let marked = self.marked.iter().enumerate();
        marked
            .filter(|(_, is_in)| **is_in)
            .map(|(at, _)| UnitId::new(at))
    }
}

/// What has to be right, and is written: the root, and what something is asserted of.
pub(crate) fn targets(circuit: &CircuitGraph) -> Vec<UnitId> {
    let assertions = circuit.assertions().iter();
    let asserted = assertions.map(|assertion| assertion.target);
    asserted.chain([circuit.root()]).collect()
}

/// The variables that the root mentions, ascending.
pub fn mentioned(circuit: &CircuitGraph) -> Vec<VarId> {
    let mut is_in = vec![false; circuit.variables().len()];
    for unit in ReachableUnits::of(circuit, &[circuit.root()]).units() {
        if let Some(leaf) = circuit.leaf_of(unit) {
            is_in[leaf.variable.index()] = true;
        }
    }
    let all = (0..is_in.len()).map(VarId::new);
    all.filter(|variable| is_in[variable.index()]).collect()
}
