//! What an input unit is worth: its support, its density and its mass.
//!
//! Seven questions are asked of a leaf. *Where* can it be positive
//! ([`support`], which looks at fixed zeros only and holds for whatever
//! learning may do), *how much* is it at a point ([`log_density`]), how much
//! on a set ([`log_mass`]), where is it largest ([`mode`]), how uncertain is its
//! value ([`entropy`](fn@entropy)), what is the mean of a function of it
//! ([`expectation`](fn@expectation), [`moments`]) and what does it say of another leaf
//! ([`overlap`]), all but the first for given values of the parameters. Probabilities
//! and densities are logarithms throughout, so that a leaf truncated far out
//! in its tail is divided by a mass that did not vanish.

pub(crate) mod counts;
pub(crate) mod density;
mod entropy;
mod expectation;
pub mod family;
mod far;
mod incomplete;
mod log_space;
mod long_log;
mod mass;
mod mode;
mod normal;
pub(crate) mod remainder;
pub(crate) mod saddle;
mod sampler;
mod spread;
mod support;
mod table;
mod tail;
#[cfg(test)]
mod tests;
mod truncation;

pub use entropy::entropy;
pub use expectation::{LeafOf, Moments, Overlap, expectation, moments, overlap, positive_set};
pub(crate) use far::FAR;
pub use log_space::log_sum_exp;
pub use long_log::LongLog;
pub use mode::{is_unbounded_in, mode, mode_in};
pub use sampler::{LeafSampler, reaches_beyond};
pub use spread::{mean_and_variance, mixed_spread};
pub use support::support;
pub(crate) use support::{bin, distribution_support, hypergeometric_range};
pub use table::log_table;
pub use truncation::{is_truncated, log_truncation, log_untruncated_density};

use saddle::Chance;

use crate::circuit::{Circuit, Distribution, Domain, Leaf, LeafKind, Value, ValueSet};

/// The logarithm of a leaf's probability or density at `x`.
///
/// `values` holds a value for each of [`Circuit::all_entries`]. Outside the
/// support the answer is -inf. A missing value is NaN, and the answer is then
/// the logarithm of the leaf's whole mass: 0 for distributions and literals,
/// the logarithm of the size for indicators of larger sets.
pub fn log_density(circuit: &Circuit, values: &[Value], leaf: &Leaf, x: f64) -> f64 {
    let domain = &circuit.variable(leaf.variable).domain;
    match &leaf.kind {
        LeafKind::Indicator(set) if x.is_nan() => set.intersect(&domain.full()).measure().ln(),
        LeafKind::Indicator(set) if is_member(set, domain, x) => 0.0,
        LeafKind::Distribution(_) if x.is_nan() => 0.0,
        LeafKind::Distribution(distribution) => {
            Base::new(circuit, values, domain, distribution).log_truncated_density(x)
        }
        LeafKind::Indicator(_) => f64::NEG_INFINITY,
    }
}

/// The same with twice the digits where the logarithm is large.
pub fn long_log_density(circuit: &Circuit, values: &[Value], leaf: &Leaf, x: f64) -> LongLog {
    let domain = &circuit.variable(leaf.variable).domain;
    match &leaf.kind {
        LeafKind::Distribution(distribution) if !x.is_nan() => {
            Base::new(circuit, values, domain, distribution).long_log_truncated_density(x)
        }
        _ => log_density(circuit, values, leaf, x).into(),
    }
}

/// The logarithm of a leaf's mass on `set`, by its cumulative distribution.
///
/// For an indicator this is the size of what the sets have in common. The mass
/// of the whole domain is what [`log_density`] gives for a missing value.
pub fn log_mass(circuit: &Circuit, values: &[Value], leaf: &Leaf, set: &ValueSet) -> f64 {
    let domain = &circuit.variable(leaf.variable).domain;
    let set = set.intersect(&domain.full());
    match &leaf.kind {
        LeafKind::Indicator(own) => own.intersect(&set).measure().ln(),
        LeafKind::Distribution(distribution) => {
            Base::new(circuit, values, domain, distribution).log_truncated_mass(&set)
        }
    }
}

/// Whether `x` is a value of the domain and in the set.
pub(crate) fn is_member(set: &ValueSet, domain: &Domain, x: f64) -> bool {
    (!domain.is_discrete() || x.fract() == 0.0) && set.contains(x)
}

/// A distribution before truncation, with the values of its parameters.
struct Base<'a> {
    circuit: &'a Circuit,
    values: &'a [Value],
    domain: &'a Domain,
    distribution: &'a Distribution,
}

impl<'a> Base<'a> {
    fn new(
        circuit: &'a Circuit,
        values: &'a [Value],
        domain: &'a Domain,
        distribution: &'a Distribution,
    ) -> Self {
        Base {
            circuit,
            values,
            domain,
            distribution,
        }
    }

    /// The values of one parameter.
    fn vector(&self, param_idx: usize) -> &'a [Value] {
        let param = self.distribution.params[param_idx];
        &self.values[self.circuit.parameter(param).entries()]
    }

    /// The value of a parameter that is one number.
    fn scalar(&self, param_idx: usize) -> Value {
        self.vector(param_idx)[0]
    }

    /// The first parameter, where that is a probability.
    fn chance(&self) -> Chance {
        chance(self.vector(0))
    }

    fn log_truncated_density(&self, x: f64) -> f64 {
        if !is_member(&self.domain.full(), self.domain, x) {
            return f64::NEG_INFINITY;
        }
        let Some(set) = &self.distribution.truncation else {
            return self.log_density(x);
        };
        match set.contains(x) {
            true => over_mass(self.log_density(x), self.log_mass(set)),
            false => f64::NEG_INFINITY,
        }
    }

    fn long_log_truncated_density(&self, x: f64) -> LongLog {
        if !is_member(&self.domain.full(), self.domain, x) {
            return LongLog::ZERO;
        }
        let Some(set) = &self.distribution.truncation else {
            return self.long_log_density(x);
        };
        let log = match set.contains(x) {
            true => self.long_log_density(x),
            false => LongLog::ZERO,
        };
        match log.is_zero() {
            true => log,
            false => log - self.log_mass(set).into(),
        }
    }

    fn log_truncated_mass(&self, set: &ValueSet) -> f64 {
        match &self.distribution.truncation {
            None => self.log_mass(set),
            Some(own) => over_mass(self.log_mass(&own.intersect(set)), self.log_mass(own)),
        }
    }
}

/// A `unit` parameter's two entries. The one that is close to 1 was rounded; its logarithm
/// is known from what the other one says is missing.
pub(crate) fn chance(entries: &[Value]) -> Chance {
    let (q, p) = (entries[0], entries[1]);
    let log = |own: Value, other: Value| match own {
        Value::Linear(own) if own > 0.5 => (-other.linear()).ln_1p(),
        _ => own.log(),
    };
    Chance {
        q: q.linear(),
        p: p.linear(),
        log_q: log(q, p),
        log_p: log(p, q),
    }
}

/// Divides by the mass of a truncation. Learned values may leave nothing there;
/// the leaf is then zero everywhere rather than undefined.
fn over_mass(log_p: f64, log_mass: f64) -> f64 {
    match log_p == f64::NEG_INFINITY {
        true => log_p,
        false => log_p - log_mass,
    }
}
