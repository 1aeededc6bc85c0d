//! Products of leaves on one variable.

use super::{MultiplicationOperand, TransformError};
use crate::circuit::{
    BernoulliDistribution, CategoricalDistribution, CircuitBuilder, CircuitGraph, Domain, Family,
    Leaf, LeafKind, NormalDistribution, ParamKind, ParameterEntry, ParameterValue, SourceOrigin,
    UnitId, ValueSet, VarId,
};
use crate::leaf::{log_sum_exp, log_table, log_truncation, support};
use crate::transform::import::{ParameterTreatment, TransformSource};
use crate::transform::part::{ScaledUnit, shares};
use crate::transform::restrict::{flat, restrict, whole_leaf};
use pelton_grammar::source::Span;

/// Domains of more values than this are not multiplied value by value.
const LARGEST_TABLE: u64 = 1 << 16;

pub(super) fn copied(
    builder: &mut CircuitBuilder,
    side: &mut MultiplicationOperand,
    unit: UnitId,
) -> ScaledUnit {
    match side.circuit().leaf_of(unit) {
        Some(leaf) => whole_leaf(builder, &mut side.import, unit, leaf),
        None => ScaledUnit::ZERO,
    }
}

/// The product of two leaves, normalized; its mass is the factor.
///
/// Indicators and uniform distributions truncate the other leaf, finite domains are
/// multiplied value by value, and two normal distributions are one.
pub(super) fn multiplied(
    builder: &mut CircuitBuilder,
    sides: &mut [MultiplicationOperand; 2],
    units: [UnitId; 2],
) -> Result<ScaledUnit, TransformError> {
    let leaves = [0, 1].map(|at| sides[at].circuit().leaf_of(units[at]));
    let [Some(left), Some(right)] = leaves else {
        return Ok(ScaledUnit::ZERO);
    };
    // A leaf that is constant where it is not zero does no more than truncate the other.
    let leaves = [left, right];
    for at in [0, 1] {
        if let Some((set, log_height)) = height(sides[at].circuit(), leaves[at]) {
            let other = 1 - at;
            let import = &mut sides[other].import;
            let part = restrict(builder, import, units[other], leaves[other], &set);
            return Ok(part.times(log_height));
        }
    }
    let variable = sides[0].import.kept_variable(left.variable);
    let domain = &sides[0].circuit().variable(left.variable).domain;
    if domain.size().is_some_and(|size| size <= LARGEST_TABLE) {
        return Ok(tabular(builder, sides, leaves, variable));
    }
    normals(builder, sides, leaves, variable).ok_or_else(|| refused(sides, units, leaves))
}

/// The set on which a leaf is constant, and the logarithm of how high it is there; none
/// if it has other values, too.
fn height(circuit: &CircuitGraph, leaf: &Leaf) -> Option<(ValueSet, f64)> {
    match &leaf.kind {
        LeafKind::Indicator(set) => Some((set.clone(), 0.0)),
        LeafKind::Distribution(distribution) => {
            let is_flat = matches!(distribution.family, Family::Uniform(_));
            let set = is_flat.then(|| support(circuit, leaf))?;
            let log_height = -set.measure().ln();
            Some((set, log_height))
        }
    }
}

/// Two leaves over a finite domain, value by value.
fn tabular(
    builder: &mut CircuitBuilder,
    sides: &[MultiplicationOperand; 2],
    leaves: [&Leaf; 2],
    variable: VarId,
) -> ScaledUnit {
    // Logarithms add up; a single value that is left needs no table.
    let table = |at: usize| log_table(sides[at].circuit(), sides[at].import.values, leaves[at]);
    let (left, right) = (table(0), table(1));
    let logs: Vec<f64> = left.iter().zip(&right).map(|(a, b)| a + b).collect();
    let log_total = log_sum_exp(logs.iter().copied());
    if log_total == f64::NEG_INFINITY {
        return ScaledUnit::ZERO;
    }
    let mut positive = (0..logs.len()).filter(|&at| logs[at] > f64::NEG_INFINITY);
    if let (Some(only), None) = (positive.next(), positive.next()) {
        let first = builder.variables()[variable.index()].domain.first();
        let set = ValueSet::point(first + only as f64, true);
        return flat(builder, variable, &set, SourceOrigin::default()).times(log_total);
    }
    let values = shares(logs.iter().copied(), log_total);
    let entries = values.iter().copied().map(ParameterEntry::constant);
    let entries: Vec<ParameterEntry> = entries.collect();
    let is_linear = |value: &ParameterValue| matches!(value, ParameterValue::Linear(_));
    let is_pair = builder.variables()[variable.index()].domain == Domain::Bool
        && values.iter().all(is_linear);
    let (family, kind) = if is_pair {
        (BernoulliDistribution.into(), ParamKind::Unit)
    } else {
        (CategoricalDistribution.into(), ParamKind::Simplex)
    };
    let unit = builder.distribution(variable, family, kind, &entries, SourceOrigin::default());
    ScaledUnit::of(unit).times(log_total)
}

/// Two normal distributions: the precisions add up, the means are weighed by them, and
/// the factor is the density of one mean's distance from the other.
fn normals(
    builder: &mut CircuitBuilder,
    sides: &[MultiplicationOperand; 2],
    leaves: [&Leaf; 2],
    variable: VarId,
) -> Option<ScaledUnit> {
    let left = TruncatedNormal::of(&sides[0], leaves[0])?;
    let right = TruncatedNormal::of(&sides[1], leaves[1])?;
    let spread = left.sd.hypot(right.sd);
    // Shares of the variances, so that no square overflows or vanishes.
    let share = (left.sd / spread).powi(2);
    let mean = left.mean * (1.0 - share) + right.mean * share;
    let sd = left.sd * (right.sd / spread);
    let truncation = match (left.truncation, right.truncation) {
        (Some(a), Some(b)) => Some(a.intersect(b)),
        (a, b) => a.or(b).cloned(),
    };
    let distance = (left.mean - right.mean) / spread;
    let log_overlap = -0.5 * distance * distance - spread.ln() - 0.5 * std::f64::consts::TAU.ln();
    let log_scale = log_overlap - left.log_truncation - right.log_truncation;
    let set = truncation.unwrap_or_else(ValueSet::reals);
    Some(normal_on(builder, variable, [mean, sd], &set).times(log_scale))
}

/// A normal distribution on a set, with its mass there as the factor: a circuit of one
/// leaf, of which the part on the set is taken over.
fn normal_on(
    builder: &mut CircuitBuilder,
    variable: VarId,
    numbers: [f64; 2],
    set: &ValueSet,
) -> ScaledUnit {
    let mut single = CircuitBuilder::new();
    let own = single.variable(builder.variables()[variable.index()].clone());
    let kinds = [ParamKind::Real, ParamKind::Positive];
    let params = kinds.into_iter().zip(numbers).map(|(kind, number)| {
        let entries = [ParameterEntry::fixed(number)];
        single.parameter(None, kind, &entries, Span::default())
    });
    let leaf = Leaf::distribution(own, NormalDistribution.into(), params.collect());
    let root = single.input(leaf.clone(), SourceOrigin::default());
    let circuit = single.finish(root);
    let values = circuit.start_values();
    let (fixed, variables) = (ParameterTreatment::Fixed, vec![Some(variable)]);
    let mut import = TransformSource::new(&circuit, &values, fixed, variables);
    restrict(builder, &mut import, root, &leaf, set)
}

struct TruncatedNormal<'a> {
    mean: f64,
    sd: f64,
    truncation: Option<&'a ValueSet>,
    /// The logarithm of what the truncation divides by.
    log_truncation: f64,
}

impl<'a> TruncatedNormal<'a> {
    fn of(side: &MultiplicationOperand, leaf: &'a Leaf) -> Option<Self> {
        let LeafKind::Distribution(distribution) = &leaf.kind else {
            return None;
        };
        if distribution.family != NormalDistribution.into() {
            return None;
        }
        let number = |at: usize| -> Option<f64> {
            let parameter = side.circuit().parameter(*distribution.params.get(at)?);
            Some(side.import.values.get(parameter.entries().start)?.linear())
        };
        Some(TruncatedNormal {
            mean: number(0)?,
            sd: number(1)?,
            truncation: distribution.truncation.as_ref(),
            log_truncation: log_truncation(side.circuit(), side.import.values, leaf),
        })
    }
}

fn refused(
    sides: &[MultiplicationOperand; 2],
    units: [UnitId; 2],
    leaves: [&Leaf; 2],
) -> TransformError {
    let family = |leaf: &Leaf| match &leaf.kind {
        LeafKind::Indicator(_) => "indicator",
        LeafKind::Distribution(distribution) => distribution.family.name(),
    };
    let shown = |at: usize| {
        let what = sides[at].circuit().describe(units[at]);
        format!("`{}` ({what})", family(leaves[at]))
    };
    let variable = &sides[0].circuit().variable(leaves[0].variable).name;
    TransformError::Circuit(format!(
        "the leaves {} and {} of `{variable}` have no product in closed form; there is one for \
         indicators, finite domains, uniform and normal distributions",
        shown(0),
        shown(1),
    ))
}
