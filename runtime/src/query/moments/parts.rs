//! Moments given one of several things that exclude each other.

use super::{VariableMoments, covariance, moments};
use crate::query::{InformationError, ScaledCircuit};
use crate::tractability::ZERO_EVIDENCE;
use pelton_compiler::circuit::{CircuitGraph, ParameterValue};
use pelton_compiler::evidence::ValueBox;
use pelton_compiler::reference::RowLog;

/// Moments of all numeric variables.
#[derive(Clone, Debug, PartialEq)]
pub struct MomentSummary {
    /// Mean and variance of each.
    pub variables: Vec<VariableMoments>,
    /// Covariances of all pairs, in the same order, if they were asked for.
    pub covariance: Option<Vec<Vec<f64>>>,
}

/// Moments given that one of the parts holds; these exclude each other.
///
/// Each part is weighed by its mass, so that this is exact where
/// [`moments`](super::moments()) is.
pub fn summary(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    parts: &[ValueBox],
    with_covariance: bool,
) -> Result<MomentSummary, InformationError> {
    let mut found: Vec<(RowLog, MomentSummary)> = Vec::new();
    let mut why = ZERO_EVIDENCE.to_string();
    for evidence in parts {
        match part(circuit, values, evidence, with_covariance) {
            Ok(own) => found.push(own),
            Err(InformationError::Impossible(reason)) => why = reason,
            Err(error) => return Err(error),
        }
    }
    let log_masses: Vec<RowLog> = found.iter().map(|(log_mass, _)| *log_mass).collect();
    let log_total = RowLog::sum(log_masses);
    let share = |(log_mass, own): (RowLog, _)| (log_mass.over(log_total).exp(), own);
    joined(found.into_iter().map(share).collect()).ok_or(InformationError::Impossible(why))
}

/// The mass of a part and its moments.
fn part(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    evidence: &ValueBox,
    with_covariance: bool,
) -> Result<(RowLog, MomentSummary), InformationError> {
    let scaled = ScaledCircuit::new(circuit, values, evidence)?;
    let of = moments(&scaled, evidence)?;
    let covariance = with_covariance.then(|| covariance(&scaled, &of));
    let covariance = covariance.transpose()?;
    let own = MomentSummary {
        variables: of.variables,
        covariance,
    };
    Ok((scaled.root(), own))
}

/// By the laws of total variance and covariance; `None` for no parts.
fn joined(mut parts: Vec<(f64, MomentSummary)>) -> Option<MomentSummary> {
    if parts.len() <= 1 {
        return parts.pop().map(|(_, own)| own);
    }
    let mut whole = parts[0].1.clone();
    for (at, own) in whole.variables.iter_mut().enumerate() {
        let total = |f: &dyn Fn(&VariableMoments) -> f64| -> f64 {
            let parts = parts.iter();
            parts
                .map(|(share, part)| share * f(&part.variables[at]))
                .sum()
        };
        own.mean = total(&|part| part.mean);
        let mean = own.mean;
        own.variance = total(&|part| part.variance + (part.mean - mean).powi(2));
    }
    let offset =
        |part: &MomentSummary, at: usize| part.variables[at].mean - whole.variables[at].mean;
    if let Some(mut matrix) = whole.covariance.take() {
        for (i, row) in matrix.iter_mut().enumerate() {
            for (j, cell) in row.iter_mut().enumerate() {
                let terms = parts.iter().map(|(share, part)| {
                    let own = part.covariance.as_ref().map_or(0.0, |rows| rows[i][j]);
                    share * (own + offset(part, i) * offset(part, j))
                });
                *cell = terms.sum();
            }
        }
        whole.covariance = Some(matrix);
    }
    Some(whole)
}
