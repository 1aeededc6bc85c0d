//! No library names flags or commands of the command line: a C program cannot write
//! `--learn-all`, and has no `pelton explain`.

use std::path::{Path, PathBuf};

/// Where libraries have their sources.
const LIBRARIES: [&str; 7] = [
    "grammar/src",
    "compiler/src",
    "compiler/formats/src",
    "runtime/src",
    "runtime/pelton/src",
    "runtime/bindings/c/src",
    "runtime/bindings/python/src",
];

#[test]
fn no_message_of_a_library_names_a_flag_or_a_command() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut files = Vec::new();
    for library in LIBRARIES {
        collect(&root.join(library), &mut files);
    }
    assert!(files.len() > 400, "the libraries are found");
    let mut faults = Vec::new();
    // The page on tractability belongs to the manual and is no message.
    for file in files
        .iter()
        .filter(|file| !file.ends_with("tractability/page.rs"))
    {
        let text = std::fs::read_to_string(file).expect("a source file can be read");
        // Unit tests come last, and may say what they like.
        let product = text.split("#[cfg(test)]\nmod tests {").next();
        let literals = literals(product.unwrap_or_default());
        let naming = literals
            .iter()
            .filter(|literal| names_flag(literal) || names_command(literal));
        faults.extend(naming.map(|literal| format!("{}: {literal:?}", file.display())));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn commands_are_found() {
    for text in [
        "`pelton explain PC0040` lists what can",
        "or pelton convert",
    ] {
        assert!(names_command(text), "{text}");
    }
    for text in [
        "`pelton_ask`",
        "pelton: note",
        "the file out.pelton is",
        "a bug in Pelton",
    ] {
        assert!(!names_command(text), "{text}");
    }
}

#[test]
fn flags_are_found() {
    for text in ["use `--learn-all`", "`-D K=8` overrides", "kl --cross"] {
        assert!(names_flag(text), "{text}");
    }
    for text in ["a -- b", "x-y", "1--2", "`-1`", "----"] {
        assert!(!names_flag(text), "{text}");
    }
    let source = r##"f("a\"b", '"', 'x'); // "no"
        /* "no" */ g(r#"raw "c""#); let x: &'a str = "d";"##;
    assert_eq!(literals(source), ["a\\\"b", "raw \"c\"", "d"]);
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = folder.read_dir().expect("a library has its folder");
    for path in entries.map(|entry| entry.expect("an entry can be read").path()) {
        let is_test = path.file_stem().is_some_and(|name| name == "tests");
        if path.is_dir() && !is_test {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") && !is_test {
            files.push(path);
        }
    }
}

/// Whether a word begins with two hyphens and a letter, or is a letter behind one in code.
fn names_flag(text: &str) -> bool {
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '-'));
    let is_long = |word: &str| {
        let name = word.strip_prefix("--");
        name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
    };
    let is_short = |at: usize| {
        let mut letters = text[at + 2..].chars();
        letters.next().is_some_and(|c| c.is_ascii_alphabetic())
            && letters.next().is_some_and(|c| c == ' ' || c == '`')
    };
    words.any(is_long) || text.match_indices("`-").any(|(at, _)| is_short(at))
}

/// Whether the program's name is followed by a word.
fn names_command(text: &str) -> bool {
    let is_name = |before: &str| !before.ends_with(|c: char| c.is_alphanumeric() || c == '.');
    let mut places = text.match_indices("pelton ");
    places.any(|(at, name)| {
        let behind = text[at + name.len()..].trim_start();
        is_name(&text[..at]) && behind.starts_with(|c: char| c.is_ascii_lowercase())
    })
}

/// The string literals of a source file, without their quotes.
fn literals(source: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = source;
    while let Some(at) = rest.find(['"', '/', '\'', '#']) {
        let (before, here) = rest.split_at(at);
        let length = match here.as_bytes() {
            [b'/', b'/', ..] => here.find('\n').unwrap_or(here.len()),
            [b'/', b'*', ..] => here.find("*/").map_or(here.len(), |end| end + 2),
            [b'\'', b'\\', ..] => here[3..].find('\'').map_or(1, |end| end + 4),
            [b'\'', ..] => {
                // A character, unless a lifetime.
                let mut letters = here[1..].char_indices().skip(1);
                match letters.next() {
                    Some((end, '\'')) => end + 2,
                    _ => 1,
                }
            }
            [b'#', ..] if before.ends_with('r') => {
                let hashes = here.len() - here.trim_start_matches('#').len();
                let end = format!("\"{}", "#".repeat(hashes));
                let begin = hashes + 1;
                match here.get(begin..).and_then(|inner| inner.find(&end)) {
                    Some(length) if here.as_bytes()[hashes] == b'"' => {
                        found.push(&here[begin..begin + length]);
                        begin + length + end.len()
                    }
                    _ => hashes,
                }
            }
            [b'"', ..] => {
                let length = quoted_length(&here[1..]);
                found.push(&here[1..1 + length]);
                length + 2
            }
            _ => 1,
        };
        rest = here.get(length..).unwrap_or_default();
    }
    found
}

/// Bytes up to the quote that ends a literal.
fn quoted_length(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.bytes().position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    });
    end.unwrap_or(text.len())
}
