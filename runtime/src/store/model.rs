//! Saves and loads circuits with their values.

use super::bundle::BundleLoader;
use super::container::{self, TensorContainer};
use super::document::entry;
use super::values::{STATE, from_tensors, to_tensors};
use super::{ModelDocument, StoreError, write_atomically};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{CircuitGraph, ParameterValue};
use pelton_compiler::load::SourceProgram;
use pelton_compiler::{Analysis, AnalysisOptions, analyze};
use pelton_grammar::diagnostic::{Severity, SourceDiagnostics};
use std::io::{Error, Read, Write};
use std::path::Path;

/// Saves a circuit with a value for each of its entries; fixed ones keep the value
/// they have. `circuit` is the one that the document describes: analyzed, with
/// everything learned if the document says so, and not optimized. The file is
/// replaced whole or not at all.
pub fn save(
    path: &Path,
    document: &ModelDocument,
    circuit: &CircuitGraph,
    values: &[ParameterValue],
) -> Result<(), StoreError> {
    let mut fault = None;
    let written = write_atomically(path, |out| {
        write(document, circuit, values, out).map_err(|error| match error {
            StoreError::Io(error) => error,
            other => {
                let shown = Error::other(other.to_string());
                fault = Some(other);
                shown
            }
        })
    });
    match fault {
        Some(fault) => Err(fault),
        None => Ok(written?),
    }
}

/// The bytes that [`save`] writes.
pub fn to_bytes(
    document: &ModelDocument,
    circuit: &CircuitGraph,
    values: &[ParameterValue],
) -> Result<Vec<u8>, StoreError> {
    let mut bytes = Vec::new();
    write(document, circuit, values, &mut bytes)?;
    Ok(bytes)
}

fn write(
    document: &ModelDocument,
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    out: &mut dyn Write,
) -> Result<(), StoreError> {
    let (given, needed) = (values.len(), circuit.all_entries().len());
    if given != needed {
        let what = format!("there are {given}, and the circuit has {needed} entries");
        return Err(StoreError::Unsound(what));
    }
    let mut tensors = to_tensors(circuit, values)?;
    let state = document.state.iter();
    tensors.extend(state.map(|(name, tensor)| (format!("{STATE}{name}"), tensor.clone())));
    container::write(&document.to_metadata(circuit.fingerprint()), &tensors, out)
}

/// Whether a file that begins with these bytes (nine are enough) is a model file,
/// or a file of tensors at least.
pub fn looks_like_model(start: &[u8]) -> bool {
    container::has_frame(start)
}

/// Loads a model file within the usual limits.
pub fn load(path: &Path) -> Result<RestoredModel, StoreError> {
    StoredModel::open(path)?.load(path, &AnalysisOptions::default())
}

/// A circuit with its stored values, ready to be used.
#[derive(Debug)]
#[must_use]
pub struct RestoredModel {
    /// The circuit; what is learned starts at the stored values.
    pub checked: Checked,
    /// What it was derived from, and what the writer added.
    pub document: ModelDocument,
    /// The stored texts and their syntax trees.
    pub program: SourceProgram,
    /// What there is to say about the texts.
    pub found: SourceDiagnostics,
}

/// The content of a model file, before its texts have been looked at.
#[must_use]
pub struct StoredModel {
    /// What the circuit is derived from, and what the writer added.
    pub document: ModelDocument,
    container: TensorContainer,
}

impl StoredModel {
    /// Reads a file.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut file = std::fs::File::open(path)?;
        let n_bytes = file.metadata()?.len();
        StoredModel::read(&mut file, n_bytes)
    }

    /// Reads the content of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StoreError> {
        StoredModel::read(&mut { bytes }, bytes.len() as u64)
    }

    fn read(stream: &mut dyn Read, n_bytes: u64) -> Result<Self, StoreError> {
        let container = TensorContainer::read(stream, n_bytes)?;
        let mut document = ModelDocument::from_metadata(&container.metadata)?;
        for name in container.names() {
            if let Some(own) = name.strip_prefix(STATE)
                && let Some(tensor) = container.tensor(&name)?
            {
                document.state.insert(own.to_string(), tensor);
            }
        }
        Ok(StoredModel {
            document,
            container,
        })
    }

    /// Reads the stored texts within the limits of `options`; constants and
    /// smoothing are as stored. Messages call texts as if they lay in a folder
    /// called `file`. If the text means a circuit, it has its stored values; if
    /// not, the analysis says why.
    pub fn analyze(&self, file: &Path, options: &AnalysisOptions) -> Result<Analysis, StoreError> {
        let loader = BundleLoader {
            bundle: &self.document.bundle,
            folder: file.to_path_buf(),
        };
        let input = self.document.bundle.input(file);
        let mut analysis = analyze(input, &loader, &self.document.options(options));
        if let Some(circuit) = analysis.circuit.take() {
            analysis.circuit = Some(self.restore(circuit)?);
        }
        Ok(analysis)
    }

    /// Gives the circuit its values, if it is the one that was saved.
    fn restore(&self, circuit: CircuitGraph) -> Result<CircuitGraph, StoreError> {
        let circuit = if self.document.learn_all {
            circuit.learn_all()
        } else {
            circuit
        };
        let stored = entry(&self.container.metadata, "fingerprint")?;
        if circuit.fingerprint().to_string() != stored {
            return Err(StoreError::Differs);
        }
        let values = from_tensors(&circuit, &self.container)?;
        Ok(circuit.with_values(&values))
    }

    /// Reads the stored texts as [`StoredModel::analyze`] does; that they mean no
    /// circuit is an error.
    pub fn load(self, file: &Path, options: &AnalysisOptions) -> Result<RestoredModel, StoreError> {
        let (program, found, checked) = self.analyze(file, options)?.into_parts();
        match checked {
            Some(checked) => Ok(RestoredModel {
                checked,
                document: self.document,
                program,
                found,
            }),
            None => {
                let mut errors = found.iter().filter(|d| d.severity == Severity::Error);
                let first = errors.next().map(|error| error.message.clone());
                Err(StoreError::Text(first.unwrap_or_default()))
            }
        }
    }
}
