//! Gives a name another, wherever it is mentioned and if every name still means what it meant.

use super::index::{Declaration, DeclarationKind, ProgramIndex, WordMeaning};
use super::navigate::{Cursor, DeclarationMentions};
use super::place;
use super::requests::RequestRefusal;
use super::workspace::{DocumentSyntax, Workspace};
use lsp_types::{
    Location, PrepareRenameResponse, RenameParams, TextDocumentPositionParams, TextEdit,
    WorkspaceEdit,
};
use pelton_compiler::load::{Module, SourceProgram};
use pelton_grammar::ast::{FileSyntax, ItemKind, UseDecl};
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_grammar::parse::{ParseOptions, RESERVED, parse};
use pelton_grammar::source::{Source, SourceMap};
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

pub fn rename(
    workspace: &mut Workspace,
    params: RenameParams,
) -> Result<WorkspaceEdit, RequestRefusal> {
    let cursor = Cursor::of(workspace, &params.text_document_position);
    let cursor = cursor.ok_or("the document is not open")?;
    let declaration = renamed(&cursor)?;
    // 1. The new name has to be one, and no other of its kind may have it.
    let (name, text) = spelled(&params.new_name)?;
    refuse_clash(&cursor.reading, declaration, &name)?;
    // 2. All mentions are found, in files that are not open as well.
    let mentions = DeclarationMentions::of(workspace, &cursor).ok_or(NOTHING_HERE)?;
    if mentions.words().any(|word| word.starts_with('"')) {
        return Err(format!("`{}` is written as a text", declaration.name));
    }
    // 3. The renamed program is read again: each name has to mean what it meant.
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
    let quoted = new_name.strip_prefix('`');
    match quoted.and_then(|rest| rest.strip_suffix('`')) {
        Some(inner) if inner.is_empty() || inner.contains(['`', '\n', '\r']) => {
            Err(format!("`{inner}` cannot stand in backquotes"))
        }
        Some(inner) => Ok((inner.to_string(), new_name.to_string())),
        None if RESERVED.contains(&new_name) => Err(format!(
            "`{new_name}` is a reserved word; in backquotes it can be a name"
        )),
        None if is_plain(new_name) => Ok((new_name.to_string(), new_name.to_string())),
        None => Err(format!(
            "`{new_name}` is not a name; in backquotes most texts can be one"
        )),
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
    let source = Source::standalone("", format!("const {name} = 0;"));
    let file = parse(
        &source,
        &ParseOptions::default(),
        &mut SourceDiagnostics::new(),
    );
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
        (DeclarationKind::Category(_), DeclarationKind::Category(_))
        | (DeclarationKind::Argument, DeclarationKind::Argument) => {
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

/// Renames in a copy of the program and compares what all names mean.
///
/// The index lists declarations and mentions in the order of the text, so they
/// are the same lists unless a name was caught by another declaration or lost.
fn keeps_meaning(reading: &DocumentSyntax, mentions: &DeclarationMentions, text: &str) -> bool {
    let meanings = |index: &ProgramIndex| -> Vec<WordMeaning> {
        index
            .mentions
            .iter()
            .map(|mention| mention.meaning)
            .collect()
    };
    let Some(program) = program_renamed(reading, mentions, text) else {
        return false;
    };
    let index = ProgramIndex::of(&program);
    index.declarations.len() == reading.index.declarations.len()
        && meanings(&index) == meanings(&reading.index)
}

/// The program with the new name; `None` if a text no longer reads the same.
fn program_renamed(
    reading: &DocumentSyntax,
    mentions: &DeclarationMentions,
    text: &str,
) -> Option<SourceProgram> {
    // Texts first: modules refer to them by number, which stays the same.
    let mut sources = SourceMap::new();
    for source in reading.program.sources.iter() {
        let edited = edited(reading, source, mentions, text);
        sources.add(source.name(), source.path().map(Into::into), edited);
    }
    let modules = reading.program.modules.iter();
    let modules: Option<Vec<Module>> = modules
        .map(|module| {
            let mut found = SourceDiagnostics::new();
            let source = sources.get(module.source);
            let file = parse(source, &ParseOptions::default(), &mut found);
            let is_like = file.items.len() == module.file.items.len();
            let mut new = Module {
                file,
                source: module.source,
                prefix: module.prefix.clone(),
                uses: Default::default(),
            };
            follow_uses(module, &mut new);
            is_like.then_some(new)
        })
        .collect();
    let modules = modules?;
    Some(SourceProgram { sources, modules })
}

fn edited(
    reading: &DocumentSyntax,
    source: &Source,
    mentions: &DeclarationMentions,
    text: &str,
) -> String {
    let mut edited = source.text().to_string();
    let Some(uri) = reading.uris.get(source.id()) else {
        return edited;
    };
    let mut ranges: Vec<_> = mentions.in_file(uri).collect();
    ranges.sort_by_key(|range| range.start);
    // From the end, so that places before stay where they are.
    for range in ranges.into_iter().rev() {
        let start = place::offset(&edited, range.start);
        let end = place::offset(&edited, range.end);
        edited.replace_range(start..end, text);
    }
    edited
}

/// Enters the modules that `use` names under their prefixes in the new text.
fn follow_uses(old: &Module, new: &mut Module) {
    let pairs = use_decls(&old.file).zip(use_decls(&new.file));
    for (before, now) in pairs {
        if let Some(&target) = old.uses.get(&before.name.text) {
            new.uses.insert(now.name.text.clone(), target);
        }
    }
}

fn use_decls(file: &FileSyntax) -> impl Iterator<Item = &UseDecl> {
    file.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Use(decl) => Some(decl),
        _ => None,
    })
}
