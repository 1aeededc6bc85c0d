//! Dead units: what is zero, and what the root does not reach.

use crate::check::Checked;
use crate::circuit::{
    ChildEdge, CircuitGraph, CircuitRebuild, Leaf, LeafKind, ParameterValue, ReachableUnits,
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
    if alive.is_all() || is_least_zero(circuit) {
        return checked;
    }
    let living = if alive.is_zero[circuit.root().index()] {
        least_zero(circuit)
    } else {
        alive.copy()
    };
    checked.rewritten(living)
}

struct Alive<'a> {
    circuit: &'a CircuitGraph,
    is_zero: Vec<bool>,
    /// Units that the root reaches by edges that carry something.
    reach: ReachableUnits,
}

impl<'a> Alive<'a> {
    fn of(circuit: &'a CircuitGraph) -> Self {
        // 1. From the leaves up: what is zero whatever is read.
        let mut alive = Alive {
            circuit,
            is_zero: Vec::with_capacity(circuit.n_units()),
            reach: ReachableUnits::of(circuit, &[]),
        };
        for unit in circuit.units() {
            let is_zero = alive.is_zero_unit(unit);
            alive.is_zero.push(is_zero);
        }
        // 2. From the root down: what is left when edges that carry nothing are gone.
        let carries = |_, child| alive.carries(child);
        alive.reach = ReachableUnits::along(circuit, &[circuit.root()], carries);
        alive
    }

    fn is_zero_unit(&self, unit: UnitId) -> bool {
        let mut children = self.circuit.children(unit);
        match self.circuit.kind(unit) {
            UnitKind::Input(leaf) => match self.circuit.leaf(leaf) {
                Leaf {
                    variable,
                    kind: LeafKind::Indicator(set),
                } => set.is_disjoint(&self.circuit.variable(*variable).domain.full()),
                _ => false,
            },
            UnitKind::Product => children.any(|child| self.is_zero[child.unit.index()]),
            UnitKind::Sum => !children.any(|child| self.carries(child)),
        }
    }

    /// Whether an edge of a sum or product can carry anything but zero.
    fn carries(&self, child: ChildEdge) -> bool {
        let has_weight = |weight| !self.circuit.entry(weight).is_fixed_zero();
        !self.is_zero[child.unit.index()] && child.weight.is_none_or(has_weight)
    }

    /// Whether there is nothing to drop.
    fn is_all(&self) -> bool {
        let mut units = self.circuit.units();
        units.all(|unit| {
            let mut children = self.circuit.children(unit);
            self.reach.contains(unit) && children.all(|child| self.carries(child))
        })
    }

    fn copy(&self) -> CircuitGraph {
        let mut rebuild = CircuitRebuild::new(self.circuit);
        for unit in self.reach.units() {
            let kept = self
                .circuit
                .children(unit)
                .filter(|&child| self.carries(child));
            let children: Vec<ChildEdge> = kept.map(|child| rebuild.child(child)).collect();
            rebuild.copy(unit, &children);
        }
        rebuild.finish()
    }
}

/// Whether the circuit is what [`least_zero`] makes.
fn is_least_zero(circuit: &CircuitGraph) -> bool {
    let root = circuit.root();
    circuit.n_units() == 2
        && circuit.n_children(root) == 1
        && circuit.kind(root) == UnitKind::Sum
        && circuit
            .terms(root)
            .all(|(_, weight)| circuit.entry(weight).is_fixed_zero())
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
    let weights = builder.fixed_weights([ParameterValue::Linear(0.0)], named.span);
    let sum = builder.sum(&[ChildEdge::term(unit, weights[0], named.span)], named);
    rebuild.replace(circuit.root(), sum);
    rebuild.finish()
}
