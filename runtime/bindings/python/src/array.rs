//! Arrays of NumPy: read where they lie, and made for results.
//!
//! NumPy tells where an array lies through the attribute `__array_struct__`, a protocol that
//! is older and more stable than its C interface, and all that is needed here.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyCapsule, PyCapsuleMethods, PyTuple, PyType};
use pyo3::{ffi, intern};
use std::ffi::{c_char, c_int, c_void};

/// The protocol's structure.
#[repr(C)]
struct ArrayInterface {
    two: c_int,
    n_dimensions: c_int,
    kind: c_char,
    item_size: c_int,
    flags: c_int,
    shape: *const ffi::Py_ssize_t,
    strides: *const ffi::Py_ssize_t,
    data: *mut c_void,
    descr: *mut ffi::PyObject,
}

const ALIGNED: c_int = 0x100;
const NATIVE: c_int = 0x200;
const WRITEABLE: c_int = 0x400;

/// Types of cells that are read where they lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumpyCell {
    F64,
    F32,
    I64,
    I32,
    U8,
}

/// A matrix in memory that belongs to NumPy, and is kept alive.
pub struct NumpyMatrix {
    _owner: Py<PyAny>,
    pub data: *const c_void,
    pub cell: NumpyCell,
    pub n_rows: usize,
    pub n_columns: usize,
    /// Cells from a row to the next, and from a column to the next.
    pub strides: (usize, usize),
}

// SAFETY: the memory is only read, and the array that owns it is kept; it may be dropped by
// any thread, because references that go without the lock are counted down later.
unsafe impl Send for NumpyMatrix {}
// SAFETY: as above.
unsafe impl Sync for NumpyMatrix {}

/// Whether an object is an array and of no subclass.
pub fn is_array(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    static ARRAY: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let array = ARRAY.import(object.py(), "numpy", "ndarray")?;
    Ok(object.is_exact_instance(array))
}

/// The matrix that an array of two dimensions is; none if its cells have to be copied,
/// because of their type, order of bytes or strides.
pub fn matrix(array: &Bound<'_, PyAny>) -> PyResult<Option<NumpyMatrix>> {
    let capsule = capsule(array)?;
    let own = interface(&capsule)?;
    if own.n_dimensions != 2 {
        return Err(PyTypeError::new_err(format!(
            "rows are an array of 2 dimensions, not of {}",
            own.n_dimensions
        )));
    }
    let Some(cell) = cell(own) else {
        return Ok(None);
    };
    // SAFETY: two dimensions have two sizes and strides.
    let (shape, strides) = unsafe {
        (
            [*own.shape, *own.shape.add(1)],
            [*own.strides, *own.strides.add(1)],
        )
    };
    // Strides are in bytes; batches count cells, which negative and odd ones cannot say.
    let size = own.item_size as isize;
    let is_plain = strides.iter().all(|&step| step >= 0 && step % size == 0);
    let has_cells = shape[0] > 0 && shape[1] > 0;
    if !is_plain && has_cells {
        return Ok(None);
    }
    Ok(Some(NumpyMatrix {
        _owner: array.clone().unbind(),
        data: own.data,
        cell,
        n_rows: shape[0] as usize,
        n_columns: shape[1] as usize,
        strides: if has_cells {
            ((strides[0] / size) as usize, (strides[1] / size) as usize)
        } else {
            (shape[1] as usize, 1)
        },
    }))
}

fn cell(own: &ArrayInterface) -> Option<NumpyCell> {
    if own.flags & ALIGNED == 0 || own.flags & NATIVE == 0 {
        return None;
    }
    match (own.kind as u8, own.item_size) {
        (b'f', 8) => Some(NumpyCell::F64),
        (b'f', 4) => Some(NumpyCell::F32),
        (b'i', 8) => Some(NumpyCell::I64),
        (b'i', 4) => Some(NumpyCell::I32),
        (b'u' | b'b', 1) => Some(NumpyCell::U8),
        _ => None,
    }
}

/// The numbers of an array of one dimension, which the package has made `float64`.
pub fn numbers(array: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    let capsule = capsule(array)?;
    let own = interface(&capsule)?;
    let is_plain = own.n_dimensions == 1 && cell(own) == Some(NumpyCell::F64);
    if !is_plain {
        return Err(PyTypeError::new_err("numbers are an array of `float64`"));
    }
    // SAFETY: one dimension has one size and stride, in bytes, within the array's memory.
    unsafe {
        let (n, step) = (*own.shape as usize, *own.strides);
        let data = own.data.cast_const().cast::<u8>();
        let at = |row: usize| {
            data.offset(row as isize * step)
                .cast::<f64>()
                .read_unaligned()
        };
        Ok((0..n).map(at).collect())
    }
}

/// A new array for results.
pub struct ResultArray<'py> {
    pub array: Bound<'py, PyAny>,
    data: *mut f64,
    n: usize,
}

/// Where results go, from any thread.
pub struct ResultBuffer {
    _owner: Py<PyAny>,
    data: *mut f64,
    n: usize,
}

// SAFETY: nobody else knows of the array until the work is done.
unsafe impl Send for ResultBuffer {}

impl<'py> ResultArray<'py> {
    pub fn new(py: Python<'py>, shape: &[usize]) -> PyResult<Self> {
        static EMPTY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let empty = EMPTY.import(py, "numpy", "empty")?;
        // NumPy refuses what is larger than memory, so that the product does not overflow.
        let array = empty.call1((PyTuple::new(py, shape)?,))?;
        let capsule = capsule(&array)?;
        let own = interface(&capsule)?;
        let is_plain = cell(own) == Some(NumpyCell::F64) && own.flags & WRITEABLE != 0;
        if !is_plain {
            return Err(PyTypeError::new_err("NumPy made no array of `float64`"));
        }
        let data = own.data.cast();
        Ok(ResultArray {
            array,
            data,
            n: shape.iter().product(),
        })
    }

    pub fn of(py: Python<'py>, shape: &[usize], numbers: &[f64]) -> PyResult<Bound<'py, PyAny>> {
        let places = ResultArray::new(py, shape)?;
        let mut target = places.target();
        target.numbers().copy_from_slice(numbers);
        Ok(places.array)
    }

    pub fn target(&self) -> ResultBuffer {
        ResultBuffer {
            _owner: self.array.clone().unbind(),
            data: self.data,
            n: self.n,
        }
    }
}

impl ResultBuffer {
    pub fn numbers(&mut self) -> &mut [f64] {
        // SAFETY: a new array lies in one piece, is kept alive, and is nobody else's. NumPy
        // gives memory that was not written to; as numbers go, any bits are one.
        unsafe { std::slice::from_raw_parts_mut(self.data, self.n) }
    }
}

fn capsule<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyCapsule>> {
    let capsule = array.getattr(intern!(array.py(), "__array_struct__"))?;
    Ok(capsule.cast_into::<PyCapsule>()?)
}

fn interface<'a>(capsule: &'a Bound<'_, PyCapsule>) -> PyResult<&'a ArrayInterface> {
    let pointer = capsule.pointer_checked(None)?;
    // SAFETY: the protocol says that this is in it, as long as the capsule lives.
    let own = unsafe { pointer.cast::<ArrayInterface>().as_ref() };
    match own.two {
        2 => Ok(own),
        _ => Err(PyTypeError::new_err("`__array_struct__` is not NumPy's")),
    }
}
