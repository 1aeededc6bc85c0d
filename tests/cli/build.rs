//! `pelton build`

use super::{PELTON, folder_with};
use pelton_tests::command::json_lines;

const CIRCUIT: &str =
    "var a : bool;\nvar x : real;\nroot 0.3: a * x ~ normal(0, 1) + 0.7: !a * x ~ normal(2, 1);\n";

#[test]
fn files_are_written_and_told() {
    let folder = folder_with(CIRCUIT);
    for target in ["host", "x86_64", "x86_64-v3", "aarch64"] {
        let words = [
            "build", "a.pcirc", "-o", "out/deep", "--json", "--name", "days",
        ];
        let run = PELTON.run(folder.path(), words.into_iter().chain(["--target", target]));
        assert_eq!(run.exit, Some(0), "{run:?}");
        let said = &json_lines(&run.stdout)[0];
        assert_eq!(said["target"], target);
        assert_eq!(said["precision"], "f32");
        for key in ["object", "library", "header"] {
            let path = folder.path().join(said[key].as_str().unwrap());
            assert!(path.is_file(), "{key}");
        }
        let object = std::fs::read(folder.path().join("out/deep/days.o")).unwrap();
        assert!(object.starts_with(b"\x7fELF"));
        assert_eq!(said["bytes"], object.len());
        let header = std::fs::read_to_string(folder.path().join("out/deep/days.h")).unwrap();
        assert!(
            header.contains("int days_log_likelihood(const double *rows"),
            "{header}"
        );
    }
    let run = PELTON.run(
        folder.path(),
        ["build", "a.pcirc", "-o", "out", "--weights", "load"],
    );
    assert!(
        run.stdout.contains("link with: cc -Iout program.c"),
        "{run:?}"
    );
    // A single letter would collide with constants of POSIX.
    assert!(folder.path().join("out/a_circuit.weights").is_file());
    let header = std::fs::read_to_string(folder.path().join("out/a_circuit.h")).unwrap();
    assert!(header.contains("a_circuit_check_weights"), "{header}");
}

#[test]
fn names_of_files_become_names_of_functions() {
    let folder = folder_with(CIRCUIT);
    std::fs::copy(
        folder.path().join("a.pcirc"),
        folder.path().join("2 fast.pcirc"),
    )
    .unwrap();
    let run = PELTON.run(folder.path(), ["build", "2 fast.pcirc", "-o", "out"]);
    assert_eq!(run.exit, Some(0), "{run:?}");
    assert!(folder.path().join("out/libcircuit2_fast.a").is_file());
}

#[test]
fn what_cannot_be_built_is_told_and_nothing_is_written() {
    let folder = folder_with(CIRCUIT);
    std::fs::write(folder.path().join("wrong.pcirc"), "root a;\n").unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    for (words, exit, says) in [
        (
            "build a.pcirc -o out --target riscv",
            2,
            "there is no target `riscv`",
        ),
        ("build a.pcirc -o out --name a-b", 2, "`--name a_b`"),
        ("build a.pcirc -o out --name _x", 2, "`--name circuit_x`"),
        (
            "build a.pcirc -o out --name Time",
            2,
            "`--name Time_circuit`",
        ),
        (
            "build a.pcirc -o out --name x",
            2,
            "that C or its libraries use",
        ),
        ("build a.pcirc", 2, "--output"),
        ("build none.pcirc -o out", 2, "none.pcirc"),
        ("build wrong.pcirc -o out", 1, "PC0"),
        (
            "build a.pcirc -o file",
            2,
            "the folder `file` cannot be made",
        ),
        (
            "build a.pcirc -o file/out",
            2,
            "the folder `file/out` cannot be made",
        ),
    ] {
        let run = PELTON.run(folder.path(), words.split(' '));
        assert_eq!(run.exit, Some(exit), "{words}: {run:?}");
        assert!(run.stderr.contains(says), "{words}: {run:?}");
        assert!(!folder.path().join("out").exists(), "{words}");
    }
}
