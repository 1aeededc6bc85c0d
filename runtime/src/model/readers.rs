//! Who reads the evidence.
//!
//! Backward passes stop above the evidence, because learning needs nothing from there.
//! For posteriors the last step is taken here: from what reads rows of evidence to the
//! rows themselves.

use super::parameters::Precise;
use pelton_compiler::circuit::VarId;
use pelton_compiler::kernel::{Packed, Tile};
use pelton_compiler::plan::{Dense, Op, Plan, Row};

/// The operations of a plan that read evidence.
#[derive(Debug, Default)]
pub(super) struct Readers {
    dense: Vec<Dense>,
    products: Vec<Factor>,
    /// Rows of evidence whose derivatives sparse sums have added up already.
    summed: Vec<Row>,
    /// Leaves with tables or densities.
    pub leaves: Vec<Leaves>,
}

/// A row of evidence that is a factor of a product.
#[derive(Debug)]
struct Factor {
    row: Row,
    out: Row,
    others: Vec<Row>,
}

/// Leaves of one variable in consecutive rows.
#[derive(Debug)]
pub(super) struct Leaves {
    pub variable: VarId,
    pub out: Row,
    pub n: u32,
    pub kind: LeavesKind,
}

/// How the leaves are computed.
#[derive(Clone, Copy, Debug)]
pub(super) enum LeavesKind {
    /// From tables: the first weight, and the number of values.
    Tables { weights: u32, n_values: u32 },
    /// As densities: the first of the plan's density leaves.
    Densities { first: u32 },
}

impl Readers {
    pub fn of(plan: &Plan) -> Self {
        let is_evidence = |row: Row| row.0 > 0 && (row.0 as usize) < plan.n_evidence_rows();
        let mut readers = Readers::default();
        let mut is_summed = vec![false; plan.n_evidence_rows()];
        for op in plan.ops() {
            match op {
                Op::Dense(op) if is_evidence(op.input) => readers.dense.push(op.clone()),
                Op::Product(op) => {
                    for (at, &(first, _)) in op.factors.iter().enumerate() {
                        let rows = (0..op.n).filter(|i| is_evidence(Row(first.0 + i)));
                        readers.products.extend(rows.map(|i| {
                            let others = op.factors.iter().enumerate();
                            let others = others.filter(|(other, _)| *other != at);
                            Factor {
                                row: Row(first.0 + i),
                                out: Row(op.out.0 + i),
                                others: others.map(|(_, (row, _))| Row(row.0 + i)).collect(),
                            }
                        }));
                    }
                }
                Op::Sparse(op) => {
                    let rows = op.sums().flat_map(|sum| sum.factors.iter().copied());
                    for row in rows.filter(|&row| is_evidence(Row(row))) {
                        is_summed[row as usize] = true;
                    }
                }
                Op::Gather(op) => readers.leaves.push(Leaves {
                    variable: op.variable,
                    out: op.out,
                    n: op.n,
                    kind: LeavesKind::Tables {
                        weights: op.weights.0,
                        n_values: op.n_values,
                    },
                }),
                Op::Density(op) => readers.leaves.push(Leaves {
                    variable: op.variable,
                    out: op.out,
                    n: op.n,
                    kind: LeavesKind::Densities {
                        first: op.first_leaf,
                    },
                }),
                _ => {}
            }
        }
        let rows = (0..is_summed.len()).filter(|&row| is_summed[row]);
        readers.summed = rows.map(|row| Row(row as u32)).collect();
        readers
    }

    /// Derivatives by the rows of evidence, after a backward pass that kept all others.
    pub fn derivatives<T: Precise>(&self, tile: &Tile<T>, packed: &Packed<T>, into: &mut [T]) {
        into.fill(T::ZERO);
        for &row in &self.summed {
            lanes_mut(into, row).copy_from_slice(tile.derivative(row));
        }
        for op in &self.dense {
            for i in 0..op.n_out {
                let d = tile.derivative(Row(op.out.0 + i));
                let first = (op.weights.0 + i * op.n_in) as usize;
                let weights = &packed.weights()[first..first + op.n_in as usize];
                for (j, &weight) in (0..).zip(weights) {
                    let into = lanes_mut(into, Row(op.input.0 + j));
                    into.iter_mut()
                        .zip(d)
                        .for_each(|(sum, &d)| *sum += weight * d);
                }
            }
        }
        for factor in &self.products {
            let d = tile.derivative(factor.out);
            for (lane, sum) in lanes_mut(into, factor.row).iter_mut().enumerate() {
                let others = factor.others.iter().map(|&row| tile.value(row)[lane]);
                *sum += others.fold(d[lane], |product, value| product * value);
            }
        }
    }
}

fn lanes_mut<T: Precise>(rows: &mut [T], row: Row) -> &mut [T] {
    &mut rows[row.0 as usize * T::LANES..][..T::LANES]
}
