//! Circuits in documentation: every block is run.
//!
//! A block fenced as `pcirc` is a whole file that must check without error or
//! warning, and print the lines that are quoted behind it (`> P(a) = 0.5`).
//! Words behind `pcirc` change that:
//!
//! * `wrong=PC0101`: the file must give this code and no other, with the
//!   messages that are quoted behind it (`> error[PC0101]: …`);
//! * `file=lib.pcirc`: the block is saved under this name for the blocks after
//!   it, and is checked itself only if it is `wrong`;
//! * `bytes`: `\xE9` stands for that byte.
//!
//! A block fenced as `text file=a.psdd` is a circuit of another tool and is checked too.
//!
//! Options are visible in the text: a line right before the block that
//! mentions `` `pelton check -D K=9` `` gives them.

use crate::command::{Pelton, field};
use serde_json::Value;
use std::path::Path;

/// One fenced block with what the text around it says of it.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The line it begins on, counted from 1.
    pub line: usize,
    /// The code it must give.
    pub wrong: Option<String>,
    /// The name it is saved under.
    pub file: Option<String>,
    /// Its content.
    pub bytes: Vec<u8>,
    /// Options of `pelton check`.
    pub args: Vec<String>,
    /// What Pelton says, as quoted behind the block.
    pub says: Vec<String>,
}

impl Block {
    /// Whether the block is checked on its own.
    pub fn is_checked(&self) -> bool {
        let is_part = |name: &str| name.ends_with(".pcirc");
        self.wrong.is_some() || !self.file.as_deref().is_some_and(is_part)
    }
}

/// Reads the blocks of a page that hold circuits.
pub fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut before = "";
    let mut lines = page.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let foreign = line.strip_prefix("```text ");
        if let Some(info) = line.strip_prefix("```pcirc").or(foreign) {
            let body = lines.by_ref().map(|(_, line)| line);
            let body: Vec<&str> = body.take_while(|line| *line != "```").collect();
            blocks.push(block(at + 1, info, &body, before));
        } else if line.starts_with("```") {
            // A block in another language.
            lines.by_ref().find(|(_, line)| *line == "```");
        } else if let (Some(says), Some(block)) = (line.strip_prefix("> "), blocks.last_mut()) {
            block.says.push(says.to_string());
        }
        if !line.trim().is_empty() {
            before = line;
        }
    }
    blocks
}

fn block(line: usize, info: &str, body: &[&str], before: &str) -> Block {
    let mut text = body.join("\n");
    text.push('\n');
    let mut block = Block {
        line,
        bytes: text.into_bytes(),
        args: options(before),
        ..Block::default()
    };
    for word in info.split_whitespace() {
        match word.split_once('=') {
            Some(("wrong", code)) => block.wrong = Some(code.to_string()),
            Some(("file", name)) => block.file = Some(name.to_string()),
            None if word == "bytes" => block.bytes = unescaped(&block.bytes),
            _ => panic!("line {line}: `{word}` means nothing behind ```pcirc"),
        }
    }
    block
}

/// The options in `` `pelton check …` ``.
fn options(line: &str) -> Vec<String> {
    let mentioned = line.split_once("`pelton check ");
    let options = mentioned.and_then(|(_, rest)| rest.split_once('`'));
    options.map_or(Vec::new(), |(options, _)| {
        options.split_whitespace().map(str::to_string).collect()
    })
}

fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let digits = text
            .get(at + 2..at + 4)
            .filter(|_| text[at..].starts_with(b"\\x"));
        let escaped =
            digits.and_then(|d| u8::from_str_radix(std::str::from_utf8(d).ok()?, 16).ok());
        bytes.push(escaped.unwrap_or(byte));
        at += if escaped.is_some() { 4 } else { 1 };
    }
    bytes
}

/// Runs all blocks of a page in a folder of their own; gives what is wrong with it.
pub fn faults(pelton: Pelton, page: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(page).expect("the page can be read");
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut faults = Vec::new();
    for block in blocks(&text) {
        let name = block.file.as_deref().unwrap_or("circuit.pcirc");
        std::fs::write(folder.path().join(name), &block.bytes).expect("a block can be saved");
        if block.is_checked() {
            let place = format!("{}:{}", page.display(), block.line);
            let fault = fault_of(pelton, folder.path(), name, &block);
            faults.extend(fault.map(|fault| format!("{place}: {fault}")));
        }
    }
    faults
}

fn fault_of(pelton: Pelton, folder: &Path, name: &str, block: &Block) -> Option<String> {
    let found = pelton.messages(folder, name, &block.args);
    let said: Vec<String> = match block.wrong {
        Some(_) => found.iter().map(in_one_line).collect(),
        None => printed(pelton, folder, name, &block.args),
    };
    let unsaid = block.says.iter().find(|says| !said.contains(says));
    wrong_codes(block, &found)
        .or_else(|| unsaid.map(|says| format!("does not say {says}, but {said:#?}")))
}

/// The lines that `pelton check` prints, without indentation.
fn printed(pelton: Pelton, folder: &Path, name: &str, args: &[String]) -> Vec<String> {
    let mut all = vec!["check"];
    all.extend(args.iter().map(String::as_str));
    all.push(name);
    let run = pelton.run(folder, all);
    run.stdout
        .lines()
        .map(|line| line.trim().to_string())
        .collect()
}

/// What is wrong with a block that gives the messages `found`, by their codes.
fn wrong_codes(block: &Block, found: &[Value]) -> Option<String> {
    let said: Vec<String> = found.iter().map(in_one_line).collect();
    let is_note = |message: &Value| field(message, "severity") == "note";
    match &block.wrong {
        None => (!found.iter().all(is_note)).then(|| format!("is not clean: {said:#?}")),
        Some(code) => {
            let is_other = |message: &Value| field(message, "code") != code;
            (found.is_empty() || found.iter().any(is_other))
                .then(|| format!("should give {code} alone and gives {said:#?}"))
        }
    }
}

fn in_one_line(message: &Value) -> String {
    let (severity, code) = (field(message, "severity"), field(message, "code"));
    format!("{severity}[{code}]: {}", field(message, "message"))
}
