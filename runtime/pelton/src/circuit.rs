//! Circuits that are ready to be used.

use crate::parameters::ParameterNames;
use crate::{Diagnostic, Domain, Error, ErrorKind, Options, Result};
use pelton_compiler::Analysis;
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::ParameterValue;
use pelton_compiler::load::SourceProgram;
use pelton_compiler::stats::CircuitStatistics;
use pelton_runtime::data::BatchReader;
use pelton_runtime::store::ModelDocument;
use pelton_runtime::{Model, Parameters};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// A probabilistic circuit: checked, compiled, and with a value for each parameter.
///
/// Everything that asks takes `&self` and may be called from many threads at once. What
/// changes parameters takes `&mut self`. A clone shares what was compiled, costs next to
/// nothing, and from then on has parameters of its own: threads can go on with one while
/// another is trained.
#[derive(Clone)]
pub struct Circuit {
    pub(crate) compiled: Arc<CompiledCircuit>,
    pub(crate) parameters: Arc<Parameters>,
}

/// What does not change when parameters do.
pub(crate) struct CompiledCircuit {
    pub checked: Checked,
    pub document: ModelDocument,
    pub program: SourceProgram,
    pub model: Model,
    pub reader: BatchReader,
    pub options: Options,
    /// Parameters by name, listed when first asked for.
    pub names: OnceLock<ParameterNames>,
    diagnostics: Vec<Diagnostic>,
    variables: Vec<Variable>,
}

/// A random variable of a circuit.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Variable {
    /// Its name, with indices for a member of an array: `x[3]`.
    pub name: String,
    /// The values it can take.
    pub domain: Domain,
    /// The name of its column in data, if that is another one.
    pub column: Option<String>,
}

/// How large a circuit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Size {
    /// Units of any kind.
    pub units: usize,
    /// Edges from sums and products to their children.
    pub edges: usize,
    /// Numbers of all parameters, fixed or learned.
    pub parameters: usize,
    /// Degrees of freedom of what is learned.
    pub free_parameters: usize,
}

impl Circuit {
    /// Compiles a circuit from text; [`Options`] has more to choose.
    pub fn compile(text: &str) -> Result<Circuit> {
        Options::new().compile(text)
    }

    /// Reads a circuit from a file: source, a model file, or a circuit in a foreign format.
    pub fn load(path: impl AsRef<Path>) -> Result<Circuit> {
        Options::new().load(path)
    }

    /// Reads a circuit from the content of such a file; `name` is what messages call it.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Circuit> {
        Options::new().from_bytes(name, bytes)
    }

    pub(crate) fn new(
        analysis: Analysis,
        mut document: ModelDocument,
        options: &Options,
    ) -> Result<Self> {
        let (program, found, checked) = analysis.into_parts();
        let Some(mut checked) = checked else {
            let (kind, sources) = (ErrorKind::Circuit, &program.sources);
            return Err(Error::of_diagnostics(
                kind,
                &found,
                sources,
                options.words(),
            ));
        };
        if options.learns_all() {
            checked = checked.learn_all();
            document.learn_all = true;
        }
        let model = Model::compile(checked.clone(), &options.model())?;
        let circuit = checked.circuit();
        let variable = |own: &pelton_compiler::circuit::CircuitVariable| Variable {
            name: own.name.clone(),
            domain: own.domain.clone(),
            column: own.binding.column.clone(),
        };
        let messages = found
            .iter()
            .map(|own| Diagnostic::of(own, &program.sources, options.words()));
        Ok(Circuit {
            parameters: Arc::new(model.start_parameters()),
            compiled: Arc::new(CompiledCircuit {
                diagnostics: messages.collect(),
                variables: circuit.variables().iter().map(variable).collect(),
                reader: BatchReader::new(circuit),
                names: OnceLock::new(),
                options: options.clone(),
                checked,
                document,
                program,
                model,
            }),
        })
    }

    /// The variables, in the order of their columns.
    pub fn variables(&self) -> &[Variable] {
        &self.compiled.variables
    }

    /// The position of a variable, by its name or that of its column.
    pub fn variable(&self, name: &str) -> Result<usize> {
        Ok(self.compiled.reader.position(name)?)
    }

    /// Which columns of a frame, by position, are variables. A frame may leave variables
    /// out or have further columns; both at once is an error, because it is more often a
    /// misspelt name.
    pub fn frame_columns(&self, names: &[&str]) -> Result<Vec<usize>> {
        Ok(self.compiled.reader.frame_columns(names)?)
    }

    /// Warnings and notes about the text.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.compiled.diagnostics
    }

    /// How large the circuit is.
    pub fn size(&self) -> Size {
        let stats = CircuitStatistics::of(self.compiled.checked.circuit());
        Size {
            units: stats.units,
            edges: stats.edges,
            parameters: stats.parameters,
            free_parameters: stats.free_parameters,
        }
    }

    /// How the circuit was read and compiled.
    pub fn options(&self) -> &Options {
        &self.compiled.options
    }

    /// A value for each entry of the circuit as it was read.
    pub(crate) fn values(&self) -> &[ParameterValue] {
        let n_entries = self.compiled.checked.circuit().all_entries().len();
        &self.parameters.values()[..n_entries]
    }

    /// Replaces the values of all entries.
    pub(crate) fn set_values(&mut self, values: Vec<ParameterValue>) {
        self.parameters = Arc::new(self.compiled.model.parameters(values));
    }

    pub(crate) fn threads(&self) -> usize {
        self.compiled.options.n_threads()
    }
}

impl std::fmt::Debug for Circuit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (variables, size) = (self.variables().len(), self.size());
        write!(f, "Circuit({variables} variables, {} units)", size.units)
    }
}
