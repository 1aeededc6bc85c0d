//! Completions of deterministic circuits against all completions there are.

use pelton_compiler::reference::{EvidenceCell, assignments, complete, log_likelihood};
use pelton_tests::dice::Dice;
use pelton_tests::workload::{EVIDENCE, Features, Shape, cells_of, evidence, workload_of};

/// The logarithm of the weight that the evidence gives to an assignment.
fn log_weight(
    circuit: &pelton_compiler::circuit::CircuitGraph,
    cells: &[EvidenceCell],
    row: &[f64],
) -> f64 {
    let variables = circuit.variables();
    let weights = cells
        .iter()
        .zip(row)
        .zip(variables)
        .map(|((cell, &x), v)| match cell {
            EvidenceCell::Missing => 0.0,
            EvidenceCell::Value(own) if *own == x => 0.0,
            EvidenceCell::Value(_) => f64::NEG_INFINITY,
            EvidenceCell::In(set) if set.contains(x) => 0.0,
            EvidenceCell::In(_) => f64::NEG_INFINITY,
            EvidenceCell::Soft(weights) => weights[(x - v.domain.first()) as usize].ln(),
        });
    weights.sum()
}

#[test]
fn completions_of_deterministic_circuits_are_the_best_there_are() {
    let mut n_rows = 0;
    for seed in 0..400 {
        let workload = workload_of(Shape::Decisions, seed);
        let (circuit, values) = (&workload.circuit, &workload.values);
        for kind in EVIDENCE {
            let mut dice = Dice::new(seed);
            let table = evidence(&workload, kind, 2, &mut dice, &mut Features::new());
            for row in 0..table.n_rows() {
                let Some(all) = assignments(circuit, 256) else {
                    continue;
                };
                let cells = cells_of(circuit, &table, row);
                let score = |row: &[f64]| {
                    log_likelihood(circuit, values, row) + log_weight(circuit, &cells, row)
                };
                let best = all.map(|row| score(&row)).fold(f64::NEG_INFINITY, f64::max);
                let found = complete(circuit, values, &cells);
                let close = |log: f64| log == best || (log - best).abs() < 1e-12 * (1.0 - best);
                let name = format!("seed {seed}, {kind:?}, row {row}");
                assert!(
                    close(found.log_value),
                    "{name}: {} is not {best}",
                    found.log_value
                );
                if best > f64::NEG_INFINITY {
                    n_rows += 1;
                    let own = score(&found.values);
                    assert!(
                        close(own),
                        "{name}: {:?} has {own}, not {best}",
                        found.values
                    );
                }
            }
        }
    }
    println!("{n_rows} rows");
    assert!(n_rows > 500);
}
