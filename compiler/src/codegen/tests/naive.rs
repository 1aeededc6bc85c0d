//! The formulas of operations as they are documented, sample by sample.

use super::buffers::Buffers;
use crate::kernel::KernelPass;
use crate::plan::{
    DenseLayer, DerivativeWrite, Plan, PlanOperation, PlanRow, ProductRun, ScaleClass,
    ScopeRescale, SparseSegment, TableGather,
};

/// Runs a pass.
pub(super) fn run(plan: &Plan, pass: KernelPass, b: &mut Buffers<f64>) {
    let n = plan.ops.len();
    for k in 0..n {
        let op = &plan.ops[if pass == KernelPass::Backward {
            n - 1 - k
        } else {
            k
        }];
        for s in 0..b.lanes {
            run_op(op, pass, b, s);
        }
    }
}

fn run_op(op: &PlanOperation, pass: KernelPass, b: &mut Buffers<f64>, s: usize) {
    match (op, pass) {
        (PlanOperation::Dense(op), KernelPass::Backward) => dense_backward(op, b, s),
        (PlanOperation::Dense(op), _) => dense(op, b, s, pass == KernelPass::Max),
        (PlanOperation::Sparse(op), KernelPass::Backward) => sparse_backward(op, b, s),
        (PlanOperation::Sparse(op), _) => sparse(op, b, s, pass == KernelPass::Max),
        (PlanOperation::Product(op), KernelPass::Backward) => product_backward(op, b, s),
        (PlanOperation::Product(op), _) => product(op, b, s),
        (PlanOperation::Gather(op), KernelPass::Backward) => gather_backward(op, b, s),
        (PlanOperation::Gather(op), _) => gather(op, b, s, pass == KernelPass::Max),
        (PlanOperation::Rescale(op), KernelPass::Backward) => rescale_backward(op, b, s),
        (PlanOperation::Rescale(op), _) => rescale(op, b, s),
        (PlanOperation::AddExponents(_), KernelPass::Backward) => {}
        (PlanOperation::AddExponents(op), _) => {
            let inputs = op.inputs.iter();
            let sum = inputs
                .map(|id| b.exponents[id.0 as usize * b.lanes + s])
                .sum();
            b.exponents[op.exponent.0 as usize * b.lanes + s] = sum;
        }
        (PlanOperation::Density(_), _) => unreachable!("densities are not generated code"),
    }
}

fn at(b: &Buffers<f64>, row: u32, s: usize) -> usize {
    row as usize * b.lanes + s
}

fn combine(terms: impl Iterator<Item = f64>, max: bool) -> f64 {
    if max {
        terms.fold(0.0, f64::max)
    } else {
        terms.sum()
    }
}

fn dense(op: &DenseLayer, b: &mut Buffers<f64>, s: usize, max: bool) {
    for i in 0..op.n_out {
        let terms = (0..op.n_in).map(|j| {
            let weight = b.weights[(op.weights.0 + i * op.n_in + j) as usize];
            weight * b.values[at(b, op.input.0 + j, s)]
        });
        let out = combine(terms, max);
        let place = at(b, op.out.0 + i, s);
        b.values[place] = out;
    }
}

fn dense_backward(op: &DenseLayer, b: &mut Buffers<f64>, s: usize) {
    for j in 0..op.n_in {
        let place = at(b, op.input.0 + j, s);
        let mut flow = 0.0;
        for i in 0..op.n_out {
            let slot = (op.weights.0 + i * op.n_in + j) as usize;
            let d = b.derivatives[at(b, op.out.0 + i, s)];
            flow += b.weights[slot] * d;
            b.counts[slot] += d * b.values[place];
        }
        put(&mut b.derivatives[place], op.flow, flow);
    }
}

fn put(derivative: &mut f64, how: DerivativeWrite, flow: f64) {
    match how {
        DerivativeWrite::Skip => {}
        DerivativeWrite::Set => *derivative = flow,
        DerivativeWrite::Add => *derivative += flow,
    }
}

fn sparse(op: &SparseSegment, b: &mut Buffers<f64>, s: usize, max: bool) {
    for sum in op.sums() {
        let terms = sum.factors.chunks(sum.arity as usize).enumerate();
        let terms = terms.map(|(t, factors)| {
            let product: f64 = factors.iter().map(|&row| b.values[at(b, row, s)]).product();
            b.weights[sum.weights.0 as usize + t] * product
        });
        let out = combine(terms, max);
        let place = at(b, sum.out.0, s);
        b.values[place] = out;
    }
}

fn sparse_backward(op: &SparseSegment, b: &mut Buffers<f64>, s: usize) {
    let sums: Vec<_> = op.sums().collect();
    for sum in sums.into_iter().rev() {
        let d = b.derivatives[at(b, sum.out.0, s)];
        for (t, factors) in sum.factors.chunks(sum.arity as usize).enumerate() {
            let slot = sum.weights.0 as usize + t;
            let places: Vec<_> = factors.iter().map(|&row| at(b, row, s)).collect();
            for (k, &place) in places.iter().enumerate() {
                let others = places.iter().enumerate().filter(|&(other, _)| other != k);
                let others: f64 = others.map(|(_, &place)| b.values[place]).product();
                b.derivatives[place] += d * b.weights[slot] * others;
            }
            b.counts[slot] += d * places.iter().map(|&place| b.values[place]).product::<f64>();
        }
    }
}

fn product(op: &ProductRun, b: &mut Buffers<f64>, s: usize) {
    for i in 0..op.n {
        let factors = op.factors.iter();
        let value = factors
            .map(|(row, _)| b.values[at(b, row.0 + i, s)])
            .product();
        let place = at(b, op.out.0 + i, s);
        b.values[place] = value;
    }
}

fn product_backward(op: &ProductRun, b: &mut Buffers<f64>, s: usize) {
    for i in 0..op.n {
        let d = b.derivatives[at(b, op.out.0 + i, s)];
        for (k, &(row, flow)) in op.factors.iter().enumerate() {
            let others = op
                .factors
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != k);
            let others: f64 = others
                .map(|(_, (row, _))| b.values[at(b, row.0 + i, s)])
                .product();
            let place = at(b, row.0 + i, s);
            put(&mut b.derivatives[place], flow, d * others);
        }
    }
}

fn gather(op: &TableGather, b: &mut Buffers<f64>, s: usize, max: bool) {
    for i in 0..op.n {
        let table = (op.weights.0 + i * (op.n_values + 1)) as usize;
        let out = if b.soft.is_empty() {
            b.weights[table + b.codes[at(b, op.codes, s)] as usize]
        } else {
            let terms = (0..op.n_values).map(|k| {
                b.weights[table + k as usize] * b.soft[at(b, op.codes * op.n_values + k, s)]
            });
            combine(terms, max)
        };
        let place = at(b, op.out.0 + i, s);
        b.values[place] = out;
    }
}

fn gather_backward(op: &TableGather, b: &mut Buffers<f64>, s: usize) {
    for i in 0..op.n {
        let table = (op.weights.0 + i * (op.n_values + 1)) as usize;
        let d = b.derivatives[at(b, op.out.0 + i, s)];
        if b.soft.is_empty() {
            let code = b.codes[at(b, op.codes, s)] as usize;
            b.counts[table + code] += d;
            continue;
        }
        for k in 0..op.n_values {
            let soft = b.soft[at(b, op.codes * op.n_values + k, s)];
            b.counts[table + k as usize] += d * soft;
        }
    }
}

fn rescale(op: &ScopeRescale, b: &mut Buffers<f64>, s: usize) {
    // In the precision under test the smallest normal number tells subnormals
    // from the rest.
    let least = if b.lanes == 64 { -126 } else { -1022 };
    let old = |b: &Buffers<f64>, class: &ScaleClass| {
        class.exponent.map_or(0, |id| b.exponents[at(b, id.0, s)])
    };
    let measured: Vec<_> = op
        .classes
        .iter()
        .map(|class| {
            let values = rows(class).map(|row| b.values[at(b, row.0, s)]);
            (old(b, class), values.fold(0.0, f64::max))
        })
        .collect();
    let positive = measured.iter().filter(|(_, max)| *max > 0.0);
    let new = positive
        .map(|&(e, max)| e + floor_log2(max).max(least - 1))
        .max()
        .unwrap_or(measured[0].0);
    for (class, (e, max)) in op.classes.iter().zip(measured) {
        let power = e - new;
        let factor = if power < least {
            0.0
        } else {
            2_f64.powi(power.min(1 - least))
        };
        if factor == 0.0 && max > 0.0 {
            b.lost |= 1 << s;
        }
        let place = at(b, class.factor.0, s);
        b.factors[place] = factor;
        for row in rows(class) {
            let place = at(b, row.0, s);
            b.values[place] *= factor;
        }
    }
    let place = at(b, op.exponent.0, s);
    b.exponents[place] = new;
}

fn rescale_backward(op: &ScopeRescale, b: &mut Buffers<f64>, s: usize) {
    for class in &op.classes {
        let factor = b.factors[at(b, class.factor.0, s)];
        for row in rows(class) {
            let place = at(b, row.0, s);
            b.derivatives[place] *= factor;
        }
    }
}

fn rows(class: &ScaleClass) -> impl Iterator<Item = PlanRow> + '_ {
    let runs = class.rows.iter();
    runs.flat_map(|&(first, n)| (first.0..first.0 + n).map(PlanRow))
}

/// Exact for all positive numbers.
fn floor_log2(x: f64) -> i32 {
    let scaled = if x < f64::MIN_POSITIVE {
        x * 2_f64.powi(60)
    } else {
        x
    };
    let field = (scaled.to_bits() >> 52) as i32 - 1023;
    if x < f64::MIN_POSITIVE {
        field - 60
    } else {
        field
    }
}
