//! The language server: `pelton lsp`.
//!
//! One thread reads messages, one works on them in order. What an editor asks
//! of a text's words (outline, completion, definitions) needs the syntax trees
//! only, which are cheap; what it asks of the circuit waits for the analysis,
//! which runs when no message is waiting.

mod actions;
mod builtins;
mod completion;
mod completion_site;
mod documents;
mod facts;
mod hover;
mod index;
mod navigate;
mod outline;
mod place;
mod publish;
mod rename;
mod requests;
mod server;
mod transport;
mod uri;
mod workspace;

use crate::{CommandFailure, CommandResult, Exit};

/// Serves the editor on standard input and output until it says `exit`.
pub fn run() -> CommandResult<Exit> {
    let (incoming, client) = transport::stdio().map_err(|reason| {
        CommandFailure::Usage(format!(
            "the server cannot start a thread to read on: {reason}"
        ))
    })?;
    Ok(server::Server::new(client).serve(&incoming))
}
