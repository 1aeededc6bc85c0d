//! Files as deeprob-kit writes them.

use crate::reading::{circuit, is_close, mass, notes, value};
use pelton_compiler::circuit::Property;

const SOUND: [Property; 3] = [
    Property::Smooth,
    Property::Decomposable,
    Property::Normalized,
];

const NETWORK: &str = r#"{"directed": true, "multigraph": false, "graph": {}, "nodes": [
    {"class": "Sum", "scope": [0, 1], "weights": [0.33333333, 0.66666667], "id": 0},
    {"class": "Product", "scope": [0, 1], "id": 1},
    {"class": "Bernoulli", "scope": [0], "params": {"p": 0.25}, "id": 2},
    {"class": "Gaussian", "scope": [1], "params": {"mean": 1.0, "stddev": 0.5}, "id": 3},
    {"class": "Product", "scope": [0, 1], "id": 4},
    {"class": "Isotonic", "scope": [1], "params": {"densities": [1.0, 2.0], "breaks": [0.0, 1.0, 1.5]}, "id": 5}],
  "links": [{"idx": 0, "source": 1, "target": 0}, {"idx": 1, "source": 4, "target": 0},
    {"idx": 0, "source": 2, "target": 1}, {"idx": 1, "source": 3, "target": 1},
    {"idx": 1, "source": 5, "target": 4}, {"idx": 0, "source": 2, "target": 4}]}"#;

fn normal(x: f64, mean: f64, sd: f64) -> f64 {
    let z = (x - mean) / sd;
    (-0.5 * z * z).exp() / (sd * (2.0 * std::f64::consts::PI).sqrt())
}

#[test]
fn networks_are_read() {
    let circuit = circuit("spn.json", NETWORK, &SOUND);
    let meant = 0.25 * (0.33333333 * normal(1.2, 1.0, 0.5) + 0.66666667 * 1.0);
    let found = value(&circuit, &[1.0, 1.2]);
    assert!(is_close(found, meant), "{found} for {meant}");
    let newer = NETWORK.replace("\"links\"", "\"edges\"");
    assert!(notes("spn.json", &newer).is_empty());
    let rounded = NETWORK.replace("0.66666667", "0.66666666");
    assert!(notes("spn.json", &rounded)[0].ends_with("the largest difference was 1.0e-8"));
}

#[test]
fn categories_are_integers() {
    let text = r#"{"nodes": [
        {"class": "Sum", "scope": [7], "weights": [0.5, 0.5], "id": 0},
        {"class": "Categorical", "scope": [7], "params": {"categories": [3, 1], "probabilities": [0.25, 0.75]}, "id": 1},
        {"class": "Categorical", "scope": [7], "params": {"categories": [0, 1], "probabilities": [0.5, 0.5]}, "id": 2}],
      "links": [{"idx": 0, "source": 1, "target": 0}, {"idx": 1, "source": 2, "target": 0}]}"#;
    let circuit = circuit("spn.json", text, &SOUND);
    assert_eq!(circuit.variables()[0].name, "x[7]");
    assert_eq!(circuit.variables()[0].domain.to_string(), "0..4");
    assert!(is_close(value(&circuit, &[1.0]), 0.625));
    assert!(is_close(value(&circuit, &[2.0]), 0.0));
}

/// P(x0), P(x1 | x0), P(x2 | x0), P(x3 | x2) in logarithms.
fn tables() -> Vec<[[f64; 2]; 2]> {
    let row = |p: f64| [(1.0 - p).ln(), p.ln()];
    vec![
        [row(0.3), row(0.3)],
        [row(0.1), row(0.8)],
        [row(0.5), row(0.25)],
        [row(0.9), row(0.6)],
    ]
}

fn has_the_probabilities_of_the_tree(
    circuit: &pelton_compiler::circuit::CircuitGraph,
    tables: &[[[f64; 2]; 2]],
) {
    assert!(is_close(mass(circuit), 1.0));
    for at in 0..16usize {
        let x: Vec<usize> = (0..4).map(|bit| at >> bit & 1).collect();
        let log = tables[0][0][x[0]]
            + tables[1][x[0]][x[1]]
            + tables[2][x[0]][x[2]]
            + tables[3][x[2]][x[3]];
        let point: Vec<f64> = x.iter().map(|&bit| bit as f64).collect();
        assert!(is_close(value(circuit, &point), log.exp()), "{point:?}");
    }
}

#[test]
fn trees_are_read_as_leaves_and_alone() {
    let tables = tables();
    let sound = [SOUND[0], SOUND[1], SOUND[2], Property::Deterministic];
    let list = serde_json::to_string(&tables).unwrap();
    let leaf = format!(
        r#"{{"nodes": [{{"class": "BinaryCLT", "scope": [0, 1, 2, 3], "params": {{"root": 0, "tree": [-1, 0, 0, 2], "params": {list}}}, "id": 0}}], "links": []}}"#
    );
    let alone: Vec<String> = tables
        .iter()
        .enumerate()
        .map(|(at, table)| {
            format!(
                r#"{{"scope": {at}, "weight": {}, "id": {at}}}"#,
                serde_json::to_string(table).unwrap()
            )
        })
        .collect();
    let alone = format!(
        r#"{{"nodes": [{}], "links": [{{"source": 0, "target": 1}}, {{"source": 0, "target": 2}}, {{"source": 2, "target": 3}}]}}"#,
        alone.join(", ")
    );
    for text in [leaf, alone] {
        has_the_probabilities_of_the_tree(&circuit("clt.json", &text, &sound), &tables);
    }
}
