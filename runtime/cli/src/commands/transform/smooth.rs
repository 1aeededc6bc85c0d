//! `pelton smooth`

use super::target;
use crate::arguments::{MessageArguments, SmoothCommand};
use crate::{CommandResult, Exit, model};
use pelton_compiler::repair::FillRule;
use pelton_compiler::transform::smooth;
use pelton_grammar::diagnostic::SourceDiagnostics;
use serde_json::json;

pub fn run(options: &SmoothCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    target::check(&options.target)?;
    let mut analysis_options = model::options(&options.circuit.reading);
    // Smoothing while reading would fill in what is to be filled in here.
    analysis_options.smooth = false;
    let analysis = model::analyzed(&options.circuit.model, &analysis_options)?;
    let sources = &analysis.program.sources;
    let Some(circuit) = analysis.circuit else {
        messages.show(&analysis.found, sources);
        return Ok(super::super::exit_for(&analysis.found));
    };
    let fill = if options.logic {
        FillRule::Logic
    } else {
        FillRule::Uniform
    };
    let mut found = SourceDiagnostics::new();
    let smoothed = smooth(circuit, fill, &mut found);
    messages.show(&found, sources);
    // What is wrong has been told with its places.
    let Ok(smoothed) = smoothed else {
        return Ok(Exit::Wrong);
    };
    let (before, after) = smoothed.n_edges;
    if before == after {
        messages.note("the circuit is smooth as it is");
    }
    let facts = json!({"edges_before": before, "filled": before != after});
    target::write(
        &options.target,
        &smoothed.circuit,
        facts,
        &options.circuit.reading,
        messages,
    )
}
