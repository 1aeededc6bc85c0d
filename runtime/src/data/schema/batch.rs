//! A look at all rows of a batch.

use super::SchemaLimits;
use super::survey::{SourceSurvey, check_width};
use super::tally::ValueTally;
use crate::data::batch::{Batch, CellValue};
use crate::data::error::DataError;
use crate::data::number::FileNumber;
use crate::data::read::ReadOptions;

/// What messages call a batch.
const NAME: &str = "the batch";

pub(super) fn survey(batch: &Batch<'_>, limits: &SchemaLimits) -> Result<SourceSurvey, DataError> {
    let faulty = |error: &dyn std::fmt::Display| DataError::unfit(NAME, error.to_string());
    batch.check().map_err(|error| faulty(&error))?;
    let n_columns = check_width(NAME, batch.n_columns() as u64)?;
    let mut tallies = Vec::new();
    tallies.resize_with(n_columns, || Some(ValueTally::default()));
    for (column, tally) in tallies.iter_mut().flatten().enumerate() {
        tally.declare(batch.declared(column).iter().copied());
    }
    for row in 0..batch.n_rows() {
        for (column, tally) in tallies.iter_mut().enumerate() {
            let Some(tally) = tally else { continue };
            let seen = match batch.cell(row, column) {
                CellValue::Missing => Ok(()),
                CellValue::Number(number) if number.is_nan() => Ok(()),
                CellValue::Number(number) => tally.number(FileNumber::Float(number), limits),
                CellValue::Truth(truth) => tally.number(FileNumber::Bool(truth), limits),
                CellValue::Text(text) => tally.verbatim(text.as_bytes(), limits),
            };
            seen.map_err(|refusal| {
                let name = batch.column_names().map(|names| names[column]);
                let error = refusal.in_column(NAME, column, name);
                error.in_row(row as u64)
            })?;
        }
    }
    let names = batch.column_names();
    let names = names.map(|names| names.iter().map(|name| name.to_string()).collect());
    SourceSurvey::new(NAME.to_string(), names, tallies, &ReadOptions::default())
}
