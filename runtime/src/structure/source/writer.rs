//! The text that is being written, and names that it may still take.

use crate::data::{Schema, SchemaColumn};
use pelton_compiler::circuit::split_name;
use pelton_grammar::format::format_source;
use pelton_grammar::parse::ParseOptions;
use pelton_grammar::source::SourceMap;
use std::collections::HashSet;

pub(super) struct StructureWriter<'a> {
    pub schema: &'a Schema,
    /// How the text refers to each variable.
    pub references: Vec<String>,
    /// Names that variables have.
    taken: HashSet<String>,
    /// What names that belong to a variable end in.
    ends: Vec<String>,
    /// Stands before numbers, where variables have names with numbers of their own.
    mark: String,
    text: String,
}

impl<'a> StructureWriter<'a> {
    /// Says what the circuit is, and declares its variables.
    pub fn new(what: &str, n_trees: usize, schema: &'a Schema) -> Self {
        let what = match n_trees {
            1 => format!("A {what}"),
            _ => format!("A mixture of {n_trees} {what}s"),
        };
        let over = match schema.columns.len() {
            1 => "1 variable".to_string(),
            n => format!("{n} variables"),
        };
        let declarations = schema.declarations();
        let columns = schema.columns.iter();
        let bases = columns.map(|column| split_name(&column.variable).0.to_string());
        let taken: HashSet<String> = bases.collect();
        StructureWriter {
            schema,
            references: schema.references(),
            ends: ends(schema, &taken),
            mark: mark(&taken),
            taken,
            text: format!("// {what} over {over}.\n{declarations}\n"),
        }
    }

    /// A name for something that is no variable: `name` itself unless a variable has it.
    pub fn name(&self, name: &str) -> String {
        free(name, &self.taken)
    }

    /// `z1_rain`: the name of something of one tree that belongs to a variable.
    pub fn belonging(&self, stem: &str, number: usize, variable: usize) -> String {
        self.numbered(stem, number, &format!("_{}", self.ends[variable]))
    }

    /// `z1`, or `z1_rain` with an end: the name of something of one tree. It differs
    /// from that of another tree in the number alone.
    pub fn numbered(&self, stem: &str, number: usize, end: &str) -> String {
        format!("{stem}{}{number}{end}", self.mark)
    }

    pub fn add(&mut self, lines: &str) {
        self.text += lines;
        self.text.push('\n');
    }

    /// The text as the formatter writes it.
    pub fn finish(self) -> String {
        let mut sources = SourceMap::new();
        let id = sources.add("learned", None, self.text.clone());
        format_source(sources.get(id), &ParseOptions::default()).unwrap_or(self.text)
    }
}

/// The name itself unless it is taken.
fn free(name: &str, taken: &HashSet<String>) -> String {
    let mut name = name.to_string();
    while taken.contains(&name) {
        name.push('_');
    }
    name
}

/// What names that belong to variables end in: the variable's name, or the column's
/// number if that is a member of an array.
fn ends(schema: &Schema, taken: &HashSet<String>) -> Vec<String> {
    let is_plain = |c: char| c == '_' || c.is_alphanumeric();
    let columns = (1..).zip(&schema.columns);
    let end = |(number, column): (usize, &SchemaColumn)| {
        if column.variable.chars().all(is_plain) {
            column.variable.clone()
        } else {
            free(&format!("column{number}"), taken)
        }
    };
    columns.map(end).collect()
}

/// What has to stand before numbers, so that no variable has the name of something
/// else.
fn mark(taken: &HashSet<String>) -> String {
    let is_numbered = |name: &String| {
        let end = name.trim_start_matches(|c: char| c.is_ascii_lowercase());
        end.starts_with(|c: char| c.is_ascii_digit())
    };
    if !taken.iter().any(is_numbered) {
        return String::new();
    }
    let mut mark = "_tree".to_string();
    while taken.iter().any(|name| name.contains(&mark)) {
        mark.push('_');
    }
    mark
}
