//! `pelton emit`

use super::exit_for;
use crate::arguments::{Emit, Form, Messages};
use crate::exit::Exit;
use crate::{Failure, model, report, write};
use pelton_compiler::Analysis;
use pelton_compiler::emit::{self, EmitError, SvgOptions};
use std::io::Write;

/// Prints one form of a circuit.
pub fn run(options: &Emit, messages: &Messages) -> Result<Exit, Failure> {
    let analysis = model::analyzed(&options.model, &model::options(&options.reading))?;
    report::to_stderr(&analysis.found, &analysis.program.sources, messages);
    let exit = exit_for(&analysis.found);
    // A circuit that is wrong can still be looked at, which helps to mend it; a text that
    // has no circuit cannot.
    if analysis.circuit.is_none() && options.form != Form::Ast {
        return Ok(exit);
    }
    let mut inexpressible = None;
    let mut fill = |out: &mut dyn Write| match emit_form(&analysis, options.form, out) {
        Ok(()) => Ok(()),
        Err(EmitError::Write(error)) => Err(error),
        Err(error) => {
            inexpressible = Some(error.to_string());
            Err(std::io::Error::other(error.to_string()))
        }
    };
    let result = match &options.output {
        Some(path) => write::atomically(path, fill),
        None => {
            let mut out = std::io::BufWriter::new(std::io::stdout().lock());
            fill(&mut out)
                .and_then(|()| out.flush())
                .map_err(Failure::from)
        }
    };
    match inexpressible {
        Some(reason) => Err(Failure::Usage(reason)),
        None => result.map(|()| exit),
    }
}

fn emit_form(analysis: &Analysis, form: Form, out: &mut dyn Write) -> Result<(), EmitError> {
    let form = match form {
        Form::Ast => {
            let tree = pelton_grammar::dump::dump(&analysis.program.modules[0].file);
            return out.write_all(tree.as_bytes()).map_err(EmitError::Write);
        }
        Form::Circuit => emit::Form::Circuit,
        Form::Dot => emit::Form::Dot,
        Form::Svg => emit::Form::Svg,
        Form::Json => emit::Form::Json,
    };
    match &analysis.circuit {
        Some(circuit) => emit::emit(circuit, form, &SvgOptions::default(), out),
        None => Ok(()),
    }
}
