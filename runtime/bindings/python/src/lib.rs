//! Pelton for Python: what the package `pelton` does in Rust.
//!
//! The package's own modules make arrays and frames alike, shape results and document
//! everything; this one reads memory of others, computes without the interpreter's lock,
//! and lets Ctrl-C through. A call works on the circuit as it was when it began.

mod array;
mod arrow;
mod ask;
mod circuit;
mod diagnostic;
mod error;
mod fit;
mod options;
mod rows;
mod structure;
mod texts;
mod work;

use pyo3::prelude::*;

#[pymodule]
mod _pelton {
    #[pymodule_export]
    use super::circuit::Core;
    #[pymodule_export]
    use super::rows::Rows;
    #[pymodule_export]
    use super::structure::learn_structure;

    #[pymodule_init]
    fn init(module: &super::Bound<'_, super::PyModule>) -> super::PyResult<()> {
        use super::PyModuleMethods;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
