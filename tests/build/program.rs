//! The example and a program that misuses what was built, as users would link them.

use super::harness::{Case, folder, has, run, write};
use pelton_compiler::codegen::ahead::{BuildTarget, WeightsAre};
use pelton_compiler::kernel::Precision;
use pelton_runtime::{AheadOptions, build};
use std::path::{Path, PathBuf};
use std::process::Command;

fn weather() -> Case {
    let path = folder().join("../../examples/weather.pcirc");
    let text = std::fs::read_to_string(path).expect("the example is there");
    let circuit = pelton_tests::text::circuit(&text);
    Case {
        values: circuit.start_values(),
        circuit,
        rows: Vec::new(),
    }
}

/// Builds the weather and a program with it.
fn program(folder: &Path, source: &Path, weights: WeightsAre) -> PathBuf {
    let case = weather();
    let options = AheadOptions {
        name: "weather",
        target: BuildTarget::Host,
        precision: Precision::F64,
        weights,
        threads: 1,
    };
    let built = build(case.checked(), case.values.clone(), &options).expect("it can be built");
    write(folder, "weather", &built);
    let program = folder.join("program");
    let mut compile = Command::new("cc");
    compile.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-g", "-I"]);
    compile
        .arg(folder)
        .arg(source)
        .arg(folder.join("libweather.a"));
    run(compile.args(["-lm", "-o"]).arg(&program));
    program
}

/// Runs a program under valgrind, if there is one.
fn watched(program: &Path, folder: &Path) -> String {
    let mut command = if has("valgrind") {
        let mut command = Command::new("valgrind");
        command.args(["-q", "--leak-check=full", "--error-exitcode=9"]);
        command.arg(program);
        command
    } else {
        Command::new(program)
    };
    let output = run(command.current_dir(folder));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_example_prints_what_the_library_computes() {
    let folder = tempfile::tempdir().expect("there is room");
    let source = super::harness::folder().join("../../examples/c/built.c");
    let program = program(folder.path(), &source, WeightsAre::Baked);
    let said = watched(&program, folder.path());
    assert!(
        said.contains("clear, 24 degrees, not late: -3.578433"),
        "{said}"
    );
}

#[test]
fn misuse_is_told_and_weights_are_checked() {
    let folder = tempfile::tempdir().expect("there is room");
    let source = super::harness::folder().join("misuse.c");
    let program = program(folder.path(), &source, WeightsAre::Loaded);
    assert_eq!(watched(&program, folder.path()), "ok\n");
}
