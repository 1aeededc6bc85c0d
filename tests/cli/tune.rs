//! `pelton tune`

use super::PELTON;
use pelton_tests::command::{Run, json_lines};
use serde_json::Value;
use std::path::Path;

/// Runs a search on the packing example; the files it writes are read back.
fn tune(words: &str) -> (Run, Vec<(String, Vec<u8>)>) {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/packing");
    let example = example.canonicalize().unwrap();
    let folder = tempfile::tempdir().unwrap();
    for name in ["packing.pcirc", "train.csv", "valid.csv", "test.csv"] {
        std::fs::copy(example.join(name), folder.path().join(name)).unwrap();
    }
    let all = format!("tune packing.pcirc --train train.csv {words}");
    let run = PELTON.run(folder.path(), all.split_whitespace());
    let written = ["o.pelton", "r.json"].into_iter().filter_map(|name| {
        let bytes = std::fs::read(folder.path().join(name)).ok()?;
        Some((name.to_string(), bytes))
    });
    (run, written.collect())
}

const SPLITS: &str = "--valid valid.csv --test test.csv -o o.pelton";

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn the_best_trial_is_chosen_by_validation() {
    let words = format!(
        "{SPLITS} --pseudocount 0.1,4 --softness 0,0.05 --entropy 0,0.02 --json --report r.json"
    );
    let (run, written) = tune(&words);
    assert_eq!(run.exit, Some(0), "{run:?}");
    let found = &json_lines(&run.stdout)[0];
    let trials = found["trials"].as_array().unwrap();
    assert_eq!(trials.len(), 8);
    for key in [
        "pseudocount",
        "softness",
        "entropy",
        "train_ll",
        "valid_ll",
        "best_epoch",
        "stop_reason",
        "seconds",
    ] {
        assert!(!trials[0][key].is_null(), "{key}");
    }
    let best = &trials[found["best_trial"].as_u64().unwrap() as usize];
    for trial in trials {
        assert!(number(&trial["valid_ll"]) <= number(&best["valid_ll"]));
    }
    let report = &found["report"];
    for key in ["pseudocount", "softness", "entropy"] {
        assert_eq!(report["options"][key], best[key]);
    }
    assert_eq!(report["valid_ll"], best["valid_ll"]);
    assert!(number(&report["test_ll"]) < 0.0);
    let [(_, model), (_, file)] = written.as_slice() else {
        panic!("{run:?}");
    };
    assert!(!model.is_empty());
    assert_eq!(&serde_json::from_slice::<Value>(file).unwrap(), found);
}

#[test]
fn people_get_a_table_of_trials() {
    let (run, _) = tune(&format!(
        "{SPLITS} --pseudocount 4,0.1,4 --softness 0 --entropy 0"
    ));
    assert_eq!(run.exit, Some(0), "{run:?}");
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines[0].trim_start().starts_with("pseudocount"), "{run:?}");
    let cells = |line: &str| -> String {
        let words = line.trim_start_matches('*').split_whitespace();
        words.take(3).collect::<Vec<_>>().join(" ")
    };
    // Less regularization first, and each value once.
    assert_eq!(cells(lines[1]), "0.1 0 0");
    assert_eq!(cells(lines[2]), "4 0 0");
    assert!(lines[3].starts_with("2 trials in "), "{run:?}");
    let marks = lines[1..3].iter().filter(|line| line.starts_with('*'));
    assert_eq!(marks.count(), 1);
    assert_eq!(run.stderr, "");
}

/// Of the default grid, what a circuit cannot have is left out; what was asked for
/// is an error.
#[test]
fn softness_that_makes_no_sense_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let circuit = "var x : real;\nroot x ~ normal(?, ?);\n";
    std::fs::write(folder.path().join("a.pcirc"), circuit).unwrap();
    std::fs::write(folder.path().join("t.csv"), "x\n1\n2\n").unwrap();
    let words = "tune a.pcirc --train t.csv --valid t.csv -o o.pelton --pseudocount 1 --entropy 0";
    let run = PELTON.run(folder.path(), words.split(' '));
    assert_eq!(run.exit, Some(0), "{run:?}");
    let note = "note: softness was left out: no variable has a finite domain of several values\n";
    assert_eq!(run.stderr, note);
    let words = format!("{words} --softness 0,0.001");
    let run = PELTON.run(folder.path(), words.split(' '));
    assert_eq!(run.exit, Some(2), "{run:?}");
    assert!(run.stderr.contains("nothing to soften"), "{run:?}");
}

/// Softness that the circuit does not allow does not cost what was learned without.
#[test]
fn impossible_combinations_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let circuit = "var a, b : bool;\nroot ?: a * b ~ bernoulli(?) + ?: !a * b ~ bernoulli(?);\n";
    std::fs::write(folder.path().join("a.pcirc"), circuit).unwrap();
    std::fs::write(folder.path().join("t.csv"), "a,b\n1,1\n1,0\n0,0\n").unwrap();
    let words = "tune a.pcirc --train t.csv --valid t.csv -o o.pelton --json --method em \
                 --softening geometric --pseudocount 1 --entropy 0 --softness";
    let run = |softness: &str| {
        let words = format!("{words} {softness}");
        PELTON.run(folder.path(), words.split_whitespace())
    };
    let some = run("0,0.1");
    assert_eq!(some.exit, Some(0), "{some:?}");
    let found = &json_lines(&some.stdout)[0];
    assert_eq!(found["trials"].as_array().unwrap().len(), 1);
    let note = found["notes"][0].as_str().unwrap();
    let begins = "pseudocount 1, softness 0.1, entropy 0 was left out: ";
    assert!(note.starts_with(begins), "{note}");
    assert!(some.stderr.contains(note), "{some:?}");
    let none = run("0.1");
    assert_eq!(none.exit, Some(1), "{none:?}");
}

/// Equal trials are decided for the one with less regularization.
#[test]
fn ties_go_to_less_regularization() {
    let words = format!("{SPLITS} --pseudocount 1 --softness 0 --entropy 0 --fullbatch-epochs 0");
    let words = words.replace("--pseudocount 1", "--pseudocount 4,1,2 --json");
    let (run, _) = tune(&words);
    let found = &json_lines(&run.stdout)[0];
    assert_eq!(found["best_trial"], 0);
    assert_eq!(found["trials"][0]["pseudocount"], 1.0);
}

#[test]
fn bad_options_are_told() {
    for (words, says) in [
        ("-o o.pelton", "--valid"),
        ("--valid valid.csv", "say where the learned model goes"),
        (
            "--valid valid.csv -o o.pelton --pseudocount 1,-2",
            "the pseudocount is -2",
        ),
        (
            "--valid valid.csv -o o.pelton --softness 0.1,-0.2",
            "the softness is -0.2",
        ),
        (
            "--valid valid.csv -o o.pelton --softness 0,0.7",
            "the softness is 0.7; it must be below 0.5000 for `swimsuit`",
        ),
        ("--valid valid.csv -o o.pelton --entropy 1,,2", "--entropy"),
        (
            "--valid valid.csv -o o.pelton --checkpoint c",
            "--checkpoint",
        ),
    ] {
        let (run, written) = tune(words);
        assert_eq!(run.exit, Some(2), "{words}: {run:?}");
        assert!(run.stderr.contains(says), "{words}: {}", run.stderr);
        assert!(written.is_empty(), "{words}");
    }
}

#[test]
fn progress_counts_trials() {
    let (run, _) = tune(&format!(
        "{SPLITS} --pseudocount 1 --softness 0 --entropy 0,0.1 --progress plain"
    ));
    let first = run.stderr.lines().next().unwrap();
    let begins = "trial 1/2 (pseudocount 1, softness 0, entropy 0): epoch 1/100 fullbatch: train -";
    assert!(first.starts_with(begins), "{first}");
}
