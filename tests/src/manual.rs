//! Pages as readers follow them: every command and every snippet is run.
//!
//! Commands are those of blocks fenced as `text`, behind `$ `, with what they print below
//! them, and of blocks fenced as `sh`. They run in a folder of their own, one page after the
//! other. Comments that no reader sees say the rest:
//!
//! * `<!-- in: examples/packing -->`: the files of this folder are there from here on;
//! * `<!-- clone: examples -->`: so are they under the path that they have in a clone;
//! * `<!-- file: a.csv`, lines, `-->`: so is this one;
//! * `<!-- printed by: pelton check a.pcirc -->`: the next block is part of what this prints;
//! * `<!-- not run: why -->`: the next block is not run.
//!
//! Blocks of circuits are for [`page`](crate::page), those of Rust, C and Python for tests
//! that can compile or run them; each of them is counted here, and every other block has to
//! be run or marked.

use crate::alike::printed_alike;
use crate::command::Pelton;
use std::path::Path;

/// A part of a page, in its order.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Files of a folder of the repository.
    Folder(String),
    /// A folder of the repository, under its own path.
    Clone(String),
    /// A file and its text.
    File(String, String),
    /// A fenced block.
    Block(Block),
}

/// A fenced block with what comments say of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// The line it begins on, counted from 1.
    pub line: usize,
    /// The first word behind the fence.
    pub language: String,
    /// The name it is saved under.
    pub file: Option<String>,
    /// Its text.
    pub body: String,
    /// Why it is not run.
    pub not_run: Option<String>,
    /// The command that prints it.
    pub printed_by: Option<String>,
}

/// What became of the blocks of a page.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Commands that ran.
    pub n_commands: usize,
    /// Blocks of circuits, data, Rust, C and Python, which other tests run.
    pub n_snippets: usize,
    /// Blocks that are marked, with their places and reasons.
    pub marked: Vec<String>,
    /// What is wrong, with places.
    pub faults: Vec<String>,
}

impl Tally {
    /// Adds what became of another page.
    pub fn add(&mut self, other: Tally) {
        self.n_commands += other.n_commands;
        self.n_snippets += other.n_snippets;
        self.marked.extend(other.marked);
        self.faults.extend(other.faults);
    }
}

/// The parts of a page.
pub fn parts(page: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut next = Block::default();
    let mut lines = page.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        if let Some(comment) = line.strip_prefix("<!-- ") {
            let mut text = comment.to_string();
            while !text.ends_with("-->") {
                let Some((_, line)) = lines.next() else { break };
                text.push('\n');
                text.push_str(line);
            }
            let text = text.trim_end_matches("-->").trim_end();
            note(text, &mut parts, &mut next);
        } else if let Some(info) = line.strip_prefix("```") {
            let body = lines.by_ref().map(|(_, line)| line);
            let body: Vec<&str> = body.take_while(|line| *line != "```").collect();
            let mut words = info.split_whitespace();
            next.line = at + 1;
            next.language = words.next().unwrap_or_default().to_string();
            let file = words.find_map(|word| word.strip_prefix("file="));
            next.file = file.map(str::to_string);
            next.body = body.join("\n");
            parts.push(Part::Block(std::mem::take(&mut next)));
        }
    }
    parts
}

/// The blocks of a page in a language that are not marked.
pub fn snippets(page: &str, language: &str) -> Vec<Block> {
    let blocks = parts(page).into_iter().filter_map(|part| match part {
        Part::Block(block) => Some(block),
        _ => None,
    });
    let own = blocks.filter(|block| block.language == language && block.not_run.is_none());
    own.collect()
}

/// Reads a comment.
fn note(text: &str, parts: &mut Vec<Part>, next: &mut Block) {
    let (head, rest) = text.split_once('\n').unwrap_or((text, ""));
    match head.split_once(": ") {
        Some(("in", folder)) => parts.push(Part::Folder(folder.to_string())),
        Some(("clone", folder)) => parts.push(Part::Clone(folder.to_string())),
        Some(("file", name)) => parts.push(Part::File(name.to_string(), format!("{rest}\n"))),
        Some(("not run", _)) => next.not_run = Some(text["not run: ".len()..].to_string()),
        Some(("printed by", command)) => next.printed_by = Some(command.to_string()),
        _ => {}
    }
}

/// Runs a page of the repository at `root`, in a folder of its own.
pub fn run(pelton: Pelton, root: &Path, page: &Path) -> Tally {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    run_in(pelton, root, page, folder.path())
}

/// Runs a page of the repository at `root`, in this folder.
pub fn run_in(pelton: Pelton, root: &Path, page: &Path, folder: &Path) -> Tally {
    let text = std::fs::read_to_string(page).expect("the page can be read");
    let mut tally = Tally::default();
    let save = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).expect("a file can be written");
    };
    for part in parts(&text) {
        match part {
            Part::Folder(name) => copy_files(&root.join(name), folder),
            Part::Clone(name) => {
                let own = folder.join(&name);
                std::fs::create_dir_all(&own).expect("a folder can be made");
                copy_files(&root.join(name), &own);
            }
            Part::File(name, text) => save(&name, &text),
            Part::Block(block) => {
                if let Some(name) = &block.file {
                    save(name, &format!("{}\n", block.body));
                }
                let place = format!("{}:{}", page.display(), block.line);
                run_block(pelton, folder, &block, &place, &mut tally);
            }
        }
    }
    tally
}

fn run_block(pelton: Pelton, folder: &Path, block: &Block, place: &str, tally: &mut Tally) {
    if let Some(reason) = &block.not_run {
        tally.marked.push(format!("{place}: {reason}"));
        return;
    }
    if let Some(line) = &block.printed_by {
        tally.n_commands += 1;
        let fault = shows(pelton, folder, line, &block.body);
        tally
            .faults
            .extend(fault.map(|fault| format!("{place}: {fault}")));
        return;
    }
    let commands = match (&*block.language, &block.file) {
        (_, Some(_)) | ("pcirc" | "rust" | "c" | "python", None) => {
            tally.n_snippets += 1;
            return;
        }
        ("text", None) => commands(&block.body, "$ "),
        ("sh", None) => commands(&block.body, ""),
        _ => Vec::new(),
    };
    if commands.is_empty() {
        let fault = format!("{place}: nothing runs this block; mark it `<!-- not run: why -->`");
        tally.faults.push(fault);
    }
    for command in commands {
        tally.n_commands += 1;
        let fault = command.fault(pelton, folder);
        tally
            .faults
            .extend(fault.map(|fault| format!("{place}: {}: {fault}", command.line)));
    }
}

/// What is wrong if a command does not print a block.
fn shows(pelton: Pelton, folder: &Path, line: &str, block: &str) -> Option<String> {
    let words = words(line.strip_prefix("pelton ")?);
    let found = pelton.run(folder, &words);
    let printed = format!("{}{}", found.stdout, found.stderr);
    (!printed.contains(block)).then(|| format!("{line} prints {printed}"))
}

/// A command that a page shows.
struct Command {
    /// As typed, without what continues its lines.
    line: String,
    /// What stands below it.
    below: String,
}

fn commands(body: &str, prompt: &str) -> Vec<Command> {
    let mut commands: Vec<Command> = Vec::new();
    let mut lines = body.lines();
    while let Some(line) = lines.next() {
        let Some(typed) = line.strip_prefix(prompt).filter(|line| !line.is_empty()) else {
            if let Some(last) = commands.last_mut() {
                last.below.push_str(line);
                last.below.push('\n');
            }
            continue;
        };
        let mut line = typed.to_string();
        while let Some(begun) = line.strip_suffix('\\') {
            line = format!("{begun}{}", lines.next().unwrap_or_default().trim_start());
        }
        commands.push(Command {
            line,
            below: String::new(),
        });
    }
    commands
}

impl Command {
    fn fault(&self, pelton: Pelton, folder: &Path) -> Option<String> {
        let typed = self.line.split("  #").next().unwrap_or_default();
        let Some(line) = typed.strip_prefix("pelton ") else {
            return Some("only commands of Pelton are run here; mark the block".to_string());
        };
        let is_request = |line: &&str| line.starts_with("> ");
        let (requests, expected): (Vec<&str>, Vec<&str>) = self.below.lines().partition(is_request);
        let input: String = requests
            .iter()
            .map(|line| format!("{}\n", &line[2..]))
            .collect();
        let found = pelton.run_with_input(folder, words(line), input.as_bytes());
        if found.exit != Some(0) {
            return Some(format!("{found:?}"));
        }
        let expected = expected.join("\n");
        let is_shown = expected.is_empty() || printed_alike(&found.stdout, &expected);
        (!is_shown).then(|| format!("prints\n{}", found.stdout))
    }
}

/// The words of a command line with single quotes.
fn words(line: &str) -> Vec<&str> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(at, part)| match at % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    });
    words.collect()
}

/// Copies the files of a folder, not those of folders in it.
fn copy_files(from: &Path, to: &Path) {
    let entries = from.read_dir().expect("the folder of a page is there");
    for entry in entries {
        let path = entry.expect("an entry can be read").path();
        if let (true, Some(name)) = (path.is_file(), path.file_name()) {
            std::fs::copy(&path, to.join(name)).expect("a file can be copied");
        }
    }
}
