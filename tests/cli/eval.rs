//! `pelton eval`: figures, forms of output, and what it says of data.

use super::{GOOD, PELTON, folder_with};
use pelton_tests::command::{Run, json_lines};
use serde_json::{Value, json};

/// Two variables, one row in four of probability zero.
const PAIR: &str =
    "var rain, wet : bool;\nroot 0.3: rain * wet + 0.7: !rain * (0.2: wet + 0.8: !wet);\n";

/// Runs `pelton eval a.pcirc --data d.csv` with more words on these files.
fn eval(circuit: &str, data: impl AsRef<[u8]>, words: &str) -> Run {
    let folder = folder_with(circuit);
    std::fs::write(folder.path().join("d.csv"), data).unwrap();
    let all = format!("eval a.pcirc --data d.csv {words}");
    PELTON.run(folder.path(), all.split_whitespace())
}

fn summary(run: &Run) -> Value {
    assert_eq!(run.exit, Some(0), "{run:?}");
    let mut lines = json_lines(&run.stdout);
    assert_eq!(lines.len(), 1, "{run:?}");
    lines.remove(0)
}

fn mean(run: &Run) -> f64 {
    summary(run)["mean_log_likelihood"].as_f64().unwrap()
}

#[test]
fn json_has_the_keys_that_programs_rely_on() {
    let found = summary(&eval(PAIR, "1,1\n0,0\n0,\n", "--json --threads 1"));
    let keys: Vec<&str> = found
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    for key in [
        "rows",
        "mean_log_likelihood",
        "zero_rows",
        "threads",
        "precision",
        "compile_seconds",
        "seconds",
        "rows_per_second",
    ] {
        assert!(keys.contains(&key), "{key} in {keys:?}");
    }
    assert_eq!(
        (&found["rows"], &found["zero_rows"]),
        (&json!(3), &json!(0))
    );
    assert_eq!(
        (&found["threads"], &found["precision"]),
        (&json!(1), &json!("f32"))
    );
    let expected = (0.3f64.ln() + 0.56f64.ln() + 0.7f64.ln()) / 3.0;
    let mean = found["mean_log_likelihood"].as_f64().unwrap();
    assert!((mean - expected).abs() < 1e-6, "{mean} {expected}");
}

#[test]
fn every_engine_precision_and_number_of_threads_agrees() {
    let rows: String = (0..500)
        .map(|row| {
            format!(
                "{},{}\n",
                row % 3 / 2,
                u8::from(row % 3 == 2 || row % 5 == 0)
            )
        })
        .collect();
    let reference = mean(&eval(PAIR, &rows, "--json --engine reference"));
    for words in [
        "--engine cranelift",
        "--engine cranelift --precision f64",
        "--precision f64 --threads 2",
        "--threads 3",
        "",
    ] {
        let found = mean(&eval(PAIR, &rows, &format!("--json {words}")));
        assert!(
            (found - reference).abs() < 1e-5,
            "{words}: {found} {reference}"
        );
    }
}

#[test]
fn rows_are_printed_one_a_line() {
    let run = eval(PAIR, "1,1\n1,0\n0,1\n", "--per-row --precision f64");
    assert_eq!(run.exit, Some(0), "{run:?}");
    let lines: Vec<f64> = run
        .stdout
        .lines()
        .map(|line| line.parse().unwrap())
        .collect();
    assert!((lines[0] - 0.3f64.ln()).abs() < 1e-12, "{lines:?}");
    assert_eq!((lines.len(), lines[1]), (3, f64::NEG_INFINITY));
    assert_eq!(run.stdout.lines().nth(1), Some("-inf"));
    let run = eval(PAIR, "1,1\n1,0\n", "--per-row --json");
    let lines = json_lines(&run.stdout);
    assert_eq!(
        lines[1],
        json!({"row": 2, "log_likelihood": null, "zero": true})
    );
    assert_eq!(
        (&lines[0]["row"], &lines[0]["zero"]),
        (&json!(1), &json!(false))
    );
}

#[test]
fn rows_of_probability_zero_are_counted_and_left_out() {
    let run = eval(PAIR, "1,1\n1,0\n1,0\n", "--json");
    let found = summary(&run);
    assert_eq!(found["zero_rows"], 2);
    assert!((mean(&run) - 0.3f64.ln()).abs() < 1e-6);
    assert_eq!(
        run.stderr,
        "note: 2 of 3 rows have probability zero, row 2 is the first; the mean leaves them out\n"
    );
    let run = eval(PAIR, "1,0\n", "--json");
    assert_eq!(summary(&run)["mean_log_likelihood"], Value::Null);
    assert_eq!(
        run.stderr,
        "note: row 1 of 1 has probability zero; the mean leaves it out\n"
    );
    let run = eval(PAIR, "1,0\n", "");
    assert!(
        run.stdout.contains("mean log-likelihood            none"),
        "{run:?}"
    );
    assert_eq!(eval(PAIR, "1,0\n", "-q").stderr, "");
}

#[test]
fn densities_are_called_densities() {
    let circuit = "var x : real;\nvar b : bool;\nroot x ~ normal(0, 1) * b;\n";
    let run = eval(circuit, "x,b\n0,1\n", "");
    assert!(
        run.stdout.contains("mean log-density          -0.918939"),
        "{run:?}"
    );
    assert_eq!(
        summary(&eval(circuit, "x,b\n0,1\n", "--json"))["kind"],
        "density"
    );
    // Nothing is known of the real variable, so that nothing is a density.
    let run = eval(circuit, "b\n1\n", "--json");
    assert_eq!(summary(&run)["kind"], "probability");
    assert!(
        run.stderr.contains("d.csv has no column for `x`"),
        "{run:?}"
    );
}

#[test]
fn parameters_without_a_value_are_told() {
    let run = eval("var x : bool;\nroot x ~ bernoulli(?);\n", "1\n", "--json");
    assert!((mean(&run) - 0.5f64.ln()).abs() < 1e-6);
    let note = "1 number to be learned has no value yet; evaluated with equal shares, 1 or 0";
    assert_eq!(run.stderr, format!("note: {note}\n"));
    let run = eval(
        "var x : bool;\nroot x ~ bernoulli(?);\n",
        "1\n",
        "--message-format json",
    );
    assert_eq!(json_lines(&run.stderr)[0]["severity"], "note");
}

#[test]
fn standard_input_is_data_or_circuit() {
    let folder = folder_with(PAIR);
    std::fs::write(folder.path().join("d.csv"), "1,1\n").unwrap();
    let words = ["eval", "a.pcirc", "--data", "-", "--json"];
    let run = PELTON.run_with_input(folder.path(), words, b"wet,rain\n1,1\n");
    assert!((mean(&run) - 0.3f64.ln()).abs() < 1e-6);
    let words = ["eval", "-", "--data", "d.csv", "--json"];
    let run = PELTON.run_with_input(folder.path(), words, PAIR.as_bytes());
    assert!((mean(&run) - 0.3f64.ln()).abs() < 1e-6);
    let run = PELTON.run_with_input(folder.path(), ["eval", "a.pcirc", "--data", "-"], b"1\n");
    assert!(
        run.stderr
            .starts_with("pelton: <stdin>:1: the line has 1 cell,"),
        "{run:?}"
    );
}

#[test]
fn constants_are_overridden() {
    let circuit = "const P = 0.5;\nvar x : bool;\nroot x ~ bernoulli(P);\n";
    assert!((mean(&eval(circuit, "1\n", "--json -D P=0.25")) - 0.25f64.ln()).abs() < 1e-6);
}

#[test]
fn exit_codes_tell_whose_fault_it_is() {
    assert_eq!(eval("var x : bool;\nroot y;\n", "1\n", "").exit, Some(1));
    let missing = folder_with(GOOD);
    let run = PELTON.run(missing.path(), ["eval", "a.pcirc", "--data", "no.csv"]);
    assert_eq!(run.exit, Some(2));
    assert_eq!(
        run.stderr,
        "pelton: no.csv: it cannot be read: there is no such file\n"
    );
    let run = PELTON.run(missing.path(), ["eval", "a.pcirc", "--data", "."]);
    assert_eq!(
        (run.exit, run.stderr.as_str()),
        (Some(2), "pelton: .: it cannot be read: it is a directory\n")
    );
    assert_eq!(eval(GOOD, [0x1f, 0x8b, 8, 0], "").exit, Some(2));
    assert_eq!(eval(GOOD, "", "").exit, Some(3));
    let run = eval(GOOD, "rain\n1\nmaybe\n", "");
    assert_eq!(run.exit, Some(3));
    assert!(
        run.stderr.starts_with(
            "pelton: d.csv:3: column 1, `rain`: `maybe` is neither true nor false\n  help: "
        ),
        "{run:?}"
    );
    let run = eval("psdd 3\n", "1\n", "");
    assert_eq!(run.exit, Some(2));
    assert!(run.stderr.contains("a PSDD"), "{run:?}");
}

/// Weights whose product has no finite logarithm.
#[test]
fn results_that_are_no_numbers_are_a_failure_of_their_own() {
    let circuit = "var x : bool;\nnode a = exp(1.2e308): x + 1: !x;\nroot exp(1.2e308): a;\n";
    for words in ["", "--engine reference", "--json"] {
        let run = eval(circuit, "1\n", &format!("{words} -q"));
        assert_eq!((run.exit, run.stdout.as_str()), (Some(4), ""), "{run:?}");
        assert_eq!(
            run.stderr,
            "pelton: the circuit is no distribution: its mass is not a finite number; \
             `--unnormalized` gives the values themselves\n"
        );
    }
}

#[test]
fn headers_can_be_forced() {
    let run = eval(PAIR, "rain,when\n1,1\n", "--json --header yes");
    assert!((mean(&run) - 0.3f64.ln()).abs() < 1e-6);
    assert_eq!(run.stderr.lines().count(), 2, "{run:?}");
    assert_eq!(eval(PAIR, "rain,when\n1,1\n", "").exit, Some(3));
    assert_eq!(eval(PAIR, "rain,wet\n1,1\n", "--header no").exit, Some(3));
}

/// More rows than are evaluated at a time.
#[test]
fn many_rows_are_evaluated_in_parts() {
    let rows = "1,1\n0,0\n".repeat(100_000);
    let run = eval(PAIR, rows, "--json --progress plain");
    assert_eq!(summary(&run)["rows"], 200_000);
    assert!((mean(&run) - (0.3f64.ln() + 0.56f64.ln()) / 2.0).abs() < 1e-6);
}

/// A row of weight 2 is two rows, and one of weight 0 is none.
#[test]
fn weights_count_rows() {
    let rows = "rain,wet,n\n1,1,2\n0,0,0.5\n0,1,0\n1,0,3\n";
    let run = eval(PAIR, rows, "--json --weight-column n");
    let expected = (2.0 * 0.3f64.ln() + 0.5 * 0.56f64.ln()) / 2.5;
    assert!((mean(&run) - expected).abs() < 1e-6, "{run:?}");
    let found = summary(&run);
    assert_eq!(
        (&found["rows"], &found["zero_rows"]),
        (&json!(4), &json!(1))
    );
    let none = eval(
        PAIR,
        "rain,wet,n\n1,1,0\n1,0,1\n",
        "--json --weight-column n",
    );
    assert_eq!(summary(&none)["mean_log_likelihood"], Value::Null);
    let run = eval(PAIR, rows, "--weight-column weight");
    assert_eq!(run.exit, Some(3), "{run:?}");
}
