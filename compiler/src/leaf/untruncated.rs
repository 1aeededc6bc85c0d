//! A distribution before truncation, and after.

use super::family::{DistributionFamily, FamilyLaw, StepFamily, bin};
use super::long_log::{FAR, LongLog};
use super::saddle::SuccessProbability;
use super::{is_member, over_mass};
use crate::circuit::{
    CircuitGraph, Distribution, Domain, Leaf, LeafKind, ParameterValue, ValueSet,
};

/// A distribution before truncation, with the values of its parameters.
#[derive(Clone, Copy)]
pub(crate) struct UntruncatedLeaf<'a> {
    pub circuit: &'a CircuitGraph,
    pub values: &'a [ParameterValue],
    pub domain: &'a Domain,
    pub distribution: &'a Distribution,
}

impl<'a> UntruncatedLeaf<'a> {
    /// The distribution of a leaf; an indicator has none.
    pub fn of(
        circuit: &'a CircuitGraph,
        values: &'a [ParameterValue],
        leaf: &'a Leaf,
    ) -> Option<Self> {
        let LeafKind::Distribution(distribution) = &leaf.kind else {
            return None;
        };
        let domain = &circuit.variable(leaf.variable).domain;
        Some(UntruncatedLeaf::new(circuit, values, domain, distribution))
    }

    pub fn new(
        circuit: &'a CircuitGraph,
        values: &'a [ParameterValue],
        domain: &'a Domain,
        distribution: &'a Distribution,
    ) -> Self {
        UntruncatedLeaf {
            circuit,
            values,
            domain,
            distribution,
        }
    }

    pub fn family(&self) -> &'a dyn DistributionFamily {
        self.distribution.family.as_distribution()
    }

    pub fn law(&self) -> FamilyLaw<'a> {
        self.family().law(self)
    }

    /// The set it is truncated to.
    pub fn truncation(&self) -> Option<&'a ValueSet> {
        self.distribution.truncation.as_ref()
    }

    /// The values of one parameter.
    pub fn vector(&self, param_idx: usize) -> &'a [ParameterValue] {
        let param = self.distribution.params[param_idx];
        &self.values[self.circuit.parameter(param).entries()]
    }

    /// The value of a parameter that is one number.
    pub fn scalar(&self, param_idx: usize) -> ParameterValue {
        self.vector(param_idx)[0]
    }

    /// The same as a number.
    pub fn number(&self, param_idx: usize) -> f64 {
        self.scalar(param_idx).linear()
    }

    /// The first parameter, where that is a probability. The entry that is close to 1 was
    /// rounded; its logarithm is known from what the other one says is missing.
    pub fn chance(&self) -> SuccessProbability {
        let entries = self.vector(0);
        let (q, p) = (entries[0], entries[1]);
        let log = |own: ParameterValue, other: ParameterValue| match own {
            ParameterValue::Linear(own) if own > 0.5 => (-other.linear()).ln_1p(),
            _ => own.log(),
        };
        SuccessProbability {
            q: q.linear(),
            p: p.linear(),
            log_q: log(q, p),
            log_p: log(p, q),
        }
    }

    /// The logarithms of failure and success, with twice the digits.
    pub fn long_chance(&self) -> [LongLog; 2] {
        [0, 1].map(|at| self.vector(0)[at].into())
    }

    /// The intervals on which it is constant, with their probabilities.
    pub fn steps<'s>(
        &'s self,
        family: &'s dyn StepFamily,
    ) -> impl Iterator<Item = (ValueSet, ParameterValue)> + Clone + 's {
        (0..family.n_steps()).map(move |at| {
            let (low, high) = family.ends(at);
            (bin(low, high, self.domain), family.share(self, at))
        })
    }

    /// The logarithm of the density at `x`, a value of the domain.
    pub fn log_density(&self, x: f64) -> f64 {
        match self.law() {
            FamilyLaw::Entries(family) => {
                let at = x - self.domain.first();
                if at >= 0.0 && at < self.vector(0).len() as f64 {
                    family.log_entry(self, at as usize)
                } else {
                    f64::NEG_INFINITY
                }
            }
            FamilyLaw::Steps(family) => {
                let log_of = |at: usize| {
                    let (low, high) = family.ends(at);
                    family.share(self, at).log() - bin(low, high, self.domain).measure().ln()
                };
                family.step_of(x).map_or(f64::NEG_INFINITY, log_of)
            }
            FamilyLaw::Peaked(law) => law.log_density(self, x),
        }
    }

    /// The same with twice the digits where the logarithm is large.
    fn long_log_density(&self, x: f64) -> LongLog {
        let log = self.log_density(x);
        if !log.is_finite() || log.abs() <= FAR {
            return log.into();
        }
        let long = self.family().long_log_density(self, x);
        long.unwrap_or_else(|| log.into())
    }

    pub fn log_truncated_density(&self, x: f64) -> f64 {
        if !is_member(&self.domain.full(), self.domain, x) {
            return f64::NEG_INFINITY;
        }
        let Some(set) = self.truncation() else {
            return self.log_density(x);
        };
        if set.contains(x) {
            over_mass(self.log_density(x), self.log_mass(set))
        } else {
            f64::NEG_INFINITY
        }
    }

    pub fn long_log_truncated_density(&self, x: f64) -> LongLog {
        if !is_member(&self.domain.full(), self.domain, x) {
            return LongLog::ZERO;
        }
        let Some(set) = self.truncation() else {
            return self.long_log_density(x);
        };
        let is_inside = set.contains(x);
        let log = if is_inside {
            self.long_log_density(x)
        } else {
            LongLog::ZERO
        };
        if log.is_zero() {
            log
        } else {
            log - self.log_mass(set).into()
        }
    }

    pub fn log_truncated_mass(&self, set: &ValueSet) -> f64 {
        match self.truncation() {
            None => self.log_mass(set),
            Some(own) => over_mass(self.log_mass(&own.intersect(set)), self.log_mass(own)),
        }
    }
}
