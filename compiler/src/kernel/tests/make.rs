//! Random operations and the buffers they need.

use super::*;
use crate::circuit::VarId;
use crate::plan::{
    AddExponents, DenseLayer, DerivativeWrite, ExponentId, FactorId, PlanRow, ProductRun,
    ScaleClass, ScopeRescale, SparseSegment, TableGather, WeightSlot,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Makes operations over rows that it hands out one after the other.
pub struct Maker {
    rng: ChaCha8Rng,
    precision: Precision,
    bench: Bench,
    n_rows: u32,
}

impl Maker {
    pub fn new(seed: u64, precision: Precision) -> Self {
        let lanes = precision.lanes();
        Maker {
            rng: ChaCha8Rng::seed_from_u64(seed),
            precision,
            bench: Bench {
                lanes,
                ..Bench::default()
            },
            n_rows: 0,
        }
    }

    pub fn below(&mut self, n: u32) -> u32 {
        (self.rng.next_u64() % u64::from(n)) as u32
    }

    /// A number that both precisions hold exactly; one in ten is zero.
    fn number(&mut self) -> f64 {
        match self.below(10) {
            0 => 0.0,
            _ => f64::from(self.below(4095) + 1) / 1024.0,
        }
    }

    fn flow(&mut self) -> DerivativeWrite {
        [
            DerivativeWrite::Skip,
            DerivativeWrite::Set,
            DerivativeWrite::Add,
        ][self.below(3) as usize]
    }

    /// The buffers of all operations made so far.
    pub fn bench(&self) -> Bench {
        self.bench.clone()
    }

    pub fn plan(&self, ops: Vec<PlanOperation>) -> Plan {
        Plan::bare(ops, self.n_rows, 0)
    }

    /// So many new rows.
    pub fn rows(&mut self, n: u32) -> PlanRow {
        let first = self.n_rows;
        self.n_rows += n;
        for _ in 0..n as usize * self.bench.lanes {
            let (value, derivative) = (self.number(), self.number());
            self.bench.values.push(value);
            self.bench.derivatives.push(derivative);
        }
        PlanRow(first)
    }

    /// So many new weights and counts.
    pub fn slots(&mut self, n: u32) -> WeightSlot {
        let first = self.bench.weights.len() as u32;
        for _ in 0..n {
            let (weight, count) = (self.number(), self.number());
            self.bench.weights.push(weight);
            self.bench.counts.push(count);
        }
        WeightSlot(first)
    }

    fn exponents(&mut self) -> ExponentId {
        let id = self.bench.exponents.len() / self.bench.lanes;
        // Mostly close together, sometimes too far apart for one scale.
        let spread = [3, 40, 300, 3000][self.below(4) as usize];
        for _ in 0..self.bench.lanes {
            let exponent = self.below(spread) as i32 - 500;
            self.bench.exponents.push(exponent);
        }
        ExponentId(id as u32)
    }

    fn factors(&mut self) -> FactorId {
        let id = self.bench.factors.len() / self.bench.lanes;
        for _ in 0..self.bench.lanes {
            let power = self.below(20) as i32 - 10;
            self.bench.factors.push(2_f64.powi(power));
        }
        FactorId(id as u32)
    }

    pub fn dense(&mut self, n_out: u32, n_in: u32) -> PlanOperation {
        PlanOperation::Dense(DenseLayer {
            out: self.rows(n_out),
            n_out,
            input: self.rows(n_in),
            n_in,
            weights: self.slots(n_out * n_in),
            flow: self.flow(),
        })
    }

    pub fn sparse(&mut self) -> PlanOperation {
        let leaves = self.rows(12).0;
        let (mut known, mut words) = ((leaves..leaves + 12).collect::<Vec<u32>>(), Vec::new());
        let (mut n_sums, mut all_terms) = (0, 0);
        for _ in 0..self.below(5) {
            let (terms, arity, n) = (self.below(12) + 1, self.below(2) + 1, self.below(4) + 1);
            words.extend([terms, arity, n]);
            n_sums += n;
            all_terms += n * terms;
            for _ in 0..n {
                let (out, weights) = (self.rows(1), self.slots(terms));
                words.extend([out.0, weights.0]);
                for _ in 0..terms {
                    let first = self.below(known.len() as u32) as usize;
                    let step = self.below(known.len() as u32 - 1) as usize + 1;
                    let pair = [known[first], known[(first + step) % known.len()]];
                    words.extend(&pair[..arity as usize]);
                }
                known.push(out.0);
            }
        }
        PlanOperation::Sparse(SparseSegment {
            words: words.into(),
            n_sums,
            n_terms: all_terms,
        })
    }

    pub fn product(&mut self) -> PlanOperation {
        let n = self.below(9) + 1;
        let n_factors = self.below(6) + 1;
        let factors = (0..n_factors).map(|_| (self.rows(n), self.flow()));
        PlanOperation::Product(ProductRun {
            factors: factors.collect(),
            out: self.rows(n),
            n,
        })
    }

    /// Replaces the codes and soft evidence of earlier operations.
    pub fn gather(&mut self) -> PlanOperation {
        let (n, n_values) = (self.below(9) + 1, self.below(30) + 1);
        let lanes = self.bench.lanes;
        self.bench.codes = (0..lanes).map(|_| self.below(n_values + 1)).collect();
        let n_soft = lanes * n_values as usize * self.below(2) as usize;
        self.bench.soft = (0..n_soft).map(|_| self.number()).collect();
        PlanOperation::Gather(TableGather {
            variable: VarId::new(0),
            codes: 0,
            n_values,
            out: self.rows(n),
            n,
            weights: self.slots(n * (n_values + 1)),
        })
    }

    pub fn rescale(&mut self) -> PlanOperation {
        let n_classes = self.below(3) + 1;
        let classes: Vec<ScaleClass> = (0..n_classes).map(|_| self.class()).collect();
        let exponent = match classes[0].exponent {
            Some(own) if self.below(2) == 0 => own,
            _ => self.exponents(),
        };
        PlanOperation::Rescale(ScopeRescale { exponent, classes })
    }

    fn class(&mut self) -> ScaleClass {
        let rows: Vec<(PlanRow, u32)> = (0..self.below(2) + 1)
            .map(|_| {
                let n = self.below(4) + 1;
                (self.rows(n), n)
            })
            .collect();
        self.shrink(&rows);
        let exponent = (self.below(3) > 0).then(|| self.exponents());
        let factor = self.factors();
        ScaleClass {
            rows,
            exponent,
            factor,
        }
    }

    /// Makes the values of some samples tiny or zero in all rows. The powers keep
    /// the products with every factor exact.
    fn shrink(&mut self, runs: &[(PlanRow, u32)]) {
        for lane in 0..self.bench.lanes {
            let scale = match self.below(4) {
                0 => 0.0,
                1 => 2_f64.powi(-(self.below(100) as i32)),
                _ => 1.0,
            };
            for row in runs.iter().flat_map(|&(first, n)| first.0..first.0 + n) {
                self.bench.values[row as usize * self.bench.lanes + lane] *= scale;
            }
        }
        debug_assert_eq!(self.bench.lanes, self.precision.lanes());
    }

    pub fn add_exponents(&mut self) -> PlanOperation {
        let inputs: Vec<ExponentId> = (0..self.below(4) + 2).map(|_| self.exponents()).collect();
        let exponent = match self.below(2) {
            0 => inputs[0],
            _ => self.exponents(),
        };
        PlanOperation::AddExponents(AddExponents { exponent, inputs })
    }
}
