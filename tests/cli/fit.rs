//! `pelton fit`: what it learns, what it writes, and what it says of bad input.

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
fn bad_options_are_told() {
    for (words, says) in [
        ("", "say where the learned model goes: `-o model.pelton`"),
        ("-o o.txt", "neither a model file (.pelton) nor source"),
        ("-o a.pcirc", "is the circuit that is learned"),
        ("-o o.pelton -o o.pelton", "is to be written twice"),
        ("-o no/o.pelton", "there is no such folder"),
        ("-o o.pelton --report no/r.json", "there is no such folder"),
        (
            "-o o.pelton --checkpoint no/c.pelton",
            "there is no such folder",
        ),
        ("-o o.pelton --pseudocount -1", "the pseudocount is -1"),
        ("-o o.pelton --pseudocount inf", "the pseudocount is inf"),
        ("-o o.pelton --entropy nan", "the weight of the entropy is"),
        ("-o o.pelton --softness 0.5", "must be below 0.5"),
        ("-o o.pelton --softness -0.1", "the softness is -0.1"),
        ("-o o.pelton --tolerance -1", "the tolerance is -1"),
        ("-o o.pelton --step-size 0:1", "a step size is 0"),
        ("-o o.pelton --step-size fast", "write START:END"),
        ("-o o.pelton --batch-size 0", "--batch-size"),
        ("-o o.pelton --patience 0", "0 is not in 1..="),
        ("-o o.pelton --method guess", "possible values: mle, em"),
        (
            "-o o.pelton --softening wool",
            "virtual, geometric, sampled",
        ),
        ("-o o.pelton --init luck", "random, kmeans, keep"),
        ("-o o.pelton --chunk-rows 0", "--chunk-rows"),
        (
            "-o o.pelton --fullbatch-epochs 18446744073709551615",
            "--fullbatch-epochs",
        ),
        ("-o o.pelton --threads 0", "--threads"),
        ("-o o.pelton --resume", "--checkpoint"),
        ("-o o.pelton --paper", "--valid"),
        ("-o o.pelton --valid no.csv", "no.csv"),
    ] {
        let folder = folder(PAIR, ROWS);
        let run = fit(&folder, words);
        assert_eq!((run.exit, run.stdout.as_str()), (Some(2), ""), "{words}");
        assert!(run.stderr.contains(says), "{words}: {}", run.stderr);
        assert!(!folder.path().join("o.pelton").exists(), "{words}");
    }
}

/// Before anything is read, let alone learned.
#[cfg(target_os = "linux")]
#[test]
fn folders_that_take_no_files_are_told_at_once() {
    let folder = folder(PAIR, ROWS);
    for words in [
        "-o /proc/o.pelton",
        "-o o.pelton --report /proc/r.json",
        "-o o.pelton --checkpoint /proc/c.pelton",
    ] {
        let words = format!("fit no.pcirc --train no.csv {words}");
        let run = PELTON.run(folder.path(), words.split(' '));
        assert_eq!(run.exit, Some(2), "{run:?}");
        let is_told = run.stderr.contains("`/proc/") && run.stderr.contains("cannot be written");
        assert!(is_told, "{run:?}");
    }
    let run = fit(&folder, "-o o.pelton --report /dev/null");
    assert_eq!(run.exit, Some(0), "{run:?}");
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 3, "nothing but the circuit, the rows and the result");
}

/// Nothing that is read is written, by whatever name.
#[test]
fn what_is_read_is_not_replaced() {
    let folder = packing();
    let words = "--valid v.csv --fullbatch-epochs 1 -o m.pelton";
    assert_eq!(fit(&folder, words).exit, Some(0));
    let kept = ["a.pcirc", "m.pelton", "t.csv", "v.csv", "s.csv"];
    let before = kept.map(|name| read(&folder, name));
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    let is_circuit = "is the circuit that is learned; give what is written another name";
    let is_data = "is a file of data that is read; give what is written another name";
    for (model, words, says) in [
        ("a.pcirc", "-o ./a.pcirc", is_circuit),
        (
            "m.pelton",
            "-o o.pelton --checkpoint sub/../m.pelton",
            is_circuit,
        ),
        ("a.pcirc", "-o o.pelton --checkpoint a.pcirc", is_circuit),
        ("./m.pelton", "-o o.pelton --report m.pelton", is_circuit),
        ("a.pcirc", "-o o.pelton --checkpoint t.csv", is_data),
        ("a.pcirc", "-o o.pelton --checkpoint ./v.csv", is_data),
        ("a.pcirc", "-o o.pelton --report sub/../s.csv", is_data),
        ("a.pcirc", "-o o.pelton -o ./o.pelton", "written twice"),
        (
            "a.pcirc",
            "-o o.pelton --checkpoint sub/../o.pelton",
            "written twice",
        ),
    ] {
        let splits = "--train t.csv --valid v.csv --test s.csv --fullbatch-epochs 1";
        let words = format!("fit {model} {splits} {words}");
        let run = PELTON.run(folder.path(), words.split_whitespace());
        assert_eq!((run.exit, run.stdout.as_str()), (Some(2), ""), "{words}");
        assert!(run.stderr.contains(says), "{words}: {}", run.stderr);
        assert!(before == kept.map(|name| read(&folder, name)), "{words}");
    }
}

/// A model file is written whole or not at all, so it can take its own place.
#[test]
fn a_model_file_is_trained_in_place() {
    let folder = packing();
    assert_eq!(
        fit(&folder, "--fullbatch-epochs 1 -o m.pelton").exit,
        Some(0)
    );
    let before = read(&folder, "m.pelton");
    let words = "fit m.pelton --train t.csv --fullbatch-epochs 2 -o ./m.pelton";
    let run = PELTON.run(folder.path(), words.split_whitespace());
    assert_eq!(run.exit, Some(0), "{}", run.stderr);
    assert!(before != read(&folder, "m.pelton"));
}

#[test]
fn what_the_circuit_uses_is_not_replaced() {
    let circuit = "use \"lib.pcirc\" as lib;\nvar rain, wet : bool;\n\
                   root lib.flip(rain) * lib.flip(wet);\n";
    let folder = folder(circuit, ROWS);
    let library = "def flip(v) = v ~ bernoulli(?);\n";
    std::fs::write(folder.path().join("lib.pcirc"), library).unwrap();
    for words in ["-o ./lib.pcirc", "-o o.pelton --report lib.pcirc"] {
        let run = fit(&folder, words);
        assert_eq!(run.exit, Some(2), "{run:?}");
        let says = "is a file that the circuit uses; give what is written another name";
        assert!(run.stderr.contains(says), "{run:?}");
        assert_eq!(read(&folder, "lib.pcirc"), library.as_bytes());
    }
    // A model file holds its own copy.
    assert_eq!(fit(&folder, "-o o.pelton").exit, Some(0));
    let words = "fit o.pelton --train t.csv -o lib.pcirc";
    let run = PELTON.run(folder.path(), words.split(' '));
    assert_eq!(run.exit, Some(0), "{run:?}");
}

#[test]
fn standard_input_is_read_once() {
    let folder = folder(PAIR, ROWS);
    let run = |words: &str| {
        let words = words.split(' ');
        PELTON.run_with_input(folder.path(), words, ROWS.as_bytes())
    };
    let piped = run("fit a.pcirc --train - -o o.pelton --json");
    assert_eq!(report(&piped)["rows"], 4);
    for words in [
        "fit - --train - -o o.pelton",
        "fit a.pcirc --train - --valid - -o o.pelton",
        "fit a.pcirc --train - --chunk-rows 2 -o o.pelton",
    ] {
        let refused = run(words);
        assert_eq!(refused.exit, Some(2), "{refused:?}");
        assert!(refused.stderr.contains("standard input"), "{refused:?}");
    }
}

/// A pipe is empty when it is read for the second time.
#[cfg(target_os = "linux")]
#[test]
fn pipes_cannot_be_read_in_chunks() {
    let folder = folder(PAIR, ROWS);
    let words = "fit a.pcirc --train /dev/stdin --chunk-rows 2 -o o.pelton";
    let run = PELTON.run_with_input(folder.path(), words.split(' '), ROWS.as_bytes());
    assert_eq!(run.exit, Some(2), "{run:?}");
    assert!(
        run.stderr.contains("`/dev/stdin` can be read only once"),
        "{run:?}"
    );
}

#[test]
fn circuits_that_cannot_be_learned_are_told() {
    let fixed = "var rain, wet : bool;\nroot 0.5: rain * wet + 0.5: !rain * !wet;\n";
    let fixed = folder(fixed, ROWS);
    let run = fit(&fixed, "-o o.pelton");
    assert_eq!(run.exit, Some(1), "{run:?}");
    assert!(run.stderr.contains("--learn-all"), "{run:?}");
    let loose = folder(
        "var rain, wet : bool;\nroot 2: rain * wet + 3: !rain * !wet;\n",
        ROWS,
    );
    let run = fit(&loose, "-o o.pelton --learn-all -q");
    assert_eq!(run.exit, Some(1), "{run:?}");
    assert!(run.stderr.contains("even with --learn-all"), "{run:?}");
    let run = fit(&folder(MIXTURE, "1,1\n"), "-o o.pelton --method mle");
    assert_eq!(run.exit, Some(1), "{run:?}");
    assert!(run.stderr.contains("deterministic"), "{run:?}");
    assert_eq!(
        fit(&folder("root ;", ROWS), "-o o.pelton").exit,
        Some(1),
        "a broken text"
    );
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

#[test]
fn data_that_do_not_fit_are_told() {
    for (rows, says) in [
        ("", "there is nothing in it"),
        ("rain,wet\n", "there is only a header"),
        ("rain,wet\n1,maybe\n", "t.csv:2: column 2, `wet`"),
        ("rain,wet\n1\n", "t.csv:2"),
        ("1,1,1\n", "t.csv:1"),
    ] {
        let run = fit(&folder(PAIR, rows), "-o o.pelton");
        assert_eq!(run.exit, Some(3), "{rows:?}: {run:?}");
        assert!(run.stderr.contains(says), "{rows:?}: {}", run.stderr);
        let words = "-o o.pelton --chunk-rows 1";
        assert_eq!(fit(&folder(PAIR, rows), words).exit, Some(3), "{rows:?}");
    }
    let missing = folder(PAIR, "rain,wet\n1,\n0,1\n");
    let run = fit(&missing, "-o o.pelton --method mle");
    assert_eq!(run.exit, Some(3), "{run:?}");
    // Nothing that is learned makes the rows possible.
    let never = folder(
        "var rain, wet : bool;\nroot rain * (?: wet + ?: !wet);\n",
        "0,1\n0,0\n",
    );
    let run = fit(&never, "-o o.pelton");
    assert_eq!(run.exit, Some(3), "{run:?}");
    assert!(!never.path().join("o.pelton").exists());
}

#[test]
fn rows_of_probability_zero_are_told_and_left_out() {
    let circuit = "var rain, wet : bool;\nroot rain * (?: wet + ?: !wet);\n";
    let folder = folder(circuit, "1,1\n0,1\n1,1\n");
    let run = fit(&folder, "-o o.pelton --json --pseudocount 0");
    assert!(run.stderr.contains("1 of 3"), "{run:?}");
    let report = report(&run);
    assert_eq!(
        (&report["train_zero_rows"], &report["rows"]),
        (&1.into(), &3.into())
    );
    assert!(number(&report["train_ll"]).abs() < 1e-9, "{report}");
}

#[test]
fn columns_without_news_do_no_harm() {
    let folder = folder(MIXTURE, "a,b\n1,\n0,\n1,\n");
    for words in ["", "--pseudocount 0", "--softness 0.1 --scale-by-marginal"] {
        let report = report(&fit(&folder, &format!("-o o.pelton --json {words}")));
        assert!(number(&report["train_ll"]) < 0.0, "{words}: {report}");
    }
    std::fs::write(folder.path().join("t.csv"), "a,b\n1,1\n0,1\n1,1\n").unwrap();
    for words in [
        "",
        "--pseudocount 0",
        "--softness 0.1 --scale-by-marginal",
        "--entropy 0.1",
        "--init kmeans",
    ] {
        let report = report(&fit(&folder, &format!("-o o.pelton --json {words}")));
        assert!(number(&report["train_ll"]).is_finite(), "{words}: {report}");
    }
}

#[test]
fn ignored_columns_are_told() {
    let folder = folder(PAIR, "rain,when,wet\n1,2,1\n0,3,0\n");
    let run = fit(&folder, "-o o.pelton");
    assert_eq!(run.exit, Some(0), "{run:?}");
    assert!(run.stderr.contains("when"), "{run:?}");
    assert_eq!(fit(&folder, "-o o.pelton -q").stderr, "");
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

/// Whether a run is cut in two does not change what it learns.
#[test]
fn a_resumed_run_learns_what_a_single_one_does() {
    let folder = packing();
    let words = "--tolerance 0 --entropy 0.01 --softness 0.01 --softening sampled \
                 --minibatch-epochs 4 --batch-size 32";
    let single = fit(
        &folder,
        &format!("{words} --fullbatch-epochs 9 -o single.pcirc"),
    );
    assert_eq!(single.exit, Some(0), "{single:?}");
    let resume = format!("{words} --checkpoint c.pelton --resume");
    let first = fit(
        &folder,
        &format!("{resume} --fullbatch-epochs 4 -o first.pcirc"),
    );
    assert!(
        first
            .stderr
            .contains("there is no checkpoint `c.pelton` yet; starting anew"),
        "{first:?}"
    );
    let second = fit(
        &folder,
        &format!("{resume} --fullbatch-epochs 9 -o second.pcirc --json"),
    );
    assert!(
        second.stderr.contains("resuming from `c.pelton`"),
        "{second:?}"
    );
    assert_eq!(report(&second)["epochs"].as_array().unwrap().len(), 13);
    let is_alike = |a: &str, b: &str| read(&folder, a) == read(&folder, b);
    assert!(is_alike("single.pcirc", "second.pcirc"));
    assert!(!is_alike("first.pcirc", "second.pcirc"));
    // A checkpoint is a model.
    let words = ["eval", "c.pelton", "--data", "t.csv", "--json"];
    let run = PELTON.run(folder.path(), words);
    let mean = number(&json_lines(&run.stdout)[0]["mean_log_likelihood"]);
    assert!((mean - number(&report(&second)["train_ll"])).abs() < 1e-6);
}

/// A run that begins anew does not take an earlier one's state away.
#[test]
fn checkpoints_are_not_replaced_unasked() {
    let folder = packing();
    let words = "-o o.pelton --fullbatch-epochs 2 --checkpoint c.ck";
    assert_eq!(fit(&folder, words).exit, Some(0));
    let before = read(&folder, "c.ck");
    let refused = fit(&folder, words);
    assert_eq!(refused.exit, Some(2), "{refused:?}");
    let says = "`c.ck` already; add --resume to continue it, or remove it";
    assert!(refused.stderr.contains(says), "{refused:?}");
    assert!(read(&folder, "c.ck") == before);
    assert_eq!(fit(&folder, &format!("{words} --resume")).exit, Some(0));
}

/// What could be read only with wider limits can be resumed with them.
#[test]
fn checkpoints_are_read_within_the_limits_of_the_circuit() {
    let (open, close) = ("(".repeat(250), ")".repeat(250));
    let leaf = |name: &str| format!("{open}{name} ~ bernoulli(?){close}");
    let (a, b) = (leaf("a"), leaf("b"));
    let circuit = format!("var a, b : bool;\nroot ?: {a} * {b} + ?: {b} * {a};\n");
    let folder = folder(&circuit, "a,b\n1,1\n1,0\n0,0\n");
    let words = "-o o.pelton --checkpoint c.pelton --max-depth 400 --method em";
    let run = fit(&folder, &format!("{words} --fullbatch-epochs 2"));
    assert_eq!(run.exit, Some(0), "{run:?}");
    let run = fit(&folder, &format!("{words} --fullbatch-epochs 4 --resume"));
    assert_eq!(run.exit, Some(0), "{run:?}");
    assert!(run.stderr.contains("resuming from `c.pelton`"), "{run:?}");
}

#[test]
fn checkpoints_of_other_runs_are_refused() {
    let folder = packing();
    let words = "-o o.pelton --fullbatch-epochs 2 --checkpoint c.pelton";
    assert_eq!(fit(&folder, words).exit, Some(0));
    let says = |run: &Run, part: &str| {
        assert_eq!(run.exit, Some(2), "{run:?}");
        assert!(run.stderr.contains(part), "{part} in {run:?}");
    };
    let resume = format!("{words} --resume");
    says(&fit(&folder, &format!("{resume} --seed 7")), "seed was 0");
    says(
        &fit(&folder, &format!("{resume} -D K=3")),
        "it belongs to another circuit",
    );
    let other = resume.replace("c.pelton", "o.pelton");
    says(
        &fit(&folder, &other.replace("-o o.pelton", "-o p.pelton")),
        "it is a model and no checkpoint",
    );
    std::fs::copy(folder.path().join("v.csv"), folder.path().join("t.csv")).unwrap();
    says(&fit(&folder, &resume), "the training rows were others");
    std::fs::write(folder.path().join("c.pelton"), "what is this").unwrap();
    says(&fit(&folder, &resume), "cannot be resumed from `c.pelton`");
}

#[cfg(unix)]
mod signals {
    use super::*;
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Child, Command, Stdio};

    /// Runs with drawn noise do not end because nothing changes any more.
    const ENDLESS: &str = "--valid v.csv --patience 100000000 --softness 0.01 --softening sampled";

    /// A run that would take long, which has told of its first epoch.
    fn running(folder: &TempDir, words: &str) -> (Child, BufReader<std::process::ChildStderr>) {
        let words = format!("fit a.pcirc --train t.csv --progress plain {ENDLESS} {words}");
        let mut child = Command::new(PELTON.path)
            .args(words.split_whitespace())
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        assert!(line.starts_with("epoch 1/"), "{line}");
        (child, stderr)
    }

    fn signal(child: &Child, name: &str) {
        let id = child.id().to_string();
        let sent = Command::new("kill").args([name, &id]).status().unwrap();
        assert!(sent.success());
    }

    fn stdout(child: &mut Child) -> String {
        let mut text = String::new();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn an_interrupted_run_keeps_its_best_parameters() {
        for name in ["-INT", "-TERM"] {
            let folder = packing();
            let words = "-o o.pelton --checkpoint c.pelton --fullbatch-epochs 10000000 --json";
            let (mut child, _stderr) = running(&folder, words);
            signal(&child, name);
            let report = stdout(&mut child);
            assert_eq!(child.wait().unwrap().code(), Some(130), "{report}");
            let report = &json_lines(&report)[0];
            assert_eq!(report["stop_reason"], "cancelled");
            let run = PELTON.run(
                folder.path(),
                ["eval", "o.pelton", "--data", "v.csv", "--json"],
            );
            let mean = number(&json_lines(&run.stdout)[0]["mean_log_likelihood"]);
            assert!((mean - number(&report["valid_ll"])).abs() < 1e-6);
            assert!(folder.path().join("c.pelton").exists());
        }
    }

    /// The run that was interrupted goes on to the end of one that was not.
    #[test]
    fn what_was_interrupted_can_be_resumed() {
        let folder = packing();
        let words = "--minibatch-epochs 400 --batch-size 16 --fullbatch-epochs 1";
        let checkpoint = format!("{words} -o o.pcirc --checkpoint c.pelton");
        let (mut child, _stderr) = running(&folder, &checkpoint);
        signal(&child, "-INT");
        stdout(&mut child);
        assert_eq!(child.wait().unwrap().code(), Some(130));
        let resumed = fit(&folder, &format!("{checkpoint} {ENDLESS} --resume"));
        assert_eq!(resumed.exit, Some(0), "{resumed:?}");
        let single = fit(&folder, &format!("{words} {ENDLESS} -o single.pcirc"));
        assert_eq!(single.exit, Some(0), "{single:?}");
        assert!(read(&folder, "single.pcirc") == read(&folder, "o.pcirc"));
    }

    /// Files are replaced whole: whenever a run is killed, what was there before is.
    #[test]
    fn a_killed_run_leaves_whole_files() {
        let folder = packing();
        assert_eq!(
            fit(&folder, "-o o.pelton --fullbatch-epochs 1").exit,
            Some(0)
        );
        let before = read(&folder, "o.pelton");
        let words = "-o o.pelton --checkpoint c.pelton --fullbatch-epochs 10000000";
        let (mut child, mut stderr) = running(&folder, words);
        // The second line comes a second later, so that a checkpoint has been written.
        stderr.read_line(&mut String::new()).unwrap();
        signal(&child, "-KILL");
        assert_eq!(child.wait().unwrap().code(), None);
        assert!(read(&folder, "o.pelton") == before);
        let words = "-o o.pelton --checkpoint c.pelton --resume --fullbatch-epochs 1 --json";
        let resumed = fit(&folder, &format!("{words} {ENDLESS}"));
        assert!(resumed.stderr.contains("resuming from"), "{resumed:?}");
        assert!(!report(&resumed)["epochs"].as_array().unwrap().is_empty());
    }
}
