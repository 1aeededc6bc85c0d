//! The text form of SPFlow: one expression, in which nothing is shared.

use super::{ExportError, ExportedCircuit, NO_CLASS, NO_FACTORS, plain_weight, shares};
use crate::spflow_class::SPFLOW_CLASSES;
use pelton_compiler::circuit::{
    CircuitGraph, Distribution, Domain, Leaf, LeafKind, ParameterValue, UnitId, UnitKind,
};
use pelton_grammar::diagnostic::thousands;

/// Units that a text may have when everything shared is repeated.
const LARGEST: u64 = 1_000_000;

pub(super) fn write(circuit: &CircuitGraph) -> Result<ExportedCircuit, ExportError> {
    let size = repeated_size(circuit);
    if size > LARGEST {
        return Err(ExportError(format!(
            "the format is a tree, and repeating what is shared would make more than {} units",
            thousands(LARGEST as usize)
        )));
    }
    let mut writer = SpflowWriter {
        circuit,
        values: circuit.start_values(),
        text: String::new(),
    };
    writer.write()?;
    writer.text.push('\n');
    let mut notes = vec!["weights are written as numbers, not as logarithms".to_string()];
    if size > circuit.n_units() as u64 {
        notes.push("units that are shared are repeated".to_string());
    }
    Ok(ExportedCircuit {
        text: writer.text,
        vtree: None,
        notes,
    })
}

/// How many units there are when each use counts.
fn repeated_size(circuit: &CircuitGraph) -> u64 {
    let mut sizes: Vec<u64> = Vec::with_capacity(circuit.n_units());
    for unit in circuit.units() {
        let below = circuit
            .children(unit)
            .map(|child| sizes[child.unit.index()]);
        sizes.push(below.fold(1, u64::saturating_add));
    }
    sizes[circuit.root().index()]
}

/// What is still to be written.
enum SpflowOutput {
    Unit(UnitId),
    Text(String),
}

struct SpflowWriter<'a> {
    circuit: &'a CircuitGraph,
    values: Vec<ParameterValue>,
    text: String,
}

impl SpflowWriter<'_> {
    /// Writes from the root down, with a stack of its own.
    fn write(&mut self) -> Result<(), ExportError> {
        let mut waiting = vec![SpflowOutput::Unit(self.circuit.root())];
        while let Some(part) = waiting.pop() {
            match part {
                SpflowOutput::Text(text) => self.text.push_str(&text),
                SpflowOutput::Unit(unit) => {
                    let parts = self.parts(unit)?;
                    waiting.extend(parts.into_iter().rev());
                }
            }
        }
        Ok(())
    }

    fn parts(&self, unit: UnitId) -> Result<Vec<SpflowOutput>, ExportError> {
        let circuit = self.circuit;
        let text = |text: &str| SpflowOutput::Text(text.to_string());
        let mut parts = Vec::new();
        match circuit.kind(unit) {
            UnitKind::Input(leaf) => {
                return Ok(vec![SpflowOutput::Text(
                    self.leaf(unit, circuit.leaf(leaf))?,
                )]);
            }
            UnitKind::Product if circuit.n_children(unit) == 0 => {
                return Err(ExportError::of(circuit, unit, NO_FACTORS));
            }
            UnitKind::Product => {
                for child in circuit.children(unit) {
                    parts.push(text(if parts.is_empty() { "(" } else { " * " }));
                    parts.push(SpflowOutput::Unit(child.unit));
                }
                parts.push(text(")"));
            }
            UnitKind::Sum => {
                for (child, weight) in circuit.terms(unit) {
                    let weight = self.values[circuit.entry_position(weight)];
                    let weight = plain_weight(circuit, unit, weight)?;
                    let before = if parts.is_empty() { "(" } else { " + " };
                    parts.push(SpflowOutput::Text(format!("{before}{weight:?}*(")));
                    parts.push(SpflowOutput::Unit(child));
                    parts.push(text(")"));
                }
                parts.push(text(")"));
            }
        }
        Ok(parts)
    }

    fn leaf(&self, unit: UnitId, leaf: &Leaf) -> Result<String, ExportError> {
        let variable = format!("V{}", leaf.variable.index());
        let domain = &self.circuit.variable(leaf.variable).domain;
        if let LeafKind::Distribution(it) = &leaf.kind
            && let Some((class, arguments)) = self.family(it)
        {
            return Ok(format!("{class}({variable}|{arguments})"));
        }
        let is_table = *domain == Domain::Bool || matches!(domain.size(), Some(2..=65536));
        if !is_table || domain.first() != 0.0 {
            return Err(ExportError::of(self.circuit, unit, NO_CLASS));
        }
        // As Rust shows a list of numbers, so does Python.
        let shares = shares(self.circuit, &self.values, unit, leaf)?;
        Ok(format!("Categorical({variable}|p={shares:?})"))
    }

    /// The class and arguments of a distribution that the format has.
    fn family(&self, it: &Distribution) -> Option<(&'static str, String)> {
        let class = SPFLOW_CLASSES
            .iter()
            .find(|class| class.family == it.family)?;
        let written = class.keys.iter().zip(&it.params).map(|(key, &param)| {
            // Of the two entries of a probability the second is what it is called by.
            let last = self.circuit.parameter(param).entries().end - 1;
            format!("{key}={:?}", self.values[last].linear())
        });
        let written: Vec<String> = written.collect();
        it.truncation
            .is_none()
            .then(|| (class.name, written.join(";")))
    }
}
