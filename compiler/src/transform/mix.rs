//! Mixtures of circuits over the same variables.

use super::TransformError;
use super::import::{ParameterTreatment, TransformSource};
use super::part::{ScaledUnit, whole};
use super::reduce::{SumScaling, reduce};
use super::settle::{TransformedCircuit, settle};
use crate::check::Checked;
use crate::circuit::{
    ChildEdge, CircuitBuilder, CircuitGraph, ParamKind, ParameterEntry, ParameterValue, Property,
    SourceOrigin, VarId, Weight,
};
use crate::reference::log_masses;
use crate::tractability::ZERO_MASS;
use pelton_grammar::source::Span;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// How much each member of a mixture counts.
#[derive(Clone, Debug, PartialEq)]
pub enum MixtureWeights {
    /// These weights, which add up to 1.
    Fixed(Vec<f64>),
    /// Learned weights that start here.
    Learned(Vec<ParameterValue>),
}

impl MixtureWeights {
    /// Equal fixed weights.
    pub fn even(n_members: usize) -> Self {
        MixtureWeights::Fixed(vec![1.0 / n_members.max(1) as f64; n_members])
    }
}

/// How far given weights may be from adding up to 1.
const TOLERANCE: f64 = 1e-6;

/// A mixture of circuits, whose variables are matched by their names.
///
/// Before: `root a` and `root b`. After: `root 0.3: a + 0.7: b`.
///
/// Each member counts as the distribution it stands for, its value over its mass. Apart
/// from that they stay as they are, with what they learn and tie; declared names that two
/// of them have are told apart when the mixture is written. Linear in edges.
pub fn mix(
    members: &[&Checked],
    weighting: &MixtureWeights,
) -> Result<TransformedCircuit, TransformError> {
    let Some(first) = members.first() else {
        return Err(TransformError::Option("a mixture needs a circuit".into()));
    };
    check_weights(members.len(), weighting)?;
    let mut builder = CircuitBuilder::new();
    let values = members.iter().map(|member| member.circuit().start_values());
    let values: Vec<Vec<ParameterValue>> = values.collect();
    let mut imports = Vec::new();
    let mut units = Vec::new();
    // 1. Copy each member; variables of the first one are declared, those of others matched by
    // name.
    for (at, (member, values)) in members.iter().zip(&values).enumerate() {
        let circuit = member.circuit();
        let variables = match at {
            0 => declare(&mut builder, circuit),
            _ => matched(first.circuit(), circuit, at + 1)?,
        };
        let mut import = TransformSource::new(circuit, values, ParameterTreatment::Kept, variables);
        let part = copy(&mut builder, &mut import);
        let number = at + 1;
        if part.is_zero() {
            let message = format!("circuit {number} is no member of a mixture: {ZERO_MASS}");
            return Err(TransformError::Zero(message));
        }
        let Some(unit) = part.unit else {
            let message = format!("circuit {number} has no variables");
            return Err(TransformError::Circuit(message));
        };
        // What the copy was divided by goes back into a weight, without the mass.
        let log_scale = part.log_scale - log_mass(member, values)?;
        let origin = SourceOrigin::default();
        units.push(whole(&mut builder, unit, log_scale, origin));
        imports.push(import);
    }
    // 2. Only members over the same variables make a smooth sum.
    check_scopes(members)?;
    let terms = units.into_iter().zip(weights(&mut builder, weighting));
    let children = terms.map(|(unit, weight)| ChildEdge::term(unit, weight, Span::default()));
    let children: Vec<ChildEdge> = children.collect();
    let root = builder.sum(&children, SourceOrigin::default());
    let imports: Vec<&TransformSource> = imports.iter().collect();
    Ok(settle(builder, root, &imports))
}

/// A circuit with all that it learns fixed at its values, so that only the weights of a
/// mixture are learned.
pub fn freeze(checked: &Checked) -> Checked {
    let circuit = checked.circuit();
    let values = circuit.start_values();
    let mut builder = CircuitBuilder::new();
    let fixed = ParameterTreatment::Fixed;
    let mut import = TransformSource::picking(&mut builder, circuit, &values, fixed, |_| true);
    let part = copy(&mut builder, &mut import);
    let Some(unit) = part.unit else {
        return checked.clone();
    };
    let root = whole(&mut builder, unit, part.log_scale, SourceOrigin::default());
    settle(builder, root, &[&import]).checked
}

/// What a member is divided by, so that it counts as the distribution it stands for; 0 up
/// to rounding.
fn log_mass(member: &Checked, values: &[ParameterValue]) -> Result<f64, TransformError> {
    if member.facts().is_proven(Property::Normalized) {
        return Ok(0.0);
    }
    let circuit = member.circuit();
    match log_masses(circuit, values)[circuit.root().index()] {
        log if log.abs() <= TOLERANCE => Ok(0.0),
        log if log.is_finite() => Ok(log),
        _ => {
            let message = format!("a member of a mixture has no distribution: {ZERO_MASS}");
            Err(TransformError::Zero(message))
        }
    }
}

fn copy(builder: &mut CircuitBuilder, import: &mut TransformSource) -> ScaledUnit {
    let leaf =
        |builder: &mut _, import: &mut TransformSource, unit| import.leaf_unit(builder, unit);
    reduce(builder, import, SumScaling::Kept, leaf)
}

/// The variables of a circuit, declared in the new one.
pub(super) fn declare(builder: &mut CircuitBuilder, circuit: &CircuitGraph) -> Vec<Option<VarId>> {
    let variables = circuit.variables().iter().cloned();
    variables
        .map(|variable| Some(builder.variable(variable)))
        .collect()
}

/// The variables of the first circuit that those of another are, by name.
fn matched(
    first: &CircuitGraph,
    other: &CircuitGraph,
    number: usize,
) -> Result<Vec<Option<VarId>>, TransformError> {
    // Neither side may have a variable that the other lacks, whatever the roots mention.
    let known = first.variables_by_name();
    let own: FxHashSet<&str> = other.variables().iter().map(|v| v.name.as_str()).collect();
    if let Some(lost) = known.keys().filter(|name| !own.contains(*name)).min() {
        return Err(TransformError::Circuit(format!(
            "a mixture is over the same variables: circuit {number} has no variable `{lost}`"
        )));
    }
    let matched = other.variables().iter().map(|variable| {
        let name = &variable.name;
        let id = known.get(name.as_str()).copied().ok_or_else(|| {
            TransformError::Circuit(format!(
                "a mixture is over the same variables: circuit 1 has no variable `{name}`, \
                 which circuit {number} has"
            ))
        })?;
        let (domain, own) = (&first.variable(id).domain, &variable.domain);
        if own == domain {
            return Ok(Some(id));
        }
        Err(TransformError::Circuit(format!(
            "`{name}` has the domain {domain} in circuit 1 and {own} in circuit {number}; only \
             variables of the same domain can be matched"
        )))
    });
    matched.collect()
}

/// Members have to mention the same variables, or the mixture would not be smooth.
fn check_scopes(members: &[&Checked]) -> Result<(), TransformError> {
    let names = members.iter().map(|member| -> BTreeSet<&str> {
        let circuit = member.circuit();
        let scope = member.facts().scopes().of(circuit.root());
        scope
            .iter()
            .map(|id| circuit.variable(id).name.as_str())
            .collect()
    });
    let names: Vec<BTreeSet<&str>> = names.collect();
    for (at, other) in names.iter().enumerate().skip(1) {
        let first = &names[0];
        let lost = first.difference(other).next().map(|name| (name, at + 1, 1));
        let found = lost.or_else(|| Some((other.difference(first).next()?, 1, at + 1)));
        if let Some((name, without, with)) = found {
            return Err(TransformError::Circuit(format!(
                "a mixture is over the same variables: the root of circuit {without} does not \
                 mention `{name}`, that of circuit {with} does"
            )));
        }
    }
    Ok(())
}

fn check_weights(n_members: usize, weighting: &MixtureWeights) -> Result<(), TransformError> {
    let weights: Vec<f64> = match weighting {
        MixtureWeights::Fixed(weights) => weights.clone(),
        MixtureWeights::Learned(values) => values.iter().map(|value| value.linear()).collect(),
    };
    let (n, total) = (weights.len(), weights.iter().sum::<f64>());
    let problem = if n != n_members {
        format!("there are {n} weights for {n_members} circuits; give one for each")
    } else if let Some(weight) = weights.iter().find(|w| !w.is_finite() || **w < 0.0) {
        format!("{weight} is no weight: weights are numbers from 0 up")
    } else if (total - 1.0).abs() > TOLERANCE {
        format!("the weights add up to {total}; they must add up to 1")
    } else {
        return Ok(());
    };
    Err(TransformError::Option(problem))
}

fn weights(builder: &mut CircuitBuilder, weighting: &MixtureWeights) -> Vec<Weight> {
    let span = Span::default();
    match weighting {
        MixtureWeights::Fixed(weights) => {
            let values = weights.iter().copied().map(ParameterValue::Linear);
            builder.fixed_weights(values, span)
        }
        MixtureWeights::Learned(values) => {
            let entries = values.iter().map(|&value| ParameterEntry {
                value: Some(value),
                learned: true,
            });
            let entries: Vec<ParameterEntry> = entries.collect();
            builder
                .weights(ParamKind::Simplex, &entries, span)
                .collect()
        }
    }
}
