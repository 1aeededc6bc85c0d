//! Gives a name another, wherever it is mentioned.

use super::index::{Declaration, DeclarationKind};
use super::navigate::{Cursor, DeclarationMentions};
use super::place;
use super::rename_check::keeps_meaning;
use super::requests::RequestRefusal;
use super::workspace::{DocumentSyntax, Workspace};
use lsp_types::{
    Location, PrepareRenameResponse, RenameParams, TextDocumentPositionParams, TextEdit,
    WorkspaceEdit,
};
use pelton_grammar::parse::RESERVED;
use std::collections::HashMap;

/// The word that would be renamed, or why it cannot be.
pub fn prepare(
    workspace: &mut Workspace,
    at: TextDocumentPositionParams,
) -> Result<PrepareRenameResponse, RequestRefusal> {
    let cursor = Cursor::of(workspace, &at).ok_or("the document is not open")?;
    let declaration = renamed(&cursor)?;
    let mention = cursor.mention().ok_or(NOTHING_HERE)?;
    let source = cursor.reading.program.sources.get(cursor.source);
    Ok(PrepareRenameResponse::RangeWithPlaceholder {
        range: place::range(source, mention.span),
        placeholder: declaration.name.clone(),
    })
}

/// The edits that rename the word under the cursor.
pub fn rename(
    workspace: &mut Workspace,
    params: RenameParams,
) -> Result<WorkspaceEdit, RequestRefusal> {
    let cursor = Cursor::of(workspace, &params.text_document_position);
    let cursor = cursor.ok_or("the document is not open")?;
    let declaration = renamed(&cursor)?;
    let (name, text) = spelled(&params.new_name)?;
    refuse_clash(&cursor.reading, declaration, &name)?;
    let mentions = DeclarationMentions::of(workspace, &cursor).ok_or(NOTHING_HERE)?;
    if mentions.words().any(|word| word.starts_with('"')) {
        return Err(format!("`{}` is written as a text", declaration.name));
    }
    if !mentions
        .readings
        .iter()
        .all(|reading| keeps_meaning(reading, &mentions, &text))
    {
        return Err(format!(
            "`{name}` means something else where `{}` is mentioned, or would hide it",
            declaration.name
        ));
    }
    let edits = mentions.into_places().map(|place| (place, text.clone()));
    Ok(workspace_edit(edits))
}

const NOTHING_HERE: &str = "there is no name here that could be changed";

fn renamed(cursor: &Cursor) -> Result<&Declaration, RequestRefusal> {
    let at = cursor.declaration().ok_or(NOTHING_HERE)?;
    Ok(&cursor.reading.index.declarations[at])
}

/// The new name with the text it is written as: backquotes are kept where given.
fn spelled(new_name: &str) -> Result<(String, String), RequestRefusal> {
    let new_name = new_name.trim();
    let quoted = new_name
        .strip_prefix('`')
        .and_then(|rest| rest.strip_suffix('`'));
    if let Some(inner) = quoted {
        let is_legal = !inner.is_empty() && !inner.contains(['`', '\n', '\r']);
        return if is_legal {
            Ok((inner.to_string(), new_name.to_string()))
        } else {
            Err(format!("`{inner}` cannot stand in backquotes"))
        };
    }
    if RESERVED.contains(&new_name) {
        return Err(format!(
            "`{new_name}` is a reserved word; in backquotes it can be a name"
        ));
    }
    if is_plain(new_name) {
        Ok((new_name.to_string(), new_name.to_string()))
    } else {
        Err(format!(
            "`{new_name}` is not a name; in backquotes most texts can be one"
        ))
    }
}

/// A name as it is written: in backquotes unless it is a plain identifier.
pub fn written(name: &str) -> String {
    if is_plain(name) {
        name.to_string()
    } else {
        format!("`{name}`")
    }
}

/// Whether a word is a plain identifier. Most are told at a glance; what is
/// beyond ASCII is the parser's to say.
fn is_plain(name: &str) -> bool {
    let is_ascii_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if starts_well && name.chars().all(is_ascii_word) {
        return !RESERVED.contains(&name);
    }
    use pelton_grammar::ast::ItemKind;
    let source = pelton_grammar::source::Source::standalone("", format!("const {name} = 0;"));
    let mut found = Default::default();
    let file = pelton_grammar::parse::parse(&source, &Default::default(), &mut found);
    match file.items.as_slice() {
        [item] => matches!(&item.kind, ItemKind::Const(decl) if decl.name.text == name),
        _ => false,
    }
}

/// Refuses a name that is declared in the same place already.
fn refuse_clash(
    reading: &DocumentSyntax,
    renamed: &Declaration,
    name: &str,
) -> Result<(), RequestRefusal> {
    let is_near = |other: &Declaration| match (renamed.kind, other.kind) {
        (DeclarationKind::Category(_), DeclarationKind::Category(_)) => {
            renamed.item_idx == other.item_idx
        }
        (DeclarationKind::Argument, DeclarationKind::Argument) => {
            renamed.item_idx == other.item_idx
        }
        (a, b) => a.is_global() && b.is_global(),
    };
    let mut others = reading.index.declarations.iter();
    let clash =
        others.find(|other| other.name == name && other.module == renamed.module && is_near(other));
    match clash {
        Some(other) if other.span != renamed.span => Err(format!(
            "there is a {} called `{name}` already",
            other.kind.name()
        )),
        _ => Ok(()),
    }
}

/// Edits sorted by file.
#[expect(
    clippy::mutable_key_type,
    reason = "the protocol's type; a URI's text never changes"
)]
pub fn workspace_edit(edits: impl IntoIterator<Item = (Location, String)>) -> WorkspaceEdit {
    let mut changes: HashMap<_, Vec<TextEdit>> = HashMap::new();
    for (place, text) in edits {
        let edit = TextEdit::new(place.range, text);
        changes.entry(place.uri).or_default().push(edit);
    }
    WorkspaceEdit::new(changes)
}
