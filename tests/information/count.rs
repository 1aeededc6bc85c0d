//! Counts.

use crate::kit::{checked, decisions, of_text};
use pelton_compiler::evaluate::{assignments, positive};
use pelton_runtime::information::{Method, count, mentioned};
use pelton_tests::workload::{Shape, workload_of};

fn by_truth_table(circuit: &pelton_compiler::circuit::Circuit) -> usize {
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
        let found = count(&checked, 1).unwrap();
        assert_eq!(found.method, Method::Structure, "seed {seed}");
        let expected = by_truth_table(checked.circuit());
        assert_eq!(found.models, expected.into(), "seed {seed}");
        n_compared += 1;
    }
    for seed in 0..100 {
        let circuit = workload_of(Shape::Soup, seed).circuit;
        if assignments(&circuit, 1 << 10).is_some() {
            let checked = checked(circuit);
            let found = count(&checked, 1).unwrap();
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
    let found = count(&checked, 1).unwrap();
    let digits = found.models.to_string();
    assert_eq!((digits.len(), &digits[..1]), (401, "1"));
}

#[test]
fn infinite_domains_have_no_count() {
    let checked = of_text("var a : bool;\nvar n : nat;\nroot a * n ~ poisson(2);\n");
    let error = count(&checked, 1).unwrap_err().to_string();
    assert!(error.contains("`n` is nat"), "{error}");
}
