//! Values in the declarations of parameters.

use super::edit::TextReplacements;
use super::{SourceRewrite, list};
use crate::lower::TracedDeclaration;
use pelton_grammar::ast::{Declarator, Item, ItemKind, ParamDecl};
use pelton_grammar::source::Span;

/// `param w : simplex(2) = ?;` becomes `param w : simplex(2) = ?[0.25, 0.75];`.
pub(super) fn edit(work: &SourceRewrite, edits: &mut TextReplacements) -> Result<(), &'static str> {
    let declared = work.trace.declared.iter();
    let learned =
        |declared: &&TracedDeclaration| declared.params.iter().any(|&id| work.is_learned(id));
    if declared
        .clone()
        .filter(learned)
        .any(|declared| declared.module != 0)
    {
        return Err("parameters of a file that it uses are learned");
    }
    let learned: Vec<&TracedDeclaration> = declared.filter(learned).collect();
    for item in work.items() {
        let ItemKind::Param(decl) = &item.kind else {
            continue;
        };
        let own = decl.names.iter().map(|declarator| {
            let is_it = |declared: &&&TracedDeclaration| declared.name == declarator.name.span;
            learned.iter().find(is_it).copied()
        });
        match own.collect::<Vec<_>>().as_slice() {
            [Some(declared)] => edit_one(work, item, decl, declared, edits),
            several if several.iter().any(Option::is_some) => {
                split(work, item, decl, several, edits);
            }
            _ => {}
        }
    }
    Ok(())
}

/// The sizes of an array's dimensions.
pub(super) fn sizes(dims: &[(i64, i64)]) -> Vec<usize> {
    dims.iter()
        .map(|(low, high)| (high - low) as usize)
        .collect()
}

fn edit_one(
    work: &SourceRewrite,
    item: &Item,
    decl: &ParamDecl,
    declared: &TracedDeclaration,
    edits: &mut TextReplacements,
) {
    let sizes = sizes(&declared.dims);
    match &decl.value {
        Some(value) => {
            let text = list::values(work, &declared.params, &sizes, work.column(value.span));
            edits.replace(value.span, text);
        }
        None => {
            let end = semicolon(item);
            let text = list::values(work, &declared.params, &sizes, work.column(end) + 3);
            edits.replace(end, format!(" = {text}"));
        }
    }
}

/// Several names that share their values get a declaration each.
fn split(
    work: &SourceRewrite,
    item: &Item,
    decl: &ParamDecl,
    declared: &[Option<&TracedDeclaration>],
    edits: &mut TextReplacements,
) {
    let text = |span: Span| work.source().slice(span);
    let size = decl
        .size
        .as_ref()
        .map(|size| format!("({})", text(size.span)));
    let kind = format!("{}{}", text(decl.kind.span), size.unwrap_or_default());
    let attributes = item.attributes.iter().map(|attribute| attribute.span);
    let attributes = attributes.reduce(Span::to);
    let attributes = attributes.map_or(String::new(), |span| format!("{} ", text(span)));
    let declarations = decl
        .names
        .iter()
        .zip(declared)
        .map(|(declarator, declared)| {
            let head = format!("{} : {kind} = ", declarator_text(work, declarator));
            let value = match (declared, &decl.value) {
                (Some(declared), _) => {
                    let sizes = sizes(&declared.dims);
                    list::values(work, &declared.params, &sizes, "param ".len() + head.len())
                }
                (None, Some(value)) => text(value.span).to_string(),
                (None, None) => "?".to_string(),
            };
            format!("{head}{value}")
        });
    let declarations: Vec<String> = declarations.collect();
    let end = semicolon(item);
    let span = decl.names[0].name.span.to(end);
    edits.replace(span, declarations.join(&format!(";\n{attributes}param ")));
}

fn declarator_text(work: &SourceRewrite, declarator: &Declarator) -> String {
    let text = |span: Span| work.source().slice(span);
    let dims: Vec<&str> = declarator.dims.iter().map(|dim| text(dim.span)).collect();
    if dims.is_empty() {
        text(declarator.name.span).to_string()
    } else {
        format!("{}[{}]", text(declarator.name.span), dims.join(", "))
    }
}

/// The place before a statement's last character, which ends it.
fn semicolon(item: &Item) -> Span {
    Span {
        start: item.span.end - 1,
        end: item.span.end - 1,
        ..item.span
    }
}
