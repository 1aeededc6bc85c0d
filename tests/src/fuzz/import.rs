//! The fuzz body of readers and writers of other tools' files: any bytes in, laws out.

use super::Outcomes;
use super::front::{analyzed, front};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::CircuitGraph;
use pelton_compiler::reference::{assignments, log_likelihood};
use pelton_formats::export::export;
use pelton_formats::import::CircuitFormat;

/// Formats that what was read is written in, where they can hold it.
const FORMATS: &[CircuitFormat] = &[
    CircuitFormat::Psdd,
    CircuitFormat::Jpc,
    CircuitFormat::Spn,
    CircuitFormat::Clt,
    CircuitFormat::Nnf,
    CircuitFormat::D4,
    CircuitFormat::Sdd,
    CircuitFormat::Spflow,
    CircuitFormat::Deeprob,
];
/// Those whose readers know all there is in them.
const READ_BACK: &[CircuitFormat] = &[
    CircuitFormat::Psdd,
    CircuitFormat::Jpc,
    CircuitFormat::Spn,
    CircuitFormat::Nnf,
    CircuitFormat::D4,
    CircuitFormat::Sdd,
];
/// More assignments than this are not compared.
const MOST: u64 = 64;

/// Reads `bytes`, and writes what is right in every format that takes it.
pub fn import(bytes: &[u8], outcomes: &mut Outcomes) {
    front(bytes, outcomes);
    let Some(checked) = analyzed("fuzz.pcirc", bytes).into_checked() else {
        return;
    };
    for &format in FORMATS {
        let Ok(exported) = export(&checked, format) else {
            continue;
        };
        if READ_BACK.contains(&format) {
            let again = analyzed("fuzz.pcirc", exported.text.as_bytes());
            let found = format!("{:?}", again.found);
            let again = again.into_checked();
            let again = again.unwrap_or_else(|| panic!("{format:?} is wrong: {found}"));
            agree(&checked, &again, format);
        }
    }
}

/// Whether both have the same distribution over the variables of the first.
fn agree(first: &Checked, second: &Checked, format: CircuitFormat) {
    let (first, second) = (first.circuit(), second.circuit());
    let Some(all) = assignments(first, MOST) else {
        return;
    };
    let mass = |circuit: &CircuitGraph, row: &[f64]| {
        log_likelihood(circuit, &circuit.start_values(), row).exp()
    };
    // Formats count variables by the largest that they mention, and values from 0.
    let is_shifted = first.variables().iter().any(|v| v.domain.first() != 0.0);
    if is_shifted || second.variables().len() != first.variables().len() {
        return;
    }
    // A PSDD is scaled to mass 1.
    let total = match format {
        CircuitFormat::Psdd => mass(first, &vec![f64::NAN; first.variables().len()]),
        _ => 1.0,
    };
    // Beside a mass beyond all numbers, what is added to its logarithm is lost.
    if !total.is_normal() {
        return;
    }
    for row in all {
        let (p, q) = (mass(first, &row) / total, mass(second, &row));
        let is_near = (p - q).abs() <= 1e-5 * p.abs().max(1e-3) || p.is_infinite();
        assert!(is_near, "{format:?}: {row:?} has {p} and {q}");
    }
}
