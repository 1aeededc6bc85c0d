//! Repairs that diagnostics suggest, as quick fixes.

use super::publish::{location, to_lsp};
use super::workspace::{CheckedDocument, Workspace};
use super::{place, rename};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse,
    WorkspaceEdit,
};
use pelton_grammar::diagnostic::{SourceDiagnostic, SourceSuggestion};

pub fn code_actions(workspace: &mut Workspace, params: CodeActionParams) -> CodeActionResponse {
    let wants_fixes = params.context.only.as_ref().is_none_or(|only| {
        // An empty kind asks for every kind.
        only.iter()
            .any(|kind| kind.as_str().is_empty() || *kind == CodeActionKind::QUICKFIX)
    });
    if !wants_fixes {
        return Vec::new();
    }
    let uri = params.text_document.uri;
    workspace.checked(&uri);
    let mut actions: Vec<CodeActionOrCommand> = Vec::new();
    for checked in workspace.all_checked() {
        for diagnostic in checked.analysis.found.iter() {
            let is_here = location(diagnostic, checked)
                .is_some_and(|at| at.uri == uri && place::overlaps(&at.range, &params.range));
            if !is_here {
                continue;
            }
            for action in fixes(diagnostic, checked) {
                let action = CodeActionOrCommand::CodeAction(action);
                // A file and one that uses it find the same fault in it.
                if !actions.contains(&action) {
                    actions.push(action);
                }
            }
        }
    }
    actions
}

fn fixes(diagnostic: &SourceDiagnostic, checked: &CheckedDocument) -> Vec<CodeAction> {
    let suggestions = diagnostic.suggestions.iter();
    suggestions
        .filter_map(|suggestion| {
            let silences = silenced(suggestion);
            Some(CodeAction {
                title: match silences {
                    Some(attribute) => format!("silence with {attribute}"),
                    None => suggestion.message.clone(),
                },
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![to_lsp(diagnostic, checked)]),
                edit: Some(edit(suggestion, checked)?),
                is_preferred: Some(silences.is_none() && diagnostic.suggestions.len() == 1),
                ..CodeAction::default()
            })
        })
        .collect()
}

/// The `@allow(…)` that a suggestion inserts, if that is what it does.
fn silenced(suggestion: &SourceSuggestion) -> Option<&str> {
    match suggestion.edits.as_slice() {
        [(_, text)] if text.starts_with("@allow(") => Some(text.trim()),
        _ => None,
    }
}

fn edit(suggestion: &SourceSuggestion, checked: &CheckedDocument) -> Option<WorkspaceEdit> {
    let sources = &checked.analysis.program.sources;
    let edits: Option<Vec<_>> = suggestion
        .edits
        .iter()
        .map(|(span, text)| Some((checked.uris.location(sources, *span)?, text.clone())))
        .collect();
    Some(rename::workspace_edit(edits?))
}
