//! From a leaf and its parameters to a formula.

use super::form::{CountTerm, LogDensityForm};
use super::region::Regions;
use super::statistics::DensityStatistics;
use super::{EvaluationPurpose, PreparedLeaf};
use crate::circuit::{CircuitGraph, Leaf, ParameterValue};
use crate::leaf;
use crate::leaf::family::EntryFamily;
use crate::leaf::untruncated::UntruncatedLeaf;
use crate::reference::{EvidenceCell, log_leaf};
use std::f64::consts::LOG2_E;

/// Up to here factorials and powers by themselves lose less than three of sixteen digits,
/// and what they say of a count is shared by all leaves of a variable.
pub(crate) const LARGE_PARAMETER: f64 = 64.0;

/// Prepares one leaf for a purpose, and for what is known of missing cells.
pub(super) fn prepare(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    leaf: &Leaf,
    (purpose, missing): (EvaluationPurpose, &EvidenceCell),
    regions: &mut Regions,
) -> PreparedLeaf {
    let domain = &circuit.variable(leaf.variable).domain;
    let form = match UntruncatedLeaf::of(circuit, values, leaf) {
        Some(whole) if purpose != EvaluationPurpose::Support => {
            let log_mass = whole.truncation().map_or(0.0, |set| whole.log_mass(set));
            divide(whole.family().form(&whole), log_mass * LOG2_E)
        }
        Some(_) | None => LogDensityForm::Flat(0.0),
    };
    PreparedLeaf {
        form,
        region: regions.add(leaf::support(circuit, leaf), domain.is_discrete()),
        missing: LOG2_E
            * match purpose {
                EvaluationPurpose::Support => 0.0,
                _ => log_leaf(circuit, values, leaf, missing, purpose),
            },
        statistics: DensityStatistics::of(circuit, values, leaf),
    }
}

/// Subtracts the mass of a truncation; what is zero stays so.
fn divide(mut form: LogDensityForm, log2_mass: f64) -> LogDensityForm {
    let subtract = |log: &mut f64| {
        if *log != f64::NEG_INFINITY {
            *log -= log2_mass;
        }
    };
    match &mut form {
        LogDensityForm::Flat(constant)
        | LogDensityForm::Bell { constant, .. }
        | LogDensityForm::LogBell { constant, .. }
        | LogDensityForm::Line { constant, .. }
        | LogDensityForm::Tent { constant, .. }
        | LogDensityForm::LogLine { constant, .. }
        | LogDensityForm::Count { constant, .. } => subtract(constant),
        LogDensityForm::Steps { logs, .. } => logs.iter_mut().for_each(subtract),
    }
    form
}

impl LogDensityForm {
    /// Nothing but a term.
    pub(crate) fn alone(term: CountTerm) -> LogDensityForm {
        LogDensityForm::Count {
            constant: 0.0,
            slope: 0.0,
            term,
        }
    }

    /// All mass on one count.
    pub(crate) fn certain(count: f64) -> LogDensityForm {
        LogDensityForm::Steps {
            breaks: [count, count + 1.0].into(),
            logs: [0.0].into(),
        }
    }

    /// An entry for each value from the domain's first on.
    pub(crate) fn of_entries(leaf: &UntruncatedLeaf, family: &dyn EntryFamily) -> LogDensityForm {
        let (first, n) = (leaf.domain.first(), leaf.vector(0).len());
        LogDensityForm::Steps {
            breaks: (0..=n).map(|at| first + at as f64).collect(),
            logs: (0..n)
                .map(|at| family.log_entry(leaf, at) * LOG2_E)
                .collect(),
        }
    }
}
