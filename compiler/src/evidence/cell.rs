//! What is known of one variable in one row.

use crate::circuit::ValueSet;

/// What is known of one variable in one row of data.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing.
    Missing,
    /// Its value.
    Value(f64),
    /// A weight for each value of its finite domain, in order.
    Soft(Vec<f64>),
    /// That its value lies in this set.
    In(ValueSet),
}

impl Cell {
    /// The cells of an assignment, in which NaN stands for a missing value.
    pub fn row(assignment: &[f64]) -> Vec<Cell> {
        let cell = |&x: &f64| {
            if x.is_nan() {
                Cell::Missing
            } else {
                Cell::Value(x)
            }
        };
        assignment.iter().map(cell).collect()
    }

    /// The value that was observed; NaN if none was.
    pub fn observed(&self) -> f64 {
        match self {
            Cell::Value(x) => *x,
            Cell::Missing | Cell::Soft(_) | Cell::In(_) => f64::NAN,
        }
    }
}
