//! The extent of the training data, variable by variable.

use crate::data::{Column, Table};
use pelton_compiler::circuit::{CircuitGraph, LeafKind};
use pelton_compiler::flow::LeafFlows;

/// What is known of the observed cells of every variable that a parametric leaf
/// needs it of. Others cost nothing.
#[derive(Clone, Debug)]
pub struct ObservedRanges {
    columns: Vec<ObservedRange>,
    /// The first value of each variable's domain, if its range is needed.
    firsts: Vec<Option<f64>>,
}

/// Moments and extent of the observed cells of one variable.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ObservedRange {
    pub n_cells: usize,
    pub min: f64,
    pub max: f64,
    moments: ObservedMoments,
    logs: ObservedMoments,
}

/// Weight, mean and squared distances, updated cell by cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct ObservedMoments {
    weight: f64,
    mean: f64,
    squares: f64,
}

impl ObservedMoments {
    fn add(&mut self, x: f64, weight: f64) {
        self.weight += weight;
        let distance = x - self.mean;
        self.mean += distance * (weight / self.weight);
        self.squares += weight * distance * (x - self.mean);
    }

    fn sd(&self) -> f64 {
        if self.weight > 0.0 {
            (self.squares / self.weight).max(0.0).sqrt()
        } else {
            0.0
        }
    }
}

impl ObservedRanges {
    pub fn new(circuit: &CircuitGraph) -> Self {
        let mut firsts = vec![None; circuit.variables().len()];
        for leaf in circuit.leaves() {
            let LeafKind::Distribution(distribution) = &leaf.kind else {
                continue;
            };
            let mut params = distribution.params.iter();
            let is_learned = params.any(|&param| super::plan::is_learned(circuit, param));
            if is_learned && LeafFlows::zero(circuit, leaf) != LeafFlows::None {
                let first = circuit.variable(leaf.variable).domain.first();
                firsts[leaf.variable.index()] = Some(first);
            }
        }
        ObservedRanges {
            columns: vec![ObservedRange::default(); firsts.len()],
            firsts,
        }
    }

    /// Takes further rows into account, each counted by its weight.
    pub fn add(&mut self, table: &Table, weights: Option<&[f64]>) {
        let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
        let ranges = self.columns.iter_mut().zip(&self.firsts);
        for ((range, first), column) in ranges.zip(table.columns()) {
            if let Some(first) = *first {
                range.add_column(column, first, weight);
            }
        }
    }

    /// The range of a variable, by its index.
    pub fn range(&self, variable: usize) -> &ObservedRange {
        &self.columns[variable]
    }
}

impl ObservedRange {
    fn add_column(&mut self, column: &Column, first: f64, weight: impl Fn(usize) -> f64) {
        match column {
            Column::Missing => {}
            Column::Small(_) | Column::Codes(_) => {
                column.for_each_code(|row, code| self.add(first + f64::from(code), weight(row)));
            }
            Column::Reals(cells) => {
                let observed = cells.iter().enumerate().filter(|(_, x)| !x.is_nan());
                observed.for_each(|(row, &x)| self.add(x, weight(row)));
            }
            Column::Soft { n_values, weights } => {
                for (row, shares) in weights.chunks(*n_values).enumerate() {
                    self.add_soft(shares, first, weight(row));
                }
            }
        }
    }

    /// Equal weights say nothing.
    fn add_soft(&mut self, shares: &[f64], first: f64, weight: f64) {
        // Beside the largest, so that their total stays within all numbers.
        let largest = shares.iter().copied().fold(0.0, f64::max);
        let total: f64 = shares.iter().map(|share| share / largest).sum();
        if total > 0.0 && shares.iter().any(|share| *share != shares[0]) {
            let positive = shares.iter().enumerate().filter(|(_, share)| **share > 0.0);
            for (at, &share) in positive {
                self.add(first + at as f64, weight * (share / largest) / total);
            }
        }
    }

    fn add(&mut self, x: f64, weight: f64) {
        if !(weight > 0.0 && x.is_finite()) {
            return;
        }
        let is_first = self.n_cells == 0;
        self.min = if is_first { x } else { self.min.min(x) };
        self.max = if is_first { x } else { self.max.max(x) };
        self.n_cells += 1;
        // Distances between larger numbers would be infinite.
        self.moments.add(x.clamp(-1e300, 1e300), weight);
        if x > 0.0 {
            self.logs.add(x.ln(), weight);
        }
    }

    /// The mean of the observed cells; 0 if there are none.
    pub fn mean(&self) -> f64 {
        self.moments.mean
    }

    pub fn sd(&self) -> f64 {
        let sd = self.moments.sd();
        // Of squares beyond all numbers; half the extent is of the right size.
        let half = self.max / 2.0 - self.min / 2.0;
        if sd.is_finite() { sd } else { half }
    }

    /// The mean of the logarithms of positive cells.
    pub fn log_mean(&self) -> f64 {
        self.logs.mean
    }

    /// The standard deviation of the logarithms of positive cells.
    pub fn log_sd(&self) -> f64 {
        self.logs.sd()
    }

    /// A standard deviation to measure others by: not 0 for a constant column.
    pub(super) fn spread(&self) -> f64 {
        let largest = self.min.abs().max(self.max.abs());
        spread(self.n_cells, self.sd(), self.mean(), largest)
    }

    /// The same of logarithms.
    pub(super) fn log_spread(&self) -> f64 {
        let largest = self.logs.mean.abs();
        spread(self.n_cells, self.log_sd(), largest, largest)
    }
}

fn spread(n_cells: usize, sd: f64, mean: f64, largest: f64) -> f64 {
    if n_cells == 0 {
        return 1.0;
    }
    // Beside numbers of this size less cannot be told from nothing.
    if sd > 1e-14 * largest {
        sd
    } else {
        1e-3 * mean.abs().max(1.0)
    }
}
