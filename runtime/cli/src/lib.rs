//! The command `pelton`, as a library: [`main`] is the program.
//!
//! The command is a program on top of the libraries. It owns what they must not know: options
//! ([`arguments`]), how messages, remedies and progress are worded and shown ([`report`],
//! [`progress`]), exit codes ([`exit`]), signals ([`interrupt`]), files that are written whole
//! or not at all ([`mod@write`]), and the language server. Each command is a function from its
//! arguments to an [`exit::Exit`] or a [`CommandFailure`]:
//!
//! ```
//! use clap::Parser;
//! use pelton_cli::arguments::{CommandLine, Command};
//!
//! let arguments = CommandLine::parse_from(["pelton", "eval", "rain.pcirc", "--data", "days.csv"]);
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

pub use failure::CommandFailure;

use clap::Parser;
use std::process::ExitCode;

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    report_panics_as_bugs();
    let arguments = arguments::CommandLine::parse();
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
