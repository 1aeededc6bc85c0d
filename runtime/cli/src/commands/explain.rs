//! `pelton explain`

use crate::arguments::ExplainCommand;
use crate::{CommandFailure, CommandResult, Exit};
use pelton_grammar::diagnostic::Code;
use std::io::Write;

pub fn run(options: &ExplainCommand) -> CommandResult<Exit> {
    let mut out = std::io::stdout().lock();
    let Some(text) = &options.code else {
        for code in Code::ALL {
            let severity = code.severity().name();
            writeln!(out, "{code}  {severity:<7}  {}", code.title())?;
        }
        return Ok(Exit::Ok);
    };
    let Ok(code) = text.parse::<Code>() else {
        let message = format!("there is no message `{text}`; `pelton explain` lists them all");
        return Err(CommandFailure::Usage(message));
    };
    out.write_all(code.page().as_bytes())?;
    Ok(Exit::Ok)
}
