//! The files that will be written, looked at before time is spent on their content.

use crate::arguments::{LearningJob, OutputArguments};
use crate::write::{self, folder, is_same, read_too, resolved};
use crate::{CommandFailure, CommandResult, save};
use pelton_compiler::load::SourceProgram;
use std::path::{Path, PathBuf};

/// Looks whether all results can be written, and would replace nothing that is read,
/// before time is spent on them. `checkpoint` is a further file to be written.
pub fn check(job: LearningJob, checkpoint: Option<&Path>) -> CommandResult<()> {
    let outputs = job.outputs;
    if outputs.output.is_empty() {
        let message = "say where the learned model goes: `-o model.pelton` for a model file, \
                       `-o model.pcirc` for source with values";
        return Err(CommandFailure::Usage(message.to_string()));
    }
    for path in &outputs.output {
        save::check_ending(path, "source with values (.pcirc)")?;
    }
    // Paths are compared as files, because links and spellings lead to one file by many names.
    let mut seen: Vec<PathBuf> = Vec::new();
    for path in all(outputs, checkpoint) {
        check_place(path)?;
        let file = resolved(path);
        check_unread(path, &file, job)?;
        if seen.contains(&file) {
            let path = path.display();
            return Err(CommandFailure::Usage(format!(
                "`{path}` is to be written twice"
            )));
        }
        seen.push(file);
    }
    Ok(())
}

/// The same for the files that the circuit uses, which are known when it has been read.
pub fn check_used(
    job: LearningJob,
    checkpoint: Option<&Path>,
    program: &SourceProgram,
) -> CommandResult<()> {
    for path in all(job.outputs, checkpoint) {
        let file = resolved(path);
        let mut used = program.sources.iter().filter_map(|source| source.path());
        if used.any(|used| is_same(used, &file)) {
            return Err(read_too(path, "a file that the circuit uses"));
        }
    }
    Ok(())
}

/// All files that are to be written.
fn all<'a>(
    outputs: &'a OutputArguments,
    checkpoint: Option<&'a Path>,
) -> impl Iterator<Item = &'a Path> {
    let models = outputs.output.iter().map(|path| path.as_path());
    models.chain(outputs.report.as_deref()).chain(checkpoint)
}

/// What is read stays as it is: learning from other rows, or from another start,
/// would find it gone. A model file may be trained in place.
fn check_unread(path: &Path, file: &Path, job: LearningJob) -> CommandResult<()> {
    let is_input = |input: &Path| is_same(input, file);
    let is_model = |path: &Path| path.extension().is_some_and(|end| end == "pelton");
    let is_output = job.outputs.output.iter().any(|output| output == path);
    match job.model.is_some_and(is_input) {
        true if is_output && is_model(path) => Ok(()),
        true => Err(read_too(path, "the circuit that is learned")),
        false if job.splits.paths().any(is_input) => Err(read_too(path, write::DATA)),
        false => Ok(()),
    }
}

fn check_place(path: &Path) -> CommandResult<()> {
    let reason = match (path.is_dir(), folder(path).is_dir()) {
        (true, _) => "it is a directory",
        (_, false) => "there is no such folder",
        _ => return write::can_be_written(path),
    };
    let path = path.display();
    Err(CommandFailure::Usage(format!(
        "`{path}` cannot be written: {reason}"
    )))
}
