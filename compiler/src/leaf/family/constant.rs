//! Constants of distributions: what shapes a support and is not learned.

use crate::circuit::FiniteConstant;

/// A constant, as it is written and shown.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FamilyConstant {
    /// An integer from 0 up.
    Count(u32),
    /// An end of an interval.
    Bound(FiniteConstant),
    /// Ends of intervals, rising.
    Breaks(Vec<FiniteConstant>),
}

/// The constants of a call, each kind in the order of the arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct FamilyConstants {
    pub counts: Vec<u32>,
    pub bounds: Vec<FiniteConstant>,
    pub breaks: Vec<FiniteConstant>,
}

/// Why there is no such distribution.
#[derive(Clone, Debug)]
pub(crate) struct RefusedConstants {
    pub message: String,
    pub help: Option<&'static str>,
}
