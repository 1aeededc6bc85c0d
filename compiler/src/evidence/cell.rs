//! What is known of one variable in one row.

use crate::circuit::ValueSet;

/// What is known of one variable in one row of data.
#[derive(Clone, Debug, PartialEq)]
pub enum EvidenceCell {
    /// Nothing.
    Missing,
    /// Its value.
    Value(f64),
    /// A weight for each value of its finite domain, in order.
    Soft(Vec<f64>),
    /// That its value lies in this set.
    In(ValueSet),
}

impl EvidenceCell {
    /// The cells of an assignment, in which NaN stands for a missing value.
    pub fn row(assignment: &[f64]) -> Vec<EvidenceCell> {
        let cell = |&x: &f64| {
            if x.is_nan() {
                EvidenceCell::Missing
            } else {
                EvidenceCell::Value(x)
            }
        };
        assignment.iter().map(cell).collect()
    }

    /// The value that was observed; NaN if none was.
    pub fn observed(&self) -> f64 {
        match self {
            EvidenceCell::Value(x) => *x,
            EvidenceCell::Missing | EvidenceCell::Soft(_) | EvidenceCell::In(_) => f64::NAN,
        }
    }
}
