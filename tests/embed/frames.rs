//! Columns of different kinds, parts of rows, and which columns of a frame are variables.

use super::{WEATHER, assert_close};
use pelton::{Batch, Circuit, Domain, ErrorKind, HcltOptions, Options, Precision, Series};
use std::ops::ControlFlow;

fn weather() -> Circuit {
    let options = Options::new().precision(Precision::F64);
    options.compile(WEATHER).expect("it is right")
}

const TEMPS: [f64; 4] = [21.0, f64::NAN, 3.5, -2.0];
const SKIES: [&str; 4] = ["clear", "storm", "?", "cloudy"];
/// The sky of the third row is not known.
const MASK: [u8; 8] = [0, 0, 0, 0, 0, 1, 0, 0];
const CODES: [f64; 4] = [0.0, 2.0, f64::NAN, 1.0];

#[test]
fn columns_of_different_kinds_are_the_matrix_of_their_codes() {
    let circuit = weather();
    let columns = [Series::Numbers(&TEMPS), Series::Texts(&SKIES)];
    let names = ["temp", "sky"];
    let mixed = Batch::columns(&columns, 4).names(&names).mask(&MASK);
    let cells: Vec<f64> = TEMPS.iter().zip(CODES).flat_map(|(&x, y)| [x, y]).collect();
    let matrix = Batch::new(&cells, 4, 2).names(&names);
    let (found, wanted) = (
        circuit.log_likelihood(&mixed),
        circuit.log_likelihood(&matrix),
    );
    assert_eq!(found.expect("it fits"), wanted.expect("it fits"));
    let mask = [1, 0, 0, 0, 0, 1, 0, 0];
    let masked = circuit.log_likelihood(&mixed.mask(&mask)).expect("it fits");
    assert_close(masked[0], 0.5_f64.ln(), 1e-12);
}

#[test]
fn numbers_are_names_where_categories_are_called_so() {
    let text = r#"var s : {"1", "2", "0"}; root s ~ categorical(0.5, 0.3, 0.2);"#;
    let circuit = Options::new().precision(Precision::F64).compile(text);
    let circuit = circuit.expect("it is right");
    let logs = |batch: Batch| circuit.log_likelihood(&batch.names(&["s"]));
    let own = [1.0, 2.0, 0.0];
    let columns = [Series::Numbers(&own)];
    let by_name = logs(Batch::columns(&columns, 3)).expect("they fit");
    let by_text = logs(Batch::texts(&["1", "2", "0"], 3, 1)).expect("they fit");
    assert_eq!(by_name, by_text);
    // A matrix has positions, as what `map` and `sample` give.
    let by_position = logs(Batch::new(&own, 3, 1)).expect("they fit");
    assert_eq!(by_position, [by_name[1], by_name[2], by_name[0]]);
    let wrong = [Series::Numbers(&[3.0])];
    let error = logs(Batch::columns(&wrong, 1)).unwrap_err();
    assert!(error.message().contains("`3` is not a category"), "{error}");
}

#[test]
fn texts_are_those_texts() {
    let text = r#"var c : {"NA", "", " a", "1"}; var b : bool; var n : 0..4; var x : real;
        root c ~ uniform() * b ~ bernoulli(0.5) * n ~ uniform() * x ~ normal(0, 1);"#;
    let circuit = Options::new().compile(text).expect("it is right");
    let names = ["NA", "", " a", "1"];
    let logs = circuit.log_likelihood(&Batch::texts(&names, 4, 1).names(&["c"]));
    assert!(logs.expect("they fit").iter().all(|log| *log < -1.0));
    for (name, wrong) in [
        ("c", "a"),
        ("c", "01"),
        ("c", "?"),
        ("b", "yes"),
        ("b", "1"),
        ("n", "1"),
        ("n", "NA"),
        ("x", "nan"),
        ("x", ""),
    ] {
        let cells = [wrong];
        let names = [name];
        let batch = Batch::texts(&cells, 1, 1).names(&names);
        let error = circuit.log_likelihood(&batch).expect_err(wrong);
        assert_eq!(error.cell().expect("a cell is wrong").value, wrong);
        let kind = if name == "c" {
            "is not a category"
        } else {
            "is a text, and"
        };
        assert!(error.message().contains(kind), "{error}");
    }
}

#[test]
fn columns_that_are_too_short_or_hold_no_values_are_told() {
    let circuit = weather();
    let short = [Series::Numbers(&TEMPS[..3]), Series::Texts(&SKIES)];
    let error = circuit.log_likelihood(&Batch::columns(&short, 4).names(&["temp", "sky"]));
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Usage);
    let wrong = [Series::Texts(&["clear", "snow"])];
    let batch = Batch::columns(&wrong, 2).names(&["sky"]).first_row(100);
    let error = circuit.log_likelihood(&batch).unwrap_err();
    let cell = error.cell().expect("a cell is wrong");
    assert_eq!(
        (cell.row, cell.column, cell.value.as_str()),
        (101, 0, "snow")
    );
    assert!(error.message().contains("cell [101, 0]"), "{error}");
}

#[test]
fn circuits_are_learned_from_columns_of_different_kinds() {
    let temps: Vec<f64> = (0..60).map(|at| f64::from(at) * 0.37 - 4.0).collect();
    let skies: Vec<&str> = (0..60).map(|at| SKIES[at % 4]).collect();
    let columns = [Series::Numbers(&temps), Series::Texts(&skies)];
    let declared: [&[&str]; 2] = [&[], &["storm", "hail", "clear"]];
    let rows = Batch::columns(&columns, 60)
        .names(&["temp", "sky"])
        .categories(&declared);
    let mut options = HcltOptions {
        n_trees: 1,
        n_states: 2,
        ..HcltOptions::default()
    };
    options.fit.fullbatch_epochs = 3;
    let go_on = |_: &pelton::Progress<'_>| ControlFlow::Continue(());
    let learned = Circuit::learn_hclt(&rows, &options, &Options::new(), go_on);
    let (circuit, _) = learned.expect("it can be learned");
    assert_eq!(circuit.variable("sky").expect("it is there"), 1);
    // Declared ones in their order, also without a row, then the others.
    let names = ["storm", "hail", "clear", "?", "cloudy"];
    let domain = Domain::Categories(names.map(str::to_string).into());
    assert_eq!(circuit.variables()[1].domain, domain);
    let logs = circuit.log_likelihood(&rows).expect("it fits");
    assert!(logs.iter().all(|log| log.is_finite()));
}

#[test]
fn frames_leave_variables_out_or_have_further_columns_but_not_both() {
    let circuit = weather();
    let all = ["late", "rain", "sky", "temp"];
    assert_eq!(circuit.frame_columns(&all).expect("all"), [0, 1, 2, 3]);
    assert_eq!(circuit.frame_columns(&["temp"]).expect("one"), [0]);
    let further = ["id", "late", "rain", "note", "sky", "temp"];
    assert_eq!(circuit.frame_columns(&further).expect("more"), [1, 2, 4, 5]);
    let told = |names: &[&str]| circuit.frame_columns(names).unwrap_err().to_string();
    let half = told(&["late", "rain", "sky", "tmp"]);
    assert!(half.contains("did you write `tmp` for `temp`?"), "{half}");
    let none = told(&["id", "note"]);
    assert!(none.contains("`id` and `note`"), "{none}");
    assert!(told(&[]).contains("there are no columns"));
}

#[test]
fn samples_in_parts_are_those_of_the_whole() {
    let circuit = weather();
    let all = circuit
        .sample(100, 7, "rain")
        .expect("it can be drawn")
        .values;
    let part = |range| {
        circuit
            .sample_range(range, 7, "rain")
            .expect("likewise")
            .values
    };
    let parts = [part(0..30), part(30..30), part(30..100)].concat();
    assert_eq!(parts.len(), all.len());
    assert!(
        parts
            .iter()
            .zip(&all)
            .all(|(a, b)| a.to_bits() == b.to_bits())
    );
}

#[test]
fn drawings_show_the_values_of_now() {
    let mut circuit = Circuit::compile("var a : bool; root ?0.25: a + ?0.75: !a;").expect("right");
    let before = circuit.to_svg();
    assert!(before.starts_with("<svg") && before.contains("0.25"));
    let set = circuit.set_parameter("root.weights", &[0.125, 0.875]);
    set.expect("they add up");
    assert!(circuit.to_svg().contains("0.125"));
}
