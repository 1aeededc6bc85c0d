//! `pelton build`

mod reserved;

use super::note_unset;
use crate::arguments::{BuildCommand, MessageArguments};
use crate::exit::Exit;
use crate::mass::Mass;
use crate::{CommandFailure, model, write};
use pelton_compiler::codegen::ahead::{Built, WeightsAre};
use pelton_runtime::{AheadOptions, build};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Compiles a circuit to an object file, a static library and a header.
pub fn run(options: &BuildCommand, messages: &MessageArguments) -> Result<Exit, CommandFailure> {
    let name = name(options)?;
    let checked = model::checked(&options.model, &options.reading, messages)?;
    note_unset(checked.circuit(), messages);
    write::make_folder(&options.output)?;
    write::can_be_written(&options.output.join(format!("{name}.h")))?;
    let values = checked.circuit().start_values();
    let mass = Mass::of(&checked).ok();
    let built = build(checked, values, &ahead(options, &name))?;
    if let Some(mass) = mass {
        mass.note("the likelihoods of the object are divided by it", messages);
    }
    let files = Files::new(options, &name);
    files.write(&built)?;
    let mut out = std::io::stdout().lock();
    if options.json {
        writeln!(out, "{}", files.json(options, &name, &built))?
    } else {
        files.tell(&mut out, options, &name, &built)?
    }
    Ok(Exit::Ok)
}

fn ahead<'a>(options: &BuildCommand, name: &'a str) -> AheadOptions<'a> {
    AheadOptions {
        name,
        target: options.target,
        precision: options.precision,
        weights: options.weights,
        threads: 0,
    }
}

/// The longest name, so that symbols stay within what every linker takes.
const LONGEST_NAME: usize = 64;

/// The name that was given, or what can be made of the file's.
fn name(options: &BuildCommand) -> Result<String, CommandFailure> {
    let Some(name) = &options.name else {
        let stem = options.model.file_stem().map(|stem| stem.to_string_lossy());
        let name = identifier(&stem.unwrap_or_default());
        return Ok(if reserved::is_taken(&name) {
            format!("{name}_circuit")
        } else {
            name
        });
    };
    if reserved::is_taken(name) {
        return Err(CommandFailure::Usage(format!(
            "`{name}` is a name that C or its libraries use; take another, for example \
             `--name {name}_circuit`"
        )));
    }
    if identifier(name) == *name {
        Ok(name.clone())
    } else {
        Err(CommandFailure::Usage(format!(
            "`{name}` is no name of a C function: take at most {LONGEST_NAME} letters, digits \
             and underscores, a letter first, for example `--name {}`",
            identifier(name)
        )))
    }
}

/// A text as an identifier that C, C++ and their libraries leave to programs.
fn identifier(text: &str) -> String {
    let letter = |letter: char| {
        if letter.is_ascii_alphanumeric() {
            letter
        } else {
            '_'
        }
    };
    let name: String = text.chars().map(letter).collect();
    let name = match name.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => name,
        _ => format!("circuit{name}"),
    };
    name.chars().take(LONGEST_NAME).collect()
}

/// The files that are written.
struct Files {
    object: PathBuf,
    library: PathBuf,
    header: PathBuf,
    weights: Option<PathBuf>,
}

impl Files {
    fn new(options: &BuildCommand, name: &str) -> Self {
        let place = |file: String| options.output.join(file);
        let is_loaded = options.weights == WeightsAre::Loaded;
        Files {
            object: place(format!("{name}.o")),
            library: place(format!("lib{name}.a")),
            header: place(format!("{name}.h")),
            weights: is_loaded.then(|| place(format!("{name}.weights"))),
        }
    }

    fn write(&self, built: &Built) -> Result<(), CommandFailure> {
        put(&self.object, &built.object)?;
        put(&self.library, &built.library)?;
        put(&self.header, built.header.as_bytes())?;
        match (&self.weights, &built.weights) {
            (Some(path), Some(weights)) => put(path, weights),
            _ => Ok(()),
        }
    }

    fn json(&self, options: &BuildCommand, name: &str, built: &Built) -> Value {
        json!({
            "name": name,
            "target": options.target.name(),
            "triple": options.target.triple(),
            "precision": options.precision.name(),
            "object": self.object.display().to_string(),
            "library": self.library.display().to_string(),
            "header": self.header.display().to_string(),
            "weights": self.weights.as_ref().map(|path| path.display().to_string()),
            "bytes": built.object.len(),
            "code_bytes": built.code_bytes,
            "workspace_bytes": built.workspace_bytes,
        })
    }

    fn tell(
        &self,
        out: &mut impl Write,
        options: &BuildCommand,
        name: &str,
        built: &Built,
    ) -> std::io::Result<()> {
        let precision = options.precision.name();
        writeln!(
            out,
            "{name}, {precision}, for {} ({}): {} bytes of code, {} of workspace",
            options.target.name(),
            options.target.triple(),
            built.code_bytes,
            built.workspace_bytes,
        )?;
        let files = [&self.object, &self.library, &self.header];
        for path in files.into_iter().chain(&self.weights) {
            writeln!(out, "wrote {}", path.display())?;
        }
        let folder = options.output.display();
        let library = self.library.display();
        writeln!(out, "link with: cc -I{folder} program.c {library} -lm")
    }
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), CommandFailure> {
    write::atomically(path, |out| out.write_all(bytes))
}
