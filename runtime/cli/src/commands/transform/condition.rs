//! `pelton condition`

use super::target;
use crate::arguments::{Condition, Messages};
use crate::exit::Exit;
use crate::number::shown_number;
use crate::{Failure, model, report};
use pelton_compiler::circuit::{Circuit, Event};
use pelton_compiler::lower::ask_given;
use pelton_compiler::transform::{Region, condition};
use pelton_grammar::diagnostic::counted;
use pelton_runtime::parts;
use serde_json::json;

/// Makes the circuit of what is left, given what is known.
pub fn run(options: &Condition, messages: &Messages) -> Result<Exit, Failure> {
    target::check(&options.target)?;
    let checked = match model::checked(&options.model, &options.reading, messages)? {
        Ok(checked) => checked,
        Err(exit) => return Ok(exit),
    };
    let circuit = checked.circuit();
    let Some(event) = event(circuit, &options.event, messages) else {
        return Ok(Exit::Usage);
    };
    let regions = regions(circuit, &event)?;
    let values = circuit.start_values();
    let max_size = options.reading.max_size;
    let found = condition(&checked, &values, &regions, options.keep, max_size)?;
    let kind = match has_points(circuit, &regions) {
        true => "density",
        false => "probability",
    };
    let (log, number) = (found.log_evidence, shown_number(found.log_evidence));
    report::note(&format!("the log-{kind} of what is known is {number}"), messages);
    if found.n_not_kept > 0 {
        let variables = counted(found.n_not_kept, "real variable", "real variables");
        let note = format!("{variables} with an exact value left: points have no indicator");
        report::note(&note, messages);
    }
    let facts = json!({"log_evidence": log, "kind": kind, "parts": regions.len()});
    target::write(&options.target, &found.circuit, facts, &options.reading, messages)
}

/// The event; none if it was not understood, which has been told then.
fn event(circuit: &Circuit, text: &str, messages: &Messages) -> Option<Event> {
    match ask_given(circuit, text) {
        Ok(event) => Some(event),
        Err(wrong) if wrong.found.has_errors() => {
            report::to_stderr(&wrong.found, &wrong.sources, messages);
            None
        }
        Err(_) => {
            let help = "write what is known, such as `wet, temp <= 10`, without `|` and `P( )`";
            report::line(&format!("pelton: `{text}` is not one event; {help}"));
            None
        }
    }
}

/// The parts of an event, which do not overlap.
fn regions(circuit: &Circuit, event: &Event) -> Result<Vec<Region>, Failure> {
    let regions = parts(circuit, event).map_err(|gap| {
        let message = format!("the circuit given this event {gap}");
        Failure::Wrong(message)
    })?;
    match regions.is_empty() {
        true => Err(Failure::Unfit(
            "what is known has probability zero: it holds for no values at all".to_string(),
        )),
        false => Ok(regions),
    }
}

/// Whether exact values of real variables are known.
fn has_points(circuit: &Circuit, regions: &[Region]) -> bool {
    regions.iter().flatten().any(|(&id, set)| {
        !circuit.variable(id).domain.is_discrete() && set.measure() == 0.0
    })
}
