//! One run of learning, looked at after every epoch.

use crate::Failure;
use pelton_compiler::circuit::{Circuit, Value};
use pelton_runtime::Model;
use pelton_runtime::data::{ReadOptions, Source, Table, read};
use pelton_runtime::learn::{
    Checkpoint, Control, Epoch, LearnOptions, Learned, Observer, Rows, Task, learn,
};
use std::io::Write;
use std::path::Path;

/// The data of the demo.
pub struct Splits {
    pub train: Table,
    pub valid: Table,
    pub test: Table,
}

impl Splits {
    /// Reads the files that the demo has written.
    pub fn read(folder: &Path, circuit: &Circuit) -> Result<Self, Failure> {
        let table = |name: &str| -> Result<Table, Failure> {
            let source = Source::open(&folder.join(name))?;
            Ok(read(source, circuit, &ReadOptions::default())?.table)
        };
        Ok(Splits {
            train: table("train.csv")?,
            valid: table("valid.csv")?,
            test: table("test.csv")?,
        })
    }
}

/// Mean log-likelihoods under some parameters.
#[derive(Clone, Copy, Debug, Default)]
pub struct Means {
    pub train: f64,
    pub valid: f64,
    pub test: f64,
}

impl Means {
    fn of(model: &Model, values: &[Value], splits: &Splits) -> Self {
        let parameters = model.parameters(values.to_vec());
        let mean = |table: &Table| model.log_likelihoods(&parameters, table, 1).mean();
        Means {
            train: mean(&splits.train),
            valid: mean(&splits.valid),
            test: mean(&splits.test),
        }
    }
}

/// One run of learning.
pub struct Course {
    /// What the run is called.
    pub name: &'static str,
    /// What was kept of it.
    pub learned: Learned,
    /// After each epoch.
    pub epochs: Vec<Means>,
    /// After the best epoch.
    pub best: Means,
    /// After the last one.
    pub last: Means,
}

impl Course {
    /// Learns, and evaluates the rows as they are after every epoch.
    pub fn run(
        name: &'static str,
        model: &Model,
        splits: &Splits,
        options: &LearnOptions,
    ) -> Result<Self, Failure> {
        let task = Task {
            model,
            train: Rows::of(&splits.train),
            valid: Some(Rows::of(&splits.valid)),
            test: None,
            options,
            resume: None,
        };
        let mut record = Record {
            model,
            splits,
            epochs: Vec::new(),
        };
        let learned = learn(&task, &mut record)?;
        Ok(Course {
            name,
            best: Means::of(model, &learned.values, splits),
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
struct Record<'a> {
    model: &'a Model,
    splits: &'a Splits,
    epochs: Vec<Means>,
}

impl Observer for Record<'_> {
    fn epoch(&mut self, _epoch: &Epoch, checkpoint: &dyn Fn() -> Checkpoint) -> Control {
        let values = checkpoint().values;
        self.epochs
            .push(Means::of(self.model, &values, self.splits));
        Control::Continue
    }
}
