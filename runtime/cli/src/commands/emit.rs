//! `pelton emit`

use super::exit_for;
use crate::arguments::{EmitCommand, EmitForm, MessageArguments};
use crate::{CommandFailure, CommandResult, Exit, engine, model, save, write};
use pelton_compiler::Analysis;
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::CircuitGraph;
use pelton_compiler::codegen::{asm_text, clif_text};
use pelton_compiler::emit::{self, EmitError, SvgOptions};
use pelton_compiler::kernel::KernelPass;
use pelton_compiler::optimize::{ALL, passes_until};
use pelton_compiler::plan::RowRetention;
use pelton_runtime::CompileError;
use std::io::Write;
use std::time::Instant;

pub fn run(options: &EmitCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    if matches!(options.form, EmitForm::Ast | EmitForm::Source) && options.after.is_some() {
        let message = "passes rewrite circuits, not texts and syntax trees: leave out `--after` or show the circuit in another form";
        return Err(CommandFailure::Usage(message.to_string()));
    }
    if options.form == EmitForm::Source {
        return source(options, messages);
    }
    let analysis = model::analyzed(
        &options.circuit.model,
        &model::options(&options.circuit.reading),
    )?;
    messages.show(&analysis.found, &analysis.program.sources);
    let exit = exit_for(&analysis.found);
    if options.form == EmitForm::Ast {
        let tree = pelton_grammar::dump::dump(&analysis.program.modules[0].file);
        return print_text(options, &tree).map(|()| exit);
    }
    if let Some(form) = options.form.emitted() {
        return match circuit(analysis, options, messages)? {
            Some(circuit) => print(options, |out| {
                emit::emit(&circuit, form, &SvgOptions::default(), out)
            })
            .map(|()| exit),
            None => Ok(exit),
        };
    }
    match optimized(analysis, options, messages)? {
        Some(checked) => print_text(options, &code(&checked, options)?).map(|()| exit),
        None => Ok(exit),
    }
}

/// Shows the author's text with values.
fn source(options: &EmitCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    let opened = model::opened(&options.circuit.model, &options.circuit.reading, messages)?;
    let values = opened.checked.circuit().start_values();
    let target = options.output.as_deref();
    let source = save::source(target, &opened, &values, &options.circuit.reading)?;
    print_text(options, &source.text)?;
    save::note_form(&source, target, messages);
    Ok(Exit::Ok)
}

/// The circuit to show. One that is wrong can still be looked at as it was
/// written, which helps to mend it; a text that has no circuit cannot, and what
/// was not proven cannot be rewritten.
fn circuit(
    analysis: Analysis,
    options: &EmitCommand,
    messages: &MessageArguments,
) -> CommandResult<Option<CircuitGraph>> {
    match options.after {
        None => Ok(analysis.circuit),
        Some(_) => Ok(optimized(analysis, options, messages)?.map(Checked::into_circuit)),
    }
}

/// The circuit after the passes asked for, or after all of them.
fn optimized(
    analysis: Analysis,
    options: &EmitCommand,
    messages: &MessageArguments,
) -> CommandResult<Option<Checked>> {
    let after = options.after.as_deref().unwrap_or(ALL);
    let passes = passes_until(after)
        .ok_or_else(|| CommandFailure::Usage(format!("there is no pass `{after}`")))?;
    Ok(analysis.into_checked().map(|checked| {
        passes.iter().fold(checked, |checked, pass| {
            let start = Instant::now();
            let n_before = size(&checked);
            let checked = (pass.run)(checked);
            if messages.verbose {
                tell(pass.name, start, n_before, size(&checked));
            }
            checked
        })
    }))
}

fn code(checked: &Checked, options: &EmitCommand) -> CommandResult<String> {
    let running = engine::options(&options.running);
    let pass = options.kernel;
    let keep = match pass {
        KernelPass::Forward => RowRetention::Live,
        KernelPass::Max | KernelPass::Backward => RowRetention::All,
    };
    let engine = running.select_engine().map_err(CompileError::from)?;
    let plan = running.plan(engine, checked, keep);
    let text = match options.form {
        EmitForm::Clif => clif_text(&plan, &running.codegen(engine), pass),
        EmitForm::Asm => asm_text(&plan, &running.codegen(engine), pass),
        _ => return Ok(plan.to_string()),
    };
    text.map_err(|error| CommandFailure::Usage(error.to_string()))
}

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

fn print_text(options: &EmitCommand, text: &str) -> CommandResult<()> {
    print(options, |out| {
        out.write_all(text.as_bytes()).map_err(EmitError::Write)
    })
}

/// Writes where the options say; a form without words for the circuit is a
/// matter of usage.
fn print(
    options: &EmitCommand,
    write: impl FnOnce(&mut dyn Write) -> Result<(), EmitError>,
) -> CommandResult<()> {
    // Files are written through a function that knows input and output errors only, so what a
    // form cannot express is kept beside it.
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
                .map_err(CommandFailure::from)
        }
    };
    match inexpressible {
        Some(reason) => Err(CommandFailure::Usage(reason)),
        None => result,
    }
}
