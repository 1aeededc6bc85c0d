//! The histogram distribution.

use super::{ArgumentKind, FamilyArgument, FamilyDescription};
use crate::circuit::{Bound, ParamKind};

/// `histogram([b0, …, bn], [p1, …, pn])`: piecewise constant, with probability
/// `p_i` on `[b_(i-1), b_i)`; a `simplex` parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HistogramDistribution {
    /// Ends of the bins, rising.
    pub breaks: Vec<Bound>,
}

impl HistogramDistribution {
    /// Its row in the table.
    pub const DESCRIPTION: FamilyDescription = FamilyDescription {
        name: "histogram",
        form: "histogram([b0, …, bn], [p1, …, pn])",
        arguments: &[FamilyArgument::constant("breaks", ArgumentKind::Breaks), FamilyArgument::parameter("p", ParamKind::Simplex)],
        meaning: "piecewise constant: p_i on `[b_(i-1), b_i)`",
    };
}
