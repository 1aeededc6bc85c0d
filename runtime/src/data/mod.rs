//! Data: rows of observations bound to the variables of a circuit.

mod table;

pub use table::{Column, MISSING_CODE, MISSING_SMALL, Table};
