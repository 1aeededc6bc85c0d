//! `moments`: means, variances and covariances.

use super::{
    Answered, ArgumentKind, QuestionAnswer, QuestionArgument, QuestionAsked, QuestionRule,
    shown_number,
};
use pelton_compiler::circuit::{CircuitGraph, Domain, mentioned};
use pelton_compiler::tractability::QueryKind;
use pelton_grammar::diagnostic::counted;
use pelton_runtime::query::{MomentSummary, VariableMoments, summary};
use serde_json::{Map, Value, json};

pub(super) const RULE: QuestionRule = QuestionRule {
    name: "moments",
    about: &[
        "Compute means, variances and covariances of variables",
        "Exact for every circuit. Truth values count as 0 and 1; variables with categories \
         have no moments and are left out.",
    ],
    exits: "",
    circuits: &[("MODEL", "The circuit")],
    arguments: &[
        QuestionArgument::GIVEN,
        QuestionArgument {
            name: "covariance",
            value: "",
            help: "Show covariances of all pairs of variables too",
            kind: ArgumentKind::Flag(None),
        },
    ],
    kind: QueryKind::Moments,
    without_needs: None,
    is_scaled: true,
    answer,
};

fn answer(asked: &QuestionAsked<'_>) -> Answered {
    let (circuit, values) = (asked.circuit(), asked.circuits[0].1);
    let parts = asked.arguments.given_boxes(circuit)?;
    let with_covariances = asked.arguments.is_set("covariance");
    let found = summary(circuit, values, &parts, with_covariances);
    let found = found.map_err(|error| asked.refused(error))?;
    let own = |own: &VariableMoments| (circuit.variable(own.variable).name.clone(), numbers(own));
    let all: Vec<(String, Map<String, Value>)> = found.variables.iter().map(own).collect();
    let (fields, records) = match &found.covariance {
        Some(matrix) => (matrix_json(circuit, &found, matrix), None),
        None => {
            let record = |(name, own): &(String, Map<String, Value>)| {
                let mut record = Map::from_iter([("variable".to_string(), json!(name))]);
                record.extend(own.clone());
                record
            };
            let records = all.iter().map(record).collect();
            (
                json!({"moments": Map::from_iter(all.into_iter().map(|(name, own)| (name, own.into())))}),
                Some(records),
            )
        }
    };
    let answer = QuestionAnswer::new(fields, &lines(circuit, &found));
    let notes = note_categories(circuit).into_iter().collect();
    Ok(QuestionAnswer {
        records,
        notes,
        ..answer
    })
}

/// Categories have no mean; it is said that they are left out.
fn note_categories(circuit: &CircuitGraph) -> Option<String> {
    let is_category = |&&at: &&_| matches!(circuit.variable(at).domain, Domain::Categories(_));
    let n = mentioned(circuit).iter().filter(is_category).count();
    let variables = counted(n, "variable has", "variables have");
    (n > 0).then(|| format!("{variables} categories, which have no moments"))
}

/// Mean, variance and standard deviation; null where they are not finite.
fn numbers(own: &VariableMoments) -> Map<String, Value> {
    let (mean, variance) = (own.mean, own.variance);
    let fields = [
        ("mean", mean),
        ("variance", variance),
        ("sd", variance.sqrt()),
    ];
    let fields = fields.into_iter();
    fields
        .map(|(key, value)| (key.to_string(), json!(value)))
        .collect()
}

fn matrix_json(circuit: &CircuitGraph, found: &MomentSummary, matrix: &[Vec<f64>]) -> Value {
    let own = || found.variables.iter();
    json!({
        "variables": own().map(|own| &circuit.variable(own.variable).name).collect::<Vec<_>>(),
        "mean": own().map(|own| own.mean).collect::<Vec<_>>(),
        "variance": own().map(|own| own.variance).collect::<Vec<_>>(),
        "covariance": matrix,
    })
}

fn lines(circuit: &CircuitGraph, found: &MomentSummary) -> Vec<String> {
    let names = found
        .variables
        .iter()
        .map(|own| &circuit.variable(own.variable).name);
    let names: Vec<&String> = names.collect();
    let longest = names.iter().map(|name| name.chars().count()).max();
    let width = longest.unwrap_or(0).max("variable".len());
    let row = |name: &str, numbers: &[f64]| {
        let numbers = numbers.iter().map(|&x| format!(" {:>14}", shown_number(x)));
        format!("{name:<width$}{}", numbers.collect::<String>())
    };
    let (mean, variance, sd) = ("mean", "variance", "sd");
    let mut lines = vec![format!(
        "{:<width$} {mean:>14} {variance:>14} {sd:>14}",
        "variable"
    )];
    let all = || found.variables.iter().zip(&names);
    lines
        .extend(all().map(|(own, name)| row(name, &[own.mean, own.variance, own.variance.sqrt()])));
    if let Some(matrix) = &found.covariance {
        lines.push("\ncovariance".to_string());
        lines.extend(names.iter().zip(matrix).map(|(name, own)| row(name, own)));
    }
    lines
}
