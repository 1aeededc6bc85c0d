//! Boxes: for some variables the set that their value lies in.

use super::EvidenceCell;
use crate::circuit::{CircuitGraph, ValueSet, VarId};
use std::collections::BTreeMap;

/// For some variables the set that their value lies in; nothing is known of the others,
/// and the default knows nothing at all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueBox {
    sets: BTreeMap<VarId, ValueSet>,
}

impl ValueBox {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// Where a variable's value lies, if that is known.
    pub fn set(&self, variable: VarId) -> Option<&ValueSet> {
        self.sets.get(&variable)
    }

    /// What is known, by variable in ascending order.
    pub fn sets(&self) -> impl ExactSizeIterator<Item = (VarId, &ValueSet)> {
        self.sets.iter().map(|(&variable, set)| (variable, set))
    }

    /// Replaces what is known of a variable.
    pub fn insert(&mut self, variable: VarId, set: ValueSet) {
        self.sets.insert(variable, set);
    }

    /// The single value of a real variable, if it is known: its probability would be 0, so
    /// that it is answered by a density.
    pub fn exact(&self, circuit: &CircuitGraph, variable: VarId) -> Option<f64> {
        let is_real = !circuit.variable(variable).domain.is_discrete();
        match self.set(variable)?.runs() {
            [(low, high)] if is_real && low.value() == high.value() => Some(low.value()),
            _ => None,
        }
    }

    /// The real variables whose exact value is known, ascending.
    pub fn exact_variables(&self, circuit: &CircuitGraph) -> Vec<VarId> {
        let variables = self.sets.keys().copied();
        let exact = variables.filter(|&variable| self.exact(circuit, variable).is_some());
        exact.collect()
    }

    /// Whether the values of all variables lie in the box; one that is missing, NaN, may.
    pub fn contains(&self, row: &[f64]) -> bool {
        self.sets().all(|(variable, set)| {
            let x = row[variable.index()];
            x.is_nan() || set.contains(x)
        })
    }

    /// What is known of one variable.
    pub fn cell(&self, circuit: &CircuitGraph, variable: VarId) -> EvidenceCell {
        match (self.exact(circuit, variable), self.set(variable)) {
            (Some(x), _) => EvidenceCell::Value(x),
            (None, Some(set)) => EvidenceCell::In(set.clone()),
            (None, None) => EvidenceCell::Missing,
        }
    }

    /// What is known of all variables, as a row.
    pub fn cells(&self, circuit: &CircuitGraph) -> Vec<EvidenceCell> {
        let variables = (0..circuit.variables().len()).map(VarId::new);
        variables.map(|at| self.cell(circuit, at)).collect()
    }

    /// The common part of two boxes, if there is any that has mass.
    pub fn intersect(&self, other: &ValueBox) -> Option<ValueBox> {
        let mut both = self.clone();
        for (variable, theirs) in other.sets() {
            let own = self.set(variable);
            let set = own.map_or_else(|| theirs.clone(), |own| own.intersect(theirs));
            let meets_only = is_sliver(&set, theirs) && own.is_some_and(|own| is_sliver(&set, own));
            if set.is_empty() || meets_only {
                return None;
            }
            both.insert(variable, set);
        }
        Some(both)
    }

    /// What is left of the box outside another, as boxes that do not overlap: for each
    /// variable in turn the part that leaves the other box there, and from then on only the
    /// part that does not.
    pub(super) fn minus(&self, circuit: &CircuitGraph, other: &ValueBox) -> Vec<ValueBox> {
        let mut left = Vec::new();
        let mut rest = self.clone();
        for (variable, set) in other.sets() {
            let own = rest.set(variable).cloned();
            let own = own.unwrap_or_else(|| circuit.variable(variable).domain.full());
            // What leaves the other box in this variable is done with; the rest may leave it in
            // a later one.
            let outside = own.minus(set);
            if !outside.is_empty() && !is_sliver(&outside, &own) {
                let mut piece = rest.clone();
                piece.insert(variable, outside);
                left.push(piece);
            }
            let inside = own.intersect(set);
            if inside.is_empty() || is_sliver(&inside, &own) {
                return left;
            }
            rest.insert(variable, inside);
        }
        left
    }
}

impl FromIterator<(VarId, ValueSet)> for ValueBox {
    fn from_iter<I: IntoIterator<Item = (VarId, ValueSet)>>(sets: I) -> Self {
        let sets = sets.into_iter().collect();
        ValueBox { sets }
    }
}

/// Whether a part of a set is only what is left where intervals meet: points of
/// the real axis, which have no mass. Exact values that were written stay, for
/// they ask for a density.
fn is_sliver(part: &ValueSet, whole: &ValueSet) -> bool {
    part.measure() == 0.0 && whole.measure() > 0.0
}
