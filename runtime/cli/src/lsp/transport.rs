//! Messages over standard input and output.
//!
//! The frames are read here rather than by `lsp-server`, whose reader gives up
//! on the first message it cannot read: a client's slip must not end a session.

use lsp_server::{ErrorCode, Message, Notification, Response};
use lsp_types::MessageType;
use serde_json::{Value, json};
use std::cell::Cell;
use std::io::{BufRead, Read, Write};
use std::sync::mpsc::{Receiver, channel};

/// The longest message that is read; a longer one is a broken header.
const LONGEST_MESSAGE: u64 = 1 << 30;

/// The longest line of a header.
const LONGEST_HEADER: u64 = 4096;

/// What comes in.
#[derive(Debug)]
pub enum Incoming {
    /// A message of the protocol.
    Message(Message),
    /// A frame that holds none: what to answer.
    Malformed(Value),
}

/// The editor at the other end.
pub struct Client {
    /// Whether it has stopped listening.
    closed: Cell<bool>,
}

/// Starts to read standard input; the channel closes when the input ends.
pub fn stdio() -> (Receiver<Incoming>, Client) {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        // A frame that cannot be delimited ends the session as the end of input does.
        while let Ok(Some(frame)) = read_frame(&mut input) {
            if sender.send(read_message(&frame)).is_err() {
                return;
            }
        }
    });
    let closed = Cell::new(false);
    (receiver, Client { closed })
}

impl Client {
    /// Sends a message.
    pub fn send(&self, message: impl Into<Message>) {
        let result = message.into().write(&mut std::io::stdout().lock());
        self.closed.set(self.closed.get() || result.is_err());
    }

    /// Sends a notification.
    pub fn notify<N: lsp_types::notification::Notification>(&self, params: &N::Params) {
        self.send(Notification::new(N::METHOD.to_string(), params));
    }

    /// Sends an answer whose id may be null, which `lsp-server` has no type for.
    pub fn send_raw(&self, answer: &Value) {
        let text = answer.to_string();
        let mut out = std::io::stdout().lock();
        let result = write!(out, "Content-Length: {}\r\n\r\n{text}", text.len());
        let result = result.and_then(|()| out.flush());
        self.closed.set(self.closed.get() || result.is_err());
    }

    /// Leaves a line in the editor's log.
    pub fn log(&self, message: impl Into<String>) {
        let params = lsp_types::LogMessageParams {
            typ: MessageType::ERROR,
            message: message.into(),
        };
        self.notify::<lsp_types::notification::LogMessage>(&params);
    }

    /// Whether nobody reads what is sent.
    pub fn is_closed(&self) -> bool {
        self.closed.get()
    }
}

/// An answer that reports an error.
pub fn failure(id: lsp_server::RequestId, code: ErrorCode, message: impl Into<String>) -> Response {
    Response::new_err(id, code as i32, message.into())
}

/// The next frame's content; `None` at the end of input.
fn read_frame(input: &mut impl BufRead) -> std::io::Result<Option<Vec<u8>>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        let n_read = input
            .by_ref()
            .take(LONGEST_HEADER)
            .read_until(b'\n', &mut line)?;
        if n_read == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        match line.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse::<u64>().ok();
            }
            None if line.is_empty() => break,
            _ => {}
        }
    }
    let length = length.filter(|&length| length <= LONGEST_MESSAGE);
    let length = length.ok_or_else(|| std::io::Error::other("no length that can be read"))?;
    let mut content = Vec::new();
    input.take(length).read_to_end(&mut content)?;
    Ok((content.len() as u64 == length).then_some(content))
}

fn read_message(frame: &[u8]) -> Incoming {
    let error = |id: Value, code: ErrorCode, message: String| {
        let error = json!({"code": code as i32, "message": message});
        Incoming::Malformed(json!({"jsonrpc": "2.0", "id": id, "error": error}))
    };
    let value: Value = match serde_json::from_slice(frame) {
        Ok(value) => value,
        Err(fault) => return error(Value::Null, ErrorCode::ParseError, fault.to_string()),
    };
    let id = value.get("id").cloned().unwrap_or(Value::Null);
    match serde_json::from_value(value) {
        Ok(message) => Incoming::Message(message),
        Err(_) => {
            let message = "neither a request nor a notification nor an answer".to_string();
            error(id, ErrorCode::InvalidRequest, message)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_cut_by_their_length() {
        let mut input: &[u8] =
            b"Content-Type: x\r\ncontent-length:2\r\n\r\n{}Content-Length: 9\r\n\r\n{";
        assert_eq!(read_frame(&mut input).unwrap(), Some(b"{}".to_vec()));
        assert_eq!(read_frame(&mut input).unwrap(), None, "cut short");
        assert!(read_frame(&mut &b"Content-Length: -1\r\n\r\n"[..]).is_err());
    }

    #[test]
    fn malformed_messages_are_answered_by_id_where_there_is_one() {
        let answer = |frame: &[u8]| match read_message(frame) {
            Incoming::Malformed(answer) => (answer["id"].clone(), answer["error"]["code"].clone()),
            Incoming::Message(message) => panic!("{message:?}"),
        };
        assert_eq!(answer(b"{"), (Value::Null, json!(-32700)));
        assert_eq!(
            answer(b"{\"id\": 7, \"method\": 1}"),
            (json!(7), json!(-32600))
        );
    }
}
