//! `pelton completions`

use crate::CommandFailure;
use crate::arguments::{CommandLine, CompletionsCommand};
use crate::exit::Exit;
use clap::CommandFactory;
use std::io::Write;

/// Prints a completion script.
pub fn run(options: &CompletionsCommand) -> Result<Exit, CommandFailure> {
    let mut script = Vec::new();
    let mut command = CommandLine::command();
    clap_complete::generate(options.shell, &mut command, "pelton", &mut script);
    std::io::stdout().lock().write_all(&script)?;
    Ok(Exit::Ok)
}
