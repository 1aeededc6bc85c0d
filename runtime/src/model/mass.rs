//! What a circuit's values are divided by.
//!
//! A circuit of mass Z stands for the distribution whose probabilities are its values over
//! Z. Questions that compare values of one circuit need no Z; likelihoods and the
//! probability of evidence do.

use super::{Model, Parameters};
use crate::query::{InformationError, ScaledCircuit, ValueBox};
use pelton_compiler::check::CircuitFacts;
use pelton_compiler::circuit::{CircuitGraph, ParameterValue, Property};

/// A logarithm up to here is rounding: the mass is 1.
const ROUNDING: f64 = 1e-9;

impl Model {
    /// The logarithm of the circuit's mass, its value where nothing is observed. Exactly 0
    /// where the circuit is normalized up to rounding; an error where the mass is zero or
    /// infinite, so that there is no distribution.
    ///
    /// Computed once for parameters, and not at all where the circuit is proven normalized.
    pub fn log_mass(&self, parameters: &Parameters) -> Result<f64, InformationError> {
        if self.facts().is_proven(Property::Normalized) {
            return Ok(0.0);
        }
        let known = parameters.log_mass();
        let find = || log_normalizer(self.circuit(), self.facts(), parameters.values());
        known.get_or_init(find).clone()
    }

    /// The logarithm of what values are divided by to be likelihoods: the mass, or 1 if the
    /// circuit [counts](CircuitGraph::is_counting), so that its values stay numbers of models.
    pub fn log_divisor(&self, parameters: &Parameters) -> Result<f64, InformationError> {
        if self.is_counting {
            return Ok(0.0);
        }
        self.log_mass(parameters)
    }

    /// Whether the circuit as it was given [counts](CircuitGraph::is_counting).
    pub fn is_counting(&self) -> bool {
        self.is_counting
    }
}

/// The logarithm of the mass of a circuit of which this is known; 0 if that is rounding.
pub fn log_normalizer(
    circuit: &CircuitGraph,
    facts: &CircuitFacts,
    values: &[ParameterValue],
) -> Result<f64, InformationError> {
    if facts.is_proven(Property::Normalized) {
        return Ok(0.0);
    }
    let scaled = ScaledCircuit::new(circuit, values, &ValueBox::default())?;
    let log = scaled.log_mass(circuit.root());
    Ok(if log.abs() <= ROUNDING { 0.0 } else { log })
}

/// Divides values by what they have to be divided by; nothing changes where that is 1.
pub(crate) fn divide(logs: &mut [f64], log_divisor: f64) {
    // Taking 0 away changes no bit, and costs a pass over the rows.
    if log_divisor != 0.0 {
        logs.iter_mut().for_each(|log| *log -= log_divisor);
    }
}
