//! Messages over standard input and output.
//!
//! The frames are read here rather than by `lsp-server`, whose reader gives up
//! on the first message it cannot read: a client's slip must not end a session.

use lsp_server::{ErrorCode, Message, Notification, Response};
use lsp_types::MessageType;
use serde_json::{Value, json};
use std::cell::Cell;
use std::io::{BufRead, Read, Write};
use std::sync::mpsc::{Receiver, sync_channel};

/// The longest message that is read; a longer one is a broken header.
const LONGEST_MESSAGE: u64 = 1 << 30;

/// The longest line of a header.
const LONGEST_HEADER: u64 = 4096;

/// Messages that wait to be worked on; an editor that sends more waits itself.
const MOST_WAITING: usize = 256;

#[derive(Debug)]
pub enum IncomingMessage {
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
///
/// # Errors
///
/// If the system gives no thread to read on.
pub fn stdio() -> std::io::Result<(Receiver<IncomingMessage>, Client)> {
    let (sender, receiver) = sync_channel(MOST_WAITING);
    std::thread::Builder::new().spawn(move || {
        let mut frames = MessageFrames::new(std::io::stdin().lock());
        while let Ok(Some(frame)) = frames.next() {
            let incoming = match frame {
                MessageFrame::Whole(content) => read_message(&content),
                MessageFrame::Endless => malformed(Value::Null, ErrorCode::ParseError, NO_LENGTH),
            };
            if sender.send(incoming).is_err() {
                return;
            }
        }
    })?;
    let closed = Cell::new(false);
    Ok((receiver, Client { closed }))
}

impl Client {
    pub fn send(&self, message: impl Into<Message>) {
        let result = message.into().write(&mut std::io::stdout().lock());
        self.closed.set(self.closed.get() || result.is_err());
    }

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

pub fn failure(id: lsp_server::RequestId, code: ErrorCode, message: impl Into<String>) -> Response {
    Response::new_err(id, code as i32, message.into())
}

/// What is answered to a header that does not say how long its message is.
const NO_LENGTH: &str = "a header without a length that can be read";

/// What stands before a length, in small letters.
const LENGTH: &[u8] = b"content-length:";

/// A message as it is framed.
#[derive(Debug, PartialEq, Eq)]
enum MessageFrame {
    Whole(Vec<u8>),
    /// A header that does not say where its message ends.
    Endless,
}

/// Cuts the input into frames.
struct MessageFrames<R> {
    input: R,
    /// Whether the input is inside of a message that has no end: what follows is read when
    /// the next length is found.
    is_lost: bool,
}

impl<R: BufRead> MessageFrames<R> {
    fn new(input: R) -> Self {
        let is_lost = false;
        MessageFrames { input, is_lost }
    }

    /// The next frame; `None` at the end of input.
    fn next(&mut self) -> std::io::Result<Option<MessageFrame>> {
        let mut start = Vec::new();
        if self.is_lost {
            if !self.skips_to_length()? {
                return Ok(None);
            }
            start = LENGTH.to_vec();
        }
        // The header, of which the first letters may have been read while searching.
        let Some(length) = self.header(start)? else {
            return Ok(None);
        };
        self.is_lost = length.is_none_or(|length| length > LONGEST_MESSAGE);
        let Some(length) = length.filter(|_| !self.is_lost) else {
            return Ok(Some(MessageFrame::Endless));
        };
        // The content; one that the input cuts short is no message.
        let mut content = Vec::new();
        let input = self.input.by_ref();
        input.take(length).read_to_end(&mut content)?;
        let is_whole = content.len() as u64 == length;
        Ok(is_whole.then_some(MessageFrame::Whole(content)))
    }

    /// The length that a header names, if there is one; `start` is what was read of its
    /// first line. `None` at the end of input.
    fn header(&mut self, start: Vec<u8>) -> std::io::Result<Option<Option<u64>>> {
        let (mut length, mut line) = (None, start);
        loop {
            let mut input = self.input.by_ref().take(LONGEST_HEADER);
            if input.read_until(b'\n', &mut line)? == 0 {
                return Ok(None);
            }
            let text = String::from_utf8_lossy(&line);
            let text = text.trim();
            match text.split_once(':') {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse::<u64>().ok();
                }
                None if text.is_empty() => return Ok(Some(length)),
                _ => {}
            }
            line.clear();
        }
    }

    /// Passes over bytes until a length is announced; `false` at the end of input.
    fn skips_to_length(&mut self) -> std::io::Result<bool> {
        let mut n_matched = 0;
        let mut byte = [0];
        while n_matched < LENGTH.len() {
            if self.input.read(&mut byte)? == 0 {
                return Ok(false);
            }
            let letter = byte[0].to_ascii_lowercase();
            // Only the first letter can begin again: `c` comes once in the words.
            n_matched = if letter == LENGTH[n_matched] {
                n_matched + 1
            } else {
                usize::from(letter == LENGTH[0])
            };
        }
        Ok(true)
    }
}

fn malformed(id: Value, code: ErrorCode, message: &str) -> IncomingMessage {
    let error = json!({"code": code as i32, "message": message});
    IncomingMessage::Malformed(json!({"jsonrpc": "2.0", "id": id, "error": error}))
}

fn read_message(frame: &[u8]) -> IncomingMessage {
    let value: Value = match serde_json::from_slice(frame) {
        Ok(value) => value,
        Err(fault) => {
            return malformed(Value::Null, ErrorCode::ParseError, &fault.to_string());
        }
    };
    let id = value.get("id").cloned().unwrap_or(Value::Null);
    match serde_json::from_value(value) {
        Ok(message) => IncomingMessage::Message(message),
        Err(_) => {
            let message = "neither a request nor a notification nor an answer";
            malformed(id, ErrorCode::InvalidRequest, message)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(input: &[u8]) -> Vec<MessageFrame> {
        let mut frames = MessageFrames::new(input);
        std::iter::from_fn(|| frames.next().unwrap()).collect()
    }

    fn whole(content: &str) -> MessageFrame {
        MessageFrame::Whole(content.as_bytes().to_vec())
    }

    #[test]
    fn frames_are_cut_by_their_length() {
        let input = b"Content-Type: x\r\ncontent-length:2\r\n\r\n{}Content-Length: 9\r\n\r\n{";
        assert_eq!(frames(input), [whole("{}")], "the second is cut short");
    }

    #[test]
    fn a_header_without_a_length_costs_one_message() {
        for header in ["X: 1", "Content-Length: -1", "Content-Length: 9999999999"] {
            let input = format!("{header}\r\n\r\n{{\"conContent\":1}}Content-Length: 2\r\n\r\n[]");
            assert_eq!(
                frames(input.as_bytes()),
                [MessageFrame::Endless, whole("[]")]
            );
        }
    }

    #[test]
    fn malformed_messages_are_answered_by_id_where_there_is_one() {
        let answer = |frame: &[u8]| match read_message(frame) {
            IncomingMessage::Malformed(answer) => {
                (answer["id"].clone(), answer["error"]["code"].clone())
            }
            IncomingMessage::Message(message) => panic!("{message:?}"),
        };
        assert_eq!(answer(b"{"), (Value::Null, json!(-32700)));
        assert_eq!(
            answer(b"{\"id\": 7, \"method\": 1}"),
            (json!(7), json!(-32600))
        );
    }
}
