//! From a source to a table.

use super::binding::Binding;
use super::cell::CellReader;
use super::error::DataError;
use super::header::bind;
use super::lines::Lines;
use super::plain::PlainRows;
use super::record::Record;
use super::source::Source;
use super::table::{Column, Table};
use pelton_compiler::circuit::Circuit;

/// Whether the first line is a header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Header {
    /// It is one if it holds names of variables or of their columns.
    #[default]
    Auto,
    /// It is one. Variables that it does not name are missing.
    Yes,
    /// It is a row; columns are bound by order.
    No,
}

/// How data are read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Whether the first line is a header.
    pub header: Header,
}

/// Data that were read.
#[derive(Clone, Debug)]
pub struct Data {
    /// The rows.
    pub table: Table,
    /// What the user should know: columns that are ignored, variables without one.
    pub notes: Vec<String>,
}

/// Reads a source into a table for the variables of `circuit`.
///
/// Every cell is checked against its variable's domain; the first that does not
/// fit is the error. Memory is that of the table and of one line.
pub fn read(source: Source, circuit: &Circuit, options: &ReadOptions) -> Result<Data, DataError> {
    let mut lines = Lines::open(source)?;
    let binding = bind(&mut lines, circuit, options.header)?;
    let plain = PlainRows::for_binding(circuit, &binding, lines.delimiter());
    let mut rows = Rows::new(circuit, &binding, lines.delimiter());
    loop {
        if let Some(plain) = &plain {
            let (n_rows, n_bytes) = plain.take(lines.unread(), &mut rows.columns);
            lines.take_unread(n_rows, n_bytes);
            rows.n_rows += n_rows;
        }
        let taken = lines.next(|file, number, line| rows.push(file, number, line))?;
        if taken.is_none() {
            break;
        }
    }
    let table = Table::new(rows.n_rows, rows.columns);
    let notes = binding.notes;
    Ok(Data { table, notes })
}

/// The rows read so far.
struct Rows<'a> {
    binding: &'a Binding,
    record: Record,
    /// Variables with a column: the variable, the column, what its cells may be,
    /// and the first value of its domain.
    bound: Vec<(usize, usize, CellReader<'a>, f64)>,
    columns: Vec<Column>,
    n_rows: usize,
}

impl<'a> Rows<'a> {
    fn new(circuit: &'a Circuit, binding: &'a Binding, delimiter: u8) -> Self {
        let variables = circuit.variables().iter().zip(&binding.columns);
        let columns = variables.clone().map(|(variable, column)| match column {
            Some(_) => Column::for_domain(&variable.domain),
            None => Column::Missing,
        });
        let bound = variables
            .enumerate()
            .filter_map(|(at, (variable, column))| {
                let first = variable.domain.first();
                Some((at, (*column)?, CellReader::new(variable), first))
            });
        Rows {
            columns: columns.collect(),
            bound: bound.collect(),
            record: Record::new(delimiter),
            binding,
            n_rows: 0,
        }
    }

    fn push(&mut self, file: &str, number: u64, line: &[u8]) -> Result<(), DataError> {
        self.record.cut(line);
        if self.record.len() != self.binding.n_cells {
            let n_found = self.record.len();
            return Err(self.binding.wrong_length(file, number, n_found));
        }
        for (variable, column, reader, first) in &self.bound {
            let cell = self.record.cell(line, *column);
            let value = reader.read(cell).map_err(|refusal| {
                DataError::unfit(file, refusal.message)
                    .on_line(number)
                    .in_column(*column, self.binding.name(*column))
                    .help(refusal.help)
            })?;
            self.columns[*variable].push(value, *first);
        }
        self.n_rows += 1;
        Ok(())
    }
}
