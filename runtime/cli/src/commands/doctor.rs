//! `pelton doctor`

use crate::arguments::{DoctorCommand, RunningArguments};
use crate::machine::{Machine, shown_bytes};
use crate::{CommandResult, Exit, engine};
use pelton_compiler::codegen::CRANELIFT_VERSION;
use pelton_compiler::engine::{EngineOptions, VectorWidth};
use pelton_compiler::kernel::{KernelTable, Precision};
use pelton_compiler::reference::log_likelihood;
use pelton_runtime::Engine;
use pelton_runtime::data::Table;
use pelton_workload::{self as workload, measure_peak};
use serde_json::{Value, json};
use std::io::Write;
use std::time::Duration;

pub fn run(options: &DoctorCommand) -> CommandResult<Exit> {
    let machine = Machine::look();
    let measured = |width| measure_peak(width, Precision::F32);
    let peak = PeakThroughput {
        narrow: measured(VectorWidth::Bits128),
        wide: KernelTable::wide(Precision::F32).map(|_| measured(VectorWidth::Bits256)),
    };
    let test = SelfTest::run();
    let mut out = std::io::stdout().lock();
    if options.json {
        writeln!(out, "{}", to_json(&machine, &peak, &test))?
    } else {
        tell(&machine, &peak, &test, &mut out)?
    }
    Ok(test.failure.map_or(Exit::Ok, |_| Exit::Numeric))
}

/// The most multiply-adds of one core, in 10^9 a second.
struct PeakThroughput {
    narrow: f64,
    wide: Option<f64>,
}

/// A tiny circuit, compiled for each engine that runs here and run against the reference.
#[derive(Default)]
struct SelfTest {
    compile_time: Duration,
    failure: Option<String>,
}

impl SelfTest {
    fn run() -> Self {
        let mut test = SelfTest::default();
        let all = Engine::ALL.iter().copied();
        for engine in all.filter(|own| own.available(&EngineOptions::default()).is_ok()) {
            let running = RunningArguments {
                engine,
                ..RunningArguments::default()
            };
            match compile_and_compare(&running) {
                Ok(time) => test.compile_time = test.compile_time.max(time),
                Err(failure) => test.failure = Some(failure),
            }
        }
        test
    }
}

/// How long compiling took, or what went wrong.
fn compile_and_compare(running: &RunningArguments) -> Result<Duration, String> {
    let circuit = workload::hclt(4, 2, 3, workload::SEED);
    let checked = workload::checked(circuit.clone());
    let compiled = engine::compile(checked, running);
    let (model, time) = compiled.map_err(|failure| format!("{failure:?}"))?;
    let rows = assignments();
    let table = Table::from_assignments(&circuit, &rows);
    let found = model.log_likelihoods(&model.start_parameters(), &table, 1);
    let values = circuit.start_values();
    for (row, found) in rows.iter().zip(found.logs) {
        let expected = log_likelihood(&circuit, &values, row);
        // Not a number is not near either.
        let is_near = (found - expected).abs() < 1e-4;
        if !is_near {
            return Err(format!("{found} came out instead of {expected}"));
        }
    }
    Ok(time)
}

/// Every way to observe four `bool` variables or not.
fn assignments() -> Vec<Vec<f64>> {
    let cells = [0.0, 1.0, f64::NAN];
    (0..81)
        .map(|code| (0..4).map(|at| cells[code / 3usize.pow(at) % 3]).collect())
        .collect()
}

fn to_json(machine: &Machine, peak: &PeakThroughput, test: &SelfTest) -> Value {
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "machine": machine.to_json(),
        "cranelift": CRANELIFT_VERSION,
        "engine": engine::chosen(&RunningArguments::default()),
        "peak_gflops_128": peak.narrow,
        "peak_gflops_256": peak.wide,
        "self_test": {
            "ok": test.failure.is_none(),
            "compile_seconds": test.compile_time.as_secs_f64(),
            "failure": test.failure,
        },
    })
}

fn tell(
    machine: &Machine,
    peak: &PeakThroughput,
    test: &SelfTest,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let unknown = || "unknown".to_string();
    let caches = machine.caches.iter();
    let caches = caches.map(|(name, bytes)| format!("{name} {}", shown_bytes(*bytes)));
    let caches = caches.collect::<Vec<String>>().join(", ");
    let milliseconds = test.compile_time.as_secs_f64() * 1e3;
    let outcome = match &test.failure {
        None => format!("ok, compiled in {milliseconds:.1} ms"),
        Some(failure) => format!("FAILED: {failure}"),
    };
    let lines = [
        ("pelton", env!("CARGO_PKG_VERSION").to_string()),
        ("cranelift", CRANELIFT_VERSION.to_string()),
        ("target", machine.target.clone()),
        ("cpu", machine.cpu.clone().unwrap_or_else(unknown)),
        ("features", features(machine)),
        ("cores", machine.n_cores.to_string()),
        ("memory", machine.memory.map_or_else(unknown, shown_bytes)),
        (
            "caches",
            Some(caches)
                .filter(|own| !own.is_empty())
                .unwrap_or_else(unknown),
        ),
        ("peak", peaks(peak)),
        (
            "engine",
            engine::chosen(&RunningArguments::default()).to_string(),
        ),
        ("self test", outcome),
    ];
    lines
        .into_iter()
        .try_for_each(|(name, text)| writeln!(out, "{name:<12} {text}"))
}

fn features(machine: &Machine) -> String {
    let has = |name: &str| machine.features.contains(&(name, true));
    let names = machine.features.iter().filter(|(_, has)| *has);
    let names: Vec<&str> = names.map(|(name, _)| *name).collect();
    let unused = if has("avx512f") {
        " (avx512f is not used)"
    } else {
        ""
    };
    format!("{}{unused}", names.join(" "))
}

fn peaks(peak: &PeakThroughput) -> String {
    let wide = match peak.wide {
        Some(wide) => format!("{:.1} in 256-bit vectors", wide),
        None => "no 256-bit vectors".to_string(),
    };
    let narrow = peak.narrow;
    format!("{narrow:.1} G multiply-adds/s a core in 128-bit vectors, {wide} (f32)")
}
