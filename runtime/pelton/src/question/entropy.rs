//! `entropy`: of a circuit, or of what is left of it given an event.

use super::answer::{below, kind_of, method_text};
use super::{
    Answered, ArgumentKind, NoAnswer, QuestionAnswer, QuestionArgument, QuestionAsked, QuestionRule,
};
use pelton_compiler::circuit::mentioned;
use pelton_compiler::tractability::QueryKind;
use pelton_runtime::query::{self, AnswerMethod, Entropy, estimate_entropy, joint_entropy};
use serde_json::json;

pub(super) const RULE: QuestionRule = QuestionRule {
    name: "entropy",
    about: &[
        "Compute the entropy of a circuit",
        "Exact for circuits that are proven deterministic, in one pass. For others all states \
         are visited if they are few; otherwise the answer is the reason why there is none. \
         Weights need not add up to 1: the circuit counts as scaled. With real variables it \
         is a differential entropy.",
    ],
    exits: "Exit codes: 0 ok, 1 the circuit is wrong or does not allow it, 2 a file cannot be \
            read, 3 the circuit is zero everywhere, 4 a result is not a number.",
    circuits: &[("MODEL", "The circuit")],
    arguments: &[
        QuestionArgument {
            help: "Condition on this evidence, such as 'wet, temp <= 10', and measure what is left",
            ..QuestionArgument::GIVEN
        },
        QuestionArgument {
            name: "joint",
            value: "",
            help: "Measure the entropy of the variables and of the choices that sums make, \
                   together; for a circuit that is not deterministic more than that of the \
                   variables, and always exact",
            kind: ArgumentKind::Flag(Some("samples")),
        },
        QuestionArgument::SAMPLES,
        QuestionArgument::SEED,
        QuestionArgument::BASE,
    ],
    kind: QueryKind::Entropy,
    without_needs: None,
    is_scaled: true,
    answer,
};

fn answer(asked: &QuestionAsked<'_>) -> Answered {
    let (checked, values) = asked.circuits[0];
    let event = asked.arguments.given(asked.circuit())?;
    let is_given = event.variables().next().is_some();
    // 1. With evidence the circuit of what is left is asked; a single point has entropy 0.
    let left = is_given.then(|| query::given(checked, values, &event, asked.effort));
    let left = match left.transpose().map_err(|error| asked.refused(error))? {
        Some(None) => {
            let nothing = Entropy {
                nats: 0.0,
                method: AnswerMethod::Structure,
            };
            return Ok(exact(asked, nothing, "shannon", is_given));
        }
        left => left.flatten(),
    };
    let left_values = left
        .as_ref()
        .map(|left| left.checked.circuit().start_values());
    // The circuit whose entropy is asked for, which a refusal speaks of.
    let checked = left.as_ref().map_or(checked, |left| &left.checked);
    let values = left_values.as_deref().unwrap_or(values);
    let circuit = checked.circuit();
    let refused = |error| NoAnswer::of(error, &[circuit]);
    // 2. By samples where they are asked for.
    if let Some(sampling) = asked.arguments.sampling(asked.effort.n_threads) {
        let found = estimate_entropy((checked, values), &sampling).map_err(refused)?;
        let base = asked.arguments.base();
        return Ok(QuestionAnswer::estimate("entropy", "entropy", &found, base));
    }
    // 3. Exactly, which is an error where the structure does not allow it.
    let found = match &left {
        _ if asked.arguments.is_set("joint") => {
            joint_entropy(circuit, values).map(|nats| Entropy {
                nats,
                method: AnswerMethod::Structure,
            })
        }
        Some(left) => left.entropy(asked.effort.n_threads),
        None => query::entropy(checked, values, asked.effort.n_threads),
    };
    let kind = kind_of(circuit, &mentioned(circuit));
    Ok(exact(asked, found.map_err(refused)?, kind, is_given))
}

fn exact(asked: &QuestionAsked<'_>, found: Entropy, kind: &str, is_given: bool) -> QuestionAnswer {
    let (base, given) = (asked.arguments.base(), asked.arguments.text("given"));
    let is_joint = asked.arguments.is_set("joint");
    let of = if is_joint {
        "variables and choices"
    } else {
        "variables"
    };
    let mut fields = json!({
        "entropy": base.of_nats(found.nats),
        "unit": base.unit(),
        "kind": kind,
        "of": of,
        "method": found.method.name(),
        "states": found.method.n_states(),
    });
    let mut whose = String::new();
    if is_given {
        fields["given"] = json!(given);
        whose = format!(" given {given}");
    }
    let label = match kind {
        "differential" => "differential entropy",
        _ => "entropy",
    };
    let how = below(&format!("of {of}{whose}; {}", method_text(found.method)));
    QuestionAnswer::new(fields, &[base.line(label, found.nats), how])
}
