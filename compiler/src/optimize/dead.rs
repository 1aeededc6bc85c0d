//! Dead units: what is zero, and what the root does not reach.

use crate::check::Checked;
use crate::circuit::{
    ChildEdge, CircuitGraph, CircuitRebuild, LeafKind, ParamKind, ParameterEntry, ReachableUnits,
    UnitId, UnitKind,
};

/// Drops edges that carry nothing, and units that the root does not reach.
///
/// Before: `node z = 0: a + 0: !a; root 0.6: a + 0: !a + 0.4: z`.
/// After: `root 0.6: a`.
///
/// An edge of a sum carries nothing if its weight is a fixed zero, or if its
/// child is zero for every input, now and after learning: an indicator of no
/// value, a product with such a factor, a sum of which no edge is left. A
/// distribution without support is kept, because a missing cell is worth 1 to it.
/// A learned weight whose child is zero loses its edge; no flow would ever have
/// come that way.
///
/// A root that is zero becomes `0: x` for one of the circuit's leaves `x`.
///
/// Linear in edges.
pub(super) fn dead(checked: Checked) -> Checked {
    let circuit = checked.circuit();
    let alive = Alive::of(circuit);
    if alive.is_all(circuit) || is_least_zero(circuit) {
        return checked;
    }
    let living = if alive.is_zero[circuit.root().index()] {
        least_zero(circuit)
    } else {
        alive.copy(circuit)
    };
    checked.rewritten(living)
}

/// What counts for the root's value.
struct Alive {
    /// Units that are zero for every input.
    is_zero: Vec<bool>,
    /// Units that the root reaches by edges that carry something.
    reach: ReachableUnits,
}

impl Alive {
    fn of(circuit: &CircuitGraph) -> Self {
        // 1. From the leaves up: what is zero whatever is read.
        let mut alive = Alive {
            is_zero: Vec::with_capacity(circuit.n_units()),
            reach: ReachableUnits::of(circuit, &[]),
        };
        for unit in circuit.units() {
            let is_zero = alive.is_zero_unit(circuit, unit);
            alive.is_zero.push(is_zero);
        }
        // 2. From the root down: what is left when edges that carry nothing are gone.
        let carries = |_, child| alive.carries(circuit, child);
        alive.reach = ReachableUnits::along(circuit, &[circuit.root()], carries);
        alive
    }

    fn is_zero_unit(&self, circuit: &CircuitGraph, unit: UnitId) -> bool {
        match circuit.kind(unit) {
            UnitKind::Input(leaf) => {
                let leaf = circuit.leaf(leaf);
                let domain = &circuit.variable(leaf.variable).domain;
                match &leaf.kind {
                    LeafKind::Indicator(set) => set.is_disjoint(&domain.full()),
                    LeafKind::Distribution(_) => false,
                }
            }
            UnitKind::Product => circuit.children(unit).any(|c| self.is_zero[c.unit.index()]),
            UnitKind::Sum => !circuit.children(unit).any(|c| self.carries(circuit, c)),
        }
    }

    /// Whether an edge of a sum or product can carry anything but zero.
    fn carries(&self, circuit: &CircuitGraph, child: ChildEdge) -> bool {
        let has_weight = |weight| !circuit.entry(weight).is_fixed_zero();
        !self.is_zero[child.unit.index()] && child.weight.is_none_or(has_weight)
    }

    /// Whether there is nothing to drop.
    fn is_all(&self, circuit: &CircuitGraph) -> bool {
        let mut units = circuit.units();
        units.all(|unit| {
            let mut children = circuit.children(unit);
            self.reach.contains(unit) && children.all(|child| self.carries(circuit, child))
        })
    }

    fn copy(&self, circuit: &CircuitGraph) -> CircuitGraph {
        let mut rebuild = CircuitRebuild::new(circuit);
        for unit in self.reach.units() {
            let kept = circuit.children(unit).filter(|&c| self.carries(circuit, c));
            let children: Vec<ChildEdge> = kept.map(|child| rebuild.child(child)).collect();
            rebuild.copy(unit, &children);
        }
        rebuild.finish()
    }
}

/// Whether the circuit is what [`least_zero`] makes.
fn is_least_zero(circuit: &CircuitGraph) -> bool {
    let root = circuit.root();
    let is_zero_edge = |child: ChildEdge| {
        let weight = child.weight;
        weight.is_some_and(|weight| circuit.entry(weight).is_fixed_zero())
    };
    circuit.n_units() == 2
        && circuit.n_children(root) == 1
        && is_zero_edge(circuit.child(root, 0))
        && circuit.kind(root) == UnitKind::Sum
}

/// A circuit that is zero for every input: a sum with a weight of zero on a
/// leaf, or on the empty product where there is no leaf.
fn least_zero(circuit: &CircuitGraph) -> CircuitGraph {
    let mut rebuild = CircuitRebuild::new(circuit);
    let named = rebuild.origin(circuit.root());
    let anonymous = named.unnamed();
    let builder = &mut rebuild.builder;
    let unit = match circuit.leaves().first() {
        Some(leaf) => builder.input(leaf.clone(), anonymous),
        None => builder.product(&[], anonymous),
    };
    let weights = builder.weights(
        ParamKind::Weights,
        &[ParameterEntry::fixed(0.0)],
        named.span,
    );
    let terms = weights.map(|weight| ChildEdge::term(unit, weight, named.span));
    let terms: Vec<ChildEdge> = terms.collect();
    let sum = builder.sum(&terms, named);
    rebuild.replace(circuit.root(), sum);
    rebuild.finish()
}
