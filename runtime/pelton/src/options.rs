//! How circuits are read and compiled.

use crate::words::rust_words;
use crate::{Circuit, Engine, Error, Precision, RemedyWords, Result, open};
use pelton_compiler::check::DeterminismLimits;
use pelton_compiler::circuit::Property;
use pelton_compiler::load::SourceInput;
use pelton_compiler::lower::LowerOptions;
use pelton_runtime::ModelOptions;
use std::path::{Path, PathBuf};

/// How a circuit is read and compiled.
///
/// ```
/// use pelton::{Options, Precision};
///
/// let text = "const P = 0.5; var x : bool; root x ~ bernoulli(P);";
/// let circuit = Options::new().threads(1).precision(Precision::F64).define("P", "0.25").compile(text)?;
/// assert_eq!(circuit.query("P(x)")?.value(), 0.25);
/// # Ok::<(), pelton::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "options do nothing until a circuit is read with them"]
pub struct Options {
    words: RemedyWords,
    threads: usize,
    precision: Precision,
    engine: Engine,
    defines: Vec<(String, String)>,
    smooth: bool,
    learn_all: bool,
    effort: f64,
    files: Vec<(String, String)>,
    allow_use: Vec<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            words: rust_words,
            threads: 0,
            precision: Precision::default(),
            engine: Engine::default(),
            defines: Vec::new(),
            smooth: false,
            learn_all: false,
            effort: 1.0,
            files: Vec::new(),
            allow_use: Vec::new(),
        }
    }
}

impl Options {
    /// All cores, single precision, the fastest engine that this machine has.
    pub fn new() -> Self {
        Options::default()
    }

    /// Threads that evaluate and learn; 0 takes as many as there are cores. Results do
    /// not depend on it.
    pub fn threads(self, threads: usize) -> Self {
        Options { threads, ..self }
    }

    /// The numbers that kernels compute in; totals are double precision always.
    pub fn precision(self, precision: Precision) -> Self {
        Options { precision, ..self }
    }

    /// What evaluates the circuit.
    pub fn engine(self, engine: Engine) -> Self {
        Options { engine, ..self }
    }

    /// Gives a constant of the text another value.
    pub fn define(mut self, name: &str, value: &str) -> Self {
        self.defines.push((name.to_string(), value.to_string()));
        self
    }

    /// Repairs sums that are not smooth; [`Circuit::diagnostics`] says what was added.
    pub fn smooth(self, smooth: bool) -> Self {
        Options { smooth, ..self }
    }

    /// Whether the numbers that the text fixes are learned too, except zeros.
    pub fn learn_all(self, learn_all: bool) -> Self {
        Options { learn_all, ..self }
    }

    /// How long to search for a proof of determinism, as a multiple of the usual time.
    pub fn effort(self, effort: f64) -> Self {
        Options { effort, ..self }
    }

    /// Hands a text over that a circuit from memory may `use` by this name. It reaches
    /// nothing else.
    ///
    /// ```
    /// # use pelton::Options;
    /// let text = "use \"coin.pcirc\" as coin; var x : bool; root coin.fair(x);";
    /// let options = Options::new().file("coin.pcirc", "def fair(v) = v ~ bernoulli(0.5);");
    /// assert_eq!(options.compile(text)?.query("P(x)")?.value(), 0.5);
    /// # Ok::<(), pelton::Error>(())
    /// ```
    pub fn file(mut self, name: &str, text: &str) -> Self {
        self.files.push((name.to_string(), text.to_string()));
        self
    }

    /// Lets circuits that are [loaded](Options::load) `use` files of this folder, beside
    /// those below the folder of the file that uses them.
    pub fn allow_use(mut self, folder: impl Into<PathBuf>) -> Self {
        self.allow_use.push(folder.into());
        self
    }

    /// Compiles a circuit from text. It may use the texts that were handed over with
    /// [`Options::file`].
    pub fn compile(&self, text: &str) -> Result<Circuit> {
        self.from_bytes("circuit", text.as_bytes())
    }

    /// Reads a circuit from a file: source, a model file, or a circuit in a foreign format. It may
    /// use files below its folder, and those of [`Options::allow_use`].
    pub fn load(&self, path: impl AsRef<Path>) -> Result<Circuit> {
        if !self.files.is_empty() {
            let message = "texts are handed over to circuits from memory; a circuit that is \
                           loaded uses the files below its folder, and those of `allow_use`";
            return Err(Error::usage(message.to_string()));
        }
        let (analysis, document) = open::from_file(path.as_ref(), &self.analysis())?;
        Circuit::new(analysis, document, self)
    }

    /// Reads a circuit from the content of such a file; `name` is what messages call it.
    /// It may use the texts that were handed over with [`Options::file`].
    pub fn from_bytes(&self, name: &str, bytes: &[u8]) -> Result<Circuit> {
        if !self.allow_use.is_empty() {
            let message = "a circuit from memory reaches no folder: hand over the texts that it \
                           uses (`files`), or load it from a file";
            return Err(Error::usage(message.to_string()));
        }
        let input = SourceInput {
            name: name.to_string(),
            path: None,
            bytes: bytes.to_vec(),
        };
        let (analysis, document) = open::from_memory(input, &self.files, &self.analysis())?;
        Circuit::new(analysis, document, self)
    }

    /// The words in which messages about the text name options that would help. They are
    /// those of this crate unless a binding to another language brings its own.
    pub fn remedy_words(self, words: RemedyWords) -> Self {
        Options { words, ..self }
    }

    pub(crate) fn words(&self) -> RemedyWords {
        self.words
    }

    pub(crate) fn analysis(&self) -> pelton_compiler::AnalysisOptions {
        pelton_compiler::AnalysisOptions {
            lower: LowerOptions {
                defines: self.defines.clone(),
                ..LowerOptions::default()
            },
            smooth: self.smooth,
            // What is exact depends on them, so that they are worth knowing at once.
            decide: Property::ALL.to_vec(),
            limits: DeterminismLimits::default().scaled(self.effort),
            allow_use: self.allow_use.clone(),
            foreign: Some(pelton_formats::FOREIGN_FORMATS),
            ..pelton_compiler::AnalysisOptions::default()
        }
    }

    pub(crate) fn model(&self) -> ModelOptions {
        ModelOptions {
            engine: self.engine,
            precision: self.precision,
            threads: self.threads,
            ..ModelOptions::default()
        }
    }

    pub(crate) fn n_threads(&self) -> usize {
        self.threads
    }

    pub(crate) fn learns_all(&self) -> bool {
        self.learn_all
    }
}
