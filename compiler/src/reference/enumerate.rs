//! All inputs of a circuit over finite domains.

use super::log_likelihood;
use crate::circuit::{CircuitGraph, ParameterValue, VarId};
use crate::leaf::log_sum_exp;

/// Every assignment of the circuit's variables, the last variable changing
/// fastest; `None` if a domain is infinite or there are more than `most`.
pub fn assignments(circuit: &CircuitGraph, most: u64) -> Option<impl Iterator<Item = Vec<f64>>> {
    let all: Vec<VarId> = (0..circuit.variables().len()).map(VarId::new).collect();
    assignments_of(circuit, &all, most)
}

/// Every assignment of some variables, in the order given, with NaN for the others;
/// `None` under the conditions of [`assignments`].
pub fn assignments_of(
    circuit: &CircuitGraph,
    variables: &[VarId],
    most: u64,
) -> Option<impl Iterator<Item = Vec<f64>> + use<>> {
    let domains = || variables.iter().map(|&v| &circuit.variable(v).domain);
    let sizes: Option<Vec<u64>> = domains().map(|domain| domain.size()).collect();
    let sizes = sizes?;
    let total = sizes.iter().try_fold(1_u64, |n, &size| n.checked_mul(size));
    let total = total.filter(|&total| total <= most)?;
    let firsts: Vec<f64> = domains().map(|domain| domain.first()).collect();
    let places: Vec<usize> = variables.iter().map(|v| v.index()).collect();
    let nothing = vec![f64::NAN; circuit.variables().len()];
    Some((0..total).map(move |number| {
        let mut assignment = nothing.clone();
        for (&at, value) in places.iter().zip(digits(number, &sizes, &firsts)) {
            assignment[at] = value;
        }
        assignment
    }))
}

/// The logarithm of the root's value added up over all assignments, if
/// [`assignments`] can list them.
pub fn log_total(circuit: &CircuitGraph, values: &[ParameterValue], most: u64) -> Option<f64> {
    let logs: Vec<f64> = assignments(circuit, most)?
        .map(|assignment| log_likelihood(circuit, values, &assignment))
        .collect();
    Some(log_sum_exp(logs.iter().copied()))
}

/// Writes `number` in the mixed radix of the domains' sizes.
fn digits(mut number: u64, sizes: &[u64], firsts: &[f64]) -> Vec<f64> {
    let mut values = firsts.to_vec();
    for (value, &size) in values.iter_mut().zip(sizes).rev() {
        *value += (number % size) as f64;
        number /= size;
    }
    values
}
