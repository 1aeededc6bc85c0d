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
use crate::leaf::log_density;
use crate::reference::log_values_over;
use crate::tractability::ZERO_MASS;
use pelton_grammar::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

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
    let values: Vec<Vec<ParameterValue>> = members
        .iter()
        .map(|member| member.circuit().start_values())
        .collect();
    let mut imports = Vec::new();
    let mut units = Vec::new();
    for (at, (member, values)) in members.iter().zip(&values).enumerate() {
        let circuit = member.circuit();
        let variables = match at {
            0 => declare(&mut builder, circuit),
            _ => matched(first.circuit(), circuit, at + 1)?,
        };
        let mut import = TransformSource::new(circuit, values, ParameterTreatment::Kept, variables);
        let part = copy(&mut builder, &mut import);
        if part.is_zero() {
            return Err(TransformError::Zero(format!(
                "circuit {} is no member of a mixture: {ZERO_MASS}",
                at + 1
            )));
        }
        let unit = part.unit.ok_or_else(|| {
            TransformError::Circuit(format!("circuit {} has no variables", at + 1))
        })?;
        // What the copy was divided by goes back into a weight, without the mass.
        let log_scale = part.log_scale - log_mass(member, values)?;
        units.push(whole(
            &mut builder,
            unit,
            log_scale,
            SourceOrigin::default(),
        ));
        imports.push(import);
    }
    check_scopes(members)?;
    let weights = weights(&mut builder, weighting);
    let children = units
        .iter()
        .zip(weights)
        .map(|(&unit, weight)| ChildEdge::term(unit, weight, Span::default()));
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
    let mut import = TransformSource::picking(
        &mut builder,
        circuit,
        &values,
        ParameterTreatment::Fixed,
        |_| true,
    );
    let part = copy(&mut builder, &mut import);
    match part.unit {
        Some(unit) => {
            let root = whole(&mut builder, unit, part.log_scale, SourceOrigin::default());
            settle(builder, root, &[&import]).checked
        }
        None => checked.clone(),
    }
}

/// What a member is divided by, so that it counts as the distribution it stands for; 0 up
/// to rounding.
fn log_mass(member: &Checked, values: &[ParameterValue]) -> Result<f64, TransformError> {
    if member.facts().is_proven(Property::Normalized) {
        return Ok(0.0);
    }
    let circuit = member.circuit();
    let logs = log_values_over(circuit, values, |leaf| {
        log_density(circuit, values, leaf, f64::NAN)
    });
    match logs[circuit.root().index()] {
        log if log.abs() <= TOLERANCE => Ok(0.0),
        log if log.is_finite() => Ok(log),
        _ => Err(TransformError::Zero(format!(
            "a member of a mixture has no distribution: {ZERO_MASS}"
        ))),
    }
}

/// A member as it is.
fn copy(builder: &mut CircuitBuilder, import: &mut TransformSource) -> ScaledUnit {
    reduce(
        builder,
        import,
        SumScaling::Kept,
        |builder, import, unit| import.leaf_unit(builder, unit),
    )
}

fn declare(builder: &mut CircuitBuilder, circuit: &CircuitGraph) -> Vec<Option<VarId>> {
    let variables = circuit.variables().iter();
    variables
        .map(|variable| Some(builder.variable(variable.clone())))
        .collect()
}

/// The variables of the first circuit that those of another are, by name.
fn matched(
    first: &CircuitGraph,
    other: &CircuitGraph,
    number: usize,
) -> Result<Vec<Option<VarId>>, TransformError> {
    let ids = (0..first.variables().len()).map(VarId::new);
    let known: FxHashMap<&str, VarId> = ids
        .map(|id| (first.variable(id).name.as_str(), id))
        .collect();
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
        let domain = &first.variable(id).domain;
        if variable.domain == *domain {
            Ok(Some(id))
        } else {
            Err(TransformError::Circuit(format!(
                "`{name}` has the domain {domain} in circuit 1 and {} in circuit {number}; only \
                 variables of the same domain can be matched",
                variable.domain
            )))
        }
    });
    matched.collect()
}

/// Members have to mention the same variables, or the mixture would not be smooth.
fn check_scopes(members: &[&Checked]) -> Result<(), TransformError> {
    let names = |member: &Checked| -> Vec<String> {
        let circuit = member.circuit();
        let scope = member.facts().scopes().of(circuit.root());
        let names = scope.iter().map(|id| circuit.variable(id).name.clone());
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        names
    };
    let Some(first) = members.first().map(|member| names(member)) else {
        return Ok(());
    };
    for (at, member) in members.iter().enumerate().skip(1) {
        let other = names(member);
        let lacks = |some: &[String], all: &[String]| {
            some.iter()
                .find(|name| all.binary_search(name).is_err())
                .cloned()
        };
        let found = lacks(&first, &other)
            .map(|name| (name, at + 1, 1))
            .or_else(|| lacks(&other, &first).map(|name| (name, 1, at + 1)));
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
    let problem = match weights.iter().find(|w| !w.is_finite() || **w < 0.0) {
        _ if weights.len() != n_members => Some(format!(
            "there are {} weights for {n_members} circuits; give one for each",
            weights.len()
        )),
        Some(weight) => Some(format!(
            "{weight} is no weight: weights are numbers from 0 up"
        )),
        None => {
            let total: f64 = weights.iter().sum();
            ((total - 1.0).abs() > TOLERANCE)
                .then(|| format!("the weights add up to {total}; they must add up to 1"))
        }
    };
    problem.map_or(Ok(()), |problem| Err(TransformError::Option(problem)))
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
            let weights = builder.weights(ParamKind::Simplex, &entries, span);
            weights.collect()
        }
    }
}
