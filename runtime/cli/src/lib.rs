//! The command `pelton`, as a library: [`main`] is the program.
//!
//! The command is a program on top of the libraries. It owns what they must not know: options
//! ([`arguments`]), how messages, remedies and progress are worded and shown ([`report`],
//! [`progress`]), exit codes ([`Exit`]), signals ([`interrupt`]), files that are written whole
//! or not at all ([`mod@write`]), and the language server. Each command is a function from its
//! arguments to an [`Exit`] or a [`CommandFailure`]:
//!
//! ```
//! use pelton_cli::{CommandFailure, CommandResult, Exit, write};
//!
//! fn run(folder: &std::path::Path) -> CommandResult<Exit> {
//!     write::can_be_written(&folder.join("result"))?;
//!     Ok(Exit::Ok)
//! }
//!
//! let failure = run("no/such/folder".as_ref()).unwrap_err();
//! assert!(matches!(failure, CommandFailure::Usage(_)));
//! ```
//!
//! What another command line over Pelton wants as well, such as the paper's experiments in
//! `examples/reproduce`, is public: how circuits are opened ([`model`]) and run ([`engine`]),
//! what commands that learn have in common ([`learning`]), and charts ([`plot`]).

pub mod arguments;
mod asking;
mod commands;
pub mod engine;
mod exit;
mod failure;
pub mod flags;
mod inputs;
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
pub mod questions;
mod refusal;
pub mod report;
mod save;
mod stream;
pub mod write;

pub use exit::Exit;
pub use failure::{CommandFailure, CommandResult};

use clap::Parser;
use std::process::ExitCode;

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    report_panics_as_bugs();
    let arguments = arguments::CommandLine::parse();
    match commands::run(&arguments) {
        Ok(exit) => exit.into(),
        Err(error) => error.report(&arguments.messages).into(),
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
