//! Rows of a source, some at a time.

use super::content::{DataFormat, UnpackedContent};
use super::error::DataError;
use super::layout::{DecodedRows, TableLayout};
use super::npy::NpyRows;
#[cfg(feature = "parquet")]
use super::parquet::ParquetRows;
use super::read::ReadOptions;
use super::source::DataSource;
use super::table::Table;
use super::text::TextRows;
use super::weight;
use pelton_compiler::circuit::CircuitGraph;
use pelton_grammar::remedy::{RemedyOption, RemedyText};

/// Reads a source some rows at a time.
///
/// A text and an array of NumPy take the memory of the rows that are asked for (an
/// array in Fortran's order that does not come from a file is kept whole), a Parquet
/// file that of one page of each column besides. The rows do not depend on how many
/// are asked for at a time, and neither does the message if a cell does not fit.
pub struct TableReader {
    name: String,
    unread: UnreadRows,
    layout: TableLayout,
    /// The most bytes that rows which are asked for at once may take.
    most_bytes: Option<u64>,
    /// Whether some row has had a weight that is not zero.
    has_weight: bool,
    state: TableReaderState,
}

/// Some rows.
#[derive(Clone, Debug)]
pub struct TableChunk {
    /// The rows.
    pub table: Table,
    /// A weight for each row, if a column of weights was asked for.
    pub weights: Option<Vec<f64>>,
}

/// The rows that have not been read, by the format they are in.
enum UnreadRows {
    Text(Box<TextRows>),
    Npy(Box<NpyRows>),
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetRows>),
}

enum TableReaderState {
    Reading,
    Done,
    /// What is wrong is told as often as somebody asks.
    Failed(DataError),
}

impl std::fmt::Debug for TableReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TableReader({:?})", self.name)
    }
}

impl TableReader {
    /// Looks at what a source is and binds its columns to the variables of `circuit`.
    /// There is at least one row in it if that succeeds.
    pub fn open(
        source: DataSource,
        circuit: &CircuitGraph,
        options: &ReadOptions,
    ) -> Result<Self, DataError> {
        TableReader::of_content(UnpackedContent::open(source)?, circuit, options)
    }

    /// The same for a source that has been looked at.
    pub(super) fn of_content(
        content: UnpackedContent,
        circuit: &CircuitGraph,
        options: &ReadOptions,
    ) -> Result<Self, DataError> {
        let name = content.name.clone();
        let most_bytes = content.most_bytes();
        let (unread, layout) = match content.format {
            DataFormat::Text => {
                let (rows, layout) = TextRows::open(content, circuit, options)?;
                (UnreadRows::Text(Box::new(rows)), layout)
            }
            DataFormat::Npy => {
                let (rows, layout) = NpyRows::open(content, circuit, options)?;
                (UnreadRows::Npy(Box::new(rows)), layout)
            }
            DataFormat::Parquet => parquet(content, circuit, options)?,
        };
        Ok(TableReader {
            name,
            unread,
            layout,
            most_bytes,
            has_weight: false,
            state: TableReaderState::Reading,
        })
    }

    /// What the user should know: columns that are ignored, variables without one.
    pub fn notes(&self) -> &[String] {
        &self.layout.binding.notes
    }

    pub(super) fn into_notes(self) -> Vec<String> {
        self.layout.binding.notes
    }

    /// The next rows, `max_rows` of them or all that are left, but at least one;
    /// `None` if there are no more.
    pub fn next_chunk(&mut self, max_rows: usize) -> Result<Option<TableChunk>, DataError> {
        match &self.state {
            TableReaderState::Reading => {}
            TableReaderState::Done => return Ok(None),
            TableReaderState::Failed(error) => return Err(error.clone()),
        }
        let taken = self.take(max_rows.max(1));
        if let Err(error) = &taken {
            self.state = TableReaderState::Failed(error.clone());
        }
        taken
    }

    fn take(&mut self, max_rows: usize) -> Result<Option<TableChunk>, DataError> {
        let mut rows = self.layout.no_rows();
        loop {
            let up_to = rows.n_rows.saturating_add(PIECE).min(max_rows);
            match &mut self.unread {
                UnreadRows::Text(text) => text.take(up_to, &self.layout, &mut rows)?,
                UnreadRows::Npy(array) => array.take(up_to, &self.layout, &mut rows)?,
                #[cfg(feature = "parquet")]
                UnreadRows::Parquet(file) => file.take(up_to, &self.layout, &mut rows)?,
            }
            if let Some(most) = self.most_bytes.filter(|&most| rows.n_bytes() > most) {
                return Err(too_large(&self.name, most));
            }
            if rows.n_rows < up_to || rows.n_rows == max_rows {
                break;
            }
        }
        self.has_weight |= rows.weights.iter().any(|&weight| weight > 0.0);
        if rows.n_rows < max_rows {
            self.finish()?;
        }
        Ok((rows.n_rows > 0).then(|| self.chunk(rows)))
    }

    /// What can only be said at the end.
    fn finish(&mut self) -> Result<(), DataError> {
        self.state = TableReaderState::Done;
        let binding = &self.layout.binding;
        match binding.weights {
            Some(column) if !self.has_weight => {
                Err(weight::all_zero(&self.name, column, binding.name(column)))
            }
            _ => Ok(()),
        }
    }

    fn chunk(&self, rows: DecodedRows) -> TableChunk {
        let has_weights = self.layout.binding.weights.is_some();
        TableChunk {
            table: Table::new(rows.n_rows, rows.columns),
            weights: has_weights.then_some(rows.weights),
        }
    }

    pub(super) fn no_rows(&self) -> TableChunk {
        self.chunk(self.layout.no_rows())
    }
}

/// Rows that are read between two looks at how much memory they take.
const PIECE: usize = 1 << 16;

fn too_large(file: &str, most: u64) -> DataError {
    let message = format!("its rows take more than {} MiB of memory", most >> 20);
    let help = "packed data may not take more, lest a small archive fill the memory: unpack it, or \
                write CSV or .npy, which have no such limit";
    let help = RemedyText::from(help).or(RemedyOption::ReadInChunks);
    DataError::unreadable(file, message).help(help)
}

#[cfg(feature = "parquet")]
fn parquet(
    content: UnpackedContent,
    circuit: &CircuitGraph,
    options: &ReadOptions,
) -> Result<(UnreadRows, TableLayout), DataError> {
    let (rows, layout) = ParquetRows::open(content, circuit, options)?;
    Ok((UnreadRows::Parquet(Box::new(rows)), layout))
}

#[cfg(not(feature = "parquet"))]
fn parquet(
    content: UnpackedContent,
    _circuit: &CircuitGraph,
    _options: &ReadOptions,
) -> Result<(UnreadRows, TableLayout), DataError> {
    Err(no_parquet(&content.name))
}

/// What is wrong with a Parquet file if those are not read.
#[cfg(not(feature = "parquet"))]
pub(super) fn no_parquet(file: &str) -> DataError {
    let message = "it is a Parquet file, and this build does not read those";
    DataError::unreadable(file, message).help(
        "build with the feature `parquet` of `pelton-runtime`, which is on by default, or write \
         CSV or .npy",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{DataSource, read};
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use pelton_compiler::circuit::CircuitGraph;
    use std::io::Write;

    fn circuit() -> CircuitGraph {
        crate::data::tests::circuit("var x: bool; root x ~ bernoulli(0.5);")
    }

    fn packed(n_rows: usize) -> Vec<u8> {
        let mut archive = GzEncoder::new(Vec::new(), Compression::fast());
        archive.write_all(b"x\n").unwrap();
        archive.write_all(&b"1\n".repeat(n_rows)).unwrap();
        archive.finish().unwrap()
    }

    #[test]
    fn rows_of_packed_data_end_at_a_limit_that_chunks_do_not_have() {
        let (circuit, options) = (circuit(), ReadOptions::default());
        let source = || DataSource::from_bytes("d.csv.gz", packed(3 * PIECE).into());
        let mut reader = TableReader::open(source(), &circuit, &options).unwrap();
        assert_eq!(reader.most_bytes, Some(1 << 30));
        reader.most_bytes = Some(3 * PIECE as u64);
        let chunk = reader.next_chunk(usize::MAX).unwrap().unwrap();
        assert_eq!(chunk.table.n_rows(), 3 * PIECE);
        let mut reader = TableReader::open(source(), &circuit, &options).unwrap();
        reader.most_bytes = Some(PIECE as u64);
        let error = reader.next_chunk(usize::MAX).unwrap_err().to_string();
        assert!(
            error.contains("its rows take more than 0 MiB of memory"),
            "{error}"
        );
        let mut reader = TableReader::open(source(), &circuit, &options).unwrap();
        reader.most_bytes = Some(PIECE as u64);
        let mut n_rows = 0;
        while let Some(chunk) = reader.next_chunk(1000).unwrap() {
            n_rows += chunk.table.n_rows();
        }
        assert_eq!(n_rows, 3 * PIECE);
    }

    #[test]
    fn data_that_are_not_packed_have_no_limit() {
        let text = b"x\n1\n0\n".to_vec();
        let source = DataSource::from_bytes("d.csv", text.into());
        let reader = TableReader::open(source, &circuit(), &ReadOptions::default()).unwrap();
        assert_eq!(reader.most_bytes, None);
        let source = DataSource::from_bytes("d.csv.gz", packed(2 * PIECE + 1).into());
        let data = read(source, &circuit(), &ReadOptions::default()).unwrap();
        assert_eq!(data.table.n_rows(), 2 * PIECE + 1);
    }
}
