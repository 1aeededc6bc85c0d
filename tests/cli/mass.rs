//! Circuits whose mass is not 1: one meaning in every command, and the mass is shown.

use super::{PELTON, folder_with};
use pelton_tests::command::{Run, json_lines};
use serde_json::Value;

/// Of mass 1.5: two values for the second half.
const SKY: &str =
    "var sky : {clear, cloudy, storm};\nroot 0.5: [sky = clear] + 0.5: [sky != clear];\n";

/// Which of two variables are true: three models.
const LOGIC: &str = "var a, b : bool;\nroot 1: a * b + 1: a * !b + 1: !a * b;\n";

fn run(circuit: &str, words: &str) -> Run {
    let folder = folder_with(circuit);
    std::fs::write(folder.path().join("d.csv"), "sky\nclear\nstorm\n").unwrap();
    std::fs::write(folder.path().join("l.csv"), "a,b\n1,1\n1,\n").unwrap();
    PELTON.run(folder.path(), words.split_whitespace())
}

fn first(run: &Run) -> Value {
    assert_eq!(run.exit, Some(0), "{run:?}");
    json_lines(&run.stdout).remove(0)
}

fn near(found: &Value, expected: f64) {
    let found = found.as_f64().unwrap_or(f64::NAN);
    assert!((found - expected).abs() < 1e-6, "{found} {expected}");
}

#[test]
fn likelihoods_are_divided_by_the_mass_and_it_is_shown() {
    let third = (1.0_f64 / 3.0).ln();
    let found = run(SKY, "eval a.pcirc --data d.csv --json");
    let object = first(&found);
    near(&object["mean_log_likelihood"], third);
    near(&object["log_mass"], 1.5_f64.ln());
    assert!(
        found.stderr.contains("the mass of the circuit is 1.5"),
        "{found:?}"
    );
    let rows = run(SKY, "eval a.pcirc --data d.csv --per-row --json");
    near(&first(&rows)["log_likelihood"], third);
    let raw = run(SKY, "eval a.pcirc --data d.csv --json --unnormalized");
    near(&first(&raw)["mean_log_likelihood"], 0.5_f64.ln());
    assert!(first(&raw).get("log_mass").is_none());
}

#[test]
fn questions_and_evidence_are_divided_alike() {
    let asked = first(&run(SKY, "query a.pcirc P(sky=clear) --json"));
    near(&asked["value"], 1.0 / 3.0);
    near(&asked["log_mass"], 1.5_f64.ln());
    let left = "condition a.pcirc sky!=clear --keep --json -o b.pcirc";
    near(
        &first(&run(SKY, left))["log_evidence"],
        (2.0_f64 / 3.0).ln(),
    );
    let folder = folder_with(SKY);
    let request = "{\"given\": \"sky != clear\"}\n";
    let found = PELTON.run_with_input(
        folder.path(),
        ["marginals", "a.pcirc", "--stream"],
        request.as_bytes(),
    );
    near(&first(&found)["log_evidence"], (2.0_f64 / 3.0).ln());
    near(&first(&found)["log_mass"], 1.5_f64.ln());
    let best = first(&run(SKY, "map a.pcirc --json"));
    near(&best["value"], 1.0 / 3.0);
}

#[test]
fn circuits_that_count_keep_their_counts() {
    let rows = run(LOGIC, "eval a.pcirc --data l.csv --per-row");
    assert_eq!(rows.stdout, format!("0\n{}\n", 2.0_f64.ln()), "{rows:?}");
    assert!(!rows.stderr.contains("mass"), "{rows:?}");
    near(
        &first(&run(LOGIC, "query a.pcirc P(a) --json"))["value"],
        2.0 / 3.0,
    );
    let left = first(&run(LOGIC, "condition a.pcirc a --json -o b.pcirc"));
    near(&left["log_evidence"], (2.0_f64 / 3.0).ln());
}

#[test]
fn nothing_is_said_where_the_mass_is_one() {
    let text = "var a : bool;\nroot 0.25: a + 0.75: !a;\n";
    let folder = folder_with(text);
    std::fs::write(folder.path().join("d.csv"), "1\n0\n").unwrap();
    let found = PELTON.run(folder.path(), "eval a.pcirc --data d.csv --json".split(' '));
    assert!(found.stderr.is_empty(), "{found:?}");
    assert!(first(&found).get("log_mass").is_none());
}

#[test]
fn a_circuit_without_mass_is_refused_with_a_way_out() {
    let text = "var a : bool;\nroot 0: a + 0: !a;\n";
    let folder = folder_with(text);
    std::fs::write(folder.path().join("d.csv"), "1\n0\n").unwrap();
    let found = PELTON.run(folder.path(), "eval a.pcirc --data d.csv".split(' '));
    assert_eq!(found.exit, Some(3), "{found:?}");
    assert!(found.stderr.contains("--unnormalized"), "{found:?}");
}
