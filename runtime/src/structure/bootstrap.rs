//! Rows drawn with replacement.

use crate::data::Table;
use crate::learn::RowChunk;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// As many rows as there are, each drawn from all of them; a row keeps its weight.
/// A tree of such rows is one that the data could as well have given.
///
/// # Panics
/// If weights are given and there are fewer than rows.
pub fn bootstrap(table: &Table, weights: Option<&[f64]>, seed: u64) -> RowChunk {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(u64::from_be_bytes(*b"bootstra"));
    let n_rows = table.n_rows() as u64;
    let rows = (0..n_rows).map(|_| (random.next_u64() % n_rows) as u32);
    let rows: Vec<u32> = rows.collect();
    let of_rows = |weights: &[f64]| rows.iter().map(|&row| weights[row as usize]).collect();
    (table.gather(&rows), weights.map(of_rows))
}
