//! Noise that is drawn: softened data, one sample of them.

use crate::data::{SoftColumn, Softness, Table};
use pelton_compiler::choice::unit;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The rows with each observed cell of a softened variable drawn anew. `seed` and
/// `stream` decide what is drawn, so that no two epochs or chunks share noise.
pub(super) fn noisy(table: &Table, softness: &Softness, seed: u64, stream: u64) -> Table {
    let columns = table.columns().iter().enumerate().map(|(at, column)| {
        let Some(noise) = softness.column(at) else {
            return column.clone();
        };
        let mut random = ChaCha8Rng::seed_from_u64(seed ^ u64::from_be_bytes(*b"softened"));
        let mixed = stream.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        random.set_stream(mixed.wrapping_add(at as u64));
        let mut draw = |code: u32| drawn(noise, code as usize, &mut random) as u32;
        column.map_codes(|code| code.map(&mut draw))
    });
    Table::new(table.n_rows(), columns.collect())
}

/// The value that takes the place of `code`.
fn drawn(noise: &SoftColumn, code: usize, random: &mut impl Rng) -> usize {
    let mut left = unit(random) - noise.observed[code];
    if left < 0.0 {
        return code;
    }
    let others = noise.other.iter().enumerate();
    for (value, &weight) in others.filter(|&(value, _)| value != code) {
        left -= weight;
        if left < 0.0 {
            return value;
        }
    }
    code
}
