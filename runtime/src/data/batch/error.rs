//! What is wrong with a batch.

/// What is wrong with a batch: its shape, or the first cell that is no value of its variable.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}{message}{}", place(cell), way_out(help))]
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

fn place(cell: &Option<CellPlace>) -> String {
    cell.as_ref().map_or(String::new(), |cell| {
        let (row, column, variable) = (cell.row, cell.column, &cell.variable);
        format!("cell [{row}, {column}] of `{variable}`: ")
    })
}

fn way_out(help: &Option<String>) -> String {
    help.as_ref()
        .map_or(String::new(), |help| format!("; {help}"))
}
