//! The pages of `pelton explain`: one for every code, and every example on them is run.

use pelton_grammar::diagnostic::Code;
use pelton_tests::command::{Pelton, field};
use pelton_tests::page;
use std::path::{Path, PathBuf};

const PELTON: Pelton = Pelton {
    path: env!("CARGO_BIN_EXE_pelton"),
};

fn path_of(code: Code) -> PathBuf {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../grammar/explain");
    Path::new(folder).join(format!("{code}.md"))
}

#[test]
fn every_page_does_what_it_says() {
    let faults: Vec<String> = Code::ALL
        .iter()
        .flat_map(|&code| page::faults(PELTON, &path_of(code)))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Each page shows the fault, quotes the message and shows the repair, in this order.
#[test]
fn every_page_shows_the_fault_and_its_repair() {
    for &code in Code::ALL {
        let blocks = page::blocks(code.page());
        let checked: Vec<_> = blocks.iter().filter(|block| block.is_checked()).collect();
        let wrong = checked[0];
        assert_eq!(wrong.wrong.as_deref(), Some(code.as_str()), "{code}");
        assert!(!wrong.says.is_empty(), "{code} does not quote the message");
        let repaired = checked
            .get(1)
            .unwrap_or_else(|| panic!("{code}: no repair"));
        assert!(repaired.wrong.is_none(), "{code}: no repair");
    }
}

/// A note is no fault, so that a clean block may give one; the repair of its page may not.
#[test]
fn repairs_of_notes_are_silent() {
    for code in [Code::Smoothed, Code::Normalized, Code::Imported] {
        let folder = tempfile::tempdir().unwrap();
        let blocks = page::blocks(code.page());
        std::fs::write(folder.path().join("a.pcirc"), &blocks[1].bytes).unwrap();
        let found = PELTON.messages(folder.path(), "a.pcirc", &blocks[1].args);
        assert!(
            found
                .iter()
                .all(|message| field(message, "code") != code.as_str())
        );
    }
}

#[test]
fn titles_are_those_of_the_codes() {
    for &code in Code::ALL {
        let title = code.page().lines().next();
        assert_eq!(title, Some(format!("# {code}: {}", code.title()).as_str()));
    }
}

#[test]
fn no_page_is_left_over() {
    let folder = path_of(Code::Syntax).parent().unwrap().read_dir().unwrap();
    for entry in folder {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let code = name.strip_suffix(".md").map(str::parse::<Code>);
        assert!(matches!(code, Some(Ok(_))), "{name} explains no code");
    }
}

/// Pages are read in a terminal.
#[test]
fn lines_are_not_too_long() {
    for &code in Code::ALL {
        for line in code.page().lines().filter(|line| !line.starts_with("> ")) {
            assert!(line.chars().count() <= 80, "{code}: {line}");
        }
    }
}
