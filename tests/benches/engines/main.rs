//! Speed of the engines, as ratios within one run.
//!
//! `cargo bench -p pelton --bench engines`. Rates depend on the machine and on what
//! else it does; fractions and ratios compare measurements of the same minute and
//! are what to look at. Multiply-adds are counted as `pelton bench` counts them: one
//! for each sum edge and row of a forward pass, three with flows.
//!
//! With `PELTON_PEERS` set to the `python` of an environment that has them and
//! `PELTON_PEERS_SCRIPT` to a script that runs them, other tools are measured on the
//! same work; it prints one JSON line with `ll_per_s` and `em_per_s`.

mod baseline;
mod peers;
mod reading;

use pelton_compiler::check::Checked;
use pelton_compiler::engine::VectorWidth;
use pelton_compiler::kernel::{KernelTable, Precision};
use pelton_compiler::stats::CircuitStatistics;
use pelton_runtime::data::Table;
use pelton_runtime::{Engine, FlowOptions, Model, ModelOptions};
use pelton_tests::measure::{fastest, from_start, peak_memory};
use pelton_workload::measure_peak;
use pelton_workload::{self as workload, SEED, STANDARD};
use std::process::Command;
use std::time::{Duration, Instant};

fn main() {
    let peak = Peak::measure();
    println!(
        "peak of one core, G multiply-adds/s: {:.1} in 128-bit vectors, {:.1} in those of `auto`",
        peak.narrow, peak.auto,
    );
    let rates = engines(&peak);
    baseline::compare();
    reading::compare();
    first_answer();
    peers::compare(&rates);
    if let Some(peak) = peak_memory() {
        println!("\npeak memory of this process: {peak} MB");
    }
}

/// The most multiply-adds of one core, in 10^9 a second.
struct Peak {
    narrow: f64,
    /// In the vectors that `auto` uses here.
    auto: f64,
}

impl Peak {
    fn measure() -> Self {
        let auto = match KernelTable::wide(Precision::F32) {
            Some(_) => VectorWidth::Bits256,
            None => VectorWidth::Bits128,
        };
        Peak {
            narrow: measure_peak(VectorWidth::Bits128, Precision::F32),
            auto: measure_peak(auto, Precision::F32),
        }
    }
}

/// Rows a second of a circuit in one thread.
struct Rates {
    name: &'static str,
    forward: f64,
    flows: f64,
}

/// Every circuit of the standard set under `auto` and `cranelift`.
fn engines(peak: &Peak) -> Vec<Rates> {
    println!(
        "\n{:<16} {:<8} {:>12} {:>14} {:>14} {:>12} {:>10}",
        "circuit", "kind", "rows/s", "auto/peak", "cranelift/128", "2 threads/1", "compile ms"
    );
    let mut all = Vec::new();
    for standard in STANDARD {
        let checked = workload::checked((standard.make)());
        let auto = Subject::new(&checked, Engine::Auto);
        let narrow = Subject::new(&checked, Engine::Cranelift);
        let mut rates = Rates {
            name: standard.name,
            forward: 0.0,
            flows: 0.0,
        };
        for kind in [Kind::Forward, Kind::Flows] {
            let rate = auto.rate(kind, 1);
            let work = kind.work() * auto.sum_edges as f64;
            println!(
                "{:<16} {:<8} {rate:>12.0} {:>14.3} {:>14.3} {:>12.2} {:>10.1}",
                standard.name,
                kind.name(),
                rate * work / 1e9 / peak.auto,
                narrow.rate(kind, 1) * work / 1e9 / peak.narrow,
                auto.rate(kind, 2) / rate,
                auto.compile_time.as_secs_f64() * 1e3,
            );
            match kind {
                Kind::Forward => rates.forward = rate,
                Kind::Flows => rates.flows = rate,
            }
        }
        all.push(rates);
    }
    all
}

#[derive(Clone, Copy)]
enum Kind {
    Forward,
    Flows,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Forward => "forward",
            Kind::Flows => "flows",
        }
    }

    /// Multiply-adds for each sum edge and row.
    fn work(self) -> f64 {
        match self {
            Kind::Forward => 1.0,
            Kind::Flows => 3.0,
        }
    }
}

/// A compiled circuit with enough rows to measure it on.
struct Subject {
    model: Model,
    table: Table,
    sum_edges: usize,
    compile_time: Duration,
}

impl Subject {
    fn new(checked: &Checked, engine: Engine) -> Self {
        let options = ModelOptions {
            engine,
            ..ModelOptions::default()
        };
        let owned = checked.clone();
        let start = Instant::now();
        let model = Model::compile(owned, &options).expect("the engine runs here");
        model.full();
        let compile_time = start.elapsed();
        let sum_edges = CircuitStatistics::of(checked.circuit()).sum_edges;
        // About 0.2 s at a tenth of the peak of today's cores.
        let n_rows = (1_000_000_000 / sum_edges).clamp(4096, 1 << 19);
        Subject {
            table: workload::rows(checked.circuit(), n_rows, SEED),
            model,
            sum_edges,
            compile_time,
        }
    }

    /// Rows a second.
    fn rate(&self, kind: Kind, threads: usize) -> f64 {
        let parameters = self.model.start_parameters();
        let flow_options = FlowOptions {
            threads,
            ..FlowOptions::default()
        };
        let time = fastest(3, || match kind {
            Kind::Forward => drop(
                self.model
                    .log_likelihoods(&parameters, &self.table, threads),
            ),
            Kind::Flows => drop(self.model.flows(&parameters, &self.table, &flow_options)),
        });
        self.table.n_rows() as f64 / time.as_secs_f64()
    }
}

/// From process start to the likelihood of one row of a tiny circuit.
fn first_answer() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let mut pelton = Command::new(env!("CARGO_BIN_EXE_pelton"));
    pelton
        .args(["eval", "weather.pcirc", "--data", "weather.csv"])
        .current_dir(examples);
    println!();
    from_start("the likelihood of weather.csv", &mut pelton);
}
