//! What is left to do when something has been learned: results are written, then told.

use super::LearningSetup;
use crate::arguments::{LearningJob, MessageArguments};
use crate::number::shown_number;
use crate::progress::shown_time;
use crate::{CommandResult, Exit, engine, save, write};
use pelton_compiler::circuit::Property;
use pelton_grammar::diagnostic::{counted, thousands};
use pelton_runtime::learn::{LearningResult, Report, Score};
use serde_json::{Value as Json, json};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

pub struct LearningOutcome<'a> {
    pub job: LearningJob<'a>,
    pub setup: &'a LearningSetup,
    pub learned: &'a LearningResult,
    /// Whether likelihoods are densities.
    pub is_density: bool,
    /// How long it took.
    pub time: Duration,
    /// Whether it was interrupted.
    pub is_cancelled: bool,
}

impl LearningOutcome<'_> {
    /// Writes the learned model and the report that `json` makes of the run's own,
    /// and prints the report: for programs as it is, for people after what `print`
    /// prints. All files are tried before one that cannot be written is an error.
    pub fn write(
        &self,
        json: impl Fn(Json) -> Json,
        print: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
        messages: &MessageArguments,
    ) -> CommandResult<Exit> {
        let exit = if self.is_cancelled {
            Exit::Interrupted
        } else {
            Exit::Ok
        };
        messages.notes(&self.learned.report.notes);
        if self.learned.report.epochs.is_empty() && self.is_cancelled {
            // A start drawn at random must not replace what an earlier run has learned.
            messages.note("interrupted before the first epoch ended; nothing was written");
            return Ok(exit);
        }
        let json = |files: &[String]| json(self.to_json(files));
        let (files, result) = self.save(json, messages);
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        if self.job.outputs.json {
            writeln!(out, "{}", json(&files))?;
        } else if !messages.quiet {
            print(&mut out)?;
            self.print(&files, &mut out)?;
        }
        out.flush()?;
        result.map(|()| exit)
    }

    /// Writes the learned model in every form asked for, then the report, which names all files.
    /// One that cannot be written does not keep the others from it. Gives the names of those
    /// that are written, and the first failure.
    fn save(
        &self,
        json: impl Fn(&[String]) -> Json,
        messages: &MessageArguments,
    ) -> (Vec<String>, CommandResult<()>) {
        let (mut files, mut result) = (Vec::new(), Ok(()));
        let mut note = |files: &mut Vec<String>, path: &Path, saved: CommandResult<()>| match saved
        {
            Ok(()) => files.push(path.display().to_string()),
            Err(failure) if result.is_ok() => result = Err(failure),
            Err(_) => {}
        };
        let (outputs, opened) = (self.job.outputs, &self.setup.opened);
        let mut document = opened.document.clone();
        document
            .extra
            .insert("report".to_string(), self.provenance().to_string());
        let (values, reading) = (&self.learned.values, self.job.reading);
        for path in &outputs.output {
            let saved = save::save(path, opened, &document, values, reading, messages);
            note(&mut files, path, saved);
        }
        if let Some(path) = &outputs.report {
            let report = json(&[&files[..], &[path.display().to_string()]].concat());
            let saved = write::atomically(path, |file| writeln!(file, "{report:#}"));
            note(&mut files, path, saved);
        }
        (files, result)
    }

    /// The report as programs get it; these files were written.
    fn to_json(&self, files: &[String]) -> Json {
        let mut json = self.learned.report.to_json();
        json["kind"] = json!(if self.is_density {
            "density"
        } else {
            "probability"
        });
        json["precision"] = json!(engine::precision(self.job.running).name());
        json["seconds"] = json!(self.time.as_secs_f64());
        json["files"] = json!(files);
        // What else decides what is learned, beside the options of the runtime.
        let options = &mut json["options"];
        options["learn_all"] = json!(self.job.learning.learn_all);
        options["weight_column"] = json!(self.job.splits.weight_column);
        options["chunk_rows"] = json!(self.job.splits.chunk_rows);
        options["engine"] = json!(engine::chosen(self.job.running));
        json
    }

    /// What a model file says of how it was learned: nothing that differs between
    /// two runs that learn the same.
    fn provenance(&self) -> Json {
        let mut json = self.to_json(&[]);
        for name in ["epochs", "threads", "seconds", "files"] {
            json.as_object_mut().map(|map| map.shift_remove(name));
        }
        json
    }

    /// The report as people read it; these files were written.
    fn print(&self, files: &[String], out: &mut dyn Write) -> std::io::Result<()> {
        self.print_scores(out)?;
        writeln!(out)?;
        let report = &self.learned.report;
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
        let Report {
            train, valid, test, ..
        } = &self.learned.report;
        let columns = [("train", Some(*train)), ("valid", *valid), ("test", *test)];
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
