//! Which parts are run on which data sets.

use super::benchmarks;
use super::dataset::Dataset;
use crate::arguments::{PartName, Reproduce};
use pelton_cli::{CommandFailure, CommandResult};

/// Every part, in the order in which they are run.
const PARTS: [PartName; 4] = [
    PartName::Table,
    PartName::Em,
    PartName::Protein,
    PartName::Deterministic,
];

/// What is run: parts with their data sets, at least one each.
pub type Plan = Vec<(PartName, Vec<Dataset>)>;

/// Finds out what is to be run, and that its data are there.
pub fn plan(options: &Reproduce) -> CommandResult<Plan> {
    if !options.folder.is_dir() {
        let message = format!("there is no folder `{}`", options.folder.display());
        return Err(CommandFailure::Usage(message));
    }
    let mut plan = Plan::new();
    for part in PARTS {
        let names = match options.only.is_empty() {
            true => usual_names(part, options),
            false if options.only.contains(&part) => asked_names(part, options),
            false => continue,
        };
        let datasets = names
            .iter()
            .map(|name| Dataset::named(&options.folder, name));
        let datasets: Vec<Dataset> = datasets.collect::<Result<_, _>>()?;
        match (datasets.is_empty(), figure_data(part)) {
            (false, _) => plan.push((part, datasets)),
            // A figure whose data are not there was not asked for.
            (true, Some(_)) => {}
            (true, None) => return Err(no_benchmarks(options)),
        }
    }
    Ok(plan)
}

/// The data set that a figure is of; none for parts that are of the benchmarks.
fn figure_data(part: PartName) -> Option<&'static str> {
    match part {
        PartName::Em => Some("binarized_mnist"),
        PartName::Protein => Some("protein_cm"),
        PartName::Table | PartName::Deterministic => None,
    }
}

/// The data sets of a part if none is asked for by name. Those that are given are for
/// the benchmarks' parts, and a figure of its own data is drawn if they are among them.
fn usual_names(part: PartName, options: &Reproduce) -> Vec<String> {
    match figure_data(part) {
        None => benchmark_names(options),
        Some(own) => {
            let is_wanted = if options.data.is_empty() {
                Dataset::is_there(&options.folder, own)
            } else {
                options.data.iter().any(|name| name == own)
            };
            is_wanted.then(|| own.to_string()).into_iter().collect()
        }
    }
}

/// The data sets of a part that is asked for by name.
fn asked_names(part: PartName, options: &Reproduce) -> Vec<String> {
    match figure_data(part) {
        Some(own) if options.data.is_empty() => vec![own.to_string()],
        _ => benchmark_names(options),
    }
}

/// The names that are given, each once, or those of the twenty that are there.
fn benchmark_names(options: &Reproduce) -> Vec<String> {
    if options.data.is_empty() {
        let there = benchmarks::names().filter(|name| Dataset::is_there(&options.folder, name));
        return there.map(str::to_string).collect();
    }
    let mut names: Vec<String> = Vec::new();
    for name in &options.data {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

fn no_benchmarks(options: &Reproduce) -> CommandFailure {
    CommandFailure::Usage(format!(
        "none of the twenty benchmarks is a folder in `{}`; name other data sets with --data",
        options.folder.display()
    ))
}
