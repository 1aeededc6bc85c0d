//! Tables that no one would write: every one ends with a model or a report.

use super::*;
use crate::assert_ends_well;
use pelton_tests::dice::Dice;

/// Cells, from the usual to what breaks readers.
const CELLS: &[&str] = &[
    "0",
    "1",
    "2",
    "-7",
    "250",
    "0.5",
    "-1e9",
    "1e400",
    "nan",
    "inf",
    "",
    "?",
    "NA",
    "true",
    "no",
    "a",
    "k",
    "in",
    "p1",
    "very cold",
    "\"x,y\"",
    "\"\"\"\"",
    "größe",
    "`",
    "x[0]",
    "1e-320",
    "+3",
    "007",
    "\u{feff}",
    "0x10",
    "\\",
    "a;b",
];

/// Names, from the usual to what breaks circuits.
const NAMES: &[&str] = &[
    "a",
    "b",
    "k",
    "x",
    "mix",
    "prior",
    "p1",
    "z1",
    "x[0]",
    "x[1]",
    "y[2, 3]",
    "in",
    "root",
    "sum",
    "very cold",
    "1",
    "-",
    "größe",
    "\"q\"",
    "_",
    "tree1",
    "column2",
    "to1_a",
    "x[",
    "é",
];

/// A table whose columns mostly hold one kind of cell.
fn table(dice: &mut Dice) -> String {
    let n_columns = 1 + dice.below(5);
    let mut rows: Vec<Vec<&str>> = Vec::new();
    if dice.chance(60) {
        rows.push((0..n_columns).map(|_| dice.pick(NAMES)).collect());
    }
    let kinds: Vec<Vec<&str>> = (0..n_columns)
        .map(|_| (0..1 + dice.below(4)).map(|_| dice.pick(CELLS)).collect())
        .collect();
    for _ in 0..dice.below(12) {
        let mut row: Vec<&str> = kinds.iter().map(|kind| dice.pick(kind)).collect();
        if dice.chance(2) {
            row.pop();
        }
        rows.push(row);
    }
    let lines = rows.iter().map(|row| row.join(",") + "\n");
    lines.collect()
}

#[test]
fn every_table_ends_with_a_model_or_a_report() {
    let mut n_learned = 0;
    for seed in 0..120 {
        let mut dice = Dice::new(seed);
        let folder = folder(table(&mut dice));
        let kind = dice.pick(&[
            "clt",
            "clt --trees 2 --tree-choice bootstrap",
            "hclt --hidden 2 --trees 2 --fullbatch-epochs 2",
            "hclt --hidden 3 --form paper --init random --fullbatch-epochs 2",
        ]);
        let run = learn(&folder, kind, "-o o.pelton -o o.pcirc");
        assert_ends_well(&run);
        let is_written = folder.path().join("o.pelton").exists();
        assert_eq!(is_written, run.exit == Some(0), "seed {seed}: {run:?}");
        if is_written {
            n_learned += 1;
            let checked = self::run(&folder, "check o.pelton o.pcirc");
            assert_eq!(checked.exit, Some(0), "seed {seed}: {checked:?}");
        } else {
            assert!(!run.stderr.is_empty(), "seed {seed}");
        }
    }
    assert!(n_learned > 20, "{n_learned}");
}
