//! Data of which there is little to learn: a model comes of it all the same.

use super::*;

/// Learns by every method from these rows, and reads back what was written.
fn assert_learned(rows: &str, is_finite: bool) {
    let folder = folder(rows);
    let plain: &[&str] = if is_finite {
        &[
            "clt",
            "clt --trees 3 --tree-choice bootstrap",
            "clt --pseudocount 0",
        ]
    } else {
        &[]
    };
    let hidden = [
        "hclt --fullbatch-epochs 4",
        "hclt --fullbatch-epochs 4 --init random --form paper --hidden 5 --trees 2",
        "hclt --fullbatch-epochs 4 --pseudocount 0 --hidden 2 --tree-choice bootstrap",
        "hclt --paper --valid t.csv --minibatch-epochs 2 --fullbatch-epochs 2 --softness 0",
        "hclt --budget 0.2s --valid t.csv",
    ];
    for kind in plain.iter().copied().chain(hidden) {
        let learned = learn(
            &folder,
            kind,
            "-o o.pelton -o o.pcirc --json --precision f64",
        );
        assert_eq!(learned.exit, Some(0), "{kind} {rows:?}: {learned:?}");
        let report = report(&learned);
        let own = number(&report["train_ll"]);
        assert!(own.is_finite(), "{kind} {rows:?}: {report}");
        for model in ["o.pelton", "o.pcirc"] {
            let difference = mean(&folder, model, "t.csv") - own;
            assert!(difference.abs() < 1e-9, "{kind} {rows:?}: {difference}");
        }
    }
}

#[test]
fn columns_with_one_value() {
    assert_learned("a,b,c,d\n1,5,x,0\n1,5,x,1\n1,5,x,0\n", true);
    assert_learned("1,1\n1,1\n", true);
    assert_learned("a,r\n0,2.5\n0,2.5\n0,2.5\n", false);
}

#[test]
fn columns_that_are_alike() {
    assert_learned("a,b,c\n1,1,1\n0,0,0\n1,1,1\n0,0,0\n", true);
    assert_learned("r,s\n0.5,0.5\n1.5,1.5\n-2,-2\n", false);
}

#[test]
fn columns_without_a_cell() {
    assert_learned("a,b,c\n1,,0\n0,,1\n1,,\n", true);
    assert_learned("a,r,b\n,1.5,\n,2.5,\n,0.5,\n", false);
}

#[test]
fn a_single_variable() {
    assert_learned("1\n0\n1\n", true);
    assert_learned("season\nwarm\ncold\n", true);
    assert_learned("r\n1.5\n2.5\n", false);
}

#[test]
fn a_single_row() {
    assert_learned("1,0,1\n", true);
    assert_learned("a,r\n1,2.5\n", false);
}

#[test]
fn fewer_rows_than_states() {
    assert_learned("1,0,1,1\n0,0,1,0\n", true);
    assert_learned("r,s,a\n1.5,2,1\n0.25,2.5,0\n", false);
}

#[test]
fn more_columns_than_rows() {
    let row = |step: usize| {
        let cells = (0..60).map(|at| (at / step % 2).to_string());
        cells.collect::<Vec<_>>().join(",")
    };
    assert_learned(&format!("{}\n{}\n{}\n", row(1), row(2), row(7)), true);
}

/// Cells that are far apart, and numbers that nearly are none.
#[test]
fn extreme_numbers() {
    assert_learned("r,s\n1e300,1e-300\n-1e300,2e-300\n0,1\n", false);
    assert_learned("n,m\n-9007199254740991,0\n9007199254740991,1\n", false);
}

/// No rows are lost because their weights are nothing.
#[test]
fn rows_without_weight() {
    let folder = folder("a,b,n\n1,1,0\n0,1,2\n1,0,1\n");
    for kind in ["clt", "clt --trees 2", "hclt --hidden 2"] {
        let words = "-o o.pelton --json --weight-column n";
        let report = report(&learn(&folder, kind, words));
        assert!(number(&report["train_ll"]).is_finite(), "{kind}");
    }
    let none = super::folder("a,b,n\n1,1,0\n0,1,0\n");
    for kind in ["clt", "clt --trees 2", "hclt --hidden 2"] {
        let run = learn(&none, kind, "-o o.pelton --weight-column n");
        assert_eq!(run.exit, Some(3), "{kind}: {run:?}");
        assert!(
            run.stderr.contains("the weight of every row is zero"),
            "{run:?}"
        );
    }
}
