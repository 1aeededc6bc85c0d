//! Rows of an array of NumPy (.npy).

mod element;
mod header;

use super::content::UnpackedContent;
use super::error::{DataError, shown};
use super::header::bind_array;
use super::layout::{DecodedRows, SourceColumn, TableLayout, TableRowFiller};
use super::read::ReadOptions;
use element::{ElementError, NpyElement};
use header::{HeaderError, NpyHeader};
use pelton_compiler::circuit::CircuitGraph;
use std::io::{Cursor, Read, Seek, SeekFrom};

/// The longest header that is read. NumPy's own are a few hundred bytes.
const LONGEST_HEADER: usize = 1 << 20;

/// Bytes of cells that are looked at together.
const BLOCK: usize = 64 << 10;

/// The rows of an array that have not been read.
pub(super) struct NpyRows {
    content: UnpackedContent,
    element: NpyElement,
    n_rows: u64,
    n_columns: usize,
    next_row: u64,
    /// Cells that lie column by column, and the byte at which they begin. Others are read as
    /// they come.
    columns: Option<(Box<dyn SeekableBytes>, u64)>,
}

/// Bytes that can be read from any place.
trait SeekableBytes: Read + Seek + Send {}

impl<T: Read + Seek + Send> SeekableBytes for T {}

impl NpyRows {
    /// Reads the header of an array and binds its columns by order.
    pub fn open(
        mut content: UnpackedContent,
        circuit: &CircuitGraph,
        options: &ReadOptions,
    ) -> Result<(Self, TableLayout), DataError> {
        let (header, start) = look_at_header(&mut content)?;
        content.window.consume(start);
        let name = &content.name;
        let (n_rows, n_columns) = size(name, &header)?;
        let binding = bind_array(name, n_columns, circuit, options)?;
        if n_rows == 0 {
            return Err(DataError::unfit(name, "there is no row in it"));
        }
        let rows = NpyRows {
            content,
            element: header.element,
            n_rows,
            n_columns: binding.n_cells,
            next_row: 0,
            columns: None,
        };
        let rows = rows.ordered(header.is_fortran, start as u64)?;
        Ok((rows, TableLayout::new(circuit, binding)))
    }

    /// Prepares to read cells in the order they have. As far as the number of bytes
    /// is known, it is checked before anything is read.
    fn ordered(mut self, is_fortran: bool, start: u64) -> Result<Self, DataError> {
        let file = self.content.file.take();
        if let Some(file) = &file {
            let metadata = file.metadata();
            let length = metadata.map_err(|error| self.content.broken(&error))?.len();
            self.check_length(length.saturating_sub(start))?;
        }
        // With one row or column, both orders are the same.
        if is_fortran && self.n_rows > 1 && self.n_columns > 1 {
            self.columns = Some(match file {
                Some(file) => (Box::new(file), start),
                None => {
                    let cells = self.content.keep()?;
                    self.check_length(cells.len() as u64)?;
                    (Box::new(Cursor::new(cells)), 0)
                }
            });
        }
        Ok(self)
    }

    fn check_length(&self, found: u64) -> Result<(), DataError> {
        let expected = u128::from(self.n_rows) * self.row_size() as u128;
        match u128::from(found).cmp(&expected) {
            std::cmp::Ordering::Less => Err(self.too_short()),
            std::cmp::Ordering::Equal => Ok(()),
            std::cmp::Ordering::Greater => Err(self.too_long()),
        }
    }

    fn row_size(&self) -> usize {
        self.n_columns * self.element.size()
    }

    /// Reads up to `max_rows` rows; fewer are the last.
    pub fn take(
        &mut self,
        max_rows: usize,
        layout: &TableLayout,
        rows: &mut DecodedRows,
    ) -> Result<(), DataError> {
        let n_wanted = self.n_wanted(max_rows);
        let Some((cells, start)) = &mut self.columns else {
            return self.take_rows(n_wanted, layout, rows);
        };
        let size = self.element.size();
        let name = &self.content.name;
        let mut filling = TableRowFiller::new(name, layout, rows, self.next_row, n_wanted);
        let mut piece = vec![0; BLOCK.min(n_wanted.saturating_mul(size))];
        for slot in &layout.slots {
            for from in (0..n_wanted).step_by(BLOCK / size) {
                let piece = &mut piece[..BLOCK.min((n_wanted - from).saturating_mul(size))];
                let row = self.next_row + from as u64;
                // Within the bytes that were counted, so that it does not overflow.
                let at = *start + (slot.column as u64 * self.n_rows + row) * size as u64;
                let read = cells.seek(SeekFrom::Start(at));
                let read = read.and_then(|_| cells.read_exact(piece));
                read.map_err(|error| self.content.broken(&error))?;
                filling.add(slot, from, self.element.values(slot, piece, size));
            }
        }
        filling.finish()?;
        self.next_row += n_wanted as u64;
        Ok(())
    }

    /// The number of rows to read of `max_rows`.
    fn n_wanted(&self, max_rows: usize) -> usize {
        let n_left = self.n_rows - self.next_row;
        usize::try_from(n_left).map_or(max_rows, |n_left| n_left.min(max_rows))
    }

    fn take_rows(
        &mut self,
        mut n_left: usize,
        layout: &TableLayout,
        rows: &mut DecodedRows,
    ) -> Result<(), DataError> {
        let row_size = self.row_size();
        let most = (BLOCK / row_size).max(1);
        while n_left > 0 {
            let bytes = self.content.look_at(n_left.min(most) * row_size)?;
            let n_rows = bytes.len() / row_size;
            let n_rows = n_rows.min(n_left);
            if n_rows == 0 {
                return Err(self.too_short());
            }
            let bytes = &self.content.window.unread()[..n_rows * row_size];
            let name = &self.content.name;
            let mut filling = TableRowFiller::new(name, layout, rows, self.next_row, n_rows);
            for slot in &layout.slots {
                let cells = &bytes[slot.column * self.element.size()..];
                filling.add(slot, 0, self.element.values(slot, cells, row_size));
            }
            filling.finish()?;
            self.content.window.consume(n_rows * row_size);
            self.next_row += n_rows as u64;
            n_left -= n_rows;
        }
        if self.next_row == self.n_rows && !self.content.look_at(1)?.is_empty() {
            return Err(self.too_long());
        }
        Ok(())
    }

    fn too_short(&self) -> DataError {
        let message = format!(
            "the array ends too early: its header says {} rows; was it copied completely?",
            self.n_rows
        );
        DataError::unreadable(&self.content.name, message)
    }

    fn too_long(&self) -> DataError {
        let message = format!("it goes on behind the {} rows of its array", self.n_rows);
        DataError::unreadable(&self.content.name, message).help("save one array in a file")
    }
}

impl NpyElement {
    /// The values of the cells that begin each `stride` bytes.
    fn values(
        self,
        slot: &SourceColumn,
        cells: &[u8],
        stride: usize,
    ) -> impl Iterator<Item = Result<f64, super::cell::InvalidCell>> {
        let cells = cells.chunks(stride);
        cells.map(move |cell| slot.number(self.number(cell)))
    }
}

/// The number of columns of an array, of which nothing is taken.
pub(super) fn n_columns(content: &mut UnpackedContent) -> Result<u64, DataError> {
    let (header, _) = look_at_header(content)?;
    Ok(size(&content.name, &header)?.1)
}

fn size(file: &str, header: &NpyHeader) -> Result<(u64, u64), DataError> {
    match *header.shape {
        [n_rows] => Ok((n_rows, 1)),
        [n_rows, n_columns] => Ok((n_rows, n_columns)),
        _ => {
            let message = format!("the array has {} axes", header.shape.len());
            let help = "save an array of rows and columns, or one column";
            Err(DataError::unfit(file, message).help(help))
        }
    }
}

/// The header, and how many bytes lie before the cells.
fn look_at_header(content: &mut UnpackedContent) -> Result<(NpyHeader, usize), DataError> {
    // Behind the name of the format and its version stands the header's length.
    let (from, length) = match *content.look_at(12)? {
        [_, _, _, _, _, _, 1, _, a, b, ..] => (10, usize::from(u16::from_le_bytes([a, b]))),
        [_, _, _, _, _, _, 2 | 3, _, a, b, c, d, ..] => {
            (12, u32::from_le_bytes([a, b, c, d]) as usize)
        }
        _ => return Err(damaged(&content.name)),
    };
    if length > LONGEST_HEADER {
        return Err(damaged(&content.name));
    }
    let bytes = content.look_at(from + length)?;
    let text = bytes.get(from..from + length);
    match text.map_or(Err(HeaderError::Damaged), NpyHeader::parse) {
        Ok(header) => Ok((header, from + length)),
        Err(HeaderError::Damaged) => Err(damaged(&content.name)),
        Err(HeaderError::Element(error)) => Err(no_numbers(&content.name, &error)),
    }
}

fn damaged(file: &str) -> DataError {
    DataError::unreadable(file, "the header of the NumPy array is damaged")
}

fn no_numbers(file: &str, error: &ElementError) -> DataError {
    let message = match error {
        ElementError::Records => "a row of the array is a record of named fields".to_string(),
        ElementError::Other(content, name) => {
            format!("the array holds {content} (NumPy's type {})", shown(name))
        }
    };
    DataError::unfit(file, message)
        .help("save an array of bool, integers, float32 or float64; text needs CSV or Parquet")
}
