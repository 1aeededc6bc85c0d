//! Inputs that no one would write: every one ends with a report.

use super::{GOOD, PELTON, assert_ends_well, folder_with, run_on, run_with_input};
use std::process::{Command, Stdio};

#[test]
fn what_cannot_be_read_is_told() {
    let folder = folder_with(GOOD);
    for name in [".", "no_such_file.pcirc", "a.pcirc/b"] {
        let run = PELTON.run(folder.path(), ["check", name]);
        assert_eq!(run.exit, Some(2), "{name}");
        assert!(run.stderr.contains("cannot be read"), "{run:?}");
    }
}

#[test]
fn bytes_that_are_no_text_are_told() {
    let run = run_on(b"var x\xff : bool;", "check --message-format short a.pcirc");
    assert_eq!(run.exit, Some(1));
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains("PC0002"));
}

/// Whoever cannot be told of an error still gets its exit code.
#[cfg(target_os = "linux")]
#[test]
fn errors_that_cannot_be_printed_keep_their_exit_code() {
    let folder = folder_with(GOOD);
    for words in [
        "check no.pcirc",
        "fit a.pcirc --train no.csv -o o.pelton",
        "fmt no.pcirc",
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let status = Command::new(PELTON.path)
            .args(words.split(' '))
            .current_dir(folder.path())
            .stderr(full.unwrap())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(2), "{words}");
    }
}

#[test]
fn zeros_are_told() {
    let run = run_on(b"var x : bool;\0\0\nroot x;", "check a.pcirc");
    assert_eq!(run.exit, Some(1));
    assert!(run.stderr.contains("PC0001"), "{}", run.stderr);
    assert_ends_well(&run_on(vec![0; 100_000], "check a.pcirc"));
}

#[test]
fn texts_without_statements_hold_no_circuit() {
    for text in ["", "\n\n", "// only a comment", "\u{feff}", ";"] {
        let run = run_on(text, "check a.pcirc");
        assert_eq!(run.exit, Some(1), "{text:?}");
    }
}

#[test]
fn a_megabyte_on_one_line_is_read() {
    let terms: Vec<String> = (0..100_000).map(|_| "1: x * y".to_string()).collect();
    let text = format!("var x, y : bool; root {};", terms.join(" + "));
    let run = run_on(&text, "check a.pcirc");
    assert_eq!(run.exit, Some(0), "{}", run.stderr);
    // A message about the middle of such a line shows the part around it.
    let run = run_on(text.replacen("x * y +", "x * z +", 1), "check a.pcirc");
    assert_eq!(run.exit, Some(1));
    assert!(run.stderr.len() < 10_000, "{}", run.stderr.len());
}

#[test]
fn deep_nesting_is_told() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("/*", "*/"),
        ("if 1 {", "}"),
    ] {
        let text = format!(
            "var x : bool; root {}x{};",
            open.repeat(100_000),
            close.repeat(100_000)
        );
        let run = run_on(&text, "check a.pcirc");
        assert_eq!(run.exit, Some(1), "{open}");
        assert!(run.stderr.contains("PC0003"), "{open}: {}", run.stderr);
    }
    let text = format!("var x : bool; root {}x;", "(".repeat(100_000));
    assert_ends_well(&run_on(&text, "check a.pcirc"));
}

#[test]
fn endless_expansion_is_told() {
    for text in [
        "var x : bool; root prod i in 0..1000000000000 { x };",
        "var x[0..1000000000000] : bool; root x[0];",
        "var x : bool; node z[i in 0..1000000, j in 0..1000000] = x; root z[0, 0];",
        "def a(x) = x * x; def b(x) = a(a(a(a(x)))); def c(x) = b(b(b(b(x))));
         var y : bool; root c(c(c(y)));",
        "var x : bool; root prod i in 0..1000000000000 where i < 0 { x };",
    ] {
        let run = run_on(text, "check --max-size 100000 a.pcirc");
        assert_eq!(run.exit, Some(1), "{text}");
        assert!(run.stderr.contains("PC0022"), "{text}: {}", run.stderr);
    }
}

#[test]
fn files_that_use_themselves_are_told() {
    let run = run_on(
        "use \"a.pcirc\" as a;\nvar x : bool;\nroot x;",
        "check a.pcirc",
    );
    assert_eq!(run.exit, Some(1));
    assert!(run.stderr.contains("PC0007"), "{}", run.stderr);
}

#[test]
fn many_errors_are_capped_for_people_and_complete_for_programs() {
    let nodes: String = (0..200)
        .map(|n| format!("node a{n} = b{n}zzz;\n"))
        .collect();
    let text = format!("var x : bool;\n{nodes}root x;\n");
    let human = run_on(&text, "check --message-format short a.pcirc");
    assert!(human.stderr.lines().count() <= 51, "{}", human.stderr);
    let json = run_on(&text, "check --json a.pcirc").stdout;
    assert_eq!(json.lines().count(), 201);
}

/// `pelton … | head` must not end in a panic.
#[test]
fn a_closed_pipe_is_no_bug() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    for words in [
        "emit hmm.pcirc --as json",
        "emit hmm.pcirc --as svg",
        "completions bash",
    ] {
        let mut child = Command::new(PELTON.path)
            .args(words.split(' '))
            .current_dir(examples)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{words}: {stderr}");
        assert_eq!(stderr, "", "{words}");
    }
}

#[test]
fn an_endless_line_of_operators_is_told() {
    for text in ["+", "0.5:", "!", "-", "^", "..", "?", "~", "a.", "@a "] {
        let text = format!("var a : bool; root {};", text.repeat(20_000));
        assert_ends_well(&run_with_input("check -", text.as_bytes()));
    }
}
