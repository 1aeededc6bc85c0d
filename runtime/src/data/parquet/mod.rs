//! Rows of a Parquet file.

mod budget;
mod column;
mod contained;
mod delta;
mod file;
mod pages;
mod thrift;

use super::content::UnpackedContent;
use super::error::{DataError, shown};
use super::header::bind_names;
use super::layout::{DecodedRows, TableLayout, TableRowFiller};
use super::read::ReadOptions;
use budget::PageBudget;
use bytes::Bytes;
use column::columns;
pub(super) use column::{FileColumn, ParquetCell, ParquetCells, ParquetLeaf};
use contained::{contained, damaged};
use file::{ColumnPlace, ParquetStorage};
use pages::CheckedPages;
use parquet::basic::Compression;
use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::errors::Result as ParquetResult;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::SerializedPageReader;
use pelton_compiler::circuit::CircuitGraph;
use std::sync::Arc;

const BLOCK: usize = 4096;

/// The rows of a Parquet file that have not been read.
pub(super) struct ParquetRows {
    name: String,
    place: Arc<ParquetStorage>,
    /// What pages of all columns may take.
    budget: Arc<PageBudget>,
    footer: ParquetMetaData,
    /// The column of the file that each slot reads.
    leaves: Vec<ParquetLeaf>,
    /// What is being read of each of them.
    readers: Vec<ColumnReader>,
    next_group: usize,
    /// Rows left in the group before it.
    n_left: u64,
    /// The row that comes next, from 0.
    next_row: u64,
}

impl ParquetRows {
    /// Reads the footer of a file and binds its columns by name.
    pub fn open(
        content: UnpackedContent,
        circuit: &CircuitGraph,
        options: &ReadOptions,
    ) -> Result<(Self, TableLayout), DataError> {
        let file = ParquetFile::open(content)?;
        let names = file.columns.iter().map(|column| column.name.clone());
        let binding = bind_names(&file.name, names.collect(), circuit, options)?;
        let layout = TableLayout::new(circuit, binding);
        let leaves = leaves(&file.name, &file.columns, &layout)?;
        Ok((file.rows(leaves)?, layout))
    }

    /// Hands the cells of each leaf to `each`, some rows at a time, with the number of
    /// the leaf and of the first row.
    pub fn survey(
        &mut self,
        mut each: impl FnMut(usize, u64, &ParquetCells) -> Result<(), DataError>,
    ) -> Result<(), DataError> {
        while self.n_left > 0 || self.open_group()? {
            let n_rows = self.n_left.min(BLOCK as u64) as usize;
            for (at, reader) in self.readers.iter_mut().enumerate() {
                let cells = contained(&self.name, || ParquetCells::decode(reader, n_rows))?;
                each(at, self.next_row, &cells)?;
            }
            self.n_left -= n_rows as u64;
            self.next_row += n_rows as u64;
        }
        Ok(())
    }

    /// Reads up to `max_rows` rows; fewer are the last.
    pub fn take(
        &mut self,
        max_rows: usize,
        layout: &TableLayout,
        rows: &mut DecodedRows,
    ) -> Result<(), DataError> {
        while rows.n_rows < max_rows {
            if self.n_left == 0 && !self.open_group()? {
                break;
            }
            let n_rows = self.n_left.min(BLOCK.min(max_rows - rows.n_rows) as u64) as usize;
            self.take_block(n_rows, layout, rows)?;
        }
        Ok(())
    }

    /// Begins the next group of rows that is not empty, if there is one.
    fn open_group(&mut self) -> Result<bool, DataError> {
        while self.n_left == 0 && self.next_group < self.footer.num_row_groups() {
            let group = self.footer.row_group(self.next_group);
            self.n_left = group.num_rows().unsigned_abs();
            self.next_group += 1;
            let readers = self.leaves.iter().map(|leaf| {
                let n_rows = self.n_left as usize;
                contained(&self.name, || {
                    let column = group.column(leaf.at);
                    open_column(&self.place, &self.budget, column, n_rows)
                })
            });
            self.readers = readers.collect::<Result<_, _>>()?;
        }
        Ok(self.n_left > 0)
    }

    fn take_block(
        &mut self,
        n_rows: usize,
        layout: &TableLayout,
        rows: &mut DecodedRows,
    ) -> Result<(), DataError> {
        let mut filling = TableRowFiller::new(&self.name, layout, rows, self.next_row, n_rows);
        let columns = self.readers.iter_mut().zip(&self.leaves);
        for (slot, (reader, leaf)) in layout.slots.iter().zip(columns) {
            let cells = contained(&self.name, || ParquetCells::decode(reader, n_rows));
            let cells = cells
                .map_err(|error| error.in_column(slot.column, layout.binding.name(slot.column)))?;
            cells.add(&mut filling, slot, leaf.is_unsigned);
        }
        filling.finish()?;
        self.n_left -= n_rows as u64;
        self.next_row += n_rows as u64;
        Ok(())
    }
}

/// A Parquet file whose footer has been read.
pub(super) struct ParquetFile {
    pub name: String,
    pub columns: Vec<FileColumn>,
    place: ParquetStorage,
    footer: ParquetMetaData,
}

impl ParquetFile {
    pub fn open(mut content: UnpackedContent) -> Result<Self, DataError> {
        let place = place(&mut content)?;
        let name = content.name;
        let footer = footer(&name, &place)?;
        let columns = contained(&name, || Ok(columns(footer.file_metadata().schema_descr())))?;
        Ok(ParquetFile {
            name,
            columns,
            place,
            footer,
        })
    }

    /// The rows, of which these columns are read.
    pub fn rows(self, leaves: Vec<ParquetLeaf>) -> Result<ParquetRows, DataError> {
        check_groups(&self.name, &self.footer, &leaves)?;
        Ok(ParquetRows {
            name: self.name,
            budget: Arc::new(PageBudget::of_file(self.place.length())),
            place: Arc::new(self.place),
            footer: self.footer,
            leaves,
            readers: Vec::new(),
            next_group: 0,
            n_left: 0,
            next_row: 0,
        })
    }
}

/// The file itself, or the stream kept in memory.
fn place(content: &mut UnpackedContent) -> Result<ParquetStorage, DataError> {
    match content.file.take() {
        Some(file) => {
            let metadata = file.metadata();
            let metadata = metadata.map_err(|error| content.broken(&error))?;
            Ok(ParquetStorage::File(file, metadata.len()))
        }
        None => Ok(ParquetStorage::Kept(Bytes::from(content.keep()?))),
    }
}

/// The footer: its length and the name of the format are the last eight bytes.
fn footer(name: &str, place: &ParquetStorage) -> Result<ParquetMetaData, DataError> {
    let too_short = || {
        let message = "the Parquet file ends too early; was it copied completely?";
        DataError::unreadable(name, message)
    };
    let end = place.length().checked_sub(8).ok_or_else(too_short)?;
    let tail = contained(name, || place.bytes(end, 8))?;
    let length = match *tail {
        [a, b, c, d, b'P', b'A', b'R', b'1'] => u32::from_le_bytes([a, b, c, d]),
        [_, _, _, _, b'P', b'A', b'R', b'E'] => return Err(encrypted(name)),
        _ => return Err(too_short()),
    };
    let start = end.checked_sub(length.into());
    let start = start.ok_or_else(|| damaged(name))?;
    let bytes = contained(name, || place.bytes(start, length as usize))?;
    match thrift::footer(&bytes) {
        None => Err(damaged(name)),
        Some(footer) if footer.is_encrypted => Err(encrypted(name)),
        Some(_) => contained(name, || ParquetMetaDataReader::decode_metadata(&bytes)),
    }
}

fn encrypted(name: &str) -> DataError {
    DataError::unreadable(name, "it is an encrypted Parquet file, which is not read")
}

/// The column of the file that each slot reads.
fn leaves(
    name: &str,
    columns: &[FileColumn],
    layout: &TableLayout,
) -> Result<Vec<ParquetLeaf>, DataError> {
    let leaf = |column: usize| {
        let FileColumn { name: own, cells } = &columns[column];
        cells.map_err(|content| no_cells(name, column, own, content))
    };
    layout.slots.iter().map(|slot| leaf(slot.column)).collect()
}

/// What is wrong with a column that holds something else than cells.
pub(super) fn no_cells(file: &str, at: usize, name: &str, content: &str) -> DataError {
    DataError::unfit(file, format!("the column holds {content}"))
        .in_column(at, Some(name))
        .help("cells are truth values, integers, float32, float64 or text")
}

/// Looks at what the footer says about groups of rows.
fn check_groups(
    name: &str,
    footer: &ParquetMetaData,
    leaves: &[ParquetLeaf],
) -> Result<(), DataError> {
    let mut n_rows = 0u64;
    for group in footer.row_groups() {
        let n_group = u64::try_from(group.num_rows()).map_err(|_| damaged(name))?;
        n_rows = n_rows.checked_add(n_group).ok_or_else(|| damaged(name))?;
        for leaf in leaves {
            let column = group.columns().get(leaf.at).ok_or_else(|| damaged(name))?;
            check_column(name, column)?;
        }
    }
    match n_rows {
        0 => Err(DataError::unfit(name, "there is no row in it")),
        _ => Ok(()),
    }
}

fn check_column(name: &str, column: &ColumnChunkMetaData) -> Result<(), DataError> {
    let start = column.dictionary_page_offset();
    let start = start.unwrap_or_else(|| column.data_page_offset());
    if start < 0 || column.compressed_size() < 0 || column.uncompressed_size() < 0 {
        return Err(damaged(name));
    }
    let path = column.column_path().string();
    if column.file_path().is_some() {
        let message = format!("the column {} is in another file", shown(&path));
        return Err(DataError::unreadable(name, message));
    }
    match column.compression() {
        Compression::UNCOMPRESSED
        | Compression::SNAPPY
        | Compression::GZIP(_)
        | Compression::ZSTD(_) => Ok(()),
        other => {
            let method = other.to_string();
            let method = method.split('(').next().unwrap_or_default();
            let path = shown(&path);
            let message =
                format!("the column {path} is compressed with {method}, which is not read");
            Err(DataError::unreadable(name, message).help("compress it with snappy, zstd or gzip"))
        }
    }
}

fn open_column(
    place: &Arc<ParquetStorage>,
    budget: &Arc<PageBudget>,
    column: &ColumnChunkMetaData,
    n_rows: usize,
) -> ParquetResult<ColumnReader> {
    let unpacked_size = column.uncompressed_size().unsigned_abs();
    let column_place = ColumnPlace::new(place, budget, unpacked_size);
    let pages = SerializedPageReader::new(Arc::new(column_place), column, n_rows, None)?;
    let description = column.column_descr_ptr();
    let pages = CheckedPages::new(Box::new(pages), description.clone(), budget);
    Ok(get_column_reader(description, Box::new(pages)))
}
