//! Operations in words, for comments in listings.

use crate::kernel::Pass;
use crate::plan::{Dense, Flow, Gather, Op, Product, Rescale, Row};

/// What an operation does in a pass.
pub(super) fn describe(op: &Op, pass: Pass) -> String {
    match op {
        Op::Dense(op) => dense(op, pass),
        Op::Sparse(op) => {
            let (n_sums, n_terms) = (op.n_sums, op.n_terms);
            let what = match pass {
                Pass::Forward => "sums",
                Pass::Max => "maxima",
                Pass::Backward => "derivatives and counts of sums",
            };
            format!("sparse: {n_sums} {what} of {n_terms} terms")
        }
        Op::Product(op) => product(op, pass),
        Op::Gather(op) => gather(op, pass),
        Op::Density(op) => {
            let rows = rows(op.out, op.n);
            match pass {
                Pass::Forward | Pass::Max => {
                    format!("density: {rows} = leaves of reals {}", op.reals)
                }
                Pass::Backward => format!("density: statistics of {rows}"),
            }
        }
        Op::Rescale(op) => rescale(op, pass),
        Op::AddExponents(op) => {
            let inputs: Vec<_> = op.inputs.iter().map(|id| format!("e{}", id.0)).collect();
            format!("exponents: e{} = {}", op.exponent.0, inputs.join(" + "))
        }
    }
}

fn rows(first: Row, n: u32) -> String {
    match n {
        1 => format!("r{}", first.0),
        _ => format!("r{}..r{}", first.0, first.0 + n),
    }
}

fn dense(op: &Dense, pass: Pass) -> String {
    let (out, input) = (rows(op.out, op.n_out), rows(op.input, op.n_in));
    let weights = format!("w{}[{}][{}]", op.weights.0, op.n_out, op.n_in);
    match pass {
        Pass::Forward => format!("dense: {out} = {weights} * {input}"),
        Pass::Max => format!("dense: {out} = largest of {weights} * {input}"),
        Pass::Backward => {
            let counts = format!("counts of {weights} += d({out}) * {input}");
            match op.flow {
                Flow::Skip => format!("dense: {counts}"),
                Flow::Set => format!("dense: d({input}) = {weights}^T * d({out}); {counts}"),
                Flow::Add => format!("dense: d({input}) += {weights}^T * d({out}); {counts}"),
            }
        }
    }
}

fn product(op: &Product, pass: Pass) -> String {
    let factors = op.factors.iter().map(|&(first, _)| rows(first, op.n));
    let factors: Vec<_> = factors.collect();
    let (out, factors) = (rows(op.out, op.n), factors.join(" * "));
    match pass {
        Pass::Forward | Pass::Max => format!("product: {out} = {factors}"),
        Pass::Backward => format!("product: derivatives of {factors} from d({out})"),
    }
}

fn gather(op: &Gather, pass: Pass) -> String {
    let (out, codes) = (rows(op.out, op.n), op.codes);
    let table = format!("w{}[{}][{} + 1]", op.weights.0, op.n, op.n_values);
    match pass {
        Pass::Forward | Pass::Max => format!("gather: {out} = {table} at codes {codes}"),
        Pass::Backward => format!("gather: counts of {table} at codes {codes} += d({out})"),
    }
}

fn rescale(op: &Rescale, pass: Pass) -> String {
    let classes = op.classes.iter().map(|class| {
        let runs = class.rows.iter().map(|&(first, n)| rows(first, n));
        runs.collect::<Vec<_>>().join(", ")
    });
    let classes = classes.collect::<Vec<_>>().join("; ");
    match pass {
        Pass::Forward | Pass::Max => format!("rescale: {classes} on exponent e{}", op.exponent.0),
        Pass::Backward => format!("rescale: derivatives of {classes} by their factors"),
    }
}
