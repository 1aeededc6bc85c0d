//! Values that were computed by other means, to many digits.

use super::kit::*;
use pelton_runtime::learn::{
    LearnOptions, LearningRows, Method, Softening, Start, TrainingTask, entropy, learn,
};

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
fn laplace_has_the_median_and_the_mean_distance_from_it() {
    let text = "var x : real; param m : real = ?; param s : positive = ?; root x ~ laplace(m, s);";
    let model = model(text);
    let rows = [[-3.0], [0.5], [90.0], [1.0], [2.25]];
    let rows = table(model.circuit(), &rows.each_ref().map(|row| row.as_slice()));
    for method in [Method::Mle, Method::Em] {
        let options = LearnOptions {
            method: Some(method),
            tolerance: 0.0,
            ..closed_form(0.0, 0.0, 0.0)
        };
        let learned = fit(&model, &rows, &options).expect("learns");
        assert_close(&named(&model, &learned, "m"), &[1.0], 1e-5);
        assert_close(&named(&model, &learned, "s"), &[18.95], 1e-5);
    }
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
    assert_close(&named(&model, &learned, "r"), &root, 1e-10);
    let shared = [0.37080301317734, 0.62919698682266];
    assert_close(&named(&model, &learned, "s"), &shared, 1e-10);
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
        (concave + 0.004_789_812_052_330_678).abs() < 1e-12,
        "{concave}"
    );
    let convex = curvature((0.4, 0.8), (0.42, 0.82));
    assert!(
        (convex - 0.010_988_772_064_435_85).abs() < 1e-12,
        "{convex}"
    );
    let swapped = curvature((0.8, 0.4), (0.82, 0.42));
    assert!(
        (swapped - 0.005_629_385_942_636_027).abs() < 1e-12,
        "{swapped}"
    );
}

#[test]
fn the_largest_entropy_weighs_children_by_their_supports() {
    let model = model(
        "const N = 10;
         var x[0..N] : bool;
         param t : simplex(2) = ?;
         root t[0]: prod i in 0..N { x[i] } + t[1]: !x[0] * prod i in 1..N { x[i] ~ bernoulli(0.5) };",
    );
    let rows = table(model.circuit(), &[&[1.0; 10], &[0.0; 10]]);
    let learned = fit(&model, &rows, &closed_form(0.0, 0.0, 1e12)).expect("learns");
    let wanted = [0.001_949_317_738_791, 1.0 - 0.001_949_317_738_791];
    assert_close(&named(&model, &learned, "t"), &wanted, 1e-10);
    let largest = learned.report.entropy.expect("is normalized");
    assert!((largest - 513_f64.ln()).abs() < 1e-10, "{largest}");
}

/// The objective of this circuit has two maxima, at weights that were computed to
/// many digits; which one is found depends on the start.
#[test]
fn both_maxima_of_the_lemma_are_found() {
    let text = |start: &str, leaves: f64| {
        format!(
            "const N = 67;
             var y : bool;
             var x[0..N] : bool;
             param t : simplex(2) = {start};
             param u[0..N] : unit = ?{leaves};
             node many = y * prod i in 0..N {{ x[i] ~ bernoulli(u[i]) }};
             node few = !y * prod i in 0..52 {{ x[i] ~ bernoulli(0.5) }} * prod i in 52..N {{ x[i] }};
             root t[0]: many + t[1]: few;"
        )
    };
    let options = LearnOptions {
        method: Some(Method::Em),
        pseudocount: 0.0,
        entropy: 1.5,
        fullbatch_epochs: 3000,
        tolerance: 0.0,
        start: Start::Keep,
        ..LearnOptions::default()
    };
    for (start, leaves, wanted) in [
        ("?[0.02, 0.98]", 0.9, 0.020_711_949_426),
        ("?[0.98, 0.02]", 0.72, 0.988_283_672_682),
    ] {
        let model = model(&text(start, leaves));
        let rows = table(model.circuit(), &[&[1.0; 68]]);
        let learned = fit(&model, &rows, &options).expect("learns");
        let found = named(&model, &learned, "t")[0];
        assert!(
            (found - wanted).abs() < 1e-10,
            "{found} instead of {wanted}"
        );
    }
}

/// Softened evidence on one Bernoulli leaf: it does not shrink if it is virtual and
/// does if the objective is the softened likelihood or its bound.
#[test]
fn the_three_softenings_differ_as_they_should() {
    let model = model("var x : bool; param p : unit = ?0.5; root x ~ bernoulli(p);");
    let rows = table(model.circuit(), &[&[1.0] as &[f64]; 2000]);
    let learned = |softening, n_epochs| {
        let options = LearnOptions {
            method: Some(Method::Em),
            pseudocount: 0.0,
            softness: 0.01,
            softening,
            fullbatch_epochs: n_epochs,
            tolerance: 0.0,
            start: Start::Keep,
            ..LearnOptions::default()
        };
        let learned = fit(&model, &rows, &options).expect("learns");
        named(&model, &learned, "p")[1]
    };
    let virtual_steps = [
        (1, 0.99),
        (2, 0.999_897_980_004_080_8),
        (5, 0.999_999_999_894_846_4),
    ];
    for (n, wanted) in virtual_steps {
        let found = learned(Softening::Virtual, n);
        assert!(
            (found - wanted).abs() < 1e-10,
            "{found} instead of {wanted}"
        );
    }
    let geometric = learned(Softening::Geometric, 5);
    assert!((geometric - 0.99).abs() < 1e-10, "{geometric}");
    let sampled = learned(Softening::Sampled, 5);
    assert!((sampled - 0.99).abs() < 0.02 && sampled < 1.0, "{sampled}");
}

/// A vector may weigh the edges of a sum in any order.
#[test]
fn entries_in_another_order_are_regularized_too() {
    let learned = |text: &str, entropy| {
        let model = model(text);
        let rows = table(model.circuit(), &[&[1.0], &[1.0], &[1.0], &[0.0]]);
        let learned = fit(&model, &rows, &closed_form(0.0, 0.0, entropy)).expect("learns");
        named(&model, &learned, "p")
    };
    let ordered = "var x : bool; param p : simplex(2) = ?; root p[0]: !x + p[1]: x;";
    let turned = "var x : bool; param p : simplex(2) = ?; root p[1]: x + p[0]: !x;";
    let complement = "var x : bool; param p : unit = ?; root p: x + (1 - p): !x;";
    let wanted = learned(ordered, 0.3);
    assert!(wanted[1] < 0.74, "entropy moves it: {wanted:?}");
    assert_close(&learned(turned, 0.3), &wanted, 1e-9);
    assert_close(&learned(complement, 0.3), &wanted, 1e-9);
}

/// What softening moves out of the support does not count, here as in the written data.
#[test]
fn softened_rows_outside_the_support_do_not_count() {
    let model = model(SHARED);
    let rows = table(model.circuit(), &ROWS);
    let softened = fit(&model, &rows, &closed_form(0.3, 0.1, 0.3)).expect("learns");
    let points: Vec<Vec<f64>> = (0..8)
        .map(|at| (0..3).map(|bit| f64::from(at >> bit & 1)).collect())
        .collect();
    let weight = |point: &Vec<f64>| -> f64 {
        let of_row = |row: &&[f64]| -> f64 {
            let cells = point.iter().zip(*row);
            cells.map(|(x, y)| if x == y { 0.9 } else { 0.1 }).product()
        };
        ROWS.iter().map(of_row).sum()
    };
    let weights: Vec<f64> = points.iter().map(weight).collect();
    let written = pelton_runtime::data::Table::from_assignments(model.circuit(), &points);
    let options = closed_form(0.3, 0.0, 0.3);
    let task = TrainingTask {
        model: &model,
        train: LearningRows::Table {
            table: &written,
            weights: Some(&weights),
        },
        valid: None,
        test: None,
        options: &options,
        resume: None,
    };
    let wanted = learn(&task, &mut ()).expect("learns");
    for name in ["r", "s"] {
        let found = named(&model, &softened, name);
        assert_close(&found, &named(&model, &wanted, name), 1e-9);
    }
}
