//! What a distribution has to say of itself, and what follows from that.

use super::{Family, FamilyConstant, FamilyConstants, RefusedConstants};
use crate::circuit::{Cut, Domain, FiniteConstant, ParameterEntry, ParameterValue, ValueSet};
use crate::kernel::density::LogDensityForm;
use crate::leaf::LeafMoments;
use crate::leaf::counts::CountDistribution;
use crate::leaf::long_log::LongLog;
use crate::leaf::mass::log_interval;
use crate::leaf::peak::{AveragedQuantity, pieces_by_density};
use crate::leaf::pieces::DensityPiece;
use crate::leaf::tail::Tails;
use crate::leaf::untruncated::UntruncatedLeaf;
use rand::Rng;

/// A distribution of the language. What it is asked for values of parameters it reads from
/// the leaf, which is looked at before truncation.
pub(crate) trait DistributionFamily {
    /// The distribution with its constants, which are as many and of the kinds that its
    /// description says.
    fn from_constants(constants: FamilyConstants) -> Result<Family, RefusedConstants>
    where
        Self: Sized;

    /// What it is over a finite domain if nothing is said of it.
    fn over(_low: FiniteConstant, _high: FiniteConstant) -> Option<Family>
    where
        Self: Sized,
    {
        None
    }

    /// Its constants with their names, in the order the language takes them.
    fn constants(&self) -> Vec<(&'static str, FamilyConstant)> {
        Vec::new()
    }

    /// The values it can give on a domain's axis, or `None` if it is of another kind
    /// altogether (a normal distribution of a category, say).
    fn values_on(&self, domain: &Domain) -> Option<ValueSet>;

    /// The values at which it is positive, given the entries of its first parameter.
    fn support(&self, domain: &Domain, entries: &[ParameterEntry]) -> ValueSet;

    /// What kind of function it is.
    fn law<'f>(&'f self, leaf: &UntruncatedLeaf) -> FamilyLaw<'f>;

    /// The logarithm of the density with more digits than a double has, where it is large.
    fn long_log_density(&self, _leaf: &UntruncatedLeaf, _x: f64) -> Option<LongLog> {
        None
    }

    /// Mean and variance in closed form.
    fn moments(&self, _leaf: &UntruncatedLeaf) -> Option<LeafMoments> {
        None
    }

    /// The formula that kernels compute.
    fn form(&self, leaf: &UntruncatedLeaf) -> LogDensityForm;

    /// What learning needs to know of the values that were observed.
    fn statistics(&self) -> FamilyStatistics<'_>;
}

/// The kinds of functions that distributions are.
#[derive(Clone, Copy)]
pub(crate) enum FamilyLaw<'f> {
    /// An entry for each value of a finite domain.
    Entries(&'f dyn EntryFamily),
    /// Constant on each of some intervals.
    Steps(&'f dyn StepFamily),
    /// Falling from a peak.
    Peaked(PeakedLaw<'f>),
}

/// Distributions that fall from a peak to both sides.
#[derive(Clone, Copy)]
pub(crate) enum PeakedLaw<'f> {
    /// Of integers.
    Counts(CountDistribution),
    /// Of real numbers.
    Density(&'f dyn DensityFamily),
}

/// A distribution with an entry for each value of a finite domain.
pub(crate) trait EntryFamily: Send + Sync {
    /// The logarithm of the probability of the value at a position.
    fn log_entry(&self, leaf: &UntruncatedLeaf, at: usize) -> f64;
}

/// A distribution that is constant on each of some intervals.
pub(crate) trait StepFamily: Send + Sync {
    /// How many intervals.
    fn n_steps(&self) -> usize;
    /// Where one begins, and where it ends and no longer is.
    fn ends(&self, at: usize) -> (f64, f64);
    /// The interval with a value.
    fn step_of(&self, x: f64) -> Option<usize>;
    /// The probability of an interval.
    fn share(&self, leaf: &UntruncatedLeaf, at: usize) -> ParameterValue;
}

/// A density of the real axis with one peak.
pub(crate) trait DensityFamily: Send + Sync {
    /// The logarithm of the density.
    fn log_density(&self, leaf: &UntruncatedLeaf, x: f64) -> f64;

    /// The masses below and above a finite place.
    fn tails(&self, leaf: &UntruncatedLeaf, x: f64) -> Tails;

    /// Where it is largest.
    fn peak(&self, leaf: &UntruncatedLeaf) -> f64;

    /// The logarithm of the mass of an interval.
    fn log_run(&self, leaf: &UntruncatedLeaf, low: f64, high: f64) -> f64 {
        log_interval(leaf, self, low, high)
    }

    /// The mass of an interval within which the density hardly changes, where a difference
    /// of tails would lose digits. None if the difference is all there is.
    fn log_narrow_run(&self, leaf: &UntruncatedLeaf, low: f64, high: f64) -> Option<f64> {
        crate::leaf::mass::log_integral_by_ratio(|x| self.log_density(leaf, x), low, high)
    }

    /// Its parts in the intervals of a set.
    fn pieces(
        &self,
        leaf: &UntruncatedLeaf,
        set: &ValueSet,
        averaged: AveragedQuantity,
    ) -> Vec<DensityPiece> {
        let density = |x: f64| self.log_density(leaf, x);
        pieces_by_density(set, self.peak(leaf), density, averaged)
    }

    /// What the entropy of the pieces is larger by, because they are measured on an axis of
    /// their own.
    fn log_unit(&self, _leaf: &UntruncatedLeaf) -> f64 {
        0.0
    }

    /// The entropy in closed form.
    fn entropy(&self, _leaf: &UntruncatedLeaf) -> Option<f64> {
        None
    }

    /// How often the value and its square are in the logarithm of the density.
    fn powers(&self, _leaf: &UntruncatedLeaf) -> [f64; 2] {
        [0.0; 2]
    }

    /// Its parts times a power of the variable, where they lie far from those of the density.
    fn tilted_pieces(
        &self,
        _leaf: &UntruncatedLeaf,
        _set: &ValueSet,
        _power: i32,
    ) -> Option<Vec<DensityPiece>> {
        None
    }

    /// Whether powers have their means so far out in an interval that integrals of other
    /// functions do not see it: each power is then integrated around a peak of its own.
    fn is_wide(&self, _leaf: &UntruncatedLeaf, _low: f64, _high: f64) -> bool {
        false
    }

    /// The place towards which the density grows without bound, if there is one.
    fn pole(&self, _leaf: &UntruncatedLeaf) -> Option<f64> {
        None
    }

    /// A method to draw from the whole distribution; otherwise its tails are inverted.
    fn sampler(&self, _leaf: &UntruncatedLeaf) -> Option<DensitySampler> {
        None
    }
}

/// Draws values of a density.
pub(crate) type DensitySampler = Box<dyn Fn(&mut dyn Rng) -> f64 + Send + Sync>;

/// What learning needs to know of the values of a leaf that were observed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FamilyStatistics<'f> {
    /// Nothing; there is no parameter.
    Nothing,
    /// How often each value was seen; its parameter has an entry for each.
    Entries,
    /// How often each interval was met.
    Bins(&'f [FiniteConstant]),
    /// The sums of two functions.
    Moments(MomentStatistics),
    /// How often each distance from the first parameter was met, in widths of the second.
    Distances,
}

/// The two functions of an observed value that are added up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MomentStatistics {
    /// `x` and nothing.
    Plain,
    /// `x - mean` and its square, where the mean is the first parameter.
    Centred,
    /// The same of `ln x`.
    LogCentred,
    /// `x` and `ln x`.
    WithLogarithm,
}

/// The integers whose entry can be positive, the first entry standing for `first`.
pub(super) fn integers_of_entries(first: f64, entries: &[ParameterEntry]) -> ValueSet {
    let mut set = ValueSet::empty();
    let mut at = 0;
    while at < entries.len() {
        let inside = entries[at..].iter().take_while(|e| !e.is_fixed_zero());
        let run = inside.count();
        let low = first as i64 + at as i64;
        if run > 0 {
            set = set.union(&ValueSet::integers(low, low + run as i64));
        }
        at += run + 1;
    }
    set
}

/// The counts on a domain of integers.
pub(super) fn on_counts(domain: &Domain, values: ValueSet) -> Option<ValueSet> {
    matches!(domain, Domain::Range { .. } | Domain::Nat).then_some(values)
}

/// All numbers on the domain of reals.
pub(super) fn on_reals(domain: &Domain) -> Option<ValueSet> {
    (*domain == Domain::Real).then(ValueSet::reals)
}

/// The real numbers from a place on.
pub(super) fn reals_from(low: Cut) -> ValueSet {
    ValueSet::between(low, Cut::before(f64::INFINITY), false)
}

/// `[low, high)`, or the integers there.
pub(crate) fn bin(low: f64, high: f64, domain: &Domain) -> ValueSet {
    ValueSet::between(Cut::before(low), Cut::before(high), domain.is_discrete())
}
