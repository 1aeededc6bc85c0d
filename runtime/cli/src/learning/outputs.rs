//! Where what was learned goes.

use super::Setup;
use crate::Failure;
use crate::arguments::{Job, Messages, Outputs};
use crate::write::folder;
use crate::{save, write};
use pelton_compiler::circuit::Value;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// Looks whether all results can be written, and would replace nothing that is read,
/// before time is spent on them. `checkpoint` is a further file to be written.
pub fn check(job: Job, checkpoint: Option<&Path>) -> Result<(), Failure> {
    let outputs = job.outputs;
    if outputs.output.is_empty() {
        let message = "say where the learned model goes: `-o model.pelton` for a model file, \
                       `-o model.pcirc` for source with values";
        return Err(Failure::Usage(message.to_string()));
    }
    for path in &outputs.output {
        check_form(path)?;
    }
    let models = outputs.output.iter().map(|path| path.as_path());
    let mut seen: Vec<PathBuf> = Vec::new();
    for path in models.chain(outputs.report.as_deref()).chain(checkpoint) {
        check_place(path)?;
        let file = resolved(path);
        check_unread(path, &file, job)?;
        if seen.contains(&file) {
            let path = path.display();
            return Err(Failure::Usage(format!("`{path}` is to be written twice")));
        }
        seen.push(file);
    }
    Ok(())
}

fn check_form(path: &Path) -> Result<(), Failure> {
    let has_form = path
        .extension()
        .is_some_and(|end| end == "pelton" || end == "pcirc");
    match has_form {
        true => Ok(()),
        false => Err(Failure::Usage(format!(
            "`{}` is neither a model file (.pelton) nor source with values (.pcirc)",
            path.display()
        ))),
    }
}

/// What is read stays as it is: learning from other rows, or from another start,
/// would find it gone.
fn check_unread(path: &Path, file: &Path, job: Job) -> Result<(), Failure> {
    let is_input = |input: &Path| input.is_file() && resolved(input) == file;
    let what = match is_input(job.model) {
        true => "the circuit that is learned",
        false if job.splits.paths().any(is_input) => "a file of data that is read",
        false => return Ok(()),
    };
    let path = path.display();
    Err(Failure::Usage(format!(
        "`{path}` is {what}; give what is written another name"
    )))
}

/// One name for each file, however it is called; a file that does not exist yet is
/// known by its folder.
fn resolved(path: &Path) -> PathBuf {
    let in_folder = || {
        let folder = folder(path).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    let existing = path.canonicalize().ok();
    let file = existing.or_else(in_folder);
    file.unwrap_or_else(|| path.to_path_buf())
}

fn check_place(path: &Path) -> Result<(), Failure> {
    let reason = match (path.is_dir(), folder(path).is_dir()) {
        (true, _) => "it is a directory",
        (_, false) => "there is no such folder",
        _ => return write::can_be_written(path),
    };
    let path = path.display();
    Err(Failure::Usage(format!(
        "`{path}` cannot be written: {reason}"
    )))
}

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
