//! Messages about a circuit as Python's data.

use pelton::{Diagnostic, Place, WitnessValue};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// A message: the fields of the package's `Diagnostic` by name.
pub fn to_python<'py>(py: Python<'py>, own: &Diagnostic) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("code", &own.code)?;
    dict.set_item("severity", own.severity.name())?;
    dict.set_item("message", &own.message)?;
    dict.set_item("spans", PyList::new(py, own.places.iter().map(place))?)?;
    dict.set_item("notes", &own.notes)?;
    dict.set_item("help", &own.help)?;
    let suggestions = own.suggestions.iter().map(|suggestion| {
        let edits = suggestion.edits.iter();
        let edits: Vec<_> = edits
            .map(|edit| (place(&edit.place), &edit.replacement))
            .collect();
        (&suggestion.message, edits)
    });
    dict.set_item("suggestions", PyList::new(py, suggestions)?)?;
    let witness = PyDict::new(py);
    for (name, value) in &own.witness {
        match value {
            WitnessValue::Bool(value) => witness.set_item(name, value)?,
            WitnessValue::Int(value) => witness.set_item(name, value)?,
            WitnessValue::Category(value) => witness.set_item(name, value)?,
            WitnessValue::Real(value) => witness.set_item(name, value)?,
        }
    }
    dict.set_item("witness", witness)?;
    dict.set_item("rendered", &own.rendered)?;
    Ok(dict)
}

type PlaceFields<'a> = (&'a str, usize, usize, usize, usize, &'a str, bool);

fn place(own: &Place) -> PlaceFields<'_> {
    (
        &own.file,
        own.line,
        own.column,
        own.start,
        own.end,
        &own.label,
        own.is_primary,
    )
}
