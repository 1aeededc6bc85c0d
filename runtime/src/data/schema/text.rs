//! A look at all lines of a text.

use super::heading::{FirstLine, first_line};
use super::survey::{SchemaRequest, SourceSurvey, check_width};
use super::tally::ValueTally;
use crate::data::content::UnpackedContent;
use crate::data::error::DataError;
use crate::data::header::{nothing, only_header};
use crate::data::lines::TextLines;
use crate::data::plain::PlainRows;
use crate::data::record::TextRecord;
use pelton_grammar::diagnostic::counted;
use pelton_grammar::remedy::{RemedyOption, RemedyText};

/// Looks at all lines of a text. Whether the first one is a header is decided last, when
/// all that stands below it is known.
pub(super) fn survey(
    content: UnpackedContent,
    request: &SchemaRequest<'_>,
) -> Result<SourceSurvey, DataError> {
    let mut lines = TextLines::open(content)?;
    if lines.peek()?.is_none() {
        return Err(nothing(lines.name()));
    }
    let number = lines.next_number();
    let mut text = TextSurvey::open(&mut lines, request)?;
    let scanned = text.scan(&mut lines);
    let first = first_line(&text.names, &text.tallies, request);
    scanned.map_err(|error| text.with_name(error, first))?;
    let file = lines.name().to_string();
    match first {
        FirstLine::Row => text.into_rows(file, number),
        FirstLine::Header => text.into_named(file, number),
        FirstLine::Perhaps => {
            let mut survey = text.into_named(file, number)?;
            let note = format!(
                "the first line of {} is taken as a header, because none of its cells occurs again",
                survey.file
            );
            let note = RemedyText::from(note).also(RemedyOption::TakeLineAsRow);
            survey.notes.push(note);
            Ok(survey)
        }
    }
}

struct TextSurvey<'a> {
    request: &'a SchemaRequest<'a>,
    record: TextRecord,
    plain: PlainRows,
    /// The cells of the first line, which may be names.
    first: Vec<Vec<u8>>,
    names: Vec<String>,
    tallies: Vec<ValueTally>,
    n_rows: u64,
}

impl<'a> TextSurvey<'a> {
    fn open(lines: &mut TextLines, request: &'a SchemaRequest<'a>) -> Result<Self, DataError> {
        let delimiter = lines.delimiter();
        let mut record = TextRecord::new(delimiter);
        let first: Option<Vec<Vec<u8>>> = lines.next(|file, number, line| {
            record.cut(line);
            let n_columns = check_width(file, record.len() as u64);
            let n_columns = n_columns.map_err(|error| error.on_line(number))?;
            let cells = (0..n_columns).map(|at| record.cell(line, at).to_vec());
            Ok(cells.collect())
        })?;
        let first = first.unwrap_or_default();
        let name = |cell: &Vec<u8>| String::from_utf8_lossy(cell).into_owned();
        Ok(TextSurvey {
            request,
            record,
            plain: PlainRows::of_any_digits(first.len(), delimiter),
            names: first.iter().map(name).collect(),
            tallies: first.iter().map(|_| ValueTally::default()).collect(),
            first,
            n_rows: 0,
        })
    }

    fn scan(&mut self, lines: &mut TextLines) -> Result<(), DataError> {
        loop {
            let (n_rows, n_bytes) = self.scan_digits(lines.unread());
            lines.take_unread(n_rows, n_bytes);
            self.n_rows += n_rows as u64;
            let taken = lines.next(|file, number, line| {
                let scanned = self.scan_line(file, line);
                scanned.map_err(|error| error.on_line(number))
            })?;
            if taken.is_none() {
                return Ok(());
            }
        }
    }

    /// Looks at lines of single digits, many at a time.
    fn scan_digits(&mut self, text: &[u8]) -> (usize, usize) {
        let tallies = &mut self.tallies;
        self.plain.take_blocks(text, usize::MAX, |block, stride| {
            for (column, tally) in tallies.iter_mut().enumerate() {
                let digits = block.iter().skip(2 * column).step_by(stride);
                let bits = digits.fold(0, |bits, digit| bits | 1 << (digit & 15));
                tally.digits(bits);
            }
        })
    }

    fn scan_line(&mut self, file: &str, line: &[u8]) -> Result<(), DataError> {
        self.record.cut(line);
        let (n_cells, n_first) = (self.record.len(), self.tallies.len());
        if n_cells != n_first {
            let cells = counted(n_cells, "cell", "cells");
            let message = format!("the line has {cells}, but the first line has {n_first}");
            return Err(DataError::unfit(file, message)
                .help("a cell that holds the delimiter or a line end must be in quotes"));
        }
        for (at, tally) in self.tallies.iter_mut().enumerate() {
            let seen = tally.text(self.record.cell(line, at), self.request.limits);
            seen.map_err(|refusal| refusal.in_column(file, at, None))?;
        }
        self.n_rows += 1;
        Ok(())
    }

    /// Says in which column an error is, by name if the first line holds names.
    fn with_name(&self, error: DataError, first: FirstLine) -> DataError {
        match error.column {
            Some((column, _)) if first != FirstLine::Row => {
                error.in_column(column - 1, Some(&self.names[column - 1]))
            }
            _ => error,
        }
    }

    /// All that was seen, if the first line, which has this number, is a row.
    fn into_rows(mut self, file: String, number: u64) -> Result<SourceSurvey, DataError> {
        let cells = self.first.iter().zip(&mut self.tallies).enumerate();
        for (at, (cell, tally)) in cells {
            let seen = tally.text(cell, self.request.limits);
            let seen = seen.map_err(|refusal| refusal.in_column(&file, at, None));
            seen.map_err(|error| error.on_line(number))?;
        }
        let tallies = self.tallies.into_iter().map(Some);
        SourceSurvey::new(file, None, tallies.collect(), self.request.options)
    }

    /// All that was seen, if the first line, which has this number, is a header.
    fn into_named(self, file: String, number: u64) -> Result<SourceSurvey, DataError> {
        if self.n_rows == 0 {
            return Err(only_header(&file));
        }
        let tallies = self.tallies.into_iter().map(Some).collect();
        let survey = SourceSurvey::new(file, Some(self.names), tallies, self.request.options);
        survey.map_err(|error| error.on_line(number))
    }
}
