//! `root`, `assert` and `query` of the given file.

use super::draft::DraftTarget;
use super::env::Env;
use super::resolve::{PathEntity, nearest, unknown_among};
use super::symbols::Symbol;
use super::{Lowering, LoweringResult, ReportedError};
use crate::circuit::{DeclaredQuery, Event, Property};
use pelton_grammar::ast::{AssertDecl, Expr, Item, ItemKind, PathSyntax, QueryDecl, RootDecl};
use pelton_grammar::diagnostic::{Code, SourceDiagnostic};
use pelton_grammar::source::Span;

/// What is asserted of an instance, or of the root.
pub(super) struct DraftAssertion {
    pub target: Option<u32>,
    pub properties: Vec<(Property, Option<Span>)>,
}

/// Statements kept until the circuit is built.
#[derive(Default)]
pub(super) struct DeferredStatements<'a> {
    pub asserts: Vec<DraftAssertion>,
    pub queries: Vec<DeclaredQuery>,
    pub root_item: Option<&'a Item>,
}

impl<'a> Lowering<'a, '_> {
    /// The one root of the given file; none or several are reported.
    pub(super) fn root_statement(&mut self) -> Option<(&'a Item, &'a RootDecl)> {
        let file = &self.program.modules[0].file;
        let mut roots = file.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Root(decl) => Some((item, decl)),
            _ => None,
        });
        let Some(first) = roots.next() else {
            self.report_no_root();
            return None;
        };
        if let Some((_, second)) = roots.next() {
            let message = "a circuit has one root, and this is the second";
            let diagnostic = SourceDiagnostic::new(Code::NoRoot, second.keyword, message)
                .at("again here")
                .label(first.1.keyword, "the root is given here")
                .help("to mix two circuits, make the root their weighted sum: `root ?: a + ?: b;`");
            self.error(diagnostic);
        }
        self.statements.root_item = Some(first.0);
        Some(first)
    }

    fn report_no_root(&mut self) {
        let module = &self.program.modules[0];
        // The root may be in what could not be read, which was reported.
        if !module.file.broken.is_empty() {
            return;
        }
        let source = self.program.sources.get(module.source);
        let (last, message) = match module.file.items.last() {
            Some(item) => (item.span.after(), "the circuit has no root".to_string()),
            None => (
                source.span().after(),
                format!("`{}` holds no circuit", source.name()),
            ),
        };
        let diagnostic =
            SourceDiagnostic::new(Code::NoRoot, last, message).at("no `root` statement");
        let last_node = self.symbols.nodes.iter().rfind(|node| node.module == 0);
        let diagnostic = match last_node {
            Some(node) if node.decl.binders.is_empty() => {
                let text = format!("\nroot {};", node.decl.name.text);
                diagnostic.suggest("make the last node the root", last, text)
            }
            _ => diagnostic.help("end the file with `root EXPR;`"),
        };
        self.error(diagnostic);
    }

    pub(super) fn read_asserts_and_queries(&mut self) {
        let file = &self.program.modules[0].file;
        for item in &file.items {
            match &item.kind {
                ItemKind::Assert(decl) => {
                    // What is wrong with it has been reported.
                    let _ = self.read_assert(decl);
                }
                ItemKind::Query(decl) => {
                    if let Ok(query) = self.read_query(decl) {
                        self.statements.queries.push(query);
                    }
                }
                _ => {}
            }
        }
    }

    fn read_assert(&mut self, decl: &'a AssertDecl) -> LoweringResult<()> {
        let target = decl.target.as_ref();
        let target = target
            .map(|path| self.asserted_instance(path))
            .transpose()?;
        let mut properties = Vec::new();
        for name in &decl.properties {
            match name.text.parse::<Property>() {
                Ok(property) => properties.push((property, Some(name.span))),
                Err(()) => self.report_unknown_property(name),
            }
        }
        self.statements
            .asserts
            .push(DraftAssertion { target, properties });
        Ok(())
    }

    fn asserted_instance(&mut self, path: &'a PathSyntax) -> LoweringResult<u32> {
        let resolved = self.resolve(path, Env::of_module(0))?;
        let PathEntity::Symbol(Symbol::Node(node)) = resolved.entity else {
            let message = "`assert` speaks of `root` or of a node";
            return Err(self.wrong_kind(path.span, message, "not a node"));
        };
        match self.node_ref(node, &resolved.indices, path)? {
            DraftTarget::Instance(at) => Ok(at),
            DraftTarget::Unit(_) => Err(ReportedError),
        }
    }

    fn report_unknown_property(&mut self, name: &pelton_grammar::ast::Name) {
        let names = Property::ALL.map(Property::name);
        let message = format!("there is no property `{}`", name.text);
        let near = nearest(&name.text, names);
        self.error(unknown_among(message, name, near, &names));
    }

    pub(super) fn read_query(&mut self, decl: &'a QueryDecl) -> LoweringResult<DeclaredQuery> {
        if decl.kind.text != "P" {
            let message = format!("there is no query `{}(…)`", decl.kind.text);
            let diagnostic = SourceDiagnostic::new(Code::UnknownName, decl.kind.span, message)
                .at("unknown")
                .help(
                    "a query in a file asks for a probability or density: `query P(rain | wet);`",
                );
            return Err(self.error(diagnostic));
        }
        Ok(DeclaredQuery {
            text: on_one_line(self.program.sources.slice(decl.span)),
            event: self.all_of(&decl.events)?,
            given: self.all_of(&decl.given)?,
            span: decl.span,
        })
    }

    pub(super) fn all_of(&mut self, events: &'a [Expr]) -> LoweringResult<Event> {
        Ok(Event::And(self.events(events, Env::of_module(0))?))
    }
}

/// The text of a query as answers repeat it.
fn on_one_line(text: &str) -> String {
    if text.contains('\n') {
        text.split_whitespace().collect::<Vec<&str>>().join(" ")
    } else {
        text.to_string()
    }
}
