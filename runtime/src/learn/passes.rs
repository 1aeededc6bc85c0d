//! A pass over the training rows.

use super::noise::noisy;
use super::observer::{LearningControl, LearningObserver};
use super::report::Phase;
use super::run::LearningRun;
use super::{LearnError, Method, Softening};
use crate::FlowTotals;
use crate::data::Table;
use std::borrow::Cow;

impl LearningRun<'_> {
    /// Flows of all training rows, added up; none if the observer had enough.
    pub(super) fn all_flows(
        &mut self,
        phase: Phase,
        observer: &mut dyn LearningObserver,
    ) -> Result<Option<FlowTotals>, LearnError> {
        let (train, run) = (self.task.train, &*self);
        let mut all: Option<FlowTotals> = None;
        let (mut rows_done, mut is_stopped) = (0, false);
        train.for_each(|table, weights| {
            if is_stopped {
                return Ok(());
            }
            let table = run.evidence(table, rows_done);
            let totals = run.estep.flows(&run.state.values, &table, weights)?;
            rows_done += table.n_rows();
            match &mut all {
                None => all = Some(totals),
                Some(all) => all.add(&totals),
            }
            let progress = run.progress(phase, rows_done);
            is_stopped = observer.progress(&progress) == LearningControl::Stop;
            Ok::<(), LearnError>(())
        })?;
        if is_stopped {
            return Ok(None);
        }
        let totals = all.filter(|totals| totals.weight > 0.0);
        let totals = totals.ok_or_else(LearnError::all_zero)?;
        Ok(Some(totals))
    }

    /// Rows as the E-step sees them: with noise, as evidence or drawn. `first` is the
    /// number of the first of them.
    pub(super) fn evidence<'t>(&self, table: &'t Table, first: usize) -> Cow<'t, Table> {
        let Some(softness) = &self.softness else {
            return Cow::Borrowed(table);
        };
        match (self.method, self.task.options.softening) {
            (Method::Mle, _) | (Method::Em, Softening::Virtual) => {
                Cow::Owned(table.clone().with_softness(Some(softness.clone())))
            }
            (Method::Em, Softening::Geometric) => Cow::Borrowed(table),
            (Method::Em, Softening::Sampled) => {
                let (seed, stream) = (self.task.options.seed, self.stream(first));
                Cow::Owned(noisy(table, softness, seed, stream))
            }
        }
    }

    /// Numbers what is drawn in this epoch for rows from `first` on.
    pub(super) fn stream(&self, first: usize) -> u64 {
        (self.state.epochs.len() as u64) << 40 | first as u64
    }
}
