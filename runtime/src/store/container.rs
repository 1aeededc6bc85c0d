//! The file around texts and numbers: safetensors.
//!
//! The format is eight bytes with the length of a JSON header, the header, and the
//! bytes of all tensors one behind the other. The crate of the same name reads and
//! checks the header. The frame is handled here, because a file is then read and
//! written piece by piece, its size is compared with the header before anything is
//! read, and the same content gives the same bytes.

use super::document::{Metadata, check_format};
use super::{StateData, StateTensor, StoreError};
use safetensors::Dtype;
use safetensors::tensor::Metadata as Header;
use serde_json::{Map, Value, json};
use std::io::{Read, Write};

const LARGEST_HEADER: u64 = 100_000_000;
/// Bytes of the header's length.
const LENGTH: u64 = 8;
/// Bytes of one number.
const NUMBER: usize = 8;

pub(super) struct TensorContainer {
    pub metadata: Metadata,
    header: Header,
    data: Vec<u8>,
}

/// Whether a file that begins with these bytes has the frame of a model file.
pub(super) fn has_frame(start: &[u8]) -> bool {
    let Some((length, rest)) = start.split_first_chunk() else {
        return false;
    };
    u64::from_le_bytes(*length) <= LARGEST_HEADER && rest.first() == Some(&b'{')
}

/// Writes texts and tensors, in the order given.
pub(super) fn write(
    metadata: &Metadata,
    tensors: &[(String, StateTensor)],
    out: &mut dyn Write,
) -> Result<(), StoreError> {
    let mut header = Map::new();
    header.insert("__metadata__".to_string(), json!(metadata));
    let mut start = 0;
    for (name, tensor) in tensors {
        let (dtype, n_numbers) = match &tensor.data {
            StateData::F64(numbers) => ("F64", numbers.len()),
            StateData::U64(numbers) => ("U64", numbers.len()),
        };
        if tensor.shape.iter().product::<usize>() != n_numbers {
            let what = format!(
                "shape {:?} of `{name}` is not that of {n_numbers} numbers",
                tensor.shape
            );
            return Err(StoreError::Unsound(what));
        }
        let end = start + n_numbers * NUMBER;
        let info = json!({"dtype": dtype, "shape": tensor.shape, "data_offsets": [start, end]});
        header.insert(name.clone(), info);
        start = end;
    }
    let mut header = Value::Object(header).to_string();
    // Blanks behind the header put the numbers at multiples of their size.
    let padding = header.len().next_multiple_of(NUMBER) - header.len();
    header.extend(std::iter::repeat_n(' ', padding));
    if header.len() as u64 > LARGEST_HEADER {
        let what = "its texts and the names of its parameters take more than 100 MB";
        return Err(StoreError::Unsound(what.to_string()));
    }
    out.write_all(&(header.len() as u64).to_le_bytes())?;
    out.write_all(header.as_bytes())?;
    for (_, tensor) in tensors {
        write_numbers(&tensor.data, out)?;
    }
    Ok(())
}

fn write_numbers(data: &StateData, out: &mut dyn Write) -> std::io::Result<()> {
    match data {
        StateData::F64(numbers) => {
            let mut bytes = numbers.iter().map(|number| number.to_le_bytes());
            bytes.try_for_each(|bytes| out.write_all(&bytes))
        }
        StateData::U64(numbers) => {
            let mut bytes = numbers.iter().map(|number| number.to_le_bytes());
            bytes.try_for_each(|bytes| out.write_all(&bytes))
        }
    }
}

impl TensorContainer {
    /// Reads a file of `n_bytes`. Memory for the numbers is asked for only after the
    /// header has been found to agree with the size of the file.
    pub fn read(stream: &mut dyn Read, n_bytes: u64) -> Result<TensorContainer, StoreError> {
        let header_bytes = read_header(stream, n_bytes)?;
        let header: Header = serde_json::from_slice(&header_bytes).map_err(|error| {
            StoreError::NotModel(format!("its header cannot be read ({error})"))
        })?;
        let metadata = header.metadata().clone().unwrap_or_default();
        let metadata: Metadata = metadata.into_iter().collect();
        check_format(&metadata)?;
        let expected = header.data_len() as u64;
        let there = n_bytes - LENGTH - header_bytes.len() as u64;
        if there < expected {
            return Err(StoreError::CutShort(expected - there));
        }
        if there > expected {
            let what = format!("{} bytes follow its last tensor", there - expected);
            return Err(StoreError::Damaged(what));
        }
        let mut data = Vec::new();
        stream.take(expected).read_to_end(&mut data)?;
        match expected - data.len() as u64 {
            0 => Ok(TensorContainer {
                metadata,
                header,
                data,
            }),
            n_missing => Err(StoreError::CutShort(n_missing)),
        }
    }

    pub fn names(&self) -> Vec<String> {
        self.header.offset_keys()
    }

    pub fn tensor(&self, name: &str) -> Result<Option<StateTensor>, StoreError> {
        let Some(info) = self.header.info(name) else {
            return Ok(None);
        };
        let (start, end) = info.data_offsets;
        let (numbers, _) = self.data[start..end].as_chunks::<NUMBER>();
        let data = match info.dtype {
            Dtype::F64 => StateData::F64(numbers.iter().map(|n| f64::from_le_bytes(*n)).collect()),
            Dtype::U64 => StateData::U64(numbers.iter().map(|n| u64::from_le_bytes(*n)).collect()),
            other => {
                let what = format!("tensor `{name}` holds {other}, and F64 is needed");
                return Err(StoreError::Damaged(what));
            }
        };
        let shape = info.shape.clone();
        Ok(Some(StateTensor { shape, data }))
    }
}

fn read_header(stream: &mut dyn Read, n_bytes: u64) -> Result<Vec<u8>, StoreError> {
    if n_bytes < LENGTH {
        return Err(StoreError::CutShort(LENGTH - n_bytes));
    }
    let mut length = [0; LENGTH as usize];
    stream.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > LARGEST_HEADER {
        let what = "its first bytes are not the length of a header";
        return Err(StoreError::NotModel(what.to_string()));
    }
    let there = n_bytes - LENGTH;
    if there < length {
        return Err(StoreError::CutShort(length - there));
    }
    let mut header = Vec::new();
    stream.take(length).read_to_end(&mut header)?;
    match length - header.len() as u64 {
        0 => Ok(header),
        n_missing => Err(StoreError::CutShort(n_missing)),
    }
}
