//! The table and figures of "Tractable Regularization of Probabilistic Circuits" (Liu and
//! Van den Broeck, 2021), from a folder of data sets:
//! `cargo run --release -p pelton-reproduce -- DIR`.

mod arguments;
mod benchmarks;
mod best;
mod columns;
mod curves;
mod dataset;
mod deterministic;
mod em;
mod fingerprint;
mod halt;
mod identity;
mod line;
mod paper;
mod part;
mod piece;
mod plan;
mod protein;
mod rounding;
mod scores;
mod seen;
mod spread;
mod table;
mod watch;

use crate::arguments::{PartName, Reproduce};
use clap::Parser;
use dataset::Dataset;
use halt::Halt;
use part::Part;
use pelton_cli::arguments::MessageArguments;
use pelton_cli::{CommandFailure, CommandResult, Exit, interrupt, write};
use piece::ResultStore;
use plan::{Plan, plan};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    pelton_cli::report_panics_as_bugs();
    let options = Reproduce::parse();
    match run(&options) {
        Ok(exit) => exit.into(),
        Err(failure) => failure.report(&options.messages).into(),
    }
}

/// Runs what has not been run before, and prints all.
fn run(options: &Reproduce) -> CommandResult<Exit> {
    let messages = &options.messages;
    let plan = plan(options)?;
    make_folders(options, &plan)?;
    interrupt::watch()?;
    let mut store = ResultStore::new(options, messages);
    let mut parts = Vec::new();
    for (part, datasets) in &plan {
        match run_part(*part, datasets, &mut store) {
            Ok(part) => parts.push(part),
            Err(Halt::Failed(failure)) => return Err(failure),
            Err(Halt::Interrupted) => {
                let note = "interrupted; the same command goes on with what is not done";
                messages.note(note);
                return Ok(Exit::Interrupted);
            }
        }
    }
    store.tell_kept();
    print(&parts, options, messages)?;
    Ok(Exit::Ok)
}

fn run_part(part: PartName, datasets: &[Dataset], store: &mut ResultStore) -> Result<Part, Halt> {
    let part = match part {
        PartName::Table => table::run(datasets, store),
        PartName::Em => em::run(datasets, store),
        PartName::Protein => protein::run(datasets, store),
        PartName::Deterministic => deterministic::run(datasets, store),
    }?;
    part.write(store)?;
    Ok(part)
}

/// The folder of a part within that of results.
fn folder_name(part: PartName, options: &Reproduce) -> &'static str {
    match part {
        PartName::Table => options.setting.name(),
        PartName::Em => "em",
        PartName::Protein => "protein",
        PartName::Deterministic => "deterministic",
    }
}

/// Makes the folders, so that it is known before anything runs that they can be
/// written to.
fn make_folders(options: &Reproduce, plan: &Plan) -> CommandResult<()> {
    for (part, _) in plan {
        let folder = options.output.join(folder_name(*part, options));
        std::fs::create_dir_all(&folder).map_err(|error| {
            let shown = folder.display();
            CommandFailure::Usage(format!("the folder `{shown}` cannot be made: {error}"))
        })?;
        write::can_be_written(&folder.join("result"))?;
    }
    Ok(())
}

fn print(parts: &[Part], options: &Reproduce, messages: &MessageArguments) -> CommandResult<()> {
    let mut out = std::io::stdout().lock();
    if options.json {
        let parts = parts.iter();
        let all = parts.map(|part| (part.name.to_string(), part.json.clone()));
        let all: serde_json::Map<_, _> = all.collect();
        writeln!(out, "{}", serde_json::Value::Object(all))?;
    } else if !messages.quiet {
        let texts: Vec<&str> = parts.iter().map(|part| part.markdown.as_str()).collect();
        write!(out, "{}", texts.join("\n"))?;
    }
    out.flush()?;
    Ok(())
}
