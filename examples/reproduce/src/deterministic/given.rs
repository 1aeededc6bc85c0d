//! Deterministic circuits that were learned elsewhere.

use crate::dataset::Dataset;
use pelton_cli::model::analyzed;
use pelton_cli::{CommandFailure, CommandResult};
use pelton_compiler::AnalysisOptions;
use pelton_compiler::circuit::Property;
use pelton_runtime::data::Schema;
use pelton_runtime::{Model, ModelOptions};
use std::path::{Path, PathBuf};

/// How the names of circuits end, the first that is there being taken.
const ENDS: [&str; 4] = ["psdd", "psdd.gz", "pcirc", "pelton"];

/// The circuit for a data set, if the folder has one.
pub fn find(folder: Option<&Path>, dataset: &Dataset) -> CommandResult<Option<PathBuf>> {
    let Some(folder) = folder else {
        return Ok(None);
    };
    if !folder.is_dir() {
        let message = format!("--circuits: `{}` is not a folder", folder.display());
        return Err(CommandFailure::Usage(message));
    }
    let paths = ENDS.map(|end| folder.join(format!("{}.{end}", dataset.name)));
    Ok(paths.into_iter().find(|path| path.is_file()))
}

/// Reads a circuit whose variables are the columns of a data set, in order. All of its
/// parameters are learned.
pub fn read(path: &Path, schema: &Schema, options: &ModelOptions) -> CommandResult<Model> {
    let file = path.display();
    let wrong = |why: &str| CommandFailure::Wrong(format!("`{file}` {why}"));
    let reading = AnalysisOptions {
        decide: vec![Property::Deterministic],
        ..AnalysisOptions::default()
    };
    let Some(checked) = analyzed(path, &reading)?.into_checked() else {
        return Err(wrong("is wrong; `pelton check` says why"));
    };
    if !checked.facts().is_proven(Property::Deterministic) {
        return Err(wrong(
            "is not proven deterministic, so that it has no closed forms; \
             `pelton check` says more",
        ));
    }
    let own = checked.circuit().variables();
    let fits = |(own, column): (_, _)| same_size(own, column);
    if own.len() != schema.columns.len() || !own.iter().zip(&schema.columns).all(fits) {
        return Err(CommandFailure::Unfit(format!(
            "the variables of `{file}` are not the columns of the data: there are {} of {}, \
             or one has other values",
            own.len(),
            schema.columns.len()
        )));
    }
    let model = Model::compile(checked.learn_all(), options);
    model.map_err(|error| wrong(&format!("cannot be compiled: {error}")))
}

fn same_size(
    own: &pelton_compiler::circuit::CircuitVariable,
    column: &pelton_runtime::data::SchemaColumn,
) -> bool {
    own.domain.size() == column.domain.size()
}
