//! How far one circuit is from another.

use super::enumerate::EnumeratedStates;
use super::error::finite;
use super::estimate::{Estimate, EstimateOptions, SampledLogs};
use super::pairs::compare;
use super::{AnswerMethod, InformationError, ScaledCircuit, ValueBox, mentioned};
use crate::data::{Column, Table};
use crate::tractability::{CircuitOperand, QueryKind};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{CircuitGraph, ParameterValue, VarId};
use std::collections::BTreeMap;

/// A divergence or cross entropy, and how it was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Divergence {
    /// In nats; infinite if the first circuit is positive where the second is not.
    pub nats: f64,
    /// How it was found.
    pub method: AnswerMethod,
}

/// The Kullback-Leibler divergence of the second circuit from the first: the mean of
/// `log a - log b` under `a`. Both are scaled to mass 1.
///
/// Exact by structure if both circuits are proven deterministic and they split their
/// variables alike; otherwise by visiting all states, if these are few.
pub fn divergence(
    first: (&Checked, &[ParameterValue]),
    second: (&Checked, &[ParameterValue]),
    n_threads: usize,
) -> Result<Divergence, InformationError> {
    let variables = matching(first.0.circuit(), second.0.circuit())?;
    let kind = QueryKind::Divergence;
    let refusal = kind
        .refusal(first.0.circuit(), first.0.facts())
        .or_else(|| kind.refusal_of(CircuitOperand::Second, second.0.circuit(), second.0.facts()));
    let by_structure = match refusal {
        None => by_structure(kind, first, second, &variables, |found| found.log_ratio),
        Some(refusal) => Err(refusal.into()),
    };
    let ratio = |log_p: f64, log_q: f64| log_p - log_q;
    let found = by_structure
        .or_else(|error| by_states(first, second, &variables, n_threads, error, ratio))?;
    // A divergence is never negative, however it was rounded.
    let nats = found.nats.max(0.0);
    Ok(Divergence { nats, ..found })
}

/// The cross entropy: the mean of `-log b` under `a`, both scaled to mass 1.
///
/// Exact by structure if the second circuit is proven deterministic and they split their
/// variables alike; otherwise by visiting all states, if these are few.
pub fn cross_entropy(
    first: (&Checked, &[ParameterValue]),
    second: (&Checked, &[ParameterValue]),
    n_threads: usize,
) -> Result<Divergence, InformationError> {
    let variables = matching(first.0.circuit(), second.0.circuit())?;
    let kind = QueryKind::CrossEntropy;
    let refusal = kind.refusal_of(CircuitOperand::Second, second.0.circuit(), second.0.facts());
    let by_structure = match refusal {
        None => by_structure(kind, first, second, &variables, |found| -found.log_other),
        Some(refusal) => Err(refusal.into()),
    };
    let other = |_: f64, log_q: f64| -log_q;
    by_structure.or_else(|error| by_states(first, second, &variables, n_threads, error, other))
}

fn by_structure(
    kind: QueryKind,
    first: (&Checked, &[ParameterValue]),
    second: (&Checked, &[ParameterValue]),
    variables: &[Option<VarId>],
    pick: impl Fn(super::pairs::UnitComparison) -> f64,
) -> Result<Divergence, InformationError> {
    let (a, b) = (first.0.circuit(), second.0.circuit());
    let left = ScaledCircuit::new(a, first.1, &ValueBox::default())?;
    let right = ScaledCircuit::new(b, second.1, &ValueBox::default())?;
    let whole = compare(&left, &right, variables, kind)?;
    Ok(Divergence {
        nats: if whole.is_covered {
            finite(pick(whole.of), "the divergence")?
        } else {
            f64::INFINITY
        },
        method: AnswerMethod::Structure,
    })
}

/// Adds up `term` over all states; if there are too many, the error is `otherwise`.
fn by_states(
    first: (&Checked, &[ParameterValue]),
    second: (&Checked, &[ParameterValue]),
    variables: &[Option<VarId>],
    n_threads: usize,
    otherwise: InformationError,
    term: impl Fn(f64, f64) -> f64,
) -> Result<Divergence, InformationError> {
    if !matches!(
        otherwise,
        InformationError::Structure(_) | InformationError::Refused(_)
    ) {
        return Err(otherwise);
    }
    // The states of both circuits have to be in one order.
    let pairs = variables.iter().enumerate();
    let pairs = pairs.filter_map(|(at, &own)| Some((own?, VarId::new(at))));
    let (own, theirs): (Vec<VarId>, Vec<VarId>) = pairs.unzip();
    let all = EnumeratedStates::of(first.0, &own)
        .and_then(|left| Ok((left, EnumeratedStates::of(second.0, &theirs)?)));
    let Ok((left, right)) = all else {
        return Err(otherwise);
    };
    let log_p = left.log_probabilities(first.0, first.1, n_threads)?;
    let log_q = right.log_probabilities(second.0, second.1, n_threads)?;
    let pairs = log_p.iter().zip(&log_q);
    let possible = pairs.filter(|(p, _)| **p > f64::NEG_INFINITY);
    // Infinite where the second circuit has nothing and the first has something.
    let terms = possible.map(|(&p, &q)| match q {
        f64::NEG_INFINITY => f64::INFINITY,
        _ => p.exp() * term(p, q),
    });
    Ok(Divergence {
        nats: terms.sum(),
        method: left.method(),
    })
}

/// For each variable of the second circuit the one of the first that has its name.
pub(super) fn matching(
    first: &CircuitGraph,
    second: &CircuitGraph,
) -> Result<Vec<Option<VarId>>, InformationError> {
    let (own, theirs) = (mentioned(first), mentioned(second));
    let name = |variable: &VarId| first.variable(*variable).name.as_str();
    let by_name: BTreeMap<&str, VarId> = own.iter().map(|own| (name(own), *own)).collect();
    let mut found = vec![None; second.variables().len()];
    let mut is_matched = vec![false; first.variables().len()];
    for &variable in &theirs {
        let other = second.variable(variable);
        let Some(&same) = by_name.get(other.name.as_str()) else {
            return Err(only_in(&other.name, "second"));
        };
        let domain = &first.variable(same).domain;
        if *domain != other.domain {
            return Err(InformationError::Mismatch(format!(
                "`{}` is {domain} in the first circuit and {} in the second; \
                 only circuits over the same variables can be compared",
                other.name, other.domain
            )));
        }
        found[variable.index()] = Some(same);
        is_matched[same.index()] = true;
    }
    match own.iter().find(|variable| !is_matched[variable.index()]) {
        Some(&missing) => Err(only_in(&first.variable(missing).name, "first")),
        None => Ok(found),
    }
}

fn only_in(name: &str, which: &str) -> InformationError {
    InformationError::Mismatch(format!(
        "only the {which} circuit mentions `{name}`; marginalize it out, so that both \
         circuits are over the same variables"
    ))
}

/// The divergence of the second circuit from the first, from samples of the first; the
/// cross entropy if `is_cross`.
pub fn estimate_divergence(
    first: (&Checked, &[ParameterValue]),
    second: (&Checked, &[ParameterValue]),
    is_cross: bool,
    sampling: &EstimateOptions,
) -> Result<Estimate, InformationError> {
    let variables = matching(first.0.circuit(), second.0.circuit())?;
    let own = SampledLogs::new(first, sampling.n_threads)?;
    let other = SampledLogs::new(second, sampling.n_threads)?;
    own.mean(sampling, |samples| {
        let columns = variables.iter().map(|own| match own {
            Some(own) => samples.columns()[own.index()].clone(),
            None => Column::Missing,
        });
        let theirs = Table::new(samples.n_rows(), columns.collect());
        let (log_p, log_q) = (own.of(samples), other.of(&theirs));
        let pairs = log_p.iter().zip(&log_q);
        let terms = pairs.map(|(log_p, log_q)| if is_cross { -log_q } else { log_p - log_q });
        terms.collect()
    })
}
