//! From the cells of one column to those of a table.

use super::super::cell::{CellReader, InvalidCell, integers};
use super::super::error::listed;
use super::super::number::FileNumber;
use super::super::table::{Column, MISSING_CODE, MISSING_SMALL};
use super::cells::CellValue;
use pelton_compiler::circuit::{CircuitVariable, Domain};
use std::sync::OnceLock;

/// Checks and encodes the cells of one variable.
pub(super) struct Encoder {
    pub(super) variable: CircuitVariable,
    /// The first integer of a discrete domain and the first one behind it.
    integers: Option<(f64, f64)>,
    /// Numbers that `@missing` names.
    missing: Vec<f64>,
    /// Whether categories are called by numbers.
    has_numeric_names: bool,
    /// Reads texts; made when first asked for.
    texts: OnceLock<CellReader>,
}

impl Encoder {
    pub fn new(variable: &CircuitVariable) -> Self {
        let words = variable.binding.missing.iter();
        let is_number = |name: &String| name.trim().parse::<f64>().is_ok();
        let (integers, has_numeric_names) = match &variable.domain {
            // A matrix holds the codes of categories.
            Domain::Categories(names) => {
                let codes = (0.0, names.len() as f64);
                (Some(codes), names.iter().any(is_number))
            }
            domain => (integers(domain), false),
        };
        Encoder {
            has_numeric_names,
            variable: variable.clone(),
            integers,
            missing: words.filter_map(|word| word.trim().parse().ok()).collect(),
            texts: OnceLock::new(),
        }
    }

    /// The value of a number, NaN if it is missing; `None` if it is no value.
    #[inline]
    pub fn number(&self, x: f64) -> Option<f64> {
        if x.is_nan() || (!self.missing.is_empty() && self.missing.contains(&x)) {
            return Some(f64::NAN);
        }
        let fits = match self.integers {
            // Shorter than asking for the fraction, which has no instruction on every machine.
            Some((low, high)) => (x as i64) as f64 == x && x >= low && x < high,
            None => x.is_finite(),
        };
        fits.then_some(x)
    }

    /// The value of a number in a column of its own. There it is the name of a category
    /// where such names are numbers, as in a file; else what [`Encoder::number`] says.
    pub fn in_column(&self, x: f64) -> Option<f64> {
        if self.has_numeric_names {
            self.reader().number(FileNumber::Float(x)).ok()
        } else {
            self.number(x)
        }
    }

    /// Why a number in a column of its own is no value.
    pub fn refusal_in_column(&self, x: f64) -> InvalidCell {
        let by_name = || self.reader().number(FileNumber::Float(x)).err();
        let by_name = self.has_numeric_names.then(by_name).flatten();
        by_name.unwrap_or_else(|| self.refusal(x))
    }

    /// The value of a text, NaN if it is missing.
    pub fn text(&self, text: &str) -> Result<f64, InvalidCell> {
        self.reader().verbatim(text.as_bytes())
    }

    /// The value of a cell of its own kind, NaN if it is missing.
    pub fn value(&self, cell: CellValue<'_>) -> Result<f64, InvalidCell> {
        match cell {
            CellValue::Missing => Ok(f64::NAN),
            CellValue::Truth(truth) => self.reader().number(FileNumber::Bool(truth)),
            CellValue::Number(number) => self.reader().number(FileNumber::Float(number)),
            CellValue::Text(text) => self.text(text),
        }
    }

    /// Why a number is no value.
    pub fn refusal(&self, x: f64) -> InvalidCell {
        if let Domain::Categories(names) = &self.variable.domain {
            let (last, names) = (names.len().saturating_sub(1), listed(names));
            return InvalidCell {
                message: format!("{x} is not the code of a category"),
                help: format!("codes count from 0 to {last}: {names}"),
            };
        }
        let refused = self.reader().number(FileNumber::Float(x)).err();
        refused.unwrap_or_else(|| InvalidCell {
            message: format!("{x} is not a value of {}", self.variable.domain),
            help: String::new(),
        })
    }

    fn reader(&self) -> &CellReader {
        self.texts.get_or_init(|| CellReader::new(&self.variable))
    }

    /// A column for so many rows, all missing; one that is there already is used again.
    pub fn prepare(&self, column: &mut Column, n_rows: usize) {
        if matches!(column, Column::Missing) {
            *column = Column::for_domain(&self.variable.domain);
        }
        column.resize(n_rows);
    }

    /// Encodes values into consecutive rows of a column; says at which one that fails.
    #[inline]
    pub fn encode(
        &self,
        column: &mut Column,
        first_row: usize,
        values: impl Iterator<Item = Option<f64>>,
    ) -> Result<(), usize> {
        let first = self.variable.domain.first();
        match column {
            Column::Small(cells) => put(cells, first_row, values, |x| match x {
                _ if x.is_nan() => MISSING_SMALL,
                _ => (x - first) as u8,
            }),
            Column::Codes(cells) => put(cells, first_row, values, |x| match x {
                _ if x.is_nan() => MISSING_CODE,
                _ => (x - first) as u32,
            }),
            Column::Reals(cells) => put(cells, first_row, values, |x| x),
            Column::Missing | Column::Soft { .. } => Ok(()),
        }
    }
}

#[inline]
fn put<C>(
    cells: &mut [C],
    first_row: usize,
    values: impl Iterator<Item = Option<f64>>,
    code: impl Fn(f64) -> C,
) -> Result<(), usize> {
    for (at, (cell, value)) in cells[first_row..].iter_mut().zip(values).enumerate() {
        *cell = code(value.ok_or(first_row + at)?);
    }
    Ok(())
}
