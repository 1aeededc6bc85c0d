//! Functions of one variable that never change.

use crate::circuit::{
    CircuitGraph, Distribution, Domain, Leaf, LeafKind, ParameterValue, ValueSet,
};
use crate::leaf::log_density;

/// Distributions over more values than this are not looked into.
const MOST_VALUES: u64 = 64;

pub(super) enum FixedLeaf {
    /// 1 on the set, 0 elsewhere; its mass is the size of the set.
    Indicator(ValueSet),
    /// A distribution over a finite domain; its mass is 1.
    Table(FiniteDistribution),
}

impl FixedLeaf {
    /// The function of a leaf; none if it is learned or large.
    pub fn of(circuit: &CircuitGraph, values: &[ParameterValue], leaf: &Leaf) -> Option<Self> {
        let domain = &circuit.variable(leaf.variable).domain;
        let distribution = match &leaf.kind {
            LeafKind::Indicator(set) => {
                return Some(FixedLeaf::Indicator(set.intersect(&domain.full())));
            }
            LeafKind::Distribution(distribution) => distribution,
        };
        let size = domain.size().filter(|&size| size <= MOST_VALUES)?;
        let is_fixed = |&param: &_| circuit.entries(param).iter().all(|entry| !entry.learned);
        if !distribution.params.iter().all(is_fixed) {
            return None;
        }
        let points = (0..size).map(|at| domain.first() + at as f64);
        let log_at = |x: f64| log_density(circuit, values, leaf, x);
        let entries = as_written(circuit, values, distribution)
            .unwrap_or_else(|| points.clone().map(|x| log_at(x).exp()).collect());
        // A number that is too small to be kept would count as impossible.
        let is_kept = points
            .zip(&entries)
            .all(|(x, entry)| entry.is_normal() || log_at(x) == f64::NEG_INFINITY);
        is_kept.then(|| FiniteDistribution { entries }.simplified(domain))
    }

    /// The worth of a missing cell.
    pub fn mass(&self) -> f64 {
        match self {
            FixedLeaf::Indicator(set) => set.measure(),
            FixedLeaf::Table(_) => 1.0,
        }
    }

    /// The number of values to look at.
    pub fn n_values(&self) -> f64 {
        match self {
            FixedLeaf::Indicator(set) => set.measure(),
            FixedLeaf::Table(table) => table.entries.len() as f64,
        }
    }
}

/// The entries of a leaf that is its entries, without a detour over logarithms.
fn as_written(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    leaf: &Distribution,
) -> Option<Vec<f64>> {
    if !leaf.family.has_entries() || leaf.truncation.is_some() {
        return None;
    }
    let entries = circuit.parameter(leaf.params[0]).entries();
    Some(values[entries].iter().map(|value| value.linear()).collect())
}

/// Probabilities of the values of a finite domain, in order.
pub(super) struct FiniteDistribution {
    entries: Vec<f64>,
}

impl FiniteDistribution {
    /// The mixture of some functions; none if a part of it is too small to be kept.
    pub fn mixture(domain: &Domain, size: usize, terms: &[(f64, &FixedLeaf)]) -> Option<Self> {
        let mut entries = vec![0.0; size];
        let first = domain.first();
        for &(weight, function) in terms {
            match function {
                FixedLeaf::Indicator(set) => {
                    for (low, high) in set.runs() {
                        let run = (low.value() - first) as usize..(high.value() - first) as usize;
                        entries[run].iter_mut().for_each(|entry| *entry += weight);
                    }
                }
                FixedLeaf::Table(table) => {
                    for (entry, &value) in entries.iter_mut().zip(&table.entries) {
                        let part = weight * value;
                        if value != 0.0 && !part.is_normal() {
                            return None;
                        }
                        *entry += part;
                    }
                }
            }
        }
        Some(FiniteDistribution { entries })
    }

    /// The probabilities.
    pub fn entries(&self) -> &[f64] {
        &self.entries
    }

    /// The table, or the literal of the one value that has all of the mass.
    pub fn simplified(self, domain: &Domain) -> FixedLeaf {
        let mut positive = self.entries.iter().enumerate().filter(|(_, p)| **p != 0.0);
        match (positive.next(), positive.next()) {
            (Some((at, &1.0)), None) => {
                FixedLeaf::Indicator(ValueSet::point(domain.first() + at as f64, true))
            }
            _ => FixedLeaf::Table(self),
        }
    }
}
