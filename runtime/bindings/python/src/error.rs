//! Errors as exceptions.

use crate::diagnostic;
use crate::words::python_words;
use pelton::Error;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyList;

/// Exceptions that are no error of the library: another call is changing the circuit, and a
/// fault of this package.
const BUSY: u8 = 5;
const INTERNAL: u8 = 6;

/// The exception of an error, which has everything that the error has.
pub fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let make = || -> PyResult<PyErr> {
        let messages = error.diagnostics().iter();
        let messages = messages.map(|own| diagnostic::to_python(py, own));
        let messages = PyList::new(py, messages.collect::<PyResult<Vec<_>>>()?)?;
        let cell = error.cell();
        let cell = cell.map(|own| (own.row, own.column, &own.variable, &own.value));
        let kind = error.kind() as u8;
        let made = maker(py)?.call1((kind, error.worded(python_words), messages, cell))?;
        Ok(PyErr::from_value(made))
    };
    make().unwrap_or_else(|error| error)
}

pub fn busy(py: Python<'_>) -> PyErr {
    plain(
        py,
        BUSY,
        "another call is changing the parameters of this circuit",
    )
}

pub fn internal(py: Python<'_>, what: &str) -> PyErr {
    plain(py, INTERNAL, &format!("this is a fault of pelton: {what}"))
}

fn plain(py: Python<'_>, kind: u8, message: &str) -> PyErr {
    let made = maker(py).and_then(|make| make.call1((kind, message, PyList::empty(py), py.None())));
    made.map_or_else(|error| error, PyErr::from_value)
}

fn maker(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    MAKE.import(py, "pelton._errors", "make")
}

/// Turns a result of the library into one of Python.
pub trait OrRaise<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for pelton::Result<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| exception(py, &error))
    }
}
