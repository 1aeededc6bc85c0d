//! Random rows.

use pelton_compiler::circuit::CircuitGraph;
use pelton_runtime::data::Table;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

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
