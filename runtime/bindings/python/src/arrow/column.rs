//! Cells of Arrow columns as numbers and texts.

use super::interface::{ArrowArray, ArrowSchema};
use crate::rows::PythonColumn;
use crate::texts::PythonTexts;
use std::ffi::c_void;

/// What Polars calls columns whose dictionary has texts of other columns too.
const POLARS_CATEGORICAL: &str = "_PL_CATEGORICAL";

/// Types of cells, by the letters of the interface.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArrowCellKind {
    Null,
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
    /// Texts whose ends are 32 or 64 bits.
    Text32,
    Text64,
    /// Short texts in place, long ones in buffers.
    TextView,
}

impl ArrowCellKind {
    fn of(format: &str) -> Option<Self> {
        Some(match format {
            "n" => ArrowCellKind::Null,
            "b" => ArrowCellKind::Bool,
            "c" => ArrowCellKind::I8,
            "C" => ArrowCellKind::U8,
            "s" => ArrowCellKind::I16,
            "S" => ArrowCellKind::U16,
            "i" => ArrowCellKind::I32,
            "I" => ArrowCellKind::U32,
            "l" => ArrowCellKind::I64,
            "L" => ArrowCellKind::U64,
            "f" => ArrowCellKind::F32,
            "g" => ArrowCellKind::F64,
            "u" => ArrowCellKind::Text32,
            "U" => ArrowCellKind::Text64,
            "vu" => ArrowCellKind::TextView,
            _ => return None,
        })
    }

    fn is_text(self) -> bool {
        matches!(
            self,
            ArrowCellKind::Text32 | ArrowCellKind::Text64 | ArrowCellKind::TextView
        )
    }

    fn is_integer(self) -> bool {
        use ArrowCellKind::{I8, I16, I32, I64, U8, U16, U32, U64};
        matches!(self, I8 | U8 | I16 | U16 | I32 | U32 | I64 | U64)
    }
}

/// Reads one column, batch by batch.
pub struct ArrowColumnReader<'a> {
    schema: &'a ArrowSchema,
    kind: ArrowCellKind,
    /// What numbers stand for, of a column of categories.
    words: Option<ArrowCellKind>,
    found: PythonColumn,
}

pub fn failure(what: &str) -> String {
    format!("the Arrow stream is damaged: {what}")
}

impl<'a> ArrowColumnReader<'a> {
    pub fn new(schema: &'a ArrowSchema) -> Result<Self, String> {
        let unknown = |format: &str| {
            format!(
                "column `{}` has cells of the Arrow type `{format}`, which are neither numbers nor \
                 texts",
                schema.name()
            )
        };
        let kind = ArrowCellKind::of(schema.format()).ok_or_else(|| unknown(schema.format()))?;
        let words = match schema.dictionary() {
            Some(own) => {
                Some(ArrowCellKind::of(own.format()).ok_or_else(|| unknown(own.format()))?)
            }
            None => None,
        };
        if words.is_some() && !kind.is_integer() {
            return Err(unknown(schema.format()));
        }
        let found = if words.unwrap_or(kind).is_text() {
            PythonColumn::Texts(PythonTexts::default())
        } else {
            PythonColumn::Numbers(Vec::new())
        };
        Ok(ArrowColumnReader {
            schema,
            kind,
            words,
            found,
        })
    }

    pub fn add(&mut self, array: &ArrowArray, first: usize, n: usize) -> Result<(), String> {
        let cells = ArrowCells::new(array, self.kind, first, n)?;
        let Some(words) = self.words else {
            return self.add_plain(&cells);
        };
        // Cells of categories are positions in a dictionary, of which each batch has its own.
        let dictionary = array.dictionary().ok_or_else(|| failure("no dictionary"))?;
        let (_, n_words) = dictionary.extent()?;
        let words = ArrowCells::new(dictionary, words, 0, n_words)?;
        let name = self.schema.name();
        let position = |at: usize| -> Result<Option<usize>, String> {
            let code = cells.number(at).filter(|_| cells.is_there(at));
            let outside = || failure(&format!("a category of column `{name}` is not there"));
            match code {
                Some(code) if code >= 0.0 && code < n_words as f64 => Ok(Some(code as usize)),
                Some(_) => Err(outside()),
                None => Ok(None),
            }
        };
        match &mut self.found {
            PythonColumn::Texts(texts) => {
                let mut codes = Vec::with_capacity(n_words);
                // Words get one code for the whole column, whatever their positions are in this batch.
                let is_declared = !self.schema.has_metadata(POLARS_CATEGORICAL);
                for at in 0..n_words {
                    let word = words.text(at)?;
                    if let Some(word) = word.filter(|_| is_declared) {
                        texts.declare(word);
                    }
                    codes.push(word.map(|text| texts.code(text)));
                }
                for at in 0..n {
                    texts.push_code(position(at)?.and_then(|at| codes[at]));
                }
            }
            PythonColumn::Mixed(_) => return Err(failure("a column is of two types")),
            PythonColumn::Numbers(numbers) => {
                for at in 0..n {
                    let word = position(at)?.and_then(|at| words.number_there(at));
                    numbers.push(word.unwrap_or(f64::NAN));
                }
            }
        }
        Ok(())
    }

    fn add_plain(&mut self, cells: &ArrowCells<'_>) -> Result<(), String> {
        match &mut self.found {
            PythonColumn::Texts(texts) => {
                for at in 0..cells.n {
                    texts.push(cells.text(at)?);
                }
            }
            PythonColumn::Mixed(_) => return Err(failure("a column is of two types")),
            PythonColumn::Numbers(numbers) => {
                let cell = |at| cells.number_there(at).unwrap_or(f64::NAN);
                numbers.extend((0..cells.n).map(cell));
            }
        }
        Ok(())
    }

    pub fn finish(self) -> PythonColumn {
        self.found
    }
}

/// Cells of one batch.
struct ArrowCells<'a> {
    array: &'a ArrowArray,
    kind: ArrowCellKind,
    /// Where the first one lies.
    first: usize,
    n: usize,
    validity: *const u8,
    data: *const c_void,
}

impl<'a> ArrowCells<'a> {
    fn new(
        array: &'a ArrowArray,
        kind: ArrowCellKind,
        first: usize,
        n: usize,
    ) -> Result<Self, String> {
        let (offset, length) = array.extent()?;
        if first.checked_add(n).is_none_or(|end| end > length) {
            return Err(failure("a column has too few rows"));
        }
        let data = array.buffer(1);
        if n > 0 && data.is_null() && kind != ArrowCellKind::Null {
            return Err(failure("a column has no cells"));
        }
        let validity = if array.has_nulls() {
            array.buffer(0).cast()
        } else {
            std::ptr::null()
        };
        Ok(ArrowCells {
            array,
            kind,
            first: offset + first,
            n,
            validity,
            data,
        })
    }

    fn is_there(&self, at: usize) -> bool {
        // SAFETY: a bit for each cell.
        self.validity.is_null() || unsafe { bit(self.validity, self.first + at) }
    }

    fn number_there(&self, at: usize) -> Option<f64> {
        self.number(at).filter(|_| self.is_there(at))
    }

    /// The number that a cell holds, be it missing or not.
    fn number(&self, at: usize) -> Option<f64> {
        let at = self.first + at;
        // SAFETY: the cell is one of the array's, and has this type.
        unsafe {
            Some(match self.kind {
                ArrowCellKind::Bool => f64::from(u8::from(bit(self.data.cast(), at))),
                ArrowCellKind::I8 => f64::from(self.get::<i8>(at)),
                ArrowCellKind::U8 => f64::from(self.get::<u8>(at)),
                ArrowCellKind::I16 => f64::from(self.get::<i16>(at)),
                ArrowCellKind::U16 => f64::from(self.get::<u16>(at)),
                ArrowCellKind::I32 => f64::from(self.get::<i32>(at)),
                ArrowCellKind::U32 => f64::from(self.get::<u32>(at)),
                ArrowCellKind::I64 => self.get::<i64>(at) as f64,
                ArrowCellKind::U64 => self.get::<u64>(at) as f64,
                ArrowCellKind::F32 => f64::from(self.get::<f32>(at)),
                ArrowCellKind::F64 => self.get::<f64>(at),
                ArrowCellKind::Null
                | ArrowCellKind::Text32
                | ArrowCellKind::Text64
                | ArrowCellKind::TextView => return None,
            })
        }
    }

    /// The text that a cell holds, none if it is missing.
    fn text(&self, at: usize) -> Result<Option<&'a str>, String> {
        if !self.is_there(at) {
            return Ok(None);
        }
        let at = self.first + at;
        // SAFETY: the cell is one of the array's, and has this type.
        let bytes = unsafe {
            match self.kind {
                ArrowCellKind::Text32 => {
                    let ends = (self.get::<i32>(at), self.get::<i32>(at + 1));
                    self.between(i64::from(ends.0), i64::from(ends.1))?
                }
                ArrowCellKind::Text64 => {
                    self.between(self.get::<i64>(at), self.get::<i64>(at + 1))?
                }
                ArrowCellKind::TextView => self.view(at)?,
                _ => return Ok(None),
            }
        };
        let text = std::str::from_utf8(bytes);
        text.map(Some).map_err(|_| failure("a text is not UTF-8"))
    }

    /// # Safety
    /// Cells have this type, and this one is there.
    unsafe fn get<T>(&self, at: usize) -> T {
        // SAFETY: the caller's promise.
        unsafe { self.data.cast::<T>().add(at).read_unaligned() }
    }

    /// # Safety
    /// The numbers are ends of texts of this array.
    unsafe fn between(&self, start: i64, end: i64) -> Result<&'a [u8], String> {
        let (first, last) = (usize::try_from(start), usize::try_from(end));
        let (Ok(first), Ok(last)) = (first, last) else {
            return Err(failure("a text begins before the first one"));
        };
        let n = last
            .checked_sub(first)
            .ok_or_else(|| failure("a text has no end"))?;
        // SAFETY: the caller's promise.
        unsafe { bytes(self.array.buffer(2), first, n) }
    }

    /// # Safety
    /// Cells are views, and this one is there.
    unsafe fn view(&self, at: usize) -> Result<&'a [u8], String> {
        const SIZE: usize = 16;
        // SAFETY: the caller's promise: 4 bytes of length, then the text itself, or 4 bytes
        // of it, the number of a buffer, and where in that it lies.
        unsafe {
            let own = self.data.cast::<u8>().add(at * SIZE);
            let word = |at: usize| own.add(4 * at).cast::<i32>().read_unaligned();
            let n = usize::try_from(word(0)).map_err(|_| failure("a text has no length"))?;
            if n <= SIZE - 4 {
                return Ok(std::slice::from_raw_parts(own.add(4), n));
            }
            // The last buffer holds the sizes of those between.
            let buffer = usize::try_from(word(2)).map_or(usize::MAX, |at| at.saturating_add(2));
            let start = usize::try_from(word(3)).map_err(|_| failure("a text begins nowhere"))?;
            if buffer + 1 >= self.array.n_buffers() {
                return Err(failure("a text is in no buffer"));
            }
            bytes(self.array.buffer(buffer), start, n)
        }
    }
}

/// # Safety
/// There are so many bytes from there on, if the pointer is not null.
unsafe fn bytes<'a>(data: *const c_void, first: usize, n: usize) -> Result<&'a [u8], String> {
    match (n, data.is_null()) {
        (0, _) => Ok(&[]),
        (_, true) => Err(failure("texts have no buffer")),
        // SAFETY: the caller's promise.
        (_, false) => Ok(unsafe { std::slice::from_raw_parts(data.cast::<u8>().add(first), n) }),
    }
}

/// # Safety
/// There are so many bits.
unsafe fn bit(bits: *const u8, at: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { *bits.add(at / 8) >> (at % 8) & 1 == 1 }
}
