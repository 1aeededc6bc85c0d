//! The most likely parameters of a deterministic circuit, in closed form.

use super::LearnError;
use super::mstep::MStepTarget;
use super::observer::LearningObserver;
use super::report::{Phase, StopReason};
use super::run::LearningRun;
use crate::FlowTotals;
use pelton_compiler::circuit::ParameterValue;

/// Sweeps after which entropy regularization ends in any case.
const MOST_SWEEPS: usize = 200;

/// What rounding may take from or add to the objective, as a part of it.
const ROUNDING: f64 = 1e-14;

/// A sweep of entropy regularization that moves no parameter by more is the last: near
/// the maximum the objective stands still long before the parameters do.
const SMALL_MOVE: f64 = 1e-13;

/// Passes over the rows where flows are local.
const MOST_PASSES: usize = 100;

/// Rounds over parameters of leaves: flows do not change, so they may take as many
/// as they need.
const LEAF_ROUNDS: usize = 50;

/// Rounds within a sweep that will be followed by others.
const FEW_LEAF_ROUNDS: usize = 3;

impl LearningRun<'_> {
    /// Flows of one pass over the rows say everything, unless some are local: of softened
    /// rows they are exact, and with entropy only the M-step is repeated.
    pub(super) fn closed_form(
        &mut self,
        observer: &mut dyn LearningObserver,
    ) -> Result<StopReason, LearnError> {
        if !self.state.epochs.is_empty() {
            return Ok(StopReason::ClosedForm); // resumed when all was done
        }
        // 1. The parameters, by flows of the rows as they are softened.
        let start = self.state.values.clone();
        let Some((totals, maximum)) = self.passes(observer)? else {
            self.state.values = start;
            return Ok(StopReason::Cancelled);
        };
        // 2. What is reported: the likelihood of the rows as they are, and the maximum.
        let score = self.score(&self.task.train)?;
        let objective = match self.softness {
            // What fixed parameters contribute is in the likelihood only.
            None => {
                let log_likelihood = score.mean * totals.weight;
                let totals = FlowTotals {
                    log_likelihood,
                    ..totals
                };
                let values = self.state.values.clone();
                let fit = self.fit(&totals, &values, self.task.options.pseudocount);
                self.objective(&totals, &fit)
            }
            Some(_) => maximum,
        };
        self.note_epoch(Phase::Mle, score.mean, Some(objective), observer)?;
        Ok(StopReason::ClosedForm)
    }

    /// Flows of the last pass, and the objective. One pass is enough unless flows are local;
    /// none if the observer had enough.
    fn passes(
        &mut self,
        observer: &mut dyn LearningObserver,
    ) -> Result<Option<(FlowTotals, f64)>, LearnError> {
        let mut n_passes = 0;
        loop {
            let before = self.state.values.clone();
            let Some(totals) = self.all_flows(Phase::Mle, observer)? else {
                return Ok(None);
            };
            let maximum = self.sweeps(&totals);
            n_passes += 1;
            let is_still = largest_move(&before, &self.state.values) <= SMALL_MOVE;
            let is_enough = !self.mstep.leaves().0.is_local() || is_still;
            if is_enough || n_passes == MOST_PASSES {
                return Ok(Some((totals, maximum)));
            }
        }
    }

    /// Repeats the M-step until the objective rises no more; gives the objective, up
    /// to terms that no learned parameter changes.
    fn sweeps(&mut self, totals: &FlowTotals) -> f64 {
        self.mstep.leaf_rounds = if self.task.options.entropy > 0.0 {
            FEW_LEAF_ROUNDS
        } else {
            LEAF_ROUNDS
        };
        let start = self.state.values.clone();
        let fit = self.fit(totals, &start, self.task.options.pseudocount);
        // 1. The maximum without entropy, which is near that with a little of it.
        let plain = MStepTarget { tau: 0.0, ..fit };
        self.mstep.run(&plain, &mut self.state.values);
        // 2. Sweeps from there. One that lowers the objective found nothing but rounding, and is
        // taken back.
        let mut objective = self.mstep.objective(&fit, &self.state.values);
        for _ in 0..MOST_SWEEPS {
            let before = self.state.values.clone();
            self.mstep.run(&fit, &mut self.state.values);
            let risen = self.mstep.objective(&fit, &self.state.values);
            if risen < objective - ROUNDING * objective.abs() {
                self.state.values = before;
                break;
            }
            let is_still = risen - objective <= ROUNDING * objective.abs();
            objective = risen;
            let is_settled = || largest_move(&before, &self.state.values) <= SMALL_MOVE;
            if is_still && (fit.tau <= 0.0 || is_settled()) {
                break;
            }
        }
        objective
    }
}

/// How far the parameter that moved most has moved, as a part of its size or of 1.
fn largest_move(before: &[ParameterValue], after: &[ParameterValue]) -> f64 {
    let pairs = before.iter().zip(after);
    let pairs = pairs.filter(|(before, after)| before != after);
    let moves = pairs.map(|(before, after)| {
        let (before, after) = (before.linear(), after.linear());
        (after - before).abs() / after.abs().max(1.0)
    });
    moves.fold(0.0, f64::max)
}
