//! The histogram distribution.

use super::description::{FamilyArgument, FamilyArgumentKind, FamilyDescription, FamilyDomains};
use super::distribution_family::{
    DistributionFamily, FamilyLaw, FamilyStatistics, StepFamily, bin,
};
use super::{Family, FamilyConstant, FamilyConstants, RefusedConstants};
use crate::circuit::{Domain, FiniteConstant, ParamKind, ParameterEntry, ParameterValue, ValueSet};
use crate::kernel::density::LogDensityForm;
use crate::leaf::family::uniform::bin_on;
use crate::leaf::untruncated::UntruncatedLeaf;
use std::f64::consts::LOG2_E;

/// `histogram([b0, …, bn], [p1, …, pn])`: piecewise constant, with probability
/// `p_i` on `[b_(i-1), b_i)`; a `simplex` parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HistogramDistribution {
    /// Ends of the bins, rising.
    pub breaks: Vec<FiniteConstant>,
}

impl HistogramDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "histogram",
        arguments: &[
            FamilyArgument::constant("breaks", FamilyArgumentKind::Breaks),
            FamilyArgument::parameter("p", ParamKind::Simplex),
        ],
        meaning: "`p[i]` is spread evenly from `breaks[i]` up to `breaks[i + 1]`",
        domains: FamilyDomains::Numbers,
        values: "from the first break up to, without, the last",
    };
}

impl DistributionFamily for HistogramDistribution {
    fn from_constants(constants: FamilyConstants) -> Result<Family, RefusedConstants> {
        let breaks = constants.breaks;
        Ok(HistogramDistribution { breaks }.into())
    }

    fn constants(&self) -> Vec<(&'static str, FamilyConstant)> {
        vec![("breaks", FamilyConstant::Breaks(self.breaks.clone()))]
    }

    fn values_on(&self, domain: &Domain) -> Option<ValueSet> {
        let is_number = matches!(domain, Domain::Range { .. } | Domain::Nat | Domain::Real);
        let mut breaks = self.breaks.iter();
        let is_whole = !domain.is_discrete() || breaks.all(|b| b.value().fract() == 0.0);
        let (low, high) = (self.breaks.first()?, self.breaks.last()?);
        let values = || bin_on(*low, *high, domain);
        (is_number && is_whole).then(values).flatten()
    }

    fn support(&self, domain: &Domain, entries: &[ParameterEntry]) -> ValueSet {
        let bins = (0..self.n_steps()).zip(entries);
        let positive = bins.filter(|(_, entry)| !entry.is_fixed_zero());
        positive.fold(ValueSet::empty(), |all, (at, _)| {
            let (low, high) = self.ends(at);
            all.union(&bin(low, high, domain))
        })
    }

    fn law<'f>(&'f self, _: &UntruncatedLeaf) -> FamilyLaw<'f> {
        FamilyLaw::Steps(self)
    }

    fn form(&self, leaf: &UntruncatedLeaf) -> LogDensityForm {
        let log_of = |(bin, p): (ValueSet, ParameterValue)| {
            if p.is_zero() {
                f64::NEG_INFINITY
            } else {
                (p.log() - bin.measure().ln()) * LOG2_E
            }
        };
        LogDensityForm::Steps {
            breaks: self.breaks.iter().map(|bound| bound.value()).collect(),
            logs: leaf.steps(self).map(log_of).collect(),
        }
    }

    fn statistics(&self) -> FamilyStatistics<'_> {
        FamilyStatistics::Bins(&self.breaks)
    }
}

impl StepFamily for HistogramDistribution {
    fn n_steps(&self) -> usize {
        self.breaks.len() - 1
    }

    fn ends(&self, at: usize) -> (f64, f64) {
        (self.breaks[at].value(), self.breaks[at + 1].value())
    }

    fn step_of(&self, x: f64) -> Option<usize> {
        let above = self.breaks.partition_point(|bound| bound.value() <= x);
        (above > 0 && above < self.breaks.len()).then(|| above - 1)
    }

    fn share(&self, leaf: &UntruncatedLeaf, at: usize) -> ParameterValue {
        leaf.vector(0)[at]
    }
}
