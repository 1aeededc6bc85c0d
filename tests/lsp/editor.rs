//! The editor's side of a session with the language server.
#![allow(
    clippy::unwrap_used,
    reason = "a test fails by panicking, also in the parts its functions share"
)]

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// A server that says nothing for this long has hung.
const PATIENCE: Duration = Duration::from_secs(60);

/// The editor's side of a session.
pub struct Editor {
    server: Child,
    pub input: Option<ChildStdin>,
    output: Receiver<Value>,
    /// Messages that came while another was waited for.
    notes: Vec<Value>,
    next_id: i64,
    /// Where the documents are.
    pub root: PathBuf,
    /// The folder made for this session, which vanishes with it.
    _made: tempfile::TempDir,
}

impl Editor {
    /// Starts the server without saying anything.
    pub fn start() -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_pelton"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut reader = BufReader::new(server.stdout.take().unwrap());
        let (sender, output) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read_message(&mut reader) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let made = tempfile::tempdir().unwrap();
        Editor {
            input: server.stdin.take(),
            server,
            output,
            notes: Vec::new(),
            next_id: 0,
            root: made.path().canonicalize().unwrap(),
            _made: made,
        }
    }

    /// Starts the server and shakes hands.
    pub fn ready() -> Self {
        let mut editor = Editor::start();
        let answer = editor.request("initialize", json!({"capabilities": {}}));
        assert_eq!(answer["serverInfo"]["name"], "pelton");
        editor.notify("initialized", json!({}));
        editor
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    pub fn uri(&self, name: &str) -> String {
        format!("file://{}", self.path(name).display())
    }

    pub fn send_text(&mut self, text: &str) {
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        input.flush().unwrap();
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        let message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        self.send_text(&message.to_string());
    }

    /// The next message of the server; a silent one fails the test.
    pub fn receive(&mut self) -> Value {
        self.output
            .recv_timeout(PATIENCE)
            .expect("the server has hung or ended")
    }

    /// Sends a request and waits for the whole answer.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next_id += 1;
        let id = self.next_id;
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.send_text(&message.to_string());
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message;
            }
            self.notes.push(message);
        }
    }

    /// Sends a request and gives its result, which must not be an error.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let answer = self.ask(method, params);
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    /// The code of the error that answers a request.
    pub fn refused(&mut self, method: &str, params: Value) -> i64 {
        let answer = self.ask(method, params);
        answer["error"]["code"].as_i64().expect("an error")
    }

    /// The diagnostics of a version of a document, once they come; files that
    /// are not open have no version.
    pub fn diagnostics(&mut self, name: &str, version: impl Into<Value>) -> Vec<Value> {
        let version = version.into();
        let uri = self.uri(name);
        let is_it = |note: &Value| {
            note["method"] == "textDocument/publishDiagnostics"
                && note["params"]["uri"] == uri.as_str()
                && note["params"]["version"] == version
        };
        loop {
            if let Some(at) = self.notes.iter().position(is_it) {
                let note = self.notes.remove(at);
                return note["params"]["diagnostics"].as_array().unwrap().clone();
            }
            let message = self.receive();
            self.notes.push(message);
        }
    }

    /// Writes a document to disk and opens it.
    pub fn open(&mut self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
        self.show(name, text);
    }

    /// Opens a document that is on disk already, or never will be.
    pub fn show(&mut self, name: &str, text: &str) {
        let document = json!({
            "uri": self.uri(name), "languageId": "pcirc", "version": 1, "text": text
        });
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    pub fn change(&mut self, name: &str, version: i64, changes: Value) {
        let document = json!({"uri": self.uri(name), "version": version});
        let params = json!({"textDocument": document, "contentChanges": changes});
        self.notify("textDocument/didChange", params);
    }

    /// A position in a document, as most requests take it.
    pub fn at(&self, name: &str, text: &str, needle: &str) -> Value {
        json!({"textDocument": {"uri": self.uri(name)}, "position": position(text, needle)})
    }

    /// What a hover says.
    pub fn hover(&mut self, name: &str, text: &str, needle: &str) -> String {
        let params = self.at(name, text, needle);
        let hover = self.request("textDocument/hover", params);
        hover["contents"]["value"].as_str().unwrap().to_string()
    }

    /// The labels that completion offers behind `needle`.
    pub fn completions(&mut self, name: &str, text: &str, needle: &str) -> Vec<String> {
        let mut params = self.at(name, text, needle);
        let column = params["position"]["character"].as_u64().unwrap();
        let length = needle.encode_utf16().count() as u64;
        params["position"]["character"] = json!(column + length);
        let items = self.request("textDocument/completion", params);
        let items = items.as_array().unwrap();
        let labels = items.iter().map(|item| item["label"].as_str().unwrap());
        labels.map(String::from).collect()
    }

    /// Ends the session in order and gives the exit code.
    pub fn finish(mut self) -> Option<i32> {
        self.request("shutdown", Value::Null);
        let late = self.refused("textDocument/hover", json!({}));
        assert_eq!(late, -32600, "nothing is answered behind `shutdown`");
        self.notify("exit", Value::Null);
        self.exit_code()
    }

    /// Waits until the server closes its output, then takes its exit code.
    pub fn exit_code(mut self) -> Option<i32> {
        while self.output.recv_timeout(PATIENCE).is_ok() {}
        self.server.wait().unwrap().code()
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // A test that failed leaves the server waiting for more.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn read_message(reader: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", value)) => length = value.parse().unwrap(),
            None if line.trim_end().is_empty() => break,
            other => panic!("not the protocol on standard output: {other:?}"),
        }
    }
    let mut content = vec![0; length];
    reader.read_exact(&mut content).ok()?;
    Some(serde_json::from_slice(&content).unwrap())
}

/// The position of a needle, counted in UTF-16 as the protocol does.
pub fn position(text: &str, needle: &str) -> Value {
    let at = text.find(needle).unwrap_or_else(|| panic!("no `{needle}`"));
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    json!({"line": line, "character": text[start..at].encode_utf16().count()})
}

pub fn offset(text: &str, position: &Value) -> usize {
    let line = position["line"].as_u64().unwrap() as usize;
    let column = position["character"].as_u64().unwrap() as usize;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let mut units = 0;
    for (at, c) in text[start..].char_indices() {
        if units >= column {
            return start + at;
        }
        units += c.len_utf16();
    }
    text.len()
}

/// Applies text edits as an editor does: all at once.
pub fn apply(text: &str, edits: &Value) -> String {
    let mut edits: Vec<&Value> = edits.as_array().unwrap().iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(offset(text, &edit["range"]["start"])));
    let mut text = text.to_string();
    for edit in edits {
        let start = offset(&text, &edit["range"]["start"]);
        let end = offset(&text, &edit["range"]["end"]);
        text.replace_range(start..end, edit["newText"].as_str().unwrap());
    }
    text
}

pub fn codes(diagnostics: &[Value]) -> Vec<&str> {
    let codes = diagnostics.iter().map(|d| d["code"].as_str().unwrap());
    codes.collect()
}
