//! Calls of the `parquet` crate, with what goes wrong in them as our errors.

use crate::data::error::{DataError, shown};
use parquet::errors::{ParquetError, Result};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of a call.
///
/// The crate is written for files that are what they say they are: on some that
/// are damaged it slices beyond an end or fails an assertion. Such a panic is an
/// error of the file to us. Nothing the call worked on is used again after an
/// error, so it does not matter in what state it was left.
pub(super) fn contained<T>(
    file: &str,
    call: impl FnOnce() -> Result<T>,
) -> std::result::Result<T, DataError> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(told(file, &error)),
        Err(_) => Err(damaged(file)),
    }
}

/// A file that cannot be right.
pub(super) fn damaged(file: &str) -> DataError {
    DataError::unreadable(file, "the Parquet file is damaged")
}

fn told(file: &str, error: &ParquetError) -> DataError {
    match error {
        ParquetError::External(cause) if cause.is::<io::Error>() => {
            DataError::unreadable(file, format!("it cannot be read: {cause}"))
        }
        ParquetError::General(detail) | ParquetError::NYI(detail) | ParquetError::EOF(detail) => {
            damaged(file).help(format!("the reader of Parquet says {}", shown(detail)))
        }
        _ => damaged(file),
    }
}
