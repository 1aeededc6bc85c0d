//! Where what was learned goes.

use super::Setup;
use crate::Failure;
use crate::arguments::{Job, Messages, Outputs};
use crate::{save, write};
use pelton_compiler::circuit::Value;
use serde_json::Value as Json;
use std::path::Path;

/// The form of a file that holds a learned model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `.pelton`
    Model,
    /// `.pcirc`
    Source,
}

impl Form {
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "pelton" => Some(Form::Model),
            "pcirc" => Some(Form::Source),
            _ => None,
        }
    }
}

/// Looks whether all results can be written, before time is spent on them.
/// `model` is the circuit that is read, `checkpoint` a further file to be written.
pub fn check(outputs: &Outputs, checkpoint: Option<&Path>, model: &Path) -> Result<(), Failure> {
    if outputs.output.is_empty() {
        let message = "say where the learned model goes: `-o model.pelton` for a model file, \
                       `-o model.pcirc` for source with values";
        return Err(Failure::Usage(message.to_string()));
    }
    for path in &outputs.output {
        check_model(path, model)?;
    }
    let models = outputs.output.iter().map(|path| path.as_path());
    let mut seen: Vec<&Path> = Vec::new();
    for path in models.chain(outputs.report.as_deref()).chain(checkpoint) {
        if seen.contains(&path) {
            let path = path.display();
            return Err(Failure::Usage(format!("`{path}` is to be written twice")));
        }
        seen.push(path);
        check_place(path)?;
    }
    Ok(())
}

fn check_model(path: &Path, model: &Path) -> Result<(), Failure> {
    let shown = path.display();
    let Some(form) = Form::of(path) else {
        return Err(Failure::Usage(format!(
            "`{shown}` is neither a model file (.pelton) nor source with values (.pcirc)"
        )));
    };
    let is_same = path.canonicalize().is_ok_and(|path| {
        let model = model.canonicalize();
        model.is_ok_and(|model| model == path)
    });
    match is_same && form == Form::Source {
        true => Err(Failure::Usage(format!(
            "`{shown}` is the circuit that is learned; give the result another name"
        ))),
        false => Ok(()),
    }
}

fn check_place(path: &Path) -> Result<(), Failure> {
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let reason = match (path.is_dir(), folder.is_dir()) {
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
