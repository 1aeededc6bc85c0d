//! Circuits of other tools: each format has a reader that builds a [`CircuitGraph`].
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

pub(crate) use fault::ImportError;
pub use format::{CircuitFormat, sniff};
use pelton_compiler::circuit::CircuitGraph;
use pelton_compiler::load::{Module, SourceInput, SourceProgram, add_text};
use pelton_compiler::lower::{LowerOptions, Lowered};
use pelton_grammar::ast::FileSyntax;
use pelton_grammar::diagnostic::{Code, SourceDiagnostic, SourceDiagnostics};
use pelton_grammar::source::{Source, SourceMap, Span};
use rustc_hash::FxHashMap;

/// What a reader is given.
pub(crate) struct ImportContext<'a> {
    /// The text.
    pub source: &'a Source,
    /// Greatest number of units and edges together; readers stop with a fault when they
    /// would build more, and never reserve memory by a number that a file claims.
    pub max_size: usize,
}

/// What a reader makes of a file.
#[derive(Debug)]
pub(crate) struct ImportedCircuit {
    /// The graph.
    pub circuit: CircuitGraph,
    /// What the user should know, such as how far weights were from adding up to 1.
    pub notes: Vec<String>,
}

/// Reads a circuit in another tool's format. If it cannot be read, that is reported.
pub fn import(
    input: SourceInput,
    format: CircuitFormat,
    options: &LowerOptions,
    found: &mut SourceDiagnostics,
) -> (SourceProgram, Option<Lowered>) {
    let mut sources = SourceMap::new();
    let n_found = found.len();
    let id = if format.is_read() {
        add_text(input, &mut sources, found)
    } else {
        // What is refused whatever it holds need not be text.
        sources.add(input.name, input.path, String::new())
    };
    let source = sources.get(id);
    let context = ImportContext {
        source,
        max_size: options.max_size,
    };
    let imported = if found.len() == n_found {
        read(format, &context)
            .map_err(|fault| found.push(fault.diagnostic(source, format)))
            .ok()
    } else {
        None
    };
    let lowered = imported.map(|imported| {
        let mut notes = imported.notes.into_iter();
        if let Some(first) = notes.next() {
            let place = source.span().before();
            let note = SourceDiagnostic::new(Code::Imported, place, first);
            found.push(notes.fold(note, |note, more| note.note(more)));
        }
        Lowered::without_text(imported.circuit)
    });
    let file = FileSyntax {
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
    let program = SourceProgram {
        sources,
        modules: vec![module],
    };
    (program, lowered)
}

fn read(format: CircuitFormat, context: &ImportContext) -> Result<ImportedCircuit, ImportError> {
    match format {
        CircuitFormat::Psdd => psdd::read(context),
        CircuitFormat::Sdd => sdd::read(context),
        CircuitFormat::Jpc => jpc::read(context),
        CircuitFormat::Spn => spn::read(context),
        CircuitFormat::Clt => clt::read(context),
        CircuitFormat::Nnf => nnf::read(context),
        CircuitFormat::D4 => d4::read(context),
        CircuitFormat::Cnf | CircuitFormat::Dnf => cnf::read(context),
        CircuitFormat::Uai => uai::read(context),
        CircuitFormat::Bif => bif::read(context),
        CircuitFormat::Spflow => spflow::read(context),
        CircuitFormat::Deeprob => deeprob::read(context),
        CircuitFormat::Vtree | CircuitFormat::Logistic | CircuitFormat::Pickle => {
            Err(ImportError::refused(format))
        }
    }
}
