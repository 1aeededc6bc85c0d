//! What learning costs beside its kernels, as ratios within one run.
//!
//! `cargo bench -p pelton --bench learning`. The circuit is a mixture of four hidden
//! trees with 12 states over 69 variables, the rows are as many as the benchmark
//! `plants` has, drawn at random; one thread. An epoch's time is the shortest of
//! several.
//!
//! With `PELTON_PEERS` set to the `python` of an environment that has them and
//! `PELTON_PEERS_SCRIPT` to a script that runs them, other tools are measured on the
//! same work; it prints one JSON line with `em_per_s` and `peak_mb`.

use pelton_runtime::data::Table;
use pelton_runtime::learn::{Epoch, LearnOptions, LearningRows, Start, TrainingTask, learn};
use pelton_runtime::{FlowOptions, Model, ModelOptions};
use pelton_tests::measure::{fastest, peak_memory};
use pelton_workload::{self as workload, SEED};
use std::process::Command;

const ROWS: usize = 17_412;
const BATCH: usize = 1024;
const TAU: f64 = 0.001;

fn main() {
    let checked = workload::checked(workload::hclt(69, 4, 12, SEED));
    let model = Model::compile(checked, &ModelOptions::default()).expect("compiles here");
    let table = workload::rows(model.circuit(), ROWS, SEED);
    let full = kernels(&model, &table, ROWS);
    let batches = kernels(&model, &table, BATCH);
    println!(
        "kernels alone: {:.1} ms for all rows, {:.1} ms in batches of {BATCH}",
        full * 1e3,
        batches * 1e3
    );
    let mut best = f64::INFINITY;
    for (name, minibatch, tau, kernels) in [
        ("full-batch epoch", false, 0.0, full),
        ("full-batch epoch with entropy", false, TAU, full),
        ("mini-batch epoch", true, 0.0, batches),
        ("mini-batch epoch with entropy", true, TAU, batches),
    ] {
        let time = epoch(&model, &table, minibatch, tau);
        println!(
            "{name:<32} {:>8.1} ms  {:.3} of its kernels",
            time * 1e3,
            time / kernels
        );
        if !minibatch {
            best = best.min(time);
        }
    }
    if let Some(peak) = peak_memory() {
        println!("peak memory of this process: {peak} MB");
    }
    peers(ROWS as f64 / best);
}

/// Seconds that flows of all rows take, so many at a time.
fn kernels(model: &Model, table: &Table, n_rows: usize) -> f64 {
    let parameters = model.start_parameters();
    let options = FlowOptions {
        threads: 1,
        ..FlowOptions::default()
    };
    let n_parts = (table.n_rows() + n_rows / 2) / n_rows;
    let bound = |at: usize| table.n_rows() * at / n_parts;
    let parts: Vec<Table> = (0..n_parts)
        .map(|at| table.slice(bound(at)..bound(at + 1)))
        .collect();
    let time = fastest(5, || {
        for part in &parts {
            std::hint::black_box(model.flows(&parameters, part, &options));
        }
    });
    time.as_secs_f64()
}

/// Seconds of one epoch.
fn epoch(model: &Model, table: &Table, minibatch: bool, tau: f64) -> f64 {
    const EPOCHS: usize = 8;
    let options = LearnOptions {
        entropy: tau,
        minibatch_epochs: if minibatch { EPOCHS } else { 0 },
        fullbatch_epochs: if minibatch { 0 } else { EPOCHS },
        batch_size: BATCH,
        tolerance: 0.0,
        start: Start::Random,
        threads: 1,
        ..LearnOptions::default()
    };
    let task = TrainingTask {
        model,
        train: LearningRows::of(table),
        valid: None,
        test: None,
        options: &options,
        resume: None,
    };
    let learned = learn(&task, &mut ()).expect("learns");
    let seconds: Vec<f64> = learned
        .report
        .epochs
        .iter()
        .map(|epoch: &Epoch| epoch.seconds)
        .collect();
    let between = seconds.windows(2).map(|pair| pair[1] - pair[0]);
    between.fold(f64::INFINITY, f64::min)
}

/// Other tools on the same work, where they are given.
fn peers(rows_per_second: f64) {
    let variables = ["PELTON_PEERS", "PELTON_PEERS_SCRIPT"].map(std::env::var);
    let [Ok(python), Ok(script)] = variables else {
        println!("other tools: set PELTON_PEERS and PELTON_PEERS_SCRIPT to measure them");
        return;
    };
    println!("full-batch EM: {rows_per_second:.0} rows/s");
    for tool in ["hand", "cirkit"] {
        let output = Command::new(&python)
            .args([&script, "w1", tool, "plants", "12", "4", "1"])
            .output();
        let line = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        let json: Option<serde_json::Value> = line
            .ok()
            .and_then(|line| serde_json::from_str(line.trim()).ok());
        let rate = json.as_ref().and_then(|json| json["em_per_s"].as_f64());
        match rate {
            Some(rate) => println!(
                "  {tool}: {rate:.0} rows/s, pelton is {:.1} times as fast; its peak memory {} MB",
                rows_per_second / rate,
                json.map_or("?".into(), |json| json["peak_mb"].to_string()),
            ),
            None => println!("  {tool}: it did not run"),
        }
    }
}
