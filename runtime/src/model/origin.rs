//! Where each row of a plan comes from.

use pelton_compiler::circuit::{LeafId, VarId};
use pelton_compiler::plan::{EvidenceLayout, Op, Plan, Row, Slot, Source};

/// What computed a row.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// The constant 1, or nothing that a completion has to follow.
    Constant,
    /// A value of a variable with a small domain.
    Literal { variable: VarId, code: u32 },
    /// The largest of weighted terms, each a product of rows.
    Terms {
        weights: Slot,
        arity: usize,
        factors: Factors,
    },
    /// A product of rows.
    Product(Vec<Row>),
    /// A leaf that has a table or a density. Its table may be shared by leaves of
    /// other variables.
    Leaf { leaf: LeafId, variable: VarId },
}

/// The factors of a sum's terms.
#[derive(Clone, Debug)]
pub(super) enum Factors {
    /// Consecutive rows.
    Run { first: Row, n: u32 },
    /// Any rows.
    List(Box<[u32]>),
}

/// The origin of every row of a plan that keeps all of them.
pub(super) fn origins(plan: &Plan) -> Vec<Origin> {
    let mut origins = vec![Origin::Constant; plan.n_rows()];
    for (at, layout) in plan.evidence().iter().enumerate() {
        if let EvidenceLayout::Weights { first, n_values } = *layout {
            for code in 0..n_values {
                origins[(first.0 + code) as usize] = Origin::Literal {
                    variable: VarId::new(at),
                    code,
                };
            }
        }
    }
    for op in plan.ops() {
        add(plan, &mut origins, op);
    }
    origins
}

fn add(plan: &Plan, origins: &mut [Origin], op: &Op) {
    match op {
        Op::Dense(op) => {
            for i in 0..op.n_out {
                origins[(op.out.0 + i) as usize] = Origin::Terms {
                    weights: Slot(op.weights.0 + i * op.n_in),
                    arity: 1,
                    factors: Factors::Run {
                        first: op.input,
                        n: op.n_in,
                    },
                };
            }
        }
        Op::Sparse(op) => {
            for sum in op.sums() {
                origins[sum.out.0 as usize] = Origin::Terms {
                    weights: sum.weights,
                    arity: sum.arity as usize,
                    factors: Factors::List(sum.factors.into()),
                };
            }
        }
        Op::Product(op) => {
            for i in 0..op.n {
                let factors = op.factors.iter().map(|&(row, _)| Row(row.0 + i));
                origins[(op.out.0 + i) as usize] = Origin::Product(factors.collect());
            }
        }
        Op::Gather(op) => {
            for i in 0..op.n {
                let last = op.weights.0 + (i + 1) * (op.n_values + 1) - 1;
                if let Source::Missing(leaf) = plan.weights()[last as usize] {
                    origins[(op.out.0 + i) as usize] = Origin::Leaf {
                        leaf,
                        variable: op.variable,
                    };
                }
            }
        }
        Op::Density(op) => {
            for i in 0..op.n {
                let leaf = plan.density_leaves()[(op.first_leaf + i) as usize];
                origins[(op.out.0 + i) as usize] = Origin::Leaf {
                    leaf,
                    variable: op.variable,
                };
            }
        }
        Op::Rescale(_) | Op::AddExponents(_) => {}
    }
}

impl Factors {
    /// One of the rows, counted term by term.
    pub fn row(&self, at: usize) -> Row {
        match self {
            Factors::Run { first, .. } => Row(first.0 + at as u32),
            Factors::List(rows) => Row(rows[at]),
        }
    }

    /// Number of factors of all terms.
    pub fn len(&self) -> usize {
        match self {
            Factors::Run { n, .. } => *n as usize,
            Factors::List(rows) => rows.len(),
        }
    }
}
