//! Ten thousand steps: flows of a row whose probability no `f64` can hold.

use pelton_compiler::flow::CircuitFlows;
use pelton_compiler::reference::{EvidenceCell, flows};
use pelton_tests::dice::Dice;
use pelton_tests::text::{circuit, entry};

const STEPS: usize = 10_000;
const START: [f64; 2] = [0.3, 0.7];
const MOVE: [[f64; 2]; 2] = [[0.9, 0.1], [0.2, 0.8]];
const EMIT: [[f64; 3]; 2] = [[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]];

const CHAIN: &str = "
    const T = 10000;
    var x[0..T] : 0..3;
    param start : simplex(2) = [0.3, 0.7];
    param trans[0..2] : simplex(2) = [[0.9, 0.1], [0.2, 0.8]];
    param emit[0..2] : simplex(3) = [[0.6, 0.3, 0.1], [0.1, 0.2, 0.7]];
    node z[t in 0..T, k in 0..2] =
        if t + 1 == T { x[t] ~ categorical(emit[k]) }
        else { x[t] ~ categorical(emit[k]) * sum j in 0..2 { trans[k, j]: z[t + 1, j] } };
    root sum k in 0..2 { start[k]: z[0, k] };";

/// What the forward-backward algorithm says, each step scaled to add up to 1.
struct Expected {
    log_p: f64,
    start: [f64; 2],
    moves: [[f64; 2]; 2],
    emit: [[f64; 3]; 2],
}

fn forward_backward(row: &[usize]) -> Expected {
    let mut forward = vec![[0.0; 2]; row.len()];
    let mut scale = vec![0.0; row.len()];
    for t in 0..row.len() {
        for k in 0..2 {
            let before: f64 = match t {
                0 => START[k],
                _ => (0..2).map(|j| forward[t - 1][j] * MOVE[j][k]).sum(),
            };
            forward[t][k] = before * EMIT[k][row[t]];
        }
        scale[t] = forward[t][0] + forward[t][1];
        forward[t] = forward[t].map(|value| value / scale[t]);
    }
    let mut expected = Expected {
        log_p: scale.iter().map(|s| s.ln()).sum(),
        start: [0.0; 2],
        moves: [[0.0; 2]; 2],
        emit: [[0.0; 3]; 2],
    };
    let mut backward = [1.0; 2];
    for t in (0..row.len()).rev() {
        for k in 0..2 {
            expected.emit[k][row[t]] += forward[t][k] * backward[k];
        }
        let ahead = [0, 1].map(|k| backward[k] * EMIT[k][row[t]] / scale[t]);
        if t == 0 {
            expected.start = [0, 1].map(|k| START[k] * ahead[k]);
            break;
        }
        for j in 0..2 {
            for k in 0..2 {
                expected.moves[j][k] += forward[t - 1][j] * MOVE[j][k] * ahead[k];
            }
        }
        backward = [0, 1].map(|j| MOVE[j][0] * ahead[0] + MOVE[j][1] * ahead[1]);
    }
    expected
}

#[track_caller]
fn close(found: f64, expected: f64) {
    let error = (found - expected).abs() / expected.abs().max(1.0);
    assert!(error < 1e-10, "{found} is not {expected}");
}

#[test]
fn flows_of_ten_thousand_steps() {
    let circuit = circuit(CHAIN);
    let values = circuit.start_values();
    let mut dice = Dice::new(7);
    let row: Vec<usize> = (0..STEPS).map(|_| dice.below(3)).collect();
    let cells: Vec<EvidenceCell> = row.iter().map(|&x| EvidenceCell::Value(x as f64)).collect();
    let found = flows(&circuit, &values, &cells).expect("the row is possible");
    let expected = forward_backward(&row);
    assert!(expected.log_p < -5_000.0);
    close(found.log_value, expected.log_p);
    let mut sum = CircuitFlows::zero(&circuit);
    found.add_to(&mut sum);
    for k in 0..2 {
        close(sum.entries[entry(&circuit, "start") + k], expected.start[k]);
        let (moves, emit) = (format!("trans[{k}]"), format!("emit[{k}]"));
        for j in 0..2 {
            let position = entry(&circuit, &moves) + j;
            close(sum.entries[position], expected.moves[k][j]);
        }
        for value in 0..3 {
            let position = entry(&circuit, &emit) + value;
            close(sum.entries[position], expected.emit[k][value]);
        }
    }
}
