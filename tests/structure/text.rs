//! What is written is canonical, and stays in its form when it has values.

use super::kit;
use pelton_compiler::circuit::CircuitGraph;
use pelton_compiler::emit::{SourceForm, SourceOptions, source_with_values};
use pelton_compiler::load::{FileLoader, SourceInput};
use pelton_compiler::{Analysis, AnalysisOptions};
use pelton_formats::analyze;
use pelton_grammar::format::format_source;
use pelton_grammar::parse::ParseOptions;
use pelton_grammar::source::Source;
use pelton_runtime::data::Schema;
use pelton_runtime::structure::{
    HiddenTree, HiddenTreeForm, VariableTree, clt_source, hclt_source,
};
use pelton_tests::dice::Dice;

fn read(text: &str) -> Analysis {
    let input = SourceInput {
        name: "test.pcirc".to_string(),
        path: None,
        bytes: text.as_bytes().to_vec(),
    };
    let analysis = analyze(input, &FileLoader, &AnalysisOptions::default());
    let found: Vec<&str> = analysis.found.iter().map(|m| m.message.as_str()).collect();
    assert!(found.is_empty(), "{found:?} in\n{text}");
    analysis
}

/// Everything about a circuit, written out.
fn flat(circuit: &CircuitGraph) -> String {
    let mut text = String::new();
    pelton_compiler::emit::circuit(circuit, &mut text).unwrap();
    text
}

fn assert_canonical(text: &str) {
    let source = Source::standalone("test.pcirc", text.to_string());
    let formatted = format_source(&source, &ParseOptions::default()).unwrap();
    for (found, wanted) in text.lines().zip(formatted.lines()) {
        assert_eq!(found, wanted, "in\n{text}");
    }
    assert_eq!(text, formatted);
}

/// The text with values is the text: read again, it is the circuit with these values.
fn assert_keeps_its_form(dice: &mut Dice, text: &str) {
    let (program, _, checked) = read(text).into_parts();
    let checked = checked.unwrap();
    let values = kit::drawn(dice, &kit::model(text));
    let options = SourceOptions {
        analysis: &AnalysisOptions::default(),
        finds_uses: true,
    };
    let written = source_with_values(&program, &checked, &values, &options).unwrap();
    assert_eq!(written.form, SourceForm::Author, "{text}");
    assert_canonical(&written.text);
    let again = read(&written.text).circuit.unwrap();
    let wanted = checked.circuit().clone().with_values(&values);
    assert_eq!(flat(&again), flat(&wanted), "{}", written.text);
}

fn texts(dice: &mut Dice, schema: &Schema, is_finite: bool) -> Vec<String> {
    let n_trees = 1 + dice.below(3);
    let trees: Vec<VariableTree> = (0..n_trees)
        .map(|_| kit::tree(dice, schema.columns.len()))
        .collect();
    let n_states = 1 + dice.below(4);
    let hidden = trees.iter().map(|tree| HiddenTree { tree, n_states });
    let hidden: Vec<HiddenTree> = hidden.collect();
    let mut texts = [HiddenTreeForm::Paper, HiddenTreeForm::Pelton]
        .map(|form| hclt_source(schema, &hidden, form))
        .to_vec();
    if is_finite {
        texts.push(clt_source(schema, &trees.iter().collect::<Vec<_>>()));
    }
    texts
}

#[test]
fn texts_are_canonical_and_take_values() {
    for seed in 0..60 {
        let mut dice = Dice::new(seed);
        let kinds = if seed % 2 == 0 { kit::FINITE } else { kit::ALL };
        let n_columns = 1 + dice.below(6);
        let schema = match seed % 3 {
            0 => kit::array(n_columns, dice.pick(kinds).domain(&mut dice)),
            _ => kit::named(&mut dice, n_columns, kinds),
        };
        for text in texts(&mut dice, &schema, seed % 2 == 0) {
            assert_canonical(&text);
            assert_keeps_its_form(&mut dice, &text);
        }
    }
}

/// A line for each of many columns is more than a screen, but no more than that.
#[test]
fn arrays_have_short_texts() {
    let mut dice = Dice::new(3);
    let schema = kit::array(500, kit::FINITE[0].domain(&mut dice));
    let tree = kit::tree(&mut dice, 500);
    let hidden = HiddenTree {
        tree: &tree,
        n_states: 4,
    };
    let text = hclt_source(&schema, &[hidden], HiddenTreeForm::Pelton);
    assert_canonical(&text);
    assert!(text.lines().count() < 200, "{text}");
}
