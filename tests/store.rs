//! Model files: what is saved comes back, and what is broken is said.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "store/hostile.rs"]
mod hostile;
#[path = "store/python.rs"]
mod python;
#[path = "store/round_trip.rs"]
mod round_trip;
#[path = "store/source.rs"]
mod source;

use pelton_compiler::AnalysisOptions;
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{CircuitGraph, ParamKind, ParameterEntry, ParameterValue};
use pelton_compiler::load::{FileLoader, SourceInput, SourceProgram};
use pelton_formats::analyze;
use pelton_runtime::store::{ModelDocument, RestoredModel, StoreError, StoredModel};
use pelton_tests::dice::Dice;
use pelton_tests::random::sample;
use std::path::{Path, PathBuf};

/// A small circuit with every kind of parameter, declared and in place.
const SMALL: &str = "const K = 2;
var r : real;
var s : {a, b, c};
param w : simplex(K) = ?;
param mu[1..K + 1] : real = ?;
param sd : positive = ?exp(-700.5);
node comp[k in 0..K] = r ~ normal(mu[k + 1], sd) * s ~ categorical(?);
root w[0]: comp[0] + w[1]: comp[1];
";

/// A text as it is read.
struct Read {
    program: SourceProgram,
    document: ModelDocument,
    checked: Checked,
}

fn read(text: &str, path: Option<PathBuf>) -> Option<Read> {
    let input = SourceInput {
        name: "test.pcirc".to_string(),
        path,
        bytes: text.as_bytes().to_vec(),
    };
    let options = AnalysisOptions::default();
    let (program, _, checked) = analyze(input, &FileLoader, &options).into_parts();
    Some(Read {
        document: ModelDocument::of(&program, &options),
        program,
        checked: checked?,
    })
}

/// The examples, by path.
fn examples() -> Vec<(PathBuf, Read)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "pcirc"))
        .collect();
    paths.sort();
    assert!(paths.len() >= 6);
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        (path.clone(), read(&text, Some(path)).unwrap())
    };
    paths.into_iter().map(read).collect()
}

/// Random circuits as flat texts, with their seeds; those that are wrong are left out.
fn random_texts(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (u64, String)> {
    seeds.filter_map(|seed| {
        let mut text = String::new();
        pelton_compiler::emit::circuit(&sample(seed).circuit, &mut text).ok()?;
        Some((seed, text))
    })
}

/// Values drawn for what is learned: shares of a vector, numbers of any size, and
/// logarithms now and then.
fn drawn(circuit: &CircuitGraph, dice: &mut Dice) -> Vec<ParameterValue> {
    let mut values = circuit.start_values();
    for parameter in circuit.parameters() {
        let entries = &circuit.all_entries()[parameter.entries()];
        let own = &mut values[parameter.entries()];
        let given: f64 = entries
            .iter()
            .filter_map(ParameterEntry::fixed_value)
            .map(ParameterValue::linear)
            .sum();
        let shares: Vec<f64> = entries.iter().map(|_| dice.fraction() + 1e-3).collect();
        let learned = || {
            entries
                .iter()
                .zip(&shares)
                .filter(|(entry, _)| entry.learned)
        };
        let total: f64 = learned().map(|(_, share)| share).sum();
        let logs = dice.chance(10) && parameter.kind != ParamKind::Real;
        for ((value, entry), share) in own.iter_mut().zip(entries).zip(&shares) {
            let number = if parameter.kind.adds_up() {
                (1.0 - given).max(0.0) * share / total
            } else {
                share * 10f64.powi(dice.below(7) as i32 - 3)
            };
            *value = match (entry.learned, logs) {
                (false, _) => *value,
                (true, false) => ParameterValue::Linear(number),
                (true, true) => ParameterValue::Log(number.ln()),
            };
        }
        if parameter.kind == ParamKind::Unit && entries[0].learned {
            own[0] = ParameterValue::Linear(1.0 - own[1].linear());
        }
    }
    values
}

fn loaded(bytes: &[u8]) -> Result<RestoredModel, StoreError> {
    StoredModel::from_bytes(bytes)?.load(Path::new("test.pelton"), &AnalysisOptions::default())
}

/// Values with their exact bits.
fn bits(values: &[ParameterValue]) -> Vec<(bool, u64)> {
    let bits = |value: &ParameterValue| match value {
        ParameterValue::Linear(value) => (false, value.to_bits()),
        ParameterValue::Log(log) => (true, log.to_bits()),
    };
    values.iter().map(bits).collect()
}
