//! The element types of a matrix.

use std::fmt;

/// Cells of one of the types that a matrix may have.
#[derive(Clone, Copy, Debug)]
pub enum BatchCells<'a> {
    F64(&'a [f64]),
    F32(&'a [f32]),
    I64(&'a [i64]),
    I32(&'a [i32]),
    U8(&'a [u8]),
    Text(&'a [&'a str]),
    Columns(&'a [Series<'a>]),
}

/// A column of its own kind, see [`Batch::columns`](super::Batch::columns).
#[derive(Clone, Copy, Debug)]
pub enum Series<'a> {
    /// Numbers; NaN is missing.
    Numbers(&'a [f64]),
    /// Texts, each of which is the name of a category.
    Texts(&'a [&'a str]),
    /// Cells each of its own kind.
    Values(&'a [CellValue<'a>]),
}

/// What a cell of any kind holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CellValue<'a> {
    /// Nothing: it is missing.
    Missing,
    /// A truth value, which is 0 or 1 where numbers are asked for.
    Truth(bool),
    /// A number; NaN is missing. Of categories it is the name, not the position.
    Number(f64),
    /// A text, which is the name of a category.
    Text(&'a str),
}

impl fmt::Display for CellValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CellValue::Missing => Ok(()),
            CellValue::Truth(truth) => write!(f, "{truth}"),
            CellValue::Number(number) => write!(f, "{number}"),
            CellValue::Text(text) => write!(f, "{text}"),
        }
    }
}

impl Series<'_> {
    pub(super) fn len(&self) -> usize {
        match self {
            Series::Numbers(cells) => cells.len(),
            Series::Texts(cells) => cells.len(),
            Series::Values(cells) => cells.len(),
        }
    }
}

impl BatchCells<'_> {
    pub fn len(&self) -> usize {
        match self {
            BatchCells::F64(cells) => cells.len(),
            BatchCells::F32(cells) => cells.len(),
            BatchCells::I64(cells) => cells.len(),
            BatchCells::I32(cells) => cells.len(),
            BatchCells::U8(cells) => cells.len(),
            BatchCells::Text(cells) => cells.len(),
            BatchCells::Columns(columns) => columns.iter().map(Series::len).sum(),
        }
    }
}

/// A type that cells of a [`Batch`](super::Batch) may have.
pub trait Element: sealed::Sealed + Copy {
    /// A matrix of such cells.
    #[doc(hidden)]
    fn cells(cells: &[Self]) -> OpaqueCells<'_>;
    /// The number; integers that `f64` cannot hold are rounded to ones that no domain has.
    #[doc(hidden)]
    fn number(self) -> f64;
}

/// What a matrix is kept as, which is nobody else's business.
#[doc(hidden)]
pub type OpaqueCells<'a> = BatchCells<'a>;

mod sealed {
    pub trait Sealed {}
}

macro_rules! element {
    ($($type:ty => $variant:ident),*) => {$(
        impl sealed::Sealed for $type {}
        impl Element for $type {
            fn cells(cells: &[Self]) -> OpaqueCells<'_> {
                BatchCells::$variant(cells)
            }

            fn number(self) -> f64 {
                self as f64
            }
        }
    )*};
}

element!(f64 => F64, f32 => F32, i64 => I64, i32 => I32, u8 => U8);
