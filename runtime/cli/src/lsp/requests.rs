//! From a request to the feature that answers it.

use super::actions::code_actions;
use super::completion::complete;
use super::navigate::{definition, highlight, references};
use super::transport::failure;
use super::workspace::Workspace;
use super::{hover, outline, place, rename};
use lsp_server::{ErrorCode, Request, Response};
use lsp_types::request::{
    CodeActionRequest, Completion, DocumentHighlightRequest, DocumentSymbolRequest,
    FoldingRangeRequest, Formatting, GotoDefinition, HoverRequest, PrepareRenameRequest,
    References, Rename, Request as Method,
};
use lsp_types::{DocumentSymbolResponse, TextEdit, Uri};
use pelton_grammar::format::format_source;
use pelton_grammar::parse::ParseOptions;
use pelton_grammar::source::Source;

/// Why a request has no result, in words for the editor's user.
pub type RequestRefusal = String;

pub fn answer(workspace: &mut Workspace, request: Request) -> Response {
    match request.method.as_str() {
        HoverRequest::METHOD => with::<HoverRequest>(request, |asked| {
            Ok(hover::hover(workspace, asked.text_document_position_params))
        }),
        CodeActionRequest::METHOD => {
            with::<CodeActionRequest>(request, |asked| Ok(Some(code_actions(workspace, asked))))
        }
        GotoDefinition::METHOD => with::<GotoDefinition>(request, |asked| {
            Ok(definition(workspace, asked.text_document_position_params))
        }),
        References::METHOD => with::<References>(request, |asked| Ok(references(workspace, asked))),
        DocumentHighlightRequest::METHOD => with::<DocumentHighlightRequest>(request, |asked| {
            Ok(highlight(workspace, asked.text_document_position_params))
        }),
        PrepareRenameRequest::METHOD => with::<PrepareRenameRequest>(request, |asked| {
            rename::prepare(workspace, asked).map(Some)
        }),
        Rename::METHOD => {
            with::<Rename>(request, |asked| rename::rename(workspace, asked).map(Some))
        }
        DocumentSymbolRequest::METHOD => with::<DocumentSymbolRequest>(request, |asked| {
            let symbols = outline::symbols(workspace, &asked.text_document.uri);
            Ok(symbols.map(DocumentSymbolResponse::Nested))
        }),
        FoldingRangeRequest::METHOD => with::<FoldingRangeRequest>(request, |asked| {
            Ok(outline::folds(workspace, &asked.text_document.uri))
        }),
        Completion::METHOD => with::<Completion>(request, |asked| {
            Ok(complete(workspace, asked.text_document_position))
        }),
        Formatting::METHOD => with::<Formatting>(request, |asked| {
            Ok(formatted(workspace, &asked.text_document.uri))
        }),
        other => {
            let message = format!("there is no method `{other}`");
            failure(request.id, ErrorCode::MethodNotFound, message)
        }
    }
}

/// Reads the parameters, and wraps what `act` makes of them.
fn with<M: Method>(
    request: Request,
    act: impl FnOnce(M::Params) -> Result<M::Result, RequestRefusal>,
) -> Response {
    match serde_json::from_value(request.params).map(act) {
        Err(fault) => failure(request.id, ErrorCode::InvalidParams, fault.to_string()),
        Ok(Err(refusal)) => failure(request.id, ErrorCode::RequestFailed, refusal),
        Ok(Ok(result)) => Response::new_ok(request.id, result),
    }
}

/// The edit that makes a document canonical; none if it is or cannot be read.
fn formatted(workspace: &Workspace, uri: &Uri) -> Option<Vec<TextEdit>> {
    let document = workspace.documents.get(uri)?;
    let source = Source::standalone("", document.text.as_str());
    let formatted = format_source(&source, &ParseOptions::default()).ok()?;
    let is_canonical = formatted == document.text;
    let edit = TextEdit::new(place::range(&source, source.span()), formatted);
    Some(if is_canonical { Vec::new() } else { vec![edit] })
}
