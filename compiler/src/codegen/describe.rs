//! Operations in words, for comments in listings.

use crate::kernel::KernelPass;
use crate::plan::{
    DenseLayer, DerivativeWrite, PlanOperation, PlanRow, ProductRun, ScopeRescale, TableGather,
};

/// What an operation does in a pass.
pub(super) fn describe(op: &PlanOperation, pass: KernelPass) -> String {
    match op {
        PlanOperation::Dense(op) => dense(op, pass),
        PlanOperation::Sparse(op) => {
            let (n_sums, n_terms) = (op.n_sums, op.n_terms);
            let what = match pass {
                KernelPass::Forward => "sums",
                KernelPass::Max => "maxima",
                KernelPass::Backward => "derivatives and counts of sums",
            };
            format!("sparse: {n_sums} {what} of {n_terms} terms")
        }
        PlanOperation::Product(op) => product(op, pass),
        PlanOperation::Gather(op) => gather(op, pass),
        PlanOperation::Density(op) => {
            let rows = rows(op.out, op.n);
            match pass {
                KernelPass::Forward | KernelPass::Max => {
                    format!("density: {rows} = leaves of reals {}", op.reals)
                }
                KernelPass::Backward => format!("density: statistics of {rows}"),
            }
        }
        PlanOperation::Rescale(op) => rescale(op, pass),
        PlanOperation::AddExponents(op) => {
            let inputs: Vec<_> = op.inputs.iter().map(|id| format!("e{}", id.0)).collect();
            format!("exponents: e{} = {}", op.exponent.0, inputs.join(" + "))
        }
    }
}

fn rows(first: PlanRow, n: u32) -> String {
    match n {
        1 => format!("r{}", first.0),
        _ => format!("r{}..r{}", first.0, first.0 + n),
    }
}

fn dense(op: &DenseLayer, pass: KernelPass) -> String {
    let (out, input) = (rows(op.out, op.n_out), rows(op.input, op.n_in));
    let weights = format!("w{}[{}][{}]", op.weights.0, op.n_out, op.n_in);
    match pass {
        KernelPass::Forward => format!("dense: {out} = {weights} * {input}"),
        KernelPass::Max => format!("dense: {out} = largest of {weights} * {input}"),
        KernelPass::Backward => {
            let counts = format!("counts of {weights} += d({out}) * {input}");
            match op.flow {
                DerivativeWrite::Skip => format!("dense: {counts}"),
                DerivativeWrite::Set => {
                    format!("dense: d({input}) = {weights}^T * d({out}); {counts}")
                }
                DerivativeWrite::Add => {
                    format!("dense: d({input}) += {weights}^T * d({out}); {counts}")
                }
            }
        }
    }
}

fn product(op: &ProductRun, pass: KernelPass) -> String {
    let factors = op.factors.iter().map(|&(first, _)| rows(first, op.n));
    let factors: Vec<_> = factors.collect();
    let (out, factors) = (rows(op.out, op.n), factors.join(" * "));
    match pass {
        KernelPass::Forward | KernelPass::Max => format!("product: {out} = {factors}"),
        KernelPass::Backward => format!("product: derivatives of {factors} from d({out})"),
    }
}

fn gather(op: &TableGather, pass: KernelPass) -> String {
    let (out, codes) = (rows(op.out, op.n), op.codes);
    let table = format!("w{}[{}][{} + 1]", op.weights.0, op.n, op.n_values);
    match pass {
        KernelPass::Forward | KernelPass::Max => {
            format!("gather: {out} = {table} at codes {codes}")
        }
        KernelPass::Backward => format!("gather: counts of {table} at codes {codes} += d({out})"),
    }
}

fn rescale(op: &ScopeRescale, pass: KernelPass) -> String {
    let classes = op.classes.iter().map(|class| {
        let runs = class.rows.iter().map(|&(first, n)| rows(first, n));
        runs.collect::<Vec<_>>().join(", ")
    });
    let classes = classes.collect::<Vec<_>>().join("; ");
    match pass {
        KernelPass::Forward | KernelPass::Max => {
            format!("rescale: {classes} on exponent e{}", op.exponent.0)
        }
        KernelPass::Backward => format!("rescale: derivatives of {classes} by their factors"),
    }
}
