//! The most probable value of a leaf.

use super::family::{FamilyLaw, PeakedLaw};
use super::untruncated::UntruncatedLeaf;
use super::{log_table, over_mass, support};
use crate::circuit::{CircuitGraph, Cut, Domain, Leaf, LeafKind, ParameterValue, ValueSet};
use crate::flow::is_tabular;

/// A value at which a leaf is largest, and the logarithm of the leaf there.
///
/// Of several such values it is the smallest. Tables over finite domains are
/// searched; the other families have one peak, which is moved into the support
/// where a truncation cuts it off. At an open end, and for a gamma density that
/// grows without bound towards 0, it is the nearest number inside. A leaf that is
/// zero everywhere gives some value of the domain and -inf.
pub fn mode(circuit: &CircuitGraph, values: &[ParameterValue], leaf: &Leaf) -> (f64, f64) {
    let domain = &circuit.variable(leaf.variable).domain;
    mode_in(circuit, values, leaf, &domain.full())
}

/// The same among the values of a set.
pub fn mode_in(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    leaf: &Leaf,
    set: &ValueSet,
) -> (f64, f64) {
    let domain = &circuit.variable(leaf.variable).domain;
    if has_table(domain, leaf) {
        let logs = log_table(circuit, values, leaf);
        let points = (0..logs.len()).map(|at| domain.first() + at as f64);
        let points = points.zip(logs);
        return largest(domain.first(), points.filter(|(x, _)| set.contains(*x)));
    }
    let members = support(circuit, leaf).intersect(set);
    let Some(base) = UntruncatedLeaf::of(circuit, values, leaf) else {
        let member = members.example(domain.is_discrete());
        return largest(domain.first(), member.map(|x| (x, 0.0)));
    };
    let candidates = base.candidates(&members).into_iter();
    let (x, log_p) = largest(domain.first(), candidates.map(|x| (x, base.log_density(x))));
    match base.truncation() {
        Some(set) => (x, over_mass(log_p, base.log_mass(set))),
        None => (x, log_p),
    }
}

/// Whether a leaf grows without bound among the values of a set, so that it has no largest
/// value there: a gamma density whose shape is below 1, towards 0.
pub fn is_unbounded_in(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    leaf: &Leaf,
    set: &ValueSet,
) -> bool {
    let pole = UntruncatedLeaf::of(circuit, values, leaf).and_then(|base| match base.law() {
        FamilyLaw::Peaked(PeakedLaw::Density(family)) => family.pole(&base),
        FamilyLaw::Peaked(PeakedLaw::Counts(_)) | FamilyLaw::Entries(_) | FamilyLaw::Steps(_) => {
            None
        }
    });
    pole.is_some_and(|pole| {
        let members = support(circuit, leaf).intersect(set);
        let begins_there = |(low, high): &(Cut, Cut)| low.value() <= pole && high.value() > pole;
        members.runs().iter().any(begins_there)
    })
}

/// Whether the values of a leaf's domain are few enough to look at each, or have
/// an entry each.
pub(super) fn has_table(domain: &Domain, leaf: &Leaf) -> bool {
    let has_entries = match &leaf.kind {
        LeafKind::Distribution(distribution) => distribution.family.has_entries(),
        LeafKind::Indicator(_) => false,
    };
    has_entries || is_tabular(domain)
}

/// The first point of the largest logarithm; `default` if all are -inf.
fn largest(default: f64, points: impl IntoIterator<Item = (f64, f64)>) -> (f64, f64) {
    let nothing = (default, f64::NEG_INFINITY);
    points.into_iter().fold(
        nothing,
        |best, point| if point.1 > best.1 { point } else { best },
    )
}

impl UntruncatedLeaf<'_> {
    /// Values of the support, one of which is the mode.
    fn candidates(&self, support: &ValueSet) -> Vec<f64> {
        let discrete = self.domain.is_discrete();
        let law = match self.law() {
            FamilyLaw::Entries(_) => {
                let values = (0..self.vector(0).len()).map(|at| self.domain.first() + at as f64);
                return values.filter(|&x| support.contains(x)).collect();
            }
            FamilyLaw::Steps(family) => {
                let inside = self.steps(family).map(|(all, _)| all.intersect(support));
                let first =
                    |set: ValueSet| set.runs().first().map(|&run| first_member(run, discrete));
                return inside.filter_map(first).collect();
            }
            FamilyLaw::Peaked(law) => law,
        };
        let peak = law.peak(self);
        // Two neighbouring counts may be equally likely.
        let peaks = if discrete {
            vec![peak - 1.0, peak]
        } else {
            vec![peak]
        };
        let runs = support.runs().iter().flat_map(|&run| {
            let (first, last) = (first_member(run, discrete), last_member(run, discrete));
            peaks.iter().map(move |peak| peak.max(first).min(last))
        });
        // An interval may be too short for any number to lie in it.
        runs.filter(|&x| support.contains(x)).collect()
    }
}

/// The smallest number of a run.
pub(super) fn first_member((low, _): (Cut, Cut), discrete: bool) -> f64 {
    if low.is_after() && !discrete {
        low.value().next_up()
    } else {
        low.value()
    }
}

/// The largest number of a run.
pub(super) fn last_member((_, high): (Cut, Cut), discrete: bool) -> f64 {
    match (discrete, high.is_after()) {
        (true, _) => high.value() - 1.0,
        (false, true) => high.value(),
        (false, false) => high.value().next_down(),
    }
}
