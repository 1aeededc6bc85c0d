//! One file for each command.

mod bench;
mod build;
mod check;
mod completions;
mod convert;
mod demo;
mod doctor;
mod emit;
mod eval;
mod explain;
mod fit;
mod fmt;
mod learn;
mod map;
mod marginals;
mod params;
mod queries;
mod query;
mod question;
mod sample;
mod stats;
mod transform;
mod tune;

pub use eval::note_unset;

use crate::arguments::{Command, CommandLine};
use crate::{CommandResult, Exit};
use pelton_grammar::diagnostic::{Code, Severity, SourceDiagnostics};

pub fn run(arguments: &CommandLine) -> CommandResult<Exit> {
    let messages = &arguments.messages;
    match &arguments.command {
        Command::Check(options) => check::run(options, messages),
        Command::Fmt(options) => fmt::run(options, messages),
        Command::Explain(options) => explain::run(options),
        Command::Stats(options) => stats::run(options, messages),
        Command::Emit(options) => emit::run(options, messages),
        Command::Convert(options) => convert::run(options, messages),
        Command::Build(options) => build::run(options, messages),
        Command::Params(options) => params::run(options, messages),
        Command::Eval(options) => eval::run(options, messages),
        Command::Query(options) => query::run(options, messages),
        Command::Marginals(options) => marginals::run(options, messages),
        Command::Map(options) => map::run(options, messages),
        Command::Sample(options) => sample::run(options, messages),
        Command::Queries(options) => queries::run(options, messages),
        Command::Question(asked) => question::run(asked, messages),
        Command::Fit(options) => fit::run(options, messages),
        Command::Learn(kind) => learn::run(kind, messages),
        Command::Tune(options) => tune::run(options, messages),
        Command::Bench(options) => bench::run(options, messages),
        Command::Doctor(options) => doctor::run(options),
        Command::Completions(options) => completions::run(options),
        Command::Demo(options) => demo::run(options, messages),
        Command::Condition(options) => transform::condition::run(options, messages),
        Command::Marginalize(options) => transform::marginalize::run(options, messages),
        Command::Multiply(options) => transform::multiply::run(options, messages),
        Command::Smooth(options) => transform::smooth::run(options, messages),
        Command::Prune(options) => transform::prune::run(options, messages),
        Command::Mix(options) => transform::mix::run(options, messages),
        Command::Lsp => crate::lsp::run(),
    }
}

/// How a command ends that found this.
pub fn exit_for(found: &SourceDiagnostics) -> Exit {
    let errors = || found.iter().filter(|d| d.severity == Severity::Error);
    // A file in a foreign format that breaks its format holds no circuit that could be wrong.
    if errors().any(|error| error.code == Code::BadImport) {
        return Exit::Usage;
    }
    match errors().next() {
        None => Exit::Ok,
        Some(_) if errors().all(|error| error.code == Code::PropertyUnknown) => Exit::Unknown,
        Some(_) => Exit::Wrong,
    }
}
