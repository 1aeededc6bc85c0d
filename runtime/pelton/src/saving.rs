//! Circuits as text, as drawings and as files.

use crate::open::is_beside;
use crate::{Circuit, Error, ErrorKind, Result};
use pelton_compiler::emit::{SourceOptions, SvgOptions, source_with_values, svg};
use pelton_runtime::store::{self, ModelDocument, StoreError, write_atomically, write_reason};
use std::path::Path;

impl Circuit {
    /// The text of the circuit with its values: the author's where that is possible, else,
    /// and where it uses other files, every unit written out. Compiled again, it is the same
    /// circuit bit for bit.
    pub fn to_source(&self) -> Result<String> {
        self.source(false)
    }

    /// A drawing of the circuit as a self-contained SVG file: every unit of a small one,
    /// of a large one a box for each family of nodes.
    ///
    /// ```
    /// # use pelton::Circuit;
    /// let circuit = Circuit::compile("var x : bool; root x ~ bernoulli(0.25);")?;
    /// assert!(circuit.to_svg().starts_with("<svg"));
    /// # Ok::<(), pelton::Error>(())
    /// ```
    pub fn to_svg(&self) -> String {
        let circuit = self.compiled.checked.circuit().clone();
        svg(&circuit.with_values(self.values()), &SvgOptions::default())
    }

    /// Saves the circuit with its values: as text if the name ends in `.pcirc`, as a model
    /// file if it ends in `.pelton` or has no ending. Other endings are refused: they stand
    /// for foreign formats, which `pelton convert` writes. The file is replaced whole
    /// or not at all.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        check_ending(path)?;
        if path.extension().is_some_and(|end| end == "pcirc") {
            let text = self.source(self.finds_uses(path))?;
            let written = write_atomically(path, |out| out.write_all(text.as_bytes()));
            return written.map_err(|error| not_written(path, &write_reason(&error)));
        }
        let circuit = self.compiled.checked.circuit();
        let saved = store::save(path, &self.document(), circuit, self.values());
        saved.map_err(|error| match error {
            StoreError::Io(error) => not_written(path, &write_reason(&error)),
            other => not_written(path, &other.to_string()),
        })
    }

    /// The bytes of a model file, which [`Circuit::from_bytes`] reads.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let circuit = self.compiled.checked.circuit();
        let bytes = store::to_bytes(&self.document(), circuit, self.values());
        bytes.map_err(|error| Error::new(ErrorKind::Numeric, error.to_string()))
    }

    /// What a model file holds beside values. What a former run left there does not belong
    /// to these.
    fn document(&self) -> ModelDocument {
        let mut document = self.compiled.document.clone();
        document.extra.clear();
        document.state.clear();
        document
    }

    /// Whether a text at this path finds what it uses, which was not handed over then.
    fn finds_uses(&self, path: &Path) -> bool {
        let program = &self.compiled.program;
        let main = program.sources.get(program.modules[0].source);
        main.path().is_some() && is_beside(program, path)
    }

    fn source(&self, finds_uses: bool) -> Result<String> {
        let compiled = &*self.compiled;
        let options = SourceOptions {
            analysis: &compiled.document.options(&compiled.options.analysis()),
            finds_uses,
        };
        let text = source_with_values(
            &compiled.program,
            &compiled.checked,
            self.values(),
            &options,
        );
        match text {
            Ok(source) => Ok(source.text),
            Err(error) => Err(Error::new(ErrorKind::Circuit, error.to_string())),
        }
    }
}

/// A file must hold what its name says.
fn check_ending(path: &Path) -> Result<()> {
    match path.extension().map(|ending| ending.to_string_lossy()) {
        None => Ok(()),
        Some(ending) if ending == "pelton" || ending == "pcirc" => Ok(()),
        Some(ending) => {
            let model = path.with_extension("pelton");
            let reason = format!(
                "`.{ending}` is neither circuit source (.pcirc) nor a model file (.pelton); save \
                 `{}`, which the command line converts to foreign formats",
                model.display(),
            );
            Err(not_written(path, &reason))
        }
    }
}

fn not_written(path: &Path, reason: &str) -> Error {
    Error::usage(format!("`{}` cannot be written: {reason}", path.display()))
}
