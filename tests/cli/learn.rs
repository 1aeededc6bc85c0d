//! `pelton learn`: what it learns and what it writes. [`input`] has what it says of bad
//! input, [`degenerate`] data of which there is little to learn, [`robust`] data that
//! make no sense, [`search`] runs with a budget.

#[path = "learn/degenerate.rs"]
mod degenerate;
#[path = "learn/input.rs"]
mod input;
#[path = "learn/robust.rs"]
mod robust;
#[path = "learn/search.rs"]
mod search;

use super::PELTON;
use flate2::Compression;
use flate2::write::GzEncoder;
use pelton_tests::command::{Run, json_lines};
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use tempfile::TempDir;

/// Columns of every kind; a cell is missing here and there.
const MIXED: &str = "rain,very warm,season,p1,temp\n\
    1,yes,very cold,3,1.5\n0,no,in,4,2.25\n1,yes,very cold,3,\n0,,k,5,-1\n\
    1,no,in,4,0.5\n0,no,very cold,5,2.75\n1,yes,k,,3\n0,no,in,3,1.25\n";

/// A folder with these rows to learn from.
fn folder(rows: impl AsRef<[u8]>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.csv"), rows).unwrap();
    folder
}

/// The rows of the example, in three parts.
fn packing() -> TempDir {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/packing");
    let folder = tempfile::tempdir().unwrap();
    for (from, to) in [
        ("train.csv", "t.csv"),
        ("valid.csv", "v.csv"),
        ("test.csv", "s.csv"),
    ] {
        std::fs::copy(example.join(from), folder.path().join(to)).unwrap();
    }
    folder
}

/// Runs `pelton` with these words.
fn run(folder: &TempDir, words: &str) -> Run {
    PELTON.run(folder.path(), words.split_whitespace())
}

/// `pelton learn KIND --train t.csv` and these words.
fn learn(folder: &TempDir, kind: &str, words: &str) -> Run {
    run(folder, &format!("learn {kind} --train t.csv {words}"))
}

fn report(run: &Run) -> Value {
    assert_eq!(run.exit, Some(0), "{run:?}");
    json_lines(&run.stdout).remove(0)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

fn read(folder: &TempDir, name: &str) -> Vec<u8> {
    std::fs::read(folder.path().join(name)).unwrap()
}

/// The mean log-likelihood of data under a model file.
fn mean(folder: &TempDir, model: &str, data: &str) -> f64 {
    let words = format!("eval {model} --data {data} --json --precision f64");
    number(&report(&run(folder, &words))["mean_log_likelihood"])
}

/// Both files are circuits like any other, and what was learned is what they hold.
fn assert_usable(folder: &TempDir, report: &Value, splits: &[(&str, &str)]) {
    for model in ["o.pelton", "o.pcirc"] {
        let checked = run(folder, &format!("check {model} --strict"));
        assert_eq!(
            (checked.exit, checked.stderr.as_str()),
            (Some(0), ""),
            "{model}"
        );
        for (data, key) in splits {
            let difference = mean(folder, model, data) - number(&report[key]);
            assert!(difference.abs() < 1e-9, "{model} {key}: {difference}");
        }
        let words = format!("fit {model} --train t.csv -o p.pelton --init keep --method em");
        let fitted = run(folder, &format!("{words} --fullbatch-epochs 1"));
        assert_eq!(fitted.exit, Some(0), "{fitted:?}");
    }
    let formatted = run(folder, "fmt --check o.pcirc");
    assert_eq!(formatted.exit, Some(0), "{formatted:?}");
}

const FILES: &str = "-o o.pelton -o o.pcirc --json --precision f64";

#[test]
fn what_was_learned_is_in_both_files() {
    let splits = [
        ("t.csv", "train_ll"),
        ("v.csv", "valid_ll"),
        ("s.csv", "test_ll"),
    ];
    for (kind, words) in [
        ("clt", ""),
        ("clt", "--trees 3 --tree-choice bootstrap"),
        ("hclt", "--hidden 3 --trees 2 --fullbatch-epochs 4"),
        (
            "hclt",
            "--form paper --fullbatch-epochs 4 --tree-choice bootstrap",
        ),
    ] {
        let folder = packing();
        let words = format!("--valid v.csv --test s.csv {FILES} {words}");
        let report = report(&learn(&folder, kind, &words));
        assert_usable(&folder, &report, &splits);
    }
}

#[test]
fn a_header_gives_names_and_cells_give_kinds() {
    let folder = folder(MIXED);
    let words = format!("{FILES} --hidden 2 --trees 2 --fullbatch-epochs 5");
    let report = report(&learn(&folder, "hclt", &words));
    assert_eq!(report["structure"]["columns"], 5);
    assert_eq!(report["kind"], "density");
    assert_usable(&folder, &report, &[("t.csv", "train_ll")]);
    let text = String::from_utf8(read(&folder, "o.pcirc")).unwrap();
    for part in [
        "var rain : bool;",
        "@column(\"very warm\")",
        "var temp : real;",
        "var p1 : 0..6;",
        "\"very cold\"",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn json_has_the_keys_that_programs_rely_on() {
    let folder = packing();
    let words = "--valid v.csv --test s.csv -o o.pelton --json --report r.json --seed 3 \
                 --hidden 3 --trees 2 --fullbatch-epochs 3 --threads 1";
    let report = report(&learn(&folder, "hclt", words));
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
        "structure",
    ] {
        assert!(!report[key].is_null(), "{key} in {report}");
    }
    let structure = &report["structure"];
    assert_eq!(
        (
            &structure["kind"],
            &structure["columns"],
            &structure["trees"]
        ),
        (&"hclt".into(), &14.into(), &2.into())
    );
    assert_eq!(
        (&structure["hidden"], &structure["tree_choice"]),
        (&3.into(), &"best".into())
    );
    assert!(number(&structure["information"]) > 0.0);
    assert_eq!(report["options"]["init"], "kmeans");
    let written: Value = serde_json::from_slice(&read(&folder, "r.json")).unwrap();
    assert_eq!(written, report);
}

#[test]
fn people_get_a_table() {
    let folder = packing();
    let run = learn(&folder, "clt", "--valid v.csv -o o.pelton");
    assert_eq!(run.exit, Some(0), "{run:?}");
    let first = "1 Chow-Liu tree over 14 columns, ";
    assert!(run.stdout.starts_with(first), "{run:?}");
    for part in [
        "nats of mutual information",
        "mean log-likelihood",
        "best epoch  ",
        "written     o.pelton\n",
    ] {
        assert!(run.stdout.contains(part), "{part} in {}", run.stdout);
    }
    assert_eq!(run.stderr, "");
    let run = learn(&folder, "hclt", "-o o.pelton --fullbatch-epochs 1 -q");
    assert_eq!((run.exit, run.stdout.as_str()), (Some(0), ""), "{run:?}");
}

/// A row of weight three is three rows, and the column of weights is no variable.
#[test]
fn weights_count_rows() {
    let many = folder("a,b\n1,1\n1,1\n1,1\n0,0\n0,1\n");
    let heavy = folder("a,n,b\n1,3,1\n0,1,0\n1,0,0\n0,1,1\n");
    for words in [
        "clt --pseudocount 0.5",
        "clt --trees 2",
        "hclt --init random --hidden 2",
    ] {
        let words = format!("learn {words} --train t.csv -o o.pcirc --json --fullbatch-epochs 3");
        let alike = report(&run(&many, &words));
        let report = report(&run(&heavy, &format!("{words} --weight-column n")));
        assert_eq!(report["structure"]["columns"], 2, "{words}");
        let difference = number(&report["train_ll"]) - number(&alike["train_ll"]);
        assert!(difference.abs() < 1e-6, "{words}: {difference}");
    }
}

/// A matrix of bytes as NumPy writes it.
fn npy(rows: &[[u8; 2]]) -> Vec<u8> {
    let n = rows.len();
    let header = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({n}, 2), }}");
    let header = format!("{header:<117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(rows.as_flattened());
    bytes
}

/// The same rows teach the same, whatever they are kept in.
#[test]
fn rows_come_from_files_of_any_format_and_from_pipes() {
    let rows = [[1, 1], [1, 0], [0, 0], [0, 1], [1, 1]];
    let text = rows.map(|[a, b]| format!("{a},{b}\n")).concat();
    let folder = folder(&text);
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(text.as_bytes()).unwrap();
    std::fs::write(folder.path().join("t.gz"), packed.finish().unwrap()).unwrap();
    std::fs::write(folder.path().join("t.npy"), npy(&rows)).unwrap();
    for kind in ["clt", "hclt --hidden 2 --fullbatch-epochs 3"] {
        let run = |train: &str| {
            let words = format!("learn {kind} --train {train} -o o.pcirc --json");
            let words = words.split_whitespace();
            let run = PELTON.run_with_input(folder.path(), words, text.as_bytes());
            assert_eq!(report(&run)["rows"], 5, "{train}");
            read(&folder, "o.pcirc")
        };
        let plain = run("t.csv");
        for train in ["t.gz", "t.npy", "-"] {
            assert!(run(train) == plain, "{kind} {train}");
        }
        if cfg!(target_os = "linux") {
            assert!(run("/dev/stdin") == plain, "{kind}");
        }
    }
}

#[test]
fn missing_cells_are_learned_from() {
    let folder = folder("a,b,c\n1,,1\n0,0,\n,1,1\n1,1,1\n0,0,0\n?,NA,\n");
    for (kind, method) in [
        ("clt", "em"),
        ("clt --trees 2", "em"),
        ("hclt --hidden 2", "em"),
    ] {
        let words = format!("{FILES} --fullbatch-epochs 5");
        let report = report(&learn(&folder, kind, &words));
        assert_eq!(report["options"]["method"], method, "{kind}");
        assert_ne!(report["stop_reason"], "closed_form", "{kind}");
        assert_usable(&folder, &report, &[("t.csv", "train_ll")]);
    }
    let run = learn(&folder, "clt", "-o p.pelton --method mle");
    assert_eq!(run.exit, Some(3), "{run:?}");
}

/// Values that only the validation rows have belong to their columns.
#[test]
fn validation_rows_widen_domains() {
    let folder = folder("season,n\nwarm,0\ncold,1\nwarm,2\n");
    std::fs::write(folder.path().join("v.csv"), "season,n\nwet,5\n").unwrap();
    let words = format!("{FILES} --valid v.csv --hidden 2");
    let report = report(&learn(&folder, "hclt", &words));
    assert_eq!(report["valid_zero_rows"], 0);
    let text = String::from_utf8(read(&folder, "o.pcirc")).unwrap();
    assert!(text.contains("wet") && text.contains("0..6"), "{text}");
}

/// The same seed gives the same files, whatever the number of threads.
#[test]
fn runs_are_reproducible() {
    let folder = packing();
    for kind in [
        "hclt --hidden 4 --minibatch-epochs 2 --fullbatch-epochs 2 --softness 0.002",
        "hclt --hidden 2 --tree-choice bootstrap --fullbatch-epochs 2",
        "clt --trees 3 --tree-choice bootstrap",
    ] {
        for (name, more) in [
            ("a", "--threads 1"),
            ("b", "--threads 2"),
            ("c", "--seed 1"),
        ] {
            let run = learn(&folder, kind, &format!("-o {name}.pelton {more}"));
            assert_eq!(run.exit, Some(0), "{run:?}");
        }
        assert!(
            read(&folder, "a.pelton") == read(&folder, "b.pelton"),
            "{kind}"
        );
        assert!(
            read(&folder, "a.pelton") != read(&folder, "c.pelton"),
            "{kind}"
        );
    }
}

#[test]
fn a_resumed_run_learns_what_a_single_one_does() {
    let folder = packing();
    let words = "--hidden 3 --trees 2 --tolerance 0 --minibatch-epochs 3 --batch-size 64";
    let single = learn(
        &folder,
        "hclt",
        &format!("{words} --fullbatch-epochs 6 -o single.pcirc"),
    );
    assert_eq!(single.exit, Some(0), "{single:?}");
    let resume = format!("{words} --checkpoint c.pelton --resume");
    let first = format!("{resume} --fullbatch-epochs 2 -o first.pcirc");
    assert_eq!(learn(&folder, "hclt", &first).exit, Some(0));
    let second = format!("{resume} --fullbatch-epochs 6 -o second.pcirc");
    let second = learn(&folder, "hclt", &second);
    assert!(
        second.stderr.contains("resuming from `c.pelton`"),
        "{second:?}"
    );
    assert!(read(&folder, "single.pcirc") == read(&folder, "second.pcirc"));
    assert!(read(&folder, "first.pcirc") != read(&folder, "second.pcirc"));
    // Another structure is another circuit.
    let other = format!("{resume} --hidden 5 --fullbatch-epochs 6 -o o.pcirc");
    let other = learn(&folder, "hclt", &other.replacen("--hidden 3 ", "", 1));
    assert_eq!(other.exit, Some(2), "{other:?}");
    assert!(
        other.stderr.contains("it belongs to another circuit"),
        "{other:?}"
    );
    // A run that begins anew does not take an earlier one's state away.
    let anew = format!("{words} --checkpoint c.pelton -o o.pcirc");
    assert_eq!(learn(&folder, "hclt", &anew).exit, Some(2));
}
