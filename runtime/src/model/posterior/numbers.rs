//! Posteriors of many rows as one block of numbers.

use pelton_compiler::circuit::{CircuitGraph, VarId};
use pelton_compiler::kernel::prefer_large_pages;
use pelton_compiler::leaf::mixed_spread;
use pelton_compiler::plan::{EvidenceLayout, Plan};
use pelton_compiler::reference::RowLog;
use std::ops::Range;
use std::sync::Arc;

/// What is known of one variable in one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Posterior<'a> {
    /// A probability for each value of its domain, in order.
    Probabilities(&'a [f64]),
    /// Mean and standard deviation, where there are too many values; infinite or not a
    /// number if the leaves have none.
    Spread {
        /// The mean.
        mean: f64,
        /// The standard deviation.
        sd: f64,
    },
    /// No leaf mentions the variable.
    Unmentioned,
}

/// The posterior of every variable in every row.
#[derive(Clone, Debug)]
pub struct Posteriors {
    /// The logarithm of each row's value; -inf for impossible ones, whose posteriors are
    /// no numbers.
    pub logs: Vec<f64>,
    /// The same, to be compared.
    row_logs: Vec<RowLog>,
    shape: Arc<PosteriorLayout>,
    numbers: Vec<f64>,
}

/// Where the numbers of each variable are.
#[derive(Debug)]
pub(super) struct PosteriorLayout {
    ranges: Vec<Range<usize>>,
    kinds: Vec<ShapeKind>,
    /// Of variables whose leaves have tables.
    tables: Vec<Range<usize>>,
    width: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum ShapeKind {
    Probabilities,
    Spread,
    Unmentioned,
}

impl PosteriorLayout {
    pub fn of(circuit: &CircuitGraph, plan: &Plan) -> Self {
        let mut shape = PosteriorLayout {
            ranges: Vec::new(),
            kinds: Vec::new(),
            tables: Vec::new(),
            width: 0,
        };
        for (layout, variable) in plan.evidence().iter().zip(circuit.variables()) {
            let size = variable.domain.size().unwrap_or(0) as usize;
            let (kind, n) = match layout {
                EvidenceLayout::Unused => (ShapeKind::Unmentioned, 0),
                EvidenceLayout::Weights { .. } | EvidenceLayout::Codes { .. } => {
                    (ShapeKind::Probabilities, size)
                }
                EvidenceLayout::Reals { .. } => (ShapeKind::Spread, 2),
            };
            let range = shape.width..shape.width + n;
            if let EvidenceLayout::Codes { .. } = layout {
                shape.tables.push(range.clone());
            }
            shape.ranges.push(range);
            shape.kinds.push(kind);
            shape.width += n;
        }
        shape
    }

    fn range(&self, row: usize, variable: usize) -> Range<usize> {
        let range = &self.ranges[variable];
        let first = row * self.width;
        first + range.start..first + range.end
    }
}

impl Posteriors {
    pub(super) fn new(shape: Arc<PosteriorLayout>, n_rows: usize) -> Self {
        let mut numbers = vec![0.0; n_rows * shape.width];
        prefer_large_pages(&mut numbers);
        Posteriors {
            logs: vec![f64::NEG_INFINITY; n_rows],
            row_logs: vec![RowLog::ZERO; n_rows],
            numbers,
            shape,
        }
    }

    /// The numbers of consecutive runs of rows, which begin with the first.
    pub(super) fn parts<'a>(
        &'a mut self,
        sizes: impl Iterator<Item = usize>,
    ) -> Vec<PosteriorRows<'a>> {
        let (mut logs, mut numbers) = (&mut self.row_logs[..], &mut self.numbers[..]);
        let shape = &*self.shape;
        let part = |n: usize| {
            let (own_logs, own_numbers);
            (own_logs, logs) = std::mem::take(&mut logs).split_at_mut(n);
            (own_numbers, numbers) = std::mem::take(&mut numbers).split_at_mut(n * shape.width);
            PosteriorRows {
                logs: own_logs,
                numbers: own_numbers,
                shape,
            }
        };
        sizes.map(part).collect()
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.logs.len()
    }

    /// Number of variables.
    pub fn n_variables(&self) -> usize {
        self.shape.ranges.len()
    }

    /// Numbers that a row takes.
    pub fn width(&self) -> usize {
        self.shape.width
    }

    /// How many numbers [`Posteriors::of`] has for a variable: one for each value, two for
    /// mean and standard deviation, none if no leaf mentions it.
    ///
    /// # Panics
    /// If there are fewer variables.
    pub fn n_numbers(&self, variable: VarId) -> usize {
        self.shape.ranges[variable.index()].len()
    }

    /// What is known of a variable in a row.
    ///
    /// # Panics
    /// If there are fewer rows or variables.
    pub fn of(&self, row: usize, variable: VarId) -> Posterior<'_> {
        let numbers = &self.numbers[self.shape.range(row, variable.index())];
        match (self.shape.kinds[variable.index()], numbers) {
            (ShapeKind::Spread, &[mean, variance]) => Posterior::Spread {
                mean,
                sd: variance.sqrt(),
            },
            (ShapeKind::Unmentioned, _) => Posterior::Unmentioned,
            _ => Posterior::Probabilities(numbers),
        }
    }

    /// Adds those of the same rows under another condition that excludes the ones so far.
    pub(crate) fn mix(&mut self, other: &Posteriors) {
        let shape = self.shape.clone();
        for row in 0..self.n_rows() {
            let (own, new) = (self.row_logs[row], other.row_logs[row]);
            if new.is_zero() {
                continue;
            }
            let log = RowLog::sum([own, new]);
            let (share, rest) = (new.over(log).exp(), own.over(log).exp());
            for (variable, kind) in shape.kinds.iter().enumerate() {
                let theirs = &other.numbers[shape.range(row, variable)];
                let numbers = &mut self.numbers[shape.range(row, variable)];
                match (kind, &mut *numbers, theirs) {
                    _ if own.is_zero() => numbers.copy_from_slice(theirs),
                    (ShapeKind::Spread, [mean, variance], &[m, v]) => {
                        let parts = [(rest, *mean, *variance), (share, m, v)];
                        (*mean, *variance) = mixed_spread(&parts);
                    }
                    _ => {
                        let pairs = numbers.iter_mut().zip(theirs);
                        pairs.for_each(|(own, new)| *own = rest * *own + share * new);
                    }
                }
            }
            self.row_logs[row] = log;
        }
        self.finish();
    }

    /// Tells the logarithms of rows as numbers, once they are known.
    pub(super) fn finish(&mut self) {
        let logs = self.logs.iter_mut().zip(&self.row_logs);
        logs.for_each(|(log, own)| *log = own.to_f64());
    }

    /// Says that a row is impossible after all.
    pub(crate) fn forbid(&mut self, row: usize) {
        self.logs[row] = f64::NEG_INFINITY;
        self.row_logs[row] = RowLog::ZERO;
        let mut rows = PosteriorRows {
            logs: &mut self.row_logs,
            numbers: &mut self.numbers,
            shape: &self.shape,
        };
        rows.normalize(row);
    }
}

/// The posteriors of some consecutive rows, to be written.
pub(super) struct PosteriorRows<'a> {
    pub logs: &'a mut [RowLog],
    numbers: &'a mut [f64],
    shape: &'a PosteriorLayout,
}

impl PosteriorRows<'_> {
    /// Whether mean and variance are asked of a variable.
    pub fn is_spread(&self, variable: VarId) -> bool {
        self.shape.kinds[variable.index()] == ShapeKind::Spread
    }

    pub fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.numbers[row * self.shape.width..][..self.shape.width]
    }

    /// All numbers of each of some rows.
    pub fn rows_mut(&mut self, rows: Range<usize>) -> impl Iterator<Item = &mut [f64]> {
        let width = self.shape.width;
        let numbers = &mut self.numbers[rows.start * width..rows.end * width];
        numbers.chunks_exact_mut(width.max(1))
    }

    /// The numbers of a variable in a row.
    pub fn numbers_mut(&mut self, row: usize, variable: usize) -> &mut [f64] {
        &mut self.numbers[self.shape.range(row, variable)]
    }

    /// Where the numbers of a variable begin in each row.
    pub fn first(&self, variable: usize) -> usize {
        self.shape.ranges[variable].start
    }

    /// Makes probabilities of numbers in proportion to them; an impossible row has none.
    pub fn normalize(&mut self, row: usize) {
        let shape = self.shape;
        let kinds = shape.ranges.iter().zip(&shape.kinds);
        let probabilities = kinds.filter(|(_, kind)| **kind == ShapeKind::Probabilities);
        self.normalize_each(row, probabilities.map(|(range, _)| range));
    }

    /// The same where only the numbers of variables with tables are in proportion.
    pub fn normalize_tables(&mut self, row: usize) {
        self.normalize_each(row, self.shape.tables.iter());
    }

    fn normalize_each<'a>(&mut self, row: usize, ranges: impl Iterator<Item = &'a Range<usize>>) {
        let is_impossible = self.logs[row].is_zero();
        let numbers = self.row_mut(row);
        if is_impossible {
            return numbers.fill(f64::NAN);
        }
        for range in ranges {
            let numbers = &mut numbers[range.clone()];
            let total: f64 = numbers.iter().sum();
            numbers.iter_mut().for_each(|number| *number /= total);
        }
    }
}
