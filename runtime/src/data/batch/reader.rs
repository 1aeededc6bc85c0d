//! From batches to tables of one circuit.

use super::cells::{BatchCells, CellValue, Element, Series};
use super::encoder::Encoder;
use super::error::CellPlace;
use super::{Batch, BatchError};
use crate::data::binding::column_name;
use crate::data::cell::InvalidCell;
use crate::data::naming::NamePositions;
use crate::data::table::{Column, Table};
use pelton_compiler::circuit::CircuitGraph;
use pelton_compiler::lower::nearest;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Rows that are read column by column at a time: they stay in the nearest cache.
const BLOCK: usize = 64;

/// Reads batches of rows for one circuit.
pub struct BatchReader {
    pub(super) encoders: Vec<Encoder>,
    /// Variables by their names and by those of their columns.
    by_name: NamePositions,
    /// Tables that wait for their next use.
    waiting: Mutex<Vec<Table>>,
}

impl BatchReader {
    /// A reader for the variables of a circuit.
    pub fn new(circuit: &CircuitGraph) -> Self {
        let variables = || circuit.variables().iter().enumerate();
        let columns = variables().map(|(at, own)| (column_name(own), at));
        let names = variables().map(|(at, own)| (own.name.as_str(), at));
        BatchReader {
            encoders: circuit.variables().iter().map(Encoder::new).collect(),
            by_name: NamePositions::new(names.chain(columns)),
            waiting: Mutex::default(),
        }
    }

    /// Binds the columns of a batch to variables.
    pub fn bind<'a>(&'a self, batch: &Batch<'a>) -> Result<BoundBatch<'a>, BatchError> {
        batch.check()?;
        let columns = match batch.names {
            Some(names) => Some(self.by_names(names)?),
            None if batch.n_columns == self.encoders.len() => None,
            None => {
                let (n_columns, n_variables) = (batch.n_columns, self.encoders.len());
                return Err(BatchError::shape(format!(
                    "there are {n_columns} columns without names, and the circuit has \
                     {n_variables} variables"
                )));
            }
        };
        Ok(BoundBatch {
            reader: self,
            batch: *batch,
            columns,
        })
    }

    /// All rows of a batch as a table.
    pub fn table(&self, batch: &Batch<'_>) -> Result<Table, BatchError> {
        let bound = self.bind(batch)?;
        let mut table = self.no_rows();
        bound.fill(&mut table, 0..batch.n_rows)?;
        Ok(table)
    }

    /// The position of a variable, by its name or that of its column.
    pub fn position(&self, name: &str) -> Result<usize, BatchError> {
        self.by_name.find(name).ok_or_else(|| {
            let known = self.encoders.iter().map(|own| own.variable.name.as_str());
            BatchError {
                help: nearest(name, known).map(|near| format!("did you mean `{near}`?")),
                ..BatchError::shape(format!("the circuit has no variable `{name}`"))
            }
        })
    }

    /// The column of each variable.
    fn by_names(&self, names: &[&str]) -> Result<Vec<Option<usize>>, BatchError> {
        let mut columns = vec![None; self.encoders.len()];
        for (column, name) in names.iter().enumerate() {
            let variable = self.position(name)?;
            if columns[variable].replace(column).is_some() {
                let message = format!("two columns are called `{name}`");
                return Err(BatchError::shape(message));
            }
        }
        Ok(columns)
    }

    /// A table to fill, used before if there is any.
    pub fn scratch(&self) -> ScratchTable<'_> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let table = waiting.pop().unwrap_or_else(|| self.no_rows());
        ScratchTable {
            reader: self,
            table: Some(table),
        }
    }

    fn no_rows(&self) -> Table {
        Table::new(0, vec![Column::Missing; self.encoders.len()])
    }
}

impl std::fmt::Debug for BatchReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BatchReader").finish_non_exhaustive()
    }
}

/// A table that goes back to its reader.
pub struct ScratchTable<'a> {
    reader: &'a BatchReader,
    table: Option<Table>,
}

impl ScratchTable<'_> {
    /// Fills the table with rows of a batch.
    pub fn fill(
        &mut self,
        bound: &BoundBatch<'_>,
        rows: Range<usize>,
    ) -> Result<&Table, BatchError> {
        let table = self.table.as_mut().expect("there until it is dropped");
        bound.fill(table, rows)?;
        Ok(table)
    }
}

impl Drop for ScratchTable<'_> {
    fn drop(&mut self) {
        let waiting = self.reader.waiting.lock();
        let mut waiting = waiting.unwrap_or_else(PoisonError::into_inner);
        waiting.extend(self.table.take());
    }
}

/// A batch whose columns are bound to variables.
#[derive(Debug)]
pub struct BoundBatch<'a> {
    reader: &'a BatchReader,
    batch: Batch<'a>,
    /// The column of each variable, if columns have names.
    columns: Option<Vec<Option<usize>>>,
}

impl BoundBatch<'_> {
    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.batch.n_rows
    }

    /// A table to fill with rows.
    pub fn scratch(&self) -> ScratchTable<'_> {
        self.reader.scratch()
    }

    fn column_of(&self, variable: usize) -> Option<usize> {
        match &self.columns {
            Some(columns) => columns[variable],
            None => Some(variable),
        }
    }

    /// Fills a table with some rows; the first cell that is no value is the error.
    fn fill(&self, table: &mut Table, rows: Range<usize>) -> Result<(), BatchError> {
        let filled = match self.batch.cells {
            BatchCells::F64(cells) => self.numbers(cells, table, rows.clone()),
            BatchCells::F32(cells) => self.numbers(cells, table, rows.clone()),
            BatchCells::I64(cells) => self.numbers(cells, table, rows.clone()),
            BatchCells::I32(cells) => self.numbers(cells, table, rows.clone()),
            BatchCells::U8(cells) => self.numbers(cells, table, rows.clone()),
            BatchCells::Text(cells) => self.blocks(table, rows.clone(), |encoder, row, column| {
                encoder.text(cells[self.batch.position(row, column)]).ok()
            }),
            BatchCells::Columns(all) => self.blocks(table, rows.clone(), |encoder, row, column| {
                match all[column] {
                    Series::Numbers(cells) => encoder.in_column(cells[row]),
                    Series::Texts(cells) => encoder.text(cells[row]).ok(),
                    Series::Values(cells) => encoder.value(cells[row]).ok(),
                }
            }),
        };
        filled.map_err(|()| self.first_fault(rows))
    }

    fn numbers<T: Element>(
        &self,
        cells: &[T],
        table: &mut Table,
        rows: Range<usize>,
    ) -> Result<(), ()> {
        self.blocks(table, rows, |encoder, row, column| {
            encoder.number(cells[self.batch.position(row, column)].number())
        })
    }

    /// Fills a table block by block; `read` gives the value of the cell of a row and
    /// column.
    fn blocks(
        &self,
        table: &mut Table,
        rows: Range<usize>,
        read: impl Fn(&Encoder, usize, usize) -> Option<f64>,
    ) -> Result<(), ()> {
        let (columns, n_rows) = table.parts_mut();
        *n_rows = rows.len();
        for (variable, encoder) in self.reader.encoders.iter().enumerate() {
            match self.column_of(variable) {
                Some(_) => encoder.prepare(&mut columns[variable], rows.len()),
                None => columns[variable] = Column::Missing,
            }
        }
        for start in rows.clone().step_by(BLOCK) {
            let block = start..rows.end.min(start + BLOCK);
            let first = start - rows.start;
            for (variable, encoder) in self.reader.encoders.iter().enumerate() {
                let Some(column) = self.column_of(variable) else {
                    continue;
                };
                let own = &mut columns[variable];
                let value = |row| read(encoder, row, column);
                let done = match self.batch.mask {
                    None => encoder.encode(own, first, block.clone().map(value)),
                    Some(_) => {
                        let masked = |row| {
                            if self.batch.is_masked(row, column) {
                                Some(f64::NAN)
                            } else {
                                value(row)
                            }
                        };
                        encoder.encode(own, first, block.clone().map(masked))
                    }
                };
                done.map_err(|_| ())?;
            }
        }
        Ok(())
    }

    /// The first cell that is no value, row by row.
    fn first_fault(&self, rows: Range<usize>) -> BatchError {
        let encoders = || self.reader.encoders.iter().enumerate();
        let mut cells = rows.flat_map(|row| {
            encoders().filter_map(move |own| Some((row, self.column_of(own.0)?, own.1)))
        });
        let fault = cells.find_map(|(row, column, encoder)| {
            let (value, refusal) = self.refused(encoder, row, column)?;
            let place = CellPlace {
                row: self.batch.first_row + row,
                column,
                variable: encoder.variable.name.clone(),
                value,
            };
            Some(BatchError {
                cell: Some(place),
                message: refusal.message,
                help: Some(refusal.help).filter(|help| !help.is_empty()),
            })
        });
        fault.unwrap_or_else(|| BatchError::shape("a cell is no value of its variable".into()))
    }

    /// What a cell holds and why that is no value, if it is none.
    fn refused(
        &self,
        encoder: &Encoder,
        row: usize,
        column: usize,
    ) -> Option<(String, InvalidCell)> {
        let series = match self.batch.cells {
            BatchCells::Columns(columns) => Some(columns[column]),
            _ => None,
        };
        let cell = self.batch.cell(row, column);
        let refusal = match (cell, series) {
            (CellValue::Number(x), Some(Series::Numbers(_))) => match encoder.in_column(x) {
                Some(_) => return None,
                None => encoder.refusal_in_column(x),
            },
            (CellValue::Number(x), None) => match encoder.number(x) {
                Some(_) => return None,
                None => encoder.refusal(x),
            },
            _ => encoder.value(cell).err()?,
        };
        Some((cell.to_string(), refusal))
    }
}
