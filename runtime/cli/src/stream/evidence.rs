//! Rows of requests.

use super::StreamRequest;
use super::{MOST_NUMBERS, RequestFault};
use pelton::question::shown_json;
use pelton_runtime::data::{Batch, BatchReader, CellValue, Series, Table};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

/// The rows of a request, checked, and whether they are a list.
pub fn rows_of(
    request: &StreamRequest,
    reader: &BatchReader,
) -> Result<(Option<Table>, bool), RequestFault> {
    match (request.field("row"), request.field("rows")) {
        (None, None) => Ok((None, false)),
        (Some(row), None) => Ok((
            Some(table(std::slice::from_ref(row), reader, false)?),
            false,
        )),
        (None, Some(Value::Array(rows))) => Ok((Some(table(rows, reader, true)?), true)),
        (None, Some(other)) => Err(RequestFault::usage(format!(
            "`rows` is a list of rows, not {}; `row` is a single one",
            shown_json(other)
        ))),
        (Some(_), Some(_)) => Err(RequestFault::usage(
            "a request has either `row` or `rows`; leave one out",
        )),
    }
}

fn table(rows: &[Value], reader: &BatchReader, is_list: bool) -> Result<Table, RequestFault> {
    let mut cells = RequestCells::default();
    for (at, row) in rows.iter().enumerate() {
        let added = cells.add(row, reader, is_list);
        added.map_err(|fault| if is_list { fault.in_row(at) } else { fault })?;
    }
    cells.table(reader, is_list)
}

/// Rows whose cells stand in columns.
#[derive(Default)]
struct RequestCells<'a> {
    rows: Vec<Vec<(usize, CellValue<'a>)>>,
    /// Whether rows are objects, as the first one says.
    is_named: Option<bool>,
    /// The names of columns, where rows are objects, and which column a variable has.
    names: Vec<&'a str>,
    columns: HashMap<usize, usize>,
}

impl<'a> RequestCells<'a> {
    fn add(
        &mut self,
        row: &'a Value,
        reader: &BatchReader,
        is_list: bool,
    ) -> Result<(), RequestFault> {
        let (cells, is_named) = match row {
            Value::Object(fields) => (self.named(fields, reader, is_list)?, true),
            Value::Array(values) => (listed(values)?, false),
            other => {
                return Err(RequestFault::usage(format!(
                    "a row is an object such as {{\"rain\": true}} or a list of all values, not {}",
                    shown_json(other)
                )));
            }
        };
        if *self.is_named.get_or_insert(is_named) != is_named {
            let message = "some rows are objects and some are lists; write all alike";
            return Err(RequestFault::usage(message));
        }
        let before = self.rows.first().map_or(cells.len(), Vec::len);
        if !is_named && cells.len() != before {
            return Err(RequestFault::usage(format!(
                "the list has {} values and those before it {before}",
                cells.len()
            )));
        }
        self.rows.push(cells);
        Ok(())
    }

    /// The cells of an object.
    fn named(
        &mut self,
        fields: &'a Map<String, Value>,
        reader: &BatchReader,
        is_list: bool,
    ) -> Result<Vec<(usize, CellValue<'a>)>, RequestFault> {
        let mut cells: Vec<(usize, CellValue<'a>)> = Vec::with_capacity(fields.len());
        let mut seen = HashSet::new();
        for (name, value) in fields {
            let variable = reader.position(name);
            let variable = variable.map_err(|error| RequestFault::of_batch(error, is_list))?;
            if !seen.insert(variable) {
                let message = format!("`{name}` is a variable that the row has already");
                return Err(RequestFault::usage(message));
            }
            // Objects may name variables in any order and leave some out: a column is made when its
            // variable is first named.
            let column = *self.columns.entry(variable).or_insert_with(|| {
                self.names.push(name);
                self.names.len() - 1
            });
            cells.push((column, cell(name, value)?));
        }
        Ok(cells)
    }

    fn table(&self, reader: &BatchReader, is_list: bool) -> Result<Table, RequestFault> {
        let n_rows = self.rows.len();
        let is_named = self.is_named.unwrap_or(true);
        let n_columns = if is_named {
            self.names.len()
        } else {
            self.rows.first().map_or(0, Vec::len)
        };
        if n_rows.saturating_mul(n_columns.max(1)) > MOST_NUMBERS {
            return Err(RequestFault::usage(format!(
                "the rows have more than {MOST_NUMBERS} cells; ask about fewer at a time"
            )));
        }
        // Cells come row by row and are read column by column.
        let mut columns = vec![vec![CellValue::Missing; n_rows]; n_columns];
        for (row, cells) in self.rows.iter().enumerate() {
            for &(column, cell) in cells {
                columns[column][row] = cell;
            }
        }
        let series: Vec<Series<'_>> = columns.iter().map(|own| Series::Values(own)).collect();
        let batch = Batch::columns(&series, n_rows);
        let table = if is_named {
            reader.table(&batch.names(&self.names))
        } else {
            reader.table(&batch)
        };
        table.map_err(|error| RequestFault::of_batch(error, is_list))
    }
}

/// The cells of a list.
fn listed(values: &[Value]) -> Result<Vec<(usize, CellValue<'_>)>, RequestFault> {
    let cells = values.iter().enumerate();
    cells
        .map(|(at, value)| Ok((at, cell(&format!("value {}", at + 1), value)?)))
        .collect()
}

fn cell<'a>(name: &str, value: &'a Value) -> Result<CellValue<'a>, RequestFault> {
    match value {
        Value::Null => Ok(CellValue::Missing),
        Value::Bool(truth) => Ok(CellValue::Truth(*truth)),
        // Numbers beyond all others are values of nothing.
        Value::Number(number) => Ok(CellValue::Number(number.as_f64().unwrap_or(f64::INFINITY))),
        Value::String(text) => Ok(CellValue::Text(text)),
        Value::Array(_) | Value::Object(_) => Err(RequestFault::usage(format!(
            "`{name}` is {}; write one value, or null if it is not known",
            shown_json(value)
        ))),
    }
}
