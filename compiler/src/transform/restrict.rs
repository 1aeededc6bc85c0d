//! Leaves on a part of their variable's values.

use super::import::TransformSource;
use super::part::{ScaledUnit, mixture};
use crate::circuit::{
    CircuitBuilder, Distribution, Domain, Family, FiniteConstant, Leaf, LeafKind, SourceOrigin,
    UniformDistribution, UnitId, ValueSet, VarId,
};
use crate::leaf::{log_mass, support};

/// Integers that lie scattered are listed one by one up to this number of them.
const LONGEST_LIST: f64 = 1024.0;

/// A leaf times the indicator of a set, normalized: a truncated leaf, and the leaf's
/// mass on the set as the factor.
///
/// A single value of a discrete domain is a literal. A set that a truncation has no
/// words for (several intervals) is a sum of truncated leaves.
pub(super) fn restrict(
    builder: &mut CircuitBuilder,
    import: &mut TransformSource,
    unit: UnitId,
    leaf: &Leaf,
    set: &ValueSet,
) -> ScaledUnit {
    let origin = import.origin(builder, unit);
    let domain = &import.circuit.variable(leaf.variable).domain;
    let set = set.intersect(&domain.full());
    let distribution = match &leaf.kind {
        LeafKind::Indicator(own) => {
            let variable = import.kept_variable(leaf.variable);
            return flat(builder, variable, &own.intersect(&set), origin);
        }
        LeafKind::Distribution(distribution) => distribution,
    };
    let own = support(import.circuit, leaf);
    // The set may leave all of the leaf, which then stays as it was written.
    if own.is_subset(&set) {
        let leaf = import.leaf(builder, leaf);
        return ScaledUnit::of(builder.input(leaf, origin));
    }
    let log_mass = |set: &ValueSet| log_mass(import.circuit, import.values, leaf, set);
    // What is left of the leaf, in pieces that one truncation each can say.
    let left = own.intersect(&set);
    let log_scale = log_mass(&left);
    if log_scale == f64::NEG_INFINITY {
        return ScaledUnit::ZERO;
    }
    if domain.is_discrete() && left.measure() == 1.0 {
        let variable = import.kept_variable(leaf.variable);
        return flat(builder, variable, &left, origin).times(log_scale);
    }
    let pieces = pieces(&left, domain).into_iter();
    let pieces = pieces.map(|piece| (log_mass(&piece), piece)).collect();
    let variable = import.kept_variable(leaf.variable);
    let base = import.distribution(builder, distribution);
    spread(builder, pieces, origin, |builder, piece, origin| {
        let kind = LeafKind::Distribution(Distribution {
            truncation: Some(piece),
            ..base.clone()
        });
        ScaledUnit::of(builder.input(Leaf { variable, kind }, origin))
    })
}

/// A leaf as it is, normalized.
pub(super) fn whole_leaf(
    builder: &mut CircuitBuilder,
    import: &mut TransformSource,
    unit: UnitId,
    leaf: &Leaf,
) -> ScaledUnit {
    let origin = import.origin(builder, unit);
    match &leaf.kind {
        LeafKind::Indicator(set) => {
            let variable = import.kept_variable(leaf.variable);
            flat(builder, variable, set, origin)
        }
        LeafKind::Distribution(_) => {
            let leaf = import.leaf(builder, leaf);
            ScaledUnit::of(builder.input(leaf, origin))
        }
    }
}

/// The indicator of a set, normalized: its size is the factor. What has size 1 stays an
/// indicator, everything else is a uniform distribution.
pub(crate) fn flat(
    builder: &mut CircuitBuilder,
    variable: VarId,
    set: &ValueSet,
    origin: SourceOrigin,
) -> ScaledUnit {
    let domain = builder.variables()[variable.index()].domain.clone();
    let set = set.intersect(&domain.full());
    let measure = set.measure();
    if measure == 0.0 {
        return ScaledUnit::ZERO;
    }
    if measure == 1.0 || !measure.is_finite() {
        let kind = LeafKind::Indicator(set);
        return ScaledUnit::of(builder.input(Leaf { variable, kind }, origin));
    }
    let pieces = pieces(&set, &domain).into_iter();
    let pieces = pieces.map(|piece| (piece.measure().ln(), piece)).collect();
    spread(builder, pieces, origin, |builder, piece, origin| {
        let kind = if piece.measure() == 1.0 {
            LeafKind::Indicator(piece)
        } else {
            LeafKind::Distribution(uniform(piece, &domain))
        };
        ScaledUnit::of(builder.input(Leaf { variable, kind }, origin))
    })
}

/// The uniform distribution of a set. The language's includes its lower end and not its
/// upper one; a set of the reals that is different there is a truncation.
fn uniform(set: ValueSet, domain: &Domain) -> Distribution {
    let first = set.runs().first().map_or(0.0, |run| run.0.value());
    // A closed upper end lies before the next number that there is.
    let last = set.runs().last().map(|run| run.1);
    let high = match last {
        Some(cut) if cut.is_after() => cut.value().next_up(),
        Some(cut) => cut.value(),
        None => first,
    };
    let family = Family::Uniform(UniformDistribution {
        low: FiniteConstant::new(first),
        high: FiniteConstant::new(high),
    });
    let is_whole = crate::leaf::bin(first, high, domain) == set;
    Distribution {
        family,
        params: Vec::new(),
        truncation: (!is_whole).then_some(set),
    }
}

/// The set in pieces that a truncation has words for.
fn pieces(set: &ValueSet, domain: &Domain) -> Vec<ValueSet> {
    // A list of values is one truncation, and so is an interval; several intervals are several
    // leaves.
    let is_listed = match domain {
        Domain::Bool | Domain::Categories(_) => true,
        Domain::Range { .. } | Domain::Nat => set.measure() <= LONGEST_LIST,
        Domain::Real => false,
    };
    if is_listed || set.runs().len() == 1 {
        return vec![set.clone()];
    }
    let runs = set.runs().iter();
    let runs = runs.map(|&(low, high)| ValueSet::between(low, high, domain.is_discrete()));
    // Single points of the real axis have no mass.
    runs.filter(|piece| piece.measure() > 0.0).collect()
}

/// A leaf for each piece, weighed by its mass; one alone has the name of the leaf.
fn spread(
    builder: &mut CircuitBuilder,
    pieces: Vec<(f64, ValueSet)>,
    origin: SourceOrigin,
    make: impl Fn(&mut CircuitBuilder, ValueSet, SourceOrigin) -> ScaledUnit,
) -> ScaledUnit {
    let own = match pieces.len() {
        1 => origin,
        _ => origin.unnamed(),
    };
    let pieces = pieces.into_iter();
    let terms = pieces.map(|(log, piece)| (log, make(builder, piece, own), origin.span));
    let terms: Vec<_> = terms.collect();
    mixture(builder, terms, origin)
}
