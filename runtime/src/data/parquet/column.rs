//! Columns of a Parquet file: what they hold, and their cells.

use crate::data::layout::{SourceColumn, TableRowFiller};
use crate::data::number::FileNumber;
use parquet::basic::{ConvertedType, LogicalType, Repetition, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::{ParquetError, Result};
use parquet::schema::types::{ColumnDescriptor, SchemaDescriptor};

/// A column of the file, as far as it matters.
pub(in crate::data) struct FileColumn {
    pub name: String,
    /// Its number among those that hold cells, and whether integers have no sign; or
    /// what else it holds.
    pub cells: std::result::Result<ParquetLeaf, &'static str>,
}

/// A column with a cell for each row.
#[derive(Clone, Copy)]
pub(in crate::data) struct ParquetLeaf {
    /// Its number among those that hold cells.
    pub at: usize,
    pub is_unsigned: bool,
}

/// The columns of a schema, each of which is one field of a row.
pub(super) fn columns(schema: &SchemaDescriptor) -> Vec<FileColumn> {
    let fields = schema.root_schema().get_fields().iter();
    let mut columns: Vec<FileColumn> = fields
        .map(|field| FileColumn {
            name: name(field.name()),
            cells: Err("nested values"),
        })
        .collect();
    for (at, leaf) in schema.columns().iter().enumerate() {
        let column = &mut columns[schema.get_column_root_idx(at)];
        let is_flat = leaf.path().parts().len() == 1;
        if is_flat && leaf.self_type().get_basic_info().repetition() == Repetition::REPEATED {
            column.cells = Err("lists");
        } else if is_flat {
            let is_unsigned = is_unsigned(leaf);
            column.cells = check(leaf).map(|()| ParquetLeaf { at, is_unsigned });
        }
    }
    columns
}

/// The name of a column. The index of a data frame is no column, unless it has a
/// name of its own.
fn name(name: &str) -> String {
    if name.starts_with("__index_level_") && name.ends_with("__") {
        String::new()
    } else {
        name.to_string()
    }
}

fn is_unsigned(leaf: &ColumnDescriptor) -> bool {
    use ConvertedType::{UINT_8, UINT_16, UINT_32, UINT_64};
    let is_logical = match leaf.logical_type_ref() {
        Some(LogicalType::Integer(integer)) => !integer.is_signed,
        _ => false,
    };
    is_logical || matches!(leaf.converted_type(), UINT_8 | UINT_16 | UINT_32 | UINT_64)
}

/// Whether a column holds truth values, numbers or text; if not, what.
fn check(leaf: &ColumnDescriptor) -> std::result::Result<(), &'static str> {
    use ConvertedType as Old;
    match leaf.converted_type() {
        Old::DATE => return Err("dates"),
        Old::TIME_MILLIS | Old::TIME_MICROS => return Err("times"),
        Old::TIMESTAMP_MILLIS | Old::TIMESTAMP_MICROS => return Err("times"),
        Old::DECIMAL => return Err("decimal numbers"),
        Old::INTERVAL => return Err("spans of time"),
        Old::BSON => return Err("raw bytes"),
        _ => {}
    }
    match (leaf.logical_type_ref(), leaf.physical_type()) {
        (Some(LogicalType::Date), _) => Err("dates"),
        (Some(LogicalType::Time(_) | LogicalType::Timestamp(_)), _) => Err("times"),
        (Some(LogicalType::Decimal(_)), _) => Err("decimal numbers"),
        (Some(LogicalType::Float16), _) => Err("numbers of half precision"),
        (_, Type::INT96) => Err("times"),
        (_, Type::FIXED_LEN_BYTE_ARRAY) => Err("raw bytes"),
        _ => Ok(()),
    }
}

pub(in crate::data) struct ParquetCells {
    n_rows: usize,
    /// Of the rows whose cell is there.
    values: ParquetValues,
    /// For each row whether its cell is there, unless all are.
    is_there: Option<Vec<i16>>,
}

enum ParquetValues {
    Bool(Vec<bool>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Text(Vec<ByteArray>),
}

pub(in crate::data) enum ParquetCell<'a> {
    Number(FileNumber),
    Text(&'a [u8]),
}

impl ParquetValues {
    fn cell(&self, at: usize, is_unsigned: bool) -> ParquetCell<'_> {
        use FileNumber::{Bool, Float, Int, Unsigned};
        ParquetCell::Number(match (self, is_unsigned) {
            (ParquetValues::Bool(values), _) => Bool(values[at]),
            (ParquetValues::Int32(values), true) => Unsigned(u64::from(values[at].cast_unsigned())),
            (ParquetValues::Int64(values), true) => Unsigned(values[at].cast_unsigned()),
            (ParquetValues::Int32(values), false) => Int(i64::from(values[at])),
            (ParquetValues::Int64(values), false) => Int(values[at]),
            (ParquetValues::Float(values), _) => Float(f64::from(values[at])),
            (ParquetValues::Double(values), _) => Float(values[at]),
            (ParquetValues::Text(values), _) => return ParquetCell::Text(values[at].data()),
        })
    }
}

impl ParquetCells {
    pub fn decode(reader: &mut ColumnReader, n_rows: usize) -> Result<Self> {
        use ColumnReader as R;
        match reader {
            R::BoolColumnReader(reader) => decode(reader, n_rows, ParquetValues::Bool),
            R::Int32ColumnReader(reader) => decode(reader, n_rows, ParquetValues::Int32),
            R::Int64ColumnReader(reader) => decode(reader, n_rows, ParquetValues::Int64),
            R::FloatColumnReader(reader) => decode(reader, n_rows, ParquetValues::Float),
            R::DoubleColumnReader(reader) => decode(reader, n_rows, ParquetValues::Double),
            R::ByteArrayColumnReader(reader) => decode(reader, n_rows, ParquetValues::Text),
            R::Int96ColumnReader(_) | R::FixedLenByteArrayColumnReader(_) => Err(
                ParquetError::NYI("a column holds neither numbers nor text".to_string()),
            ),
        }
    }

    pub fn add(&self, filling: &mut TableRowFiller<'_>, slot: &SourceColumn, is_unsigned: bool) {
        let value = |cell: Option<ParquetCell<'_>>| match cell {
            None => slot.missing(),
            Some(ParquetCell::Number(number)) => slot.number(number),
            Some(ParquetCell::Text(text)) => slot.verbatim(text),
        };
        filling.add(slot, 0, self.iter(is_unsigned).map(value));
    }

    /// The cell of each row; none if it is missing.
    pub fn iter(&self, is_unsigned: bool) -> impl Iterator<Item = Option<ParquetCell<'_>>> {
        let mut next = 0;
        (0..self.n_rows).map(move |row| {
            let is_there = self.is_there.as_ref().is_none_or(|levels| levels[row] > 0);
            let cell = is_there.then(|| self.values.cell(next, is_unsigned));
            next += usize::from(is_there);
            cell
        })
    }
}

fn decode<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    n_rows: usize,
    wrap: impl FnOnce(Vec<T::T>) -> ParquetValues,
) -> Result<ParquetCells> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let (n_read, n_values, _) =
        reader.read_records(n_rows, Some(&mut levels), None, &mut values)?;
    // Without levels every cell is there.
    let (n_levels, n_there) = match levels.len() {
        0 => (n_rows, n_rows),
        n => (n, levels.iter().filter(|&&level| level > 0).count()),
    };
    let has_all = n_read == n_rows && n_levels == n_rows;
    if !has_all || n_values != n_there || values.len() != n_there {
        let message = "a column has fewer cells than there are rows";
        return Err(ParquetError::EOF(message.to_string()));
    }
    Ok(ParquetCells {
        n_rows,
        values: wrap(values),
        is_there: (!levels.is_empty()).then_some(levels),
    })
}
