//! `pelton check`: exit codes and the forms of its report.

use super::{GOOD, PELTON, run_on, run_with_input};
use pelton_tests::command::{field, json_lines};
use serde_json::{Value, json};

const NOT_SMOOTH: &str = "var rain, wet : bool;\nroot 0.4: rain * wet + 0.6: !rain;\n";
const UNKNOWN: &str = "var x, y : bool;
node same = 0.5: x * y + 0.5: !x * !y;
node other = 0.5: x * !y + 0.5: !x * y;
root 0.5: same + 0.5: other;
assert root is deterministic;
";

#[test]
fn exit_codes_tell_the_outcome() {
    let exit = |text: &str, words: &str| run_on(text, words).exit;
    assert_eq!(exit(GOOD, "check a.pcirc"), Some(0));
    assert_eq!(exit(NOT_SMOOTH, "check a.pcirc"), Some(1));
    assert_eq!(exit(NOT_SMOOTH, "check --smooth a.pcirc"), Some(0));
    assert_eq!(exit(GOOD, "check no_such_file.pcirc"), Some(2));
    assert_eq!(exit(UNKNOWN, "check --effort 0 a.pcirc"), Some(0));
    assert_eq!(exit(UNKNOWN, "check --effort 0 --strict a.pcirc"), Some(5));
    assert_eq!(exit(UNKNOWN, "check --strict a.pcirc"), Some(0));
    // The worst of several decides, and all of them are looked at.
    let run = run_on(GOOD, "check no_such_file.pcirc a.pcirc");
    assert_eq!(run.exit, Some(2));
    assert!(run.stdout.contains("a.pcirc: ok"));
}

#[test]
fn an_error_counts_more_than_an_unknown_property() {
    let text = format!("{UNKNOWN}assert root is structured, normalized;\nassert same is shiny;\n");
    assert_eq!(
        run_on(text, "check --effort 0 --strict a.pcirc").exit,
        Some(1)
    );
}

#[test]
fn json_has_the_keys_that_programs_rely_on() {
    let run = run_on(NOT_SMOOTH, "check --json a.pcirc");
    assert_eq!(run.stderr, "");
    let lines = json_lines(&run.stdout);
    let [message, summary] = lines.as_slice() else {
        panic!("{run:?}");
    };
    assert_eq!(
        keys(message),
        [
            "code",
            "severity",
            "message",
            "spans",
            "notes",
            "help",
            "suggestions",
            "witness"
        ]
    );
    assert_eq!(
        keys(&message["spans"][0]),
        [
            "file",
            "line",
            "col",
            "byte_start",
            "byte_end",
            "primary",
            "label"
        ]
    );
    let span = &message["spans"][0];
    assert_eq!((&span["line"], &span["col"]), (&json!(2), &json!(29)));
    let edit = &message["suggestions"][0];
    assert_eq!(field(edit, "replacement"), " * wet ~ bernoulli(0.5)");
    assert_eq!(edit["span"]["byte_start"], edit["span"]["byte_end"]);
    let expected = json!({
        "errors": 1, "warnings": 0, "smooth": "refuted", "decomposable": "proven",
        "deterministic": "proven", "structured": "proven", "normalized": "proven",
    });
    assert_eq!(summary["summary"], expected);
}

#[test]
fn json_holds_the_witness_and_the_answers() {
    let text = "var sky : {clear, storm};\nroot 0.5: [sky = storm] + 0.5: sky ~ uniform();\n\
                assert root is deterministic;\n";
    let run = run_on(text, "check --message-format json a.pcirc");
    let witness = &json_lines(&run.stdout)[0]["witness"];
    assert_eq!(witness, &json!({"sky": "storm"}));
    let run = run_on(GOOD, "check --json a.pcirc");
    let answer = &json_lines(&run.stdout)[0]["queries"][0];
    assert_eq!(keys(answer), ["query", "value", "log", "kind"]);
    assert_eq!(field(answer, "kind"), "probability");
    assert!((answer["value"].as_f64().unwrap() - 0.3).abs() < 1e-12);
}

#[test]
fn a_text_without_circuit_has_a_summary_too() {
    let run = run_on("root ;", "check --json a.pcirc");
    let last = json_lines(&run.stdout).pop().unwrap();
    assert_eq!(last["summary"]["errors"], 1);
    assert_eq!(last["summary"]["smooth"], Value::Null);
}

#[test]
fn short_messages_are_one_line_each() {
    let run = run_on(NOT_SMOOTH, "check --message-format short a.pcirc");
    let expected = "a.pcirc:2:29: error[PC0101]: sum at the root is not smooth\n";
    assert_eq!(run.stderr, expected);
}

#[test]
fn standard_input_is_a_circuit() {
    let run = run_with_input("check -", GOOD.as_bytes());
    assert_eq!(run.exit, Some(0));
    assert!(run.stdout.contains("P(rain) = 0.300000"), "{}", run.stdout);
    let run = run_with_input("check --message-format short -", b"root x;");
    assert!(
        run.stderr.starts_with("<stdin>:1:6: error[PC0010]"),
        "{run:?}"
    );
}

#[test]
fn quiet_shows_errors_only() {
    let run = run_on(NOT_SMOOTH, "check -q a.pcirc");
    assert!(run.stdout.is_empty() && run.stderr.contains("PC0101"));
    let run = run_on(format!("{GOOD}const K = 1;"), "check -q a.pcirc");
    assert!(run.stdout.is_empty() && run.stderr.is_empty(), "{run:?}");
}

#[test]
fn colors_are_used_when_asked_for() {
    assert!(
        !run_on(NOT_SMOOTH, "check a.pcirc")
            .stderr
            .contains('\u{1b}')
    );
    let colored = run_on(NOT_SMOOTH, "check --color always a.pcirc").stderr;
    assert!(colored.contains('\u{1b}'));
}

#[test]
fn constants_are_overridden_in_used_files_too() {
    let folder = super::folder_with(
        "use \"lib.pcirc\" as lib;\nconst K = 2;\nvar x[0..K], y[0..lib.N] : bool;\n\
         root prod i in 0..K { x[i] } * prod i in 0..lib.N { y[i] };\n",
    );
    std::fs::write(folder.path().join("lib.pcirc"), "const N = 1;").unwrap();
    let run = PELTON.run(
        folder.path(),
        ["check", "-D", "K=3", "-D", "lib.N=4", "a.pcirc"],
    );
    assert!(run.stdout.contains("(7 variables, 8 units"), "{run:?}");
}

fn keys(object: &Value) -> Vec<&str> {
    let object = object.as_object().unwrap();
    object.keys().map(String::as_str).collect()
}
