//! Published circuits, and the likelihoods that others computed of them.

use super::{analyzed, read};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{Property, ReachableUnits};
use pelton_compiler::reference::log_likelihood;
use pelton_formats::export::export;
use pelton_formats::import::CircuitFormat;
use pelton_tests::benchmark::Benchmark;
use pelton_tests::zoo::Zoo;
use std::collections::BTreeSet;

/// Circuit, data set, rows, mean log-likelihood and that of the least likely row, by an
/// independent evaluator in logarithms and double precision.
const GOLDEN: &[(&str, &str, usize, f64, f64)] = &[
    ("nltcs.psdd", "nltcs", 1000, -5.9179531927, -19.848538),
    ("nltcs.clt.psdd", "nltcs", 1000, -6.5692743564, -22.411183),
    (
        "nltcs.10split.psdd",
        "nltcs",
        1000,
        -6.3805368617,
        -23.026193,
    ),
    ("tretail.psdd", "tretail", 1000, -10.8494685550, -56.771999),
    ("jester.psdd", "jester", 1000, -54.0206420382, -77.602359),
    ("ad.psdd", "ad", 491, -16.7692002494, -83.160606),
    ("msnbc.psdd", "msnbc", 1000, -6.0742460083, -16.752543),
    ("plants.psdd", "plants", 1000, -13.1879398223, -49.817944),
];

#[test]
fn likelihoods_are_those_of_others() {
    let Some(zoo) = Zoo::find("likelihoods_are_those_of_others") else {
        return;
    };
    for &(name, data, n_rows, mean, lowest) in GOLDEN {
        let Some(benchmark) = Benchmark::unpack(data) else {
            continue;
        };
        let checked = read(name, zoo.bytes("psdds", name));
        let circuit = checked.circuit();
        let values = circuit.start_values();
        let text = std::fs::read_to_string(benchmark.path("test")).unwrap();
        let rows = text.lines().take(n_rows);
        let logs: Vec<f64> = rows
            .map(|line| {
                let row: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
                log_likelihood(circuit, &values, &row)
            })
            .collect();
        assert_eq!(logs.len(), n_rows, "{name}");
        let found = logs.iter().sum::<f64>() / n_rows as f64;
        assert!((found - mean).abs() < 1e-8, "{name}: {found}");
        let least = logs.iter().copied().fold(0.0, f64::min);
        assert!((least - lowest).abs() < 1e-6, "{name}: {least}");
    }
}

#[test]
fn every_circuit_of_the_zoo_is_read_and_proven() {
    let Some(zoo) = Zoo::find("every_circuit_of_the_zoo_is_read_and_proven") else {
        return;
    };
    for name in zoo.names("psdds") {
        let checked = read(&name, zoo.bytes("psdds", &name));
        for property in Property::ALL {
            assert!(checked.facts().is_proven(property), "{name}: {property:?}");
        }
    }
    for folder in ["sdds", "clts"] {
        for name in zoo.names(folder) {
            let checked = read(&name, zoo.bytes(folder, &name));
            assert!(checked.facts().is_proven(Property::Deterministic), "{name}");
        }
    }
}

/// Through source text and back, bit for bit.
#[test]
fn circuits_of_the_zoo_come_back_the_same() {
    let Some(zoo) = Zoo::find("circuits_of_the_zoo_come_back_the_same") else {
        return;
    };
    for name in zoo.names("psdds") {
        let first = read(&name, zoo.bytes("psdds", &name));
        let mut text = String::new();
        pelton_compiler::emit::circuit(first.circuit(), &mut text).unwrap();
        let source = read("a.pcirc", text);
        let exported =
            export(&source, CircuitFormat::Psdd).unwrap_or_else(|r| panic!("{name}: {r}"));
        let second = read(&name, exported.text.clone());
        assert_eq!(weights_of(&first), weights_of(&second), "{name}");
        // What was written once is written the same again.
        let again = export(&second, CircuitFormat::Psdd).unwrap();
        assert_eq!(
            weights_of(&second),
            weights_of(&read(&name, again.text)),
            "{name}"
        );
    }
}

/// All log weights, sorted by their bits, without those of choices of one. Products that
/// the file repeats are written once, so sums that are equal count once.
fn weights_of(checked: &Checked) -> BTreeSet<Vec<u64>> {
    let circuit = checked.circuit();
    let values = circuit.start_values();
    let reach = ReachableUnits::of(circuit, &[circuit.root()]);
    let sums = circuit.sums().filter(|&sum| reach.contains(sum));
    let sums = sums.map(|sum| {
        let logs = circuit.children(sum).map(|child| {
            let weight = child.weight.unwrap();
            values[circuit.entry_position(weight)].log().to_bits()
        });
        logs.collect()
    });
    sums.collect()
}

#[test]
fn vtrees_are_recognised_and_refused() {
    let Some(zoo) = Zoo::find("vtrees_are_recognised_and_refused") else {
        return;
    };
    let analysis = analyzed("plants.vtree", zoo.bytes("vtrees", "plants.vtree"));
    assert!(analysis.circuit.is_none());
}
