//! The manual: every circuit in it is run, and the language reference leaves nothing out.
//! [`book`] holds it together as a book, [`commands`] wants all commands listed, [`manual`] runs
//! what this and the other pages show.

#[path = "reference/book.rs"]
mod book;
#[path = "reference/commands.rs"]
mod commands;
#[path = "reference/manual.rs"]
mod manual;
#[path = "reference/messages.rs"]
mod messages;
#[path = "reference/tractability.rs"]
mod tractability;
#[path = "reference/words.rs"]
mod words;

use pelton_grammar::parse::RESERVED;
use pelton_tests::command::Pelton;
use pelton_tests::page;
use std::path::{Path, PathBuf};

const PELTON: Pelton = Pelton {
    path: env!("CARGO_BIN_EXE_pelton"),
};

fn folder() -> &'static Path {
    Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../grammar/reference"
    ))
}

/// The pages of the language and those of the tool.
fn chapters() -> Vec<PathBuf> {
    let folders = [folder().to_path_buf(), folder().join("../manual")];
    let mut chapters: Vec<PathBuf> = folders.iter().flat_map(|own| pages_in(own)).collect();
    chapters.sort();
    chapters
}

fn pages_in(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().expect("the manual has this folder");
    let paths = entries.map(|entry| entry.expect("an entry can be read").path());
    paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .collect()
}

fn chapter(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).expect("a chapter can be read")
}

#[test]
fn every_circuit_does_what_the_text_says() {
    let faults: Vec<String> = chapters()
        .iter()
        .flat_map(|chapter| page::faults(PELTON, chapter))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_reserved_word_is_listed() {
    let text = chapter("text.md");
    for word in RESERVED {
        assert!(text.contains(&format!("`{word}`")), "{word}");
    }
}

/// What the binary knows is taken from its own messages, so that the reference
/// cannot fall behind.
#[test]
fn distributions_and_attributes_are_all_described() {
    let unknown = "@nothing var x : real; root x ~ nothing(1);";
    let listed = PELTON
        .run_with_input(folder(), ["check", "-"], unknown.as_bytes())
        .stderr;
    let helps: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.split_once("help: there are "))
        .map(|(_, list)| list)
        .collect();
    assert_eq!(helps.len(), 2, "{listed}");
    let (distributions, statements) = (chapter("distributions.md"), chapter("statements.md"));
    for list in helps {
        for name in list.split([',', ' ']).filter(|name| !name.is_empty()) {
            let is_described = distributions.contains(&format!("| `{name}("))
                || statements.contains(&format!("| `{name}"));
            assert!(is_described, "{name}");
        }
    }
}
