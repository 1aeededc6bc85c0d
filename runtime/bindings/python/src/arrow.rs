//! Frames, read through the Arrow C stream interface.
//!
//! pandas, Polars, pyarrow and others hand their columns over by three structures whose
//! layout is fixed for ever. Cells are copied once, into columns of numbers or texts.

mod column;
mod interface;

use crate::rows::PythonColumn;
use column::{ArrowColumnReader, failure};
use interface::{ArrayStream, ArrowArray, ArrowSchema};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};
use std::ffi::CStr;

/// Batches of rows that a frame hands over.
pub struct ArrowBatches<'py> {
    py: Python<'py>,
    stream: ArrayStream,
    schema: ArrowSchema,
}

impl<'py> ArrowBatches<'py> {
    /// Takes the stream out of its capsule, and reads what columns there are.
    pub fn take(capsule: &Bound<'py, PyAny>) -> PyResult<Self> {
        let name = c"arrow_array_stream";
        let pointer = capsule.cast::<PyCapsule>()?.pointer_checked(Some(name))?;
        // SAFETY: the capsule's name says what is in it; taken out, it is ours to release,
        // and what is left behind is marked as released.
        let stream = unsafe { ArrayStream::take(pointer.cast().as_ptr()) };
        let was_read = || PyValueError::new_err("the Arrow stream was read before");
        let mut stream = stream.ok_or_else(was_read)?;
        let schema = stream.schema().map_err(PyValueError::new_err)?;
        if schema.format() != "+s" {
            let format = schema.format();
            return Err(PyTypeError::new_err(format!(
                "a frame has columns, and this Arrow stream is of type `{format}`"
            )));
        }
        let py = capsule.py();
        Ok(ArrowBatches { py, stream, schema })
    }

    pub fn py(&self) -> Python<'py> {
        self.py
    }

    pub fn names(&self) -> PyResult<Vec<String>> {
        let all = self.schema.children().into_iter();
        Ok(all.map(|own| own.name().to_string()).collect())
    }

    /// Reads some of the columns; gives them and the number of rows.
    pub fn columns(&mut self, wanted: &[usize]) -> PyResult<(Vec<PythonColumn>, usize)> {
        let schemas = self.schema.children();
        let mut readers: Vec<ArrowColumnReader<'_>> = wanted
            .iter()
            .map(|&at| ArrowColumnReader::new(schemas[at]))
            .collect::<Result<_, _>>()
            .map_err(PyTypeError::new_err)?;
        let mut n_rows = 0;
        // Batches are as long as the frame's chunks; columns grow by each.
        while let Some(batch) = self.stream.next().map_err(PyValueError::new_err)? {
            let (offset, length) = batch.extent().map_err(PyValueError::new_err)?;
            for (reader, &at) in readers.iter_mut().zip(wanted) {
                let own = batch
                    .child(at)
                    .ok_or_else(|| failure("a column is missing"));
                let own: &ArrowArray = own.map_err(PyValueError::new_err)?;
                reader
                    .add(own, offset, length)
                    .map_err(PyValueError::new_err)?;
            }
            n_rows += length;
        }
        let columns = readers.into_iter().map(ArrowColumnReader::finish).collect();
        Ok((columns, n_rows))
    }
}

fn text<'a>(pointer: *const std::ffi::c_char) -> &'a str {
    if pointer.is_null() {
        return "";
    }
    // SAFETY: the interface has texts that end in 0, which live as long as their structure.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().unwrap_or("")
}
