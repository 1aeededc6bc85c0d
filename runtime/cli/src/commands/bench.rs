//! `pelton bench`

use crate::arguments::{BenchCommand, MessageArguments, RunningArguments};
use crate::{CommandResult, Exit, engine, model};
use pelton_compiler::check::Checked;
use pelton_compiler::stats::CircuitStatistics;
use pelton_grammar::diagnostic::thousands;
use pelton_runtime::{FlowOptions, Model};
use pelton_workload as workload;
use serde_json::{Value, json};
use std::io::Write;
use std::time::{Duration, Instant};

/// Most rows that are made for a case.
const MOST_ROWS: usize = 1 << 20;

/// Stands above the lines of cases.
const HEADER: &str =
    "circuit          kind     sum edges      rows threads   seconds   gflops   peak ns/edge/row";

pub fn run(options: &BenchCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    let (milliseconds, n_runs) = if options.quick { (20, 2) } else { (200, 5) };
    let effort = BenchEffort {
        least: Duration::from_millis(milliseconds),
        n_runs,
    };
    let mut report = BenchReport {
        options,
        peak: engine::peak(&options.running),
        cases: Vec::new(),
    };
    if !options.json {
        let mut out = std::io::stdout().lock();
        writeln!(
            out,
            "peak of one core: {:.1} G multiply-adds/s",
            report.peak
        )?;
        writeln!(out, "{HEADER}")?;
    }
    match &options.model {
        Some(path) => {
            let checked = model::checked(path, &options.reading, messages)?;
            report.measure(&path.display().to_string(), checked, &effort)?;
        }
        None => {
            for workload in workload::STANDARD {
                let checked = workload::checked((workload.make)());
                report.measure(workload.name, checked, &effort)?;
            }
        }
    }
    if options.json {
        let report = json!({"peak_gflops": report.peak, "cases": report.cases});
        writeln!(std::io::stdout().lock(), "{report}")?;
    }
    Ok(Exit::Ok)
}

/// How long and how often to measure.
struct BenchEffort {
    least: Duration,
    n_runs: usize,
}

impl BenchEffort {
    /// The fastest of some runs: noise only ever adds.
    fn best(&self, mut body: impl FnMut()) -> Duration {
        let times = (0..self.n_runs).map(|_| {
            let start = Instant::now();
            body();
            start.elapsed()
        });
        times.min().unwrap_or_default()
    }

    /// Rows that keep `body` busy for long enough.
    fn n_rows(&self, mut body: impl FnMut(usize) -> Duration) -> usize {
        let mut n_rows = 256;
        loop {
            let time = body(n_rows);
            if time >= self.least || n_rows >= MOST_ROWS {
                return n_rows;
            }
            // A short run says little about a long one, so growth is limited.
            let factor = 1.2 * self.least.as_secs_f64() / time.as_secs_f64().max(1e-9);
            n_rows = (n_rows as f64 * factor.clamp(1.5, 16.0)) as usize;
            n_rows = n_rows.min(MOST_ROWS);
        }
    }
}

/// Compiles all that evaluation and flows need.
fn compile(checked: &Checked, running: &RunningArguments) -> CommandResult<(Model, Duration)> {
    let (model, time) = engine::compile(checked.clone(), running)?;
    let start = Instant::now();
    model.full();
    Ok((model, time + start.elapsed()))
}

struct BenchCase {
    name: String,
    kind: &'static str,
    sum_edges: usize,
    rows: usize,
    threads: usize,
    seconds: f64,
    /// Multiply-adds for each edge and row; none if that is not what is measured.
    work: Option<f64>,
}

/// The cases so far. Lines for people are printed as they come.
struct BenchReport<'a> {
    options: &'a BenchCommand,
    /// Multiply-adds of one core, in 10^9 per second.
    peak: f64,
    cases: Vec<Value>,
}

impl BenchReport<'_> {
    fn measure(&mut self, name: &str, checked: Checked, effort: &BenchEffort) -> CommandResult<()> {
        let running = &self.options.running;
        let case = |kind, rows, threads, time: Duration, work| BenchCase {
            name: name.to_string(),
            kind,
            sum_edges: CircuitStatistics::of(checked.circuit()).sum_edges,
            rows,
            threads,
            seconds: time.as_secs_f64(),
            work,
        };
        // 1. Compiling, several times: the fastest counts.
        let (model, mut compile_time) = compile(&checked, running)?;
        for _ in 1..effort.n_runs {
            let (_, time) = compile(&checked, running)?;
            compile_time = compile_time.min(time);
        }
        self.add(case("compile", 0, 1, compile_time, None))?;
        let threads = running.n_threads();
        let parameters = model.start_parameters();
        // 2. Log-likelihoods, of so many rows that a run takes long enough to be measured.
        let n_rows = effort.n_rows(|n_rows| {
            let table = workload::rows(checked.circuit(), n_rows, workload::SEED);
            let start = Instant::now();
            let _ = model.log_likelihoods(&parameters, &table, threads);
            start.elapsed()
        });
        let table = workload::rows(checked.circuit(), n_rows, workload::SEED);
        let time = effort.best(|| drop(model.log_likelihoods(&parameters, &table, threads)));
        self.add(case("forward", n_rows, threads, time, Some(1.0)))?;
        // 3. Flows of the same rows.
        let flow_options = FlowOptions {
            threads,
            ..FlowOptions::default()
        };
        let time = effort.best(|| drop(model.flows(&parameters, &table, &flow_options)));
        self.add(case("flows", n_rows, threads, time, Some(3.0)))
    }

    fn add(&mut self, case: BenchCase) -> CommandResult<()> {
        let n_steps = case.sum_edges as f64 * case.rows as f64;
        let gflops = case.work.map(|work| work * n_steps / case.seconds / 1e9);
        let fraction = gflops.map(|gflops| gflops / (self.peak * case.threads as f64));
        let ns_per_step = case.work.map(|_| case.seconds * 1e9 / n_steps);
        if !self.options.json {
            let shown = |number: Option<f64>, digits| {
                number.map_or(String::new(), |number| format!("{number:.digits$}"))
            };
            let line = format!(
                "{:<16} {:<8} {:>9} {:>9} {:>7} {:>9.4} {:>8} {:>6} {:>10}",
                case.name,
                case.kind,
                thousands(case.sum_edges),
                thousands(case.rows),
                case.threads,
                case.seconds,
                shown(gflops, 2),
                shown(fraction, 3),
                shown(ns_per_step, 4),
            );
            writeln!(std::io::stdout().lock(), "{}", line.trim_end())?;
        }
        self.cases.push(json!({
            "name": case.name,
            "kind": case.kind,
            "sum_edges": case.sum_edges,
            "rows": case.rows,
            "threads": case.threads,
            "seconds": case.seconds,
            "gflops": gflops,
            "fraction_of_peak": fraction,
            "ns_per_edge_sample": ns_per_step,
        }));
        Ok(())
    }
}
