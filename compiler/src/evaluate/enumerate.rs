//! All inputs of a circuit over finite domains.

use super::log_likelihood;
use crate::circuit::{Circuit, Value};
use crate::leaf::log_sum_exp;

/// Every assignment of the circuit's variables, the last variable changing
/// fastest; `None` if a domain is infinite or there are more than `most`.
pub fn assignments(circuit: &Circuit, most: u64) -> Option<impl Iterator<Item = Vec<f64>>> {
    let sizes: Option<Vec<u64>> = circuit
        .variables()
        .iter()
        .map(|v| v.domain.size())
        .collect();
    let sizes = sizes?;
    let total = sizes.iter().try_fold(1_u64, |n, &size| n.checked_mul(size));
    let total = total.filter(|&total| total <= most)?;
    let firsts: Vec<f64> = circuit
        .variables()
        .iter()
        .map(|v| v.domain.first())
        .collect();
    Some((0..total).map(move |number| digits(number, &sizes, &firsts)))
}

/// The logarithm of the root's value added up over all assignments, if
/// [`assignments`] can list them.
pub fn log_total(circuit: &Circuit, values: &[Value], most: u64) -> Option<f64> {
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
