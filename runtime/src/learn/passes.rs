//! A pass over the training rows, and the noise on them.

use super::observer::{LearningControl, LearningObserver};
use super::report::Phase;
use super::run::LearningRun;
use super::{LearnError, Method, Softening};
use crate::FlowTotals;
use crate::data::{SoftColumn, Softness, Table};
use pelton_compiler::choice::unit;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
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
            // Rows are numbered across chunks, so that noise does not depend on how they are read.
            let table = run.evidence(table, rows_done);
            let totals = run.estep.flows(&run.state.values, &table, weights)?;
            rows_done += table.n_rows();
            totals.add_to(&mut all);
            let progress = run.progress(phase, rows_done);
            is_stopped = observer.progress(&progress) == LearningControl::Stop;
            Ok(())
        })?;
        if is_stopped {
            return Ok(None);
        }
        let totals = all.filter(|totals| totals.weight > 0.0);
        totals.map(Some).ok_or_else(LearnError::all_zero)
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

/// The rows with each observed cell of a softened variable drawn anew. `seed` and
/// `stream` decide what is drawn, so that no two epochs or chunks share noise.
fn noisy(table: &Table, softness: &Softness, seed: u64, stream: u64) -> Table {
    let columns = table.columns().iter().enumerate().map(|(at, column)| {
        let Some(noise) = softness.column(at) else {
            return column.clone();
        };
        let mut random = ChaCha8Rng::seed_from_u64(seed ^ u64::from_be_bytes(*b"softened"));
        let mixed = stream.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        random.set_stream(mixed.wrapping_add(at as u64));
        let mut draw = |code: u32| drawn(noise, code as usize, &mut random) as u32;
        column.map_codes(|code| code.map(&mut draw))
    });
    Table::new(table.n_rows(), columns.collect())
}

/// The value that takes the place of `code`.
fn drawn(noise: &SoftColumn, code: usize, random: &mut impl Rng) -> usize {
    let mut left = unit(random) - noise.observed[code];
    if left < 0.0 {
        return code;
    }
    let others = noise.other.iter().enumerate();
    for (value, &weight) in others.filter(|&(value, _)| value != code) {
        left -= weight;
        if left < 0.0 {
            return value;
        }
    }
    code
}
