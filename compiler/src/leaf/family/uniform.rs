//! The uniform distribution.

use super::description::{FamilyArgument, FamilyArgumentKind, FamilyDescription, FamilyDomains};
use super::distribution_family::{
    DistributionFamily, FamilyLaw, FamilyStatistics, StepFamily, bin,
};
use super::{Family, FamilyConstant, FamilyConstants, RefusedConstants};
use crate::circuit::{Domain, FiniteConstant, ParameterEntry, ParameterValue, ValueSet};
use crate::kernel::density::LogDensityForm;
use crate::leaf::untruncated::UntruncatedLeaf;

/// `uniform(low, high)`: constant on `[low, high)`; no parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UniformDistribution {
    /// First value of the support.
    pub low: FiniteConstant,
    /// One past its last value, or its open upper end.
    pub high: FiniteConstant,
}

impl UniformDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "uniform",
        arguments: &[
            FamilyArgument::constant("low", FamilyArgumentKind::Bound),
            FamilyArgument::constant("high", FamilyArgumentKind::Bound),
        ],
        meaning: "the same everywhere; `uniform()` over a finite domain",
        domains: FamilyDomains::Numbers,
        values: "`low` up to, without, `high`",
    };
}

impl DistributionFamily for UniformDistribution {
    fn from_constants(constants: FamilyConstants) -> Result<Family, RefusedConstants> {
        let (low, high) = (constants.bounds[0], constants.bounds[1]);
        let ends = (low.value(), high.value());
        if ends.0 < ends.1 && ends.0.is_finite() && ends.1.is_finite() {
            return Ok(UniformDistribution { low, high }.into());
        }
        Err(RefusedConstants {
            message: format!("`uniform({}, {})` is empty or unbounded", ends.0, ends.1),
            help: Some("the lower bound comes first, and both are finite"),
        })
    }

    fn over(low: FiniteConstant, high: FiniteConstant) -> Option<Family> {
        Some(UniformDistribution { low, high }.into())
    }

    fn constants(&self) -> Vec<(&'static str, FamilyConstant)> {
        vec![
            ("low", FamilyConstant::Bound(self.low)),
            ("high", FamilyConstant::Bound(self.high)),
        ]
    }

    fn values_on(&self, domain: &Domain) -> Option<ValueSet> {
        bin_on(self.low, self.high, domain)
    }

    fn support(&self, domain: &Domain, _: &[ParameterEntry]) -> ValueSet {
        bin(self.low.value(), self.high.value(), domain)
    }

    fn law<'f>(&'f self, _: &UntruncatedLeaf) -> FamilyLaw<'f> {
        FamilyLaw::Steps(self)
    }

    fn form(&self, leaf: &UntruncatedLeaf) -> LogDensityForm {
        let set = bin(self.low.value(), self.high.value(), leaf.domain);
        LogDensityForm::Flat(-set.measure().log2())
    }

    fn statistics(&self) -> FamilyStatistics<'_> {
        FamilyStatistics::Nothing
    }
}

impl StepFamily for UniformDistribution {
    fn n_steps(&self) -> usize {
        1
    }

    fn ends(&self, _: usize) -> (f64, f64) {
        (self.low.value(), self.high.value())
    }

    fn step_of(&self, x: f64) -> Option<usize> {
        (self.low.value() <= x && x < self.high.value()).then_some(0)
    }

    fn share(&self, _: &UntruncatedLeaf, _: usize) -> ParameterValue {
        ParameterValue::Linear(1.0)
    }
}

/// `[low, high)`; of a discrete domain only if both ends are whole.
pub(super) fn bin_on(
    low: FiniteConstant,
    high: FiniteConstant,
    domain: &Domain,
) -> Option<ValueSet> {
    let (low, high) = (low.value(), high.value());
    let is_whole = low.fract() == 0.0 && high.fract() == 0.0;
    (is_whole || !domain.is_discrete()).then(|| bin(low, high, domain))
}
