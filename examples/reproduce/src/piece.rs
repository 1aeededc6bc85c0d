//! Pieces of work, each of which is a file when it is done.

use super::dataset::Dataset;
use super::halt::Halt;
use super::identity::{add_test, differences, identity};
use crate::arguments::Reproduce;
use pelton_cli::arguments::MessageArguments;
use pelton_cli::machine::peak_memory;
use pelton_cli::{CommandFailure, CommandResult, engine, interrupt, write};
use pelton_runtime::ModelOptions;
use serde_json::{Value as Json, json};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A piece of work.
pub struct Piece<'a> {
    /// What it is about.
    pub dataset: &'a Dataset,
    /// The folder of its file within that of results.
    pub folder: &'static str,
    /// The file's name, without its end.
    pub name: String,
    /// All that decides about the result beside the data.
    pub options: Json,
    /// Whether test rows are evaluated for it.
    pub uses_test: bool,
}

/// What is there of a piece.
enum Kept {
    Nothing,
    /// Its result.
    Same(Json),
    /// A result that is not its own, and why.
    Other(String),
}

/// What all pieces share, and how many have come to an end.
pub struct ResultStore<'a> {
    /// What was asked for.
    pub options: &'a Reproduce,
    /// How messages are shown.
    pub messages: &'a MessageArguments,
    n_pieces: usize,
    n_kept: usize,
}

impl<'a> ResultStore<'a> {
    /// Nothing is done.
    pub fn new(options: &'a Reproduce, messages: &'a MessageArguments) -> Self {
        ResultStore {
            options,
            messages,
            n_pieces: 0,
            n_kept: 0,
        }
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.options.running.n_threads()
    }

    /// How circuits are compiled.
    pub fn model_options(&self) -> ModelOptions {
        engine::options(&self.options.running)
    }

    /// What of running a circuit decides about last digits.
    pub fn numbers(&self) -> Json {
        let running = &self.options.running;
        json!({
            "precision": engine::precision(running).name(),
            "engine": engine::chosen(running),
            "baseline": running.baseline,
        })
    }

    /// Where a file of results is.
    pub fn path(&self, folder: &str, file: &str) -> PathBuf {
        self.options.output.join(folder).join(file)
    }

    /// The result of a piece: the one that is there, or what `work` makes, which is
    /// kept. Test rows may be evaluated when all is decided, and not before.
    pub fn result(
        &mut self,
        piece: &Piece,
        work: impl FnOnce(&Self) -> Result<Json, Halt>,
    ) -> Result<Json, Halt> {
        let path = self.path(piece.folder, &format!("{}.json", piece.name));
        let mut identity = identity(&piece.options, piece.dataset)?;
        self.n_pieces += 1;
        match kept(&path, &identity, piece)? {
            Kept::Nothing => {}
            Kept::Same(result) => {
                self.n_kept += 1;
                return Ok(result);
            }
            Kept::Other(reason) => {
                let path = path.display();
                self.messages
                    .note(format!("`{path}` is not used, and run again: {reason}"));
            }
        }
        if interrupt::is_asked() {
            return Err(Halt::Interrupted);
        }
        let start = Instant::now();
        let mut result = work(self)?;
        let seconds = start.elapsed().as_secs_f64();
        if piece.uses_test {
            add_test(&mut identity, piece.dataset)?;
        }
        result["seconds"] = json!(seconds);
        result["threads"] = json!(self.threads());
        // Of the process until now, pieces before this one included.
        result["peak_memory_bytes"] = json!(peak_memory());
        result["identity"] = identity;
        self.write(&path, &format!("{result:#}\n"))?;
        Ok(result)
    }

    /// Writes a file of results, whole or not at all.
    pub fn write(&self, path: &Path, text: &str) -> CommandResult<()> {
        write::atomically(path, |file| file.write_all(text.as_bytes()))
    }

    /// Says how much had been done before.
    pub fn tell_kept(&self) {
        let (n_kept, n_pieces) = (self.n_kept, self.n_pieces);
        if n_kept > 0 {
            self.messages.note(format!(
                "{n_kept} of {n_pieces} results had been computed before"
            ));
        }
    }
}

/// Looks what is there of a piece. Only a result that agrees in everything else is
/// reason to look at the test file: what it is about has been decided long ago.
fn kept(path: &Path, identity: &Json, piece: &Piece) -> CommandResult<Kept> {
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Kept::Nothing),
        Err(error) => {
            let message = format!("`{}` cannot be read: {error}", path.display());
            return Err(CommandFailure::Usage(message));
        }
    };
    let Ok(result) = serde_json::from_slice::<Json>(&text) else {
        return Ok(Kept::Other("it is damaged".to_string()));
    };
    let mut found = differences(&result["identity"], identity);
    if found.is_empty() && piece.uses_test {
        let mut whole = identity.clone();
        add_test(&mut whole, piece.dataset)?;
        found = differences(&result["identity"], &whole);
    }
    Ok(if found.is_empty() {
        Kept::Same(result)
    } else {
        Kept::Other(found.join(", "))
    })
}
