//! Noise that is drawn: softened data, one sample of them.

use crate::data::{Column, MISSING_CODE, MISSING_SMALL, SoftColumn, Softness, Table};
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
        random.set_stream(
            stream
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .wrapping_add(at as u64),
        );
        let mut draw = |code: usize| drawn(noise, code, &mut random);
        match column {
            Column::Small(cells) => Column::Small(
                cells
                    .iter()
                    .map(|&cell| match cell {
                        MISSING_SMALL => cell,
                        code => draw(code.into()) as u8,
                    })
                    .collect(),
            ),
            Column::Codes(cells) => Column::Codes(
                cells
                    .iter()
                    .map(|&cell| match cell {
                        MISSING_CODE => cell,
                        code => draw(code as usize) as u32,
                    })
                    .collect(),
            ),
            other => other.clone(),
        }
    });
    Table::new(table.n_rows(), columns.collect())
}

/// The value that takes the place of `code`.
fn drawn(noise: &SoftColumn, code: usize, random: &mut impl Rng) -> usize {
    let mut left = unit(random) - noise.observed[code];
    if left < 0.0 {
        return code;
    }
    for (value, &weight) in noise
        .other
        .iter()
        .enumerate()
        .filter(|&(value, _)| value != code)
    {
        left -= weight;
        if left < 0.0 {
            return value;
        }
    }
    code
}
