//! How each distribution is learned, one a file.
//!
//! The list is the compiler's: each of its families has a module here of the same name. A
//! family says what it knows of itself; whatever it leaves out is searched for numerically,
//! by the density of the values that were observed.

use super::bounds::{FACTOR, ParameterBounds};
use super::closed::{ClosedForm, ClosedTerm, MEAN, RATE, SPREAD, sum};
use super::objective::times;
use super::ranges::ObservedRange;
use super::start::StartDraw;
use super::statistics::LeafStatistics;
use pelton_compiler::circuit::{
    CircuitGraph, Distribution, Family, FiniteConstant, LeafId, LeafKind, ParameterValue,
};
use pelton_compiler::for_each_family;

/// So many parameters a distribution has at most.
pub const MOST_PARAMETERS: usize = 3;

/// The values of a leaf's parameters, in order.
pub type LeafParameters = [ParameterValue; MOST_PARAMETERS];

/// How a distribution is learned.
///
/// `argument` is the position of one of its parameters.
pub trait LeafLearning {
    /// How flows are counts of a `unit` or `simplex` parameter, which is then solved like
    /// the weights of sums. One that is not counted is searched for.
    fn counting(&self) -> Option<EntryCounting<'_>> {
        None
    }

    /// The log-likelihood of untruncated flow, up to what no parameter changes. None if the
    /// density of observed values is to be asked.
    fn log_likelihood(&self, _own: &LeafStatistics, _params: LeafParameters) -> Option<f64> {
        None
    }

    /// What the leaf says about where Q is largest, if there is a closed form.
    fn closed_term(&self, _argument: usize, _leaf: &LearnedLeaf) -> Option<ClosedTerm> {
        None
    }

    /// The parameter that follows from this one by its closed form, so that both are best
    /// found together.
    fn follower(&self, _argument: usize) -> Option<usize> {
        None
    }

    /// The step of a `real` parameter that changes the density noticeably.
    fn width(&self, _params: LeafParameters) -> f64 {
        1.0
    }

    /// How far a column lets a parameter go.
    fn bounds(&self, _argument: usize, _range: &ObservedRange) -> ParameterBounds {
        ParameterBounds::NONE
    }

    /// A number, or a probability, to start from; none to start where the circuit does.
    fn start(&self, _argument: usize, _draw: &StartDraw) -> Option<f64> {
        None
    }
}

/// How flows become counts of entries.
#[derive(Clone, Copy, Debug)]
pub enum EntryCounting<'a> {
    /// An entry for each value of the domain.
    PerValue,
    /// An entry for each bin between two of these.
    PerBin(&'a [FiniteConstant]),
    /// Two entries: misses and hits, each so many for the flow and for the flow times the
    /// value.
    Linear([[f64; 2]; 2]),
}

/// What a leaf's closed form may look at.
#[derive(Clone, Copy, Debug)]
pub struct LearnedLeaf<'a> {
    pub own: &'a LeafStatistics,
    pub params: LeafParameters,
    /// How much its entropy counts.
    pub entropy: f64,
    /// Whether the parameter's follower is set with it.
    pub is_followed: bool,
}

macro_rules! declare_learning {
    ($($module:ident: $variant:ident($distribution:ident),)*) => {
        $(pub(super) mod $module;)*

        pub fn learning(family: &Family) -> &dyn LeafLearning {
            match family {
                $(Family::$variant(own) => own,)*
            }
        }
    };
}

for_each_family!(declare_learning);

/// The distribution of a leaf that is one.
pub fn distribution(circuit: &CircuitGraph, leaf: LeafId) -> &Distribution {
    match &circuit.leaf(leaf).kind {
        LeafKind::Distribution(distribution) => distribution,
        LeafKind::Indicator(_) => unreachable!("an indicator has no parameters"),
    }
}

/// Whether a leaf is like a sum over literals: an entry for each value and all of them
/// possible.
pub fn is_table(distribution: &Distribution) -> bool {
    let counting = learning(&distribution.family).counting();
    matches!(counting, Some(EntryCounting::PerValue)) && distribution.truncation.is_none()
}
