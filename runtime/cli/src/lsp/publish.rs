//! The language server's sink of diagnostics.

use super::transport::Client;
use super::workspace::{CheckedDocument, Workspace};
use crate::flags::flags;
use lsp_types::notification::PublishDiagnostics;
use lsp_types::{
    DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, NumberOrString,
    PublishDiagnosticsParams, Range, Uri,
};
use pelton_grammar::diagnostic::{Code, Severity, SourceDiagnostic};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// Messages shown for one file; more help nobody.
const SHOWN: usize = 200;

/// Values of a witness that are listed.
const WITNESS_SHOWN: usize = 12;

/// The messages a document's analysis has on each of its files, also if there are none.
type FileMessages = BTreeMap<String, Vec<lsp_types::Diagnostic>>;

/// What has been said about which file, and by the analysis of which document.
#[derive(Debug, Default)]
pub struct PublishedMessages {
    by_document: BTreeMap<String, FileMessages>,
}

impl PublishedMessages {
    /// Replaces what the analysis of `document` says, and tells the editor.
    pub fn replace(
        &mut self,
        document: &Uri,
        checked: Option<&CheckedDocument>,
        workspace: &Workspace,
        client: &Client,
    ) {
        let said = checked.map_or_else(FileMessages::new, |checked| said(document, checked));
        // Files that this analysis spoke of before and no longer does have to be told so too.
        let mut touched: BTreeSet<String> = said.keys().cloned().collect();
        let key = document.as_str().to_string();
        let before = if said.is_empty() {
            self.by_document.remove(&key)
        } else {
            self.by_document.insert(key, said)
        };
        touched.extend(before.into_iter().flat_map(FileMessages::into_keys));
        touched.insert(document.as_str().to_string());
        for file in touched {
            self.publish(&file, workspace, client);
        }
    }

    fn publish(&self, file: &str, workspace: &Workspace, client: &Client) {
        let Ok(uri) = file.parse::<Uri>() else {
            return;
        };
        let params = PublishDiagnosticsParams {
            version: workspace.documents.get(&uri).map(|d| d.version),
            diagnostics: self.about(file),
            uri,
        };
        client.notify::<PublishDiagnostics>(&params);
    }

    /// What all analyses say about one file, each thing once.
    fn about(&self, file: &str) -> Vec<lsp_types::Diagnostic> {
        let sayers = || {
            let all = self.by_document.iter();
            all.filter_map(|(document, said)| Some((document, said.get(file)?)))
        };
        let is_library = sayers().any(|(document, _)| document != file);
        let mut list: Vec<lsp_types::Diagnostic> = Vec::new();
        for diagnostic in sayers().flat_map(|(_, list)| list) {
            let is_said = list
                .iter()
                .any(|old| old.range == diagnostic.range && old.code == diagnostic.code);
            // A file that others use needs no root.
            let is_moot = is_library && diagnostic.code == Some(code(Code::NoRoot));
            if !is_said && !is_moot && list.len() < SHOWN {
                list.push(diagnostic.clone());
            }
        }
        list
    }
}

fn said(document: &Uri, checked: &CheckedDocument) -> FileMessages {
    let mut said = FileMessages::new();
    for uri in checked.uris.iter() {
        said.insert(uri.as_str().to_string(), Vec::new());
    }
    for diagnostic in checked.analysis.found.iter() {
        let uri = location(diagnostic, checked).map_or(document.clone(), |place| place.uri);
        let list = said.entry(uri.as_str().to_string()).or_default();
        list.push(to_lsp(diagnostic, checked));
    }
    said
}

pub fn location(diagnostic: &SourceDiagnostic, checked: &CheckedDocument) -> Option<Location> {
    let span = diagnostic.primary_span()?;
    let sources = &checked.analysis.program.sources;
    checked.uris.location(sources, span)
}

pub fn to_lsp(diagnostic: &SourceDiagnostic, checked: &CheckedDocument) -> lsp_types::Diagnostic {
    let range = location(diagnostic, checked).map_or(Range::default(), |place| place.range);
    let related = related(diagnostic, checked);
    lsp_types::Diagnostic {
        range,
        severity: Some(severity(diagnostic)),
        code: Some(code(diagnostic.code)),
        source: Some("pelton".to_string()),
        message: message(diagnostic),
        related_information: (!related.is_empty()).then_some(related),
        tags: tags(diagnostic.code),
        data: Some(json!({"explain": format!("pelton explain {}", diagnostic.code)})),
        ..lsp_types::Diagnostic::default()
    }
}

fn code(code: Code) -> NumberOrString {
    NumberOrString::String(code.as_str().to_string())
}

fn severity(diagnostic: &SourceDiagnostic) -> DiagnosticSeverity {
    match (diagnostic.code, diagnostic.severity) {
        // A file being written has no root yet, a library never has one, and
        // the editor's limit is not the compiler's.
        (Code::NoRoot, _) if is_missing_root(diagnostic) => DiagnosticSeverity::INFORMATION,
        (Code::TooLarge, _) => DiagnosticSeverity::INFORMATION,
        (_, Severity::Error) => DiagnosticSeverity::ERROR,
        (_, Severity::Warning) => DiagnosticSeverity::WARNING,
        (_, Severity::Note) => DiagnosticSeverity::INFORMATION,
    }
}

/// Whether there is no root, rather than a second one, whose message points at the first.
fn is_missing_root(diagnostic: &SourceDiagnostic) -> bool {
    diagnostic.labels.iter().all(|label| label.primary)
}

fn tags(code: Code) -> Option<Vec<DiagnosticTag>> {
    use Code::{UnusedName, UnusedNode, UnusedParameter, UnusedVariable};
    matches!(
        code,
        UnusedNode | UnusedParameter | UnusedVariable | UnusedName
    )
    .then(|| vec![DiagnosticTag::UNNECESSARY])
}

fn related(
    diagnostic: &SourceDiagnostic,
    checked: &CheckedDocument,
) -> Vec<DiagnosticRelatedInformation> {
    let sources = &checked.analysis.program.sources;
    let others = diagnostic.labels.iter().filter(|label| !label.primary);
    others
        .filter_map(|label| {
            Some(DiagnosticRelatedInformation {
                location: checked.uris.location(sources, label.span)?,
                message: label.text.clone(),
            })
        })
        .collect()
}

fn message(diagnostic: &SourceDiagnostic) -> String {
    let mut lines = vec![diagnostic.message.clone()];
    let primary = diagnostic.labels.iter().filter(|label| label.primary);
    let primary = primary.map(|label| label.text.clone());
    lines.extend(primary.filter(|text| !text.is_empty()));
    lines.extend(diagnostic.notes.iter().map(|note| format!("note: {note}")));
    lines.extend(witness(diagnostic));
    let help = diagnostic.worded_help(flags);
    lines.extend(help.map(|help| format!("help: {help}")));
    if matches!(diagnostic.code, Code::TooLarge | Code::PropertyUnknown) {
        lines.push("note: the editor gives up early; `pelton check` goes further".to_string());
    }
    lines.push(format!("more: pelton explain {}", diagnostic.code));
    lines.join("\n")
}

/// The witness, unless a note shows it already.
fn witness(diagnostic: &SourceDiagnostic) -> Option<String> {
    let is_noted = diagnostic.notes.iter().any(|n| n.starts_with("witness"));
    if diagnostic.witness.is_empty() || is_noted {
        return None;
    }
    let values = diagnostic.witness.iter().take(WITNESS_SHOWN);
    let mut values: Vec<String> = values
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    if diagnostic.witness.len() > WITNESS_SHOWN {
        values.push("…".to_string());
    }
    Some(format!("note: witness: {}", values.join(", ")))
}
