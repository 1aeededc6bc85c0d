//! Words that can be typed at the cursor.

use super::builtins::{self, Word};
use super::completion_site::{Prefix, Site};
use super::index::Kind;
use super::navigate::Cursor;
use super::rename::written;
use super::workspace::Workspace;
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionResponse, Documentation,
    TextDocumentPositionParams,
};
use pelton_compiler::leaf::family::{FAMILIES, FamilyDescription};
use pelton_grammar::ast::{DomainKind, ItemKind};
use pelton_grammar::diagnostic::{Code, Severity};
use pelton_grammar::source::Span;
use std::collections::HashSet;

/// The completions at a position.
pub fn complete(
    workspace: &mut Workspace,
    at: TextDocumentPositionParams,
) -> Option<CompletionResponse> {
    let cursor = Cursor::of(workspace, &at)?;
    let source = cursor.reading.program.sources.get(cursor.source);
    let prefix = Prefix::of(source.text().get(..cursor.offset)?);
    let items = match prefix.site() {
        Site::Nothing | Site::Fresh => Vec::new(),
        Site::Statement => words(builtins::STATEMENTS, CompletionItemKind::KEYWORD),
        Site::Attribute => words(builtins::ATTRIBUTES, CompletionItemKind::PROPERTY),
        Site::Warning => warnings(),
        Site::Distribution => FAMILIES.iter().map(distribution).collect(),
        Site::Property => words(builtins::PROPERTIES, CompletionItemKind::ENUM_MEMBER),
        Site::Domain => words(builtins::DOMAINS, CompletionItemKind::TYPE_PARAMETER),
        Site::ParamKind => words(builtins::PARAM_KINDS, CompletionItemKind::TYPE_PARAMETER),
        Site::Member(import) => members(&cursor, &import),
        Site::Value(variable) => match values(&cursor, &variable) {
            list if list.is_empty() => names(&cursor, &prefix),
            list => list,
        },
        Site::Expression => names(&cursor, &prefix),
    };
    Some(CompletionResponse::Array(items))
}

fn words(table: &[Word], kind: CompletionItemKind) -> Vec<CompletionItem> {
    let item = |&(name, form, about): &Word| word(name, form.to_string(), about, kind);
    table.iter().map(item).collect()
}

fn distribution(row: &FamilyDescription) -> CompletionItem {
    let kind = CompletionItemKind::FUNCTION;
    word(row.name, row.signature(), row.meaning, kind)
}

fn word(name: &str, form: String, about: &str, kind: CompletionItemKind) -> CompletionItem {
    CompletionItem {
        label: name.to_string(),
        kind: Some(kind),
        detail: Some(form),
        documentation: Some(Documentation::String(about.to_string())),
        ..CompletionItem::default()
    }
}

fn warnings() -> Vec<CompletionItem> {
    let codes = Code::ALL.iter();
    let codes = codes.filter(|code| code.severity() != Severity::Error);
    let item = |code: &Code| CompletionItem {
        label: code.name().to_string(),
        kind: Some(CompletionItemKind::ENUM_MEMBER),
        detail: Some(code.title().to_string()),
        ..CompletionItem::default()
    };
    codes.map(item).collect()
}

fn named(name: &str, kind: Kind) -> CompletionItem {
    let text = written(name);
    CompletionItem {
        label: name.to_string(),
        kind: Some(item_kind(kind)),
        detail: Some(kind.name().to_string()),
        insert_text: (text != name).then_some(text),
        ..CompletionItem::default()
    }
}

fn item_kind(kind: Kind) -> CompletionItemKind {
    match kind {
        Kind::Variable | Kind::Argument | Kind::LoopIndex => CompletionItemKind::VARIABLE,
        Kind::Constant => CompletionItemKind::CONSTANT,
        Kind::Parameter => CompletionItemKind::FIELD,
        Kind::Node => CompletionItemKind::CLASS,
        Kind::Definition => CompletionItemKind::FUNCTION,
        Kind::Import(_) => CompletionItemKind::MODULE,
        Kind::Category(_) => CompletionItemKind::ENUM_MEMBER,
    }
}

/// Names in scope, then the words of expressions.
fn names(cursor: &Cursor, prefix: &Prefix) -> Vec<CompletionItem> {
    let here = Span::new(cursor.source, cursor.offset, cursor.offset);
    let bound = prefix.bound();
    let mut items: Vec<CompletionItem> = bound
        .iter()
        .map(|name| named(name, Kind::LoopIndex))
        .collect();
    let mut taken: HashSet<&str> = bound.into_iter().collect();
    for declaration in cursor.reading.index.visible(0, here) {
        if taken.insert(&declaration.name) {
            items.push(named(&declaration.name, declaration.kind));
        }
    }
    items.extend(words(builtins::INNER, CompletionItemKind::KEYWORD));
    items.extend(words(builtins::FUNCTIONS, CompletionItemKind::FUNCTION));
    items
}

/// What a used file declares.
fn members(cursor: &Cursor, import: &str) -> Vec<CompletionItem> {
    let index = &cursor.reading.index;
    let target = cursor.reading.program.modules[0].uses.get(import).copied();
    let members = index.declarations.iter().filter(|declaration| {
        Some(declaration.module) == target
            && declaration.kind.is_global()
            && !matches!(declaration.kind, Kind::Import(_))
    });
    members.map(|d| named(&d.name, d.kind)).collect()
}

/// The values of a variable that can be named.
fn values(cursor: &Cursor, variable: &str) -> Vec<CompletionItem> {
    let module = &cursor.reading.program.modules[0];
    let decl = module.file.items.iter().find_map(|item| match &item.kind {
        ItemKind::Var(decl) => decl
            .names
            .iter()
            .any(|declarator| declarator.name.text == variable)
            .then_some(decl),
        _ => None,
    });
    match decl.map(|decl| &decl.domain.kind) {
        Some(DomainKind::Categories(names)) => names
            .iter()
            .map(|name| named(&name.text, Kind::Category(0)))
            .collect(),
        Some(DomainKind::Bool) => words(builtins::TRUTHS, CompletionItemKind::VALUE),
        _ => Vec::new(),
    }
}
