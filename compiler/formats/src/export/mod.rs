//! Circuits for other tools: each format has a writer.
//!
//! What a format cannot hold is refused with the unit at fault; what it has no room for
//! and the distribution does not rest on, such as names, is said in a note. Weights are
//! written with as many digits as it takes to read them back bit for bit.

mod clt;
mod d4;
mod deeprob;
mod jpc;
mod listing;
mod logic;
mod nnf;
mod psdd;
mod sdd;
mod spflow;
mod spn;
mod vtree;
mod whole;

use crate::import::CircuitFormat;
use logic::LogicCircuit;
use pelton_compiler::check::{Checked, PropertyVerdict};
use pelton_compiler::circuit::{CircuitGraph, Domain, Leaf, ParameterValue, Property, UnitId};
use pelton_compiler::leaf::log_table;

/// A circuit in another tool's format.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct ExportedCircuit {
    /// The text.
    pub text: String,
    /// The tree of variables that a PSDD or SDD is kept with.
    pub vtree: Option<String>,
    /// What the format has no room for.
    pub notes: Vec<String>,
}

impl ExportedCircuit {
    /// A text that says all that the circuit does.
    fn of(text: String) -> Self {
        ExportedCircuit {
            text,
            vtree: None,
            notes: Vec::new(),
        }
    }

    /// A header and lines below it.
    fn lines(header: String, lines: impl IntoIterator<Item = String>) -> Self {
        let all = std::iter::once(header).chain(lines);
        ExportedCircuit::of(all.map(|line| line + "\n").collect())
    }

    /// With a further note, if there is one.
    fn with(mut self, note: Option<String>) -> Self {
        self.notes.extend(note);
        self
    }
}

/// Why a circuit cannot be written in a format, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
#[must_use]
pub struct ExportError(pub String);

impl ExportError {
    /// With what would work instead.
    fn or(self, way_out: &str) -> Self {
        ExportError(format!("{}; {way_out}", self.0))
    }

    /// A unit that the format has no words for.
    fn of(circuit: &CircuitGraph, unit: UnitId, why: &str) -> Self {
        ExportError(format!("{} {why}", circuit.describe(unit)))
    }
}

/// A weight for formats that have no logarithms; refused if it would become zero or
/// infinite there.
fn plain_weight(
    circuit: &CircuitGraph,
    unit: UnitId,
    weight: ParameterValue,
) -> Result<f64, ExportError> {
    let number = weight.linear();
    if weight.is_zero() || number.is_normal() {
        Ok(number)
    } else {
        let why = format!(
            "has a weight of exp({}), which the format cannot hold: it has no logarithms",
            weight.log()
        );
        Err(ExportError::of(circuit, unit, &why))
    }
}

/// The shares of a leaf's values; refused if they do not add up to 1: a table of text
/// formats is a distribution, which a filled-in indicator is not.
fn shares(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    unit: UnitId,
    leaf: &Leaf,
) -> Result<Vec<f64>, ExportError> {
    let logs = log_table(circuit, values, leaf);
    let shares: Vec<f64> = logs.iter().map(|log| log.exp()).collect();
    let total: f64 = shares.iter().sum();
    if (total - 1.0).abs() > 1e-6 {
        Err(ExportError::of(
            circuit,
            unit,
            &format!("has mass {total}, not 1"),
        ))
    } else {
        Ok(shares)
    }
}

/// What a product is refused for that is a number.
const NO_FACTORS: &str = "has no factors, and the format has no constants";

/// What a leaf is refused for that the format has no class for.
const NO_CLASS: &str = "has a distribution that the format does not have";

/// What has to be decided about a circuit before it can be written.
pub fn needs(format: CircuitFormat) -> &'static [Property] {
    match format {
        CircuitFormat::Psdd => &[Property::Structured, Property::Deterministic],
        CircuitFormat::Sdd => &[Property::Structured],
        _ => &[],
    }
}

/// Writes a circuit at the values that learning starts from. What [`needs`] lists was
/// decided when it was checked.
pub fn export(checked: &Checked, format: CircuitFormat) -> Result<ExportedCircuit, ExportError> {
    if format == CircuitFormat::Sdd {
        // Weights are a better reason than how variables are split.
        LogicCircuit::of(checked.circuit())
            .map_err(|refusal| refusal.or("write .jpc or .spn, which hold distributions"))?;
    }
    for &property in needs(format) {
        require(checked, property).map_err(|refusal| match format {
            CircuitFormat::Sdd => refusal.or("write .nnf or .ddnnf, which need no vtree"),
            CircuitFormat::Psdd => refusal.or("write .jpc or .spn, which ask for less"),
            _ => refusal,
        })?;
    }
    let mut exported = match format {
        CircuitFormat::Psdd => psdd::write(checked),
        CircuitFormat::Jpc => jpc::write(checked.circuit()),
        CircuitFormat::Spn => spn::write(checked.circuit()),
        CircuitFormat::Nnf => nnf::write(checked.circuit()),
        CircuitFormat::D4 => d4::write(checked.circuit()),
        CircuitFormat::Sdd => sdd::write(checked),
        CircuitFormat::Clt => clt::write(checked.circuit()),
        CircuitFormat::Spflow => whole::mention_all(checked.circuit())
            .and_then(|(circuit, note)| spflow::write(&circuit).map(|text| text.with(note))),
        CircuitFormat::Deeprob => whole::mention_all(checked.circuit())
            .and_then(|(circuit, note)| deeprob::write(&circuit).map(|text| text.with(note))),
        CircuitFormat::Cnf | CircuitFormat::Dnf => Err(ExportError(
            "a formula holds clauses, not circuits; write .nnf or .ddnnf instead".to_string(),
        )),
        CircuitFormat::Uai | CircuitFormat::Bif => Err(ExportError(
            "a network holds factors, not circuits; write .psdd or .jpc instead".to_string(),
        )),
        _ => Err(ExportError(format!("{} is not written", format.title()))),
    }?;
    exported.notes.extend(losses(checked.circuit(), format));
    Ok(exported)
}

/// Refuses a circuit that does not have a property, and names the unit at fault.
fn require(checked: &Checked, property: Property) -> Result<(), ExportError> {
    let circuit = checked.circuit();
    let name = property.name();
    match checked.facts().verdict(property) {
        Some(PropertyVerdict::Proven) => Ok(()),
        Some(PropertyVerdict::Refuted(refutation)) => {
            let why = format!("is not {name}, as the format requires");
            Err(ExportError::of(circuit, refutation.unit, &why))
        }
        Some(PropertyVerdict::Unknown(reason)) => Err(ExportError(format!(
            "the format requires that the circuit is {name}, which is unknown: {reason}"
        ))),
        None => Err(ExportError(format!(
            "the format requires that the circuit is {name}, which was not decided"
        ))),
    }
}

/// What formats that number variables lose.
fn losses(circuit: &CircuitGraph, format: CircuitFormat) -> Vec<String> {
    let mut notes = Vec::new();
    let numbered = (1..).zip(circuit.variables());
    let named = numbered.filter(|(number, variable)| variable.name != format!("x[{number}]"));
    if let Some((number, variable)) = named.min_by_key(|(number, _)| *number) {
        let number = match format {
            CircuitFormat::Spn | CircuitFormat::Spflow | CircuitFormat::Deeprob => number - 1,
            _ => number,
        };
        notes.push(format!(
            "names of variables are lost: `{}` becomes variable {number}, and so on in the order \
             of their declarations",
            variable.name
        ));
    }
    let is_shifted = |domain: &Domain| domain.is_discrete() && domain.first() != 0.0;
    let mut domains = circuit.variables().iter();
    if domains.any(|variable| is_shifted(&variable.domain)) {
        notes.push("values are counted from 0, whatever the first of a domain is".to_string());
    }
    if circuit.all_entries().iter().any(|entry| entry.learned) {
        notes.push("what is learned and what is fixed is not kept".to_string());
    }
    notes
}
