//! Rows of formats that are read column by column.

use super::cell::InvalidCell;
use super::error::DataError;
use super::layout::{DecodedRows, SourceColumn, TableLayout};

/// Some rows, filled one column after the other.
///
/// If several cells are at fault, the one of the earliest row is told, and in that
/// row the one that comes first: the same one that a reader of lines would tell,
/// and the same one however many rows are read at once.
pub(super) struct TableRowFiller<'a> {
    file: &'a str,
    layout: &'a TableLayout,
    rows: &'a mut DecodedRows,
    /// Number of the first row in the file, from 0.
    first_row: u64,
    /// Rows that are without fault so far.
    n_good: usize,
    fault: Option<DataError>,
}

impl<'a> TableRowFiller<'a> {
    /// `n_rows` rows, the first of which is row `first_row` of the file.
    pub fn new(
        file: &'a str,
        layout: &'a TableLayout,
        rows: &'a mut DecodedRows,
        first_row: u64,
        n_rows: usize,
    ) -> Self {
        TableRowFiller {
            file,
            layout,
            rows,
            first_row,
            n_good: n_rows,
            fault: None,
        }
    }

    /// Adds cells to a column, the first of them in row `from`.
    pub fn add(
        &mut self,
        slot: &SourceColumn,
        from: usize,
        cells: impl Iterator<Item = Result<f64, InvalidCell>>,
    ) {
        let n_good = self.n_good.saturating_sub(from);
        for (at, cell) in cells.take(n_good).enumerate() {
            match cell {
                Ok(value) => self.rows.push(slot, value),
                Err(refusal) => return self.stop(slot, from + at, refusal),
            }
        }
    }

    fn stop(&mut self, slot: &SourceColumn, row: usize, refusal: InvalidCell) {
        self.n_good = row;
        let fault = self.layout.refused(self.file, slot, refusal);
        self.fault = Some(fault.in_row(self.first_row + row as u64));
    }

    /// The rows, if all cells are what they may be.
    pub fn finish(self) -> Result<(), DataError> {
        match self.fault {
            None => {
                self.rows.n_rows += self.n_good;
                Ok(())
            }
            Some(fault) => Err(fault),
        }
    }
}
