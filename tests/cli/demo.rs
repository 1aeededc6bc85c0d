//! `pelton demo`, the first thing a reader of the README runs.

use super::PELTON;
use std::collections::HashMap;

#[test]
fn the_demo_checks_trains_answers_draws_and_explains() {
    let folder = tempfile::tempdir().unwrap();
    let run = PELTON.run(folder.path(), ["demo"]);
    assert_eq!(run.exit, Some(0), "{}", run.stderr);
    for part in [
        "packing.pcirc: ok",
        "40 epochs of EM on 200 rows",
        "P(umbrella | tent, season = autumn) = 0.",
        "error[PC0103]: sum node `warm` is not deterministic",
        "witness: temp = 12",
        "fit pelton-demo/packing.pcirc --train pelton-demo/train.csv",
    ] {
        assert!(run.stdout.contains(part), "{part} in {}", run.stdout);
    }
    for name in ["learning.svg", "packing.svg"] {
        let drawing = folder.path().join("pelton-demo").join(name);
        let drawing = std::fs::read_to_string(drawing).unwrap();
        assert!(drawing.starts_with("<svg"), "{drawing}");
    }
    // The model it leaves behind is the one it speaks of.
    let words = "eval pelton-demo/packing.pelton --data pelton-demo/test.csv";
    let eval = PELTON.run(folder.path(), words.split(' '));
    assert_eq!(eval.exit, Some(0), "{eval:?}");
    let shown = table(&run.stdout)["regularized, best"][2];
    let line = eval.stdout.lines().nth(1).unwrap();
    let mean: f64 = line.split_whitespace().last().unwrap().parse().unwrap();
    assert!((mean - shown).abs() < 1e-4, "{mean} {shown}");
}

/// What the example is for: without regularization it learns its rows by heart.
#[test]
fn regularization_gains_on_rows_that_were_not_seen() {
    let folder = tempfile::tempdir().unwrap();
    let run = PELTON.run(folder.path(), ["demo"]);
    let table = table(&run.stdout);
    let [train, valid, test] = table["plain, last"];
    let [other_train, other_valid, other_test] = table["regularized, last"];
    assert!(train > other_train + 0.5, "{}", run.stdout);
    assert!(
        valid < other_valid - 1.0 && test < other_test - 1.0,
        "{}",
        run.stdout
    );
    assert!(table["regularized, best"][2] > table["plain, best"][2]);
}

/// Train, validation and test likelihood by run and epoch.
fn table(stdout: &str) -> HashMap<String, [f64; 3]> {
    let rows = stdout.lines().filter_map(|line| {
        let (label, _) = line.split_once(" epoch")?;
        let numbers = line.split_whitespace().rev().take(3);
        let numbers: Vec<f64> = numbers
            .map(|word| word.parse().ok())
            .collect::<Option<_>>()?;
        let &[test, valid, train] = numbers.as_slice() else {
            return None;
        };
        Some((label.to_string(), [train, valid, test]))
    });
    rows.collect()
}
