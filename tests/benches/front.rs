//! Speed of the front half, as ratios and growth within one run.
//!
//! `cargo bench -p pelton --bench front`. Times depend on the machine and on
//! what else it does; the last column of each table compares runs of the same
//! minute and is what to look at.

use pelton_compiler::check::determinism::{DeterminismLimits, decide};
use pelton_compiler::circuit::{CircuitGraph, Property, Scopes};
use pelton_compiler::load::{FileLoader, SourceInput};
use pelton_compiler::lower::LowerOptions;
use pelton_compiler::{Analysis, AnalysisOptions};
use pelton_formats::analyze;
use pelton_formats::import::{CircuitFormat, import};
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_tests::measure::{fastest, from_start, peak_memory};
use pelton_tests::{oracle, shape};
use std::process::Command;
use std::time::Duration;

fn main() {
    process_start();
    expansion_and_checks();
    determinism();
    without_a_vtree();
    reading();
}

/// Files of other tools to circuits, without the checks, by size.
fn reading() {
    println!("\nreading PSDDs of chains");
    println!(
        "{:>10} {:>12} {:>10} {:>8}",
        "variables", "time", "MB/s", "growth"
    );
    let mut first = None;
    for n_variables in [100, 1_000, 10_000, 50_000] {
        let text = psdd_of_a_chain(n_variables);
        let time = fastest(5, || {
            let input = SourceInput {
                name: "bench.psdd".to_string(),
                path: None,
                bytes: text.as_bytes().to_vec(),
            };
            let options = LowerOptions::default();
            let (_, lowered) = import(
                input,
                CircuitFormat::Psdd,
                &options,
                &mut SourceDiagnostics::new(),
            );
            assert!(lowered.is_some(), "the benchmark's file is right");
        });
        let speed = text.len() as f64 / 1e6 / time.as_secs_f64();
        let growth = *first.get_or_insert(speed) / speed;
        println!("{n_variables:>10} {time:>12.1?} {speed:>10.1} {growth:>8.2}");
    }
}

/// A Chow-Liu tree without branches: each variable depends on the one before it.
fn psdd_of_a_chain(n_variables: usize) -> String {
    let mut text = format!("psdd {}\n", 4 * n_variables);
    let last = n_variables;
    for (id, log_p) in [(0, "-0.10536051565782628"), (1, "-1.6094379124341003")] {
        text += &format!("T {id} {last} {last} {log_p}\n");
    }
    let (mut below, mut id) = ([0, 1], 2);
    for variable in (1..n_variables).rev() {
        text += &format!(
            "L {id} {variable} {variable}\nL {} {variable} -{variable}\n",
            id + 1
        );
        for (at, logs) in [
            (2, ["-0.2231435513142097", "-1.6094379124341003"]),
            (3, ["-0.6931471805599453"; 2]),
        ] {
            text += &format!(
                "D {} {variable} 2 {id} {} {} {} {} {}\n",
                id + at,
                below[0],
                logs[0],
                id + 1,
                below[1],
                logs[1]
            );
        }
        below = [id + 2, id + 3];
        id += 4;
    }
    text
}

/// From process start to the verdict, beside an interpreter that does nothing.
fn process_start() {
    let example = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/sprinkler.pcirc"
    );
    let mut pelton = Command::new(env!("CARGO_BIN_EXE_pelton"));
    pelton.args(["check", example]);
    from_start("verdict on sprinkler.pcirc", &mut pelton);
}

/// Text to verdict on all properties but determinism's search, by size.
fn expansion_and_checks() {
    println!("\nhidden Markov models, 32 states: expansion and all checks");
    println!(
        "{:>10} {:>10} {:>12} {:>10} {:>8}",
        "steps", "edges", "time", "ns/edge", "growth"
    );
    let mut first = None;
    for steps in [10, 32, 100, 320, 1024] {
        let text = hidden_markov(steps);
        let mut edges = 0;
        let time = fastest(3, || edges = n_edges(&analyzed(&text)));
        let per_edge = time.as_nanos() as f64 / edges as f64;
        let growth = per_edge / *first.get_or_insert(per_edge);
        println!("{steps:>10} {edges:>10} {time:>12.1?} {per_edge:>10.0} {growth:>8.2}");
    }
    if let Some(peak) = peak_memory() {
        println!("peak memory of this process so far: {peak} MB");
    }
}

fn hidden_markov(steps: usize) -> String {
    let example = include_str!("../../examples/hmm.pcirc");
    let text = example.replace("const T = 32;", &format!("const T = {steps};"));
    text.replace("const K = 16;", "const K = 32;")
}

fn analyzed(text: &str) -> Analysis {
    let input = SourceInput {
        name: "bench.pcirc".to_string(),
        path: None,
        bytes: text.as_bytes().to_vec(),
    };
    let options = AnalysisOptions {
        decide: Property::ALL.to_vec(),
        ..AnalysisOptions::default()
    };
    let analysis = analyze(input, &FileLoader, &options);
    assert!(
        !analysis.found.has_errors(),
        "the benchmark's circuit is right"
    );
    analysis
}

fn n_edges(analysis: &Analysis) -> usize {
    analysis.circuit.as_ref().map_or(0, CircuitGraph::n_edges)
}

/// Circuits of the shape that PSDD learners produce.
fn determinism() {
    println!("\ndeterminism of circuits shaped like learned PSDDs, 69 variables");
    println!(
        "{:>10} {:>10} {:>9} {:>12} {:>10} {:>8}",
        "elements", "edges", "verdict", "time", "ns/edge", "growth"
    );
    let mut first = None;
    for width in [60, 150, 300, 900] {
        let circuit = shape::psdd(69, width, 1);
        let (verdict, time) = decided(&circuit);
        let per_edge = time.as_nanos() as f64 / circuit.n_edges() as f64;
        let growth = per_edge / *first.get_or_insert(per_edge);
        println!(
            "{:>10} {:>10} {verdict:>9} {time:>12.1?} {per_edge:>10.0} {growth:>8.2}",
            circuit.products().count(),
            circuit.n_edges(),
        );
    }
}

/// Decomposable circuits that follow no vtree.
fn without_a_vtree() {
    println!("\ndeterminism of parity functions with random splits (no vtree)");
    println!(
        "{:>10} {:>10} {:>9} {:>12}",
        "variables", "units", "verdict", "time"
    );
    for variables in [8, 12, 16, 20] {
        let circuit = shape::unstructured(variables, 1);
        let (verdict, time) = decided(&circuit);
        println!(
            "{variables:>10} {:>10} {verdict:>9} {time:>12.1?}",
            circuit.n_units()
        );
    }
}

fn decided(circuit: &CircuitGraph) -> (&'static str, Duration) {
    let scopes = Scopes::compute(circuit);
    let reachable = oracle::reachable(circuit);
    let mut verdict = "";
    let time = fastest(2, || {
        verdict = decide(circuit, &scopes, &reachable, &DeterminismLimits::default()).name();
    });
    (verdict, time)
}
