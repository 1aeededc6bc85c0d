//! What operations do, word for word, one sample at a time.

use super::*;
use crate::plan::{
    DenseLayer, DerivativeWrite, ProductRun, ScopeRescale, SparseSegment, TableGather,
};

/// Does to a bench what an operation is documented to do.
pub fn run(bench: &mut Bench, op: &PlanOperation, pass: KernelPass, precision: Precision) {
    for lane in 0..bench.lanes {
        let mut sample = Sample {
            bench,
            lane,
            precision,
        };
        match op {
            PlanOperation::Dense(op) => sample.dense(op, pass),
            PlanOperation::Sparse(op) => sample.sparse(op, pass),
            PlanOperation::Product(op) => sample.product(op, pass),
            PlanOperation::Gather(op) => sample.gather(op, pass),
            PlanOperation::Rescale(op) => sample.rescale(op, pass),
            PlanOperation::AddExponents(op) if pass != KernelPass::Backward => {
                let inputs = op.inputs.iter();
                let sum = inputs.map(|id| sample.exponent(id.0)).sum();
                sample.set_exponent(op.exponent.0, sum);
            }
            PlanOperation::AddExponents(_) => {}
            PlanOperation::Density(_) => unreachable!("density leaves have tests of their own"),
        }
    }
}

struct Sample<'a> {
    bench: &'a mut Bench,
    lane: usize,
    precision: Precision,
}

fn join(pass: KernelPass, terms: impl Iterator<Item = f64>) -> f64 {
    match pass {
        KernelPass::Max => terms.fold(0.0, f64::max),
        _ => terms.sum(),
    }
}

impl Sample<'_> {
    fn at(&self, row: u32) -> usize {
        row as usize * self.bench.lanes + self.lane
    }

    fn value(&self, row: u32) -> f64 {
        self.bench.values[self.at(row)]
    }

    fn d(&self, row: u32) -> f64 {
        self.bench.derivatives[self.at(row)]
    }

    fn weight(&self, slot: u32) -> f64 {
        self.bench.weights[slot as usize]
    }

    fn exponent(&self, row: u32) -> i32 {
        self.bench.exponents[self.at(row)]
    }

    fn set(&mut self, row: u32, value: f64) {
        let at = self.at(row);
        self.bench.values[at] = value;
    }

    fn set_exponent(&mut self, row: u32, exponent: i32) {
        let at = self.at(row);
        self.bench.exponents[at] = exponent;
    }

    fn flow(&mut self, row: u32, flow: DerivativeWrite, part: f64) {
        let at = self.at(row);
        let d = &mut self.bench.derivatives[at];
        match flow {
            DerivativeWrite::Skip => {}
            DerivativeWrite::Set => *d = part,
            DerivativeWrite::Add => *d += part,
        }
    }

    fn count(&mut self, slot: u32, part: f64) {
        self.bench.counts[slot as usize] += part;
    }

    fn dense(&mut self, op: &DenseLayer, pass: KernelPass) {
        let slot = |i: u32, j: u32| op.weights.0 + i * op.n_in + j;
        if pass != KernelPass::Backward {
            for i in 0..op.n_out {
                let term = |j| self.weight(slot(i, j)) * self.value(op.input.0 + j);
                let sum = join(pass, (0..op.n_in).map(term));
                self.set(op.out.0 + i, sum);
            }
            return;
        }
        for j in 0..op.n_in {
            let term = |i| self.weight(slot(i, j)) * self.d(op.out.0 + i);
            let part = (0..op.n_out).map(term).sum();
            self.flow(op.input.0 + j, op.flow, part);
            for i in 0..op.n_out {
                let count = self.d(op.out.0 + i) * self.value(op.input.0 + j);
                self.count(slot(i, j), count);
            }
        }
    }

    fn sparse(&mut self, op: &SparseSegment, pass: KernelPass) {
        let mut sums: Vec<_> = op.sums().collect();
        if pass == KernelPass::Backward {
            sums.reverse();
        }
        for sum in sums {
            let terms: Vec<_> = sum.factors.chunks(sum.arity as usize).collect();
            let slot = |t: usize| sum.weights.0 + t as u32;
            if pass != KernelPass::Backward {
                let term = |t: usize| {
                    let factors = terms[t].iter().map(|&row| self.value(row));
                    self.weight(slot(t)) * factors.product::<f64>()
                };
                let total = join(pass, (0..terms.len()).map(term));
                self.set(sum.out.0, total);
                continue;
            }
            for (t, factors) in terms.iter().enumerate() {
                let values: Vec<f64> = factors.iter().map(|&row| self.value(row)).collect();
                let d = self.d(sum.out.0);
                self.count(slot(t), d * values.iter().product::<f64>());
                for (k, &row) in factors.iter().enumerate() {
                    let other = if values.len() == 2 {
                        values[1 - k]
                    } else {
                        1.0
                    };
                    let part = d * self.weight(slot(t)) * other;
                    self.flow(row, DerivativeWrite::Add, part);
                }
            }
        }
    }

    fn product(&mut self, op: &ProductRun, pass: KernelPass) {
        for i in 0..op.n {
            let others = |sample: &Self, except: usize| {
                let factors = op.factors.iter().enumerate().filter(|(k, _)| *k != except);
                factors
                    .map(|(_, (row, _))| sample.value(row.0 + i))
                    .product::<f64>()
            };
            if pass != KernelPass::Backward {
                let product = others(self, usize::MAX);
                self.set(op.out.0 + i, product);
                continue;
            }
            for (k, &(row, flow)) in op.factors.iter().enumerate() {
                let part = self.d(op.out.0 + i) * others(self, k);
                self.flow(row.0 + i, flow, part);
            }
        }
    }

    fn gather(&mut self, op: &TableGather, pass: KernelPass) {
        for i in 0..op.n {
            let table = op.weights.0 + i * (op.n_values + 1);
            let soft = |sample: &Self, k: u32| sample.bench.soft[sample.at(k)];
            let row = op.out.0 + i;
            let code = self.bench.codes[self.at(op.codes)];
            match (self.bench.soft.is_empty(), pass) {
                (true, KernelPass::Backward) => self.count(table + code, self.d(row)),
                (true, _) => self.set(row, self.weight(table + code)),
                (false, KernelPass::Backward) => {
                    for k in 0..op.n_values {
                        self.count(table + k, self.d(row) * soft(self, k));
                    }
                }
                (false, _) => {
                    let term = |k| self.weight(table + k) * soft(self, k);
                    let total = join(pass, (0..op.n_values).map(term));
                    self.set(row, total);
                }
            }
        }
    }

    fn rescale(&mut self, op: &ScopeRescale, pass: KernelPass) {
        let rows = |class: &crate::plan::ScaleClass| -> Vec<u32> {
            let runs = class.rows.iter();
            runs.flat_map(|run| run.0.0..run.0.0 + run.1).collect()
        };
        if pass == KernelPass::Backward {
            for class in &op.classes {
                let factor = self.bench.factors[self.at(class.factor.0)];
                for row in rows(class) {
                    let at = self.at(row);
                    self.bench.derivatives[at] *= factor;
                }
            }
            return;
        }
        let smallest = match self.precision {
            Precision::F32 => -126,
            Precision::F64 => -1022,
        };
        let old = |sample: &Self, class: &crate::plan::ScaleClass| {
            class.exponent.map_or(0, |id| sample.exponent(id.0))
        };
        let largest = |sample: &Self, class: &crate::plan::ScaleClass| {
            let values = rows(class).into_iter().map(|row| sample.value(row));
            values.fold(0.0, f64::max)
        };
        let positive = op.classes.iter().filter_map(|class| {
            let m = largest(self, class);
            (m > 0.0).then(|| old(self, class) + whole_log2(m).max(smallest - 1))
        });
        let new = positive.max().unwrap_or_else(|| old(self, &op.classes[0]));
        for class in &op.classes {
            let shift = old(self, class) - new;
            let factor = if shift < smallest {
                0.0
            } else {
                2_f64.powi(shift.min(1 - smallest))
            };
            if factor == 0.0 && largest(self, class) > 0.0 {
                self.bench.lost |= 1 << self.lane;
            }
            let at = self.at(class.factor.0);
            self.bench.factors[at] = factor;
            for row in rows(class) {
                let scaled = self.value(row) * factor;
                // What falls below the smallest number is rounded as it must be.
                let rounded = match self.precision {
                    Precision::F32 => f64::from(scaled as f32),
                    Precision::F64 => scaled,
                };
                self.set(row, rounded);
            }
        }
        self.set_exponent(op.exponent.0, new);
    }
}

/// `floor(log2 m)`, exactly.
fn whole_log2(m: f64) -> i32 {
    let mut exponent = m.log2().floor() as i32;
    while 2_f64.powi(exponent) > m {
        exponent -= 1;
    }
    while 2_f64.powi(exponent + 1) <= m {
        exponent += 1;
    }
    exponent
}
