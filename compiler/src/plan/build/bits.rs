//! How many bits of range values may lose before they are rescaled.
//!
//! These are estimates, and only speed depends on them: what is lost all the
//! same is noticed while running.

use crate::circuit::{CircuitGraph, Domain, LeafId};
use crate::kernel::Precision;
use crate::plan::{SMALL_DOMAIN, TABLE_DOMAIN};

/// Limits on what is lost between rescalings, in bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct RescaleLimits {
    /// A scope whose values may have lost more is rescaled.
    pub rescale_above: f32,
    /// Products that may lose more are cut into parts.
    pub product_limit: f32,
    /// What units of a rescaled scope may still lie below the largest.
    pub residue: f32,
}

impl RescaleLimits {
    /// About 40 and 80 per cent of single precision's range, and twice as much for
    /// double: there what the estimate misses has eight times the room.
    pub fn of(precision: Precision) -> Self {
        let range = match precision {
            Precision::F32 => 1.0,
            Precision::F64 => 2.0,
        };
        RescaleLimits {
            rescale_above: 48.0 * range,
            product_limit: 96.0 * range,
            residue: 8.0,
        }
    }
}

/// How many bits below 1 a leaf's values are expected to lie, and whether its
/// density has an exponent of its own.
pub(super) fn leaf_bits(circuit: &CircuitGraph, leaf: LeafId) -> (f32, bool) {
    let variable = circuit.leaf(leaf).variable;
    match evidence_kind(&circuit.variable(variable).domain) {
        EvidenceKind::Weights(n) | EvidenceKind::Codes(n) => (1.0 + (n as f32).log2(), false),
        EvidenceKind::Reals => (6.0, true),
    }
}

/// How evidence on a domain is handed to the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EvidenceKind {
    /// A row for each of so many values.
    Weights(u32),
    /// Codes of so many values.
    Codes(u32),
    /// Numbers.
    Reals,
}

/// The kind of evidence that a domain has.
pub(super) fn evidence_kind(domain: &Domain) -> EvidenceKind {
    match domain.size() {
        Some(n) if n <= SMALL_DOMAIN => EvidenceKind::Weights(n as u32),
        Some(n) if n <= TABLE_DOMAIN => EvidenceKind::Codes(n as u32),
        _ => EvidenceKind::Reals,
    }
}
