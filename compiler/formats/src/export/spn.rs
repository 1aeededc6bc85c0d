//! Sum-product networks of Juice.

use super::listing::{Dialect, list, listed_terms, listed_units};
use super::{ExportError, ExportedCircuit};
use pelton_compiler::circuit::{CircuitGraph, VarId};

pub(super) fn write(circuit: &CircuitGraph) -> Result<ExportedCircuit, ExportError> {
    if circuit.variables().is_empty() {
        return Err(ExportError("the circuit has no variables".to_string()));
    }
    let lines = list(circuit, &Spn)?;
    let variables = circuit.variables().iter();
    let sizes: Option<Vec<String>> = variables
        .map(|variable| variable.domain.size().map(|size| size.to_string()))
        .collect();
    let sizes = sizes.ok_or_else(|| {
        ExportError(
            "there is a variable with infinitely many values, which the format does not have"
                .to_string(),
        )
    })?;
    let end = std::iter::once("EOF".to_string());
    let header = format!("({})", sizes.join(" "));
    Ok(ExportedCircuit::lines(header, lines.into_iter().chain(end)))
}

struct Spn;

impl Dialect for Spn {
    fn indicator(&self, _id: u32, variable: VarId, value: usize, _is_bool: bool) -> String {
        format!("v {} {value}", variable.index())
    }

    fn product(&self, _id: u32, children: &[u32]) -> String {
        format!("*{}", listed_units(children))
    }

    fn sum(&self, _id: u32, terms: &[(u32, f64)]) -> String {
        format!("+{}", listed_terms(terms))
    }
}
