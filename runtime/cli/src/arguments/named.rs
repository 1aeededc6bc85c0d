//! Options that choose from a table: one parser for all of them.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A choice: what it is called, what it stands for, and a line of help.
pub type NamedChoice<T> = (&'static str, T, &'static str);

/// Reads the name of a choice.
pub fn named<T>(choices: &'static [NamedChoice<T>]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let names = choices.iter();
    let names = names.map(|(name, _, about)| PossibleValue::new(*name).help(*about));
    PossibleValuesParser::new(names).map(|name| {
        let chosen = choices.iter().find(|choice| choice.0 == name);
        chosen.expect("only names of the table are possible").1
    })
}
