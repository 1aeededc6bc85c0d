//! `pelton completions`

use crate::arguments::{CommandLine, CompletionsCommand};
use crate::{CommandResult, Exit};
use clap::CommandFactory;
use std::io::Write;

pub fn run(options: &CompletionsCommand) -> CommandResult<Exit> {
    let mut script = Vec::new();
    let mut command = CommandLine::command();
    clap_complete::generate(options.shell, &mut command, "pelton", &mut script);
    std::io::stdout().lock().write_all(&script)?;
    Ok(Exit::Ok)
}
