//! When what was lost cannot matter.
//!
//! In a normalized circuit over discrete variables every unit's value is at most
//! 1, and the root is an average of products of such values: it changes by no more
//! than a unit does. An operation loses less than the smallest normal number. So
//! all losses together are less than that, times the number of operations; beside a
//! root that is not small they are nothing. That is known as soon as the root is,
//! without a second look. Maxima are bounded alike: what was lost cannot be part of a
//! product of numbers up to 1 that is larger than it.

use super::careful::TOLERANCE;
use super::parameters::KernelPrecision;
use crate::data::{Column, Table};
use pelton_compiler::check::CircuitFacts;
use pelton_compiler::circuit::{CircuitGraph, LeafKind, ParameterValue, Property};
use pelton_compiler::kernel::{Real, covers_losses};
use pelton_compiler::reference::EvaluationPurpose;

/// How large a root has to be for losses not to matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootBound {
    /// Base 2; infinite if nothing is known of the circuit.
    log2_least: f64,
}

impl RootBound {
    /// What can be trusted of a circuit's values with these parameters.
    pub fn new<T: Real>(
        (circuit, facts): (&CircuitGraph, &CircuitFacts),
        values: &[ParameterValue],
        purpose: EvaluationPurpose,
    ) -> Self {
        let mut leaves = circuit.leaves().iter();
        let is_bounded = purpose != EvaluationPurpose::Support
            && facts.is_proven(Property::Normalized)
            && leaves.all(|leaf| is_discrete(circuit, leaf))
            && are_probabilities(circuit, values);
        // An edge is a product and a sum; a rescaling adds one to a unit.
        let n_losses = 4 * (circuit.n_units() + circuit.n_edges() + circuit.all_entries().len());
        let log2_least = f64::from(T::MIN_EXPONENT) + (n_losses as f64 / TOLERANCE).log2();
        RootBound {
            log2_least: if is_bounded {
                log2_least
            } else {
                f64::INFINITY
            },
        }
    }

    /// The logarithm of the least root that is trusted, base 2.
    #[cfg(feature = "build")]
    pub fn log2_least(&self) -> f64 {
        self.log2_least
    }

    /// The same for these rows: soft evidence may weigh more than 1.
    pub fn with(self, table: &Table) -> Self {
        let is_soft = |column: &Column| matches!(column, Column::Soft { .. });
        if !table.columns().iter().any(is_soft) {
            return self;
        }
        RootBound {
            log2_least: f64::INFINITY,
        }
    }

    /// Whether a root is so large that losses do not matter.
    pub fn covers<T: KernelPrecision>(&self, root: T, exponent: i32) -> bool {
        covers_losses(root.to_f64(), f64::from(exponent), self.log2_least)
    }
}

/// Whether a leaf's values are probabilities, at most 1.
fn is_discrete(circuit: &CircuitGraph, leaf: &pelton_compiler::circuit::Leaf) -> bool {
    let is_distribution = matches!(leaf.kind, LeafKind::Distribution(_));
    circuit.variable(leaf.variable).domain.is_discrete() || !is_distribution
}

/// Whether values are what was proven of the circuit's own: nobody stops callers from
/// handing in others.
fn are_probabilities(circuit: &CircuitGraph, values: &[ParameterValue]) -> bool {
    /// What rounding may add to a vector.
    const ROUNDING: f64 = 1e-6;
    let parameters = circuit.parameters().iter();
    let mut vectors = parameters.filter(|parameter| parameter.kind.adds_up());
    vectors.all(|parameter| {
        let own = values[parameter.entries()].iter();
        own.map(|value| value.linear()).sum::<f64>() <= 1.0 + ROUNDING
    })
}
