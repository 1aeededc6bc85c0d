//! How uncertain a leaf's value is.

mod count;
#[cfg(test)]
mod tests;

use super::family::{DensityFamily, FamilyLaw, PeakedLaw};
use super::peak::AveragedQuantity;
use super::pieces::{entropy_of_pieces, entropy_of_table};
use super::untruncated::UntruncatedLeaf;
use crate::circuit::{CircuitGraph, Leaf, LeafKind, ParameterValue, ValueSet};

/// Half the logarithm of 2πe.
pub(super) const HALF_LN_TAU_E: f64 = 1.418_938_533_204_672_7;

/// The entropy of a leaf in nats: Shannon's for discrete variables, differential
/// entropy for reals.
///
/// An indicator counts as uniform on its set, so a literal has none. A leaf whose
/// parameters leave nothing in its truncation has none either. The entropy of an
/// indicator of an unbounded set is infinite; every other one is finite.
///
/// Closed forms where there are some; otherwise sums and integrals from the peak
/// outwards, whose work does not grow with the parameters.
pub fn entropy(circuit: &CircuitGraph, values: &[ParameterValue], leaf: &Leaf) -> f64 {
    let domain = &circuit.variable(leaf.variable).domain;
    let nats = match &leaf.kind {
        LeafKind::Indicator(set) => return log_size(&set.intersect(&domain.full())),
        LeafKind::Distribution(distribution) => {
            UntruncatedLeaf::new(circuit, values, domain, distribution).entropy()
        }
    };
    if nats.is_finite() { nats } else { 0.0 }
}

/// The logarithm of a set's measure; a set without any counts as a point.
fn log_size(set: &ValueSet) -> f64 {
    let measure = set.measure();
    if measure > 0.0 { measure.ln() } else { 0.0 }
}

impl UntruncatedLeaf<'_> {
    /// After truncation.
    fn entropy(&self) -> f64 {
        match (self.law(), self.truncation()) {
            (FamilyLaw::Entries(family), set) => {
                let first = self.domain.first();
                let n = self.vector(0).len();
                let inside =
                    (0..n).filter(|&at| set.is_none_or(|set| set.contains(first + at as f64)));
                entropy_of_table(inside.map(|at| (family.log_entry(self, at), 0.0)))
            }
            // That of which step, and that within a step.
            (FamilyLaw::Steps(family), set) => {
                let steps = self.steps(family).map(|(all, p)| {
                    let whole = all.measure();
                    let left = set.map_or(whole, |set| all.intersect(set).measure());
                    (p.log() + (left / whole).ln(), left.ln())
                });
                entropy_of_table(steps)
            }
            (FamilyLaw::Peaked(PeakedLaw::Counts(counts)), set) => counts.entropy(set),
            (FamilyLaw::Peaked(PeakedLaw::Density(family)), None) => {
                let closed = family.entropy(self);
                closed.unwrap_or_else(|| self.interval_entropy(family, &self.domain.full()))
            }
            (FamilyLaw::Peaked(PeakedLaw::Density(family)), Some(set)) => {
                self.interval_entropy(family, set)
            }
        }
    }

    /// Of a density of the real axis on `set`.
    fn interval_entropy(&self, family: &dyn DensityFamily, set: &ValueSet) -> f64 {
        let pieces = family.pieces(self, set, AveragedQuantity::Fall);
        entropy_of_pieces(&pieces) + family.log_unit(self)
    }
}
