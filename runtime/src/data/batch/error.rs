//! What is wrong with a batch.

use std::fmt;

/// What is wrong with a batch: its shape, or the first cell that is no value of its variable.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchError {
    /// The cell at fault; none if it is the shape.
    pub cell: Option<CellPlace>,
    /// One sentence.
    pub message: String,
    /// A way out, if one is known.
    pub help: Option<String>,
}

/// A cell of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct CellPlace {
    /// Its row, from 0.
    pub row: usize,
    /// Its column, from 0.
    pub column: usize,
    /// The variable that the column is.
    pub variable: String,
    /// What it holds, as text.
    pub value: String,
}

impl BatchError {
    pub(super) fn shape(message: String) -> Self {
        BatchError {
            cell: None,
            message,
            help: None,
        }
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(cell) = &self.cell {
            let (row, column, variable) = (cell.row, cell.column, &cell.variable);
            write!(f, "cell [{row}, {column}] of `{variable}`: ")?;
        }
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for BatchError {}
