//! `pelton doctor`

use crate::arguments::{DoctorCommand, RunningArguments};
use crate::exit::Exit;
use crate::machine::{Machine, shown_bytes};
use crate::{CommandFailure, engine};
use pelton_compiler::codegen::CRANELIFT_VERSION;
use pelton_compiler::engine::EngineOptions;
use pelton_compiler::engine::VectorWidth;
use pelton_compiler::kernel::{KernelTable, Precision};
use pelton_compiler::reference::log_likelihood;
use pelton_runtime::Engine;
use pelton_runtime::data::Table;
use pelton_workload as workload;
use pelton_workload::measure_peak;
use serde_json::{Value, json};
use std::io::Write;
use std::time::Duration;

/// Shows what there is, and tests what it can do.
pub fn run(options: &DoctorCommand) -> Result<Exit, CommandFailure> {
    let machine = Machine::look();
    let peak = PeakThroughput::measure();
    let test = SelfTest::run();
    let mut out = std::io::stdout().lock();
    if options.json {
        writeln!(out, "{}", to_json(&machine, &peak, &test))?
    } else {
        tell(&machine, &peak, &test, &mut out)?
    }
    Ok(match test.failure {
        None => Exit::Ok,
        Some(_) => Exit::Numeric,
    })
}

/// The most multiply-adds of one core, in 10^9 a second.
struct PeakThroughput {
    narrow: f64,
    wide: Option<f64>,
}

impl PeakThroughput {
    fn measure() -> Self {
        let of = |width| measure_peak(width, Precision::F32);
        PeakThroughput {
            narrow: of(VectorWidth::Bits128),
            wide: KernelTable::wide(Precision::F32).map(|_| of(VectorWidth::Bits256)),
        }
    }
}

/// A tiny circuit, compiled for each engine that runs here and run against the reference.
struct SelfTest {
    compile_time: Duration,
    failure: Option<String>,
}

impl SelfTest {
    fn run() -> Self {
        let mut test = SelfTest {
            compile_time: Duration::ZERO,
            failure: None,
        };
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
    let mut line = |name: &str, text: String| writeln!(out, "{name:<12} {text}");
    let unknown = || "unknown".to_string();
    line("pelton", env!("CARGO_PKG_VERSION").to_string())?;
    line("cranelift", CRANELIFT_VERSION.to_string())?;
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
    line(
        "engine",
        engine::chosen(&RunningArguments::default()).to_string(),
    )?;
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
