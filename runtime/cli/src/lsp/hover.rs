//! What is known about the word under the cursor.

use super::builtins::{self, BuiltinTable};
use super::facts;
use super::index::{Declaration, DeclarationKind, WordMeaning, item_of};
use super::navigate::Cursor;
use super::outline::cut;
use super::place;
use super::workspace::{DocumentSyntax, Workspace};
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, TextDocumentPositionParams, Uri};
use pelton_compiler::Analysis;
use pelton_compiler::leaf::family::FAMILIES;
use pelton_grammar::ast::{Item, ItemKind};
use pelton_grammar::source::{Source, Span};

pub fn hover(workspace: &mut Workspace, at: TextDocumentPositionParams) -> Option<Hover> {
    let cursor = Cursor::of(workspace, &at)?;
    let source = cursor.reading.program.sources.get(cursor.source);
    let (span, value) = match cursor.mention() {
        Some(mention) => {
            let word = source.slice(mention.span);
            let uri = &at.text_document.uri;
            let text = meaning(workspace, uri, &cursor.reading, word, mention.meaning)?;
            (mention.span, text)
        }
        None => {
            let span = word_at(source, cursor.offset)?;
            let text = keyword(workspace, &at.text_document.uri, source.slice(span))?;
            (span, text)
        }
    };
    let kind = MarkupKind::Markdown;
    Some(Hover {
        range: Some(place::range(source, span)),
        contents: HoverContents::Markup(MarkupContent { kind, value }),
    })
}

fn meaning(
    workspace: &mut Workspace,
    uri: &Uri,
    reading: &DocumentSyntax,
    word: &str,
    meaning: WordMeaning,
) -> Option<String> {
    match meaning {
        WordMeaning::Declared(declared) => {
            let checked = workspace.checked(uri);
            let analysis = checked.as_ref().map(|checked| &checked.analysis);
            Some(declaration(reading, declared, analysis))
        }
        WordMeaning::Distribution => {
            let row = FAMILIES.iter().find(|family| family.name == word)?;
            Some(shown(&row.signature(), row.meaning))
        }
        WordMeaning::Function => known(builtins::FUNCTIONS, word),
        WordMeaning::Attribute => known(builtins::ATTRIBUTES, word),
        WordMeaning::Property => known(builtins::PROPERTIES, word),
        WordMeaning::ParamKind => known(builtins::PARAM_KINDS, word),
    }
}

/// A word of the language; `root` also tells what the whole circuit is like.
fn keyword(workspace: &mut Workspace, uri: &Uri, word: &str) -> Option<String> {
    let (_, form, about) = builtins::keyword(word)?;
    let mut text = shown(form, about);
    if word == "root"
        && let Some(checked) = workspace.checked(uri)
    {
        text.push_str(&facts::root(&checked.analysis));
    }
    Some(text)
}

fn known(table: BuiltinTable, word: &str) -> Option<String> {
    table.find(word).map(|(_, form, about)| shown(form, about))
}

fn shown(form: &str, about: &str) -> String {
    format!("```pcirc\n{form}\n```\n{about}")
}

/// A declared name: how it was declared, its documentation, and what the circuit says of it.
fn declaration(reading: &DocumentSyntax, at: usize, analysis: Option<&Analysis>) -> String {
    let declaration = &reading.index.declarations[at];
    let module = &reading.program.modules[declaration.module];
    let source = reading.program.sources.get(module.source);
    let item = item_of(&reading.program, declaration);
    let mut text = format!(
        "```pcirc\n{}\n```",
        head(reading, declaration, item, source)
    );
    let docs: Vec<&str> = item.docs.iter().map(|doc| doc.text.as_str()).collect();
    if !docs.is_empty() && declaration.kind.is_global() {
        text.push_str(&format!("\n{}\n", docs.join("\n")));
    }
    let full_name = format!("{}{}", module.prefix, declaration.name);
    let n_mentions = reading.index.mentions_of(at).count();
    text.push_str(&match declaration.kind {
        DeclarationKind::Node => facts::node(&full_name, analysis),
        DeclarationKind::Variable => facts::variable(&full_name, analysis),
        DeclarationKind::Parameter => facts::parameter(&full_name, n_mentions, analysis),
        _ => String::new(),
    });
    text
}

/// The declaration in one line.
fn head(
    reading: &DocumentSyntax,
    declaration: &Declaration,
    item: &Item,
    source: &Source,
) -> String {
    let name = &declaration.name;
    let slice = |span: Span| cut(source.slice(span));
    match (declaration.kind, &item.kind) {
        (DeclarationKind::Category(owner), _) => {
            let owner = &reading.index.declarations[owner].name;
            format!("{name}  // a value of {owner}")
        }
        (DeclarationKind::Argument, ItemKind::Def(decl)) => {
            format!("{name}  // argument of {}", decl.name.text)
        }
        (DeclarationKind::LoopIndex, _) => format!("{name}  // index"),
        (_, ItemKind::Var(decl)) => {
            let declarator = decl.names.iter().find(|d| d.name.span == declaration.span);
            let dims = declarator.map_or(String::new(), |d| dims(&d.dims, source));
            format!("var {name}{dims} : {}", slice(decl.domain.span))
        }
        (_, ItemKind::Param(decl)) => {
            let declarator = decl.names.iter().find(|d| d.name.span == declaration.span);
            let dims = declarator.map_or(String::new(), |d| dims(&d.dims, source));
            let size = decl.size.as_ref();
            let size = size.map_or(String::new(), |size| format!("({})", slice(size.span)));
            let value = decl.value.as_ref().map_or("?".into(), |v| slice(v.span));
            format!("param {name}{dims} : {}{size} = {value}", decl.kind.text)
        }
        (_, ItemKind::Const(decl)) => format!("const {name} = {}", slice(decl.value.span)),
        (_, ItemKind::Node(decl)) => {
            let binders = decl.binders.iter();
            let binders: Vec<String> = binders
                .map(|b| slice(b.name.span.to(b.domain.span)))
                .collect();
            if binders.is_empty() {
                format!("node {name}")
            } else {
                format!("node {name}[{}]", binders.join(", "))
            }
        }
        (_, ItemKind::Def(decl)) => {
            let args: Vec<&str> = decl.args.iter().map(|arg| arg.text.as_str()).collect();
            format!(
                "def {name}({}) = {}",
                args.join(", "),
                slice(decl.body.span)
            )
        }
        (_, ItemKind::Use(decl)) => format!("use {} as {name}", slice(decl.path_span)),
        _ => name.clone(),
    }
}

fn dims(dims: &[pelton_grammar::ast::Expr], source: &Source) -> String {
    let dims: Vec<String> = dims.iter().map(|d| cut(source.slice(d.span))).collect();
    if dims.is_empty() {
        String::new()
    } else {
        format!("[{}]", dims.join(", "))
    }
}

/// The word a cursor stands in or behind.
fn word_at(source: &Source, offset: usize) -> Option<Span> {
    let text = source.text();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let before = text.get(..offset)?.trim_end_matches(is_word).len();
    let after = &text[offset..];
    let end = offset + after.find(|c| !is_word(c)).unwrap_or(after.len());
    (before < end).then(|| Span::new(source.id(), before, end))
}
