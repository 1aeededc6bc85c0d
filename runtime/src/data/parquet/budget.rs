//! Memory that pages of a file may take.
//!
//! Two gigabytes of equal bytes are 68 kilobytes of Zstandard, and the header of a page
//! is enough to make a reader reserve them. What all columns hold at a time is therefore
//! counted before memory is taken.

use parquet::errors::ParquetError;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that pages of any file may take. Writers make pages of a megabyte.
const LEAST: u64 = 512 << 20;

/// Bytes that they may take for each byte of a larger file.
const FACTOR: u64 = 16;

/// What pages of a file take, and the most that they may.
#[derive(Debug)]
pub(super) struct PageBudget {
    most: u64,
    taken: AtomicU64,
}

impl PageBudget {
    /// That of a file of so many bytes.
    pub fn of_file(length: u64) -> Self {
        PageBudget {
            most: length.saturating_mul(FACTOR).max(LEAST),
            taken: AtomicU64::new(0),
        }
    }

    /// Takes so many bytes, if they are left.
    pub fn take(&self, n_bytes: u64) -> Result<(), ParquetError> {
        let more = |taken: u64| taken.checked_add(n_bytes).filter(|&all| all <= self.most);
        let relaxed = Ordering::Relaxed;
        let taken = self.taken.fetch_update(relaxed, relaxed, more);
        taken.map(drop).map_err(|_| {
            let limit = self.most >> 20;
            ParquetError::External(Box::new(PagesTooLarge { limit }))
        })
    }

    /// Says whether so many bytes are left, for what is held for a moment.
    pub fn check(&self, n_bytes: u64) -> Result<(), ParquetError> {
        self.take(n_bytes)?;
        self.give_back(n_bytes);
        Ok(())
    }

    pub fn give_back(&self, n_bytes: u64) {
        self.taken.fetch_sub(n_bytes, Ordering::Relaxed);
    }
}

/// Pages take more memory than they may.
#[derive(Debug, thiserror::Error)]
#[error("its pages unpack to more than {limit} MiB at once")]
pub(super) struct PagesTooLarge {
    /// In MiB.
    pub limit: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_back_can_be_taken_again() {
        let budget = PageBudget::of_file(1000);
        budget.take(LEAST - 10).unwrap();
        assert!(budget.take(11).is_err());
        budget.check(10).unwrap();
        budget.take(10).unwrap();
        assert!(budget.check(1).is_err());
        budget.give_back(20);
        budget.take(20).unwrap();
        assert!(budget.take(u64::MAX).is_err());
    }

    #[test]
    fn large_files_may_have_large_pages() {
        let budget = PageBudget::of_file(1 << 30);
        budget.take(16 << 30).unwrap();
        let error = budget.take(1).unwrap_err().to_string();
        assert!(error.contains("more than 16384 MiB"), "{error}");
    }
}
