//! Circuits and data to measure speed with.
//!
//! They are no part of the library: `pelton bench` and the benchmarks run on these; they are no models of anything.
//! All of them are made from a seed, with start values drawn at random, and have
//! the shapes that speed depends on: dense blocks of several sizes, weights tied
//! over time, and sparse sums without any regularity.

mod hclt;
mod hmm;
mod irregular;
mod kit;
mod peak;
mod rows;

pub use hclt::hclt;
pub use hmm::hmm;
pub use irregular::irregular;
pub use peak::measure_peak;
pub use rows::rows;

use pelton_compiler::check::{CheckOptions, Checked, check};
use pelton_compiler::circuit::CircuitGraph;
use pelton_grammar::diagnostic::SourceDiagnostics;

/// The seed of the standard set.
pub const SEED: u64 = 1;

/// A circuit of the standard set.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// Its name in reports.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Makes it.
    pub make: fn() -> CircuitGraph,
}

/// The circuits that `pelton bench` measures.
pub const STANDARD: &[Workload] = &[
    Workload {
        name: "hclt-4x12",
        about: "four hidden Chow-Liu trees, 12 states, 69 variables",
        make: || hclt(69, 4, 12, SEED),
    },
    Workload {
        name: "hclt-1x32",
        about: "one hidden Chow-Liu tree, 32 states, 69 variables",
        make: || hclt(69, 1, 32, SEED),
    },
    Workload {
        name: "hclt-1x64",
        about: "one hidden Chow-Liu tree, 64 states, 69 variables",
        make: || hclt(69, 1, 64, SEED),
    },
    Workload {
        name: "hmm-32",
        about: "a hidden Markov model, 64 steps, 32 states, 27 values",
        make: || hmm(64, 32, 27, SEED),
    },
    Workload {
        name: "irregular-10k",
        about: "sparse sums of random products, 10,000 sum edges",
        make: || irregular(69, 10_000, SEED),
    },
    Workload {
        name: "irregular-100k",
        about: "sparse sums of random products, 100,000 sum edges",
        make: || irregular(69, 100_000, SEED),
    },
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
