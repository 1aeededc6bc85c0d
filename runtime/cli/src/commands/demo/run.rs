//! One run of learning, evaluated after every epoch, and the chart of several.

use crate::CommandResult;
use crate::plot::{Chart, ChartSeries};
use pelton_compiler::circuit::ParameterValue;
use pelton_runtime::Model;
use pelton_runtime::data::Table;
use pelton_runtime::learn::{
    Checkpoint, Epoch, LearnOptions, LearningControl, LearningObserver, LearningResult,
    LearningRows, TrainingTask, learn,
};
use std::io::Write;

/// How far below the best validation likelihood the chart goes.
const DEPTH: f64 = 4.0;

/// Rows to learn from, to choose by, and to look at in the end.
pub type DemoSplits = [Table; 3];

/// Mean log-likelihoods of these rows under some parameters.
pub type SplitLikelihoods = [f64; 3];

fn likelihoods(model: &Model, values: &[ParameterValue], splits: &DemoSplits) -> SplitLikelihoods {
    let parameters = model.parameters(values.to_vec());
    let mean = |table: &Table| model.log_likelihoods(&parameters, table, 1).mean();
    splits.each_ref().map(mean)
}

pub struct DemoRun {
    pub name: &'static str,
    /// What was kept of it.
    pub learned: LearningResult,
    pub epochs: Vec<SplitLikelihoods>,
    /// After the best epoch, and after the last one.
    pub best: SplitLikelihoods,
    pub last: SplitLikelihoods,
}

impl DemoRun {
    pub fn run(
        name: &'static str,
        model: &Model,
        splits: &DemoSplits,
        options: &LearnOptions,
    ) -> CommandResult<Self> {
        let task = TrainingTask {
            model,
            train: LearningRows::of(&splits[0]),
            valid: Some(LearningRows::of(&splits[1])),
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
            best: likelihoods(model, &learned.values, splits),
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
        for (label, [train, valid, test]) in lines {
            writeln!(out, "{label:<32}{train:>10.4}{valid:>10.4}{test:>10.4}")?;
        }
        Ok(())
    }

    /// The curves of training and validation; the best epoch is marked.
    fn curves(&self, color: usize) -> [ChartSeries; 2] {
        let curve = |what: &str, split: usize| ChartSeries {
            name: format!("{what}, {}", self.name),
            points: (1..)
                .zip(&self.epochs)
                .map(|(at, means)| (f64::from(at), means[split]))
                .collect(),
            color,
            ..ChartSeries::default()
        };
        let (train, valid) = (curve("train", 0), curve("validation", 1));
        let best = self.learned.report.best_epoch;
        let mark = valid
            .points
            .iter()
            .find(|point| point.0 == best as f64)
            .copied();
        let is_dashed = true;
        [
            ChartSeries { is_dashed, ..train },
            ChartSeries { mark, ..valid },
        ]
    }
}

/// Training and validation likelihood by epoch, a color for each run.
pub fn chart(runs: &[&DemoRun]) -> Chart {
    let valid = runs
        .iter()
        .flat_map(|run| run.epochs.iter().map(|means| means[1]));
    let best = valid.fold(f64::NEG_INFINITY, f64::max);
    let series = runs.iter().enumerate();
    Chart {
        title: "What travellers pack: EM with and without regularization".to_string(),
        x_label: "epoch".to_string(),
        y_label: "mean log-likelihood of a row".to_string(),
        y_min: Some(best - DEPTH),
        series: series.flat_map(|(color, run)| run.curves(color)).collect(),
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
        let means = likelihoods(self.model, &checkpoint().values, self.splits);
        self.epochs.push(means);
        LearningControl::Continue
    }
}
