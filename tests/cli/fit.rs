//! `pelton fit`: what it learns and what it writes. [`input`] has what it says of bad
//! input, [`resume`] how runs are interrupted and go on.

#[path = "fit/input.rs"]
mod input;
#[path = "fit/resume.rs"]
mod resume;

use super::{PELTON, folder_with};
use pelton_tests::command::{Run, json_lines};
use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;

/// Every weight is decided by one variable, so that there is a closed form.
const PAIR: &str = "var rain, wet : bool;\nroot ?: rain * (?: wet + ?: !wet) \
                    + ?: !rain * (?: wet + ?: !wet);\n";

/// Two hidden kinds of rows.
const MIXTURE: &str = "var a, b : bool;\nnode kind[k in 0..2] = a ~ bernoulli(?) * b ~ \
                       bernoulli(?);\nroot sum k in 0..2 { ?: kind[k] };\n";

const ROWS: &str = "rain,wet\n1,1\n1,1\n1,0\n0,0\n";

/// A folder with a circuit and these rows to learn from.
fn folder(circuit: &str, rows: &str) -> TempDir {
    let folder = folder_with(circuit);
    std::fs::write(folder.path().join("t.csv"), rows).unwrap();
    folder
}

/// The example with its data.
fn packing() -> TempDir {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/packing");
    let folder = tempfile::tempdir().unwrap();
    for (from, to) in [
        ("packing.pcirc", "a.pcirc"),
        ("train.csv", "t.csv"),
        ("valid.csv", "v.csv"),
        ("test.csv", "s.csv"),
    ] {
        std::fs::copy(example.join(from), folder.path().join(to)).unwrap();
    }
    folder
}

/// `pelton fit a.pcirc --train t.csv` and these words.
fn fit(folder: &TempDir, words: &str) -> Run {
    let words = format!("fit a.pcirc --train t.csv {words}");
    PELTON.run(folder.path(), words.split_whitespace())
}

fn report(run: &Run) -> Value {
    assert_eq!(run.exit, Some(0), "{run:?}");
    json_lines(&run.stdout).remove(0)
}

fn read(folder: &TempDir, name: &str) -> Vec<u8> {
    std::fs::read(folder.path().join(name)).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn a_deterministic_circuit_is_learned_in_closed_form() {
    let folder = folder(PAIR, ROWS);
    let run = fit(
        &folder,
        "-o o.pelton --pseudocount 0 --json --precision f64",
    );
    let report = report(&run);
    // 3/4 rain, of which 2/3 wet; 1/4 dry, of which none is wet.
    let expected = (0.5f64.ln() * 2.0 + 0.25f64.ln() * 2.0) / 4.0;
    assert!((number(&report["train_ll"]) - expected).abs() < 1e-12);
    assert_eq!(report["options"]["method"], "mle");
    assert_eq!(report["stop_reason"], "closed_form");
    assert_eq!(report["epochs"][0]["phase"], "mle");
    let entropy = 0.5 * 2f64.ln() + 0.5 * 4f64.ln();
    assert!((number(&report["entropy"]) - entropy).abs() < 1e-9);
}

#[test]
fn json_has_the_keys_that_programs_rely_on() {
    let folder = packing();
    let words = "--valid v.csv --test s.csv -o o.pelton --json --report r.json --seed 3 \
                 --minibatch-epochs 2 --batch-size 64 --fullbatch-epochs 2 --threads 1";
    let report = report(&fit(&folder, words));
    for key in [
        "epochs",
        "best_epoch",
        "stop_reason",
        "train_ll",
        "valid_ll",
        "test_ll",
        "entropy",
        "rows",
        "sum_edges",
        "threads",
        "seed",
        "options",
    ] {
        assert!(!report[key].is_null(), "{key} in {report}");
    }
    assert_eq!(
        (&report["rows"], &report["seed"], &report["threads"]),
        (&200.into(), &3.into(), &1.into())
    );
    let phases: Vec<&Value> = report["epochs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|epoch| &epoch["phase"])
        .collect();
    assert_eq!(phases, ["minibatch", "minibatch", "fullbatch", "fullbatch"]);
    for key in ["epoch", "seconds", "train_ll", "valid_ll", "objective"] {
        assert!(report["epochs"][3].get(key).is_some(), "{key}");
    }
    let written: Value = serde_json::from_slice(&read(&folder, "r.json")).unwrap();
    assert_eq!(written, report);
    let options = &report["options"];
    assert_eq!(options["learn_all"], false);
    for key in ["weight_column", "chunk_rows"] {
        assert_eq!(options.get(key), Some(&Value::Null), "{key}");
    }
    assert_ne!(options["engine"], "auto");
}

#[test]
fn people_get_a_table() {
    let folder = packing();
    let run = fit(
        &folder,
        "--valid v.csv --test s.csv -o o.pelton -o o.pcirc --fullbatch-epochs 3",
    );
    assert_eq!(run.exit, Some(0), "{run:?}");
    for part in [
        "train        valid         test\n",
        "mean log-likelihood",
        "method      em, 3 epochs in ",
        "best epoch  3 of 3\n",
        "stopped     all epochs were done\n",
        "(of observed and hidden variables together)\n",
        "written     o.pelton, o.pcirc\n",
    ] {
        assert!(run.stdout.contains(part), "{part} in {}", run.stdout);
    }
    assert_eq!(run.stderr, "");
    let quiet = fit(&folder, "-o o.pelton --fullbatch-epochs 1 -q");
    assert_eq!((quiet.exit, quiet.stdout.as_str()), (Some(0), ""));
}

/// Names that are too long are noticed only when files are given them.
#[test]
fn only_what_was_written_is_listed() {
    let folder = folder(PAIR, ROWS);
    let long = "x".repeat(300);
    let files = |run: &Run| json_lines(&run.stdout).remove(0)["files"].clone();
    let run = fit(&folder, &format!("-o o.pelton --report {long} --json"));
    assert_eq!(run.exit, Some(2), "{run:?}");
    assert!(run.stderr.contains("cannot be written"), "{run:?}");
    assert_eq!(files(&run), serde_json::json!(["o.pelton"]));
    let words = format!("-o {long}.pelton -o o.pcirc --report r.json");
    let run = fit(&folder, &words);
    assert_eq!(run.exit, Some(2), "{run:?}");
    assert!(run.stdout.contains("written     o.pcirc, r.json\n"));
    let report: Value = serde_json::from_slice(&read(&folder, "r.json")).unwrap();
    assert_eq!(report["files"], serde_json::json!(["o.pcirc", "r.json"]));
}

#[test]
fn densities_are_called_densities() {
    let circuit = "var x : real;\nroot x ~ normal(?, ?);\n";
    let folder = folder(circuit, "x\n1\n2\n3\n");
    let run = fit(&folder, "-o o.pelton");
    assert!(run.stdout.contains("mean log-density"), "{run:?}");
    let report = report(&fit(&folder, "-o o.pelton --json"));
    assert_eq!(report["kind"], "density");
}

/// Both forms of the result hold what the report speaks of.
#[test]
fn what_was_learned_is_evaluated_alike_from_both_files() {
    let folder = packing();
    let words = "--valid v.csv --test s.csv -o o.pelton -o o.pcirc --json --precision f64";
    let report = report(&fit(&folder, words));
    for model in ["o.pelton", "o.pcirc"] {
        for (data, key) in [
            ("t.csv", "train_ll"),
            ("v.csv", "valid_ll"),
            ("s.csv", "test_ll"),
        ] {
            let words = [
                "eval",
                model,
                "--data",
                data,
                "--json",
                "--precision",
                "f64",
            ];
            let run = PELTON.run(folder.path(), words);
            assert_eq!(run.exit, Some(0), "{run:?}");
            let mean = number(&json_lines(&run.stdout)[0]["mean_log_likelihood"]);
            let difference = (mean - number(&report[key])).abs();
            assert!(difference < 1e-9, "{model} {key}: {difference}");
        }
    }
    // What was learned can be learned further, from where it is.
    let words = "fit o.pelton --train t.csv -o p.pelton --json --init keep --fullbatch-epochs 1";
    let run = PELTON.run(folder.path(), words.split(' '));
    let again = self::report(&run);
    assert!(number(&again["epochs"][0]["train_ll"]) > number(&report["train_ll"]) - 1e-4);
}

/// The same seed gives the same file, whatever the number of threads.
#[test]
fn runs_are_reproducible() {
    let folder = packing();
    let words = "--minibatch-epochs 3 --batch-size 50 --fullbatch-epochs 3 --entropy 0.01 \
                 --softness 0.01 --softening sampled";
    for (name, more) in [
        ("a", "--threads 1"),
        ("b", "--threads 2"),
        ("c", "--seed 1"),
    ] {
        let run = fit(&folder, &format!("{words} -o {name}.pelton {more}"));
        assert_eq!(run.exit, Some(0), "{run:?}");
    }
    assert!(read(&folder, "a.pelton") == read(&folder, "b.pelton"));
    assert!(read(&folder, "a.pelton") != read(&folder, "c.pelton"));
}

#[test]
fn validation_keeps_the_best_epoch_and_stops() {
    let folder = packing();
    let words = "--valid v.csv -o o.pelton --json --pseudocount 0 --patience 2";
    let report = report(&fit(&folder, words));
    assert_eq!(report["stop_reason"], "validation");
    let epochs = report["epochs"].as_array().unwrap();
    let best = report["best_epoch"].as_u64().unwrap() as usize;
    assert_eq!(epochs.len(), best + 2);
    let valid = number(&epochs[best - 1]["valid_ll"]);
    assert!((number(&report["valid_ll"]) - valid).abs() < 1e-9);
    assert!(
        epochs
            .iter()
            .all(|epoch| number(&epoch["valid_ll"]) <= valid)
    );
}

#[test]
fn the_papers_setting_can_be_asked_for_and_overridden() {
    let folder = packing();
    let words = "--valid v.csv -o o.pelton --json --paper --entropy 0.5 --minibatch-epochs 1 \
                 --fullbatch-epochs 1";
    let options = &report(&fit(&folder, words))["options"];
    assert_eq!(options["softness"], 0.002);
    assert_eq!(options["scale_by_marginal"], true);
    assert_eq!(
        (&options["pseudocount"], &options["patience"]),
        (&0.1.into(), &4.into())
    );
    assert_eq!(options["step_size"], serde_json::json!([0.9, 0.1]));
    assert_eq!(options["pseudocount_per_batch"], true);
    assert_eq!(
        (&options["entropy"], &options["minibatch_epochs"]),
        (&0.5.into(), &1.into())
    );
    let words = "--valid v.csv -o o.pelton --json --paper --scale-by-marginal=false \
                 --minibatch-epochs 1 --fullbatch-epochs 1";
    let options = &report(&fit(&folder, words))["options"];
    assert_eq!(options["scale_by_marginal"], false);
}

#[test]
fn fixed_weights_are_learned_on_request() {
    let circuit = "var rain, wet : bool;\nroot 0.5: rain * wet + 0.5: rain * !wet \
                   + 0: !rain * wet + 0: !rain * !wet;\n";
    let folder = folder(circuit, "1,1\n1,1\n1,1\n1,0\n");
    let words = "-o o.pelton --json --learn-all --pseudocount 0 --precision f64";
    let report = report(&fit(&folder, words));
    let expected = (3.0 * 0.75f64.ln() + 0.25f64.ln()) / 4.0;
    assert!((number(&report["train_ll"]) - expected).abs() < 1e-12);
    // The result is learned on in the same way.
    let words = "fit o.pelton --train t.csv -o p.pelton --json";
    assert_eq!(PELTON.run(folder.path(), words.split(' ')).exit, Some(0));
}

/// A row of weight three is three rows.
#[test]
fn weights_count_rows() {
    let many = folder(PAIR, "rain,wet\n1,1\n1,1\n1,1\n0,0\n");
    let heavy = folder(PAIR, "rain,n,wet\n1,3,1\n0,1,0\n1,0,0\n");
    let words = "-o o.pcirc --pseudocount 0.5 --json";
    let alike = report(&fit(&many, words));
    let report = report(&fit(&heavy, &format!("{words} --weight-column n")));
    assert_eq!(report["train_ll"], alike["train_ll"]);
    assert!(read(&many, "o.pcirc") == read(&heavy, "o.pcirc"));
    let run = fit(&heavy, "-o o.pelton --weight-column mass");
    assert_eq!(run.exit, Some(3), "{run:?}");
    let light = folder(PAIR, "rain,n,wet\n1,-3,1\n");
    assert_eq!(fit(&light, "-o o.pelton --weight-column n").exit, Some(3));
}

/// Rows that are read anew in every epoch teach the same.
#[test]
fn chunks_learn_what_all_rows_learn() {
    let folder = packing();
    let words = "-o o.pelton --json --fullbatch-epochs 5 --precision f64 --tolerance 0";
    let whole = report(&fit(&folder, words));
    let chunks = report(&fit(&folder, &format!("{words} --chunk-rows 33")));
    assert_eq!(whole["rows"], chunks["rows"]);
    let difference = number(&whole["train_ll"]) - number(&chunks["train_ll"]);
    assert!(difference.abs() < 1e-9, "{difference}");
}

#[test]
fn progress_is_told_as_asked() {
    let folder = packing();
    let words = "--valid v.csv -o o.pelton --fullbatch-epochs 3";
    let plain = fit(&folder, &format!("{words} --progress plain"));
    let first = plain.stderr.lines().next().unwrap();
    assert!(
        first.starts_with("epoch 1/3 fullbatch, ≤ ") && first.contains(" left: train -"),
        "{first}"
    );
    assert_eq!(fit(&folder, words).stderr, "", "no terminal");
}

/// A drawn number would look as if it had been learned.
#[test]
fn members_that_no_unit_uses_keep_their_start() {
    let circuit =
        "var a : bool; param p[0..3] : simplex(2) = ?[0.25, 0.75]; param q[0..2] : simplex(2) = ?;
        root 0.5: (p[0, 0]: a + p[0, 1]: !a) + 0.5: (q[1, 0]: a + q[1, 1]: !a);";
    let folder = folder(circuit, "a\n1\n1\n0\n");
    let run = fit(&folder, "-o o.pelton");
    assert_eq!(run.exit, Some(0), "{run:?}");
    let says = "no unit uses 3 parameters such as `p[1]`, which keep their start";
    assert!(run.stderr.contains(says), "{run:?}");
    let params = PELTON.run(folder.path(), ["params", "o.pelton", "--json"]);
    let found = json_lines(&params.stdout);
    let values = |name: &str| {
        let own = found.iter().find(|own| own["name"] == name).unwrap();
        own["values"].clone()
    };
    for kept in ["p[1]", "p[2]"] {
        assert_eq!(values(kept), serde_json::json!([0.25, 0.75]));
    }
    assert_eq!(values("q[0]"), serde_json::json!([0.5, 0.5]));
    assert_ne!(values("p[0]"), serde_json::json!([0.25, 0.75]));
}
