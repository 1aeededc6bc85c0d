//! `pelton stats`

use super::exit_for;
use crate::arguments::{MessageArguments, StatsCommand};
use crate::exit::Exit;
use crate::{CommandFailure, model, report};
use pelton_compiler::AnalysisOptions;
use pelton_compiler::check::PropertyVerdict;
use pelton_compiler::circuit::Property;
use std::io::Write;

/// Prints sizes and properties.
pub fn run(options: &StatsCommand, messages: &MessageArguments) -> Result<Exit, CommandFailure> {
    let analysis_options = AnalysisOptions {
        decide: Property::ALL.to_vec(),
        ..model::options(&options.reading)
    };
    let analysis = model::analyzed(&options.model, &analysis_options)?;
    report::to_stderr(&analysis.found, &analysis.program.sources, messages);
    let (Some(circuit), Some(facts)) = (&analysis.circuit, &analysis.facts) else {
        return Ok(exit_for(&analysis.found));
    };
    let properties: Vec<(Property, PropertyVerdict)> = Property::ALL
        .into_iter()
        .filter_map(|property| Some((property, facts.verdict(property)?.clone())))
        .collect();
    let stats = pelton_compiler::stats::CircuitStatistics::of(circuit).to_json(&properties);
    let mut out = std::io::stdout().lock();
    if options.json {
        writeln!(out, "{stats}")?;
    } else if let Some(fields) = stats.as_object() {
        for (name, value) in fields.iter().filter(|(_, value)| value.is_number()) {
            writeln!(
                out,
                "{:<16} {:>12}",
                name.replace('_', " "),
                value.to_string()
            )?;
        }
        for (property, verdict) in &properties {
            writeln!(out, "{:<16} {:>12}", property.name(), verdict.name())?;
        }
    }
    Ok(exit_for(&analysis.found))
}
