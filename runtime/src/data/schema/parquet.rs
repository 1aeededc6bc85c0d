//! A look at all rows of a Parquet file.

use super::survey::{Request, Survey, check_width};
use super::tally::Tally;
use crate::data::content::Content;
use crate::data::error::{DataError, shown};
use crate::data::parquet::{Cell, Cells, Leaf, ParquetFile, no_cells};
use crate::data::read::Header;

/// A column that is looked at.
struct Looked {
    at: usize,
    name: String,
    leaf: Leaf,
    tally: Tally,
}

/// Looks at all rows of a file. Columns of something else than cells are left out, unless
/// columns are bound by order, which needs all of them.
pub(super) fn survey(content: Content, request: &Request<'_>) -> Result<Survey, DataError> {
    let parquet = ParquetFile::open(content)?;
    let file = parquet.name.clone();
    let n_columns = check_width(&file, parquet.columns.len() as u64)?;
    let are_named = request.options.header != Header::No;
    let names = parquet.columns.iter().map(|column| column.name.clone());
    let names = are_named.then(|| names.collect());
    let (mut looked, mut notes) = (Vec::new(), Vec::new());
    for (at, column) in parquet.columns.iter().enumerate() {
        match column.cells {
            Ok(leaf) => looked.push(Looked {
                at,
                name: column.name.clone(),
                leaf,
                tally: Tally::default(),
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
    let mut survey = Survey::new(file, names, tallies, request.options)?;
    survey.notes.extend(notes);
    Ok(survey)
}

impl Looked {
    fn look(
        &mut self,
        file: &str,
        first_row: u64,
        cells: &Cells,
        request: &Request<'_>,
    ) -> Result<(), DataError> {
        for (row, cell) in cells.iter(self.leaf.is_unsigned).enumerate() {
            let seen = match cell {
                None => Ok(()),
                Some(Cell::Number(number)) => self.tally.number(number, request.limits),
                Some(Cell::Text(text)) => self.tally.verbatim(text, request.limits),
            };
            seen.map_err(|refusal| {
                DataError::unfit(file, refusal.message)
                    .in_row(first_row + row as u64)
                    .in_column(self.at, Some(&self.name))
                    .help(refusal.help)
            })?;
        }
        Ok(())
    }
}
