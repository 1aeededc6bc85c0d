//! Where what was learned goes.

use super::Setup;
use crate::Failure;
use crate::arguments::{Job, Messages, Outputs};
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

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

fn check_place(path: &Path) -> Result<(), Failure> {
    let reason = match (path.is_dir(), folder(path).is_dir()) {
        (true, _) => "it is a directory",
        (_, false) => "there is no such folder",
        _ => return Ok(()),
    };
    let path = path.display();
    Err(Failure::Usage(format!(
        "`{path}` cannot be written: {reason}"
    )))
}

/// Writes the learned model in every form asked for; one file that cannot be
/// written does not keep the others from it.
pub fn save(
    job: Job,
    setup: &Setup,
    values: &[Value],
    provenance: &Json,
    messages: &Messages,
) -> Result<(), Failure> {
    let opened = &setup.opened;
    let mut document = opened.document.clone();
    let text = provenance.to_string();
    document.extra.insert("report".to_string(), text);
    let mut saved = Ok(());
    for path in &job.outputs.output {
        let own = save::save(path, opened, &document, values, job.reading, messages);
        saved = saved.and(own);
    }
    saved
}

/// Writes the report, if that was asked for.
pub fn save_report(outputs: &Outputs, report: &Json) -> Result<(), Failure> {
    match &outputs.report {
        Some(path) => write::atomically(path, |file| writeln!(file, "{report:#}")),
        None => Ok(()),
    }
}

/// All files that are written, by the names they were given.
pub fn files(outputs: &Outputs) -> Vec<String> {
    let paths = outputs.output.iter().chain(&outputs.report);
    paths.map(|path| path.display().to_string()).collect()
}
