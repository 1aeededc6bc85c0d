//! Means, variances, covariances and means of products of functions.

use crate::kit::{checked, close, decisions, of_text, states};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{CircuitGraph, Cut, ParameterValue, ValueSet, VarId};
use pelton_runtime::query::ValueBox;
use pelton_runtime::query::{
    InformationError, ScaledCircuit, covariance, expectation, moments, summary,
};
use pelton_tests::workload::{Shape, workload_of};
use std::collections::BTreeMap;

fn compare(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    evidence: &ValueBox,
    name: &str,
) -> bool {
    let holds = |row: &[f64]| {
        evidence
            .sets()
            .all(|(at, set)| set.contains(row[at.index()]))
    };
    let rows: Vec<(Vec<f64>, f64)> = states(circuit, values)
        .into_iter()
        .filter(|row| holds(&row.0))
        .collect();
    let total: f64 = rows.iter().map(|row| row.1).sum();
    let scaled = match ScaledCircuit::new(circuit, values, evidence) {
        Ok(scaled) => scaled,
        Err(InformationError::Impossible(_)) => {
            assert!(total == 0.0, "{name}");
            return false;
        }
        Err(error) => panic!("{name}: {error}"),
    };
    let mean =
        |f: &dyn Fn(&[f64]) -> f64| rows.iter().map(|(row, p)| p * f(row)).sum::<f64>() / total;
    let found = moments(&scaled, evidence).unwrap();
    let matrix = covariance(&scaled, &found).unwrap();
    for (i, own) in found.variables.iter().enumerate() {
        let at = own.variable.index();
        let m = mean(&|row| row[at]);
        close(own.mean, m, 1e-9, name);
        close(own.variance, mean(&|row| (row[at] - m).powi(2)), 1e-9, name);
        for (j, other) in found.variables.iter().enumerate() {
            let bt = other.variable.index();
            let n = mean(&|row| row[bt]);
            let expected = mean(&|row| (row[at] - m) * (row[bt] - n));
            close(matrix[i][j], expected, 1e-9, name);
        }
    }
    // A product of functions of the first variables.
    let square = |x: f64| x * x + 0.5;
    let decay = |x: f64| (-0.3 * x).exp();
    let functions: [&dyn Fn(f64) -> f64; 2] = [&square, &decay];
    let chosen: BTreeMap<VarId, &dyn Fn(f64) -> f64> = found
        .variables
        .iter()
        .map(|own| own.variable)
        .zip(functions)
        .collect();
    let expected = mean(&|row| {
        chosen
            .iter()
            .map(|(variable, f)| f(row[variable.index()]))
            .product()
    });
    close(
        expectation(&scaled, evidence, &chosen).unwrap(),
        expected,
        1e-9,
        name,
    );
    true
}

#[test]
fn circuits_of_every_kind_against_enumeration() {
    let mut n_compared = 0;
    for seed in 0..200 {
        let work = workload_of(Shape::Soup, seed);
        if pelton_compiler::reference::assignments(&work.circuit, 1 << 10).is_some() {
            let none = ValueBox::default();
            n_compared += usize::from(compare(
                &work.circuit,
                &work.values,
                &none,
                &format!("soup {seed}"),
            ));
        }
    }
    for (seed, checked) in decisions(0..100) {
        let circuit = checked.circuit();
        let mut evidence = ValueBox::default();
        let domain = &circuit.variables()[0].domain;
        let first = domain.first();
        evidence.insert(
            VarId::new(0),
            ValueSet::integers(first as i64, first as i64 + 1),
        );
        let name = format!("decisions {seed}");
        n_compared += usize::from(compare(circuit, &circuit.start_values(), &evidence, &name));
        if circuit.variables().len() > 1 {
            let last = circuit.variables().len() - 1;
            let mut evidence = ValueBox::default();
            evidence.insert(
                VarId::new(last),
                ValueSet::point(circuit.variables()[last].domain.first() + 1.0, true),
            );
            n_compared += usize::from(compare(circuit, &circuit.start_values(), &evidence, &name));
        }
    }
    println!("{n_compared} circuits agree");
    assert!(n_compared > 80, "{n_compared}");
}

fn of(checked: &Checked, evidence: &ValueBox) -> (Vec<(f64, f64)>, Vec<Vec<f64>>) {
    let circuit = checked.circuit();
    let values = circuit.start_values();
    let scaled = ScaledCircuit::new(circuit, &values, evidence).unwrap();
    let found = moments(&scaled, evidence).unwrap();
    let matrix = covariance(&scaled, &found).unwrap();
    let pairs = found.variables.iter().map(|own| (own.mean, own.variance));
    (pairs.collect(), matrix)
}

/// A mixture of densities, by the law of total covariance.
#[test]
fn mixtures_of_densities_by_hand() {
    let checked = of_text(
        "var x, y : real;\nvar n : nat;\nvar sky : {clear, cloudy};\n\
         root 0.25: x ~ normal(1, 2) * y ~ exponential(0.5) * n ~ poisson(3) * sky ~ uniform()\n\
            + 0.75: x ~ normal(5, 1) * y ~ gamma(2, 4) * n ~ geometric(0.25) * sky ~ uniform();\n",
    );
    let (found, matrix) = of(&checked, &ValueBox::default());
    let weights = [0.25, 0.75];
    let means = [[1.0, 2.0, 3.0], [5.0, 0.5, 3.0]];
    let variances = [[4.0, 4.0, 3.0], [1.0, 0.125, 12.0]];
    let total = |f: &dyn Fn(usize) -> f64| weights[0] * f(0) + weights[1] * f(1);
    let mean = |v: usize| total(&|k| means[k][v]);
    assert_eq!(found.len(), 3);
    for v in 0..3 {
        close(found[v].0, mean(v), 1e-12, "mean");
        let variance = total(&|k| variances[k][v] + (means[k][v] - mean(v)).powi(2));
        close(found[v].1, variance, 1e-12, "variance");
        for w in (0..3).filter(|&w| w != v) {
            let expected = total(&|k| (means[k][v] - mean(v)) * (means[k][w] - mean(w)));
            close(matrix[v][w], expected, 1e-12, "covariance");
        }
    }
    // Given an interval, each part is truncated and weighed anew.
    let mut evidence = ValueBox::default();
    let above = ValueSet::between(Cut::before(5.0), Cut::before(f64::INFINITY), false);
    evidence.insert(VarId::new(0), above);
    let (found, _) = of(&checked, &evidence);
    let tail = |z: f64| 0.5 * statistics_erfc(z / 2_f64.sqrt());
    let parts = [0.25 * tail(2.0), 0.75 * 0.5];
    let hazard = |z: f64| (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt() / tail(z);
    let truncated = [1.0 + 2.0 * hazard(2.0), 5.0 + hazard(0.0)];
    let expected = (parts[0] * truncated[0] + parts[1] * truncated[1]) / (parts[0] + parts[1]);
    close(found[0].0, expected, 1e-9, "given an interval");
}

/// The complementary error function by its continued fraction and series.
fn statistics_erfc(x: f64) -> f64 {
    let n = 200_000;
    let (low, high) = (x, x + 12.0);
    let step = (high - low) / f64::from(n);
    let sum: f64 = (0..n)
        .map(|at| {
            let t = low + (f64::from(at) + 0.5) * step;
            (-t * t).exp() * step
        })
        .sum();
    sum * 2.0 / std::f64::consts::PI.sqrt()
}

#[test]
fn large_values_keep_their_spread() {
    let checked = checked(
        of_text("var x, y : real;\nroot 0.5: x ~ normal(1e9, 1) * y ~ normal(1e9, 1) + 0.5: x ~ normal(1000000002, 1) * y ~ normal(1000000002, 1);\n")
            .into_circuit(),
    );
    let (found, matrix) = of(&checked, &ValueBox::default());
    close(found[0].1, 2.0, 1e-9, "variance");
    close(matrix[0][1], 1.0, 1e-9, "covariance");
}

/// Several boxes that exclude each other are one event.
#[test]
fn parts_are_weighed_by_their_masses() {
    for (seed, checked) in decisions(100..200) {
        let circuit = checked.circuit();
        let values = circuit.start_values();
        let domain = circuit.variables()[0].domain.clone();
        let parts = (0..domain.size().unwrap() as i64).map(|at| {
            let mut evidence = ValueBox::default();
            let low = domain.first() as i64 + at;
            evidence.insert(VarId::new(0), ValueSet::integers(low, low + 1));
            evidence
        });
        let parts: Vec<ValueBox> = parts.collect();
        let name = format!("seed {seed}");
        let split = summary(circuit, &values, &parts, true).unwrap();
        let whole = summary(circuit, &values, &[ValueBox::default()], true).unwrap();
        let matrices = (split.covariance.unwrap(), whole.covariance.unwrap());
        for (at, (own, other)) in split.variables.iter().zip(&whole.variables).enumerate() {
            close(own.mean, other.mean, 1e-10, &name);
            close(own.variance, other.variance, 1e-10, &name);
            for (own, other) in matrices.0[at].iter().zip(&matrices.1[at]) {
                close(*own, *other, 1e-10, &name);
            }
        }
        let none = summary(circuit, &values, &[], false);
        assert!(
            matches!(none, Err(InformationError::Impossible(_))),
            "{name}"
        );
    }
}
