//! Scopes, weights and masses, by definition.

use super::reachable;
use pelton_compiler::circuit::{CircuitGraph, UnitId, UnitKind};
use pelton_compiler::leaf::log_density;
use std::collections::BTreeSet;

type Variables = BTreeSet<usize>;

/// Which structural properties a circuit has below its root.
pub struct Structure {
    /// All children of a sum mention the same variables.
    pub smooth: bool,
    /// No two children of a product mention the same variable.
    pub decomposable: bool,
    /// Weights and masses add up to 1 at the start, up to rounding.
    pub normalized: bool,
    /// No two scopes around products cross; not to be decided by scopes where
    /// they cross in a circuit that is not smooth, or not decomposable at all.
    pub structured: Option<bool>,
}

impl Structure {
    /// Looks at every unit below the root.
    pub fn of(circuit: &CircuitGraph) -> Self {
        let scopes = scopes(circuit);
        let reached = reachable(circuit);
        let units = || circuit.units().filter(|unit| reached[unit.index()]);
        let smooth = units().all(|unit| is_smooth(circuit, &scopes, unit));
        let decomposable = units().all(|unit| is_decomposable(circuit, &scopes, unit));
        let normalized = units().all(|unit| is_normalized(circuit, unit));
        let mut splits: BTreeSet<&Variables> = BTreeSet::new();
        for unit in units().filter(|&unit| circuit.kind(unit) == UnitKind::Product) {
            splits.insert(&scopes[unit.index()]);
            splits.extend(circuit.children(unit).map(|c| &scopes[c.unit.index()]));
        }
        let laminar = splits.iter().all(|a| splits.iter().all(|b| !crosses(a, b)));
        Structure {
            smooth,
            decomposable,
            normalized,
            structured: match (decomposable, laminar, smooth) {
                (false, _, _) => None,
                (true, true, _) => Some(true),
                (true, false, true) => Some(false),
                (true, false, false) => None,
            },
        }
    }
}

fn scopes(circuit: &CircuitGraph) -> Vec<Variables> {
    let mut scopes: Vec<Variables> = Vec::new();
    for unit in circuit.units() {
        let own = circuit.leaf_of(unit).map(|leaf| leaf.variable.index());
        let children = circuit.children(unit).map(|c| &scopes[c.unit.index()]);
        let scope = children.flatten().copied().chain(own).collect();
        scopes.push(scope);
    }
    scopes
}

fn is_smooth(circuit: &CircuitGraph, scopes: &[Variables], unit: UnitId) -> bool {
    let own = &scopes[unit.index()];
    circuit.kind(unit) != UnitKind::Sum
        || circuit
            .children(unit)
            .all(|c| scopes[c.unit.index()] == *own)
}

fn is_decomposable(circuit: &CircuitGraph, scopes: &[Variables], unit: UnitId) -> bool {
    let children: Vec<UnitId> = circuit.children(unit).map(|c| c.unit).collect();
    let shares = |i: usize, j: usize| {
        let (a, b) = (children[i].index(), children[j].index());
        !scopes[a].is_disjoint(&scopes[b])
    };
    circuit.kind(unit) != UnitKind::Product
        || (0..children.len()).all(|j| (0..j).all(|i| !shares(i, j)))
}

fn is_normalized(circuit: &CircuitGraph, unit: UnitId) -> bool {
    let values = circuit.start_values();
    match circuit.kind(unit) {
        UnitKind::Product => true,
        UnitKind::Input(leaf) => {
            let log_mass = log_density(circuit, &values, circuit.leaf(leaf), f64::NAN);
            log_mass.abs() < 1e-9
        }
        UnitKind::Sum => {
            let weights = circuit.children(unit).filter_map(|child| child.weight);
            let total: f64 = weights
                .map(|weight| values[circuit.entry_position(weight)].linear())
                .sum();
            (total - 1.0).abs() < 1e-9
        }
    }
}

fn crosses(a: &Variables, b: &Variables) -> bool {
    !a.is_disjoint(b) && !a.is_subset(b) && !b.is_subset(a)
}
