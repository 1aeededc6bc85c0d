//! A look at all rows of an array of NumPy.

use super::survey::{SchemaRequest, SourceSurvey, check_width, no_column};
use super::tally::ValueTally;
use super::{Schema, SchemaColumn};
use crate::data::content::UnpackedContent;
use crate::data::error::DataError;
use crate::data::npy::n_columns;
use crate::data::number::FileNumber;
use crate::data::reader::TableReader;
use crate::data::table::Column;
use crate::data::weight;
use pelton_compiler::circuit::Domain;

/// Cells that are looked at together.
const BLOCK: usize = 1 << 16;

/// Looks at all rows of an array. Every number is a real one, so the array is read as if
/// it was for real variables.
pub(super) fn survey(
    mut content: UnpackedContent,
    request: &SchemaRequest<'_>,
) -> Result<SourceSurvey, DataError> {
    let file = content.name.clone();
    let n_columns = check_width(&file, n_columns(&mut content)?)?;
    let has_weights = request.options.weight_column.is_some();
    let n_variables = n_columns.saturating_sub(usize::from(has_weights));
    if n_variables == 0 {
        return Err(no_column(&file));
    }
    let mut reader =
        TableReader::of_content(content, &reals(n_variables).circuit(), request.options)?;
    let mut tallies = Vec::new();
    tallies.resize_with(n_variables, ValueTally::default);
    while let Some(chunk) = reader.next_chunk(BLOCK / n_variables)? {
        for (column, tally) in chunk.table.columns().iter().zip(&mut tallies) {
            let Column::Reals(cells) = column else {
                unreachable!("real variables have columns of reals");
            };
            for &cell in cells {
                let seen = tally.number(FileNumber::Float(cell), request.limits);
                seen.expect("the reader gives finite numbers and NaN, which fit every tally");
            }
        }
    }
    let mut tallies: Vec<Option<ValueTally>> = tallies.into_iter().map(Some).collect();
    if let Some(name) = &request.options.weight_column {
        tallies.insert(weight::position(&file, name, n_variables)?, None);
    }
    SourceSurvey::new(file, None, tallies, request.options)
}

fn reals(n_variables: usize) -> Schema {
    let column = |at| SchemaColumn {
        name: None,
        variable: format!("x[{at}]"),
        domain: Domain::Real,
    };
    Schema {
        columns: (0..n_variables).map(column).collect(),
    }
}
