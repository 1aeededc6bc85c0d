//! The canonical text of a document.

use super::place;
use super::workspace::Workspace;
use lsp_types::{Range, TextEdit, Uri};
use pelton_grammar::format::format_source;
use pelton_grammar::parse::ParseOptions;
use pelton_grammar::source::Source;

/// The edit that makes a document canonical; none if it is or cannot be read.
pub fn format(workspace: &Workspace, uri: &Uri) -> Option<Vec<TextEdit>> {
    let document = workspace.documents.get(uri)?;
    let source = Source::standalone("", document.text.as_str());
    let formatted = format_source(&source, &ParseOptions::default()).ok()?;
    if formatted == document.text {
        return Some(Vec::new());
    }
    let all: Range = place::range(&source, source.span());
    Some(vec![TextEdit::new(all, formatted)])
}
