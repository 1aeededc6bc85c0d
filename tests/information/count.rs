//! Counts.

use crate::kit::{checked, decisions, of_text};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::Domain;
use pelton_compiler::reference::{assignments, positive};
use pelton_runtime::query::{AnswerMethod, InformationError, ModelCount, count, mentioned};
use pelton_runtime::query::{ValueBox, ask_given, given_boxes};
use pelton_tests::workload::{Shape, workload_of};

fn all(checked: &Checked) -> Result<ModelCount, InformationError> {
    count(checked, &[ValueBox::default()], 1)
}

/// Counts under conditions that overlap and exclude values, by structure and by states.
#[test]
fn conditions_against_truth_tables() {
    let mut n_compared = 0;
    for (seed, checked) in decisions(300..500) {
        let circuit = checked.circuit();
        let names: Vec<&str> = circuit
            .variables()
            .iter()
            .map(|v| v.name.as_str())
            .collect();
        if names.len() < 3 || circuit.variables().iter().any(|v| v.domain != Domain::Bool) {
            continue;
        }
        let text = format!("{} || !{} && {}", names[0], names[1], names[2]);
        let event = ask_given(circuit, &text).unwrap();
        let parts = given_boxes(circuit, &event).unwrap();
        let found = count(&checked, &parts, 1).unwrap();
        let root = circuit.root();
        let rows = assignments(circuit, 1 << 20).unwrap();
        let expected = rows.filter(|row| {
            let holds = row[0] == 1.0 || row[1] == 0.0 && row[2] == 1.0;
            holds && positive(circuit, root, row)[root.index()]
        });
        assert_eq!(found.models, expected.count().into(), "seed {seed}: {text}");
        n_compared += 1;
    }
    assert!(n_compared > 10, "{n_compared}");
    let mixture = of_text(
        "var a, b, c : bool;\nroot 0.5: a ~ bernoulli(0.5) * b * c ~ bernoulli(0.5) + 0.5: a * b ~ bernoulli(0.5) * c ~ bernoulli(0.5);\n",
    );
    let event = ask_given(mixture.circuit(), "!(a && b) || c").unwrap();
    let parts = given_boxes(mixture.circuit(), &event).unwrap();
    let found = count(&mixture, &parts, 1).unwrap();
    assert_eq!(found.models, 5_u8.into());
    assert_eq!(found.method, AnswerMethod::Enumeration { n_states: 8 });
}

fn by_truth_table(circuit: &pelton_compiler::circuit::CircuitGraph) -> usize {
    let root = circuit.root();
    let rows = assignments(circuit, 1 << 20).unwrap();
    let n = rows
        .filter(|row| positive(circuit, root, row)[root.index()])
        .count();
    let mentioned = mentioned(circuit);
    let free: u64 = (0..circuit.variables().len())
        .map(pelton_compiler::circuit::VarId::new)
        .filter(|variable| !mentioned.contains(variable))
        .map(|variable| circuit.variable(variable).domain.size().unwrap())
        .product();
    n / free as usize
}

#[test]
fn counts_against_truth_tables() {
    let mut n_compared = 0;
    for (seed, checked) in decisions(0..300) {
        let found = all(&checked).unwrap();
        assert_eq!(found.method, AnswerMethod::Structure, "seed {seed}");
        let expected = by_truth_table(checked.circuit());
        assert_eq!(found.models, expected.into(), "seed {seed}");
        n_compared += 1;
    }
    for seed in 0..100 {
        let circuit = workload_of(Shape::Soup, seed).circuit;
        if assignments(&circuit, 1 << 10).is_some() {
            let checked = checked(circuit);
            let found = all(&checked).unwrap();
            assert_eq!(
                found.models,
                by_truth_table(checked.circuit()).into(),
                "soup {seed}"
            );
            n_compared += 1;
        }
    }
    println!("{n_compared} counts agree");
    assert!(n_compared > 100, "{n_compared}");
}

#[test]
fn counts_have_as_many_digits_as_they_need() {
    let checked = of_text("var x[0..400] : 0..10;\nroot prod i in 0..400 { x[i] ~ uniform() };\n");
    let found = all(&checked).unwrap();
    let digits = found.models.to_string();
    assert_eq!((digits.len(), &digits[..1]), (401, "1"));
}

#[test]
fn infinite_domains_have_no_count() {
    let checked = of_text("var a : bool;\nvar n : nat;\nroot a * n ~ poisson(2);\n");
    let error = all(&checked).unwrap_err().to_string();
    assert!(error.contains("`n` is nat"), "{error}");
}
