//! Rows of a text: CSV, and the rows of digits that benchmarks come as.

use super::content::UnpackedContent;
use super::error::DataError;
use super::header;
use super::layout::{DecodedRows, TableLayout};
use super::lines::TextLines;
use super::plain::PlainRows;
use super::read::ReadOptions;
use super::record::TextRecord;
use pelton_compiler::circuit::CircuitGraph;
use pelton_grammar::diagnostic::counted;

/// The rows of a text that have not been read.
pub(super) struct TextRows {
    lines: TextLines,
    record: TextRecord,
    plain: Option<PlainRows>,
}

impl TextRows {
    /// Binds the columns of a text, by its header if it has one.
    pub fn open(
        content: UnpackedContent,
        circuit: &CircuitGraph,
        options: &ReadOptions,
    ) -> Result<(Self, TableLayout), DataError> {
        let mut lines = TextLines::open(content)?;
        let binding = header::bind(&mut lines, circuit, options)?;
        let rows = TextRows {
            record: TextRecord::new(lines.delimiter()),
            plain: PlainRows::for_binding(circuit, &binding, lines.delimiter()),
            lines,
        };
        Ok((rows, TableLayout::new(circuit, binding)))
    }

    /// Reads up to `max_rows` rows; fewer are the last.
    pub fn take(
        &mut self,
        max_rows: usize,
        layout: &TableLayout,
        rows: &mut DecodedRows,
    ) -> Result<(), DataError> {
        while rows.n_rows < max_rows {
            if let Some(plain) = &self.plain {
                let n_wanted = max_rows - rows.n_rows;
                let (n_rows, n_bytes) =
                    plain.take(self.lines.unread(), n_wanted, &mut rows.columns);
                self.lines.take_unread(n_rows, n_bytes);
                rows.n_rows += n_rows;
                if n_rows == n_wanted {
                    break;
                }
            }
            let record = &mut self.record;
            let taken = self.lines.next(|file, number, line| {
                push(record, layout, rows, file, line).map_err(|error| error.on_line(number))
            })?;
            if taken.is_none() {
                break;
            }
        }
        Ok(())
    }
}

/// Adds the row that a line holds.
fn push(
    record: &mut TextRecord,
    layout: &TableLayout,
    rows: &mut DecodedRows,
    file: &str,
    line: &[u8],
) -> Result<(), DataError> {
    record.cut(line);
    if record.len() != layout.binding.n_cells {
        let found = format!("the line has {}", counted(record.len(), "cell", "cells"));
        return Err(layout.binding.wrong_length(file, &found));
    }
    for slot in &layout.slots {
        let value = slot.text(record.cell(line, slot.column));
        let value = value.map_err(|refusal| layout.refused(file, slot, refusal))?;
        rows.push(slot, value);
    }
    rows.n_rows += 1;
    Ok(())
}
