//! Writes what was learned.

use super::Setup;
use crate::Failure;
use crate::arguments::{Job, Messages, Outputs};
use crate::{save, write};
use pelton_compiler::circuit::Value;
use serde_json::Value as Json;
use std::path::Path;

/// What came of writing the results.
#[derive(Debug, Default)]
pub struct Written {
    /// The files that were written, by the names they were given.
    pub files: Vec<String>,
    /// The first that could not be.
    failure: Option<Failure>,
}

impl Written {
    /// Writes the learned model in every form asked for; one file that cannot be
    /// written does not keep the others from it.
    pub fn save(
        &mut self,
        job: Job,
        setup: &Setup,
        values: &[Value],
        provenance: &Json,
        messages: &Messages,
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
    pub fn save_report(&mut self, outputs: &Outputs, json: impl FnOnce(&[String]) -> Json) {
        let Some(path) = &outputs.report else {
            return;
        };
        let mut files = self.files.clone();
        files.push(path.display().to_string());
        let report = json(&files);
        let saved = write::atomically(path, |file| writeln!(file, "{report:#}"));
        self.note(path, saved);
    }

    fn note(&mut self, path: &Path, saved: Result<(), Failure>) {
        match saved {
            Ok(()) => self.files.push(path.display().to_string()),
            Err(failure) => {
                self.failure.get_or_insert(failure);
            }
        }
    }

    /// Whether all were written.
    pub fn result(self) -> Result<(), Failure> {
        self.failure.map_or(Ok(()), Err)
    }
}
