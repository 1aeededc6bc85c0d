//! `pelton smooth`

use super::target;
use crate::arguments::{MessageArguments, SmoothCommand};
use crate::exit::Exit;
use crate::{CommandFailure, model, report};
use pelton_compiler::repair::FillRule;
use pelton_compiler::transform::smooth;
use pelton_grammar::diagnostic::SourceDiagnostics;
use serde_json::json;

/// Fills in what children of sums miss.
pub fn run(options: &SmoothCommand, messages: &MessageArguments) -> Result<Exit, CommandFailure> {
    target::check(&options.target)?;
    let mut analysis_options = model::options(&options.reading);
    // Smoothing while reading would fill in what is to be filled in here.
    analysis_options.smooth = false;
    let analysis = model::analyzed(&options.model, &analysis_options)?;
    let sources = &analysis.program.sources;
    let Some(circuit) = analysis.circuit else {
        report::to_stderr(&analysis.found, sources, messages);
        return Ok(super::super::exit_for(&analysis.found));
    };
    let fill = if options.logic {
        FillRule::Logic
    } else {
        FillRule::Uniform
    };
    let mut found = SourceDiagnostics::new();
    let smoothed = smooth(circuit, fill, &mut found);
    report::to_stderr(&found, sources, messages);
    // What is wrong has been told with its places.
    let Ok(smoothed) = smoothed else {
        return Ok(Exit::Wrong);
    };
    let (before, after) = smoothed.n_edges;
    if before == after {
        report::note("the circuit is smooth as it is", messages);
    }
    let facts = json!({"edges_before": before, "filled": before != after});
    target::write(
        &options.target,
        &smoothed.circuit,
        facts,
        &options.reading,
        messages,
    )
}
