//! A second look at tiles in which something was lost.
//!
//! Underflow is seen for a whole tile and says nothing about where or whether it
//! matters: in a sum of many terms it never does, in a sparse circuit the lost
//! term may be the only one. What is lost in one operation is less than the
//! smallest normal number; times the derivative of the root's logarithm by that
//! operation it is the error it causes. A backward pass therefore bounds the
//! error of every sample. Samples with a bound too large go to the reference.

use super::Model;
use super::fill::fill;
use super::parameters::{KernelPrecision, Parameters};
use super::pool::{PlanUse, PooledTile};
use crate::data::Table;
use pelton_compiler::kernel::{
    EvaluationPurpose, KernelPass, PackedWeights, Tile, inverse_or_zero, log_scaled, lost_part,
};
use pelton_compiler::plan::{Plan, PlanOperation, PlanRow};

/// Relative error of a value that may be due to losses.
pub(super) const TOLERANCE: f64 = 1e-8;

/// Buffers for second looks.
pub(super) struct RecheckBuffers<'a, T: KernelPrecision> {
    model: &'a Model,
    parameters: &'a Parameters,
    packed: &'a PackedWeights<T>,
    tile: PooledTile<'a, T>,
    /// How many losses may reach one row.
    n_losses: f64,
}

impl<'a, T: KernelPrecision> RecheckBuffers<'a, T> {
    pub fn new(model: &'a Model, parameters: &'a Parameters, purpose: EvaluationPurpose) -> Self {
        let plan = model.careful().plan().clone();
        RecheckBuffers {
            model,
            parameters,
            packed: parameters.packed(model, purpose),
            n_losses: most_losses(&plan),
            tile: PooledTile::take(model, PlanUse::Careful),
        }
    }

    /// Bounds what was lost in each of the tile's lanes, as a part of the root's
    /// value as sums give it; also gives that value's logarithm. Not a number
    /// where nothing is known.
    pub fn bounds(&mut self, table: &Table, first: usize) -> Vec<LaneBound> {
        // Derivatives of the root's logarithm, of which a loss is a part of the root's value.
        self.forward(table, first);
        let root: Vec<T> = self.root().to_vec();
        let start: Vec<T> = root.iter().map(|&value| inverse(value)).collect();
        self.tile.clear_counts();
        self.backward(&start);
        self.bounds_of(&root, &start)
    }

    /// Evaluates a tile; says whether anything was lost.
    pub fn forward(&mut self, table: &Table, first: usize) -> bool {
        fill(&mut self.tile, self.model, self.parameters, table, first);
        let program = self.model.careful();
        let flags = self.tile.run(program, self.packed, KernelPass::Forward);
        flags.underflow || flags.overflow || self.tile.lost() != 0
    }

    pub fn root(&self) -> &[T] {
        self.tile.value(self.model.careful().plan().root())
    }

    /// Hands derivatives down from the root and adds counts; says whether that went
    /// beyond all numbers.
    pub fn backward(&mut self, start: &[T]) -> bool {
        self.tile.set_root_derivative(start.iter().copied());
        let (program, pass) = (self.model.careful(), KernelPass::Backward);
        self.tile.run(program, self.packed, pass).overflow
    }

    /// Bounds what the forward pass lost, once derivatives have been handed down from
    /// these starts. A lane that starts with nothing although its root has a value
    /// takes no part, and nothing of it matters.
    pub fn bounds_of(&self, root: &[T], start: &[T]) -> Vec<LaneBound> {
        let smallest = 2.0_f64.powi(T::MIN_EXPONENT);
        let totals = self.total_derivatives();
        let bound = |(lane, total): (usize, f64)| {
            let (value, start) = (root[lane].to_f64(), start[lane].to_f64());
            LaneBound {
                loss: lost_part(total, value, start, self.n_losses, smallest),
                log_sum: log_value(root[lane], self.tile.root_exponent(lane)),
            }
        };
        totals.into_iter().enumerate().map(bound).collect()
    }

    /// The tile, for its exponents and counts.
    pub fn tile(&mut self) -> &mut Tile<T> {
        &mut self.tile
    }

    fn total_derivatives(&self) -> Vec<f64> {
        let mut totals = vec![0.0; T::LANES];
        for row in 0..self.tile.plan().n_rows() {
            let lanes = self.tile.derivative(PlanRow(row as u32));
            for (total, d) in totals.iter_mut().zip(lanes) {
                *total += d.to_f64();
            }
        }
        totals
    }
}

/// What is known of one lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneBound {
    loss: f64,
    log_sum: f64,
}

impl LaneBound {
    /// Whether the sum's value is good.
    pub fn is_harmless(self) -> bool {
        self.loss <= TOLERANCE
    }

    /// Whether nothing that was lost can exceed a maximum with this logarithm.
    pub fn is_below(self, log_maximum: f64) -> bool {
        self.loss.ln() + self.log_sum < log_maximum - 1.0
    }
}

/// The derivative of a logarithm; zero where there is none.
pub(super) fn inverse<T: KernelPrecision>(value: T) -> T {
    T::from_f64(inverse_or_zero(value.to_f64()))
}

/// The logarithm of a scaled value.
pub(super) fn log_value<T: KernelPrecision>(value: T, exponent: i32) -> f64 {
    log_scaled(value.to_f64(), f64::from(exponent))
}

/// Every term of a sum and every factor of a product may lose something once.
pub(super) fn most_losses(plan: &Plan) -> f64 {
    let most = plan.ops().iter().map(|op| match op {
        PlanOperation::Dense(op) => op.n_in,
        PlanOperation::Sparse(op) => op.n_terms,
        PlanOperation::Product(op) => op.factors.len() as u32,
        PlanOperation::Gather(op) => op.n_values,
        PlanOperation::Density(_) | PlanOperation::Rescale(_) | PlanOperation::AddExponents(_) => 1,
    });
    2.0 * f64::from(most.max().unwrap_or(1)) + 2.0
}
