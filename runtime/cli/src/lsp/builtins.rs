//! Words the language brings along, each with one line for hovers and completion.

/// A word with its signature or form, and what it means.
pub type BuiltinWord = (&'static str, &'static str, &'static str);

/// Words of one kind, a line each: the word, its form and its meaning between tabs.
#[derive(Clone, Copy)]
pub struct BuiltinTable(&'static str);

/// Functions of constants.
pub const FUNCTIONS: BuiltinTable = BuiltinTable(include_str!("words/functions.tsv"));
/// Attributes, as they are written.
pub const ATTRIBUTES: BuiltinTable = BuiltinTable(include_str!("words/attributes.tsv"));
/// Properties behind `is`.
pub const PROPERTIES: BuiltinTable = BuiltinTable(include_str!("words/properties.tsv"));
/// Kinds of parameters.
pub const PARAM_KINDS: BuiltinTable = BuiltinTable(include_str!("words/param_kinds.tsv"));
/// Domains of variables.
pub const DOMAINS: BuiltinTable = BuiltinTable(include_str!("words/domains.tsv"));
/// Words that begin a statement.
pub const STATEMENTS: BuiltinTable = BuiltinTable(include_str!("words/statements.tsv"));
/// Words inside statements.
pub const INNER: BuiltinTable = BuiltinTable(include_str!("words/inner.tsv"));
/// The values of `bool` variables.
pub const TRUTHS: BuiltinTable = BuiltinTable(include_str!("words/truths.tsv"));

impl BuiltinTable {
    pub fn words(self) -> impl Iterator<Item = BuiltinWord> {
        self.0.lines().filter_map(|line| {
            let (name, rest) = line.split_once('\t')?;
            let (form, meaning) = rest.split_once('\t')?;
            Some((name, form, meaning))
        })
    }

    pub fn find(self, name: &str) -> Option<BuiltinWord> {
        self.words().find(|(word, ..)| *word == name)
    }
}

/// A word with a meaning of its own, wherever it stands.
pub fn keyword(name: &str) -> Option<BuiltinWord> {
    let mut tables = [STATEMENTS, INNER, TRUTHS].into_iter();
    tables.find_map(|table| table.find(name))
}

/// Whether constants can be computed with a function of this name.
pub fn is_function(name: &str) -> bool {
    FUNCTIONS.find(name).is_some()
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
        for (name, ..) in FUNCTIONS.words() {
            let found = codes(format!("const c = {name}(1); var x : real; root x;"));
            assert!(!found.contains(&Code::UnknownName), "{name}");
        }
        for (name, form, _) in ATTRIBUTES.words() {
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
            assert!(PROPERTIES.find(property.name()).is_some());
        }
    }
}
