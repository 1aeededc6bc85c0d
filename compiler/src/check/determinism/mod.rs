//! Determinism: at most one child of a sum is positive for any input.
//!
//! Deciding this is coNP-complete in general and easy for most circuits that
//! people write or learn. The check climbs a ladder, cheapest rung first:
//!
//! 1. values that each child implies for single variables (`implied`,
//!    `separate`): proves sums that decide a variable, however many children;
//! 2. points drawn from one child (`sample`): refutes most sums that overlap;
//! 3. intersection of pairs, remembered (`intersect`): proves circuits that
//!    follow one vtree, and refutes them with a witness;
//! 4. the truth table of a pair (`table`), where it is small;
//! 5. a SAT solver (`sat`): decides the rest within its budget.
//!
//! Supports only are looked at: fixed zeros count, the values of what is learned
//! do not, so the answer holds for whatever training may do. Budgets are counted
//! in steps, not in seconds: the same circuit gets the same answer everywhere.

mod atoms;
mod check;
mod components;
mod implied;
mod intersect;
mod ladder;
mod point;
mod sample;
mod sat;
mod separate;
mod table;
#[cfg(test)]
mod tests;
mod trie;

pub(super) use check::check_deterministic;

use super::PropertyVerdict;
use crate::circuit::{CircuitGraph, Scopes};
use implied::Supports;
use ladder::DeterminismDecider;

/// How much work the check may do before it answers "unknown".
#[derive(Clone, Debug)]
pub struct DeterminismLimits {
    /// Steps in computing implied values; beyond it later units imply nothing.
    pub implied_steps: u64,
    /// Pairs of children of one sum that are looked at one by one.
    pub pairs: usize,
    /// Points drawn for each sum that single variables do not decide.
    pub samples: usize,
    /// Steps in drawing points, over all sums.
    pub sample_steps: u64,
    /// Steps in intersecting pairs, over all sums.
    pub pair_steps: u64,
    /// Steps in filling truth tables, over all sums.
    pub table_steps: u64,
    /// Clauses given to the SAT solver, over all sums.
    pub sat_clauses: u64,
    /// Conflicts of the SAT solver, over all sums.
    pub sat_conflicts: u64,
}

impl Default for DeterminismLimits {
    /// A few seconds in the worst case.
    fn default() -> Self {
        DeterminismLimits {
            implied_steps: 50_000_000,
            pairs: 1_000_000,
            samples: 4,
            sample_steps: 200_000_000,
            pair_steps: 20_000_000,
            table_steps: 100_000_000,
            sat_clauses: 2_000_000,
            sat_conflicts: 50_000,
        }
    }
}

impl DeterminismLimits {
    /// These limits times `effort`. What is cheap (single variables, points, lists of pairs)
    /// only grows: an effort of 0 leaves out the searches alone.
    #[must_use]
    pub fn scaled(&self, effort: f64) -> DeterminismLimits {
        // The cast saturates, so an absurd effort means no limit.
        let search = |steps: u64| (steps as f64 * effort) as u64;
        let cheap = |steps: u64| (steps as f64 * effort.max(1.0)) as u64;
        DeterminismLimits {
            implied_steps: cheap(self.implied_steps),
            pairs: cheap(self.pairs as u64) as usize,
            samples: cheap(self.samples as u64) as usize,
            sample_steps: cheap(self.sample_steps),
            pair_steps: search(self.pair_steps),
            table_steps: search(self.table_steps),
            sat_clauses: search(self.sat_clauses),
            sat_conflicts: search(self.sat_conflicts),
        }
    }
}

/// Decides whether every sum marked in `reachable` (by unit index) is deterministic.
///
/// A refutation names the failing sum of lowest id among those that were
/// decided, two children, and an input at which both are positive; that input
/// was confirmed by evaluating the circuit.
pub fn decide(
    circuit: &CircuitGraph,
    scopes: &Scopes,
    reachable: &[bool],
    limits: &DeterminismLimits,
) -> PropertyVerdict {
    let supports = Supports::new(circuit, scopes, limits.implied_steps);
    let mut ladder = DeterminismDecider::new(&supports, limits);
    let mut reason = None;
    for sum in circuit.sums().filter(|sum| reachable[sum.index()]) {
        match ladder.decide(sum) {
            PropertyVerdict::Proven => {}
            PropertyVerdict::Unknown(why) => reason = reason.or(Some(why)),
            refuted => return refuted,
        }
    }
    reason.map_or(PropertyVerdict::Proven, PropertyVerdict::Unknown)
}
