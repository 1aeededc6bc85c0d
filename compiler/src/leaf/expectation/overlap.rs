//! Two leaves of one variable: what one says of the other.

use super::flat;
use super::shape::{ConstantLeafPart, NormalizedLeaf, shape};
use super::smooth::PeakedLeaf;
use crate::circuit::{CircuitGraph, Leaf, ParameterValue, ValueSet};
use crate::leaf::family::{FamilyLaw, PeakedLaw};
use crate::leaf::untruncated::UntruncatedLeaf;
use crate::leaf::{has_table, log_density};

/// A leaf of a circuit with the values of its parameters.
#[derive(Clone, Copy, Debug)]
pub struct LeafOf<'a> {
    /// The circuit.
    pub circuit: &'a CircuitGraph,
    /// A value for each of its entries.
    pub values: &'a [ParameterValue],
    /// The leaf.
    pub leaf: &'a Leaf,
}

/// What a leaf `p` says of a leaf `q`, both scaled to mass 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LeafOverlap {
    /// The mass of `p` where `q` is positive.
    pub mass: f64,
    /// The mean of `log q` there, under `p`.
    pub log_other: f64,
    /// The mean of `log p - log q` there, under `p`. Not the difference of two means:
    /// of leaves that are almost the same it keeps its digits.
    pub log_ratio: f64,
}

/// Compares two leaves of variables that have one domain.
///
/// `None` if a leaf cannot be scaled, or if there is no way to compute this short of
/// visiting too many integers.
pub fn overlap(p: LeafOf, q: LeafOf) -> Option<LeafOverlap> {
    let domain = &p.circuit.variable(p.leaf.variable).domain;
    if has_table(domain, p.leaf) || has_table(domain, q.leaf) {
        return of_tables(p, q);
    }
    let shape_p = shape(p.circuit, p.values, p.leaf)?;
    let shape_q = shape(q.circuit, q.values, q.leaf)?;
    let pieces_q = match &shape_q {
        NormalizedLeaf::Flat(parts) => parts
            .iter()
            .map(|part| (&part.set, Some(part.log_density)))
            .collect(),
        NormalizedLeaf::Smooth(smooth) => vec![(&smooth.own, None)],
    };
    let mut all = LeafOverlap::default();
    for (set, constant) in pieces_q {
        let found = match &shape_p {
            NormalizedLeaf::Flat(parts) => over_parts(parts, q, set, constant)?,
            NormalizedLeaf::Smooth(smooth) => over_density(smooth, p, q, set, constant),
        };
        all.mass += found.mass;
        all.log_other += found.log_other;
        all.log_ratio += found.log_ratio;
    }
    Some(all)
}

/// Value by value.
fn of_tables(p: LeafOf, q: LeafOf) -> Option<LeafOverlap> {
    let domain = &p.circuit.variable(p.leaf.variable).domain;
    let log_total = |leaf: LeafOf| log_density(leaf.circuit, leaf.values, leaf.leaf, f64::NAN);
    let totals = (log_total(p), log_total(q));
    let at = |leaf: LeafOf, x: f64| log_density(leaf.circuit, leaf.values, leaf.leaf, x);
    let mut all = LeafOverlap::default();
    for code in 0..domain.size()? {
        let x = domain.first() + code as f64;
        let (log_p, log_q) = (at(p, x) - totals.0, at(q, x) - totals.1);
        if log_p > f64::NEG_INFINITY && log_q > f64::NEG_INFINITY {
            let weight = log_p.exp();
            all.mass += weight;
            all.log_other += weight * log_q;
            all.log_ratio += weight * (log_p - log_q);
        }
    }
    Some(all)
}

/// `p` is constant on some sets.
fn over_parts(
    parts: &[ConstantLeafPart],
    q: LeafOf,
    set: &ValueSet,
    constant: Option<f64>,
) -> Option<LeafOverlap> {
    let discrete = q.circuit.variable(q.leaf.variable).domain.is_discrete();
    let log_q = log_function(q);
    let mut all = LeafOverlap::default();
    for part in parts {
        let inside = part.set.intersect(set);
        let density = part.log_density.exp();
        let mass = density * inside.measure();
        let other = match constant {
            Some(log) => mass * log,
            None => density * flat::integral(&inside, discrete, &log_q)?,
        };
        all.mass += mass;
        all.log_other += other;
        all.log_ratio += mass * part.log_density - other;
    }
    Some(all)
}

/// `p` falls from a peak.
fn over_density(
    smooth: &PeakedLeaf,
    p: LeafOf,
    q: LeafOf,
    set: &ValueSet,
    constant: Option<f64>,
) -> LeafOverlap {
    let (log_p, log_q) = (log_function(p), log_function(q));
    let log_q = |x: f64| constant.unwrap_or_else(|| log_q(x));
    let mass = smooth.mean(set, &|_| 1.0).min(1.0);
    if !smooth.is_wide(set) {
        return LeafOverlap {
            mass,
            log_other: smooth.mean(set, &log_q),
            log_ratio: smooth.mean(set, &|x| log_p(x) - log_q(x)),
        };
    }
    let [linear, square] = powers(q);
    let rest = |x: f64| log_q(x) - (linear * x + square * x * x);
    let mut log_other = smooth.mean(set, &rest);
    for (power, factor) in [(1, linear), (2, square)] {
        if factor != 0.0 {
            log_other += factor * smooth.power_mean(set, power);
        }
    }
    LeafOverlap {
        mass,
        log_other,
        log_ratio: smooth.mean(set, &log_p) - log_other,
    }
}

/// The logarithm of a leaf that is scaled to mass 1, where it is positive; between
/// integers the smooth function through its values.
fn log_function<'a>(of: LeafOf<'a>) -> impl Fn(f64) -> f64 + 'a {
    let base = UntruncatedLeaf::of(of.circuit, of.values, of.leaf);
    let log_total = match &base {
        Some(base) => base.truncation().map_or(0.0, |set| base.log_mass(set)),
        None => log_density(of.circuit, of.values, of.leaf, f64::NAN),
    };
    move |x| base.as_ref().map_or(0.0, |base| base.log_density(x)) - log_total
}

/// How often the value and its square are in the logarithm of a leaf.
fn powers(of: LeafOf) -> [f64; 2] {
    let base = UntruncatedLeaf::of(of.circuit, of.values, of.leaf);
    let powers_of = |base: UntruncatedLeaf| match base.law() {
        FamilyLaw::Peaked(PeakedLaw::Density(family)) => family.powers(&base),
        FamilyLaw::Peaked(PeakedLaw::Counts(_)) | FamilyLaw::Entries(_) | FamilyLaw::Steps(_) => {
            [0.0; 2]
        }
    };
    base.map_or([0.0; 2], powers_of)
}
