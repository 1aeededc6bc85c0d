//! Words the language brings along, each with one line for hovers and completion.

/// A word with its signature or form, and what it means.
pub type BuiltinWord = (&'static str, &'static str, &'static str);

/// Functions of constants.
pub const FUNCTIONS: &[BuiltinWord] = &[
    ("abs", "abs(x)", "x without its sign"),
    ("ceil", "ceil(x)", "x rounded up"),
    ("div", "div(a, b)", "a / b rounded down to an integer"),
    (
        "exp",
        "exp(x)",
        "e to the power x; before a colon it is a log weight, kept exactly",
    ),
    ("floor", "floor(x)", "x rounded down"),
    ("len", "len(list)", "number of members"),
    ("log", "log(x)", "natural logarithm"),
    ("max", "max(a, b, …)", "the largest"),
    ("min", "min(a, b, …)", "the smallest"),
    ("round", "round(x)", "the nearest integer"),
    ("sqrt", "sqrt(x)", "square root"),
];

/// Attributes, as they are written.
pub const ATTRIBUTES: &[BuiltinWord] = &[
    (
        "allow",
        "@allow(unused_node)",
        "silences a warning inside this statement",
    ),
    (
        "column",
        "@column(\"h_cm\")",
        "the data column a variable is read from; `{0}` stands for an index",
    ),
    (
        "frozen",
        "@frozen",
        "learning leaves the numbers of this statement as they are",
    ),
    ("missing", "@missing(\"NA\")", "cells that count as missing"),
    (
        "normalize",
        "@normalize",
        "scales the weights of sums so that they add up to 1",
    ),
    (
        "smooth",
        "@smooth",
        "multiplies children of sums by uniform distributions of what they miss",
    ),
    ("unit", "@unit(\"cm\")", "the unit shown beside values"),
];

/// Properties behind `is`.
pub const PROPERTIES: &[BuiltinWord] = &[
    (
        "smooth",
        "smooth",
        "the children of every sum mention the same variables",
    ),
    (
        "decomposable",
        "decomposable",
        "the children of every product share no variable",
    ),
    (
        "deterministic",
        "deterministic",
        "at most one child of every sum is positive for any input",
    ),
    (
        "structured",
        "structured",
        "all products split their variables along one vtree",
    ),
    ("normalized", "normalized", "weights and masses add up to 1"),
];

/// Kinds of parameters.
pub const PARAM_KINDS: &[BuiltinWord] = &[
    (
        "simplex",
        "simplex(K)",
        "K numbers from 0 up that add up to 1",
    ),
    ("unit", "unit", "one probability"),
    ("positive", "positive", "a number above 0"),
    ("real", "real", "any number"),
];

/// Domains of variables.
pub const DOMAINS: &[BuiltinWord] = &[
    ("bool", "bool", "`false` and `true`"),
    ("real", "real", "all real numbers"),
    ("nat", "nat", "0, 1, 2, …"),
];

/// Words that begin a statement.
pub const STATEMENTS: &[BuiltinWord] = &[
    ("var", "var NAME, … : DOMAIN;", "declares random variables"),
    (
        "const",
        "const NAME = VALUE;",
        "names a constant, which `-D NAME=VALUE` overrides",
    ),
    (
        "param",
        "param NAME : KIND = ?;",
        "declares a parameter; every use of it is tied",
    ),
    (
        "node",
        "node NAME[k in 0..K] = EXPR;",
        "names a unit of the circuit, or a family of them",
    ),
    ("root", "root EXPR;", "what the circuit computes"),
    (
        "def",
        "def NAME(ARGS) = EXPR;",
        "an expression that calls stand for",
    ),
    (
        "use",
        "use \"FILE\" as NAME;",
        "makes the names of another file visible behind a prefix",
    ),
    (
        "assert",
        "assert root is PROPERTY, …;",
        "has the compiler prove structural properties",
    ),
    (
        "query",
        "query P(EVENT | EVIDENCE);",
        "asks for a probability or density",
    ),
];

/// Words inside statements.
pub const INNER: &[BuiltinWord] = &[
    (
        "sum",
        "sum k in 0..K { w[k]: a[k] }",
        "a weighted sum over indices; an empty one is an error",
    ),
    (
        "prod",
        "prod k in 0..K { a[k] }",
        "a product over indices; an empty one is 1",
    ),
    (
        "if",
        "if TEST { EXPR } else { EXPR }",
        "chooses by constants, when the circuit is expanded",
    ),
    (
        "else",
        "if TEST { EXPR } else { EXPR }",
        "what stands if no test holds",
    ),
    (
        "in",
        "k in 0..K, sky in {a, b}, x ~ normal(0, 1) in [0, 5)",
        "ranges of indices, sets of values, truncation",
    ),
    (
        "where",
        "sum k in 0..K where k != 2 { … }",
        "which indices count",
    ),
    ("is", "assert root is smooth;", "stands before properties"),
    ("as", "use \"lib.pcirc\" as lib;", "stands before a prefix"),
    ("inf", "inf", "infinity, as an open end"),
];

/// The values of `bool` variables.
pub const TRUTHS: &[BuiltinWord] = &[
    ("true", "true", "the value 1 of a `bool` variable"),
    ("false", "false", "the value 0 of a `bool` variable"),
];

/// One word of a table.
pub fn find(table: &'static [BuiltinWord], name: &str) -> Option<&'static BuiltinWord> {
    table.iter().find(|(word, ..)| *word == name)
}

/// A word with a meaning of its own, wherever it stands.
pub fn keyword(name: &str) -> Option<&'static BuiltinWord> {
    let mut tables = [STATEMENTS, INNER, TRUTHS].into_iter();
    tables.find_map(|table| find(table, name))
}

/// Whether constants can be computed with a function of this name.
pub fn is_function(name: &str) -> bool {
    find(FUNCTIONS, name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pelton_compiler::circuit::Property;
    use pelton_compiler::load::{FileLoader, SourceInput};
    use pelton_compiler::{AnalysisOptions, analyze};
    use pelton_grammar::diagnostic::Code;
    use pelton_grammar::parse::RESERVED;

    /// The codes of what the compiler says about a text.
    fn codes(text: String) -> Vec<Code> {
        let input = SourceInput {
            name: "t".into(),
            path: None,
            bytes: text.into(),
        };
        let analysis = analyze(input, &FileLoader, &AnalysisOptions::default());
        analysis.found.iter().map(|d| d.code).collect()
    }

    #[test]
    fn the_compiler_knows_every_word() {
        for (name, ..) in FUNCTIONS {
            let found = codes(format!("const c = {name}(1); var x : real; root x;"));
            assert!(!found.contains(&Code::UnknownName), "{name}");
        }
        for (name, form, _) in ATTRIBUTES {
            let on_var = codes(format!("{form} var x : real; root x ~ normal(0, 1);"));
            let on_root = codes(format!("var x : real; {form} root x ~ normal(0, 1);"));
            let is_bad = |found: &[Code]| found.contains(&Code::BadAttribute);
            assert!(!is_bad(&on_var) || !is_bad(&on_root), "{name}");
        }
    }

    #[test]
    fn every_word_of_the_language_is_here() {
        for word in RESERVED {
            assert!(keyword(word).is_some(), "{word}");
        }
        for property in Property::ALL {
            assert!(find(PROPERTIES, property.name()).is_some());
        }
    }
}
