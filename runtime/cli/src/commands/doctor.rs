//! `pelton doctor`

use crate::arguments::Doctor;
use crate::arguments::Running;
use crate::exit::Exit;
use crate::machine::{Machine, shown_bytes};
use crate::placeholder::{Width, measure};
use crate::{Failure, engine};
use pelton_compiler::evaluate::log_likelihood;
use pelton_compiler::kernel::Precision;
use pelton_runtime::data::Table;
use pelton_runtime::workload;
use serde_json::{Value, json};
use std::io::Write;
use std::time::Duration;

/// Shows what there is, and tests what it can do.
pub fn run(options: &Doctor) -> Result<Exit, Failure> {
    let machine = Machine::look();
    let peak = Peak::measure();
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

/// The most multiply-adds of one core, in 10^9 a second.
struct Peak {
    narrow: f64,
    wide: Option<f64>,
}

impl Peak {
    fn measure() -> Self {
        let of = |width| measure(width, Precision::F32);
        Peak {
            narrow: of(Width::Bits128),
            wide: engine::has_wide().then(|| of(Width::Bits256)),
        }
    }
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
        let (model, compile_time) = match engine::compile(checked, &Running::default()) {
            Ok(compiled) => compiled,
            Err(error) => return SelfTest::failed(format!("{error:?}")),
        };
        let rows = assignments();
        let table = Table::from_assignments(&circuit, &rows);
        let found = model
            .log_likelihoods(&model.start_parameters(), &table, 1)
            .logs;
        let values = circuit.start_values();
        let wrong = rows.iter().zip(&found).find_map(|(row, found)| {
            let expected = log_likelihood(&circuit, &values, row);
            let is_near = (found - expected).abs() < 1e-4;
            (!is_near).then(|| format!("{found} came out instead of {expected}"))
        });
        SelfTest {
            engine: engine::chosen(model.options().engine).name(),
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
        Some(wide) => format!("{:.1} in 256-bit vectors", wide),
        None => "no 256-bit vectors".to_string(),
    };
    let narrow = peak.narrow;
    format!("{narrow:.1} G multiply-adds/s a core in 128-bit vectors, {wide} (f32)")
}
