//! Speed of built objects beside the library's own generated code.
//!
//! `cargo bench -p pelton-tests --bench build`. Four hidden Chow-Liu trees with 12 states
//! and 69 variables (43,000 parameters), and a mixture of 32 products of 16 normal
//! distributions; complete rows of doubles, one thread. Both evaluate the same rows in
//! turn, the object in a C program of its own; the fastest of many turns counts. Ratios
//! above 1 say that the object is faster than the library on the same doubles, and, second,
//! than the library on a table that was checked and encoded before.

use pelton_compiler::circuit::CircuitGraph;
use pelton_compiler::codegen::ahead::{BuildTarget, WeightsAre};
use pelton_compiler::kernel::Precision;
use pelton_runtime::data::{Batch, BatchReader, Column, Table};
use pelton_runtime::{AheadOptions, Engine, Model, ModelOptions, build};
use pelton_workload::{self as workload, SEED};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

const ROWS: usize = 4096;
const TURNS: usize = 60;

fn main() {
    for (precision, target, baseline) in [
        (Precision::F32, BuildTarget::Host, false),
        (Precision::F32, BuildTarget::X86_64, true),
        (Precision::F64, BuildTarget::Host, false),
    ] {
        if target == BuildTarget::X86_64 && cfg!(not(target_arch = "x86_64")) {
            continue;
        }
        let trees = workload::hclt(69, 4, 12, SEED);
        for (name, circuit) in [("trees", trees), ("normals", normals())] {
            print!("{name:<8} ");
            compare(circuit, precision, target, baseline);
        }
    }
}

/// A mixture of products of normal distributions.
fn normals() -> CircuitGraph {
    let variables = (0..16).map(|at| format!("var x{at} : real;\n"));
    let members = (0..32).map(|member| {
        let leaf = |at: usize| format!("x{at} ~ normal({}, 2.5)", (member * 7 + at * 3) % 10);
        let leaves: Vec<String> = (0..16).map(leaf).collect();
        format!("0.03125: {}", leaves.join(" * "))
    });
    let members: Vec<String> = members.collect();
    let text = format!(
        "{}root {};\n",
        variables.collect::<String>(),
        members.join(" + ")
    );
    pelton_tests::text::circuit(&text)
}

fn compare(circuit: CircuitGraph, precision: Precision, target: BuildTarget, baseline: bool) {
    let options = ModelOptions {
        engine: Engine::Cranelift,
        precision,
        baseline,
        threads: 1,
        ..ModelOptions::default()
    };
    let model = Model::compile(workload::checked(circuit.clone()), &options);
    let model = model.expect("the engine runs here");
    let parameters = model.start_parameters();
    let rows = workload::rows(model.circuit(), ROWS, SEED);
    let ahead = AheadOptions {
        name: "circuit",
        target,
        precision,
        weights: WeightsAre::Baked,
        threads: 0,
    };
    let values = circuit.start_values();
    let start = Instant::now();
    let built = build(workload::checked(circuit), values, &ahead).expect("it can be built");
    let build_time = start.elapsed();
    let folder = tempfile::tempdir().expect("there is room");
    for (file, bytes) in [
        ("libcircuit.a", &built.library[..]),
        ("circuit.h", built.header.as_bytes()),
    ] {
        std::fs::write(folder.path().join(file), bytes).expect("the folder can be written");
    }
    let mut object = Object::start(folder.path(), &rows);
    let numbers: Vec<f64> = cells(&rows)
        .chunks_exact(8)
        .map(|bytes| f64::from_le_bytes(bytes.try_into().expect("eight bytes")))
        .collect();
    let batch = Batch::new(&numbers, ROWS, numbers.len() / ROWS);
    let reader = BatchReader::new(model.circuit());
    let bound = reader.bind(&batch).expect("all columns are there");
    let mut logs = vec![0.0; ROWS];
    let [mut own, mut table, mut other] = [Duration::MAX; 3];
    let mut sum = 0.0;
    for _ in 0..TURNS {
        let start = Instant::now();
        let repaired = model.log_likelihoods_into(&parameters, &bound, 1, &mut logs);
        own = own.min(start.elapsed());
        repaired.expect("all cells are values");
        let start = Instant::now();
        let _ = model.log_likelihoods(&parameters, &rows, 1);
        table = table.min(start.elapsed());
        sum = logs.iter().sum::<f64>();
        other = other.min(object.turn(sum));
    }
    let per_row = |time: Duration| time.as_secs_f64() * 1e6 / ROWS as f64;
    println!(
        "{:<10} {}: library {:.3} us a row (encoded {:.3}), object {:.3}, ratios {:.2} and {:.2}; built in {build_time:.1?}, {} bytes of code (sum {sum:.3})",
        target.name(),
        precision.name(),
        per_row(own),
        per_row(table),
        per_row(other),
        own.as_secs_f64() / other.as_secs_f64(),
        table.as_secs_f64() / other.as_secs_f64(),
        built.code_bytes,
    );
}

/// The C program.
struct Object {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Object {
    fn start(folder: &Path, rows: &Table) -> Self {
        let program = compile(folder);
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("it is piped");
        let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        stdin.write_all(&cells(rows)).expect("the program reads");
        Object {
            child,
            stdin,
            stdout,
        }
    }

    /// The time of one evaluation of all rows, whose sum is known.
    fn turn(&mut self, sum: f64) -> Duration {
        self.stdin.write_all(b"g").expect("the program reads");
        let mut line = String::new();
        self.stdout
            .read_line(&mut line)
            .expect("the program answers");
        let (time, own) = line.trim().split_once(' ').expect("two numbers");
        let own: f64 = own.parse().expect("a number");
        assert!((own - sum).abs() < 1e-6 * sum.abs(), "{own} for {sum}");
        Duration::from_nanos(time.parse().expect("a number"))
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        // It is measured by then.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn compile(folder: &Path) -> PathBuf {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/build.c");
    let program = folder.join("program");
    let status = Command::new("cc")
        .args(["-O2", &format!("-DROWS={ROWS}"), "-I"])
        .arg(folder)
        .arg(source)
        .arg(folder.join("libcircuit.a"))
        .args(["-lm", "-o"])
        .arg(&program)
        .status();
    assert!(status.expect("there is a C compiler").success());
    program
}

/// The rows as C takes them.
fn cells(rows: &Table) -> Vec<u8> {
    let mut bytes = Vec::new();
    for row in 0..ROWS {
        for column in rows.columns() {
            let cell = match column {
                Column::Small(cells) => f64::from(cells[row]),
                Column::Reals(cells) => cells[row],
                _ => unreachable!("variables are truth values or real"),
            };
            bytes.extend(cell.to_le_bytes());
        }
    }
    bytes
}
