//! Names and categories with every odd character, in data and in questions.

use super::*;
use pelton_compiler::lower::ask;

const ODD: [&str; 10] = [
    " ",
    "a ",
    "a",
    "",
    "NA",
    "?",
    "nan",
    "x,y",
    "say \"hi\"",
    "two\nlines",
];

/// A variable whose categories are [`ODD`].
fn odd() -> CircuitGraph {
    let names: Vec<String> = ODD.iter().map(|name| format!("{:?}", name)).collect();
    let names = names.join(", ");
    circuit(&format!("var c : {{{names}}}; root c ~ uniform();"))
}

#[test]
fn quoted_cells_are_verbatim_and_categories_never_missing() {
    let quoted = ODD.map(|name| format!("\"{}\"", name.replace('"', "\"\"")));
    let text = format!("c\n{}\n", quoted.join("\n"));
    let table = read_bytes(&odd(), text).unwrap().table;
    assert_eq!(table.columns()[0], Column::Small((0..10).collect()));
}

#[test]
fn texts_of_batches_are_verbatim() {
    let reader = BatchReader::new(&odd());
    let table = reader.table(&Batch::texts(&ODD, ODD.len(), 1)).unwrap();
    assert_eq!(table.columns()[0], Column::Small((0..10).collect()));
}

#[test]
fn a_category_is_not_missing_though_a_word_says_so() {
    let circuit = circuit("@missing(\"a\", \"z\") var c : {a, b}; root c ~ uniform();");
    let table = read_bytes(&circuit, "c\na\nz\nb\n").unwrap().table;
    assert_eq!(table.columns()[0], Column::Small(vec![0, MISSING_SMALL, 1]));
}

#[test]
fn members_of_arrays_with_columns_are_asked_for_by_name() {
    let circuit = circuit(
        "@column(\"p{0}_{1}\") var px[0..2, 0..2] : bool;
         root prod i in 0..2 { prod j in 0..2 { px[i, j] ~ bernoulli(0.5) } };",
    );
    for question in [
        "P(px[1, 1])",
        "P(px[0,1] | !px[1, 0])",
        "P(px[0, 0] = true)",
    ] {
        assert!(ask(&circuit, question).is_ok(), "{question}");
    }
    assert!(ask(&circuit, "P(px[2, 0])").is_err());
}

#[test]
fn many_categories_cost_no_messages() {
    // Looking for the nearest of so many names for each of 128 characters took seconds.
    let names: Vec<String> = (0..200_000).map(|at| format!("c{at}")).collect();
    let circuit = circuit(&format!(
        "var x : {{{}}}; root x ~ uniform();",
        names.join(", ")
    ));
    let error = read_bytes(&circuit, "x\nc1\nc200000\n").unwrap_err();
    assert!(
        error.help.unwrap().to_string().starts_with("did you mean"),
        "of one cell"
    );
    let error = read_bytes(&circuit, "x\nc1\nunlike-any-of-them\n").unwrap_err();
    let help = error.help.unwrap().to_string();
    assert!(help.contains("`c4` and 199995 more"), "{help}");
}
