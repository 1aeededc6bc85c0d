//! Where each unit of a plan comes from.
//!
//! Rows are used anew for unit after unit; here, each time that a row is computed has a
//! number of its own. The rows of the evidence come first, then what operations compute,
//! in their order.

use pelton_compiler::circuit::{LeafId, VarId};
use pelton_compiler::plan::{
    DenseLayer, EvidenceLayout, Plan, PlanOperation, PlanRow, WeightSlot, WeightSource,
};

/// The number of something computed.
pub(super) type UnitNumber = u32;

/// How something was computed. Small, because ways down read many of them.
#[derive(Clone, Copy, Debug)]
pub(super) enum ComputedOrigin {
    /// The constant 1, or nothing that a completion has to follow.
    Constant,
    /// A value of a variable with a small domain.
    Literal { variable: u32, code: u32 },
    /// Weighted terms of one factor each, whose rows and numbers are consecutive.
    Run(OriginRun),
    /// Weighted terms of one or two factors each.
    Terms(OriginTerms),
    /// A product of those in the list from `first` on.
    Product { first: u32, n: u32 },
    /// A leaf that has a table or a density. Its table may be shared by leaves of
    /// other variables.
    Leaf { leaf: LeafId, variable: u32 },
}

/// Terms of one factor each: the first, and how many.
#[derive(Clone, Copy, Debug)]
pub(super) struct OriginRun {
    pub weights: WeightSlot,
    pub row: PlanRow,
    pub number: UnitNumber,
    pub n: u32,
}

/// Terms of `arity` factors each, `n` in all, in the list from `first` on.
#[derive(Clone, Copy, Debug)]
pub(super) struct OriginTerms {
    pub weights: WeightSlot,
    pub first: u32,
    pub n: u32,
    pub arity: u32,
}

/// A unit that others are computed from, with the row that it is in then.
pub(super) type OriginFactor = (PlanRow, UnitNumber);

/// The origins of all that a plan computes.
#[derive(Clone, Debug)]
pub(super) struct ComputedOrigins {
    origins: Vec<ComputedOrigin>,
    factors: Vec<OriginFactor>,
    root: UnitNumber,
}

impl ComputedOrigins {
    pub fn of(plan: &Plan) -> Self {
        let mut trace = OriginTrace {
            plan,
            origins: vec![ComputedOrigin::Constant; plan.n_evidence_rows()],
            factors: Vec::new(),
            latest: (0..plan.n_rows() as u32).collect(),
        };
        trace.evidence();
        for op in plan.ops() {
            trace.add(op);
        }
        ComputedOrigins {
            root: trace.latest(plan.root()),
            origins: trace.origins,
            factors: trace.factors,
        }
    }

    /// The last that is computed: the root.
    pub fn root(&self) -> UnitNumber {
        self.root
    }

    pub fn get(&self, number: UnitNumber) -> ComputedOrigin {
        self.origins[number as usize]
    }

    /// A part of the list of factors.
    pub fn factors(&self, first: u32, n: u32) -> &[OriginFactor] {
        &self.factors[first as usize..][..n as usize]
    }
}

/// Follows the operations of a plan.
struct OriginTrace<'a> {
    plan: &'a Plan,
    origins: Vec<ComputedOrigin>,
    factors: Vec<OriginFactor>,
    latest: Vec<UnitNumber>,
}

impl OriginTrace<'_> {
    fn evidence(&mut self) {
        for (layout, variable) in self.plan.evidence().iter().zip(0..) {
            if let EvidenceLayout::Weights { first, n_values } = *layout {
                for code in 0..n_values {
                    let literal = ComputedOrigin::Literal { variable, code };
                    self.origins[(first.0 + code) as usize] = literal;
                }
            }
        }
    }

    fn latest(&self, row: PlanRow) -> UnitNumber {
        self.latest[row.0 as usize]
    }

    fn push(&mut self, row: u32, origin: ComputedOrigin) {
        self.latest[row as usize] = self.origins.len() as UnitNumber;
        self.origins.push(origin);
    }

    fn add(&mut self, op: &PlanOperation) {
        match op {
            PlanOperation::Dense(op) => self.dense(op),
            PlanOperation::Sparse(op) => {
                for sum in op.sums() {
                    let first = self.list(sum.factors.iter().copied());
                    let terms = OriginTerms {
                        weights: sum.weights,
                        first,
                        n: sum.factors.len() as u32,
                        arity: sum.arity,
                    };
                    self.push(sum.out.0, ComputedOrigin::Terms(terms));
                }
            }
            PlanOperation::Product(op) => {
                for i in 0..op.n {
                    let first = self.list(op.factors.iter().map(|(row, _)| row.0 + i));
                    let n = op.factors.len() as u32;
                    self.push(op.out.0 + i, ComputedOrigin::Product { first, n });
                }
            }
            PlanOperation::Gather(op) => {
                for i in 0..op.n {
                    let last = op.weights.0 + (i + 1) * (op.n_values + 1) - 1;
                    let origin = match self.plan.weights()[last as usize] {
                        WeightSource::Missing(leaf) => leaf_of(leaf, op.variable),
                        _ => ComputedOrigin::Constant,
                    };
                    self.push(op.out.0 + i, origin);
                }
            }
            PlanOperation::Density(op) => {
                for i in 0..op.n {
                    let leaf = self.plan.density_leaves()[(op.first_leaf + i) as usize];
                    self.push(op.out.0 + i, leaf_of(leaf, op.variable));
                }
            }
            PlanOperation::Rescale(_) | PlanOperation::AddExponents(_) => {}
        }
    }

    fn dense(&mut self, op: &DenseLayer) {
        let rows = op.input.0..op.input.0 + op.n_in;
        let number = self.latest(op.input);
        let mut numbered = rows.clone().zip(number..);
        let is_run = numbered.all(|(row, number)| self.latest(PlanRow(row)) == number);
        let first = if is_run { 0 } else { self.list(rows) };
        for i in 0..op.n_out {
            let weights = WeightSlot(op.weights.0 + i * op.n_in);
            let origin = if is_run {
                ComputedOrigin::Run(OriginRun {
                    weights,
                    row: op.input,
                    number,
                    n: op.n_in,
                })
            } else {
                ComputedOrigin::Terms(OriginTerms {
                    weights,
                    first,
                    n: op.n_in,
                    arity: 1,
                })
            };
            self.push(op.out.0 + i, origin);
        }
    }

    /// Puts factors on the list; says where they begin.
    fn list(&mut self, rows: impl Iterator<Item = u32>) -> u32 {
        let first = self.factors.len() as u32;
        for row in rows.map(PlanRow) {
            let number = self.latest(row);
            self.factors.push((row, number));
        }
        first
    }
}

fn leaf_of(leaf: LeafId, variable: VarId) -> ComputedOrigin {
    let variable = variable.index() as u32;
    ComputedOrigin::Leaf { leaf, variable }
}
