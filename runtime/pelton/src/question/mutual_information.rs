//! `mi`: what some variables tell about others.

use super::answer::{below, kind_of, method_text};
use super::{
    Answered, ArgumentKind, QuestionAnswer, QuestionArgument, QuestionAsked, QuestionRule,
};
use crate::Error;
use pelton_compiler::circuit::{CircuitGraph, VarId};
use pelton_compiler::tractability::QueryKind;
use pelton_compiler::transform::variables_named;
use pelton_runtime::query::{QueryEffort, estimate_mutual_information, mutual_information};
use serde_json::json;

pub(super) const RULE: QuestionRule = QuestionRule {
    name: "mi",
    about: &[
        "Compute the mutual information of two sets of variables",
        "All states of the two sets are visited if they are few. Otherwise it is exact where \
         the variables of either set, and of both, decide what sums choose.",
    ],
    exits: "",
    circuits: &[("MODEL", "The circuit")],
    arguments: &[
        QuestionArgument {
            name: "x",
            value: "X",
            help: "Variables, such as `rain` or `x[0],x[1]`; an array's name stands for all of it",
            kind: ArgumentKind::Required,
        },
        QuestionArgument {
            name: "y",
            value: "Y",
            help: "Other variables",
            kind: ArgumentKind::Required,
        },
        QuestionArgument::SAMPLES,
        QuestionArgument::SEED,
        QuestionArgument::BASE,
    ],
    kind: QueryKind::MutualInformation,
    without_needs: None,
    is_scaled: true,
    answer,
};

fn answer(asked: &QuestionAsked<'_>) -> Answered {
    let (checked, values) = asked.circuits[0];
    let (circuit, base) = (asked.circuit(), asked.arguments.base());
    let first = named(circuit, asked.arguments.text("x"))?;
    let second = named(circuit, asked.arguments.text("y"))?;
    let sets = (&first[..], &second[..]);
    let refused = |error| asked.refused(error);
    if let Some(sampling) = asked.arguments.sampling(asked.effort.n_threads) {
        let found = estimate_mutual_information((checked, values), sets, &sampling);
        let (key, label, found) = (
            "mutual_information",
            "mutual information",
            found.map_err(refused)?,
        );
        return Ok(QuestionAnswer::estimate(key, label, &found, base));
    }
    let QueryEffort {
        limits, n_threads, ..
    } = asked.effort;
    let found = mutual_information(checked, values, sets, limits, *n_threads);
    let found = found.map_err(refused)?;
    let amounts = [
        ("mutual_information", "mutual information", found.nats),
        ("entropy_x", "entropy of X", found.first),
        ("entropy_y", "entropy of Y", found.second),
        ("entropy_xy", "entropy of both", found.both),
    ];
    let rest = json!({
        "unit": base.unit(),
        "kind": kind_of(circuit, &[first, second].concat()),
        "method": found.method.name(),
        "states": found.method.n_states(),
    });
    let lines = amounts.map(|(_, label, nats)| base.line(label, nats));
    let how = below(&method_text(found.method));
    let fields = amounts.map(|(key, _, nats)| (key.to_string(), json!(base.of_nats(nats))));
    let rest = QuestionAnswer::new(rest, &[&lines[..], &[how]].concat());
    Ok(QuestionAnswer {
        fields: fields.into_iter().chain(rest.fields).collect(),
        ..rest
    })
}

/// The variables that a list such as `rain, x[0, 1]` names; the name of an array stands
/// for all of its members.
fn named(circuit: &CircuitGraph, list: &str) -> Result<Vec<VarId>, Error> {
    let names = parts(list);
    Ok(variables_named(circuit, names.iter().map(String::as_str))?)
}

/// The parts of a list between commas that are not in brackets.
fn parts(list: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut is_inside = false;
    for letter in list.chars().filter(|letter| !letter.is_whitespace()) {
        match letter {
            ',' if !is_inside => parts.push(String::new()),
            _ => {
                // Brackets do not nest in names.
                is_inside = letter == '[' || (is_inside && letter != ']');
                if let Some(part) = parts.last_mut() {
                    part.push(letter);
                }
            }
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn commas_in_brackets_do_not_end_a_name() {
        assert_eq!(parts("a, x[0, 1],y[2] "), ["a", "x[0,1]", "y[2]"]);
        assert!(parts(" , ").is_empty());
        assert_eq!(parts("x[0"), ["x[0"]);
    }
}
