//! Values of parameters as tensors, and back.

use super::container::TensorContainer;
use super::layout::{TensorBlock, layout, logarithms};
use super::{StateData, StateTensor, StoreError};
use pelton_compiler::circuit::{CircuitGraph, ParamId, ParamKind, ParameterValue};
use std::collections::HashSet;

/// What stands before the names of tensors that are no parameters.
pub(super) const STATE: &str = "state/";

/// How far probabilities may be from adding up to 1, as in the circuit language.
const TOLERANCE: f64 = 1e-6;
/// How far apart a number in the text and in a tensor may be: as far as two
/// machines compute it differently.
const SAME: f64 = 1e-9;

/// The tensors of a circuit's parameters with these values.
pub(super) fn to_tensors(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
) -> Result<Vec<(String, StateTensor)>, StoreError> {
    let mut tensors = Vec::new();
    for block in layout(circuit) {
        for &param in &block.params {
            let own = &values[circuit.parameter(param).entries()];
            if let Some(fault) = fault(circuit.parameter(param).kind, own) {
                let what = format!("of {}, {fault}", describe(circuit, &block, param));
                return Err(StoreError::Unsound(what));
            }
        }
        let own = || {
            let params = block.params.iter();
            params.flat_map(|&param| &values[circuit.parameter(param).entries()])
        };
        let tensor = |data: Vec<f64>| StateTensor {
            shape: block.shape.clone(),
            data: StateData::F64(data),
        };
        let linear = own().map(|value| value.linear()).collect();
        tensors.push((block.name.clone(), tensor(linear)));
        if own().any(|value| matches!(value, ParameterValue::Log(_))) {
            let log = |value: &ParameterValue| match value {
                ParameterValue::Log(log) => *log,
                ParameterValue::Linear(_) => f64::NAN,
            };
            tensors.push((logarithms(&block.name), tensor(own().map(log).collect())));
        }
    }
    Ok(tensors)
}

/// The values for all entries of a circuit that a file holds. What has no tensor
/// is a number in the text.
pub(super) fn from_tensors(
    circuit: &CircuitGraph,
    container: &TensorContainer,
) -> Result<Vec<ParameterValue>, StoreError> {
    let mut values = circuit.start_values();
    let blocks = layout(circuit);
    reject_unknown(container, &blocks)?;
    for block in &blocks {
        let missing = || StoreError::Damaged(format!("tensor `{}` is missing", block.name));
        let linear = numbers(container, &block.name, &block.shape)?;
        let linear = linear.ok_or_else(missing)?;
        let logs = numbers(container, &logarithms(&block.name), &block.shape)?;
        let mut at = 0;
        for &param in &block.params {
            let positions = circuit.parameter(param).entries();
            for position in positions.clone() {
                values[position] = match logs.as_ref().map(|logs| logs[at]) {
                    Some(log) if !log.is_nan() => ParameterValue::Log(log),
                    _ => ParameterValue::Linear(linear[at]),
                };
                at += 1;
            }
            check(circuit, block, param, &values[positions])?;
        }
    }
    Ok(values)
}

fn reject_unknown(container: &TensorContainer, blocks: &[TensorBlock]) -> Result<(), StoreError> {
    let names = |block: &TensorBlock| [block.name.clone(), logarithms(&block.name)];
    let known: HashSet<String> = blocks.iter().flat_map(names).collect();
    let is_unknown = |name: &String| !name.starts_with(STATE) && !known.contains(name);
    let Some(name) = container.names().into_iter().find(is_unknown) else {
        return Ok(());
    };
    let what = format!("the circuit has no parameter for tensor `{name}`");
    Err(StoreError::Damaged(what))
}

fn numbers(
    container: &TensorContainer,
    name: &str,
    shape: &[usize],
) -> Result<Option<Vec<f64>>, StoreError> {
    let Some(tensor) = container.tensor(name)? else {
        return Ok(None);
    };
    if tensor.shape != shape {
        let (found, wanted) = (&tensor.shape, shape);
        let what = format!("tensor `{name}` has shape {found:?}, and {wanted:?} is needed");
        return Err(StoreError::Damaged(what));
    }
    match tensor.data {
        StateData::F64(numbers) => Ok(Some(numbers)),
        StateData::U64(_) => {
            let what = format!("tensor `{name}` holds U64, and F64 is needed");
            Err(StoreError::Damaged(what))
        }
    }
}

/// Compares the values of one parameter with its kind and with what is fixed.
fn check(
    circuit: &CircuitGraph,
    block: &TensorBlock,
    param: ParamId,
    values: &[ParameterValue],
) -> Result<(), StoreError> {
    let describe = || describe(circuit, block, param);
    if let Some(fault) = fault(circuit.parameter(param).kind, values) {
        return Err(StoreError::Damaged(format!("of {}, {fault}", describe())));
    }
    for (entry, value) in circuit.entries(param).iter().zip(values) {
        let Some(fixed) = entry.fixed_value() else {
            continue;
        };
        let (fixed, stored) = (fixed.linear(), value.linear());
        let is_same = fixed == stored || (fixed - stored).abs() <= SAME * fixed.abs();
        if !is_same {
            let which = describe();
            let what = format!("{which} is {stored} in its tensor and {fixed} in its text");
            return Err(StoreError::Damaged(what));
        }
    }
    Ok(())
}

fn describe(circuit: &CircuitGraph, block: &TensorBlock, param: ParamId) -> String {
    let parameter = circuit.parameter(param);
    let position = block.params.iter().position(|&other| other == param);
    match (parameter.name, block.params.len(), position) {
        (Some(name), ..) => format!("`{}`", circuit.names().show(name)),
        (None, 2.., Some(position)) => format!("`{}`, number {position}", block.name),
        _ => format!("`{}`", block.name),
    }
}

/// What is wrong with the values of a parameter of this kind, if anything.
pub fn fault(kind: ParamKind, values: &[ParameterValue]) -> Option<String> {
    let is_bad = |value: &ParameterValue| {
        let is_number = match *value {
            ParameterValue::Linear(value) => value.is_finite(),
            ParameterValue::Log(log) => !log.is_nan() && log < f64::INFINITY,
        };
        !is_number
            || match kind {
                ParamKind::Real => !value.linear().is_finite(),
                ParamKind::Positive => !(value.linear() > 0.0 && value.linear().is_finite()),
                ParamKind::Simplex | ParamKind::Unit | ParamKind::Weights => value.linear() < 0.0,
            }
    };
    if let Some(value) = values.iter().find(|value| is_bad(value)) {
        let (value, kind) = (value.linear(), kind.name());
        return Some(format!("{value} is no value of a {kind} parameter"));
    }
    let total: f64 = values.iter().map(|value| value.linear()).sum();
    let is_off = kind.adds_up() && (total - 1.0).abs() > TOLERANCE;
    // Without the noise of the last digits.
    let shown = (total * 1e9).round() / 1e9;
    is_off.then(|| format!("the values add up to {shown}, not to 1"))
}
