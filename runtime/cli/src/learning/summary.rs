//! What is printed of a run that has ended.

use super::LearningSetup;
use crate::arguments::LearningJob;
use crate::engine;
use crate::number::shown_number;
use crate::progress::shown_time;
use pelton_compiler::circuit::Property;
use pelton_grammar::diagnostic::{counted, thousands};
use pelton_runtime::learn::{Report, Score};
use serde_json::{Value as Json, json};
use std::io::Write;
use std::time::Duration;

/// What is printed of a run that has ended.
pub struct LearningSummary<'a> {
    /// What the run says itself.
    pub report: &'a Report,
    /// What was learned.
    pub setup: &'a LearningSetup,
    /// What was asked for.
    pub job: LearningJob<'a>,
    /// Whether likelihoods are densities.
    pub is_density: bool,
    /// How long it took.
    pub time: Duration,
}

impl LearningSummary<'_> {
    /// The report as programs get it; these files were written.
    pub fn to_json(&self, files: &[String]) -> Json {
        let mut json = self.report.to_json();
        json["kind"] = if self.is_density {
            json!("density")
        } else {
            json!("probability")
        };
        json["precision"] = json!(engine::precision(self.job.running).name());
        json["seconds"] = json!(self.time.as_secs_f64());
        json["files"] = json!(files);
        self.add_options(&mut json["options"]);
        json
    }

    /// What else decides what is learned, beside the options of the runtime.
    fn add_options(&self, options: &mut Json) {
        let LearningJob {
            splits, running, ..
        } = self.job;
        options["learn_all"] = json!(self.job.learning.learn_all);
        options["weight_column"] = json!(splits.weight_column);
        options["chunk_rows"] = json!(splits.chunk_rows);
        options["engine"] = json!(engine::chosen(running));
    }

    /// What a model file says of how it was learned: nothing that differs between
    /// two runs that learn the same.
    pub fn provenance(&self) -> Json {
        let mut json = self.to_json(&[]);
        for name in ["epochs", "threads", "seconds", "files"] {
            json.as_object_mut().map(|map| map.shift_remove(name));
        }
        json
    }

    /// The report as people read it; these files were written.
    pub fn print(&self, files: &[String], out: &mut dyn Write) -> std::io::Result<()> {
        self.print_scores(out)?;
        writeln!(out)?;
        let report = self.report;
        let n_epochs = report.epochs.len();
        writeln!(
            out,
            "method      {}, {} in {} ({}, {})",
            report.method.name(),
            counted(n_epochs, "epoch", "epochs"),
            shown_time(self.time),
            counted(report.threads, "thread", "threads"),
            engine::precision(self.job.running).name(),
        )?;
        writeln!(out, "best epoch  {} of {n_epochs}", report.best_epoch)?;
        writeln!(out, "stopped     {}", report.stop_reason.describe())?;
        if let Some(entropy) = report.entropy {
            writeln!(
                out,
                "entropy     {}{}",
                shown_number(entropy),
                self.whose_entropy()
            )?;
        }
        match files {
            [] => Ok(()),
            files => writeln!(out, "written     {}", files.join(", ")),
        }
    }

    /// Without determinism, the entropy is that of hidden variables as well.
    fn whose_entropy(&self) -> &'static str {
        let facts = self.setup.opened.checked.facts();
        if facts.is_proven(Property::Deterministic) {
            ""
        } else {
            " (of observed and hidden variables together)"
        }
    }

    fn print_scores(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let columns = [
            ("train", Some(self.report.train)),
            ("valid", self.report.valid),
            ("test", self.report.test),
        ];
        let columns: Vec<(&str, Score)> = columns
            .into_iter()
            .filter_map(|(name, score)| Some((name, score?)))
            .collect();
        let mut row = |label: &str, cell: &dyn Fn(&(&str, Score)) -> String| {
            let cells = columns.iter().map(|column| format!("{:>13}", cell(column)));
            writeln!(out, "{label:<20}{}", cells.collect::<String>())
        };
        row("", &|(name, _)| name.to_string())?;
        row("rows", &|(_, score)| thousands(score.n_rows))?;
        let label = if self.is_density {
            "mean log-density"
        } else {
            "mean log-likelihood"
        };
        row(label, &|(_, score)| {
            if score.mean.is_finite() {
                shown_number(score.mean)
            } else {
                "none".to_string()
            }
        })?;
        row("zero rows", &|(_, score)| thousands(score.n_zero))
    }
}
