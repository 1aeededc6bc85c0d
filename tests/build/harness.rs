//! Builds circuits, links them into one C program and runs it.

use pelton_compiler::check::{CheckOptions, Checked, check};
use pelton_compiler::circuit::{CircuitGraph, ParameterValue};
use pelton_compiler::codegen::ahead::{BuildTarget, Built, WeightsAre};
use pelton_compiler::kernel::Precision;
use pelton_compiler::reference::EvidenceCell;
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_runtime::data::Table;
use pelton_runtime::{AheadOptions, build};
use pelton_tests::workload::table;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A circuit and rows for it; NaN is a missing cell.
pub struct Case {
    pub circuit: CircuitGraph,
    pub values: Vec<ParameterValue>,
    pub rows: Vec<Vec<f64>>,
}

impl Case {
    pub fn checked(&self) -> Checked {
        let mut found = SourceDiagnostics::new();
        let checked = check(self.circuit.clone(), &CheckOptions::default(), &mut found);
        checked.expect("the circuit is right")
    }

    pub fn table(&self) -> Table {
        let rows: Vec<Vec<EvidenceCell>> =
            self.rows.iter().map(|row| EvidenceCell::row(row)).collect();
        table(&self.circuit, &rows)
    }

    pub fn build(&self, name: &str, target: BuildTarget, precision: Precision) -> Built {
        let options = AheadOptions {
            name,
            target,
            precision,
            weights: WeightsAre::Baked,
            threads: 1,
        };
        build(self.checked(), self.values.clone(), &options).expect("every circuit can be built")
    }
}

/// What compiles C for a machine, and what runs its programs.
pub struct Tools {
    pub compiler: &'static str,
    pub runner: Option<&'static [&'static str]>,
}

/// The folder of these tests.
pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("build")
}

/// Runs a command that has to succeed.
pub fn run(command: &mut Command) -> Output {
    let shown = format!("{command:?}");
    let output = command.output();
    succeeded(
        &shown,
        output.unwrap_or_else(|error| panic!("{shown}: {error}")),
    )
}

fn succeeded(shown: &str, output: Output) -> Output {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{shown}: {}\n{said}",
        output.status
    );
    output
}

/// Whether a program is installed.
pub fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output();
    found.is_ok_and(|found| found.status.success())
}

/// Writes what was built as `pelton build` does.
pub fn write(folder: &Path, name: &str, built: &Built) {
    let put = |file: String, bytes: &[u8]| {
        std::fs::write(folder.join(file), bytes).expect("the folder can be written");
    };
    put(format!("{name}.o"), &built.object);
    put(format!("lib{name}.a"), &built.library);
    put(format!("{name}.h"), built.header.as_bytes());
    if let Some(weights) = &built.weights {
        put(format!("{name}.weights"), weights);
    }
}

/// The log-likelihoods of all rows of all cases, by a C program.
pub fn evaluate(
    cases: &[Case],
    target: BuildTarget,
    precision: Precision,
    tools: &Tools,
) -> Vec<Vec<f64>> {
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let program = link(folder.path(), cases, (target, precision), tools);
    let mut input = Vec::new();
    for case in cases {
        input.extend((case.rows.len() as u64).to_le_bytes());
        let cells = case.rows.iter().flatten();
        input.extend(cells.flat_map(|cell| cell.to_le_bytes()));
    }
    let mut output = &fed(&program, tools, input)[..];
    let mut word = || {
        let (word, rest) = output.split_at(8);
        output = rest;
        word.try_into().expect("eight bytes")
    };
    let mut answers = Vec::new();
    for case in cases {
        assert_eq!(u64::from_le_bytes(word()), 0, "status");
        let logs = case.rows.iter().map(|_| f64::from_le_bytes(word()));
        answers.push(logs.collect());
    }
    answers
}

fn link(
    folder: &Path,
    cases: &[Case],
    (target, precision): (BuildTarget, Precision),
    tools: &Tools,
) -> PathBuf {
    let (mut includes, mut list) = (String::new(), "#define CASES".to_string());
    let mut compile = Command::new(tools.compiler);
    let program = folder.join("program");
    compile
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-O1", "-I"])
        .arg(folder)
        .arg(self::folder().join("driver.c"))
        .arg("-o")
        .arg(&program);
    if tools.runner.is_some() {
        compile.arg("-static");
    }
    for (at, case) in cases.iter().enumerate() {
        let name = format!("case{at}");
        write(folder, &name, &case.build(&name, target, precision));
        includes += &format!("#include \"{name}.h\"\n");
        list += &format!(" CASE({name})");
        compile.arg(folder.join(format!("lib{name}.a")));
    }
    std::fs::write(folder.join("cases.h"), format!("{includes}{list}\n"))
        .expect("the folder can be written");
    run(compile.arg("-lm"));
    program
}

fn fed(program: &Path, tools: &Tools, input: Vec<u8>) -> Vec<u8> {
    let mut command = match tools.runner {
        None => Command::new(program),
        Some(runner) => {
            let mut command = Command::new(runner[0]);
            command.args(&runner[1..]).arg(program);
            command
        }
    };
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let shown = format!("{command:?}");
    let mut child = command
        .spawn()
        .unwrap_or_else(|error| panic!("{shown}: {error}"));
    let mut stdin = child.stdin.take().expect("it is piped");
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("the program ends");
    writer
        .join()
        .expect("nothing panics")
        .expect("the program reads all");
    succeeded(&shown, output).stdout
}
