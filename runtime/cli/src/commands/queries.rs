//! `pelton queries`

use super::note_unset;
use crate::arguments::{MessageArguments, QueriesCommand};
use crate::exit::Exit;
use crate::questions::command;
use crate::{CommandFailure, model};
use pelton_compiler::AnalysisOptions;
use pelton_compiler::circuit::Property;
use pelton_runtime::tractability::{ExactnessStatus, TABLE, TractabilityRule};
use serde_json::json;
use std::io::Write;

/// Prints which questions have exact answers, in general or for one circuit.
pub fn run(options: &QueriesCommand, messages: &MessageArguments) -> Result<Exit, CommandFailure> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let standings: Vec<Option<ExactnessStatus>> = match &options.model {
        None => vec![None; TABLE.len()],
        Some(path) => {
            let reading = AnalysisOptions {
                decide: Property::ALL.to_vec(),
                ..model::options(&options.reading)
            };
            let checked = model::opened_with(path, &reading, messages)?.checked;
            let (circuit, facts) = (checked.circuit(), checked.facts());
            note_unset(circuit, messages);
            let standings = TABLE.iter().map(|rule| rule.kind.standing(circuit, facts));
            standings.map(Some).collect()
        }
    };
    for (rule, standing) in TABLE.iter().zip(&standings) {
        if options.json {
            writeln!(out, "{}", to_json(rule, standing.as_ref()))?
        } else {
            tell(rule, standing.as_ref(), &mut out)?
        }
    }
    out.flush()?;
    Ok(Exit::Ok)
}

fn to_json(rule: &TractabilityRule, standing: Option<&ExactnessStatus>) -> serde_json::Value {
    let needs: Vec<String> = rule.needs.iter().map(|need| need.text()).collect();
    let mut object = json!({
        "query": rule.name,
        "command": command(rule.kind),
        "needs": needs,
        "cost": rule.cost,
        "otherwise": rule.otherwise,
    });
    if let Some(standing) = standing {
        object["standing"] = json!(standing.name());
        object["reason"] = json!(standing.reason());
    }
    object
}

fn tell(
    rule: &TractabilityRule,
    standing: Option<&ExactnessStatus>,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let name = rule.name;
    match standing {
        None => writeln!(out, "{name:<34} {}", rule.when()),
        Some(standing) => match standing.reason() {
            None => writeln!(out, "{name:<34} {}", standing.name()),
            Some(reason) => writeln!(out, "{name:<34} {}: {reason}", standing.name()),
        },
    }
}
