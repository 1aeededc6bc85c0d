//! Random tables and matrices, and every tree there is.

use crate::data::{Column, MISSING_CODE, MISSING_SMALL, Table};
use crate::structure::InformationMatrix;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub(super) struct World {
    random: ChaCha8Rng,
}

impl World {
    pub(super) fn new(seed: u64) -> Self {
        World {
            random: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.random.next_u64() % n as u64) as usize
    }

    fn unit(&mut self) -> f64 {
        (self.random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Numbers that differ, or whole numbers below `ties`.
    pub(super) fn matrix(&mut self, n: usize, ties: Option<usize>) -> InformationMatrix {
        InformationMatrix::from_fn(n, |_, _| match ties {
            Some(ties) => self.below(ties) as f64,
            None => self.unit(),
        })
    }

    /// Columns of every kind that depend on each other; of so many parts of a
    /// hundred cells nothing is known.
    pub(super) fn table(&mut self, n_rows: usize, missing: usize) -> Table {
        let hidden: Vec<usize> = (0..n_rows).map(|_| self.below(1000)).collect();
        let columns = (0..24).map(|at| self.column(at % 6, &hidden, missing));
        Table::new(n_rows, columns.collect())
    }

    fn column(&mut self, kind: usize, hidden: &[usize], missing: usize) -> Column {
        let size = [2, 3, 21, 5000, 100, 200][kind];
        let cells: Vec<Option<usize>> = hidden
            .iter()
            .map(|&hidden| (self.below(100) >= missing).then(|| self.cell(hidden, size)))
            .collect();
        match kind {
            0..3 | 5 => {
                let code = |cell: &Option<usize>| cell.map_or(MISSING_SMALL, |cell| cell as u8);
                Column::Small(cells.iter().map(code).collect())
            }
            3 => {
                let code = |cell: &Option<usize>| cell.map_or(MISSING_CODE, |cell| cell as u32);
                Column::Codes(cells.iter().map(code).collect())
            }
            _ => {
                let number = |cell: &Option<usize>| cell.map_or(f64::NAN, |cell| cell as f64 / 7.0);
                Column::Reals(cells.iter().map(number).collect())
            }
        }
    }

    fn cell(&mut self, hidden: usize, size: usize) -> usize {
        match self.below(3) {
            0 => self.below(size),
            _ => hidden % size,
        }
    }

    pub(super) fn weights(&mut self, n_rows: usize) -> Vec<f64> {
        (0..n_rows).map(|_| self.unit() * 3.0 + 1e-3).collect()
    }
}

/// The edges of all spanning trees of `n` variables, from Prüfer sequences.
pub(super) fn all_trees(n: usize) -> Vec<Vec<(usize, usize)>> {
    match n {
        0 => Vec::new(),
        1 => vec![Vec::new()],
        _ => {
            let n_trees = n.pow(n as u32 - 2);
            (0..n_trees).map(|tree| from_pruefer(n, tree)).collect()
        }
    }
}

/// The tree whose sequence has the digits of a number to the base `n`.
fn from_pruefer(n: usize, number: usize) -> Vec<(usize, usize)> {
    let sequence: Vec<usize> = (0..n as u32 - 2)
        .map(|digit| number / n.pow(digit) % n)
        .collect();
    let mut degrees = vec![1; n];
    sequence.iter().for_each(|&at| degrees[at] += 1);
    let mut edges = Vec::new();
    for &at in &sequence {
        let leaf = degrees.iter().position(|&degree| degree == 1).unwrap();
        edges.push((leaf.min(at), leaf.max(at)));
        degrees[leaf] -= 1;
        degrees[at] -= 1;
    }
    let ends: Vec<usize> = (0..n).filter(|&at| degrees[at] == 1).collect();
    edges.push((ends[0], ends[1]));
    edges.sort_unstable();
    edges
}
