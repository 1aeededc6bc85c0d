//! One run of learning, looked at after every epoch.

use crate::CommandFailure;
use pelton_compiler::circuit::{CircuitGraph, ParameterValue};
use pelton_runtime::Model;
use pelton_runtime::data::{DataSource, ReadOptions, Table, read};
use pelton_runtime::learn::{
    Checkpoint, Epoch, LearnOptions, LearningControl, LearningObserver, LearningResult,
    LearningRows, TrainingTask, learn,
};
use std::io::Write;
use std::path::Path;

/// The data of the demo.
pub struct DemoSplits {
    pub train: Table,
    pub valid: Table,
    pub test: Table,
}

impl DemoSplits {
    /// Reads the files that the demo has written.
    pub fn read(folder: &Path, circuit: &CircuitGraph) -> Result<Self, CommandFailure> {
        let table = |name: &str| -> Result<Table, CommandFailure> {
            let source = DataSource::open(&folder.join(name))?;
            Ok(read(source, circuit, &ReadOptions::default())?.table)
        };
        Ok(DemoSplits {
            train: table("train.csv")?,
            valid: table("valid.csv")?,
            test: table("test.csv")?,
        })
    }
}

/// Mean log-likelihoods under some parameters.
#[derive(Clone, Copy, Debug, Default)]
pub struct SplitLikelihoods {
    pub train: f64,
    pub valid: f64,
    pub test: f64,
}

impl SplitLikelihoods {
    fn of(model: &Model, values: &[ParameterValue], splits: &DemoSplits) -> Self {
        let parameters = model.parameters(values.to_vec());
        let mean = |table: &Table| model.log_likelihoods(&parameters, table, 1).mean();
        SplitLikelihoods {
            train: mean(&splits.train),
            valid: mean(&splits.valid),
            test: mean(&splits.test),
        }
    }
}

/// One run of learning.
pub struct DemoRun {
    /// What the run is called.
    pub name: &'static str,
    /// What was kept of it.
    pub learned: LearningResult,
    /// After each epoch.
    pub epochs: Vec<SplitLikelihoods>,
    /// After the best epoch.
    pub best: SplitLikelihoods,
    /// After the last one.
    pub last: SplitLikelihoods,
}

impl DemoRun {
    /// Learns, and evaluates the rows as they are after every epoch.
    pub fn run(
        name: &'static str,
        model: &Model,
        splits: &DemoSplits,
        options: &LearnOptions,
    ) -> Result<Self, CommandFailure> {
        let task = TrainingTask {
            model,
            train: LearningRows::of(&splits.train),
            valid: Some(LearningRows::of(&splits.valid)),
            test: None,
            options,
            resume: None,
        };
        let mut record = DemoObserver {
            model,
            splits,
            epochs: Vec::new(),
        };
        let learned = learn(&task, &mut record)?;
        Ok(DemoRun {
            name,
            best: SplitLikelihoods::of(model, &learned.values, splits),
            last: record.epochs.last().copied().unwrap_or_default(),
            epochs: record.epochs,
            learned,
        })
    }

    /// Two lines of a table.
    pub fn tell(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let best = self.learned.report.best_epoch;
        let lines = [
            (format!("{}, last epoch", self.name), self.last),
            (format!("{}, best epoch ({best})", self.name), self.best),
        ];
        for (label, means) in lines {
            writeln!(
                out,
                "{label:<32}{:>10.4}{:>10.4}{:>10.4}",
                means.train, means.valid, means.test
            )?;
        }
        Ok(())
    }
}

/// Evaluates after each epoch.
struct DemoObserver<'a> {
    model: &'a Model,
    splits: &'a DemoSplits,
    epochs: Vec<SplitLikelihoods>,
}

impl LearningObserver for DemoObserver<'_> {
    fn epoch(&mut self, _epoch: &Epoch, checkpoint: &dyn Fn() -> Checkpoint) -> LearningControl {
        let values = checkpoint().values;
        self.epochs
            .push(SplitLikelihoods::of(self.model, &values, self.splits));
        LearningControl::Continue
    }
}
