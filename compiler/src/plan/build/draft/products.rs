//! Products: runs of like ones, and single ones as sums of one term.

use super::{DraftOp, DraftSum, Drafter};
use crate::plan::build::net::{NodeKind, PlanNodeId};
use crate::plan::build::weights::UNIT;
use crate::plan::{DerivativeWrite, PlanOperation, PlanRow, ProductRun};

impl Drafter<'_> {
    /// Drafts the products at the front of a list; says how many.
    pub(super) fn products(&mut self, nodes: &[PlanNodeId]) -> usize {
        let factors = self.factor_rows(nodes[0]);
        let mut at = 0;
        let n = self.run_length(nodes, |node| {
            let fits = self.net.kind(node) == NodeKind::Product
                && self.is_next_product(&factors, node, at);
            at += 1;
            fits
        });
        let out = self.row(nodes[0]);
        if n == 1 {
            self.single_product(out, &factors);
        } else {
            self.whole(PlanOperation::Product(ProductRun {
                out,
                n: n as u32,
                factors: factors
                    .iter()
                    .map(|&row| (PlanRow(row), DerivativeWrite::Add))
                    .collect(),
            }));
        }
        n
    }

    fn factor_rows(&self, product: PlanNodeId) -> Vec<u32> {
        let kids = self.net.kids(product).iter();
        kids.map(|&kid| self.row(kid).0).collect()
    }

    /// Whether each factor of the product is `at` rows after those of the first
    /// in the run, within one group.
    fn is_next_product(&self, first: &[u32], product: PlanNodeId, at: u32) -> bool {
        let kids = self.net.kids(product);
        kids.len() == first.len()
            && kids.iter().zip(first).all(|(&kid, &first)| {
                let row = self.row(kid).0;
                row == first + at && (at == 0 || self.same_group(row, first))
            })
    }

    fn same_group(&self, a: u32, b: u32) -> bool {
        let group = |row| self.bases.partition_point(|&base| base <= row);
        a >= self.evidence.n_rows && b >= self.evidence.n_rows && group(a) == group(b)
    }

    /// A product of its own, as sums of one term: two factors at a time.
    fn single_product(&mut self, out: PlanRow, factors: &[u32]) {
        // Partial products have rows of their own; the last one is the product.
        let mut left = factors[0];
        for (at, &right) in factors.iter().enumerate().skip(1) {
            let row = if at + 1 == factors.len() {
                out
            } else {
                self.spare_row()
            };
            self.ops.push(DraftOp::Sum(DraftSum {
                out: row,
                weights: UNIT,
                arity: 2,
                factors: vec![left, right],
            }));
            left = row.0;
        }
    }

    fn spare_row(&mut self) -> PlanRow {
        self.places.new_group(1);
        self.next_row += 1;
        PlanRow(self.next_row - 1)
    }
}
