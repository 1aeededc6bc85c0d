//! How circuits are read, as the package says it.

use crate::words::python_words;
use pelton::{Engine, Options, Precision};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;

/// A dictionary of the package, which has all of these.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct CircuitSettings {
    threads: usize,
    precision: String,
    engine: String,
    define: Vec<(String, String)>,
    smooth: bool,
    learn_all: bool,
    effort: f64,
    files: Vec<(String, String)>,
    allow_use: Vec<PathBuf>,
}

impl CircuitSettings {
    pub fn options(&self) -> PyResult<Options> {
        let precisions = [("single", Precision::F32), ("double", Precision::F64)];
        let engines: Vec<_> = Engine::ALL.iter().map(|&own| (own.name(), own)).collect();
        if !(self.effort.is_finite() && self.effort >= 0.0) {
            let message = format!("effort is {}, not a number from 0 up", self.effort);
            return Err(PyValueError::new_err(message));
        }
        let options = Options::new()
            .remedy_words(python_words)
            .threads(self.threads)
            .precision(choose("precision", &self.precision, &precisions)?)
            .engine(choose("engine", &self.engine, &engines)?)
            .smooth(self.smooth)
            .learn_all(self.learn_all)
            .effort(self.effort);
        let defines = self.define.iter();
        let options = defines.fold(options, |options, (name, value)| {
            options.define(name, value)
        });
        let files = self.files.iter();
        let options = files.fold(options, |options, (name, text)| options.file(name, text));
        let folders = self.allow_use.iter();
        Ok(folders.fold(options, |options, folder| options.allow_use(folder)))
    }
}

/// What a word stands for.
pub fn choose<T: Copy>(what: &str, word: &str, all: &[(&str, T)]) -> PyResult<T> {
    let found = all.iter().find(|(name, _)| *name == word);
    found.map(|(_, own)| *own).ok_or_else(|| {
        let names: Vec<String> = all.iter().map(|(name, _)| format!("'{name}'")).collect();
        let names = names.join(", ");
        PyValueError::new_err(format!("{what} is one of {names}, not '{word}'"))
    })
}
