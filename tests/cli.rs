//! The command line, as users and scripts rely on it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "cli/bench.rs"]
mod bench;
#[path = "cli/build.rs"]
mod build;
#[path = "cli/campaign.rs"]
mod campaign;
#[path = "cli/check.rs"]
mod check;
#[path = "cli/convert.rs"]
mod convert;
#[path = "cli/demo.rs"]
mod demo;
#[path = "cli/doctor.rs"]
mod doctor;
#[path = "cli/emit.rs"]
mod emit;
#[path = "cli/eval.rs"]
mod eval;
#[path = "cli/extremes.rs"]
mod extremes;
#[path = "cli/fit.rs"]
mod fit;
#[path = "cli/fmt.rs"]
mod fmt;
#[path = "cli/information.rs"]
mod information;
#[path = "cli/learn.rs"]
mod learn;
#[path = "cli/mass.rs"]
mod mass;
#[path = "cli/model_file.rs"]
mod model_file;
#[path = "cli/query.rs"]
mod query;
#[path = "cli/robust.rs"]
mod robust;
#[path = "cli/rows.rs"]
mod rows;
#[path = "cli/stream.rs"]
mod stream;
#[path = "cli/transform.rs"]
mod transform;
#[path = "cli/tune.rs"]
mod tune;
#[path = "cli/uses.rs"]
mod uses;
#[path = "cli/written.rs"]
mod written;

use pelton_tests::command::{Pelton, Run};
use std::path::Path;
use tempfile::TempDir;

const PELTON: Pelton = Pelton {
    path: env!("CARGO_BIN_EXE_pelton"),
};

/// A circuit without fault.
const GOOD: &str = "var rain : bool;\nroot 0.3: rain + 0.7: !rain;\nquery P(rain);\n";

/// A folder with one file, `a.pcirc`.
fn folder_with(text: impl AsRef<[u8]>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.pcirc"), text).unwrap();
    folder
}

/// Runs `pelton` with these words on a folder with this file.
fn run_on(text: impl AsRef<[u8]>, words: &str) -> Run {
    let folder = folder_with(text);
    PELTON.run(folder.path(), words.split_whitespace())
}

/// Runs `pelton` with these words and this standard input.
fn run_with_input(words: &str, input: &[u8]) -> Run {
    PELTON.run_with_input(Path::new("."), words.split_whitespace(), input)
}

/// A run that ended with a report, however wrong its input was: no signal, no panic.
fn assert_ends_well(run: &Run) {
    assert!(matches!(run.exit, Some(0..=5)), "{run:?}");
    assert!(!run.stderr.contains("bug in Pelton"), "{run:?}");
}

#[test]
fn wrong_usage_is_told() {
    for words in [
        "",
        "check",
        "frobnicate",
        "check --nothing a.pcirc",
        "check -D K a.pcirc",
        "check -D =3 a.pcirc",
        "check --assert shiny a.pcirc",
        "check --effort -1 a.pcirc",
        "check --max-size 0 a.pcirc",
        "check --max-depth 5000 a.pcirc",
        "explain PC9999",
        "emit a.pcirc --as nothing",
        "completions nothing",
        "eval a.pcirc",
        "eval --data a.csv",
        "eval a.pcirc --data a.csv --header maybe",
        "eval a.pcirc --data a.csv --threads 0",
        "eval a.pcirc --data a.csv --precision f16",
        "eval a.pcirc --data a.csv --engine steam",
        "eval - --data -",
        "bench no_such_file.pcirc",
        "fit a.pcirc",
        "fit --train t.csv -o o.pelton",
        "tune a.pcirc --train t.csv -o o.pelton",
        "query",
        "marginals --given rain",
        "map a.pcirc --samples -1",
        "sample a.pcirc -n many",
        "learn",
        "learn clt",
        "learn hclt -o o.pelton",
        "condition a.pcirc",
        "marginalize a.pcirc",
        "multiply a.pcirc",
        "prune a.pcirc",
        "mix a.pcirc",
        "entropy",
        "entropy a.pcirc --base 0",
        "kl a.pcirc",
        "mi a.pcirc rain",
        "moments",
        "count",
    ] {
        let run = run_on(GOOD, words);
        assert_eq!(run.exit, Some(2), "{words}");
        assert!(!run.stderr.is_empty(), "{words}");
    }
}

#[test]
fn help_and_version_end_well() {
    for words in [
        "--help",
        "--version",
        "check --help",
        "help emit",
        "eval --help",
        "query --help",
        "marginals -h",
        "map --help",
        "sample --help",
        "fit --help",
        "tune -h",
        "learn --help",
        "learn clt --help",
        "learn hclt -h",
        "bench --help",
        "condition --help",
        "marginalize -h",
        "multiply --help",
        "smooth --help",
        "prune -h",
        "mix --help",
        "entropy --help",
        "kl -h",
        "mi --help",
        "moments -h",
        "count --help",
        "queries --help",
        "queries",
    ] {
        let run = run_with_input(words, b"");
        assert_eq!(run.exit, Some(0), "{words}");
        assert!(!run.stdout.is_empty(), "{words}");
    }
}

#[test]
fn programs_read_why_a_command_failed() {
    let run = run_on(GOOD, "eval a.pcirc --data none.csv --message-format json");
    assert_eq!(run.exit, Some(2), "{run:?}");
    let error: serde_json::Value = serde_json::from_str(&run.stderr).unwrap();
    assert_eq!(error["severity"], "error");
    assert!(
        error["message"].as_str().unwrap().contains("none.csv"),
        "{error}"
    );
}

#[test]
fn learners_are_described_by_their_table() {
    use pelton_runtime::structure::LEARNERS;
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let list = words(&run_with_input("learn --help", b"").stdout);
    for learner in LEARNERS {
        assert!(list.contains(&words(learner.about)), "{list}");
        let own = run_with_input(&format!("learn {} --help", learner.name), b"").stdout;
        let own = words(&own);
        assert!(own.starts_with(&words(learner.about)), "{own}");
        assert!(own.contains(&words(learner.details)), "{own}");
    }
}

#[test]
fn explain_lists_all_codes_and_finds_each_in_every_spelling() {
    use pelton_grammar::diagnostic::Code;
    let list = run_with_input("explain", b"").stdout;
    assert_eq!(list.lines().count(), Code::ALL.len());
    for code in Code::ALL {
        assert!(list.contains(code.as_str()) && list.contains(code.title()));
    }
    for spelling in ["PC0101", "pc0101", "101", "not_smooth"] {
        let page = run_with_input(&format!("explain {spelling}"), b"").stdout;
        assert_eq!(page, Code::NotSmooth.page());
    }
}

#[test]
fn every_shell_gets_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = run_with_input(&format!("completions {shell}"), b"");
        assert_eq!(run.exit, Some(0), "{shell}");
        assert!(run.stdout.contains("max-depth"), "{shell}");
        assert!(run.stdout.contains("scale-by-marginal"), "{shell}");
        // The other shells' scripts have no room for the values of options.
        let has_values = ["bash", "fish", "zsh"].contains(&shell);
        assert_eq!(run.stdout.contains("normal_form"), has_values, "{shell}");
    }
}
