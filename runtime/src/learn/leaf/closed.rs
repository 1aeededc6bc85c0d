//! Closed forms: where Q is largest for one number, the others given.
//!
//! They hold for leaves that are not truncated. For others they are where the search
//! begins.

use super::family::LearnedLeaf;
use super::plan::LeafScalar;
use super::step::LeafAscent;
use pelton_compiler::circuit::ParameterValue;

/// What all leaves of a number say together, and the maximum that follows from it.
#[derive(Debug)]
pub struct ClosedForm {
    /// Takes the numbers of two leaves together.
    pub add: fn([f64; 4], [f64; 4]) -> [f64; 4],
    /// The maximum: perhaps 0 or infinite, and NaN if the numbers say nothing.
    pub maximum: fn([f64; 4]) -> f64,
}

/// The numbers of a closed form that one leaf gives.
#[derive(Clone, Copy, Debug)]
pub struct ClosedTerm {
    form: &'static ClosedForm,
    pub numbers: [f64; 4],
    is_exact: bool,
}

/// Means weighted by precision: the standard deviation, flow, that times the distance from
/// a centre, and the centre, which is the same for all leaves of one mean.
pub static MEAN: ClosedForm = ClosedForm {
    add: |a, b| {
        // Precisions are measured by the highest, which may be beyond all numbers; distances
        // are from one centre, so that they add up once they are weighted.
        let (narrow, wide) = if b[0] < a[0] { (b, a) } else { (a, b) };
        let precision = (narrow[0] / wide[0]).powi(2);
        let centre = if b[1] > 0.0 { b[3] } else { a[3] };
        let (flow, distance) = (precision * wide[1], precision * wide[2]);
        [narrow[0], narrow[1] + flow, narrow[2] + distance, centre]
    },
    maximum: |[_, flow, distance, centre]| centre + distance / flow,
};

/// Standard deviations: flow, and that times squared distances.
pub static SPREAD: ClosedForm = ClosedForm {
    add: sum,
    maximum: |[flow, squares, ..]| {
        if flow > 0.0 {
            (squares / flow).sqrt()
        } else {
            f64::INFINITY
        }
    },
};

/// Rates, for which Q is `events · ln rate - time · rate`: events, and time.
pub static RATE: ClosedForm = ClosedForm {
    add: sum,
    maximum: |[events, time, ..]| events.max(0.0) / time,
};

/// Numbers that add up.
pub fn sum(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    std::array::from_fn(|at| a[at] + b[at])
}

impl ClosedTerm {
    pub fn new<const N: usize>(form: &'static ClosedForm, own: [f64; N]) -> Self {
        let mut numbers = [0.0; 4];
        numbers[..N].copy_from_slice(&own);
        ClosedTerm {
            form,
            numbers,
            is_exact: true,
        }
    }

    /// The term, which is the start of a search unless `is_exact`.
    pub fn exact_if(self, is_exact: bool) -> Self {
        ClosedTerm { is_exact, ..self }
    }

    /// Both terms, if they are of one form.
    fn and(self, other: ClosedTerm) -> Option<ClosedTerm> {
        std::ptr::eq(self.form, other.form).then(|| ClosedTerm {
            numbers: (self.form.add)(self.numbers, other.numbers),
            is_exact: self.is_exact && other.is_exact,
            ..self
        })
    }

    /// Where the closed form is: perhaps 0 or infinite, and NaN if it says nothing.
    pub fn maximum(&self) -> f64 {
        (self.form.maximum)(self.numbers)
    }

    /// Whether that is the maximum.
    pub fn is_exact(&self) -> bool {
        self.is_exact && !self.maximum().is_nan()
    }
}

impl LeafAscent<'_> {
    /// What all leaves of a number say about it, if they have one closed form in common.
    pub(super) fn closed_form(
        &self,
        scalar: &LeafScalar,
        values: &[ParameterValue],
    ) -> Option<ClosedTerm> {
        if scalar.is_repeated {
            return None;
        }
        // Each leaf's term, joined with those before: one leaf without a form, or of another
        // form, leaves the number without any.
        let terms = self.plan.uses(&scalar.uses).iter().map(|own| {
            let leaf = LearnedLeaf {
                own: &self.statistics[own.leaf],
                params: self.parameters(own.leaf, values),
                entropy: self.entropy_weight(own.leaf),
                is_followed: scalar.follower.is_some(),
            };
            let term = self.learning(own.leaf).closed_term(own.argument, &leaf)?;
            Some(term.exact_if(term.is_exact && scalar.is_plain))
        });
        terms.reduce(|all, own| all?.and(own?)).flatten()
    }
}
