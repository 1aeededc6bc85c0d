//! Counts of pairs, row by row: for columns of many values and rows of any weight.

use super::levels::Levels;

/// Tables that take turns. Rows often hold the same pair as the row before, and one
/// table would make each addition wait for the last one.
const STRANDS: usize = 4;

#[derive(Debug, Default)]
pub(super) struct PairTally {
    strands: [Vec<f64>; STRANDS],
}

impl PairTally {
    /// What rows with each pair of values weigh, `[value of a][value of b]`, into
    /// `cells`, which has room for that and no more.
    pub fn joint(
        &mut self,
        (a, b): (&Levels, &Levels),
        weights: Option<&[f64]>,
        cells: &mut [f64],
    ) {
        match weights {
            Some(weights) => self.count(a, b, |row| weights[row]),
            None => self.count(a, b, |_| 1.0),
        }
        // A missing cell is one more value, which is left out here.
        for (value, cells) in cells.chunks_exact_mut(b.n_values).enumerate() {
            let first = value * (b.n_values + 1);
            for (at, cell) in cells.iter_mut().enumerate() {
                *cell = self.strands.iter().map(|strand| strand[first + at]).sum();
            }
        }
    }

    fn count(&mut self, a: &Levels, b: &Levels, weight: impl Fn(usize) -> f64) {
        let width = b.n_values + 1;
        for strand in &mut self.strands {
            strand.clear();
            strand.resize((a.n_values + 1) * width, 0.0);
        }
        let pairs = a.codes.iter().zip(&b.codes).enumerate();
        for (row, (&a, &b)) in pairs {
            let cell = usize::from(a) * width + usize::from(b);
            self.strands[row % STRANDS][cell] += weight(row);
        }
    }
}
