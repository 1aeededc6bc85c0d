//! Whether every name still means what it meant after a renaming.

use super::index::{ProgramIndex, WordMeaning};
use super::navigate::DeclarationMentions;
use super::place;
use super::workspace::DocumentSyntax;
use pelton_compiler::load::{Module, SourceProgram};
use pelton_grammar::ast::{FileSyntax, ItemKind, UseDecl};
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_grammar::parse::{ParseOptions, parse};
use pelton_grammar::source::{Source, SourceMap};

/// Renames in a copy of the program and compares what all names mean.
///
/// The index lists declarations and mentions in the order of the text, so they
/// are the same lists unless a name was caught by another declaration or lost.
pub fn keeps_meaning(reading: &DocumentSyntax, mentions: &DeclarationMentions, text: &str) -> bool {
    let meanings = |index: &ProgramIndex| -> Vec<WordMeaning> {
        index
            .mentions
            .iter()
            .map(|mention| mention.meaning)
            .collect()
    };
    let Some(program) = renamed(reading, mentions, text) else {
        return false;
    };
    let index = ProgramIndex::of(&program);
    index.declarations.len() == reading.index.declarations.len()
        && meanings(&index) == meanings(&reading.index)
}

/// The program with the new name; `None` if a text no longer reads the same.
fn renamed(
    reading: &DocumentSyntax,
    mentions: &DeclarationMentions,
    text: &str,
) -> Option<SourceProgram> {
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
