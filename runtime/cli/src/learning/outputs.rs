//! Writes what was learned.

use super::LearningSetup;
use crate::CommandFailure;
use crate::arguments::{LearningJob, MessageArguments, OutputArguments};
use crate::{save, write};
use pelton_compiler::circuit::ParameterValue;
use serde_json::Value as Json;
use std::path::Path;

/// What came of writing the results.
#[derive(Debug, Default)]
pub struct WrittenResults {
    /// The files that were written, by the names they were given.
    pub files: Vec<String>,
    /// The first that could not be.
    failure: Option<CommandFailure>,
}

impl WrittenResults {
    /// Writes the learned model in every form asked for; one file that cannot be
    /// written does not keep the others from it.
    pub fn save(
        &mut self,
        job: LearningJob,
        setup: &LearningSetup,
        values: &[ParameterValue],
        provenance: &Json,
        messages: &MessageArguments,
    ) {
        let opened = &setup.opened;
        let mut document = opened.document.clone();
        let text = provenance.to_string();
        document.extra.insert("report".to_string(), text);
        for path in &job.outputs.output {
            let saved = save::save(path, opened, &document, values, job.reading, messages);
            self.note(path, saved);
        }
    }

    /// Writes the report that `json` makes of the files that are written, this one
    /// among them, if that was asked for.
    pub fn save_report(&mut self, outputs: &OutputArguments, json: impl FnOnce(&[String]) -> Json) {
        let Some(path) = &outputs.report else {
            return;
        };
        let mut files = self.files.clone();
        files.push(path.display().to_string());
        let report = json(&files);
        let saved = write::atomically(path, |file| writeln!(file, "{report:#}"));
        self.note(path, saved);
    }

    fn note(&mut self, path: &Path, saved: Result<(), CommandFailure>) {
        match saved {
            Ok(()) => self.files.push(path.display().to_string()),
            Err(failure) => {
                self.failure.get_or_insert(failure);
            }
        }
    }

    /// Whether all were written.
    pub fn result(self) -> Result<(), CommandFailure> {
        self.failure.map_or(Ok(()), Err)
    }
}
