//! Calls of the `parquet` crate, with what goes wrong in them as our errors.

use super::budget::PagesTooLarge;
use crate::data::error::{DataError, shown};
use parquet::errors::{ParquetError, Result};
use std::cell::Cell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

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
    keep_quiet();
    IS_CONTAINED.set(true);
    let result = catch_unwind(AssertUnwindSafe(call));
    IS_CONTAINED.set(false);
    match result {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(told(file, &error)),
        Err(_) => Err(damaged(file)),
    }
}

thread_local! {
    /// Whether this thread is in a call whose panics are errors.
    static IS_CONTAINED: Cell<bool> = const { Cell::new(false) };
}

/// A panic is printed before it can be caught, and one that is an error of the file
/// would look like a fault of the program. All others are printed as before.
fn keep_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_CONTAINED.get() {
                print(panic);
            }
        }));
    });
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
        ParquetError::External(cause) if cause.is::<PagesTooLarge>() => {
            DataError::unreadable(file, cause.to_string()).help(
                "write it with pages of a megabyte, as most tools do by themselves, or with fewer \
                 columns",
            )
        }
        ParquetError::General(detail) | ParquetError::NYI(detail) | ParquetError::EOF(detail) => {
            damaged(file).help(format!("the reader of Parquet says {}", shown(detail)))
        }
        _ => damaged(file),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_are_errors_of_the_file() {
        let error = contained("d", || -> Result<()> { panic!("beyond the end") });
        assert_eq!(
            error.unwrap_err().to_string(),
            "d: the Parquet file is damaged"
        );
        let error = contained("d", || {
            Err::<(), _>(ParquetError::EOF("no more".to_string()))
        });
        assert_eq!(
            error.unwrap_err().to_string(),
            "d: the Parquet file is damaged\n  help: the reader of Parquet says `no more`"
        );
        assert!(!IS_CONTAINED.get());
    }
}
