//! Counts of two columns together, and what the columns tell about each other.

use super::bits::ColumnBits;
use super::levels::{BINS, Levels};
use super::tally::PairTally;
use crate::data::Column;

#[derive(Debug)]
pub(super) struct Countable {
    levels: Levels,
    /// None if rows have weights or there are many values (two columns of `k` values
    /// are compared `k * k` times, 64 rows at a time), and if the column is constant.
    bits: Option<ColumnBits>,
}

impl Countable {
    pub fn new(column: &Column, n_rows: usize, weights: Option<&[f64]>) -> Self {
        let levels = Levels::new(column, n_rows, weights);
        let has_bits = weights.is_none() && (2..=BINS).contains(&levels.n_values);
        Countable {
            bits: has_bits.then(|| ColumnBits::new(&levels)),
            levels,
        }
    }

    /// Whether all observed cells agree, or there are none.
    fn is_constant(&self) -> bool {
        self.levels.n_values < 2
    }
}

/// Room for counts, used for one pair after the other.
#[derive(Debug, Default)]
pub(super) struct JointCounts {
    cells: Vec<f64>,
    rows: Vec<f64>,
    columns: Vec<f64>,
    tally: PairTally,
}

impl JointCounts {
    /// The mutual information of two columns over the rows that have both cells, in
    /// nats. `pseudocount` is that of a cell of four; cells of other tables get as
    /// much in total. Never negative, and 0 if a column is constant.
    pub fn information(
        &mut self,
        (a, b): (&Countable, &Countable),
        weights: Option<&[f64]>,
        pseudocount: f64,
    ) -> f64 {
        if a.is_constant() || b.is_constant() {
            return 0.0;
        }
        // 1. Counts of pairs of values: by bits, 64 rows at a time, or row by row.
        let (height, width) = (a.levels.n_values, b.levels.n_values);
        self.cells.clear();
        self.cells.resize(height * width, 0.0);
        match (&a.bits, &b.bits) {
            (Some(a), Some(b)) => a.joint(b, &mut self.cells),
            _ => {
                let pair = (&a.levels, &b.levels);
                self.tally.joint(pair, weights, &mut self.cells);
            }
        }
        // 2. Pseudocounts keep marginals positive.
        let share = 4.0 * pseudocount / self.cells.len() as f64;
        self.cells.iter_mut().for_each(|cell| *cell += share);
        self.add_up(width);
        self.divergence(width)
    }

    /// The totals of rows and columns of cells.
    fn add_up(&mut self, width: usize) {
        self.rows.clear();
        self.columns.clear();
        self.columns.resize(width, 0.0);
        for row in self.cells.chunks_exact(width) {
            self.rows.push(row.iter().sum());
            let pairs = self.columns.iter_mut().zip(row);
            pairs.for_each(|(sum, cell)| *sum += cell);
        }
    }

    /// How far the cells are from the product of their marginals.
    fn divergence(&self, width: usize) -> f64 {
        let total: f64 = self.rows.iter().sum();
        let mut sum = 0.0;
        for (cells, row) in self.cells.chunks_exact(width).zip(&self.rows) {
            for (cell, column) in cells.iter().zip(&self.columns) {
                // Empty cells count for nothing; marginals of others are positive.
                if *cell > 0.0 {
                    sum += cell / total * ((cell / row) * (total / column)).ln();
                }
            }
        }
        // Rounding may leave a little less than nothing, and rows that weigh more
        // than any number have no shares.
        if sum > 0.0 && sum.is_finite() {
            sum
        } else {
            0.0
        }
    }
}
