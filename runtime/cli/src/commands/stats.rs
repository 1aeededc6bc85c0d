//! `pelton stats`

use super::exit_for;
use crate::arguments::{MessageArguments, StatsCommand};
use crate::{CommandResult, Exit, model};
use pelton_compiler::check::PropertyVerdict;
use pelton_compiler::circuit::Property;
use std::io::Write;

pub fn run(options: &StatsCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    let analysis_options = model::deciding(&options.circuit.reading, Property::ALL.to_vec());
    let analysis = model::analyzed(&options.circuit.model, &analysis_options)?;
    messages.show(&analysis.found, &analysis.program.sources);
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
