//! What a leaf is worth for what is known of its variable.

use super::EvaluationPurpose;
use crate::circuit::{CircuitGraph, Leaf, LeafKind, ParameterValue};
use crate::evidence::EvidenceCell;
use crate::flow::is_tabular;
use crate::leaf::{is_member, log_density, log_mass, log_table, mode, mode_in, support};

/// The logarithm of what a leaf is worth for a cell.
///
/// A missing cell has the leaf's whole mass, in max-product its largest value, and a
/// cell that lies in a set what of that lies there. In
/// a support pass a leaf is worth the evidence's mass on its support; a missing
/// cell weighs every value of a tabular domain 1, and is worth 1 over others.
pub fn log_leaf(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    leaf: &Leaf,
    cell: &EvidenceCell,
    purpose: EvaluationPurpose,
) -> f64 {
    match (cell, purpose) {
        (EvidenceCell::Missing, EvaluationPurpose::Value) => {
            log_density(circuit, values, leaf, f64::NAN)
        }
        (EvidenceCell::Missing, EvaluationPurpose::Support) => {
            log_missing_support(circuit, values, leaf)
        }
        (EvidenceCell::Missing, EvaluationPurpose::Max) => mode(circuit, values, leaf).1,
        (EvidenceCell::Value(x), EvaluationPurpose::Support) => {
            log_one_if(is_in_support(circuit, leaf, *x))
        }
        (EvidenceCell::Value(x), _) => log_density(circuit, values, leaf, *x),
        (EvidenceCell::In(set), EvaluationPurpose::Value) => log_mass(circuit, values, leaf, set),
        (EvidenceCell::In(set), EvaluationPurpose::Max) => mode_in(circuit, values, leaf, set).1,
        (EvidenceCell::In(set), EvaluationPurpose::Support) => {
            log_one_if(!support(circuit, leaf).is_disjoint(set))
        }
        (EvidenceCell::Soft(weights), _) => {
            purpose.join(log_soft(circuit, values, leaf, weights, purpose))
        }
    }
}

/// The logarithms of a leaf's values, each times the weight that soft evidence
/// gives to it.
pub(super) fn log_soft(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    leaf: &Leaf,
    weights: &[f64],
    purpose: EvaluationPurpose,
) -> Vec<f64> {
    let domain = &circuit.variable(leaf.variable).domain;
    let logs: Vec<f64> = match purpose {
        EvaluationPurpose::Value | EvaluationPurpose::Max => log_table(circuit, values, leaf),
        EvaluationPurpose::Support => {
            let set = support(circuit, leaf);
            let points = (0..weights.len()).map(|at| domain.first() + at as f64);
            points.map(|x| log_one_if(set.contains(x))).collect()
        }
    };
    let weighted = logs.iter().zip(weights);
    weighted.map(|(log, weight)| log + weight.ln()).collect()
}

fn log_missing_support(circuit: &CircuitGraph, values: &[ParameterValue], leaf: &Leaf) -> f64 {
    match &leaf.kind {
        LeafKind::Indicator(_) => log_density(circuit, values, leaf, f64::NAN),
        LeafKind::Distribution(_) => match missing_as_soft(circuit, leaf) {
            Some(ones) => {
                let logs = log_soft(circuit, values, leaf, &ones, EvaluationPurpose::Support);
                EvaluationPurpose::Support.join(logs)
            }
            None => log_one_if(!support(circuit, leaf).is_empty()),
        },
    }
}

/// A missing cell of a tabular domain as soft evidence.
pub(super) fn missing_as_soft(circuit: &CircuitGraph, leaf: &Leaf) -> Option<Vec<f64>> {
    let domain = &circuit.variable(leaf.variable).domain;
    let size = domain.size().filter(|_| is_tabular(domain))?;
    Some(vec![1.0; size as usize])
}

/// Whether the leaf can be positive at `x`.
pub(super) fn is_in_support(circuit: &CircuitGraph, leaf: &Leaf, x: f64) -> bool {
    let domain = &circuit.variable(leaf.variable).domain;
    is_member(&support(circuit, leaf), domain, x)
}

fn log_one_if(holds: bool) -> f64 {
    if holds { 0.0 } else { f64::NEG_INFINITY }
}
