//! Random rows.

use crate::data::{Column, Table};
use pelton_compiler::circuit::{Circuit, Domain};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Rows of values drawn evenly from finite domains, and of small numbers from
/// others. They are the same for the same seed.
pub fn rows(circuit: &Circuit, n_rows: usize, seed: u64) -> Table {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let variables = circuit.variables().iter();
    let columns = variables.map(|variable| column(&variable.domain, n_rows, &mut random));
    Table::new(n_rows, columns.collect())
}

fn column(domain: &Domain, n_rows: usize, random: &mut ChaCha8Rng) -> Column {
    let mut column = Column::for_domain(domain);
    let first = domain.first();
    let n_values = domain.size().unwrap_or(10);
    for _ in 0..n_rows {
        column.push(first + (random.next_u64() % n_values) as f64, first);
    }
    column
}
