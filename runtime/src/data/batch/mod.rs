//! Rows that a program has in memory.
//!
//! A [`Batch`] borrows a matrix of numbers or texts. A [`BatchReader`] knows the
//! variables of one circuit: it binds the columns of batches to them, checks every cell
//! and makes tables of rows. Tables are used again, so that reading a batch allocates
//! nothing once a few have been read.

mod cells;
mod encoder;
mod error;
mod frame;
mod reader;

pub use cells::{CellValue, Element, Series};
pub use error::{BatchError, CellPlace};
pub use reader::{BatchReader, BoundBatch, ScratchTable};

use cells::BatchCells;

/// A borrowed matrix of observations: a row for each sample, a column for each variable.
///
/// Cells are numbers (`f64`, `f32`, `i64`, `i32`, `u8`) or texts. A number is the value
/// itself; of a `bool` variable 0 or 1, of categories the position, from 0, in the order
/// in which they are declared. NaN and cells that a mask names are missing. A text is that
/// text, the name of a category: an empty one, `NA` and `?` are names as others are, and a
/// text is no value of a variable that takes numbers.
///
/// Without names, columns are the variables in their order. Nothing is looked at before
/// the batch is used; what is wrong with it is an error then.
///
/// ```
/// # use pelton_runtime::data::Batch;
/// let cells = [1.0, f64::NAN, 0.0, 1.0];
/// let batch = Batch::new(&cells, 2, 2).names(&["rain", "wet"]);
/// assert_eq!((batch.n_rows(), batch.n_columns()), (2, 2));
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Batch<'a> {
    cells: BatchCells<'a>,
    n_rows: usize,
    n_columns: usize,
    strides: (usize, usize),
    mask: Option<&'a [u8]>,
    names: Option<&'a [&'a str]>,
    categories: &'a [&'a [&'a str]],
    weights: Option<&'a [f64]>,
    /// What messages call the first row.
    first_row: usize,
}

impl<'a> Batch<'a> {
    /// Rows one after the other, each with its columns one after the other.
    pub fn new<T: Element>(cells: &'a [T], n_rows: usize, n_columns: usize) -> Self {
        Batch {
            cells: T::cells(cells),
            n_rows,
            n_columns,
            strides: (n_columns, 1),
            mask: None,
            names: None,
            categories: &[],
            weights: None,
            first_row: 0,
        }
    }

    /// Rows of texts, each of which is the name of a category.
    pub fn texts(cells: &'a [&'a str], n_rows: usize, n_columns: usize) -> Self {
        Batch {
            cells: BatchCells::Text(cells),
            ..Batch::new::<f64>(&[], n_rows, n_columns)
        }
    }

    /// Columns of different kinds, each with a cell for each row. A number is the position of
    /// a category, unless categories are called by numbers: then it is a name, as in a file.
    ///
    /// ```
    /// # use pelton_runtime::data::{Batch, Series};
    /// let columns = [Series::Numbers(&[21.5, f64::NAN]), Series::Texts(&["clear", "storm"])];
    /// let batch = Batch::columns(&columns, 2).names(&["temp", "sky"]);
    /// assert_eq!((batch.n_rows(), batch.n_columns()), (2, 2));
    /// ```
    pub fn columns(columns: &'a [Series<'a>], n_rows: usize) -> Self {
        Batch {
            cells: BatchCells::Columns(columns),
            ..Batch::new::<f64>(&[], n_rows, columns.len())
        }
    }

    /// Rows of which nothing is known.
    pub fn nothing(n_rows: usize) -> Batch<'static> {
        Batch::new::<f64>(&[], n_rows, 0).names(&[])
    }

    /// How many elements lie from a row to the next, and from a column to the next: the
    /// matrix need not be contiguous, and may be stored by columns.
    pub fn strides(mut self, row: usize, column: usize) -> Self {
        self.strides = (row, column);
        self
    }

    /// A byte for each cell, row by row without gaps: where it is not 0, the cell is
    /// missing whatever it holds.
    pub fn mask(mut self, mask: &'a [u8]) -> Self {
        self.mask = Some(mask);
        self
    }

    /// The variables that the columns are, by name or by `@column`; the others are missing.
    pub fn names(mut self, names: &'a [&'a str]) -> Self {
        self.names = Some(names);
        self
    }

    /// How much each row counts in learning; 1 if not given.
    pub fn weights(mut self, weights: &'a [f64]) -> Self {
        self.weights = Some(weights);
        self
    }

    /// The categories that columns are declared with: a list for each column, empty where
    /// there are none. A circuit that is learned from the rows has all of them, in this
    /// order, whether or not a row shows them.
    pub fn categories(self, categories: &'a [&'a [&'a str]]) -> Self {
        Batch { categories, ..self }
    }

    /// What messages call the first row, 0 if not given: programs that hand rows over in
    /// parts are told of the row of the whole.
    pub fn first_row(self, first_row: usize) -> Self {
        Batch { first_row, ..self }
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Number of columns.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// How much each row counts, if that was given.
    pub fn row_weights(&self) -> Option<&'a [f64]> {
        self.weights
    }

    /// What the columns are called, if they have names.
    pub fn column_names(&self) -> Option<&'a [&'a str]> {
        self.names
    }

    /// The categories that a column is declared with.
    pub(super) fn declared(&self, column: usize) -> &'a [&'a str] {
        self.categories.get(column).copied().unwrap_or_default()
    }

    /// What a cell holds; nothing if it is masked.
    pub(super) fn cell(&self, row: usize, column: usize) -> CellValue<'a> {
        if self.is_masked(row, column) {
            return CellValue::Missing;
        }
        let at = self.position(row, column);
        match self.cells {
            BatchCells::F64(cells) => CellValue::Number(cells[at]),
            BatchCells::F32(cells) => CellValue::Number(cells[at].number()),
            BatchCells::I64(cells) => CellValue::Number(cells[at].number()),
            BatchCells::I32(cells) => CellValue::Number(cells[at].number()),
            BatchCells::U8(cells) => CellValue::Number(cells[at].number()),
            BatchCells::Text(cells) => CellValue::Text(cells[at]),
            BatchCells::Columns(columns) => match columns[column] {
                Series::Numbers(cells) => CellValue::Number(cells[row]),
                Series::Texts(cells) => CellValue::Text(cells[row]),
                Series::Values(cells) => cells[row],
            },
        }
    }

    /// Whether the sizes of what was given go together.
    pub(super) fn check(&self) -> Result<(), BatchError> {
        let (row, column) = self.strides;
        let n_cells = self.n_rows.checked_mul(self.n_columns);
        let last = || {
            let down = row.checked_mul(self.n_rows.checked_sub(1)?)?;
            let along = column.checked_mul(self.n_columns.checked_sub(1)?)?;
            down.checked_add(along)
        };
        let too_short = match (n_cells, self.cells) {
            (Some(0), _) => false,
            (Some(_), BatchCells::Columns(columns)) => {
                columns.iter().any(|own| own.len() != self.n_rows)
            }
            (Some(_), _) => last().is_none_or(|last| last >= self.cells.len()),
            (None, _) => true,
        };
        if too_short {
            let (n_rows, n_columns, n_cells) = (self.n_rows, self.n_columns, self.cells.len());
            return Err(BatchError::shape(format!(
                "{n_rows} rows of {n_columns} columns do not fit into {n_cells} cells"
            )));
        }
        let is_as_long = |what: &str, found: usize, wanted: Option<usize>| match wanted {
            Some(wanted) if wanted == found => Ok(()),
            _ => Err(BatchError::shape(format!(
                "there are {found} {what} for {} rows of {} columns",
                self.n_rows, self.n_columns
            ))),
        };
        if let Some(mask) = self.mask {
            is_as_long("bytes of a mask", mask.len(), n_cells)?;
        }
        if let Some(names) = self.names {
            is_as_long("names", names.len(), Some(self.n_columns))?;
        }
        if !self.categories.is_empty() {
            let n_lists = self.categories.len();
            is_as_long("lists of categories", n_lists, Some(self.n_columns))?;
        }
        if let Some(weights) = self.weights {
            is_as_long("weights", weights.len(), Some(self.n_rows))?;
            check_weights(weights)?;
        }
        Ok(())
    }

    fn is_masked(&self, row: usize, column: usize) -> bool {
        self.mask
            .is_some_and(|mask| mask[row * self.n_columns + column] != 0)
    }

    fn position(&self, row: usize, column: usize) -> usize {
        row * self.strides.0 + column * self.strides.1
    }
}

fn check_weights(weights: &[f64]) -> Result<(), BatchError> {
    let is_bad = |weight: &f64| !(weight.is_finite() && *weight >= 0.0);
    if let Some(row) = weights.iter().position(is_bad) {
        let weight = weights[row];
        return Err(BatchError::shape(format!(
            "the weight of row {row} is {weight}; it must be a finite number from 0 up"
        )));
    }
    if !weights.is_empty() && weights.iter().all(|weight| *weight == 0.0) {
        return Err(BatchError::shape("all weights of rows are 0".to_string()));
    }
    Ok(())
}
