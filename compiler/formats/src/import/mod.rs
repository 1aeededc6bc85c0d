//! Circuits of other tools: each format has a reader that builds a [`Circuit`].
//!
//! What a file claims about itself (counts, determinism, normalization) is not believed:
//! an imported circuit passes the same repairs and checks as one that was written by
//! hand. Its units have names made of the file's ids and spans that are lines of the
//! file, so that messages point at what the tool wrote.

mod assembly;
mod bif;
mod clt;
mod cnf;
mod d4;
mod deeprob;
mod fault;
mod format;
mod formula;
mod jpc;
mod lines;
mod listing;
mod logic;
mod network;
mod nnf;
mod outline;
mod psdd;
mod rounding;
mod sdd;
mod spflow;
mod spn;
mod uai;
mod units;
mod weights;
mod words;

pub(crate) use fault::Fault;
pub use format::{Format, sniff};
use pelton_compiler::circuit::Circuit;
use pelton_compiler::load::{Input, Module, Program, add_text};
use pelton_compiler::lower::{LowerOptions, Lowered};
use pelton_grammar::ast::File;
use pelton_grammar::diagnostic::{Code, Diagnostic, Diagnostics};
use pelton_grammar::source::{Source, SourceMap, Span};
use rustc_hash::FxHashMap;

/// What a reader is given.
pub(crate) struct Context<'a> {
    /// The text.
    pub source: &'a Source,
    /// Greatest number of units and edges together; readers stop with a fault when they
    /// would build more, and never reserve memory by a number that a file claims.
    pub max_size: usize,
}

/// What a reader makes of a file.
#[derive(Debug)]
pub(crate) struct Imported {
    /// The graph.
    pub circuit: Circuit,
    /// What the user should know, such as how far weights were from adding up to 1.
    pub notes: Vec<String>,
}

/// Reads a circuit in another tool's format. If it cannot be read, that is reported.
pub fn import(
    input: Input,
    format: Format,
    options: &LowerOptions,
    found: &mut Diagnostics,
) -> (Program, Option<Lowered>) {
    let mut sources = SourceMap::new();
    let n_found = found.len();
    let id = match format.is_read() {
        true => add_text(input, &mut sources, found),
        // What is refused whatever it holds need not be text.
        false => sources.add(input.name, input.path, String::new()),
    };
    let source = sources.get(id);
    let context = Context {
        source,
        max_size: options.max_size,
    };
    let imported = match found.len() == n_found {
        true => read(format, &context)
            .map_err(|fault| found.push(fault.diagnostic(source, format)))
            .ok(),
        false => None,
    };
    let lowered = imported.map(|imported| {
        let mut notes = imported.notes.into_iter();
        if let Some(first) = notes.next() {
            let place = source.span().before();
            let note = Diagnostic::new(Code::Imported, place, first);
            found.push(notes.fold(note, |note, more| note.note(more)));
        }
        Lowered::without_text(imported.circuit)
    });
    let file = File {
        items: Vec::new(),
        broken: Vec::new(),
        comments: Vec::new(),
        span: Span::new(id, 0, 0),
    };
    let module = Module {
        file,
        source: id,
        prefix: String::new(),
        uses: FxHashMap::default(),
    };
    let program = Program {
        sources,
        modules: vec![module],
    };
    (program, lowered)
}

fn read(format: Format, context: &Context) -> Result<Imported, Fault> {
    match format {
        Format::Psdd => psdd::read(context),
        Format::Sdd => sdd::read(context),
        Format::Jpc => jpc::read(context),
        Format::Spn => spn::read(context),
        Format::Clt => clt::read(context),
        Format::Nnf => nnf::read(context),
        Format::D4 => d4::read(context),
        Format::Cnf | Format::Dnf => cnf::read(context),
        Format::Uai => uai::read(context),
        Format::Bif => bif::read(context),
        Format::Spflow => spflow::read(context),
        Format::Deeprob => deeprob::read(context),
        Format::Vtree | Format::Logistic | Format::Pickle => Err(Fault::refused(format)),
    }
}
