//! The statements of a document: outline and folding.

use super::place;
use super::workspace::{DocumentSyntax, Workspace};
use lsp_types::{DocumentSymbol, FoldingRange, FoldingRangeKind, Range, SymbolKind, Uri};
use pelton_grammar::ast::{Declarator, Item, ItemKind, Name};
use pelton_grammar::source::{Source, Span};

/// Details longer than this are cut.
const LONGEST_DETAIL: usize = 60;

pub fn symbols(workspace: &mut Workspace, uri: &Uri) -> Option<Vec<DocumentSymbol>> {
    let reading = workspace.reading(uri)?;
    let source = source_of(&reading)?;
    let items = reading.program.modules[0].file.items.iter();
    Some(items.flat_map(|item| item_symbols(item, source)).collect())
}

/// Statements of several lines, and comments of several lines.
pub fn folds(workspace: &mut Workspace, uri: &Uri) -> Option<Vec<FoldingRange>> {
    let reading = workspace.reading(uri)?;
    let source = source_of(&reading)?;
    let file = &reading.program.modules[0].file;
    let statements = file.items.iter().map(|item| (item.span, None));
    let comment = Some(FoldingRangeKind::Comment);
    let comments = file.comments.iter().map(|c| (c.span, comment.clone()));
    let folds = statements.chain(comments).filter_map(|(span, kind)| {
        let range = place::range(source, span);
        (range.start.line < range.end.line).then_some(FoldingRange {
            start_line: range.start.line,
            end_line: range.end.line,
            kind,
            ..FoldingRange::default()
        })
    });
    Some(folds.collect())
}

fn source_of(reading: &DocumentSyntax) -> Option<&Source> {
    let module = reading.program.modules.first()?;
    Some(reading.program.sources.get(module.source))
}

fn item_symbols(item: &Item, source: &Source) -> Vec<DocumentSymbol> {
    let one = |name: &str, span: Span, kind: SymbolKind, detail: String| {
        symbol(name, item, span, kind, detail, source)
    };
    let named = |name: &Name, kind, detail| vec![one(&name.text, name.span, kind, detail)];
    let declared = |names: &[Declarator], kind: SymbolKind, detail: String| {
        let names = names.iter();
        names
            .map(|d| one(&d.name.text, d.name.span, kind, detail.clone()))
            .collect()
    };
    match &item.kind {
        ItemKind::Var(decl) => {
            let domain = cut(source.slice(decl.domain.span));
            declared(&decl.names, SymbolKind::VARIABLE, format!("var : {domain}"))
        }
        ItemKind::Param(decl) => {
            let kind = format!("param : {}", decl.kind.text);
            declared(&decl.names, SymbolKind::PROPERTY, kind)
        }
        ItemKind::Const(decl) => {
            let value = format!("const = {}", cut(source.slice(decl.value.span)));
            named(&decl.name, SymbolKind::CONSTANT, value)
        }
        ItemKind::Node(decl) => {
            let binders: Vec<&str> = decl.binders.iter().map(|b| b.name.text.as_str()).collect();
            let detail = if binders.is_empty() {
                "node".to_string()
            } else {
                format!("node[{}]", binders.join(", "))
            };
            named(&decl.name, SymbolKind::CLASS, detail)
        }
        ItemKind::Def(decl) => {
            let args: Vec<&str> = decl.args.iter().map(|arg| arg.text.as_str()).collect();
            let detail = format!("def({})", args.join(", "));
            named(&decl.name, SymbolKind::FUNCTION, detail)
        }
        ItemKind::Use(decl) => {
            let detail = format!("use {}", cut(source.slice(decl.path_span)));
            named(&decl.name, SymbolKind::MODULE, detail)
        }
        ItemKind::Root(decl) => {
            let body = cut(source.slice(decl.body.span));
            vec![one("root", decl.keyword, SymbolKind::OBJECT, body)]
        }
        ItemKind::Assert(_) => Vec::new(),
        ItemKind::Query(decl) => {
            let text = cut(source.slice(decl.span));
            vec![one(&text, decl.span, SymbolKind::EVENT, "query".into())]
        }
    }
}

fn symbol(
    name: &str,
    item: &Item,
    selection: Span,
    kind: SymbolKind,
    detail: String,
    source: &Source,
) -> DocumentSymbol {
    let range: Range = place::range(source, item.span);
    #[expect(
        deprecated,
        reason = "the protocol's type has a field that must be filled"
    )]
    DocumentSymbol {
        name: name.to_string(),
        detail: Some(detail),
        kind,
        tags: None,
        deprecated: None,
        range,
        selection_range: place::range(source, selection),
        children: None,
    }
}

/// A text on one line, cut where it is long.
pub fn cut(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST_DETAIL) {
        None => line,
        Some((at, _)) => format!("{}…", &line[..at]),
    }
}
