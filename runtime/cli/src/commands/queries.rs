//! `pelton queries`

use super::note_unset;
use crate::arguments::{MessageArguments, QueriesCommand};
use crate::questions::command;
use crate::{CommandResult, Exit, model};
use pelton_compiler::circuit::Property;
use pelton_runtime::tractability::{ExactnessStatus, TABLE, TractabilityRule};
use serde_json::json;
use std::io::Write;

pub fn run(options: &QueriesCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let standings: Vec<Option<ExactnessStatus>> = match &options.model {
        None => vec![None; TABLE.len()],
        Some(path) => {
            let reading = model::deciding(&options.reading, Property::ALL.to_vec());
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
    let text = match standing {
        None => rule.when(),
        Some(standing) => match standing.reason() {
            None => standing.name().to_string(),
            Some(reason) => format!("{}: {reason}", standing.name()),
        },
    };
    writeln!(out, "{:<34} {text}", rule.name)
}
