//! Dead units: what is zero, and what the root does not reach.

use crate::check::Checked;
use crate::circuit::{Child, Circuit, Entry, LeafKind, ParamKind, Rebuild, UnitId, UnitKind};

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
    let living = match alive.is_zero[circuit.root().index()] {
        true => least_zero(circuit),
        false => alive.copy(circuit),
    };
    checked.rewritten(living)
}

/// What counts for the root's value.
struct Alive {
    /// Units that are zero for every input.
    is_zero: Vec<bool>,
    /// Units that the root reaches by edges that carry something.
    is_reached: Vec<bool>,
}

impl Alive {
    fn of(circuit: &Circuit) -> Self {
        let mut alive = Alive {
            is_zero: Vec::with_capacity(circuit.n_units()),
            is_reached: vec![false; circuit.n_units()],
        };
        for unit in circuit.units() {
            let is_zero = alive.is_zero_unit(circuit, unit);
            alive.is_zero.push(is_zero);
        }
        alive.is_reached[circuit.root().index()] = true;
        for unit in circuit.units().rev() {
            if alive.is_reached[unit.index()] {
                for child in circuit.children(unit) {
                    alive.is_reached[child.unit.index()] |= alive.carries(circuit, child);
                }
            }
        }
        alive
    }

    fn is_zero_unit(&self, circuit: &Circuit, unit: UnitId) -> bool {
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
    fn carries(&self, circuit: &Circuit, child: Child) -> bool {
        let has_weight = |weight| !circuit.entry(weight).is_fixed_zero();
        !self.is_zero[child.unit.index()] && child.weight.is_none_or(has_weight)
    }

    /// Whether there is nothing to drop.
    fn is_all(&self, circuit: &Circuit) -> bool {
        let mut units = circuit.units();
        units.all(|unit| {
            let mut children = circuit.children(unit);
            self.is_reached[unit.index()] && children.all(|child| self.carries(circuit, child))
        })
    }

    fn copy(&self, circuit: &Circuit) -> Circuit {
        let mut rebuild = Rebuild::new(circuit);
        for unit in circuit.units().filter(|unit| self.is_reached[unit.index()]) {
            let kept = circuit.children(unit).filter(|&c| self.carries(circuit, c));
            let children: Vec<Child> = kept.map(|child| rebuild.child(child)).collect();
            rebuild.copy(unit, &children);
        }
        rebuild.finish()
    }
}

/// Whether the circuit is what [`least_zero`] makes.
fn is_least_zero(circuit: &Circuit) -> bool {
    let root = circuit.root();
    let is_zero_edge = |child: Child| {
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
fn least_zero(circuit: &Circuit) -> Circuit {
    let mut rebuild = Rebuild::new(circuit);
    let named = rebuild.origin(circuit.root());
    let anonymous = named.unnamed();
    let builder = &mut rebuild.builder;
    let unit = match circuit.leaves().first() {
        Some(leaf) => builder.input(leaf.clone(), anonymous),
        None => builder.product(&[], anonymous),
    };
    let weights = builder.weights(ParamKind::Weights, &[Entry::fixed(0.0)], named.span);
    let terms = weights.map(|weight| Child::term(unit, weight, named.span));
    let terms: Vec<Child> = terms.collect();
    let sum = builder.sum(&terms, named);
    rebuild.replace(circuit.root(), sum);
    rebuild.finish()
}
