//! `pelton emit`

use super::exit_for;
use crate::arguments::{Emit, Form, Messages};
use crate::exit::Exit;
use crate::{Failure, model, report, write};
use pelton_compiler::Analysis;
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::Circuit;
use pelton_compiler::emit::{self, EmitError, SvgOptions};
use pelton_compiler::optimize::passes_until;
use std::io::Write;
use std::time::Instant;

/// Prints one form of a circuit.
pub fn run(options: &Emit, messages: &Messages) -> Result<Exit, Failure> {
    if options.form == Form::Ast && options.after.is_some() {
        let message = "passes rewrite circuits, not syntax trees: leave out `--after` or show the circuit in another form";
        return Err(Failure::Usage(message.to_string()));
    }
    let analysis = model::analyzed(&options.model, &model::options(&options.reading))?;
    report::to_stderr(&analysis.found, &analysis.program.sources, messages);
    let exit = exit_for(&analysis.found);
    if options.form == Form::Ast {
        let tree = pelton_grammar::dump::dump(&analysis.program.modules[0].file);
        let fill = |out: &mut dyn Write| out.write_all(tree.as_bytes()).map_err(EmitError::Write);
        return print(options, fill).map(|()| exit);
    }
    match circuit(analysis, options, messages)? {
        Some(circuit) => {
            print(options, |out| emit_form(&circuit, options.form, out)).map(|()| exit)
        }
        None => Ok(exit),
    }
}

/// The circuit to show. One that is wrong can still be looked at as it was
/// written, which helps to mend it; a text that has no circuit cannot, and what
/// was not proven cannot be rewritten.
fn circuit(
    analysis: Analysis,
    options: &Emit,
    messages: &Messages,
) -> Result<Option<Circuit>, Failure> {
    let Some(after) = &options.after else {
        return Ok(analysis.circuit);
    };
    let passes =
        passes_until(after).ok_or_else(|| Failure::Usage(format!("there is no pass `{after}`")))?;
    let optimized = analysis.into_checked().map(|checked| {
        passes.iter().fold(checked, |checked, pass| {
            let start = Instant::now();
            let n_before = size(&checked);
            let checked = (pass.run)(checked);
            if messages.verbose {
                tell(pass.name, start, n_before, size(&checked));
            }
            checked
        })
    });
    Ok(optimized.map(Checked::into_circuit))
}

/// Units and edges.
fn size(checked: &Checked) -> (usize, usize) {
    (checked.circuit().n_units(), checked.circuit().n_edges())
}

/// Says on standard error what a pass took and did. That it may be closed
/// changes nothing.
fn tell(name: &str, start: Instant, before: (usize, usize), after: (usize, usize)) {
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let (units, edges) = (after.0, after.1);
    let _ = writeln!(
        std::io::stderr(),
        "{name:<12} {milliseconds:>9.3} ms  {} units -> {units}, {} edges -> {edges}",
        before.0,
        before.1,
    );
}

/// Writes where the options say; a form without words for the circuit is a
/// matter of usage.
fn print(
    options: &Emit,
    write: impl FnOnce(&mut dyn Write) -> Result<(), EmitError>,
) -> Result<(), Failure> {
    let mut inexpressible = None;
    let fill = |out: &mut dyn Write| match write(out) {
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
        None => result,
    }
}

fn emit_form(circuit: &Circuit, form: Form, out: &mut dyn Write) -> Result<(), EmitError> {
    let form = match form {
        // The syntax tree is written without a circuit.
        Form::Ast => return Ok(()),
        Form::Circuit => emit::Form::Circuit,
        Form::Dot => emit::Form::Dot,
        Form::Svg => emit::Form::Svg,
        Form::Json => emit::Form::Json,
    };
    emit::emit(circuit, form, &SvgOptions::default(), out)
}
