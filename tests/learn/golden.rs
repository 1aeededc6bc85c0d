//! Values that were computed by other means, to many digits.

use super::kit::*;
use pelton_runtime::learn::{LearnOptions, Method, entropy};

/// Deterministic, with a shared sum.
const SHARED: &str = "
    var x0, x1, x2 : bool;
    param r : simplex(3) = ?[0.5, 0.2, 0.3];
    param s : simplex(2) = ?[0.3, 0.7];
    node shared = s[0]: x2 + s[1]: !x2;
    root r[0]: x0 * x1 * shared + r[1]: x0 * !x1 * x2 + r[2]: !x0 * x1 * shared;
";

const ROWS: [&[f64]; 5] = [
    &[1.0, 1.0, 1.0],
    &[1.0, 0.0, 1.0],
    &[0.0, 1.0, 0.0],
    &[1.0, 1.0, 0.0],
    &[0.0, 0.0, 1.0],
];

fn closed_form(pseudocount: f64, softness: f64, entropy: f64) -> LearnOptions {
    LearnOptions {
        method: Some(Method::Mle),
        pseudocount,
        softness,
        entropy,
        ..LearnOptions::default()
    }
}

#[test]
fn the_most_likely_parameters_are_shares_of_flows() {
    let model = model(SHARED);
    let rows = table(model.circuit(), &ROWS);
    let learned = fit(&model, &rows, &closed_form(0.0, 0.0, 0.0)).expect("learns");
    assert_close(&named(&model, &learned, "r"), &[0.5, 0.25, 0.25], 1e-12);
    assert_close(
        &named(&model, &learned, "s"),
        &[1.0 / 3.0, 2.0 / 3.0],
        1e-12,
    );
    assert_eq!(learned.report.train.n_zero, 1);
}

#[test]
fn pseudocounts_are_spread_over_children() {
    let model = model(SHARED);
    let rows = table(model.circuit(), &ROWS);
    let learned = fit(&model, &rows, &closed_form(0.6, 0.0, 0.0)).expect("learns");
    let wanted = [2.2 / 4.6, 1.2 / 4.6, 1.2 / 4.6];
    assert_close(&named(&model, &learned, "r"), &wanted, 1e-12);
    assert_close(
        &named(&model, &learned, "s"),
        &[1.3 / 3.6, 2.3 / 3.6],
        1e-12,
    );
}

#[test]
fn softened_parameters_are_those_of_the_enumerated_data() {
    let model = model(SHARED);
    let rows = table(model.circuit(), &ROWS);
    let learned = fit(&model, &rows, &closed_form(0.0, 0.1, 0.0)).expect("learns");
    let root = [0.4761904761905, 0.2370428834517, 0.2867666403578];
    assert_close(&named(&model, &learned, "r"), &root, 1e-12);
    let shared = [0.4034482758621, 0.5965517241379];
    assert_close(&named(&model, &learned, "s"), &shared, 1e-12);
    let learned = fit(&model, &rows, &closed_form(0.0, 0.004, 0.0)).expect("learns");
    let root = [0.4990019960080, 0.2494990100281, 0.2514989939639];
    assert_close(&named(&model, &learned, "r"), &root, 1e-12);
}

#[test]
fn entropy_regularization_reaches_the_optimum() {
    let model = model(SHARED);
    let rows = table(model.circuit(), &ROWS[..4]);
    let learned = fit(&model, &rows, &closed_form(0.0, 0.0, 0.3)).expect("learns");
    let root = [0.47775706510185, 0.24068761435994, 0.28155532053821];
    assert_close(&named(&model, &learned, "r"), &root, 1e-7);
    let shared = [0.37080301317734, 0.62919698682266];
    assert_close(&named(&model, &learned, "s"), &shared, 1e-7);
    let objective = learned.report.epochs[0].objective.expect("is watched");
    assert!((objective + 1.05595603941258).abs() < 1e-10, "{objective}");
}

#[test]
fn entropies_of_the_lemma_reproduce() {
    let text = |first: f64, second: f64| {
        format!(
            "const N = 20;
             var x[0..N] : bool;
             param t : unit = ?{first};
             param u : unit = ?{second};
             node one = x[0] * prod i in 1..N {{ u: x[i] + (1 - u): !x[i] }};
             node other = !x[0] * prod i in 1..N {{ !x[i] }};
             root t: one + (1 - t): other;"
        )
    };
    let at = |first, second| {
        let model = model(&text(first, second));
        entropy(&model, &model.circuit().start_values()).expect("is normalized")
    };
    let curvature = |a: (f64, f64), b: (f64, f64)| {
        let middle = at((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
        2.0 * middle - at(a.0, a.1) - at(b.0, b.1)
    };
    let concave = curvature((0.1, 0.1), (0.12, 0.12));
    assert!(
        (concave + 0.00478981205233067804).abs() < 1e-12,
        "{concave}"
    );
    let convex = curvature((0.4, 0.8), (0.42, 0.82));
    assert!((convex - 0.0109887720644358499).abs() < 1e-12, "{convex}");
    let swapped = curvature((0.8, 0.4), (0.82, 0.42));
    assert!(
        (swapped - 0.00562938594263602749).abs() < 1e-12,
        "{swapped}"
    );
}
