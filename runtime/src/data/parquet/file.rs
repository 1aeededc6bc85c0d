//! The bytes of a Parquet file, read from wherever they are asked for.

use super::thrift;
use bytes::{Buf, Bytes};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

/// A file, or what was kept of a stream.
pub(super) enum Place {
    /// A file and its length.
    File(File, u64),
    /// All of it in memory.
    Kept(Bytes),
}

impl Place {
    /// Number of bytes.
    pub fn length(&self) -> u64 {
        match self {
            Place::File(_, length) => *length,
            Place::Kept(bytes) => bytes.len() as u64,
        }
    }

    /// Some of the bytes. Memory is taken only if they are there.
    pub fn bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let end = start.checked_add(length as u64);
        if end.is_none_or(|end| end > self.length()) {
            return Err(beyond());
        }
        match self {
            Place::File(..) => {
                let mut bytes = vec![0; length];
                self.from(start)?.read_exact(&mut bytes)?;
                Ok(bytes.into())
            }
            Place::Kept(bytes) => Ok(bytes.slice(start as usize..start as usize + length)),
        }
    }

    /// What begins at a place.
    fn from(&self, start: u64) -> Result<Box<dyn BufRead>> {
        if start > self.length() {
            return Err(beyond());
        }
        match self {
            Place::File(file, _) => {
                let mut file = file.try_clone()?;
                file.seek(SeekFrom::Start(start))?;
                Ok(Box::new(BufReader::new(file)))
            }
            Place::Kept(bytes) => Ok(Box::new(bytes.slice(start as usize..).reader())),
        }
    }
}

fn beyond() -> ParquetError {
    ParquetError::EOF("something lies beyond its end".to_string())
}

/// The bytes of one column in one group of rows, whose pages are read one by one.
pub(super) struct ColumnPlace {
    /// The file.
    pub place: Arc<Place>,
    /// What all pages of the column unpack to, as the footer says.
    pub unpacked_size: u64,
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
            Some(size) if size <= self.unpacked_size => Ok(page),
            _ => Err(ParquetError::General(
                "the header of a page is wrong".to_string(),
            )),
        }
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        self.place.bytes(start, length)
    }
}
