//! Expectation maximisation: mini-batches first, then all rows at once.

use super::mstep::MStepTarget;
use super::observer::{LearningControl, LearningObserver};
use super::report::{Phase, StopReason};
use super::rows::weights_of;
use super::run::LearningRun;
use super::{LearnError, Softening};
use crate::FlowTotals;
use crate::data::Table;
use pelton_compiler::circuit::ParameterValue;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Mini-batches of a stream that are in memory, and shuffled, at a time.
const STREAM_BATCHES: usize = 32;

/// The mean log-likelihood of all rows, and the objective; none if the observer had enough.
type EpochOutcome = Option<(f64, Option<f64>)>;

impl LearningRun<'_> {
    pub(super) fn em(
        &mut self,
        observer: &mut dyn LearningObserver,
    ) -> Result<StopReason, LearnError> {
        let options = self.task.options;
        let phases = [
            (Phase::MiniBatch, options.minibatch_epochs),
            (Phase::FullBatch, options.fullbatch_epochs),
        ];
        let mut stop = StopReason::Epochs;
        for (at, (phase, n_epochs)) in phases.into_iter().enumerate() {
            if self.state.phase > at {
                continue;
            }
            stop = self.phase(phase, n_epochs, observer)?;
            if stop == StopReason::Cancelled {
                return Ok(stop);
            }
            self.state.begin_phase(at + 1);
        }
        Ok(stop)
    }

    /// Epochs of one kind, until one of the reasons to stop.
    fn phase(
        &mut self,
        phase: Phase,
        n_epochs: usize,
        observer: &mut dyn LearningObserver,
    ) -> Result<StopReason, LearnError> {
        let options = self.task.options;
        while self.state.phase_epochs < n_epochs {
            // Reasons to stop are looked at before an epoch, so that a resumed run sees them
            // too.
            if self.task.valid.is_some() && self.state.since_best >= options.patience.max(1) {
                return Ok(StopReason::Validation);
            }
            if self.has_converged(phase) {
                return Ok(StopReason::Converged);
            }
            let before = self.state.values.clone();
            let ended = match phase {
                Phase::MiniBatch => self.minibatch_epoch(n_epochs, observer)?,
                _ => self.fullbatch_epoch(observer)?,
            };
            // An epoch that was interrupted leaves nothing behind.
            let Some((train_ll, objective)) = ended else {
                self.state.values = before;
                return Ok(StopReason::Cancelled);
            };
            if self.note_epoch(phase, train_ll, objective, observer)? == LearningControl::Stop {
                return Ok(StopReason::Cancelled);
            }
        }
        Ok(StopReason::Epochs)
    }

    /// Whether the last two full-batch epochs of this phase differ by little.
    fn has_converged(&self, phase: Phase) -> bool {
        if phase != Phase::FullBatch || self.state.phase_epochs < 2 || !self.is_watched() {
            return false;
        }
        let mut last = self.state.epochs.iter().rev().map(|epoch| epoch.objective);
        match (last.next().flatten(), last.next().flatten()) {
            (Some(new), Some(old)) => new - old < self.task.options.tolerance * new.abs().max(1.0),
            _ => false,
        }
    }

    /// Whether the objective of one epoch can be compared with that of another:
    /// drawn noise differs from epoch to epoch.
    fn is_watched(&self) -> bool {
        self.softness.is_none() || self.task.options.softening != Softening::Sampled
    }

    /// One step of EM for all rows: flows of all of them, then one M-step.
    fn fullbatch_epoch(
        &mut self,
        observer: &mut dyn LearningObserver,
    ) -> Result<EpochOutcome, LearnError> {
        let Some(totals) = self.all_flows(Phase::FullBatch, observer)? else {
            return Ok(None);
        };
        // The objective is known for the parameters that flows were computed with, so it is
        // taken before the step moves them.
        let before = self.state.values.clone();
        let fit = self.fit(&totals, &before, self.full_pseudocount());
        let objective = self.objective(&totals, &fit);
        self.mstep.run(&fit, &mut self.state.values);
        let train_ll = totals.log_likelihood / totals.weight;
        Ok(Some((train_ll, Some(objective))))
    }

    /// The pseudocount of all rows together. If every batch has its own, all rows have
    /// as many, so that both phases maximise the same.
    fn full_pseudocount(&self) -> f64 {
        let options = self.task.options;
        let n_batches = n_batches(self.survey.n_rows, options.batch_size);
        let is_repeated = options.pseudocount_per_batch;
        options.pseudocount * if is_repeated { n_batches as f64 } else { 1.0 }
    }

    /// The objective at the parameters that the flows were computed with.
    pub(super) fn objective(&mut self, totals: &FlowTotals, fit: &MStepTarget) -> f64 {
        let prior = self.mstep.log_prior(fit.pseudocount, &self.state.values);
        let likelihood = (totals.log_likelihood + prior) / (fit.weight + fit.pseudocount);
        likelihood + fit.tau * self.mstep.root_entropy(fit.tau, &self.state.values)
    }

    /// All rows once, in batches whose order is drawn.
    fn minibatch_epoch(
        &mut self,
        n_epochs: usize,
        observer: &mut dyn LearningObserver,
    ) -> Result<EpochOutcome, LearnError> {
        let batch_size = self.task.options.batch_size;
        let mut seen = EpochTotals::default();
        let (train, most) = (self.task.train, batch_size.saturating_mul(STREAM_BATCHES));
        train.for_each_of(most, |table, weights| {
            if seen.is_stopped {
                return Ok(());
            }
            self.batches(table, weights, n_epochs, &mut seen, observer)
        })?;
        if seen.is_stopped {
            return Ok(None);
        }
        if seen.weight <= 0.0 {
            return Err(LearnError::all_zero());
        }
        Ok(Some((seen.log_likelihood / seen.weight, None)))
    }

    /// The batches of rows that are in memory, of nearly equal size.
    fn batches(
        &mut self,
        table: &Table,
        weights: Option<&[f64]>,
        n_epochs: usize,
        seen: &mut EpochTotals,
        observer: &mut dyn LearningObserver,
    ) -> Result<(), LearnError> {
        let options = self.task.options;
        // 1. Noise is drawn for rows by their numbers, before these are shuffled.
        let table = &*self.evidence(table, seen.n_rows);
        // 2. Batches of nearly equal size, from an order that seed, epoch and place decide alone.
        let order = self.order(table.n_rows(), seen.n_rows);
        let n_batches = n_batches(table.n_rows(), options.batch_size);
        let bound = |at: usize| table.n_rows() * at / n_batches;
        for at in 0..n_batches {
            let rows = &order[bound(at)..bound(at + 1)];
            let batch = table.gather(rows);
            let weights = weights.map(|weights| weights_of(weights, rows));
            // 3. A step for each, smaller the later in the phase and the smaller the batch.
            let part = seen.n_rows as f64 / self.survey.n_rows as f64;
            let step_size = self.step_size(n_epochs, part) * self.share_of_step(rows.len());
            self.step(&batch, weights.as_deref(), step_size, seen)?;
            seen.n_rows += rows.len();
            let progress = self.progress(Phase::MiniBatch, seen.n_rows);
            if observer.progress(&progress) == LearningControl::Stop {
                seen.is_stopped = true;
                break;
            }
        }
        Ok(())
    }

    /// One step of EM for a batch, of which parameters take a part.
    fn step(
        &mut self,
        batch: &Table,
        weights: Option<&[f64]>,
        step_size: f64,
        seen: &mut EpochTotals,
    ) -> Result<(), LearnError> {
        // 1. The E-step: what the batch says of the parameters as they are.
        let totals = self.estep.flows(&self.state.values, batch, weights)?;
        seen.log_likelihood += totals.log_likelihood;
        seen.weight += totals.weight;
        if totals.weight <= 0.0 {
            return Ok(());
        }
        // 2. The M-step. The pseudocount stands for rows of its own: a batch has its part of it,
        // unless each batch is asked to have all.
        let part = if self.task.options.pseudocount_per_batch {
            1.0
        } else {
            totals.weight / self.survey.weight
        };
        let before = self.state.values.clone();
        let mut values = before.clone();
        let fit = self.fit(&totals, &before, self.task.options.pseudocount * part);
        self.mstep.run(&fit, &mut values);
        // 3. Parameters move a part of the way; what the M-step left alone stays bit for bit.
        for (old, new) in self.state.values.iter_mut().zip(values) {
            if *old != new {
                let blend = (1.0 - step_size) * old.linear() + step_size * new.linear();
                *old = ParameterValue::Linear(blend);
            }
        }
        Ok(())
    }

    /// The weight of new parameters, falling over all mini-batches of the phase.
    fn step_size(&self, n_epochs: usize, part_of_epoch: f64) -> f64 {
        let (start, end) = self.task.options.step_size;
        let done = (self.state.phase_epochs as f64 + part_of_epoch) / n_epochs as f64;
        start + (end - start) * done.min(1.0)
    }

    /// How much of its step a batch takes: what is left at the end of a stream may be
    /// much smaller than a batch should be, and says as much less.
    fn share_of_step(&self, n_rows: usize) -> f64 {
        let whole = self.task.options.batch_size.min(self.survey.n_rows);
        if 2 * n_rows >= whole {
            return 1.0;
        }
        n_rows as f64 / whole as f64
    }

    /// An order of rows that depends on the seed, the epoch and the first row.
    fn order(&self, n_rows: usize, first: usize) -> Vec<u32> {
        // Numbers other than those that the start and the noise are drawn from.
        let seed = self.task.options.seed ^ u64::from_be_bytes(*b"shuffled");
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(self.stream(first));
        let mut order: Vec<u32> = (0..n_rows as u32).collect();
        for at in (1..n_rows).rev() {
            let other = (random.next_u64() % (at as u64 + 1)) as usize;
            order.swap(at, other);
        }
        order
    }
}

/// What the batches of an epoch came to.
#[derive(Default)]
struct EpochTotals {
    n_rows: usize,
    log_likelihood: f64,
    weight: f64,
    is_stopped: bool,
}

/// Batches of nearly the size asked for; a small rest would be given too much weight.
fn n_batches(n_rows: usize, batch_size: usize) -> usize {
    ((n_rows + batch_size / 2) / batch_size).max(1)
}
