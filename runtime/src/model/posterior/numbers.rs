//! Posteriors of many rows as one block of numbers.

use pelton_compiler::circuit::{Circuit, VarId};
use pelton_compiler::leaf::mixed_spread;
use pelton_compiler::plan::{EvidenceLayout, Plan};
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
    shape: Arc<Shape>,
    numbers: Vec<f64>,
}

/// Where the numbers of each variable are.
#[derive(Debug)]
pub(super) struct Shape {
    ranges: Vec<Range<usize>>,
    kinds: Vec<ShapeKind>,
    width: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum ShapeKind {
    Probabilities,
    /// Mean and variance.
    Spread,
    Unmentioned,
}

impl Shape {
    pub fn of(circuit: &Circuit, plan: &Plan) -> Self {
        let mut shape = Shape {
            ranges: Vec::new(),
            kinds: Vec::new(),
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
            shape.ranges.push(shape.width..shape.width + n);
            shape.kinds.push(kind);
            shape.width += n;
        }
        shape
    }
}

impl Posteriors {
    pub(super) fn new(shape: Arc<Shape>, n_rows: usize) -> Self {
        Posteriors {
            logs: vec![f64::NEG_INFINITY; n_rows],
            numbers: vec![0.0; n_rows * shape.width],
            shape,
        }
    }

    pub(super) fn joined(shape: Arc<Shape>, parts: Vec<Posteriors>) -> Self {
        let mut all = Posteriors::new(shape, 0);
        for part in parts {
            all.logs.extend(part.logs);
            all.numbers.extend(part.numbers);
        }
        all
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.logs.len()
    }

    /// Numbers that a row takes.
    pub fn width(&self) -> usize {
        self.shape.width
    }

    /// What is known of a variable in a row.
    ///
    /// # Panics
    /// If there are fewer rows or variables.
    pub fn of(&self, row: usize, variable: VarId) -> Posterior<'_> {
        let numbers = &self.numbers[self.range(row, variable.index())];
        match (self.shape.kinds[variable.index()], numbers) {
            (ShapeKind::Spread, &[mean, variance]) => Posterior::Spread {
                mean,
                sd: variance.sqrt(),
            },
            (ShapeKind::Unmentioned, _) => Posterior::Unmentioned,
            _ => Posterior::Probabilities(numbers),
        }
    }

    fn range(&self, row: usize, variable: usize) -> Range<usize> {
        let range = &self.shape.ranges[variable];
        let first = row * self.shape.width;
        first + range.start..first + range.end
    }

    pub(super) fn numbers_mut(&mut self, row: usize, variable: usize) -> &mut [f64] {
        let range = self.range(row, variable);
        &mut self.numbers[range]
    }

    /// Makes probabilities of numbers in proportion to them; an impossible row has none.
    pub(super) fn normalize(&mut self, row: usize) {
        let is_impossible = self.logs[row] == f64::NEG_INFINITY;
        let shape = self.shape.clone();
        for (variable, kind) in shape.kinds.iter().enumerate() {
            let numbers = self.numbers_mut(row, variable);
            match kind {
                _ if is_impossible => numbers.fill(f64::NAN),
                ShapeKind::Probabilities => {
                    let total: f64 = numbers.iter().sum();
                    numbers.iter_mut().for_each(|number| *number /= total);
                }
                ShapeKind::Spread | ShapeKind::Unmentioned => {}
            }
        }
    }

    /// Adds those of the same rows under another condition that excludes the ones so far.
    pub(crate) fn mix(&mut self, other: &Posteriors) {
        let shape = self.shape.clone();
        for row in 0..self.n_rows() {
            let (own, new) = (self.logs[row], other.logs[row]);
            if new == f64::NEG_INFINITY {
                continue;
            }
            let log = pelton_compiler::leaf::log_sum_exp([own, new]);
            let (share, rest) = ((new - log).exp(), (own - log).exp());
            for (variable, kind) in shape.kinds.iter().enumerate() {
                let theirs = &other.numbers[other.range(row, variable)];
                let numbers = self.numbers_mut(row, variable);
                match (kind, &mut *numbers, theirs) {
                    _ if own == f64::NEG_INFINITY => numbers.copy_from_slice(theirs),
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
            self.logs[row] = log;
        }
    }

    /// Says that a row is impossible after all.
    pub(crate) fn forbid(&mut self, row: usize) {
        self.logs[row] = f64::NEG_INFINITY;
        self.normalize(row);
    }
}
