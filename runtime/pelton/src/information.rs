//! Entropy, moments, and what is proven of a circuit.

use crate::{Circuit, Error, Estimate, Moments, Property, Result};
use pelton_compiler::check;
use pelton_runtime::query::given_boxes;
use pelton_runtime::query::{EstimateOptions, entropy, estimate_entropy, summary};

/// What is known of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub enum Verdict {
    /// It holds for every input and for all values that learning may give.
    Proven,
    /// It does not hold.
    Refuted,
    /// The search was given up, for the reason said.
    Unknown(String),
}

impl Circuit {
    /// What is known of a structural property.
    pub fn property(&self, property: Property) -> Verdict {
        match self.compiled.checked.facts().verdict(property) {
            Some(check::PropertyVerdict::Proven) => Verdict::Proven,
            Some(check::PropertyVerdict::Refuted(_)) => Verdict::Refuted,
            Some(check::PropertyVerdict::Unknown(reason)) => Verdict::Unknown(reason.clone()),
            None => Verdict::Unknown("nobody asked".to_string()),
        }
    }

    /// The entropy of all variables in nats, exactly; an error where the circuit is neither
    /// deterministic nor small, which [`Circuit::estimate_entropy`] can do without.
    pub fn entropy(&self) -> Result<f64> {
        let found = entropy(&self.compiled.checked, self.values(), self.threads())?;
        Ok(found.nats)
    }

    /// The entropy of all variables by samples, with its standard error.
    pub fn estimate_entropy(&self, n_samples: usize, seed: u64) -> Result<Estimate> {
        let sampling = EstimateOptions {
            n_samples,
            seed,
            n_threads: self.threads(),
        };
        let circuit = (&self.compiled.checked, self.values());
        Ok(estimate_entropy(circuit, &sampling)?)
    }

    /// Means and variances of the numeric variables, given an event; exact.
    pub fn moments(&self, given: &str) -> Result<Moments> {
        self.summary(given, false)
    }

    /// The same with the covariances of all pairs.
    pub fn covariances(&self, given: &str) -> Result<Moments> {
        self.summary(given, true)
    }

    fn summary(&self, given: &str, with_covariances: bool) -> Result<Moments> {
        let circuit = self.compiled.checked.circuit();
        let parts = given_boxes(circuit, &self.event(given)?);
        let parts = parts.map_err(|gap| Error::gap(given, gap))?;
        let found = summary(circuit, self.values(), &parts, with_covariances)?;
        let own = found.variables.iter();
        Ok(Moments {
            variables: own.clone().map(|own| own.variable.index()).collect(),
            means: own.clone().map(|own| own.mean).collect(),
            variances: own.map(|own| own.variance).collect(),
            covariances: found.covariance.map(|rows| rows.concat()),
        })
    }
}
