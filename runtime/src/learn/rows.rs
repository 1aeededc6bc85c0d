//! Rows to learn from: in memory, or read again in every epoch.

use super::LearnError;
use crate::data::{DataError, Table};

/// Rows to learn from.
#[derive(Clone, Copy)]
pub enum LearningRows<'a> {
    /// In memory.
    Table {
        /// The rows.
        table: &'a Table,
        /// How much each row counts; 1 if not given.
        weights: Option<&'a [f64]>,
    },
    /// Read anew whenever they are needed, for data that do not fit into memory.
    Stream(&'a dyn RowStream),
}

/// Rows that can be read again and again.
pub trait RowStream: Sync {
    /// Begins with the first row.
    fn open(&self) -> Result<Box<dyn RowChunks + '_>, DataError>;
}

/// Some rows, and how much each of them counts.
pub type RowChunk = (Table, Option<Vec<f64>>);

/// Rows that are read one after the other.
pub trait RowChunks {
    /// The next rows, at most so many; none at the end.
    fn next_chunk(&mut self, max_rows: usize) -> Result<Option<RowChunk>, DataError>;
}

impl std::fmt::Debug for LearningRows<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LearningRows::Table { table, .. } => write!(f, "Rows::Table({} rows)", table.n_rows()),
            LearningRows::Stream(_) => f.write_str("Rows::Stream"),
        }
    }
}

/// Rows of a stream that are in memory at a time.
const CHUNK_ROWS: usize = 1 << 16;

impl<'a> LearningRows<'a> {
    /// Rows in memory that count alike.
    pub fn of(table: &'a Table) -> Self {
        LearningRows::Table {
            table,
            weights: None,
        }
    }

    /// Whether rows are read again in every epoch.
    pub fn is_stream(&self) -> bool {
        matches!(self, LearningRows::Stream(_))
    }

    /// The first rows, of a stream at most so many; none if there are none.
    pub(super) fn first(&self, max_rows: usize) -> Result<Option<RowChunk>, DataError> {
        match self {
            LearningRows::Table { table, weights } => {
                let weights = weights.map(<[f64]>::to_vec);
                Ok(Some(((*table).clone(), weights)))
            }
            LearningRows::Stream(stream) => {
                let mut chunks = stream.open()?;
                let mut chunk = chunks.next_chunk(max_rows)?;
                while chunk.as_ref().is_some_and(|(table, _)| table.n_rows() == 0) {
                    chunk = chunks.next_chunk(max_rows)?;
                }
                Ok(chunk)
            }
        }
    }

    /// Hands all rows to `take`, as many at a time as are in memory.
    pub(super) fn for_each(
        &self,
        take: impl FnMut(&Table, Option<&[f64]>) -> Result<(), LearnError>,
    ) -> Result<(), LearnError> {
        self.for_each_of(CHUNK_ROWS, take)
    }

    /// The same; of a stream at most `max_rows` at a time.
    pub(super) fn for_each_of(
        &self,
        max_rows: usize,
        mut take: impl FnMut(&Table, Option<&[f64]>) -> Result<(), LearnError>,
    ) -> Result<(), LearnError> {
        match self {
            LearningRows::Table { table, weights } => take(table, *weights),
            LearningRows::Stream(stream) => {
                let mut chunks = stream.open()?;
                while let Some((table, weights)) = chunks.next_chunk(max_rows)? {
                    take(&table, weights.as_deref())?;
                }
                Ok(())
            }
        }
    }
}

pub(super) fn weights_of(weights: &[f64], rows: &[u32]) -> Vec<f64> {
    rows.iter().map(|&row| weights[row as usize]).collect()
}
