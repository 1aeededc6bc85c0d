//! Words that can be typed at the cursor.

use super::builtins::{self, BuiltinTable};
use super::completion_site::{CompletionSite, StatementPrefix};
use super::index::DeclarationKind;
use super::navigate::Cursor;
use super::rename::written;
use super::workspace::Workspace;
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionResponse, Documentation,
    TextDocumentPositionParams,
};
use pelton_compiler::leaf::family::FAMILIES;
use pelton_grammar::ast::{DomainKind, ItemKind};
use pelton_grammar::diagnostic::{Code, Severity};
use pelton_grammar::source::Span;
use std::collections::HashSet;

pub fn complete(
    workspace: &mut Workspace,
    at: TextDocumentPositionParams,
) -> Option<CompletionResponse> {
    let cursor = Cursor::of(workspace, &at)?;
    let source = cursor.reading.program.sources.get(cursor.source);
    let prefix = StatementPrefix::of(source.text().get(..cursor.offset)?);
    let items = match prefix.site() {
        CompletionSite::Nothing | CompletionSite::Fresh => Vec::new(),
        CompletionSite::Statement => words(builtins::STATEMENTS, CompletionItemKind::KEYWORD),
        CompletionSite::Attribute => words(builtins::ATTRIBUTES, CompletionItemKind::PROPERTY),
        CompletionSite::Warning => warnings(),
        CompletionSite::Distribution => {
            let kind = CompletionItemKind::FUNCTION;
            let rows = FAMILIES.iter();
            rows.map(|row| word(row.name, row.signature(), row.meaning, kind))
                .collect()
        }
        CompletionSite::Property => words(builtins::PROPERTIES, CompletionItemKind::ENUM_MEMBER),
        CompletionSite::Domain => words(builtins::DOMAINS, CompletionItemKind::TYPE_PARAMETER),
        CompletionSite::ParamKind => {
            words(builtins::PARAM_KINDS, CompletionItemKind::TYPE_PARAMETER)
        }
        CompletionSite::Member(import) => members(&cursor, &import),
        CompletionSite::Value(variable) => match values(&cursor, &variable) {
            list if list.is_empty() => names(&cursor, &prefix),
            list => list,
        },
        CompletionSite::Expression => names(&cursor, &prefix),
    };
    Some(CompletionResponse::Array(items))
}

fn words(table: BuiltinTable, kind: CompletionItemKind) -> Vec<CompletionItem> {
    let words = table.words();
    words
        .map(|(name, form, about)| word(name, form.to_string(), about, kind))
        .collect()
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

fn named(name: &str, kind: DeclarationKind) -> CompletionItem {
    let text = written(name);
    CompletionItem {
        label: name.to_string(),
        kind: Some(item_kind(kind)),
        detail: Some(kind.name().to_string()),
        insert_text: (text != name).then_some(text),
        ..CompletionItem::default()
    }
}

fn item_kind(kind: DeclarationKind) -> CompletionItemKind {
    match kind {
        DeclarationKind::Variable | DeclarationKind::Argument | DeclarationKind::LoopIndex => {
            CompletionItemKind::VARIABLE
        }
        DeclarationKind::Constant => CompletionItemKind::CONSTANT,
        DeclarationKind::Parameter => CompletionItemKind::FIELD,
        DeclarationKind::Node => CompletionItemKind::CLASS,
        DeclarationKind::Definition => CompletionItemKind::FUNCTION,
        DeclarationKind::Import(_) => CompletionItemKind::MODULE,
        DeclarationKind::Category(_) => CompletionItemKind::ENUM_MEMBER,
    }
}

/// Names in scope, then the words of expressions.
fn names(cursor: &Cursor, prefix: &StatementPrefix) -> Vec<CompletionItem> {
    let here = Span::new(cursor.source, cursor.offset, cursor.offset);
    let bound = prefix.bound();
    let mut items: Vec<CompletionItem> = bound
        .iter()
        .map(|name| named(name, DeclarationKind::LoopIndex))
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
            && !matches!(declaration.kind, DeclarationKind::Import(_))
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
            .map(|name| named(&name.text, DeclarationKind::Category(0)))
            .collect(),
        Some(DomainKind::Bool) => words(builtins::TRUTHS, CompletionItemKind::VALUE),
        _ => Vec::new(),
    }
}
