//! `pelton convert`, and circuits in foreign formats on the command line.

use super::{PELTON, folder_with};
use std::io::Write;
use std::path::Path;

const DIAGRAM: &str = "psdd 4\nL 0 0 1\nL 1 0 -1\nT 2 2 2 -0.5\n\
                       D 3 1 2 0 2 -0.6931471805599453 1 2 -0.6931471805599453\n";

fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    std::fs::write(folder.join(name), bytes).unwrap();
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn every_command_reads_circuits_of_other_tools() {
    let folder = folder_with("");
    write(folder.path(), "a.psdd", DIAGRAM);
    write(folder.path(), "a.psdd.gz", packed(DIAGRAM.as_bytes()));
    write(folder.path(), "d.csv", "0,1\n1,0\n");
    for name in ["a.psdd", "a.psdd.gz"] {
        for words in [
            "check --assert deterministic,structured",
            "stats",
            "params",
            "emit --as source",
            "emit --as svg",
            "eval --data d.csv",
        ] {
            let words = words.split(' ').chain([name]);
            let run = PELTON.run(folder.path(), words);
            assert_eq!(run.exit, Some(0), "{run:?}");
        }
    }
    let read = PELTON.run_with_input(folder.path(), ["check", "-"], &packed(DIAGRAM.as_bytes()));
    assert_eq!(read.exit, Some(0), "{read:?}");
}

/// Juice's format has no domains: what no leaf mentions above its values is told.
#[test]
fn upper_values_that_are_lost_are_noted() {
    let folder = folder_with("var x : 0..6; root 0.5: [x = 0] + 0.5: [x = 2];");
    let run = PELTON.run(folder.path(), ["convert", "a.pcirc", "b.jpc"]);
    assert_eq!(run.exit, Some(0), "{run:?}");
    let note = "`x` keeps the first 3 of";
    assert!(run.stderr.contains(note), "{run:?}");
    write(
        folder.path(),
        "a.pcirc",
        "var x : 0..3; root x ~ categorical(0.5, 0.5, 0);",
    );
    let run = PELTON.run(folder.path(), ["convert", "a.pcirc", "b.jpc"]);
    assert!(!run.stderr.contains("upper values"), "{run:?}");
}

#[test]
fn a_psdd_becomes_source_and_comes_back() {
    let folder = folder_with("");
    write(folder.path(), "a.psdd", DIAGRAM);
    for (from, to) in [
        ("a.psdd", "b.pcirc"),
        ("b.pcirc", "c.psdd"),
        ("c.psdd", "d.jpc"),
    ] {
        let run = PELTON.run(folder.path(), ["convert", from, to]);
        assert_eq!(run.exit, Some(0), "{run:?}");
        assert_eq!(run.stdout, "");
    }
    let text = std::fs::read_to_string(folder.path().join("c.psdd")).unwrap();
    for number in ["-0.5", "-0.6931471805599453"] {
        assert!(text.contains(number), "{text}");
    }
    let vtree = std::fs::read_to_string(folder.path().join("c.vtree")).unwrap();
    assert_eq!(vtree, "vtree 3\nL 2 2\nL 0 1\nI 1 0 2\n");
}

#[test]
fn standard_output_needs_a_format() {
    let folder = folder_with("");
    write(folder.path(), "a.psdd", DIAGRAM);
    let run = PELTON.run(folder.path(), ["convert", "a.psdd", "-", "--to", "jpc"]);
    assert_eq!(run.exit, Some(0));
    assert!(run.stdout.starts_with("jpc "), "{}", run.stdout);
    for words in [
        "convert a.psdd -",
        "convert a.psdd b.xyz",
        "convert a.psdd - --to pelton",
    ] {
        let run = PELTON.run(folder.path(), words.split(' '));
        assert_eq!(run.exit, Some(2), "{run:?}");
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    }
}

#[test]
fn a_diagram_is_written_with_its_vtree() {
    let folder = folder_with("var a, b, c : bool;\nroot 1: a * b + 1: !a * !b;\n");
    let run = PELTON.run(folder.path(), ["convert", "a.pcirc", "b.sdd"]);
    assert_eq!(run.exit, Some(0), "{run:?}");
    assert!(run.stderr.contains("the vtree is in `b.vtree`"), "{run:?}");
    let text = std::fs::read_to_string(folder.path().join("b.sdd")).unwrap();
    assert!(text.starts_with("sdd 6\nL 1 4 3\n"), "{text}");
    let vtree = std::fs::read_to_string(folder.path().join("b.vtree")).unwrap();
    assert!(vtree.starts_with("vtree 5\n"), "{vtree}");
    let count = PELTON.run(folder.path(), ["count", "b.sdd", "-q"]);
    assert_eq!(
        (count.exit, count.stdout.as_str()),
        (Some(0), "4\n"),
        "{count:?}"
    );
    let back = PELTON.run(folder.path(), ["convert", "b.sdd", "c.sdd"]);
    assert_eq!(back.exit, Some(0), "{back:?}");
    assert!(!back.stderr.contains("not unit 0"), "{back:?}");
    let again = std::fs::read_to_string(folder.path().join("c.sdd")).unwrap();
    assert_eq!(text.lines().count(), again.lines().count());
}

#[test]
fn what_cannot_be_written_names_the_unit_and_leaves_no_file() {
    let text = "var h : real;\nnode height = h ~ normal(0, 1);\nroot height;\n";
    let folder = folder_with(text);
    for target in ["b.psdd", "b.jpc", "b.spn", "b.clt", "b.nnf", "b.ddnnf"] {
        let run = PELTON.run(folder.path(), ["convert", "a.pcirc", target]);
        assert_eq!(run.exit, Some(1), "{target}: {run:?}");
        assert!(run.stderr.contains("`h"), "{target}: {}", run.stderr);
        assert!(!folder.path().join(target).exists());
    }
    for target in ["b.uai", "b.bif", "b.cnf", "b.sdd"] {
        let run = PELTON.run(folder.path(), ["convert", "a.pcirc", target]);
        assert_eq!(run.exit, Some(1), "{target}: {run:?}");
    }
}

#[test]
fn losses_are_said() {
    let folder = folder_with("var rain : bool;\nroot ?0.25: rain + ?0.75: !rain;\n");
    let run = PELTON.run(folder.path(), ["convert", "a.pcirc", "b.jpc"]);
    assert_eq!(run.exit, Some(0), "{run:?}");
    assert!(
        run.stderr.contains("`rain` becomes variable 1"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("what is learned"), "{}", run.stderr);
    let run = PELTON.run(folder.path(), ["convert", "a.pcirc", "b.jpc", "-q"]);
    assert_eq!(run.stderr, "");
}

#[test]
fn a_trained_diagram_is_kept_with_its_text() {
    let folder = folder_with("");
    write(folder.path(), "a.psdd", DIAGRAM);
    write(folder.path(), "d.csv", "0,1\n1,0\n1,1\n");
    let words = "fit a.psdd --learn-all --train d.csv -o b.pelton -o b.pcirc";
    let run = PELTON.run(folder.path(), words.split(' '));
    assert_eq!(run.exit, Some(0), "{run:?}");
    let logs = ["b.pelton", "b.pcirc"].map(|name| {
        let words = [
            "eval",
            name,
            "--data",
            "d.csv",
            "--json",
            "--precision",
            "f64",
        ];
        let run = PELTON.run(folder.path(), words);
        assert_eq!(run.exit, Some(0), "{run:?}");
        let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        json["mean_log_likelihood"].as_f64().unwrap()
    });
    assert_eq!(logs[0].to_bits(), logs[1].to_bits());
    for target in ["c.pcirc", "c.psdd", "c.pelton"] {
        let run = PELTON.run(folder.path(), ["convert", "b.pelton", target]);
        assert_eq!(run.exit, Some(0), "{run:?}");
    }
}

#[test]
fn archives_that_cannot_be_read_are_told() {
    let folder = folder_with("");
    let whole = packed(DIAGRAM.as_bytes());
    write(folder.path(), "cut.psdd.gz", &whole[..whole.len() / 2]);
    write(folder.path(), "twice.psdd.gz", packed(&whole));
    write(folder.path(), "bomb.gz", packed(&vec![b' '; 65 << 20]));
    write(folder.path(), "a.zip", b"PK\x03\x04abc");
    write(folder.path(), "a.xz", b"\xfd7zXZ\0");
    for (name, said) in [
        ("cut.psdd.gz", "ends too early"),
        ("twice.psdd.gz", "in a gzip archive"),
        ("bomb.gz", "larger than 64 MiB"),
        ("a.zip", "a zip archive"),
        ("a.xz", "an xz archive"),
    ] {
        let run = PELTON.run(folder.path(), ["check", name]);
        assert_eq!(run.exit, Some(2), "{name}: {run:?}");
        assert!(run.stderr.contains(said), "{name}: {}", run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    }
}

#[test]
fn weights_that_a_format_cannot_hold_are_refused() {
    let folder = folder_with("var x : bool;\nroot exp(-800): x + exp(-801): !x;\n");
    for to in ["b.json", "b.spflow"] {
        let run = PELTON.run(folder.path(), ["convert", "a.pcirc", to]);
        assert_eq!(run.exit, Some(1), "{run:?}");
        assert!(run.stderr.contains("exp(-80"), "{run:?}");
        assert!(!folder.path().join(to).exists());
    }
}

#[test]
fn a_diagram_comes_back_from_deeprob() {
    let folder = folder_with("");
    write(
        folder.path(),
        "a.psdd",
        "psdd 5\nL 0 0 1\nL 1 0 -1\nT 2 2 2 -0.5\nL 3 2 2\n\
         D 4 1 2 0 2 -0.6931471805599453 1 3 -0.6931471805599453\n",
    );
    write(folder.path(), "d.csv", "0,1\n1,0\n1,1\n");
    let run = PELTON.run(folder.path(), ["convert", "a.psdd", "b.json"]);
    assert_eq!(run.exit, Some(0), "{run:?}");
    let likelihoods = ["a.psdd", "b.json"].map(|name| {
        let words = [
            "eval",
            name,
            "--data",
            "d.csv",
            "--per-row",
            "--precision",
            "f64",
        ];
        let run = PELTON.run(folder.path(), words);
        assert_eq!(run.exit, Some(0), "{run:?}");
        let rows = run.stdout.lines().map(|line| line.parse::<f64>().unwrap());
        rows.collect::<Vec<_>>()
    });
    for (one, other) in likelihoods[0].iter().zip(&likelihoods[1]) {
        assert!((one - other).abs() < 1e-6, "{likelihoods:?}");
    }
}
