//! Second rung: draw a point from one child and look at the others.

use super::implied::Supports;
use super::point::{AtomAssignment, SupportEvaluator};
use super::separate::{ChildPair, SumMember};
use crate::circuit::{UnitId, UnitKind, VarId};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Visits that drawing one point, and evaluating at it, may take.
const STEPS: u64 = 20_000;

/// Draws points from supports. The seed is fixed: the same circuit gets the
/// same answer.
pub(super) struct SupportSampler<'a> {
    supports: &'a Supports<'a>,
    rng: ChaCha8Rng,
    point: AtomAssignment,
    evaluator: SupportEvaluator<'a>,
    steps_left: u64,
}

impl<'a> SupportSampler<'a> {
    /// A sampler for one circuit that draws nothing more after so many steps.
    pub(super) fn new(supports: &'a Supports<'a>, steps: u64) -> Self {
        SupportSampler {
            supports,
            rng: ChaCha8Rng::seed_from_u64(0),
            point: AtomAssignment::new(supports),
            evaluator: SupportEvaluator::new(supports),
            steps_left: steps,
        }
    }

    /// Draws one point from `first` and looks for one of `others` that is positive there.
    pub(super) fn overlap(
        &mut self,
        first: SumMember,
        others: impl IntoIterator<Item = SumMember>,
    ) -> Option<(ChildPair, AtomAssignment)> {
        let cost = self.supports.circuit.variables().len() as u64;
        self.steps_left = self.steps_left.checked_sub(cost)?;
        // A point at which the first child is positive, then one look at each of the others.
        self.draw(first.1)?;
        self.evaluator.start(STEPS);
        let found = self.look(first, others);
        self.steps_left = self.steps_left.saturating_sub(self.evaluator.steps_taken());
        found
    }

    /// Looks for one of `others` that is positive at the point drawn from `first`.
    fn look(
        &mut self,
        first: SumMember,
        others: impl IntoIterator<Item = SumMember>,
    ) -> Option<(ChildPair, AtomAssignment)> {
        // Where factors share variables a draw may contradict itself.
        if !self.evaluator.is_positive(&self.point, first.1)? {
            return None;
        }
        for second in others {
            if self.evaluator.is_positive(&self.point, second.1)? {
                let pair = (first.min(second), first.max(second));
                return Some((pair, self.point.clone()));
            }
        }
        None
    }

    fn draw(&mut self, unit: UnitId) -> Option<()> {
        self.point.clear();
        let mut rest = vec![unit];
        let mut steps_left = STEPS;
        // Downwards: all factors of a product, one child of a sum, one value of a leaf.
        while let Some(unit) = rest.pop() {
            steps_left = steps_left.checked_sub(1)?;
            self.steps_left = self.steps_left.saturating_sub(1);
            match self.supports.circuit.kind(unit) {
                UnitKind::Input(leaf) => {
                    let variable = self.supports.circuit.leaf(leaf).variable;
                    let runs = self.supports.atoms.runs(self.supports.atoms.of_leaf(leaf));
                    let (low, high) = runs[self.below(runs.len())];
                    let atom = low + self.below((high - low) as usize) as u32;
                    self.point.choose(variable, atom);
                }
                UnitKind::Product => rest.extend(self.supports.children(unit)),
                UnitKind::Sum => {
                    let n = self.supports.children(unit).count();
                    rest.extend(self.supports.children(unit).nth(self.below(n)));
                }
            }
        }
        self.fill();
        Some(())
    }

    /// Gives the variables that did not matter for the draw some value, since
    /// they may matter for the other children.
    fn fill(&mut self) {
        for at in 0..self.supports.circuit.variables().len() {
            let variable = VarId::new(at);
            if self.point.get(variable).is_none() {
                let atom = self.below(self.supports.atoms.count(variable) as usize);
                self.point.choose(variable, atom as u32);
            }
        }
    }

    /// A number below `n`; a bias too small to matter is accepted.
    fn below(&mut self, n: usize) -> usize {
        (self.rng.next_u64() % n.max(1) as u64) as usize
    }
}
