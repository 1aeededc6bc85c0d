//! Means of products of functions of single variables.

use super::error::finite;
use super::{InformationError, ScaledCircuit};
use pelton_compiler::circuit::{Leaf, UnitKind, VarId};
use pelton_compiler::evidence::ValueBox;
use pelton_compiler::leaf;
use std::collections::BTreeMap;

/// A function of one variable.
pub type UnivariateFunction<'f> = &'f dyn Fn(f64) -> f64;

/// The mean of a product of functions of single variables, given what is known: one
/// pass, because products share no variable.
///
/// `scaled` was made for the same evidence. Functions should not grow faster than a
/// power; they are called with categories numbered from 0.
pub fn expectation(
    scaled: &ScaledCircuit,
    evidence: &ValueBox,
    functions: &BTreeMap<VarId, UnivariateFunction>,
) -> Result<f64, InformationError> {
    let circuit = scaled.circuit();
    let mut fault = None;
    let of_leaf = |unit| {
        let UnitKind::Input(id) = circuit.kind(unit) else {
            return 1.0;
        };
        let leaf = circuit.leaf(id);
        let Some(function) = functions.get(&leaf.variable) else {
            return 1.0;
        };
        // A unit without mass takes no part in any sum.
        if scaled.log_mass(unit) == f64::NEG_INFINITY {
            return 0.0;
        }
        leaf_mean(scaled, leaf, evidence, function).unwrap_or_else(|| {
            fault.get_or_insert(unit);
            0.0
        })
    };
    // Products multiply the means of their factors, which have no variable in common.
    let means = scaled.upward(of_leaf, |factors| factors.product(), |own, _| own);
    if let Some(unit) = fault {
        let message = format!(
            "the mean of a function cannot be computed for the {}: it is constant on too many values",
            circuit.describe(unit)
        );
        return Err(InformationError::Structure(message.into()));
    }
    finite(means[circuit.root().index()], "the mean")
}

fn leaf_mean(
    scaled: &ScaledCircuit,
    leaf: &Leaf,
    evidence: &ValueBox,
    function: UnivariateFunction,
) -> Option<f64> {
    let (circuit, values) = (scaled.circuit(), scaled.values());
    if let Some(x) = evidence.exact(circuit, leaf.variable) {
        return Some(function(x));
    }
    let Some(set) = evidence.set(leaf.variable) else {
        let full = circuit.variable(leaf.variable).domain.full();
        return leaf::expectation(circuit, values, leaf, &full, function);
    };
    let mass = leaf::expectation(circuit, values, leaf, set, &|_| 1.0)?;
    Some(leaf::expectation(circuit, values, leaf, set, function)? / mass)
}
