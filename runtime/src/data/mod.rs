//! Data: rows of observations bound to the variables of a circuit.
//!
//! [`read()`] takes CSV with or without a header, the plain rows of digits that
//! benchmarks come as, Parquet and arrays of NumPy, gzipped or not, from a file or
//! any other stream; [`TableReader`] takes some rows at a time. Columns are bound to
//! variables by name where they have names and by order where they have none; every
//! cell is checked against its variable's domain. A column may hold weights of rows.
//! Where there is no circuit yet, [`schema()`] tells what variables the columns are.
//! Rows that a program has in memory are a [`Batch`], which a [`BatchReader`] reads.

mod batch;
mod binding;
mod cell;
mod content;
mod error;
mod header;
mod layout;
mod lines;
mod naming;
mod npy;
mod number;
#[cfg(feature = "parquet")]
mod parquet;
mod plain;
mod read;
mod reader;
mod record;
mod schema;
mod softness;
mod source;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod weight;
mod window;

pub use batch::{
    Batch, BatchError, BatchReader, BoundBatch, CellPlace, CellValue, Element, ScratchTable, Series,
};
pub use error::{DataError, DataErrorKind};
pub use read::{DataSet, HeaderMode, ReadOptions, read};
pub use reader::{TableChunk, TableReader};
pub use schema::{Schema, SchemaColumn, SchemaFound, SchemaLimits, schema, schema_of_batches};
pub use softness::{SoftColumn, Softness};
pub use source::DataSource;
pub use table::{Column, LaidOver, MISSING_CODE, MISSING_SMALL, Table};
