//! Data: rows of observations bound to the variables of a circuit.
//!
//! [`read()`] takes CSV with or without a header and the plain rows of digits that
//! benchmarks come as, gzipped or not, from a file or any other stream. Columns
//! are bound to variables by name where there is a header and by order where
//! there is none; every cell is checked against its variable's domain.

mod binding;
mod cell;
mod error;
mod header;
mod lines;
mod plain;
mod read;
mod record;
mod softness;
mod source;
mod table;
#[cfg(test)]
mod tests;
mod window;

pub use error::{DataError, DataErrorKind};
pub use read::{Data, Header, ReadOptions, read};
pub use softness::{SoftColumn, Softness};
pub use source::Source;
pub use table::{Column, MISSING_CODE, MISSING_SMALL, Table};
