//! The `pelton` command.

mod arguments;
mod commands;
mod exit;
mod foreign;
mod lsp;
mod model;
mod report;
mod write;

use clap::Parser;
use exit::Exit;
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
            Failure::Closed => Exit::Ok,
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
