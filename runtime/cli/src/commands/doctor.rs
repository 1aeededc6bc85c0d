//! `pelton doctor`

use crate::Failure;
use crate::arguments::Doctor;
use crate::exit::Exit;
use crate::machine::{Machine, shown_bytes};
use crate::placeholder::{Engine, Model, ModelOptions, Peak, measure};
use pelton_compiler::evaluate::log_likelihood;
use pelton_compiler::kernel::Precision;
use pelton_runtime::data::Table;
use pelton_runtime::workload;
use serde_json::{Value, json};
use std::io::Write;
use std::time::{Duration, Instant};

/// Shows what there is, and tests what it can do.
pub fn run(options: &Doctor) -> Result<Exit, Failure> {
    let machine = Machine::look();
    let peak = measure();
    let test = SelfTest::run();
    let mut out = std::io::stdout().lock();
    match options.json {
        true => writeln!(out, "{}", to_json(&machine, &peak, &test))?,
        false => tell(&machine, &peak, &test, &mut out)?,
    }
    Ok(match test.failure {
        None => Exit::Ok,
        Some(_) => Exit::Numeric,
    })
}

/// A tiny circuit, compiled and run against the reference.
struct SelfTest {
    engine: &'static str,
    compile_time: Duration,
    failure: Option<String>,
}

impl SelfTest {
    fn run() -> Self {
        let circuit = workload::hclt(4, 2, 3, workload::SEED);
        let checked = workload::checked(circuit.clone());
        let start = Instant::now();
        let options = ModelOptions {
            engine: Engine::Auto,
            precision: Precision::F32,
        };
        let model = match Model::compile(checked, &options) {
            Ok(model) => model,
            Err(error) => return SelfTest::failed(error.to_string()),
        };
        let compile_time = start.elapsed();
        let rows = assignments();
        let table = Table::from_assignments(&circuit, &rows);
        let found = model.log_likelihoods(&model.start_parameters(), &table, 1);
        let values = circuit.start_values();
        let wrong = rows.iter().zip(&found).find_map(|(row, found)| {
            let expected = log_likelihood(&circuit, &values, row);
            let is_near = (found - expected).abs() < 1e-4;
            (!is_near).then(|| format!("{found} came out instead of {expected}"))
        });
        SelfTest {
            engine: model.engine().name(),
            compile_time,
            failure: wrong,
        }
    }

    fn failed(reason: String) -> Self {
        SelfTest {
            engine: "none",
            compile_time: Duration::ZERO,
            failure: Some(reason),
        }
    }
}

/// Every way to observe four `bool` variables or not.
fn assignments() -> Vec<Vec<f64>> {
    let cells = [0.0, 1.0, f64::NAN];
    (0..81)
        .map(|code| (0..4).map(|at| cells[code / 3usize.pow(at) % 3]).collect())
        .collect()
}

fn to_json(machine: &Machine, peak: &Peak, test: &SelfTest) -> Value {
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "machine": machine.to_json(),
        "engine": test.engine,
        "peak_gflops_128": peak.narrow / 1e9,
        "peak_gflops_256": peak.wide.map(|peak| peak / 1e9),
        "self_test": {
            "ok": test.failure.is_none(),
            "compile_seconds": test.compile_time.as_secs_f64(),
            "failure": test.failure,
        },
    })
}

fn tell(
    machine: &Machine,
    peak: &Peak,
    test: &SelfTest,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let mut line = |name: &str, text: String| writeln!(out, "{name:<12} {text}");
    let unknown = || "unknown".to_string();
    line("pelton", env!("CARGO_PKG_VERSION").to_string())?;
    line("target", machine.target.clone())?;
    line("cpu", machine.cpu.clone().unwrap_or_else(unknown))?;
    line("features", features(machine))?;
    line("cores", machine.n_cores.to_string())?;
    line("memory", machine.memory.map_or_else(unknown, shown_bytes))?;
    let caches = machine.caches.iter();
    let caches: Vec<String> = caches
        .map(|(name, bytes)| format!("{name} {}", shown_bytes(*bytes)))
        .collect();
    line(
        "caches",
        if caches.is_empty() {
            unknown()
        } else {
            caches.join(", ")
        },
    )?;
    line("peak", peaks(peak))?;
    line("engine", test.engine.to_string())?;
    line(
        "self test",
        match &test.failure {
            None => format!(
                "ok, compiled in {:.1} ms",
                test.compile_time.as_secs_f64() * 1e3
            ),
            Some(failure) => format!("FAILED: {failure}"),
        },
    )
}

fn features(machine: &Machine) -> String {
    let has = |name: &str| machine.features.contains(&(name, true));
    let names = machine.features.iter().filter(|(_, has)| *has);
    let names: Vec<&str> = names.map(|(name, _)| *name).collect();
    let unused = match has("avx512f") {
        true => " (avx512f is not used)",
        false => "",
    };
    format!("{}{unused}", names.join(" "))
}

fn peaks(peak: &Peak) -> String {
    let wide = match peak.wide {
        Some(wide) => format!("{:.1} in 256-bit vectors", wide / 1e9),
        None => "no 256-bit vectors".to_string(),
    };
    let narrow = peak.narrow / 1e9;
    format!("{narrow:.1} G multiply-adds/s a core in 128-bit vectors, {wide} (f32)")
}
