//! `pelton fmt`

use crate::arguments::{FmtCommand, MessageArguments};
use crate::{CommandFailure, CommandResult, Exit, model, report, write};
use pelton_compiler::load::add_text;
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_grammar::format::format_source;
use pelton_grammar::parse::ParseOptions;
use pelton_grammar::source::SourceMap;
use pelton_runtime::store::looks_like_model;
use std::io::Write;
use std::path::Path;

pub fn run(options: &FmtCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    let mut exit = Exit::Ok;
    for path in &options.files {
        let outcome = match run_file(path, options, messages) {
            Ok(outcome) => outcome,
            Err(CommandFailure::Closed) => return Err(CommandFailure::Closed),
            Err(failure) => failure.report(messages),
        };
        exit = exit.max(outcome);
    }
    Ok(exit)
}

fn run_file(path: &Path, options: &FmtCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    let input = model::read(path)?;
    if looks_like_model(&input.bytes) {
        let message = format!(
            "`{}` is a model file; circuit source is formatted",
            input.name
        );
        return Err(CommandFailure::Usage(message));
    }
    let from_stdin = input.path.is_none();
    let mut sources = SourceMap::new();
    let mut found = SourceDiagnostics::new();
    let id = add_text(input, &mut sources, &mut found);
    let source = sources.get(id);
    let parse_options = ParseOptions {
        max_depth: options.max_depth,
    };
    let formatted = if found.has_errors() {
        Err(found)
    } else {
        format_source(source, &parse_options)
    };
    let formatted = match formatted {
        Ok(formatted) => formatted,
        Err(found) => {
            messages.show(&found, &sources);
            return Ok(Exit::Wrong);
        }
    };
    let is_canonical = formatted == source.text();
    let mut out = std::io::stdout().lock();
    if options.check {
        if !is_canonical {
            writeln!(out, "{}", source.name())?;
        }
        return Ok(if is_canonical { Exit::Ok } else { Exit::Wrong });
    }
    if from_stdin {
        out.write_all(formatted.as_bytes())?;
    } else if !is_canonical {
        write::atomically(path, |file| file.write_all(formatted.as_bytes()))?;
        if messages.verbose {
            report::line(&format!("formatted {}", path.display()));
        }
    }
    Ok(Exit::Ok)
}
