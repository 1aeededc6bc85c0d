//! What some variables tell about others.

use super::entropy::{Entropy, entropy_of, entropy_of_states};
use super::enumerate::EnumeratedStates;
use super::estimate::{Estimate, EstimateOptions, SampledLogs};
use super::{AnswerMethod, InformationError, marginal_entropy, mentioned};
use crate::data::{Column, Table};
use crate::tractability::QueryKind;
use pelton_compiler::check::{Checked, DeterminismLimits};
use pelton_compiler::circuit::{CircuitGraph, ParameterValue, VarId};
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
    pub method: AnswerMethod,
}

/// The mutual information of two sets of variables.
///
/// All states of the two sets are visited if they are few, each by a marginal query.
/// Otherwise each of the three entropies is found in its own way: in one pass where its
/// variables decide what sums choose, else by visiting their states if these are few.
pub fn mutual_information(
    checked: &Checked,
    values: &[ParameterValue],
    (first, second): (&[VarId], &[VarId]),
    limits: &DeterminismLimits,
    n_threads: usize,
) -> Result<MutualInformation, InformationError> {
    let circuit = checked.circuit();
    must_be_apart(circuit, first, second)?;
    let all: Vec<VarId> = first.iter().chain(second).copied().collect();
    if let Ok(states) = EnumeratedStates::of(checked, &all) {
        let logs = states.log_probabilities(checked, values, n_threads)?;
        let n_second = EnumeratedStates::of(checked, second).map_or(1, |states| states.n_states);
        return Ok(of_table(&logs, n_second as usize, states.method()));
    }
    let find = |set: &[VarId]| one_entropy(checked, values, set, limits, n_threads);
    let (first, second, both) = (find(first)?, find(second)?, find(&all)?);
    let methods = [first.method, second.method, both.method];
    let (first, second, both) = (first.nats, second.nats, both.nats);
    Ok(MutualInformation {
        nats: (first + second - both).max(0.0),
        first,
        second,
        both,
        method: together(&methods),
    })
}

/// The entropy of some variables, by structure where they decide what sums choose, else by
/// visiting their states.
fn one_entropy(
    checked: &Checked,
    values: &[ParameterValue],
    variables: &[VarId],
    limits: &DeterminismLimits,
    n_threads: usize,
) -> Result<Entropy, InformationError> {
    let circuit = checked.circuit();
    let mut kept = vec![false; circuit.variables().len()];
    for variable in variables {
        kept[variable.index()] = true;
    }
    let kind = QueryKind::MutualInformation;
    match marginal_entropy::refusal(kind, circuit, &kept, limits) {
        None => Ok(Entropy {
            nats: marginal_entropy::entropy(circuit, values, &kept)?,
            method: AnswerMethod::Structure,
        }),
        Some(refusal) => entropy_of_states((checked, values), variables, n_threads, refusal),
    }
}

/// What an answer rests on that is made of several.
fn together(methods: &[AnswerMethod]) -> AnswerMethod {
    let visited = methods.iter().map(|method| match method {
        AnswerMethod::Structure => 0,
        AnswerMethod::Enumeration { n_states } | AnswerMethod::Mixed { n_states } => *n_states,
    });
    match visited.sum() {
        0 => AnswerMethod::Structure,
        n_states => AnswerMethod::Mixed { n_states },
    }
}

/// Of a table of logarithms of probabilities, with `n_second` columns.
fn of_table(logs: &[f64], n_second: usize, method: AnswerMethod) -> MutualInformation {
    let rows: Vec<&[f64]> = logs.chunks(n_second.max(1)).collect();
    let row = |row: &&[f64]| log_sum_exp(row.iter().copied());
    let first: Vec<f64> = rows.iter().map(row).collect();
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
    circuit: &CircuitGraph,
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

/// The mutual information of two sets of variables, from samples of the circuit.
pub fn estimate_mutual_information(
    circuit: (&Checked, &[ParameterValue]),
    (first, second): (&[VarId], &[VarId]),
    sampling: &EstimateOptions,
) -> Result<Estimate, InformationError> {
    must_be_apart(circuit.0.circuit(), first, second)?;
    let both: Vec<VarId> = first.iter().chain(second).copied().collect();
    let logs = SampledLogs::new(circuit, sampling.n_threads)?;
    logs.mean(sampling, |samples| {
        let [log_x, log_y, log_xy] =
            [first, second, &both].map(|kept| logs.of(&only(samples, kept)));
        let terms = log_xy.iter().zip(log_x.iter().zip(&log_y));
        terms.map(|(xy, (x, y))| xy - x - y).collect()
    })
}

/// The rows with all but some variables missing.
fn only(samples: &Table, kept: &[VarId]) -> Table {
    let mut columns = vec![Column::Missing; samples.columns().len()];
    for variable in kept {
        columns[variable.index()] = samples.columns()[variable.index()].clone();
    }
    Table::new(samples.n_rows(), columns)
}
