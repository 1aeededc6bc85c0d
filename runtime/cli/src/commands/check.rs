//! `pelton check`

use super::exit_for;
use crate::arguments::{CheckCommand, MessageArguments, MessageFormat};
use crate::{CommandResult, Exit, model, report};
use pelton_compiler::check::PropertyVerdict;
use pelton_compiler::circuit::{CircuitGraph, Property};
use pelton_compiler::{Analysis, AnalysisOptions};
use pelton_grammar::diagnostic::{Severity, counted};
use pelton_runtime::QueryAnswer;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

/// Checks every model; the worst outcome decides the exit code.
pub fn run(options: &CheckCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    let analysis_options = AnalysisOptions {
        decide: Property::ALL.to_vec(),
        assert: options.assert.clone(),
        strict: options.strict,
        ..model::options(&options.reading)
    };
    let mut exit = Exit::Ok;
    for path in &options.models {
        let outcome = match model::analyzed(path, &analysis_options) {
            Ok(analysis) => show(&analysis, path, options, messages)?,
            Err(failure) => failure.report(messages),
        };
        exit = exit.max(outcome);
    }
    Ok(exit)
}

fn show(
    analysis: &Analysis,
    path: &Path,
    options: &CheckCommand,
    messages: &MessageArguments,
) -> CommandResult<Exit> {
    let mut out = std::io::stdout().lock();
    let sources = &analysis.program.sources;
    if options.json || messages.message_format == MessageFormat::Json {
        // What a check finds is its result, so programs get it on standard output.
        let messages = MessageArguments {
            message_format: MessageFormat::Json,
            ..messages.clone()
        };
        report::diagnostics(&analysis.found, sources, &messages, &mut out)?;
        writeln!(out, "{}", summary(analysis, path))?;
    } else {
        messages.show(&analysis.found, sources);
        if !messages.quiet {
            tell(analysis, path, &mut out)?;
        }
    }
    Ok(exit_for(&analysis.found))
}

fn summary(analysis: &Analysis, path: &Path) -> Value {
    let count = |severity| analysis.found.count(severity);
    let mut summary =
        json!({"errors": count(Severity::Error), "warnings": count(Severity::Warning)});
    for property in Property::ALL {
        let facts = analysis.facts.as_ref();
        let verdict = facts.and_then(|facts| Some(facts.verdict(property)?.name()));
        summary[property.name()] = verdict.into();
    }
    let answers: Vec<Value> = answers(analysis).iter().map(QueryAnswer::to_json).collect();
    json!({"file": path.display().to_string(), "summary": summary, "queries": answers})
}

/// Answers to the file's queries, where every parameter has a value.
fn answers(analysis: &Analysis) -> Vec<QueryAnswer> {
    match &analysis.circuit {
        Some(circuit) if !analysis.found.has_errors() => pelton_runtime::answer_all(circuit),
        _ => Vec::new(),
    }
}

/// Prints the outcome, the verdict on each property and the answers to the file's queries.
pub(super) fn tell(analysis: &Analysis, path: &Path, out: &mut dyn Write) -> std::io::Result<()> {
    let out = &mut report::VisibleWriter(out);
    let errors = analysis.found.count(Severity::Error);
    let warnings = analysis.found.count(Severity::Warning);
    let outcome = match (errors, warnings) {
        (0, 0) => "ok".to_string(),
        (0, n) => format!("ok, {}", counted(n, "warning", "warnings")),
        (n, 0) => counted(n, "error", "errors"),
        (n, m) => format!(
            "{}, {}",
            counted(n, "error", "errors"),
            counted(m, "warning", "warnings")
        ),
    };
    write!(out, "{}: {outcome}", path.display())?;
    let Some(circuit) = &analysis.circuit else {
        return writeln!(out);
    };
    writeln!(
        out,
        " ({}, {}, {})",
        counted(circuit.variables().len(), "variable", "variables"),
        counted(circuit.n_units(), "unit", "units"),
        counted(circuit.n_edges(), "edge", "edges"),
    )?;
    for property in Property::ALL {
        if let Some(facts) = &analysis.facts
            && let Some(verdict) = facts.verdict(property)
        {
            let reason = reason(circuit, verdict);
            writeln!(out, "  {:<14}{}{reason}", property.name(), verdict.name())?;
        }
    }
    for answer in answers(analysis) {
        writeln!(out, "  {answer}")?;
    }
    Ok(())
}

/// Why a property was not proven, in a few words.
fn reason(circuit: &CircuitGraph, verdict: &PropertyVerdict) -> String {
    match verdict {
        PropertyVerdict::Proven => String::new(),
        PropertyVerdict::Unknown(reason) => format!(" ({reason})"),
        PropertyVerdict::Refuted(why) => {
            let known = circuit.variables().iter().zip(&why.witness);
            let shown: Vec<String> = known
                .filter(|(_, value)| !value.is_nan())
                .take(4)
                .map(|(variable, &value)| {
                    format!("{} = {}", variable.name, variable.domain.witness(value))
                })
                .collect();
            let witness = if shown.is_empty() {
                String::new()
            } else {
                format!(": {}", shown.join(", "))
            };
            format!(" ({}{witness})", circuit.describe(why.unit))
        }
    }
}
