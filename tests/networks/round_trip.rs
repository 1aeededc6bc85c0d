//! What is written for SPFlow and deeprob-kit is read again.

use crate::reading::{analyzed, is_close, value};
use pelton_compiler::AnalysisOptions;
use pelton_compiler::circuit::{CircuitGraph, Domain};
use pelton_formats::export::export;
use pelton_formats::import::CircuitFormat;

const NETWORKS: &[(&str, &str)] = &[
    ("asia.uai", include_str!("../data/networks/uai_asia.uai")),
    ("rain.bif", include_str!("../data/networks/bif_rain.bif")),
    (
        "mixture.spflow",
        include_str!("../data/networks/spflow_mixture.txt"),
    ),
    (
        "mixture.json",
        include_str!("../data/networks/deeprob_mixture.json"),
    ),
];

/// A few points of every domain.
fn points(circuit: &CircuitGraph) -> Vec<Vec<f64>> {
    let values = |domain: &Domain| match domain {
        Domain::Real => vec![-0.5, 0.25, 1.25],
        other => (0..other.size().unwrap_or(3))
            .map(|at| other.first() + at as f64)
            .collect(),
    };
    let mut points = vec![Vec::new()];
    for variable in circuit.variables() {
        let next = points.iter().flat_map(|point: &Vec<f64>| {
            let extended = |x| point.iter().copied().chain([x]).collect();
            values(&variable.domain)
                .into_iter()
                .map(extended)
                .collect::<Vec<_>>()
        });
        points = next.collect();
    }
    points
}

#[test]
fn files_of_libraries_come_back() {
    let mut n_written = 0;
    for (name, text) in NETWORKS {
        let options = AnalysisOptions::default();
        let checked = analyzed(name, text, &options).into_checked();
        let checked = checked.unwrap_or_else(|| panic!("{name} is right"));
        for format in [CircuitFormat::Spflow, CircuitFormat::Deeprob] {
            let Ok(exported) = export(&checked, format) else {
                continue;
            };
            let again = analyzed("again", &exported.text, &options);
            let found = format!("{:?}", again.found);
            let again = again.into_checked();
            let again = again.unwrap_or_else(|| panic!("{name} as {format:?}: {found}"));
            n_written += 1;
            for point in points(checked.circuit()) {
                let (old, new) = (
                    value(checked.circuit(), &point),
                    value(again.circuit(), &point),
                );
                // deeprob-kit rounds to eight digits.
                let is_near = is_close(old, new) || (old - new).abs() < 1e-6;
                assert!(
                    is_near,
                    "{name} as {format:?}: {old} became {new} at {point:?}"
                );
            }
        }
    }
    assert!(n_written >= 4, "{n_written} files were written");
}
