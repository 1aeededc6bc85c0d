//! What some variables tell about others.

use super::entropy::entropy_of;
use super::enumerate::States;
use super::{InformationError, Method, marginal, mentioned};
use pelton_compiler::check::{Checked, Limits};
use pelton_compiler::circuit::{Circuit, Value, VarId};
use pelton_compiler::leaf::log_sum_exp;

/// Mutual information and what it is made of, in nats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MutualInformation {
    /// By how much knowing the ones lowers the entropy of the others; never negative.
    pub nats: f64,
    /// The entropy of the first variables.
    pub first: f64,
    /// The entropy of the second ones.
    pub second: f64,
    /// The entropy of all of them.
    pub both: f64,
    /// How it was found.
    pub method: Method,
}

/// The mutual information of two sets of variables.
///
/// All states of the two sets are visited if they are few, each by a marginal query.
/// Otherwise it is exact where the variables of either set, and of both, decide what sums
/// choose: entropies of marginals are then one pass each.
pub fn mutual_information(
    checked: &Checked,
    values: &[Value],
    (first, second): (&[VarId], &[VarId]),
    limits: &Limits,
    n_threads: usize,
) -> Result<MutualInformation, InformationError> {
    let circuit = checked.circuit();
    must_be_apart(circuit, first, second)?;
    let all: Vec<VarId> = first.iter().chain(second).copied().collect();
    let why = match States::of(checked, &all) {
        Ok(states) => {
            let logs = states.log_probabilities(checked, values, n_threads)?;
            let n_second = States::of(checked, second).map_or(1, |states| states.n_states);
            return Ok(of_table(&logs, n_second as usize, states.method()));
        }
        Err(why) => why,
    };
    let kept = |variables: &[VarId]| {
        let mut kept = vec![false; circuit.variables().len()];
        variables
            .iter()
            .for_each(|variable| kept[variable.index()] = true);
        kept
    };
    let sets = [kept(first), kept(second), kept(&all)];
    let refusal = sets
        .iter()
        .find_map(|kept| marginal::refusal(circuit, kept, limits));
    if let Some(refusal) = refusal {
        return Err(refusal.because(why).into());
    }
    let [first, second, both] = sets.map(|kept| marginal::entropy(circuit, values, &kept));
    let (first, second, both) = (first?, second?, both?);
    Ok(MutualInformation {
        nats: (first + second - both).max(0.0),
        first,
        second,
        both,
        method: Method::Structure,
    })
}

/// Of a table of logarithms of probabilities, with `n_second` columns.
fn of_table(logs: &[f64], n_second: usize, method: Method) -> MutualInformation {
    let rows: Vec<&[f64]> = logs.chunks(n_second.max(1)).collect();
    let first: Vec<f64> = rows
        .iter()
        .map(|row| log_sum_exp(row.iter().copied()))
        .collect();
    let column = |at: usize| log_sum_exp(rows.iter().map(|row| row[at]));
    let second: Vec<f64> = (0..n_second).map(column).collect();
    let mut nats = 0.0;
    for (row, log_row) in rows.iter().zip(&first) {
        for (log, log_column) in row.iter().zip(&second) {
            if *log > f64::NEG_INFINITY {
                nats += log.exp() * (log - log_row - log_column);
            }
        }
    }
    MutualInformation {
        nats: nats.max(0.0),
        first: entropy_of(&first),
        second: entropy_of(&second),
        both: entropy_of(logs),
        method,
    }
}

/// Both sets have variables, which the circuit mentions, and none is in both or twice.
pub(super) fn must_be_apart(
    circuit: &Circuit,
    first: &[VarId],
    second: &[VarId],
) -> Result<(), InformationError> {
    if first.is_empty() || second.is_empty() {
        let message = "name at least one variable on either side";
        return Err(InformationError::Mismatch(message.to_string()));
    }
    let mentioned = mentioned(circuit);
    let mut seen = std::collections::BTreeSet::new();
    for &variable in first.iter().chain(second) {
        let name = &circuit.variable(variable).name;
        if !mentioned.contains(&variable) {
            let message = format!("the circuit does not mention `{name}`");
            return Err(InformationError::Mismatch(message));
        }
        if !seen.insert(variable) {
            let message = format!("`{name}` is named twice; a variable can be on one side only");
            return Err(InformationError::Mismatch(message));
        }
    }
    Ok(())
}
