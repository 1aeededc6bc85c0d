//! From a request to the feature that answers it.

use super::transport::failure;
use super::workspace::Workspace;
use super::{actions, completion, formatting, hover, navigate, outline, rename};
use lsp_server::{ErrorCode, Request, Response};
use lsp_types::DocumentSymbolResponse;
use lsp_types::request::{
    CodeActionRequest, Completion, DocumentHighlightRequest, DocumentSymbolRequest,
    FoldingRangeRequest, Formatting, GotoDefinition, HoverRequest, PrepareRenameRequest,
    References, Rename, Request as Method,
};

/// Why a request has no result, in words for the editor's user.
pub type RequestRefusal = String;

/// Answers one request.
pub fn answer(workspace: &mut Workspace, request: Request) -> Response {
    match request.method.as_str() {
        HoverRequest::METHOD => with::<HoverRequest>(request, |params| {
            Ok(hover::hover(
                workspace,
                params.text_document_position_params,
            ))
        }),
        CodeActionRequest::METHOD => with::<CodeActionRequest>(request, |params| {
            Ok(Some(actions::code_actions(workspace, params)))
        }),
        GotoDefinition::METHOD => with::<GotoDefinition>(request, |params| {
            Ok(navigate::definition(
                workspace,
                params.text_document_position_params,
            ))
        }),
        References::METHOD => with::<References>(request, |params| {
            Ok(navigate::references(workspace, params))
        }),
        DocumentHighlightRequest::METHOD => with::<DocumentHighlightRequest>(request, |params| {
            Ok(navigate::highlight(
                workspace,
                params.text_document_position_params,
            ))
        }),
        PrepareRenameRequest::METHOD => with::<PrepareRenameRequest>(request, |params| {
            rename::prepare(workspace, params).map(Some)
        }),
        Rename::METHOD => with::<Rename>(request, |params| {
            rename::rename(workspace, params).map(Some)
        }),
        DocumentSymbolRequest::METHOD => with::<DocumentSymbolRequest>(request, |params| {
            let symbols = outline::symbols(workspace, &params.text_document.uri);
            Ok(symbols.map(DocumentSymbolResponse::Nested))
        }),
        FoldingRangeRequest::METHOD => with::<FoldingRangeRequest>(request, |params| {
            Ok(outline::folds(workspace, &params.text_document.uri))
        }),
        Completion::METHOD => with::<Completion>(request, |params| {
            Ok(completion::complete(
                workspace,
                params.text_document_position,
            ))
        }),
        Formatting::METHOD => with::<Formatting>(request, |params| {
            Ok(formatting::format(workspace, &params.text_document.uri))
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
    match serde_json::from_value(request.params) {
        Err(fault) => failure(request.id, ErrorCode::InvalidParams, fault.to_string()),
        Ok(params) => match act(params) {
            Ok(result) => Response::new_ok(request.id, result),
            Err(refusal) => failure(request.id, ErrorCode::RequestFailed, refusal),
        },
    }
}
