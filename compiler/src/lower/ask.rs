//! Questions that are asked of a circuit after it was built.
//!
//! They are written as in files. What a file declares beside its variables is gone by
//! then, so that a question speaks of variables and numbers; the variables are declared
//! anew from the circuit, which need not come from any file.

use super::{LowerOptions, Lowering, LoweringResult};
use crate::circuit::{CircuitGraph, DeclaredQuery, Event};
use crate::emit::declarations;
use crate::load::{Module, SourceProgram};
use pelton_grammar::ast::{Expr, QueryDecl};
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_grammar::parse::{ParseOptions, parse, parse_given, parse_query};
use pelton_grammar::source::{Source, SourceId, SourceMap};
use rustc_hash::FxHashMap;

/// A question that was not understood: what is wrong with it, and the texts that the
/// messages point into.
#[derive(Debug)]
pub struct NotUnderstood {
    /// What is wrong.
    pub found: SourceDiagnostics,
    /// The question and the variables that it may speak of.
    pub sources: SourceMap,
}

/// Reads a question such as `P(rain | wet, temp <= 10)`.
pub fn ask(circuit: &CircuitGraph, text: &str) -> LoweringResult<DeclaredQuery, NotUnderstood> {
    let parse = |source: &Source, found: &mut SourceDiagnostics| -> Option<QueryDecl> {
        parse_query(source, &ParseOptions::default(), found)
    };
    QuestionProgram::new(circuit, "query", text)
        .read(parse, |lowering, decl| lowering.read_query(decl))
}

/// Reads what is known, such as `wet, temp <= 10`; nothing at all always holds.
pub fn ask_given(circuit: &CircuitGraph, text: &str) -> LoweringResult<Event, NotUnderstood> {
    if text.trim().is_empty() {
        return Ok(Event::And(Vec::new()));
    }
    let parse = |source: &Source, found: &mut SourceDiagnostics| -> Option<Vec<Expr>> {
        parse_given(source, &ParseOptions::default(), found)
    };
    QuestionProgram::new(circuit, "given", text)
        .read(parse, |lowering, events| lowering.all_of(events))
}

/// A question beside the variables that it is about.
struct QuestionProgram {
    program: SourceProgram,
    question: SourceId,
    found: SourceDiagnostics,
}

impl QuestionProgram {
    fn new(circuit: &CircuitGraph, name: &str, text: &str) -> Self {
        let mut sources = SourceMap::new();
        let mut found = SourceDiagnostics::new();
        let question = sources.add(name.to_string(), None, text.to_string());
        let declared = declarations(circuit.variables()).text;
        let source = sources.add("variables".to_string(), None, declared);
        let file = parse(sources.get(source), &ParseOptions::default(), &mut found);
        let module = Module {
            file,
            source,
            prefix: String::new(),
            uses: FxHashMap::default(),
        };
        QuestionProgram {
            program: SourceProgram {
                sources,
                modules: vec![module],
            },
            question,
            found,
        }
    }

    fn read<P, T>(
        mut self,
        parse: impl FnOnce(&Source, &mut SourceDiagnostics) -> Option<P>,
        lower: impl for<'a> FnOnce(&mut Lowering<'a, '_>, &'a P) -> LoweringResult<T>,
    ) -> LoweringResult<T, NotUnderstood> {
        let source = self.program.sources.get(self.question);
        let read = parse(source, &mut self.found).and_then(|parsed| {
            let options = LowerOptions::default();
            let mut lowering = Lowering::new(&self.program, &options, &mut self.found);
            lowering.evaluate_constants();
            lowering.declare_variables();
            lower(&mut lowering, &parsed).ok()
        });
        // A number that was read as another one for want of a better is an error, too.
        read.filter(|_| !self.found.has_errors())
            .ok_or(NotUnderstood {
                found: self.found,
                sources: self.program.sources,
            })
    }
}
