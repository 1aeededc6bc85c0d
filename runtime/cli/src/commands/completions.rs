//! `pelton completions`

use crate::Failure;
use crate::arguments::{Arguments, Completions};
use crate::exit::Exit;
use clap::CommandFactory;
use std::io::Write;

/// Prints a completion script.
pub fn run(options: &Completions) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(options.shell, &mut command, "pelton", &mut script);
    std::io::stdout().lock().write_all(&script)?;
    Ok(Exit::Ok)
}
