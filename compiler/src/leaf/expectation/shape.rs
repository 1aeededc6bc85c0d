//! Where a leaf is positive for the values that its parameters have.

use super::smooth::PeakedLeaf;
use crate::circuit::{CircuitGraph, Leaf, ParameterValue, ValueSet};
use crate::leaf::family::{FamilyLaw, PeakedLaw, bin};
use crate::leaf::untruncated::UntruncatedLeaf;
use crate::leaf::{log_sum_exp, support};

/// A leaf that is scaled to mass 1 and is not looked at value by value.
pub(super) enum NormalizedLeaf<'a> {
    /// Constant on each of some sets.
    Flat(Vec<ConstantLeafPart>),
    /// A density that falls from its peak.
    Smooth(PeakedLeaf<'a>),
}

/// A set on which a leaf is constant.
pub(super) struct ConstantLeafPart {
    pub set: ValueSet,
    pub log_density: f64,
}

/// The shape of a leaf; `None` if it has no mass, or infinitely much.
pub(super) fn shape<'a>(
    circuit: &'a CircuitGraph,
    values: &'a [ParameterValue],
    leaf: &'a Leaf,
) -> Option<NormalizedLeaf<'a>> {
    let possible = support(circuit, leaf);
    let Some(base) = UntruncatedLeaf::of(circuit, values, leaf) else {
        return flat(vec![(possible, 0.0)]);
    };
    match base.law() {
        FamilyLaw::Entries(family) => {
            let values = (0..base.vector(0).len()).map(|at| {
                let value = ValueSet::point(base.domain.first() + at as f64, true);
                (value.intersect(&possible), family.log_entry(&base, at))
            });
            flat(values.collect())
        }
        FamilyLaw::Steps(family) => {
            let steps = base.steps(family).map(|(whole, p)| {
                let log_density = p.log() - whole.measure().ln();
                (whole.intersect(&possible), log_density)
            });
            flat(steps.collect())
        }
        FamilyLaw::Peaked(law) => {
            let own = match law {
                // Learned probabilities may have become 0 or 1.
                PeakedLaw::Counts(counts) => {
                    let (first, last) = counts.range()?;
                    bin(first, last + 1.0, base.domain).intersect(&possible)
                }
                PeakedLaw::Density(_) => possible,
            };
            (!own.is_empty()).then_some(NormalizedLeaf::Smooth(PeakedLeaf { base, law, own }))
        }
    }
}

/// Scales what is constant on some sets to mass 1; sets without mass are left out.
fn flat<'a>(mut sets: Vec<(ValueSet, f64)>) -> Option<NormalizedLeaf<'a>> {
    sets.retain(|(set, log)| set.measure() > 0.0 && *log > f64::NEG_INFINITY);
    let logs = sets.iter().map(|(set, log)| log + set.measure().ln());
    let log_total = log_sum_exp(logs);
    let scaled = sets.into_iter().map(|(set, log)| ConstantLeafPart {
        set,
        log_density: log - log_total,
    });
    log_total
        .is_finite()
        .then(|| NormalizedLeaf::Flat(scaled.collect()))
}
