//! The command `pelton`, as a library: [`main`] is the program.
//!
//! The command is a program on top of the libraries. It owns what they must not know: options
//! ([`arguments`]), how messages, remedies and progress are worded and shown ([`report`],
//! [`progress`]), exit codes ([`exit`]), signals ([`interrupt`]), files that are written whole
//! or not at all ([`write`]), and the language server. Each command is a function from its
//! arguments to an [`exit::Exit`] or a [`Failure`]:
//!
//! ```
//! use clap::Parser;
//! use pelton_cli::arguments::{Arguments, Command};
//!
//! let arguments = Arguments::parse_from(["pelton", "eval", "rain.pcirc", "--data", "days.csv"]);
//! assert!(matches!(arguments.command, Command::Eval(_)));
//! ```
//!
//! What another command line over Pelton wants as well, such as the paper's experiments in
//! `examples/reproduce`, is public: how circuits are opened ([`model`]) and run ([`engine`]),
//! what commands that learn have in common ([`learning`]), and charts ([`plot`]).

pub mod arguments;
mod asking;
mod commands;
pub mod engine;
pub mod exit;
pub mod interrupt;
pub mod learning;
mod lsp;
pub mod machine;
mod mass;
mod memory;
pub mod model;
mod number;
pub mod plot;
pub mod progress;
mod refusal;
pub mod report;
mod save;
mod stream;
pub mod write;

use clap::Parser;
use exit::Exit;
use pelton_runtime::data::{DataError, DataErrorKind};
use pelton_runtime::structure::StructureError;
use std::process::ExitCode;

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    report_panics_as_bugs();
    let arguments = arguments::Arguments::parse();
    match commands::run(&arguments) {
        Ok(exit) => exit.into(),
        Err(error) => error.report().into(),
    }
}

/// From now on a panic asks for a report instead of showing Rust's own words.
pub fn report_panics_as_bugs() {
    std::panic::set_hook(Box::new(|panic| {
        report::line(&format!(
            "pelton: this is a bug in Pelton, not in your circuit: {panic}\n\
             pelton: please report it together with the command and the files it read"
        ));
    }));
}

/// A failure that is not about the circuit.
#[derive(Debug)]
pub enum Failure {
    /// Wrong usage, or a file that cannot be read or written.
    Usage(String),
    /// The circuit does not allow what is asked for.
    Wrong(String),
    /// Data that do not fit the circuit.
    Unfit(String),
    /// A result is not a number.
    Numeric(String),
    /// A signal asked for an end before there was anything to keep.
    Interrupted(String),
    /// Whoever reads our output has gone away; there is nobody to tell.
    Closed,
}

impl Failure {
    /// Prints it; the exit code that stands for it.
    pub fn report(self) -> Exit {
        if !matches!(self, Failure::Closed) {
            report::line(&format!("pelton: {self}"));
        }
        match self {
            Failure::Usage(_) => Exit::Usage,
            Failure::Wrong(_) => Exit::Wrong,
            Failure::Unfit(_) => Exit::Unfit,
            Failure::Numeric(_) => Exit::Numeric,
            Failure::Interrupted(_) => Exit::Interrupted,
            Failure::Closed => Exit::Ok,
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Usage(message)
            | Failure::Wrong(message)
            | Failure::Unfit(message)
            | Failure::Numeric(message)
            | Failure::Interrupted(message) => f.write_str(message),
            Failure::Closed => f.write_str("nobody reads the results"),
        }
    }
}

impl From<StructureError> for Failure {
    fn from(error: StructureError) -> Self {
        match error {
            StructureError::Data(message) => Failure::Unfit(message),
            StructureError::Option(message) | StructureError::Circuit(message) => {
                Failure::Usage(message)
            }
            StructureError::Interrupted(message) => Failure::Interrupted(message),
            StructureError::Learn(error) => error.into(),
        }
    }
}

impl From<DataError> for Failure {
    fn from(error: DataError) -> Self {
        match error.kind {
            DataErrorKind::Unreadable => Failure::Usage(error.to_string()),
            DataErrorKind::Unfit => Failure::Unfit(error.to_string()),
        }
    }
}

impl From<std::io::Error> for Failure {
    /// An error while printing results.
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Usage(format!("the results cannot be printed: {error}")),
        }
    }
}
