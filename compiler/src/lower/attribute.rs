//! Attributes: where each may stand and what it takes.

use super::{Lowering, LoweringResult};
use crate::circuit::VariableAttributes;
use pelton_grammar::ast::{Attribute, ExprKind, Item, ItemKind};
use pelton_grammar::diagnostic::{
    Code, Severity, SourceDiagnostic, SourceDiagnostics, joined, listed, quoted_list,
};
use pelton_grammar::parse::STARTERS;
use pelton_grammar::source::Span;

/// Every attribute, with the statements it may stand before.
const ATTRIBUTES: &[(&str, &[&str])] = &[
    ("allow", STARTERS),
    ("column", &["var"]),
    ("frozen", &["param", "node", "root"]),
    ("missing", &["var"]),
    ("normalize", &["node", "root"]),
    ("smooth", &["node", "root"]),
    ("unit", &["var"]),
];

/// Warnings that `@allow` silences, each inside one statement.
#[derive(Clone, Debug, Default)]
pub struct AllowedWarnings {
    list: Vec<(Code, Span)>,
}

impl AllowedWarnings {
    /// Drops the messages that were allowed; errors are never dropped.
    pub fn silence(&self, found: &mut SourceDiagnostics) {
        found.retain(|diagnostic| {
            let Some(span) = diagnostic.primary_span() else {
                return true;
            };
            let allowed = self.list.iter().any(|&(code, item)| {
                code == diagnostic.code
                    && item.source == span.source
                    && item.start <= span.start
                    && span.end <= item.end
            });
            diagnostic.severity == Severity::Error || !allowed
        });
    }
}

pub(super) fn has(item: &Item, name: &str) -> bool {
    item.attributes.iter().any(|a| a.name.text == name)
}

impl<'a> Lowering<'a, '_> {
    /// Reports attributes that are unknown, misplaced or wrongly filled.
    pub(super) fn check_attributes(&mut self) {
        for item in self.program.items() {
            for (at, attribute) in item.attributes.iter().enumerate() {
                self.check_attribute(attribute, keyword(item));
                self.check_repeated(attribute, &item.attributes[..at]);
            }
        }
    }

    fn check_attribute(&mut self, attribute: &Attribute, keyword: &str) {
        let name = attribute.name.text.as_str();
        let Some(&(_, places)) = ATTRIBUTES.iter().find(|(known, _)| *known == name) else {
            return self.report_unknown_attribute(attribute);
        };
        if !places.contains(&keyword) {
            let message = format!("`@{name}` cannot stand before `{keyword}`");
            let diagnostic = SourceDiagnostic::new(Code::BadAttribute, attribute.span, message)
                .at("misplaced")
                .help(format!("`@{name}` belongs to {}", quoted_list(places)));
            self.error(diagnostic);
            return;
        }
        let n_args = attribute.args.len();
        let problem = match (name, texts(attribute)) {
            ("column" | "unit", Some(_)) if n_args == 1 => None,
            ("column", _) => {
                Some("`@column` takes one text, such as `@column(\"height_cm\")`".to_string())
            }
            ("unit", _) => Some("`@unit` takes one text, such as `@unit(\"cm\")`".to_string()),
            ("missing", Some(_)) if n_args > 0 => None,
            ("missing", _) => {
                Some("`@missing` takes texts, such as `@missing(\"NA\", \"?\")`".to_string())
            }
            ("allow", _) => allow_problem(attribute),
            _ => (n_args > 0).then(|| format!("`@{name}` takes no arguments")),
        };
        if let Some(problem) = problem {
            let diagnostic =
                SourceDiagnostic::new(Code::BadAttribute, attribute.span, problem).at("here");
            self.error(diagnostic);
        }
    }

    /// Reports an attribute that takes the place of an earlier one.
    fn check_repeated(&mut self, attribute: &Attribute, earlier: &[Attribute]) {
        let name = attribute.name.text.as_str();
        let first = earlier.iter().find(|other| other.name.text == name);
        if let (Some(first), "column" | "unit") = (first, name) {
            let message = format!("`@{name}` is given twice");
            let diagnostic = SourceDiagnostic::new(Code::BadAttribute, attribute.span, message)
                .at("again here")
                .label(first.span, "first here");
            self.error(diagnostic);
        }
    }

    fn report_unknown_attribute(&mut self, attribute: &Attribute) {
        let name = &attribute.name;
        let known = ATTRIBUTES.iter().map(|(known, _)| *known);
        let message = format!("there is no attribute `@{}`", name.text);
        let diagnostic = SourceDiagnostic::new(Code::BadAttribute, name.span, message);
        let diagnostic = match super::resolve::nearest(&name.text, known.clone()) {
            Some(near) => {
                let diagnostic = diagnostic.at(format!("did you mean `@{near}`?"));
                diagnostic.suggest(format!("write `@{near}`"), name.span, near)
            }
            None => {
                let all = joined(known.map(|name| format!("@{name}")), " ");
                diagnostic.at("unknown").help(format!("there are {all}"))
            }
        };
        self.error(diagnostic);
    }

    /// How a variable, or a member of an array of them, is bound to data.
    /// `{0}`, `{1}` … in a column's name stand for the indices.
    pub(super) fn binding(
        &mut self,
        item: &'a Item,
        indices: &[i64],
    ) -> LoweringResult<VariableAttributes> {
        let mut binding = VariableAttributes::default();
        for attribute in &item.attributes {
            let Some(texts) = texts(attribute) else {
                continue;
            };
            match (attribute.name.text.as_str(), texts.as_slice()) {
                ("column", [column]) => {
                    binding.column = Some(self.column(attribute, column, indices)?);
                }
                ("unit", [unit]) => binding.unit = Some(unit.to_string()),
                ("missing", marks) => {
                    binding
                        .missing
                        .extend(marks.iter().map(|mark| mark.to_string()));
                }
                _ => {}
            }
        }
        Ok(binding)
    }

    fn column(
        &mut self,
        attribute: &Attribute,
        pattern: &str,
        indices: &[i64],
    ) -> LoweringResult<String> {
        let mut column = pattern.to_string();
        for (position, index) in indices.iter().enumerate() {
            // Each index needs its place, or two members would be read from one column.
            let hole = format!("{{{position}}}");
            if !column.contains(&hole) {
                let message = "all members of this array would be bound to one column";
                let diagnostic = SourceDiagnostic::new(Code::BadAttribute, attribute.span, message)
                    .at(format!("`{hole}` for the index is missing"))
                    .help("write the place of each index, such as `@column(\"pixel_{0}\")`");
                return Err(self.error(diagnostic));
            }
            column = column.replace(&hole, &index.to_string());
        }
        Ok(column)
    }

    /// What `@allow` silences, and where.
    pub(super) fn allowed(&self) -> AllowedWarnings {
        let allows = self.program.items().flat_map(|item| {
            let allows = item.attributes.iter().filter(|a| a.name.text == "allow");
            let names = allows
                .flat_map(|attribute| &attribute.args)
                .filter_map(super::plain_name);
            let codes = names.filter_map(|name| name.text.parse::<Code>().ok());
            codes.map(|code| (code, item.span))
        });
        let list = allows.collect();
        AllowedWarnings { list }
    }
}

fn keyword(item: &Item) -> &'static str {
    match item.kind {
        ItemKind::Var(_) => "var",
        ItemKind::Const(_) => "const",
        ItemKind::Param(_) => "param",
        ItemKind::Node(_) => "node",
        ItemKind::Root(_) => "root",
        ItemKind::Def(_) => "def",
        ItemKind::Use(_) => "use",
        ItemKind::Assert(_) => "assert",
        ItemKind::Query(_) => "query",
    }
}

/// The arguments, if all of them are texts.
fn texts(attribute: &Attribute) -> Option<Vec<&str>> {
    let args = attribute.args.iter();
    args.map(|arg| match &arg.kind {
        ExprKind::Text(text) => Some(text.as_str()),
        _ => None,
    })
    .collect()
}

fn allow_problem(attribute: &Attribute) -> Option<String> {
    if attribute.args.is_empty() {
        return Some("`@allow` takes names of warnings, such as `@allow(unused_node)`".to_string());
    }
    attribute.args.iter().find_map(|arg| {
        let name = super::plain_name(arg).map_or("this", |name| name.text.as_str());
        match name.parse::<Code>() {
            Ok(code) if code.severity() == Severity::Error => {
                Some(format!("`{name}` is an error and cannot be allowed"))
            }
            Ok(_) => None,
            Err(()) => {
                let is_warning = |code: &&Code| code.severity() != Severity::Error;
                let known = listed(Code::ALL.iter().filter(is_warning).map(|code| code.name()));
                Some(format!("`{name}` names no warning; there are {known}"))
            }
        }
    })
}
