//! The bytes of a Parquet file, read from wherever they are asked for.

use super::budget::PageBudget;
use super::thrift;
use bytes::{Buf, Bytes};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A file, or what was kept of a stream.
pub(super) enum ParquetStorage {
    File(File, u64),
    Kept(Bytes),
}

impl ParquetStorage {
    pub fn length(&self) -> u64 {
        match self {
            ParquetStorage::File(_, length) => *length,
            ParquetStorage::Kept(bytes) => bytes.len() as u64,
        }
    }

    /// Some of the bytes. Memory is taken only if they are there.
    pub fn bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let end = start.checked_add(length as u64);
        if end.is_none_or(|end| end > self.length()) {
            return Err(beyond());
        }
        match self {
            ParquetStorage::File(..) => {
                let mut bytes = vec![0; length];
                self.from(start)?.read_exact(&mut bytes)?;
                Ok(bytes.into())
            }
            ParquetStorage::Kept(bytes) => Ok(bytes.slice(start as usize..start as usize + length)),
        }
    }

    /// What begins at a place.
    fn from(&self, start: u64) -> Result<Box<dyn BufRead>> {
        if start > self.length() {
            return Err(beyond());
        }
        match self {
            ParquetStorage::File(file, _) => {
                let mut file = file.try_clone()?;
                file.seek(SeekFrom::Start(start))?;
                Ok(Box::new(BufReader::new(file)))
            }
            ParquetStorage::Kept(bytes) => Ok(Box::new(bytes.slice(start as usize..).reader())),
        }
    }
}

fn beyond() -> ParquetError {
    ParquetError::EOF("something lies beyond its end".to_string())
}

/// The bytes of one column in one group of rows, whose pages are read one by one.
pub(super) struct ColumnPlace {
    place: Arc<ParquetStorage>,
    /// What all pages of the column unpack to, as the footer says.
    unpacked_size: u64,
    budget: Arc<PageBudget>,
    /// Bytes of the first page, which may be a dictionary and is kept.
    first: AtomicU64,
    /// Bytes of the page that was read last.
    last: AtomicU64,
}

impl ColumnPlace {
    /// The pages of a column, which unpack to so many bytes.
    pub fn new(place: &Arc<ParquetStorage>, budget: &Arc<PageBudget>, unpacked_size: u64) -> Self {
        ColumnPlace {
            place: Arc::clone(place),
            unpacked_size,
            budget: Arc::clone(budget),
            first: AtomicU64::new(0),
            last: AtomicU64::new(0),
        }
    }

    /// Counts the memory of a page that comes in place of the last one.
    fn count(&self, n_bytes: u64) -> Result<()> {
        let (Ok(first) | Err(first)) =
            self.first
                .compare_exchange(0, n_bytes, Ordering::Relaxed, Ordering::Relaxed);
        match first {
            0 => self
                .budget
                .take(n_bytes)
                .inspect_err(|_| self.first.store(0, Ordering::Relaxed)),
            _ => {
                self.budget.give_back(self.last.swap(0, Ordering::Relaxed));
                self.budget.take(n_bytes)?;
                self.last.store(n_bytes, Ordering::Relaxed);
                Ok(())
            }
        }
    }
}

impl Drop for ColumnPlace {
    fn drop(&mut self) {
        let held = self.first.load(Ordering::Relaxed) + self.last.load(Ordering::Relaxed);
        self.budget.give_back(held);
    }
}

impl Length for ColumnPlace {
    fn len(&self) -> u64 {
        self.place.length()
    }
}

impl ChunkReader for ColumnPlace {
    type T = Box<dyn BufRead>;

    /// Asked for where a page begins. Memory is reserved for what its header says that
    /// it unpacks to, which is therefore held against the footer.
    fn get_read(&self, start: u64) -> Result<Self::T> {
        let mut page = self.place.from(start)?;
        match thrift::unpacked_size(page.fill_buf()?) {
            Some(size) if size <= self.unpacked_size => self.count(size).map(|()| page),
            _ => Err(ParquetError::General(
                "the header of a page is wrong".to_string(),
            )),
        }
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        self.place.bytes(start, length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_takes_the_place_of_the_last_one() {
        let place = Arc::new(ParquetStorage::Kept(Bytes::new()));
        let budget = Arc::new(PageBudget::of_file(0));
        let column = ColumnPlace::new(&place, &budget, 4 << 30);
        let other = ColumnPlace::new(&place, &budget, 4 << 30);
        column.count(100 << 20).unwrap();
        column.count(300 << 20).unwrap();
        column.count(350 << 20).unwrap();
        assert!(other.count(100 << 20).is_err(), "450 of 512 MiB are taken");
        column.count(10 << 20).unwrap();
        other.count(100 << 20).unwrap();
        assert!(column.count(350 << 20).is_err());
        drop((column, other));
        budget.take(512 << 20).unwrap();
    }
}
