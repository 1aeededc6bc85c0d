//! Circuits and data to measure speed with.
//!
//! They are no part of the library, and no models of anything: `pelton bench` and the benchmarks
//! run on them. All are made from a seed, with start values drawn at random, and have the shapes
//! that speed depends on: dense blocks of several sizes, weights tied over time, and sparse sums
//! without any regularity.

mod hclt;
mod hmm;
mod irregular;
mod kit;
mod peak;

pub use hclt::hclt;
pub use hmm::hmm;
pub use irregular::irregular;
pub use peak::measure_peak;

use pelton_compiler::check::{CheckOptions, Checked, check};
use pelton_compiler::circuit::CircuitGraph;
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_runtime::data::Table;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The seed of the standard set.
pub const SEED: u64 = 1;

/// A circuit of the standard set.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// Its name in reports.
    pub name: &'static str,
    /// Makes it.
    pub make: fn() -> CircuitGraph,
}

const fn workload(name: &'static str, make: fn() -> CircuitGraph) -> Workload {
    Workload { name, make }
}

/// The circuits that `pelton bench` measures: hidden Chow-Liu trees of 69 variables by trees and
/// states, a hidden Markov model of 64 steps, and sparse sums by their edges.
pub const STANDARD: &[Workload] = &[
    workload("hclt-4x12", || hclt(69, 4, 12, SEED)),
    workload("hclt-1x32", || hclt(69, 1, 32, SEED)),
    workload("hclt-1x64", || hclt(69, 1, 64, SEED)),
    workload("hmm-32", || hmm(64, 32, 27, SEED)),
    workload("irregular-10k", || irregular(69, 10_000, SEED)),
    workload("irregular-100k", || irregular(69, 100_000, SEED)),
];

/// A circuit of this module with the proof that it is smooth and decomposable.
///
/// # Panics
/// If the circuit is neither, which those of this module are.
pub fn checked(circuit: CircuitGraph) -> Checked {
    let checked = check(
        circuit,
        &CheckOptions::default(),
        &mut SourceDiagnostics::new(),
    );
    checked.expect("workloads are smooth and decomposable")
}

/// Rows of values drawn evenly from finite domains, and of small numbers from
/// others. They are the same for the same seed.
pub fn rows(circuit: &CircuitGraph, n_rows: usize, seed: u64) -> Table {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut rows = vec![Vec::with_capacity(circuit.variables().len()); n_rows];
    for variable in circuit.variables() {
        let (first, n_values) = (variable.domain.first(), variable.domain.size());
        let n_values = n_values.unwrap_or(10);
        for row in &mut rows {
            row.push(first + (random.next_u64() % n_values) as f64);
        }
    }
    Table::from_assignments(circuit, &rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pelton_compiler::reference::log_likelihood;
    use pelton_compiler::stats::CircuitStatistics;
    use pelton_runtime::data::Column;

    #[test]
    fn workloads_have_the_sizes_that_their_names_promise() {
        let sum_edges = |circuit: CircuitGraph| {
            let checked = checked(circuit);
            CircuitStatistics::of(checked.circuit()).sum_edges
        };
        assert_eq!(sum_edges(hclt(69, 4, 12, 1)), 4 * 68 * 144 + 48);
        assert_eq!(sum_edges(hmm(8, 16, 27, 1)), 7 * 256 + 16);
        for n in [10_000, 30_000] {
            let edges = sum_edges(irregular(69, n, 1));
            assert!(edges.abs_diff(n) < n / 10, "{edges}");
        }
    }

    #[test]
    fn rows_are_possible_and_the_same_for_the_same_seed() {
        for circuit in [hclt(5, 2, 3, 1), hmm(4, 3, 27, 1), irregular(9, 200, 1)] {
            let table = rows(&circuit, 50, 7);
            assert_eq!(table, rows(&circuit, 50, 7));
            assert_ne!(table, rows(&circuit, 50, 8));
            let values = circuit.start_values();
            for row in 0..50 {
                let cell = |column: &Column| match column {
                    Column::Small(cells) => f64::from(cells[row]),
                    other => panic!("{other:?}"),
                };
                let assignment: Vec<f64> = table.columns().iter().map(cell).collect();
                let log_p = log_likelihood(&circuit, &values, &assignment);
                assert!(log_p.is_finite() && log_p < 0.0, "{log_p}");
            }
        }
    }
}
