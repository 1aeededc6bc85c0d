//! Whether two circuits are the same but for the names of their parameters.

use crate::circuit::{
    CircuitGraph, Leaf, LeafKind, ParamId, ParamKind, ParameterValue, UnitId, UnitKind, Weight,
};
use rustc_hash::FxHashMap;

/// Whether both have the same variables and the same units in the same order, learn
/// and tie the same numbers, and have the same values bit for bit. Of a `unit`
/// parameter the probability counts, and what is left to 1 up to rounding.
pub(super) fn is_same(old: &CircuitGraph, new: &CircuitGraph) -> bool {
    let variables = old.variables().iter().zip(new.variables());
    let mut variables = variables.map(|(old, new)| {
        (&old.name, &old.domain, &old.binding) == (&new.name, &new.domain, &new.binding)
    });
    old.variables().len() == new.variables().len()
        && variables.all(|is_same| is_same)
        && (old.n_units(), old.n_edges(), old.root()) == (new.n_units(), new.n_edges(), new.root())
        && CircuitIsomorphism::new(old, new).units()
}

struct CircuitIsomorphism<'a> {
    old: &'a CircuitGraph,
    new: &'a CircuitGraph,
    old_values: Vec<ParameterValue>,
    new_values: Vec<ParameterValue>,
    /// Entries of the old circuit with those of the new one, both ways.
    forward: FxHashMap<usize, usize>,
    backward: FxHashMap<usize, usize>,
}

impl<'a> CircuitIsomorphism<'a> {
    fn new(old: &'a CircuitGraph, new: &'a CircuitGraph) -> Self {
        CircuitIsomorphism {
            old,
            new,
            old_values: old.start_values(),
            new_values: new.start_values(),
            forward: FxHashMap::default(),
            backward: FxHashMap::default(),
        }
    }

    fn units(&mut self) -> bool {
        let mut units = self.old.units();
        units.all(|unit| self.unit(unit))
    }

    fn unit(&mut self, unit: UnitId) -> bool {
        let (old, new) = (self.old, self.new);
        let name =
            |circuit: &CircuitGraph| circuit.owner(unit).map(|name| circuit.names().show(name));
        let is_kind = match (old.kind(unit), new.kind(unit)) {
            (UnitKind::Input(old_leaf), UnitKind::Input(new_leaf)) => {
                self.leaf(old.leaf(old_leaf), new.leaf(new_leaf))
            }
            (old, new) => old == new,
        };
        let mut edges = old.children(unit).zip(new.children(unit));
        is_kind
            && name(old) == name(new)
            && old.n_children(unit) == new.n_children(unit)
            && edges.all(|(old, new)| {
                old.unit == new.unit
                    && match (old.weight, new.weight) {
                        (Some(old), Some(new)) => self.weight(old, new),
                        (old, new) => old.is_none() && new.is_none(),
                    }
            })
    }

    fn leaf(&mut self, old: &Leaf, new: &Leaf) -> bool {
        old.variable == new.variable
            && match (&old.kind, &new.kind) {
                (LeafKind::Distribution(old), LeafKind::Distribution(new)) => {
                    let mut params = old.params.iter().zip(&new.params);
                    (&old.family, &old.truncation) == (&new.family, &new.truncation)
                        && params.all(|(&old, &new)| self.param(old, new))
                }
                (old, new) => old == new,
            }
    }

    fn param(&mut self, old: ParamId, new: ParamId) -> bool {
        let (n_old, n_new) = (self.old.parameter(old).len(), self.new.parameter(new).len());
        n_old == n_new
            && (0..n_old as u32).all(|index| {
                let weight = |param| Weight { param, index };
                self.weight(weight(old), weight(new))
            })
    }

    /// Whether two entries have the same value and are the same wherever one is used.
    fn weight(&mut self, old: Weight, new: Weight) -> bool {
        let (old_at, new_at) = (self.old.entry_position(old), self.new.entry_position(new));
        let (old_entry, new_entry) = (self.old.entry(old), self.new.entry(new));
        let (old_value, new_value) = (self.old_values[old_at], self.new_values[new_at]);
        let is_rest = self.old.parameter(old.param).kind == ParamKind::Unit && old.index == 0;
        let is_near = (old_value.linear() - new_value.linear()).abs() <= 1e-15;
        let is_equal = exact_bits(old_value) == exact_bits(new_value) || (is_rest && is_near);
        // Equal fixed numbers may be one parameter or two.
        let is_tied_alike = !old_entry.learned
            || (*self.forward.entry(old_at).or_insert(new_at) == new_at
                && *self.backward.entry(new_at).or_insert(old_at) == old_at);
        old_entry.learned == new_entry.learned && is_equal && is_tied_alike
    }
}

fn exact_bits(value: ParameterValue) -> (bool, u64) {
    match value {
        ParameterValue::Linear(value) => (false, value.to_bits()),
        ParameterValue::Log(log) => (true, log.to_bits()),
    }
}
