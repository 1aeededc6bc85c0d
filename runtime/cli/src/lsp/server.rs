//! The loop: messages first, and between them the analyses they made stale.

use super::publish::PublishedMessages;
use super::requests;
use super::transport::{Client, IncomingMessage, failure};
use super::uri;
use super::workspace::Workspace;
use crate::Exit;
use lsp_server::{ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument, DidOpenTextDocument,
    DidSaveTextDocument, Exit as ExitNotification, Notification as _,
};
use lsp_types::request::{Initialize, Request as _, Shutdown};
use lsp_types::{
    CodeActionKind, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, InitializeParams, TextDocumentSyncKind,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, TryRecvError};

/// How far the session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SessionPhase {
    /// `initialize` has not come.
    Waiting,
    Running,
    /// `shutdown` has come; only `exit` may follow.
    ShutDown,
}

pub struct Server {
    client: Client,
    workspace: Workspace,
    published: PublishedMessages,
    phase: SessionPhase,
}

impl Server {
    /// A session in which nothing was said yet.
    pub fn new(client: Client) -> Self {
        Server {
            client,
            workspace: Workspace::default(),
            published: PublishedMessages::default(),
            phase: SessionPhase::Waiting,
        }
    }

    /// Works on messages until `exit` or the end of input.
    ///
    /// A document is analyzed only when no message waits, so that of several
    /// changes in a row the last one alone is looked at.
    pub fn serve(mut self, incoming: &Receiver<IncomingMessage>) -> Exit {
        while !self.client.is_closed() {
            // Waiting messages come first; the time between them is for analyses, one at a time.
            let next = match incoming.try_recv() {
                Err(TryRecvError::Empty) if self.refresh() => continue,
                Err(TryRecvError::Empty) => incoming.recv().ok(),
                other => other.ok(),
            };
            match next {
                None => break,
                Some(IncomingMessage::Malformed(answer)) => self.client.send_raw(&answer),
                Some(IncomingMessage::Message(Message::Notification(note)))
                    if note.method == ExitNotification::METHOD =>
                {
                    break;
                }
                Some(IncomingMessage::Message(message)) => self.handle(message),
            }
        }
        // The protocol's codes: 1 unless the session was shut down in order.
        match self.phase {
            SessionPhase::ShutDown => Exit::Ok,
            _ => Exit::Wrong,
        }
    }

    fn handle(&mut self, message: Message) {
        match message {
            Message::Request(request) => {
                let answer = self.answer(request);
                self.client.send(answer);
            }
            Message::Notification(note) => self.note(note),
            // The server asks nothing, so there is nothing to be answered.
            Message::Response(_) => {}
        }
    }

    /// Analyzes one document whose messages are out of date; `false` if there is none.
    fn refresh(&mut self) -> bool {
        let Some(uri) = self.workspace.take_stale() else {
            return false;
        };
        let checked = self.workspace.checked(&uri);
        if checked.is_none() {
            self.client.log(format!(
                "this is a bug in Pelton: the analysis of {} failed; please report it with the file",
                uri.as_str()
            ));
        }
        self.published
            .replace(&uri, checked.as_deref(), &self.workspace, &self.client);
        true
    }

    fn answer(&mut self, request: Request) -> Response {
        let id = request.id.clone();
        match (self.phase, request.method.as_str()) {
            (SessionPhase::Waiting, Initialize::METHOD) => self.initialize(request),
            (SessionPhase::Waiting, _) => {
                let message = "the first request must be `initialize`";
                failure(id, ErrorCode::ServerNotInitialized, message)
            }
            (SessionPhase::ShutDown, _) => {
                failure(id, ErrorCode::InvalidRequest, "the server was shut down")
            }
            (SessionPhase::Running, Initialize::METHOD) => {
                let message = "`initialize` may come once only";
                failure(id, ErrorCode::InvalidRequest, message)
            }
            (SessionPhase::Running, Shutdown::METHOD) => {
                self.phase = SessionPhase::ShutDown;
                Response::new_ok(id, ())
            }
            (SessionPhase::Running, _) => self.answer_feature(request),
        }
    }

    /// Answers a request about documents; a fault of ours is an answer too.
    fn answer_feature(&mut self, request: Request) -> Response {
        let (id, method) = (request.id.clone(), request.method.clone());
        let workspace = &mut self.workspace;
        let answer = catch_unwind(AssertUnwindSafe(|| requests::answer(workspace, request)));
        answer.unwrap_or_else(|_| {
            let message = format!("this is a bug in Pelton: `{method}` failed");
            self.client.log(message.clone());
            failure(id, ErrorCode::InternalError, message)
        })
    }

    fn initialize(&mut self, request: Request) -> Response {
        let params = match serde_json::from_value::<InitializeParams>(request.params) {
            Ok(params) => params,
            Err(fault) => {
                return failure(request.id, ErrorCode::InvalidParams, fault.to_string());
            }
        };
        let folders = params.workspace_folders.unwrap_or_default();
        let folders = folders
            .iter()
            .filter_map(|folder| uri::to_path(&folder.uri));
        self.workspace.documents.folders = folders.collect();
        self.phase = SessionPhase::Running;
        Response::new_ok(request.id, initialize_result())
    }

    fn note(&mut self, note: Notification) {
        if self.phase != SessionPhase::Running {
            return;
        }
        match note.method.as_str() {
            DidOpenTextDocument::METHOD => self.with_params(note, Self::opened),
            DidChangeTextDocument::METHOD => self.with_params(note, Self::changed),
            DidCloseTextDocument::METHOD => self.with_params(note, Self::closed),
            // Files on disk may have changed under documents that use them.
            DidSaveTextDocument::METHOD | DidChangeWatchedFiles::METHOD => {
                self.workspace.all_changed();
            }
            _ => {}
        }
    }

    /// Notifications get no answer; one that cannot be read is told in the log.
    fn with_params<P: DeserializeOwned>(&mut self, note: Notification, act: fn(&mut Self, P)) {
        match serde_json::from_value(note.params) {
            Ok(params) => act(self, params),
            Err(fault) => self.client.log(format!("`{}`: {fault}", note.method)),
        }
    }

    fn opened(&mut self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        let documents = &mut self.workspace.documents;
        documents.open(document.uri, document.version, document.text);
        // Others may use the file, whether it could be read before or not.
        self.workspace.all_changed();
    }

    fn changed(&mut self, params: DidChangeTextDocumentParams) {
        let document = params.text_document;
        let documents = &mut self.workspace.documents;
        documents.change(&document.uri, document.version, params.content_changes);
        self.workspace.changed(&document.uri);
    }

    fn closed(&mut self, params: DidCloseTextDocumentParams) {
        let uri = params.text_document.uri;
        self.workspace.documents.close(&uri);
        self.workspace.all_changed();
        self.published
            .replace(&uri, None, &self.workspace, &self.client);
    }
}

/// The answer to `initialize`: who serves, and what it offers.
fn initialize_result() -> Value {
    json!({
        "capabilities": {
            "textDocumentSync": {
                "openClose": true,
                "change": TextDocumentSyncKind::INCREMENTAL,
                "save": true,
            },
            "hoverProvider": true,
            "completionProvider": {"triggerCharacters": ["~", "@", ".", "[", "="]},
            "definitionProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "documentSymbolProvider": true,
            "codeActionProvider": {"codeActionKinds": [CodeActionKind::QUICKFIX]},
            "documentFormattingProvider": true,
            "renameProvider": {"prepareProvider": true},
            "foldingRangeProvider": true,
        },
        "serverInfo": {"name": "pelton", "version": env!("CARGO_PKG_VERSION")},
    })
}
