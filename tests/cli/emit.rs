//! `pelton emit` and `pelton stats`

use super::{GOOD, PELTON, folder_with, run_on};
use serde_json::Value;

const FORMS: [&str; 5] = ["ast", "circuit", "dot", "svg", "json"];

#[test]
fn every_form_goes_to_standard_output_and_to_a_file_alike() {
    for form in FORMS {
        let folder = folder_with(GOOD);
        let run = PELTON.run(folder.path(), ["emit", "a.pcirc", "--as", form]);
        assert_eq!(run.exit, Some(0), "{form}: {}", run.stderr);
        assert!(!run.stdout.is_empty(), "{form}");
        let to_file = ["emit", "a.pcirc", "--as", form, "-o", "out"];
        let silent = PELTON.run(folder.path(), to_file);
        assert_eq!(
            (silent.exit, silent.stdout.as_str()),
            (Some(0), ""),
            "{form}"
        );
        let written = std::fs::read_to_string(folder.path().join("out")).unwrap();
        assert_eq!(written, run.stdout, "{form}");
    }
}

#[test]
fn the_circuit_form_is_a_circuit() {
    let folder = folder_with(GOOD);
    let to_file = ["emit", "a.pcirc", "--as", "circuit", "-o", "b.pcirc"];
    assert_eq!(PELTON.run(folder.path(), to_file).exit, Some(0));
    let run = PELTON.run(folder.path(), ["check", "b.pcirc"]);
    assert_eq!(run.exit, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("P(rain) = 0.300000"), "{}", run.stdout);
}

#[test]
fn drawings_and_json_are_well_formed() {
    let svg = run_on(GOOD, "emit a.pcirc --as svg").stdout;
    assert!(svg.contains("<svg") && svg.trim_end().ends_with("</svg>"));
    let dot = run_on(GOOD, "emit a.pcirc --as dot").stdout;
    assert!(dot.starts_with("digraph") && dot.trim_end().ends_with('}'));
    let json = run_on(GOOD, "emit a.pcirc --as json").stdout;
    assert!(serde_json::from_str::<Value>(&json).is_ok());
}

/// A wrong circuit can be looked at; a text without one cannot.
#[test]
fn wrong_circuits_are_shown_and_broken_texts_are_not() {
    let wrong = run_on(
        "var a, b : bool; root 0.5: a + 0.5: b;",
        "emit a.pcirc --as dot",
    );
    assert_eq!(wrong.exit, Some(1));
    assert!(wrong.stdout.starts_with("digraph"));
    let broken = run_on("root ;", "emit a.pcirc --as dot -o out");
    assert_eq!((broken.exit, broken.stdout.as_str()), (Some(1), ""));
}

#[test]
fn passes_can_be_watched() {
    let text = "var a, b : bool; root 1: (a * (b ~ bernoulli(1)));";
    let run = run_on(text, "emit a.pcirc --as circuit --after flatten -v");
    assert_eq!(run.exit, Some(0), "{}", run.stderr);
    assert!(
        run.stdout.ends_with("root a * b ~ bernoulli(1);\n"),
        "{}",
        run.stdout
    );
    for (line, name) in run.stderr.lines().zip(["dead", "share", "flatten"]) {
        assert!(line.starts_with(name), "{line}");
    }
    assert!(
        run.stderr.contains("4 units -> 3, 3 edges -> 2"),
        "{}",
        run.stderr
    );
    let former = run_on(text, "emit a.pcirc --as circuit --after prune");
    let now = run_on(text, "emit a.pcirc --as circuit --after dead");
    assert_eq!((former.exit, former.stdout), (Some(0), now.stdout));
    for form in ["circuit", "dot", "svg", "json"] {
        let words = format!("emit a.pcirc --as {form} --after all");
        let run = run_on(text, &words);
        assert_eq!((run.exit, run.stderr.as_str()), (Some(0), ""), "{form}");
        assert!(!run.stdout.is_empty(), "{form}");
    }
}

#[test]
fn passes_that_cannot_be_run_are_told() {
    let unknown = run_on(GOOD, "emit a.pcirc --as circuit --after nothing");
    assert_eq!(unknown.exit, Some(2));
    for name in ["dead", "share", "flatten", "fold", "normal_form", "all"] {
        assert!(unknown.stderr.contains(name), "{}", unknown.stderr);
    }
    let tree = run_on(GOOD, "emit a.pcirc --as ast --after all");
    assert_eq!((tree.exit, tree.stdout.as_str()), (Some(2), ""));
    // What is wrong is told, and not rewritten.
    let wrong = "var a, b : bool; root 0.5: a + 0.5: b;";
    let wrong = run_on(wrong, "emit a.pcirc --as circuit --after all");
    assert_eq!((wrong.exit, wrong.stdout.as_str()), (Some(1), ""));
}

#[test]
fn a_file_that_cannot_be_written_is_told() {
    let run = run_on(GOOD, "emit a.pcirc --as dot -o no/such/folder/out");
    assert_eq!(run.exit, Some(2));
    assert!(
        run.stderr
            .ends_with("cannot be written: there is no such folder\n"),
        "{}",
        run.stderr
    );
}

#[test]
fn stats_has_the_keys_that_programs_rely_on() {
    let run = run_on(GOOD, "stats --json a.pcirc");
    let stats: Value = serde_json::from_str(&run.stdout).unwrap();
    for key in [
        "variables",
        "units",
        "inputs",
        "products",
        "sums",
        "edges",
        "sum_edges",
        "parameters",
        "free_parameters",
        "depth",
        "dense_blocks",
        "properties",
    ] {
        assert!(stats.get(key).is_some(), "{key}");
    }
    assert_eq!(stats["properties"]["deterministic"], "proven");
    assert_eq!(
        (&stats["units"], &stats["sum_edges"]),
        (&3.into(), &2.into())
    );
}
