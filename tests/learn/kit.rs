//! What tests of learning share.

use pelton_compiler::AnalysisOptions;
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{CircuitGraph, Property};
use pelton_compiler::kernel::Precision;
use pelton_compiler::load::{FileLoader, SourceInput};
use pelton_formats::analyze;
use pelton_runtime::data::Table;
use pelton_runtime::learn::{
    LearnError, LearnOptions, LearningResult, LearningRows, TrainingTask, learn,
};
use pelton_runtime::{Model, ModelOptions};

/// The circuit of a text; whether it is deterministic is decided.
pub fn checked(text: &str) -> Checked {
    let input = SourceInput {
        name: "test".into(),
        path: None,
        bytes: text.into(),
    };
    let options = AnalysisOptions {
        decide: vec![Property::Deterministic],
        ..AnalysisOptions::default()
    };
    let analysis = analyze(input, &FileLoader, &options);
    let found: Vec<String> = analysis.found.iter().map(|m| m.message.clone()).collect();
    analysis
        .into_checked()
        .unwrap_or_else(|| panic!("{found:?}"))
}

/// The circuit, compiled in double precision.
pub fn model(text: &str) -> Model {
    compiled(checked(text))
}

pub fn compiled(checked: Checked) -> Model {
    let options = ModelOptions {
        precision: Precision::F64,
        ..ModelOptions::default()
    };
    Model::compile(checked, &options).expect("compiles here")
}

/// Rows of numbers; NaN is missing.
pub fn table(circuit: &CircuitGraph, rows: &[&[f64]]) -> Table {
    let rows: Vec<Vec<f64>> = rows.iter().map(|row| row.to_vec()).collect();
    Table::from_assignments(circuit, &rows)
}

/// Learns from rows without looking at others.
pub fn fit(
    model: &Model,
    table: &Table,
    options: &LearnOptions,
) -> Result<LearningResult, LearnError> {
    let task = TrainingTask {
        model,
        train: LearningRows::of(table),
        valid: None,
        test: None,
        options,
        resume: None,
    };
    learn(&task, &mut ())
}

/// The values of a parameter by its name.
pub fn named(model: &Model, learned: &LearningResult, name: &str) -> Vec<f64> {
    let circuit = model.circuit();
    let mut parameters = circuit.parameters().iter();
    let is_it = |id| circuit.names().show(id) == name;
    let parameter = parameters
        .find(|parameter| parameter.name.is_some_and(is_it))
        .unwrap_or_else(|| panic!("no parameter {name}"));
    let values = &learned.values[parameter.entries()];
    values.iter().map(|value| value.linear()).collect()
}

pub fn assert_close(found: &[f64], wanted: &[f64], tolerance: f64) {
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(wanted) {
        assert!(
            (found - wanted).abs() <= tolerance,
            "{found} instead of {wanted}"
        );
    }
}
