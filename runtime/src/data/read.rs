//! From a source to a table.

use super::error::DataError;
use super::reader::TableReader;
use super::source::DataSource;
use super::table::Table;
use pelton_compiler::circuit::CircuitGraph;

/// Whether columns have names in the data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeaderMode {
    /// The first line of a text is a header if it holds names of variables or of
    /// their columns. Parquet has names.
    #[default]
    Auto,
    /// They have. Variables that are not named are missing.
    Yes,
    /// They have in texts and in Parquet, as with `Yes`; columns of arrays, which have no
    /// names, are bound by order.
    ExceptArrays,
    /// The first line of a text is a row; columns are bound by order.
    No,
}

/// How data are read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Whether columns have names in the data.
    pub header: HeaderMode,
    /// The column that holds the weights of rows: its name, or where columns have
    /// none its number, from 1. It is no variable's.
    pub weight_column: Option<String>,
}

/// Data that were read.
#[derive(Clone, Debug)]
#[must_use]
pub struct DataSet {
    /// The rows.
    pub table: Table,
    /// A weight for each row, if a column of weights was asked for: finite, not
    /// negative, and not all zero.
    pub weights: Option<Vec<f64>>,
    /// What the user should know: columns that are ignored, variables without one.
    pub notes: Vec<String>,
}

/// Reads a source into a table for the variables of `circuit`.
///
/// Every cell is checked against its variable's domain; the first that does not
/// fit is the error. Memory is that of the table and of one line, or of one page of
/// each column of a Parquet file.
pub fn read(
    source: DataSource,
    circuit: &CircuitGraph,
    options: &ReadOptions,
) -> Result<DataSet, DataError> {
    let mut reader = TableReader::open(source, circuit, options)?;
    let chunk = reader.next_chunk(usize::MAX)?;
    let chunk = chunk.unwrap_or_else(|| reader.no_rows());
    Ok(DataSet {
        table: chunk.table,
        weights: chunk.weights,
        notes: reader.into_notes(),
    })
}
