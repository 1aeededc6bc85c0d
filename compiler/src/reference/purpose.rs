//! What a pass over the circuit is for.

use crate::circuit::{CircuitGraph, ParameterValue, Weight};
use crate::leaf::{LongLog, log_sum_exp};

/// What a pass from the leaves to the root computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EvaluationPurpose {
    /// Probabilities and densities.
    Value,
    /// How much of the evidence lies in a unit's support, whatever learning may
    /// do: every weight that is not a fixed zero counts 1.
    Support,
    /// Max-product: the largest term in place of a sum.
    Max,
}

impl EvaluationPurpose {
    /// The logarithm of what a weight counts.
    pub(super) fn log_weight(
        self,
        circuit: &CircuitGraph,
        values: &[ParameterValue],
        weight: Weight,
    ) -> f64 {
        match self {
            EvaluationPurpose::Value | EvaluationPurpose::Max => {
                values[circuit.entry_position(weight)].log()
            }
            EvaluationPurpose::Support if circuit.entry(weight).is_fixed_zero() => {
                f64::NEG_INFINITY
            }
            EvaluationPurpose::Support => 0.0,
        }
    }

    /// What the terms of a sum come to, with twice the digits.
    pub(super) fn join_long(self, logs: impl IntoIterator<Item = LongLog>) -> LongLog {
        match self {
            EvaluationPurpose::Value | EvaluationPurpose::Support => LongLog::sum(logs),
            EvaluationPurpose::Max => {
                let more = |best, log| if log > best { log } else { best };
                logs.into_iter().fold(LongLog::ZERO, more)
            }
        }
    }

    /// What the terms of a sum come to.
    pub(super) fn join(self, logs: impl IntoIterator<Item = f64>) -> f64 {
        match self {
            EvaluationPurpose::Value | EvaluationPurpose::Support => log_sum_exp(logs),
            EvaluationPurpose::Max => logs.into_iter().fold(f64::NEG_INFINITY, f64::max),
        }
    }
}
