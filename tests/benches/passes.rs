//! Speed of the passes on large circuits.
//!
//! `cargo bench -p pelton-tests --bench passes`. Times are the fastest of three
//! runs and hold for the machine they were taken on; the column beside them, in
//! nanoseconds for each edge of the circuit before, should hardly depend on size.

use pelton_compiler::check::{CheckOptions, Checked, check};
use pelton_compiler::circuit::{CircuitGraph, Domain, ParameterEntry, UnitId, ValueSet};
use pelton_compiler::optimize::PIPELINE;
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_tests::clutter::clutter;
use pelton_tests::shape;
use pelton_tests::sketch::Sketch;
use std::time::{Duration, Instant};

fn main() {
    measure("hidden Markov model", shape::hmm(1024, 32, 27));
    let diagram = shape::psdd(69, 900, 1);
    measure("decision diagram", clutter(&diagram, 1));
    measure("the same, uncluttered", diagram);
    measure("wide sum", shape::wide_sum(350_000));
    measure("towers", shape::towers(500_000, false));
    measure("nested sums", nested_sums(500_000));
    measure("coins", coins(300_000));
}

/// Sums of sums of fixed weights.
fn nested_sums(depth: usize) -> CircuitGraph {
    let mut sketch = Sketch::new();
    let variable = sketch.variable(Domain::Real);
    let point = |at: usize| ValueSet::point(at as f64, false);
    let mut top = sketch.indicator(variable, point(0));
    for level in 1..depth {
        let next = sketch.indicator(variable, point(level));
        top = sketch.sum(&[
            (ParameterEntry::fixed(0.5), top),
            (ParameterEntry::fixed(0.5), next),
        ]);
    }
    sketch.finish(top)
}

/// A product of many fixed coins, each a sum of its own.
fn coins(n: usize) -> CircuitGraph {
    let mut sketch = Sketch::new();
    let coins: Vec<UnitId> = (0..n)
        .map(|at| {
            let variable = sketch.variable(Domain::Bool);
            let sides = [0, 1].map(|value| sketch.literal(variable, value));
            let p = (at + 1) as f64 / (n + 1) as f64;
            sketch.sum(&[
                (ParameterEntry::fixed(1.0 - p), sides[0]),
                (ParameterEntry::fixed(p), sides[1]),
            ])
        })
        .collect();
    let root = sketch.product(&coins);
    sketch.finish(root)
}

fn measure(name: &str, circuit: CircuitGraph) {
    let options = CheckOptions::default();
    let checked = check(circuit, &options, &mut SourceDiagnostics::new());
    let mut checked = checked.expect("the benchmark's circuit is right");
    println!("\n{name}");
    for pass in PIPELINE {
        let (time, after) = fastest(&checked, pass.run);
        let per_edge = time.as_nanos() as f64 / checked.circuit().n_edges().max(1) as f64;
        println!(
            "{:>12} {time:>12.1?} {per_edge:>8.0} ns/edge {:>9} units -> {:<9} {:>9} edges -> {}",
            pass.name,
            checked.circuit().n_units(),
            after.circuit().n_units(),
            checked.circuit().n_edges(),
            after.circuit().n_edges(),
        );
        checked = after;
    }
}

fn fastest(checked: &Checked, run: fn(Checked) -> Checked) -> (Duration, Checked) {
    let mut best = Duration::MAX;
    let mut result = checked.clone();
    for _ in 0..3 {
        let input = checked.clone();
        let start = Instant::now();
        result = run(input);
        best = best.min(start.elapsed());
    }
    (best, result)
}
