//! Every engine in every precision, on random circuits and evidence.

use pelton_tests::dice::Dice;
use pelton_tests::differential::{Compiled, Judge, Subject, Worst};
use pelton_tests::workload::{
    EVIDENCE, FEATURES, Features, SHAPES, Shape, Workload, evidence, workload, workload_of,
};
use std::collections::BTreeMap;

/// Rows of a table: one, and around the rows of a tile.
const ROWS: [usize; 6] = [1, 3, 31, 33, 64, 70];

/// What was seen of one engine.
#[derive(Default)]
struct Record {
    worst: Worst,
    n_tables: usize,
    n_answers: usize,
    n_repaired: usize,
}

#[derive(Default)]
struct Report {
    engines: BTreeMap<String, Record>,
    features: Features,
    failures: Vec<String>,
}

impl Report {
    /// Compares all engines on one circuit and one table.
    fn add(&mut self, workload: &Workload, seed: u64) {
        let mut dice = Dice::new(seed);
        let kind = EVIDENCE[seed as usize % EVIDENCE.len()];
        let n_rows = if workload.circuit.n_edges() < 2_000 {
            dice.pick(&ROWS)
        } else {
            5
        };
        let table = evidence(workload, kind, n_rows, &mut dice, &mut self.features);
        for (&feature, n) in &workload.features {
            *self.features.entry(feature).or_default() += n;
        }
        let (circuit, values) = (&workload.circuit, &workload.values);
        let mut engines = Compiled::in_turn(circuit, values, seed as usize);
        let (circuit, values) = (engines[0].circuit().clone(), engines[0].values().to_vec());
        let judge = Judge::new(&circuit, &values, &table);
        for engine in &mut engines {
            let tolerance = engine.tolerance();
            let judged = judge.judge(engine, tolerance);
            let record = self.engines.entry(engine.name()).or_default();
            record.n_tables += 1;
            record.n_answers += engine.n_answers;
            record.n_repaired += engine.n_repaired;
            match judged {
                Ok(worst) => record.worst = record.worst.join(worst),
                Err(why) => {
                    let shape = workload.shape;
                    let failure = format!("seed {seed}, {shape:?}, {kind:?}, {n_rows} rows: {why}");
                    self.failures.push(failure);
                }
            }
        }
    }

    fn print(&self) {
        for (feature, n) in &self.features {
            println!("{n:>8}  {feature}");
        }
        for (name, record) in &self.engines {
            println!(
                "{name}: {} tables, {} of {} answers repaired, {:?}",
                record.n_tables, record.n_repaired, record.n_answers, record.worst
            );
        }
        let first = self.failures.iter().take(20);
        first.for_each(|failure| println!("{failure}"));
        let n = self.failures.len();
        assert!(n == 0, "{n} failures, first: {}", self.failures[0]);
    }
}

/// `PELTON_KERNEL_CIRCUITS` sets how many circuits are tried.
fn n_circuits() -> u64 {
    let asked = std::env::var("PELTON_KERNEL_CIRCUITS");
    asked.ok().and_then(|n| n.parse().ok()).unwrap_or(300)
}

#[test]
fn engines_agree_with_the_reference() {
    let mut report = Report::default();
    for seed in 0..n_circuits() {
        report.add(&workload(seed), seed);
    }
    report.print();
    for feature in FEATURES {
        let n = report.features.get(feature).copied().unwrap_or_default();
        assert!(n > 0, "{feature} never occurred");
    }
    for (name, record) in &report.engines {
        let own = record.n_answers - record.n_repaired;
        assert!(own > record.n_repaired, "{name} mostly asks the reference");
    }
    let worst = report.engines.values().map(|record| record.worst);
    let worst = worst.fold(Worst::default(), Worst::join);
    assert!(worst.n_zero > 0 && worst.least_log_p < -800.0);
}

#[test]
fn engines_agree_on_every_shape_and_evidence() {
    let mut report = Report::default();
    for shape in SHAPES {
        // Five kinds of evidence and three engines meet in fifteen seeds; large
        // circuits get five.
        let n = match shape {
            Shape::Soup | Shape::Decisions | Shape::Trees => 15,
            _ => 5,
        };
        for seed in 0..n {
            report.add(&workload_of(shape, seed), seed);
        }
    }
    report.print();
}
