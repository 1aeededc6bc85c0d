//! Draws values of a leaf.

mod hat;
mod inverse;
pub(super) mod variate;

use super::family::{DensitySampler, FamilyLaw, PeakedLaw};
use super::mode::{first_member, last_member};
use super::support::base_support;
use super::untruncated::UntruncatedLeaf;
use super::{has_table, log_mass, log_table, support};
use crate::choice::{AliasTable, unit};
use crate::circuit::{CircuitGraph, Cut, Domain, Leaf, LeafKind, ParameterValue, ValueSet};
use hat::HatSampler;
use inverse::InversionSampler;
use rand::Rng;

/// Draws values of a leaf that lie in a set, in proportion to the leaf.
pub struct LeafSampler<'a> {
    way: LeafSamplingMethod<'a>,
    /// What is drawn stays between these, whatever rounding does.
    bounds: (f64, f64),
}

/// The integers that are values of domains.
fn exact_integers() -> ValueSet {
    ValueSet::integers(-Domain::LARGEST_INT, Domain::LARGEST_INT)
}

/// Whether a leaf has mass in a set on values that no domain holds: integers that are not
/// exact as numbers, and reals that are too large for them. Mass that is less than rounding
/// does not count; a leaf with more cannot be drawn from.
pub fn reaches_beyond(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    leaf: &Leaf,
    set: &ValueSet,
) -> bool {
    let domain = &circuit.variable(leaf.variable).domain;
    if domain.size().is_some() || matches!(leaf.kind, LeafKind::Indicator(_)) {
        return false;
    }
    let beyond = if domain.is_discrete() {
        ValueSet::integers_from(Domain::LARGEST_INT)
    } else {
        let (first, last) = (Cut::before(f64::MIN), Cut::after(f64::MAX));
        let below = ValueSet::between(Cut::after(f64::NEG_INFINITY), first, false);
        below.union(&ValueSet::between(last, Cut::before(f64::INFINITY), false))
    };
    let set = support(circuit, leaf).intersect(set);
    let log_beyond = log_mass(circuit, values, leaf, &set.intersect(&beyond));
    log_beyond - log_mass(circuit, values, leaf, &set) > f64::EPSILON.ln()
}

/// How values are drawn.
enum LeafSamplingMethod<'a> {
    /// One of a list of values.
    Table {
        choice: AliasTable,
        values: Vec<f64>,
    },
    /// Evenly from one of several runs.
    Pieces {
        choice: AliasTable,
        runs: Vec<(f64, f64)>,
        is_discrete: bool,
    },
    /// By a method of the family's own.
    Direct(DensitySampler),
    /// By tries below a hat.
    Hat(HatSampler),
    /// By inverting the cumulative distribution.
    Inverse(InversionSampler<'a>),
}

impl<'a> LeafSampler<'a> {
    /// Prepares to draw from what the leaf has in `set`. If it has no mass there, some
    /// value is drawn all the same.
    pub fn new(
        circuit: &'a CircuitGraph,
        values: &'a [ParameterValue],
        leaf: &'a Leaf,
        set: &ValueSet,
    ) -> Self {
        let domain = &circuit.variable(leaf.variable).domain;
        let members = support(circuit, leaf).intersect(set);
        let members = if domain.is_discrete() {
            // What lies beyond is no value of a domain; see `reaches_beyond`.
            members.intersect(&exact_integers())
        } else {
            members
        };
        let way = if has_table(domain, leaf) {
            let logs = log_table(circuit, values, leaf);
            let points = (0..logs.len()).map(|at| domain.first() + at as f64);
            let inside = points.zip(logs).filter(|(x, _)| members.contains(*x));
            table(inside, domain.first())
        } else {
            match UntruncatedLeaf::of(circuit, values, leaf) {
                None => pieces([(1.0, members.clone())], domain.is_discrete()),
                Some(base) => way(base, &members),
            }
        };
        let ends = members.runs().first().zip(members.runs().last());
        let is_discrete = domain.is_discrete();
        let bounds = ends.map(|(first, last)| {
            (
                first_member(*first, is_discrete),
                last_member(*last, is_discrete),
            )
        });
        LeafSampler {
            way,
            bounds: bounds.unwrap_or((f64::NEG_INFINITY, f64::INFINITY)),
        }
    }

    /// The values that are drawn and how, if they are a list.
    pub fn table(&self) -> Option<(&AliasTable, &[f64])> {
        match &self.way {
            LeafSamplingMethod::Table { choice, values } => Some((choice, values)),
            LeafSamplingMethod::Pieces { .. }
            | LeafSamplingMethod::Direct(_)
            | LeafSamplingMethod::Hat(_)
            | LeafSamplingMethod::Inverse(_) => None,
        }
    }

    /// Draws a value.
    pub fn draw(&self, random: &mut impl Rng) -> f64 {
        let x = match &self.way {
            LeafSamplingMethod::Table { choice, values } => return values[choice.draw(random)],
            LeafSamplingMethod::Pieces {
                choice,
                runs,
                is_discrete,
            } => {
                let (low, high) = runs[choice.draw(random)];
                let part = unit(random);
                let x = if (high - low).is_finite() {
                    low + part * (high - low)
                } else {
                    low * (1.0 - part) + high * part
                };
                // Rounding may reach the end, which is outside.
                if *is_discrete {
                    x.floor().min(high - 1.0)
                } else {
                    x.min(high.next_down()).max(low)
                }
            }
            LeafSamplingMethod::Direct(draw) => draw(random),
            LeafSamplingMethod::Hat(hat) => hat.draw(random),
            LeafSamplingMethod::Inverse(inverse) => inverse.draw(random),
        };
        x.max(self.bounds.0).min(self.bounds.1)
    }
}

/// How to draw from what a distribution has in a set.
fn way<'a>(base: UntruncatedLeaf<'a>, members: &ValueSet) -> LeafSamplingMethod<'a> {
    let is_discrete = base.domain.is_discrete();
    let law = match base.law() {
        FamilyLaw::Entries(family) => {
            let values = (0..base.vector(0).len()).map(|at| (base.domain.first() + at as f64, at));
            let inside = values.filter(|&(x, _)| members.contains(x));
            let points = inside.map(|(x, at)| (x, family.log_entry(&base, at)));
            return table(points, base.domain.first());
        }
        FamilyLaw::Steps(family) => {
            let steps = base.steps(family).map(|(all, p)| {
                let inside = all.intersect(members);
                (p.linear() / all.measure(), inside)
            });
            return pieces(steps, is_discrete);
        }
        FamilyLaw::Peaked(law) => law,
    };
    let special = match law {
        PeakedLaw::Counts(counts) => match counts.window(members) {
            Some((low, high)) => {
                let points = (0..(high - low) as u64).map(|at| low + at as f64);
                let inside = points.filter(|&k| members.contains(k));
                Some(table(inside.map(|k| (k, counts.log_probability(k))), low))
            }
            None => HatSampler::new(counts, members).map(LeafSamplingMethod::Hat),
        },
        PeakedLaw::Density(family) => {
            let whole = base_support(base.circuit, base.domain, base.distribution);
            let sampler = whole.is_subset(members).then(|| family.sampler(&base));
            sampler.flatten().map(LeafSamplingMethod::Direct)
        }
    };
    special
        .unwrap_or_else(|| LeafSamplingMethod::Inverse(InversionSampler::new(base, law, members)))
}

fn table<'a>(points: impl IntoIterator<Item = (f64, f64)>, default: f64) -> LeafSamplingMethod<'a> {
    let (values, logs): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
    if values.is_empty() {
        LeafSamplingMethod::Table {
            choice: AliasTable::new(&[1.0]),
            values: vec![default],
        }
    } else {
        LeafSamplingMethod::Table {
            choice: AliasTable::from_logs(&logs),
            values,
        }
    }
}

/// Runs on which a density is constant, each set with its height.
fn pieces<'a>(
    sets: impl IntoIterator<Item = (f64, ValueSet)>,
    is_discrete: bool,
) -> LeafSamplingMethod<'a> {
    let (mut weights, mut runs) = (Vec::new(), Vec::new());
    for (height, set) in sets {
        for &(low, high) in set.runs() {
            let (low, high): (Cut, Cut) = (low, high);
            weights.push(height * (high.value() - low.value()));
            runs.push((low.value(), high.value()));
        }
    }
    if runs.is_empty() {
        table([], 0.0)
    } else {
        LeafSamplingMethod::Pieces {
            choice: AliasTable::new(&weights),
            runs,
            is_discrete,
        }
    }
}
