//! The fuzz body of the front half: any bytes in, laws out.

use crate::text::NoFiles;
use pelton_compiler::circuit::{CircuitGraph, Property};
use pelton_compiler::load::SourceInput;
use pelton_compiler::lower::LowerOptions;
use pelton_compiler::{Analysis, AnalysisOptions};
use pelton_formats::analyze;
use pelton_grammar::diagnostic::{Severity, SourceDiagnostics, json, render};
use pelton_grammar::dump::dump;
use pelton_grammar::format::format;
use pelton_grammar::parse::{ParseOptions, parse};
use pelton_grammar::remedy::no_options;
use pelton_grammar::source::{Source, SourceMap};

/// Units and edges a fuzzed circuit may have, so that one input takes milliseconds.
const SIZE: usize = 20_000;

/// How often each outcome was seen, to show that inputs reach every stage.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcomes {
    /// Texts with an error in syntax, names or constants.
    pub not_lowered: usize,
    /// Circuits that broke a structural property or an assertion.
    pub wrong: usize,
    /// Circuits without an error.
    pub right: usize,
}

/// Reads, lowers, checks, prints and formats `bytes`.
pub fn front(bytes: &[u8], outcomes: &mut Outcomes) {
    let analysis = analyzed("fuzz.pcirc", bytes);
    places_are_in_the_text(&analysis);
    messages_can_be_shown(&analysis.found, &analysis.program.sources);
    formatting_keeps_the_tree(bytes);
    match (&analysis.circuit, analysis.found.has_errors()) {
        (None, _) => {
            assert!(analysis.found.has_errors(), "no circuit and no error");
            outcomes.not_lowered += 1;
        }
        (Some(_), true) => outcomes.wrong += 1,
        (Some(circuit), false) => {
            outcomes.right += 1;
            written_circuits_read_back(circuit);
        }
    }
}

/// What is known about a file, within limits that keep one input to milliseconds.
pub(super) fn analyzed(name: &str, bytes: &[u8]) -> Analysis {
    analyzed_within(SIZE, name, bytes)
}

fn analyzed_within(max_size: usize, name: &str, bytes: &[u8]) -> Analysis {
    let input = SourceInput {
        name: name.to_string(),
        path: None,
        bytes: bytes.to_vec(),
    };
    let mut options = AnalysisOptions {
        lower: LowerOptions {
            max_size,
            ..LowerOptions::default()
        },
        decide: Property::ALL.to_vec(),
        ..AnalysisOptions::default()
    };
    options.limits.implied_steps = 100_000;
    options.limits.pairs = 10_000;
    options.limits.pair_steps = 50_000;
    options.limits.sat_clauses = 20_000;
    options.limits.sat_conflicts = 200;
    analyze(input, &NoFiles, &options)
}

/// Every place that a message names can be shown.
pub(super) fn places_are_in_the_text(analysis: &Analysis) {
    for diagnostic in analysis.found.iter() {
        let edits = diagnostic.suggestions.iter().flat_map(|s| &s.edits);
        let spans = diagnostic.labels.iter().map(|label| label.span);
        for span in spans.chain(edits.map(|(span, _)| *span)) {
            let text = analysis.program.sources.get(span.source).text();
            assert!(
                text.get(span.range()).is_some(),
                "{}: {span:?} is no part of the text",
                diagnostic.code
            );
        }
    }
}

/// Every message can be shown in each of the forms.
pub(super) fn messages_can_be_shown(found: &SourceDiagnostics, sources: &SourceMap) {
    for diagnostic in found.iter() {
        assert!(!diagnostic.message.is_empty());
        let shown = render::human(diagnostic, sources, no_options, false);
        assert!(shown.contains(diagnostic.code.as_str()));
        let short = render::short(diagnostic, sources);
        assert!(!short.contains('\n'), "{short:?} is more than one line");
        assert!(json::to_json(diagnostic, sources, no_options).is_object());
    }
}

fn formatting_keeps_the_tree(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let read = |text: &str| {
        let mut found = SourceDiagnostics::new();
        let source = Source::standalone("fuzz.pcirc", text);
        let file = parse(&source, &ParseOptions::default(), &mut found);
        (found.count(Severity::Error) == 0).then_some((file, source))
    };
    let Some((file, source)) = read(text) else {
        return;
    };
    let formatted = format(&file, &source);
    let (again, source) = read(&formatted).expect("canonical text parses");
    assert_eq!(dump(&file), dump(&again), "formatting changed the tree");
    assert_eq!(
        formatted,
        format(&again, &source),
        "formatting is not idempotent"
    );
}

/// The written form of a circuit is a circuit of the same size without errors.
pub(super) fn written_circuits_read_back(circuit: &CircuitGraph) {
    let mut text = String::new();
    pelton_compiler::emit::circuit(circuit, &mut text).expect("what was read can be written");
    // What a rewrite added is not held against the text.
    let again = analyzed_within(4 * SIZE, "fuzz.pcirc", text.as_bytes());
    let errors: Vec<_> = again
        .found
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .collect();
    assert!(
        errors.is_empty(),
        "written form is wrong: {errors:?}\n{text}"
    );
}
