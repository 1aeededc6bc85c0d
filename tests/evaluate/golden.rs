//! Two small circuits whose flows were computed elsewhere, at 50 digits.

use pelton_compiler::circuit::{CircuitGraph, ParameterValue};
use pelton_compiler::flow::CircuitFlows;
use pelton_compiler::reference::{EvidenceCell, complete, flows, support_flows};
use pelton_tests::text::{circuit, entry};

const DETERMINISTIC: &str = "
    var x[0..3] : bool;
    param r : simplex(3) = [0.5, 0.2, 0.3];
    param s : simplex(2) = [0.3, 0.7];
    node both = s[0]: x[2] + s[1]: !x[2];
    root r[0]: x[0] * x[1] * both + r[1]: x[0] * !x[1] * x[2] + r[2]: !x[0] * x[1] * both;
    assert root is deterministic;";

const ROWS: [[f64; 3]; 5] = [
    [1.0, 1.0, 1.0],
    [1.0, 0.0, 1.0],
    [0.0, 1.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
];

const TREE: &str = "
    var x[0..3] : bool;
    param b0[0..2] : unit = [0.25, 0.8];
    param b1[0..2] : unit = [0.9, 0.35];
    param b2[0..2] : unit = [0.15, 0.6];
    param r : simplex(2) = [0.45, 0.55];
    param z[0..2] : simplex(2) = [[0.7, 0.3], [0.2, 0.8]];
    node q[j in 0..2] = x[1] ~ bernoulli(b1[j]) * x[2] ~ bernoulli(b2[j]);
    node hidden[k in 0..2] = sum j in 0..2 { z[k, j]: q[j] };
    root sum k in 0..2 { r[k]: x[0] ~ bernoulli(b0[k]) * hidden[k] };";

/// A `bool` that was observed, and is what was observed with probability `beta`.
fn softened(x: f64, beta: f64) -> EvidenceCell {
    if x > 0.0 {
        EvidenceCell::Soft(vec![1.0 - beta, beta])
    } else {
        EvidenceCell::Soft(vec![beta, 1.0 - beta])
    }
}

#[track_caller]
fn close(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() < 1e-14,
        "{found} is not {expected}"
    );
}

#[test]
fn softened_flows_of_the_deterministic_circuit() {
    let expected = [
        (1.0, [2.0, 1.0, 1.0], [1.0, 2.0], 4.0),
        (0.9, [1.81, 0.901, 1.09], [1.17, 1.73], 3.801),
        (
            0.996,
            [1.992016, 0.996000064, 1.003984],
            [1.007952, 1.988048],
            3.992000064,
        ),
    ];
    let circuit = circuit(DETERMINISTIC);
    let values = circuit.start_values();
    for (beta, r, s, total) in expected {
        let mut sum = CircuitFlows::zero(&circuit);
        let mut entered = 0.0;
        for row in ROWS {
            let cells = row.map(|x| softened(x, beta));
            let row = support_flows(&circuit, &values, &cells);
            entered += row.contexts[circuit.root().index()];
            row.add_to(&mut sum);
        }
        close(entered, total);
        for (at, flow) in r.into_iter().enumerate() {
            close(sum.entries[entry(&circuit, "r") + at], flow);
        }
        for (at, flow) in s.into_iter().enumerate() {
            close(sum.entries[entry(&circuit, "s") + at], flow);
        }
    }
}

#[test]
fn weights_do_not_matter_to_support_flows() {
    let circuit = circuit(DETERMINISTIC);
    let other: Vec<ParameterValue> = circuit
        .start_values()
        .iter()
        .map(|value| ParameterValue::Log(value.log() * 3.0))
        .collect();
    for row in ROWS {
        let cells = row.map(|x| softened(x, 0.7));
        let both = [&circuit.start_values(), &other]
            .map(|values| support_flows(&circuit, values, &cells).contexts);
        assert_eq!(both[0], both[1]);
    }
}

/// The flow through the entry of a parameter; `index` of a `unit` is its value.
fn flow(circuit: &CircuitGraph, flows: &CircuitFlows, name: &str, index: usize) -> f64 {
    flows.entries[entry(circuit, name) + index]
}

fn row_flows(circuit: &CircuitGraph, cells: &[EvidenceCell]) -> (f64, CircuitFlows) {
    let values = circuit.start_values();
    let row = flows(circuit, &values, cells).expect("the row is possible");
    let mut sum = CircuitFlows::zero(circuit);
    row.add_to(&mut sum);
    (row.log_value.exp(), sum)
}

#[test]
fn expected_flows_of_the_latent_tree() {
    let circuit = circuit(TREE);
    let (p, found) = row_flows(&circuit, &EvidenceCell::row(&[1.0, 0.0, 1.0]));
    close(p, 0.15294375);
    close(flow(&circuit, &found, "r", 0), 0.0937844795880839);
    close(flow(&circuit, &found, "z[0]", 0), 0.00772342773078338);
    close(flow(&circuit, &found, "z[1]", 1), 0.897584896407993);
    close(flow(&circuit, &found, "b0[1]", 1), 0.906215520411916);
    close(flow(&circuit, &found, "b0[1]", 0), 0.0);
    close(flow(&circuit, &found, "b1[0]", 0), 0.0163540517347064);

    let cells = [1.0, 0.0, 1.0].map(|x| softened(x, 0.9));
    let (p, found) = row_flows(&circuit, &cells);
    close(p, 0.1386152);
    close(flow(&circuit, &found, "b0[0]", 1), 0.0990475791976637);
    close(flow(&circuit, &found, "b0[0]", 0), 0.0330158597325546);
    close(flow(&circuit, &found, "b1[1]", 0), 0.896133540910376);
    close(flow(&circuit, &found, "b2[1]", 0), 0.0654998874582297);
    close(flow(&circuit, &found, "z[1]", 0), 0.0232545925699346);

    let (p, found) = row_flows(&circuit, &EvidenceCell::row(&[0.0, f64::NAN, 1.0]));
    close(p, 0.1522875);
    close(flow(&circuit, &found, "b1[0]", 1), 0.228933760157597);
    close(flow(&circuit, &found, "b1[0]", 0), 0.0254370844619552);
    close(flow(&circuit, &found, "b1[1]", 1), 0.260970204383157);
    close(flow(&circuit, &found, "z[0]", 1), 0.398916523023886);
}

#[test]
fn impossible_rows_have_no_flows() {
    let circuit = circuit(DETERMINISTIC);
    let values = circuit.start_values();
    let cells = EvidenceCell::row(&[0.0, 0.0, 1.0]);
    assert!(flows(&circuit, &values, &cells).is_none());
    let row = support_flows(&circuit, &values, &cells);
    assert_eq!(row.log_value, f64::NEG_INFINITY);
    assert!(row.contexts.iter().all(|&context| context == 0.0));
    let completion = complete(&circuit, &values, &EvidenceCell::row(&[0.0, 0.0, f64::NAN]));
    assert_eq!(completion.log_value, f64::NEG_INFINITY);
    assert!(completion.values[2].is_nan());
}

#[test]
fn completions_by_hand() {
    let circuit = circuit(DETERMINISTIC);
    let values = circuit.start_values();
    let of = |row: &[f64]| complete(&circuit, &values, &EvidenceCell::row(row));
    let free = of(&[f64::NAN; 3]);
    close(free.log_value.exp(), 0.35);
    assert_eq!(free.values, [1.0, 1.0, 0.0]);
    let given = of(&[1.0, f64::NAN, 1.0]);
    // 0.5 * 0.3 against 0.2.
    close(given.log_value.exp(), 0.2);
    assert_eq!(given.values, [1.0, 0.0, 1.0]);
    let soft = [
        EvidenceCell::Missing,
        EvidenceCell::Value(1.0),
        EvidenceCell::Soft(vec![0.1, 0.8]),
    ];
    let soft = complete(&circuit, &values, &soft);
    close(soft.log_value.exp(), 0.5 * 0.3 * 0.8);
    assert_eq!(soft.values, [1.0, 1.0, 1.0]);
}
