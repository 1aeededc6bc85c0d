//! Finds the mentions of names in statements and expressions.

use super::declare::DeclarationTables;
use super::{Declaration, DeclarationKind, Mention, ProgramIndex, WordMeaning};
use crate::lsp::builtins;
use pelton_compiler::load::SourceProgram;
use pelton_grammar::ast::{Binder, Expr, ExprKind, Item, ItemKind, LeafSyntax, Name, PathSyntax};
use pelton_grammar::source::Span;

pub(super) fn walk_all(
    program: &SourceProgram,
    tables: &DeclarationTables<'_>,
    index: &mut ProgramIndex,
) {
    for (module, content) in program.modules.iter().enumerate() {
        for (item_idx, item) in content.file.items.iter().enumerate() {
            let mut walk = IndexWalk {
                tables,
                index,
                module,
                item_idx,
                locals: Vec::new(),
            };
            walk.item(item);
        }
    }
}

struct IndexWalk<'w, 'p> {
    tables: &'w DeclarationTables<'p>,
    index: &'w mut ProgramIndex,
    module: usize,
    item_idx: usize,
    /// Names bound around the place, innermost last.
    locals: Vec<(String, usize)>,
}

impl IndexWalk<'_, '_> {
    fn item(&mut self, item: &Item) {
        for attribute in &item.attributes {
            self.mention(&attribute.name, WordMeaning::Attribute);
        }
        match &item.kind {
            ItemKind::Var(decl) => {
                let dims = decl.names.iter().flat_map(|declarator| &declarator.dims);
                dims.for_each(|dim| self.expr(dim));
                if let pelton_grammar::ast::DomainKind::Range(range) = &decl.domain.kind {
                    self.expr(range);
                }
            }
            ItemKind::Const(decl) => self.expr(&decl.value),
            ItemKind::Param(decl) => {
                let dims = decl.names.iter().flat_map(|declarator| &declarator.dims);
                dims.for_each(|dim| self.expr(dim));
                self.mention(&decl.kind, WordMeaning::ParamKind);
                decl.size.iter().for_each(|size| self.expr(size));
                decl.value.iter().for_each(|value| self.expr(value));
            }
            ItemKind::Node(decl) => {
                self.bind_loop(&decl.binders, item.span);
                decl.filter.iter().for_each(|filter| self.expr(filter));
                self.expr(&decl.body);
            }
            ItemKind::Root(decl) => self.expr(&decl.body),
            ItemKind::Def(decl) => {
                for name in &decl.args {
                    self.bind(name, DeclarationKind::Argument, item.span);
                }
                self.expr(&decl.body);
            }
            ItemKind::Use(_) => {}
            ItemKind::Assert(decl) => {
                decl.target.iter().for_each(|path| self.path(path));
                for name in &decl.properties {
                    self.mention(name, WordMeaning::Property);
                }
            }
            ItemKind::Query(decl) => {
                let parts = decl.events.iter().chain(&decl.given);
                parts.for_each(|part| self.expr(part));
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Ref(path) => self.path(path),
            ExprKind::Call(path, args) => {
                self.called(path);
                args.iter().for_each(|arg| self.expr(arg));
            }
            ExprKind::Leaf(leaf) => self.leaf(leaf),
            ExprKind::Compare(first, rest) => {
                // One operand is the variable; what stands beside it may be one of its values.
                let operands = || std::iter::once(&**first).chain(rest.iter().map(|(_, e)| e));
                let variable = operands().find_map(|operand| self.variable(operand));
                for operand in operands() {
                    self.value(operand, variable);
                }
            }
            ExprKind::Repeat(repeat) => {
                // Indices are visible to the end of the loop and hide what is called so outside.
                let outside = self.locals.len();
                self.bind_loop(&repeat.binders, expr.span);
                repeat.filter.iter().for_each(|filter| self.expr(filter));
                self.expr(&repeat.body);
                self.locals.truncate(outside);
            }
            _ => expr.for_each_child(&mut |child| self.expr(child)),
        }
    }

    fn leaf(&mut self, leaf: &LeafSyntax) {
        self.path(&leaf.variable);
        self.mention(&leaf.family, WordMeaning::Distribution);
        leaf.args.iter().for_each(|arg| self.expr(arg));
        let variable = self.resolve(&leaf.variable);
        if let Some(region) = &leaf.truncation {
            self.value(region, variable);
        }
    }

    /// A value or set of values of a variable, whose categories count before other names.
    fn value(&mut self, expr: &Expr, variable: Option<usize>) {
        match &expr.kind {
            ExprKind::Set(items) => items.iter().for_each(|item| self.value(item, variable)),
            ExprKind::Paren(inner) => self.value(inner, variable),
            ExprKind::Ref(path) if path.qualifier.is_none() && path.indices.is_empty() => {
                let category = variable.and_then(|at| self.category(at, &path.name.text));
                match category.filter(|_| self.local(&path.name.text).is_none()) {
                    Some(at) => self.mention(&path.name, WordMeaning::Declared(at)),
                    None => self.path(path),
                }
            }
            _ => self.expr(expr),
        }
    }

    fn called(&mut self, path: &PathSyntax) {
        match self.resolve(path) {
            None if path.qualifier.is_none() && builtins::is_function(&path.name.text) => {
                self.mention(&path.name, WordMeaning::Function);
            }
            _ => self.path(path),
        }
    }

    fn path(&mut self, path: &PathSyntax) {
        if let Some(qualifier) = &path.qualifier
            && let Some(&at) = self.tables.names[self.module].get(qualifier.text.as_str())
        {
            self.mention(qualifier, WordMeaning::Declared(at));
        }
        // A value handed to a definition is known only where it is used; one
        // that is called so nowhere else must be meant.
        let at = self
            .resolve(path)
            .or_else(|| self.only_category(&path.name.text));
        if let Some(at) = at {
            self.mention(&path.name, WordMeaning::Declared(at));
        }
        path.indices.iter().for_each(|index| self.expr(index));
    }

    fn resolve(&self, path: &PathSyntax) -> Option<usize> {
        let name = path.name.text.as_str();
        match &path.qualifier {
            None => self
                .local(name)
                .or_else(|| self.tables.names[self.module].get(name).copied()),
            Some(qualifier) => {
                let at = *self.tables.names[self.module].get(qualifier.text.as_str())?;
                match self.index.declarations[at].kind {
                    DeclarationKind::Import(Some(target)) => {
                        self.tables.names[target].get(name).copied()
                    }
                    _ => None,
                }
            }
        }
    }

    fn local(&self, name: &str) -> Option<usize> {
        let mut locals = self.locals.iter().rev();
        locals.find(|(bound, _)| bound == name).map(|&(_, at)| at)
    }

    /// The variable an operand names.
    fn variable(&self, expr: &Expr) -> Option<usize> {
        match &expr.unparenthesized().kind {
            ExprKind::Ref(path) => self
                .resolve(path)
                .filter(|&at| self.index.declarations[at].kind == DeclarationKind::Variable),
            _ => None,
        }
    }

    /// A value of a variable by name.
    fn category(&self, variable: usize, name: &str) -> Option<usize> {
        let owner = &self.index.declarations[variable];
        let key = (owner.module, owner.item_idx, name);
        self.tables.categories.get(&key).copied()
    }

    fn only_category(&self, name: &str) -> Option<usize> {
        let only = self.tables.only_categories.get(&(self.module, name));
        only.copied().flatten()
    }

    /// Binds indices; each is visible in the ranges behind it.
    fn bind_loop(&mut self, binders: &[Binder], visible: Span) {
        for binder in binders {
            self.expr(&binder.domain);
            self.bind(&binder.name, DeclarationKind::LoopIndex, visible);
        }
    }

    fn bind(&mut self, name: &Name, kind: DeclarationKind, visible: Span) {
        self.index.declarations.push(Declaration {
            name: name.text.clone(),
            span: name.span,
            kind,
            module: self.module,
            item_idx: self.item_idx,
            visible,
        });
        let at = self.index.declarations.len() - 1;
        self.locals.push((name.text.clone(), at));
    }

    fn mention(&mut self, name: &Name, meaning: WordMeaning) {
        let span = name.span;
        self.index.mentions.push(Mention { span, meaning });
    }
}
