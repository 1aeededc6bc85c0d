//! Plans as text: one line an operation, `emit --as plan`.

use super::{Plan, PlanOperation, PlanRow, SparseSum, WeightSlot};
use pelton_grammar::diagnostic::joined;
use std::fmt::{Display, Formatter, Result};

impl Display for Plan {
    fn fmt(&self, f: &mut Formatter) -> Result {
        writeln!(
            f,
            "plan of {} operations: {} rows, {} of them evidence, {} weights, {} exponents",
            self.ops.len(),
            self.n_rows,
            self.n_evidence_rows,
            self.weights.len(),
            self.n_exponents
        )?;
        self.ops.iter().try_for_each(|op| write!(f, "{op}"))?;
        write!(f, "root {}", rows(self.root, 1))?;
        if let Some(exponent) = self.root_exponent {
            write!(f, " * 2^e{}", exponent.0)?;
        }
        writeln!(f)
    }
}

impl Display for PlanOperation {
    fn fmt(&self, f: &mut Formatter) -> Result {
        match self {
            PlanOperation::Dense(op) => {
                let (n_out, n_in) = (op.n_out, op.n_in);
                write!(f, "{} = dense {n_out}x{n_in} ", rows(op.out, n_out))?;
                let weights = slots(op.weights, n_out * n_in);
                writeln!(f, "{weights} {}", rows(op.input, n_in))
            }
            PlanOperation::Sparse(op) => {
                writeln!(f, "segment of {} sums, {} terms", op.n_sums, op.n_terms)?;
                op.sums().try_for_each(|sum| sparse_sum(f, sum))
            }
            PlanOperation::Product(op) => {
                let factors = op.factors.iter().map(|&(row, _)| rows(row, op.n));
                writeln!(f, "{} = {}", rows(op.out, op.n), joined(factors, " * "))
            }
            PlanOperation::Gather(op) => {
                let (out, n, values) = (rows(op.out, op.n), op.n, op.n_values);
                let weights = slots(op.weights, n * (values + 1));
                writeln!(f, "{out} = table {n}x{values} {weights} c{}", op.codes)
            }
            PlanOperation::Density(op) => {
                let (out, first) = (rows(op.out, op.n), op.first_leaf);
                let leaves = range("leaf ", first, op.n);
                let exponent = op.exponent.0;
                writeln!(f, "{out}, e{exponent} = density {leaves} x{}", op.reals)
            }
            PlanOperation::Rescale(op) => {
                writeln!(f, "e{} = rescale", op.exponent.0)?;
                op.classes.iter().try_for_each(|class| {
                    let runs = class.rows.iter().map(|&(r, n)| rows(r, n));
                    write!(f, "  f{}: {}", class.factor.0, joined(runs, " "))?;
                    match class.exponent {
                        Some(exponent) => writeln!(f, " * 2^e{}", exponent.0),
                        None => writeln!(f),
                    }
                })
            }
            PlanOperation::AddExponents(op) => {
                let inputs = op.inputs.iter().map(|id| format!("e{}", id.0));
                writeln!(f, "e{} = {}", op.exponent.0, joined(inputs, " + "))
            }
        }
    }
}

fn sparse_sum(f: &mut Formatter, sum: SparseSum) -> Result {
    write!(f, "  {} =", rows(sum.out, 1))?;
    let terms = sum.factors.chunks(sum.arity as usize);
    for (term, at) in terms.zip(0..) {
        let plus = if at == 0 { "" } else { " +" };
        write!(f, "{plus} w{}", sum.weights.0 + at)?;
        term.iter().try_for_each(|row| write!(f, " r{row}"))?;
    }
    writeln!(f)
}

fn rows(first: PlanRow, n: u32) -> String {
    range("r", first.0, n)
}

fn slots(first: WeightSlot, n: u32) -> String {
    range("w", first.0, n)
}

/// `r7` or `r7..r9`, the last one included.
fn range(prefix: &str, first: u32, n: u32) -> String {
    match n {
        1 => format!("{prefix}{first}"),
        _ => format!("{prefix}{first}..{}", first + n - 1),
    }
}
