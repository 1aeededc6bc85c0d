//! A look at all rows of a Parquet file.

use super::survey::{SchemaRequest, SourceSurvey, check_width};
use super::tally::ValueTally;
use crate::data::content::UnpackedContent;
use crate::data::error::{DataError, shown};
use crate::data::parquet::{ParquetCell, ParquetCells, ParquetFile, ParquetLeaf, no_cells};
use crate::data::read::HeaderMode;

struct ParquetColumnSurvey {
    at: usize,
    name: String,
    leaf: ParquetLeaf,
    tally: ValueTally,
}

/// Looks at all rows of a file. Columns of something else than cells are left out, unless
/// columns are bound by order, which needs all of them.
pub(super) fn survey(
    content: UnpackedContent,
    request: &SchemaRequest<'_>,
) -> Result<SourceSurvey, DataError> {
    let parquet = ParquetFile::open(content)?;
    let file = parquet.name.clone();
    let n_columns = check_width(&file, parquet.columns.len() as u64)?;
    let are_named = request.options.header != HeaderMode::No;
    let names = parquet.columns.iter().map(|column| column.name.clone());
    let names = are_named.then(|| names.collect());
    let (mut looked, mut notes) = (Vec::new(), Vec::new());
    for (at, column) in parquet.columns.iter().enumerate() {
        match column.cells {
            Ok(leaf) => looked.push(ParquetColumnSurvey {
                at,
                name: column.name.clone(),
                leaf,
                tally: ValueTally::default(),
            }),
            Err(content) if !are_named => {
                return Err(no_cells(&file, at, &column.name, content));
            }
            Err(content) => notes.push(format!(
                "the column {} of {file} holds {content}, which no variable does, and is left out",
                shown(&column.name)
            ).into()),
        }
    }
    let mut rows = parquet.rows(looked.iter().map(|column| column.leaf).collect())?;
    rows.survey(|at, first_row, cells| looked[at].look(&file, first_row, cells, request))?;
    let mut tallies = Vec::new();
    tallies.resize_with(n_columns, || None);
    for column in looked {
        tallies[column.at] = Some(column.tally);
    }
    let mut survey = SourceSurvey::new(file, names, tallies, request.options)?;
    survey.notes.extend(notes);
    Ok(survey)
}

impl ParquetColumnSurvey {
    fn look(
        &mut self,
        file: &str,
        first_row: u64,
        cells: &ParquetCells,
        request: &SchemaRequest<'_>,
    ) -> Result<(), DataError> {
        for (row, cell) in cells.iter(self.leaf.is_unsigned).enumerate() {
            let seen = match cell {
                None => Ok(()),
                Some(ParquetCell::Number(number)) => self.tally.number(number, request.limits),
                Some(ParquetCell::Text(text)) => self.tally.verbatim(text, request.limits),
            };
            seen.map_err(|refusal| {
                let error = refusal.in_column(file, self.at, Some(&self.name));
                error.in_row(first_row + row as u64)
            })?;
        }
        Ok(())
    }
}
