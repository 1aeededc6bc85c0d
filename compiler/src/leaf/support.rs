//! Where a leaf can be positive.

use crate::circuit::{
    CircuitGraph, Distribution, Domain, Leaf, LeafKind, ParamId, ParameterEntry, ValueSet,
};

/// The values at which a leaf is positive for some value of what is learned.
///
/// Fixed zeros are outside: a value of a categorical whose entry is `0`, `false`
/// under `bernoulli(1.0)`, a histogram's bin without mass. A learned entry
/// counts as positive whatever it starts at. The densities of `lognormal` and
/// `gamma` are taken to be 0 at 0, where they may have no finite value.
pub fn support(circuit: &CircuitGraph, leaf: &Leaf) -> ValueSet {
    let domain = &circuit.variable(leaf.variable).domain;
    let set = match &leaf.kind {
        LeafKind::Indicator(set) => set.clone(),
        LeafKind::Distribution(distribution) => {
            let entries = |param| circuit.entries(param);
            distribution_support(domain, distribution, &entries)
        }
    };
    set.intersect(&domain.full())
}

/// The values at which a distribution is positive, given the entries of its parameters.
pub(crate) fn distribution_support<'e>(
    domain: &Domain,
    distribution: &Distribution,
    entries: &dyn Fn(ParamId) -> &'e [ParameterEntry],
) -> ValueSet {
    let base = untruncated_support(domain, distribution, entries);
    match &distribution.truncation {
        Some(truncation) => base.intersect(truncation),
        None => base,
    }
}

/// The values at which a distribution is positive before truncation.
fn untruncated_support<'e>(
    domain: &Domain,
    distribution: &Distribution,
    entries: &dyn Fn(ParamId) -> &'e [ParameterEntry],
) -> ValueSet {
    let first = distribution.params.first();
    let entries = first.map_or(&[][..], |&param| entries(param));
    let family = distribution.family.as_distribution();
    family.support(domain, entries)
}

/// The same in a circuit.
pub(super) fn base_support(
    circuit: &CircuitGraph,
    domain: &Domain,
    distribution: &Distribution,
) -> ValueSet {
    untruncated_support(domain, distribution, &|param| circuit.entries(param))
}
