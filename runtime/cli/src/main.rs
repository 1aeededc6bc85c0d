//! The `pelton` command.

mod arguments;
mod commands;
mod engine;
mod exit;
mod foreign;
mod lsp;
mod machine;
mod model;
mod progress;
mod report;
mod save;
mod write;

use clap::Parser;
use exit::Exit;
use pelton_runtime::data::{DataError, DataErrorKind};
use std::process::ExitCode;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        eprintln!("pelton: this is a bug in Pelton, not in your circuit: {panic}");
        eprintln!("pelton: please report it together with the command and the files it read");
    }));
    let arguments = arguments::Arguments::parse();
    match commands::run(&arguments) {
        Ok(exit) => exit.into(),
        Err(error) => error.tell().into(),
    }
}

/// A failure that is not about the circuit.
#[derive(Debug)]
enum Failure {
    /// Wrong usage, or a file that cannot be read or written.
    Usage(String),
    /// Data that do not fit the circuit.
    Unfit(String),
    /// A result is not a number.
    Numeric(String),
    /// Whoever reads our output has gone away; there is nobody to tell.
    Closed,
}

impl Failure {
    fn tell(self) -> Exit {
        match self {
            Failure::Usage(message) => {
                eprintln!("pelton: {message}");
                Exit::Usage
            }
            Failure::Unfit(message) => {
                eprintln!("pelton: {message}");
                Exit::Unfit
            }
            Failure::Numeric(message) => {
                eprintln!("pelton: {message}");
                Exit::Numeric
            }
            Failure::Closed => Exit::Ok,
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
