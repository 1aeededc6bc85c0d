//! `pelton build`

mod reserved;

use super::note_unset;
use crate::arguments::{BuildCommand, MessageArguments};
use crate::mass::Mass;
use crate::{CommandFailure, CommandResult, Exit, model, write};
use pelton_compiler::codegen::ahead::Built;
use pelton_runtime::{AheadOptions, build};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

pub fn run(options: &BuildCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    let name = name(options)?;
    let checked = model::checked(&options.circuit.model, &options.circuit.reading, messages)?;
    note_unset(checked.circuit(), messages);
    write::make_folder(&options.output)?;
    write::can_be_written(&options.output.join(format!("{name}.h")))?;
    let values = checked.circuit().start_values();
    let mass = Mass::of(&checked).ok();
    let built = build(checked, values, &ahead(options, &name))?;
    if let Some(mass) = mass {
        mass.note("the likelihoods of the object are divided by it", messages);
    }
    let files = files(options, &name, &built);
    for (_, path, bytes) in &files {
        write::atomically(path, |out| out.write_all(bytes))?;
    }
    let mut out = std::io::stdout().lock();
    if options.json {
        writeln!(out, "{}", to_json(options, &name, &built, &files))?
    } else {
        tell(&mut out, options, &name, &built, &files)?
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
fn name(options: &BuildCommand) -> CommandResult<String> {
    let Some(name) = &options.name else {
        let stem = options
            .circuit
            .model
            .file_stem()
            .map(|stem| stem.to_string_lossy());
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

/// A file that is written: what it is, where, and what it holds.
type BuiltFile<'a> = (&'static str, PathBuf, &'a [u8]);

fn files<'a>(options: &BuildCommand, name: &str, built: &'a Built) -> Vec<BuiltFile<'a>> {
    let place = |file: String| options.output.join(file);
    let mut files = vec![
        ("object", place(format!("{name}.o")), &built.object[..]),
        ("library", place(format!("lib{name}.a")), &built.library),
        (
            "header",
            place(format!("{name}.h")),
            built.header.as_bytes(),
        ),
    ];
    if let Some(weights) = &built.weights {
        files.push(("weights", place(format!("{name}.weights")), weights));
    }
    files
}

fn to_json(options: &BuildCommand, name: &str, built: &Built, files: &[BuiltFile<'_>]) -> Value {
    let place = |wanted| files.iter().find(|(what, ..)| *what == wanted);
    let place = |wanted| place(wanted).map(|(_, path, _)| path.display().to_string());
    json!({
        "name": name,
        "target": options.target.name(),
        "triple": options.target.triple(),
        "precision": options.precision.name(),
        "object": place("object"),
        "library": place("library"),
        "header": place("header"),
        "weights": place("weights"),
        "bytes": built.object.len(),
        "code_bytes": built.code_bytes,
        "workspace_bytes": built.workspace_bytes,
    })
}

fn tell(
    out: &mut impl Write,
    options: &BuildCommand,
    name: &str,
    built: &Built,
    files: &[BuiltFile<'_>],
) -> std::io::Result<()> {
    let (target, triple) = (options.target.name(), options.target.triple());
    writeln!(
        out,
        "{name}, {}, for {target} ({triple}): {} bytes of code, {} of workspace",
        options.precision.name(),
        built.code_bytes,
        built.workspace_bytes,
    )?;
    for (_, path, _) in files {
        writeln!(out, "wrote {}", path.display())?;
    }
    let (folder, library) = (options.output.display(), files[1].1.display());
    writeln!(out, "link with: cc -I{folder} program.c {library} -lm")
}
