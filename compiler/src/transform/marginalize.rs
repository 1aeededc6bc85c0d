//! Marginalizing: summing variables out.

use super::TransformError;
use super::import::{ParameterTreatment, TransformSource};
use super::part::{ScaledUnit, whole};
use super::reduce::{SumScaling, reduce};
use super::settle::{TransformedCircuit, settle};
use crate::check::Checked;
use crate::circuit::{CircuitBuilder, CircuitGraph, ParameterValue, VarId};
use crate::leaf::log_density;
use crate::lower::nearest;
use crate::tractability::ZERO_MASS;

/// The circuit of the distribution of the variables that `is_kept` picks.
///
/// Before: `0.3: rain * wet ~ bernoulli(0.9) + 0.7: !rain * wet ~ bernoulli(0.2)`, and
/// `wet` is summed out. After: `0.3: rain + 0.7: !rain`.
///
/// Leaves of the others become their mass, and what is left of sums and products without
/// a variable is a number, which moves up. Where all masses are 1, weights stay as they
/// are: learned, tied, and in logarithms if they were. Determinism may be lost, because
/// what told the children of a sum apart may be gone. Linear in edges.
pub fn marginalize(
    checked: &Checked,
    values: &[ParameterValue],
    is_kept: impl Fn(VarId) -> bool,
) -> Result<TransformedCircuit, TransformError> {
    let circuit = checked.circuit();
    let mut builder = CircuitBuilder::new();
    let kept = ParameterTreatment::Kept;
    let mut import = TransformSource::picking(&mut builder, circuit, values, kept, is_kept);
    let leaf = |builder: &mut _, import: &mut TransformSource, unit| {
        let Some(leaf) = circuit.leaf_of(unit) else {
            return ScaledUnit::ZERO;
        };
        match import.variable(leaf.variable) {
            Some(_) => import.leaf_unit(builder, unit),
            None => ScaledUnit::number(log_density(circuit, values, leaf, f64::NAN)),
        }
    };
    let part = reduce(&mut builder, &mut import, SumScaling::Kept, leaf);
    if part.is_zero() {
        return Err(TransformError::Zero(ZERO_MASS.to_string()));
    }
    let Some(unit) = part.unit else {
        let message = "nothing is left: keep a variable that the root mentions";
        return Err(TransformError::Option(message.to_string()));
    };
    let origin = import.anonymous(circuit.root());
    let root = whole(&mut builder, unit, part.log_scale, origin);
    Ok(settle(builder, root, &[&import]))
}

/// The variables with these names, each of which is a variable's or that of an array, all
/// of whose members are meant.
pub fn variables_named<'n>(
    circuit: &CircuitGraph,
    names: impl IntoIterator<Item = &'n str>,
) -> Result<Vec<VarId>, TransformError> {
    let mut found = Vec::new();
    for name in names {
        let n_before = found.len();
        let ids = (0..circuit.variables().len()).map(VarId::new);
        found.extend(ids.filter(|&id| is_called(&circuit.variable(id).name, name)));
        if found.len() == n_before {
            return Err(unknown(circuit, name));
        }
    }
    Ok(found)
}

fn is_called(variable: &str, name: &str) -> bool {
    let without_blanks = |text: &str| text.replace(' ', "");
    let base = variable.split('[').next().unwrap_or(variable);
    without_blanks(variable) == without_blanks(name) || base == name
}

fn unknown(circuit: &CircuitGraph, name: &str) -> TransformError {
    let names = circuit
        .variables()
        .iter()
        .map(|variable| variable.name.as_str());
    let near = nearest(name, names);
    let help = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    TransformError::Option(format!("the circuit has no variable `{name}`{help}"))
}
