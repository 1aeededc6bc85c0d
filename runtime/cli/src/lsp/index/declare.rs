//! Collects what the statements of every module declare.

use super::{Declaration, DeclarationKind, ProgramIndex};
use pelton_compiler::load::{Module, SourceProgram};
use pelton_grammar::ast::{DomainKind, Item, ItemKind, Name};
use std::collections::HashMap;

/// What names mean at the top level of each module.
#[derive(Default)]
pub(super) struct DeclarationTables<'p> {
    /// The names of each module, by position of their declaration.
    pub names: Vec<HashMap<&'p str, usize>>,
    /// Values of variables by module, statement and name.
    pub categories: HashMap<(usize, usize, &'p str), usize>,
    /// Values by module and name; nothing where several variables have one of that name.
    pub only_categories: HashMap<(usize, &'p str), Option<usize>>,
}

/// Enters the statements' names; of a name declared twice the first counts.
pub(super) fn declare_all<'p>(
    program: &'p SourceProgram,
    index: &mut ProgramIndex,
) -> DeclarationTables<'p> {
    let mut tables = DeclarationTables::default();
    // A declaration is found by its position, so that mentions need not repeat its name.
    for (module, content) in program.modules.iter().enumerate() {
        tables.names.push(HashMap::new());
        for (item_idx, item) in content.file.items.iter().enumerate() {
            let first = index.declarations.len();
            for (name, kind) in names_of(item, content) {
                let at = index.declarations.len();
                index
                    .declarations
                    .push(declaration(name, kind, module, item_idx, item));
                tables.names[module].entry(name.text.as_str()).or_insert(at);
            }
            // Names declared together share their values, which belong to the first.
            for category in categories_of(item) {
                let at = index.declarations.len();
                let kind = DeclarationKind::Category(first);
                index
                    .declarations
                    .push(declaration(category, kind, module, item_idx, item));
                tables.enter_category(module, item_idx, &category.text, at);
            }
        }
    }
    tables
}

impl<'p> DeclarationTables<'p> {
    fn enter_category(&mut self, module: usize, item_idx: usize, name: &'p str, at: usize) {
        self.categories.insert((module, item_idx, name), at);
        self.only_categories
            .entry((module, name))
            .and_modify(|only| *only = None)
            .or_insert(Some(at));
    }
}

fn categories_of(item: &Item) -> &[Name] {
    match &item.kind {
        ItemKind::Var(decl) => match &decl.domain.kind {
            DomainKind::Categories(categories) => categories,
            _ => &[],
        },
        _ => &[],
    }
}

fn names_of<'p>(item: &'p Item, module: &Module) -> Vec<(&'p Name, DeclarationKind)> {
    match &item.kind {
        ItemKind::Var(decl) => {
            let names = decl.names.iter();
            names
                .map(|d| (&d.name, DeclarationKind::Variable))
                .collect()
        }
        ItemKind::Param(decl) => {
            let names = decl.names.iter();
            names
                .map(|d| (&d.name, DeclarationKind::Parameter))
                .collect()
        }
        ItemKind::Const(decl) => vec![(&decl.name, DeclarationKind::Constant)],
        ItemKind::Node(decl) => vec![(&decl.name, DeclarationKind::Node)],
        ItemKind::Def(decl) => vec![(&decl.name, DeclarationKind::Definition)],
        ItemKind::Use(decl) => {
            let target = module.uses.get(&decl.name.text).copied();
            vec![(&decl.name, DeclarationKind::Import(target))]
        }
        ItemKind::Root(_) | ItemKind::Assert(_) | ItemKind::Query(_) => Vec::new(),
    }
}

fn declaration(
    name: &Name,
    kind: DeclarationKind,
    module: usize,
    item_idx: usize,
    item: &Item,
) -> Declaration {
    Declaration {
        name: name.text.clone(),
        span: name.span,
        kind,
        module,
        item_idx,
        visible: item.span,
    }
}
