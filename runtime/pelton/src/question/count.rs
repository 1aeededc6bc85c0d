//! `count`: for how many inputs a circuit is positive, or what these weigh.

use super::{
    Answered, ArgumentKind, QuestionAnswer, QuestionArgument, QuestionAsked, QuestionRule,
    shown_number,
};
use pelton_compiler::evidence::ValueBox;
use pelton_compiler::leaf::log_sum_exp;
use pelton_compiler::tractability::QueryKind;
use pelton_runtime::query::{ScaledCircuit, count, log_mass};
use serde_json::json;

pub(super) const RULE: QuestionRule = QuestionRule {
    name: "count",
    about: &[
        "Count the inputs for which a circuit is positive",
        "Fixed zeros count, learned numbers are taken as positive. Exact for circuits over \
         finite domains that are proven deterministic, with all digits; for others all states \
         are visited if they are few.",
    ],
    exits: "",
    circuits: &[("MODEL", "The circuit")],
    arguments: &[
        QuestionArgument {
            help: "Count only inputs for which this holds, such as 'rain || !wet'",
            ..QuestionArgument::GIVEN
        },
        QuestionArgument {
            name: "weighted",
            value: "",
            help: "Compute the mass of all inputs, by the weights, instead of their number",
            kind: ArgumentKind::Flag(None),
        },
    ],
    kind: QueryKind::ModelCount,
    without_needs: Some("weighted"),
    is_scaled: false,
    answer,
};

fn answer(asked: &QuestionAsked<'_>) -> Answered {
    let (checked, values) = asked.circuits[0];
    let parts = asked.arguments.given_boxes(asked.circuit())?;
    if !asked.arguments.is_set("weighted") {
        let found = count(checked, &parts, asked.effort.n_threads);
        let found = found.map_err(|error| asked.refused(error))?;
        // As text: most readers of JSON round large numbers.
        let models = found.models.to_string();
        let (method, states) = (found.method.name(), found.method.n_states());
        let fields = json!({"models": models, "method": method, "states": states});
        return Ok(QuestionAnswer::new(fields, &[models]));
    }
    // What is zero or infinite as a whole is told as such.
    let whole = ScaledCircuit::new(asked.circuit(), values, &ValueBox::default());
    whole.map_err(|error| asked.refused(error))?;
    // The parts exclude each other, so that their masses add up.
    let log = log_sum_exp(
        parts
            .iter()
            .map(|part| log_mass(asked.circuit(), values, part)),
    );
    let is_zero = log == f64::NEG_INFINITY;
    let mass = Some(log.exp()).filter(|mass| mass.is_finite() && (is_zero || *mass > 0.0));
    let text = mass.map_or_else(|| format!("exp({})", shown_number(log)), shown_number);
    let fields = json!({"mass": mass, "log": log.is_finite().then_some(log)});
    Ok(QuestionAnswer::new(fields, &[text]))
}
