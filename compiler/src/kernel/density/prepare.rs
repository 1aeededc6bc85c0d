//! From a leaf and its parameters to a formula.

use super::form::{CountTerm, Form};
use super::region::Regions;
use super::statistics::Statistics;
use super::{Prepared, Purpose};
use crate::circuit::{Circuit, Leaf, Value};
use crate::leaf;
use crate::leaf::family::EntryFamily;
use crate::leaf::untruncated::UntruncatedLeaf;
use crate::reference::{Cell, log_leaf};
use std::f64::consts::LOG2_E;

/// Up to here factorials and powers by themselves lose less than three of sixteen digits,
/// and what they say of a count is shared by all leaves of a variable.
pub(crate) const LARGE_PARAMETER: f64 = 64.0;

/// Prepares one leaf for a purpose, and for what is known of missing cells.
pub(super) fn prepare(
    circuit: &Circuit,
    values: &[Value],
    leaf: &Leaf,
    (purpose, missing): (Purpose, &Cell),
    regions: &mut Regions,
) -> Prepared {
    let domain = &circuit.variable(leaf.variable).domain;
    let form = match UntruncatedLeaf::of(circuit, values, leaf) {
        Some(whole) if purpose != Purpose::Support => {
            let log_mass = whole.truncation().map_or(0.0, |set| whole.log_mass(set));
            divide(whole.family().form(&whole), log_mass * LOG2_E)
        }
        Some(_) | None => Form::Flat(0.0),
    };
    Prepared {
        form,
        region: regions.add(leaf::support(circuit, leaf), domain.is_discrete()),
        missing: LOG2_E
            * match purpose {
                Purpose::Support => 0.0,
                _ => log_leaf(circuit, values, leaf, missing, purpose),
            },
        statistics: Statistics::of(circuit, values, leaf),
    }
}

/// Subtracts the mass of a truncation; what is zero stays so.
fn divide(mut form: Form, log2_mass: f64) -> Form {
    let subtract = |log: &mut f64| {
        if *log != f64::NEG_INFINITY {
            *log -= log2_mass;
        }
    };
    match &mut form {
        Form::Flat(constant)
        | Form::Bell { constant, .. }
        | Form::LogBell { constant, .. }
        | Form::Line { constant, .. }
        | Form::Tent { constant, .. }
        | Form::LogLine { constant, .. }
        | Form::Count { constant, .. } => subtract(constant),
        Form::Steps { logs, .. } => logs.iter_mut().for_each(subtract),
    }
    form
}

impl Form {
    /// Nothing but a term.
    pub(crate) fn alone(term: CountTerm) -> Form {
        Form::Count {
            constant: 0.0,
            slope: 0.0,
            term,
        }
    }

    /// All mass on one count.
    pub(crate) fn certain(count: f64) -> Form {
        Form::Steps {
            breaks: [count, count + 1.0].into(),
            logs: [0.0].into(),
        }
    }

    /// An entry for each value from the domain's first on.
    pub(crate) fn of_entries(leaf: &UntruncatedLeaf, family: &dyn EntryFamily) -> Form {
        let (first, n) = (leaf.domain.first(), leaf.vector(0).len());
        Form::Steps {
            breaks: (0..=n).map(|at| first + at as f64).collect(),
            logs: (0..n)
                .map(|at| family.log_entry(leaf, at) * LOG2_E)
                .collect(),
        }
    }
}
