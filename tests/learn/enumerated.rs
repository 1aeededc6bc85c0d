//! Softening and entropy regularization against brute force.

use super::kit::*;
use pelton_compiler::check::{CheckOptions, check};
use pelton_compiler::circuit::{CircuitGraph, ParameterValue, Property};
use pelton_compiler::reference::log_likelihood;
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_runtime::Model;
use pelton_runtime::data::Table;
use pelton_runtime::learn::{
    LearnOptions, LearningResult, LearningRows, Method, TrainingTask, learn,
};
use pelton_tests::dice::Dice;
use pelton_tests::random::deterministic;

/// A deterministic circuit over few finite domains, with something to learn.
fn small(seed: u64) -> Option<(Model, Vec<Vec<f64>>)> {
    let circuit = deterministic(seed).circuit;
    let sizes: Option<Vec<u64>> = circuit
        .variables()
        .iter()
        .map(|v| v.domain.size())
        .collect();
    let n_points: u64 = sizes?.iter().product();
    if !(2..=600).contains(&n_points) {
        return None;
    }
    let options = CheckOptions {
        decide: vec![Property::Deterministic],
        ..CheckOptions::default()
    };
    let checked = check(circuit, &options, &mut SourceDiagnostics::new())?;
    let points = points(checked.circuit());
    let model = compiled(checked);
    let is_proven = model.facts().is_proven(Property::Deterministic)
        && model.facts().is_proven(Property::Normalized);
    is_proven.then_some((model, points))
}

/// All assignments.
fn points(circuit: &CircuitGraph) -> Vec<Vec<f64>> {
    let mut all = vec![Vec::new()];
    for variable in circuit.variables() {
        let size = variable.domain.size().expect("domains are finite");
        let longer = |point: Vec<f64>| {
            (0..size).map(move |at| {
                let mut point = point.clone();
                point.push(at as f64);
                point
            })
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    let first: Vec<f64> = circuit
        .variables()
        .iter()
        .map(|v| v.domain.first())
        .collect();
    for point in &mut all {
        point
            .iter_mut()
            .zip(&first)
            .for_each(|(x, first)| *x += first);
    }
    all
}

fn learn_weighted(
    model: &Model,
    table: &Table,
    weights: &[f64],
    options: &LearnOptions,
) -> LearningResult {
    let task = TrainingTask {
        model,
        train: LearningRows::Table {
            table,
            weights: Some(weights),
        },
        valid: None,
        test: None,
        options,
        resume: None,
    };
    learn(&task, &mut ()).expect("learns")
}

#[test]
fn softened_rows_are_learned_as_if_all_of_them_were_written_down() {
    let mut n_compared = 0;
    for seed in 0..500 {
        let Some((model, points)) = small(seed) else {
            continue;
        };
        let mut dice = Dice::new(seed);
        let rows: Vec<Vec<f64>> = (0..6)
            .map(|_| points[dice.below(points.len())].clone())
            .collect();
        let soft = LearnOptions {
            method: Some(Method::Mle),
            softness: 0.1,
            scale_by_marginal: dice.chance(50),
            pseudocount: dice.pick(&[0.0, 0.4]),
            entropy: dice.pick(&[0.0, 0.05]),
            start: pelton_runtime::learn::Start::Keep,
            ..LearnOptions::default()
        };
        let table = Table::from_assignments(model.circuit(), &rows);
        let Ok(found) = fit(&model, &table, &soft) else {
            continue;
        };
        let weights = enumerated(model.circuit(), &rows, &points, soft.scale_by_marginal);
        let all = Table::from_assignments(model.circuit(), &points);
        let plain = LearnOptions {
            softness: 0.0,
            ..soft.clone()
        };
        let wanted = learn_weighted(&model, &all, &weights, &plain);
        let numbers = |learned: &LearningResult| -> Vec<f64> {
            learned.values.iter().map(|value| value.linear()).collect()
        };
        assert_close(&numbers(&found), &numbers(&wanted), 1e-9);
        n_compared += 1;
    }
    println!("{n_compared} circuits");
    assert!(n_compared > 60, "{n_compared}");
}

/// The probability of each point in the softened data, added up over rows.
fn enumerated(
    circuit: &CircuitGraph,
    rows: &[Vec<f64>],
    points: &[Vec<f64>],
    by_marginal: bool,
) -> Vec<f64> {
    let softness = 0.1;
    let n = rows.len() as f64;
    let marginal = |at: usize, x: f64| rows.iter().filter(|row| row[at] == x).count() as f64 / n;
    let factor = |at: usize, observed: f64, x: f64| {
        let size = circuit.variables()[at].domain.size().expect("finite") as f64;
        let same = f64::from(u8::from(observed == x));
        match (size == 1.0, by_marginal) {
            (true, _) => 1.0,
            (_, true) => (1.0 - softness) * same + softness * marginal(at, x),
            (_, false) if observed == x => 1.0 - softness,
            (_, false) => softness / (size - 1.0),
        }
    };
    let weight = |point: &Vec<f64>| -> f64 {
        let of_row = |row: &Vec<f64>| -> f64 {
            (0..point.len())
                .map(|at| factor(at, row[at], point[at]))
                .product()
        };
        rows.iter().map(of_row).sum()
    };
    points.iter().map(weight).collect()
}

/// The objective by its definition: rows by the plain evaluation, entropy by
/// enumeration.
struct Objective<'a> {
    circuit: &'a CircuitGraph,
    rows: &'a [Vec<f64>],
    points: &'a [Vec<f64>],
    tau: f64,
}

impl Objective<'_> {
    fn at(&self, values: &[ParameterValue]) -> f64 {
        let logs = self
            .rows
            .iter()
            .map(|row| log_likelihood(self.circuit, values, row));
        let possible: Vec<f64> = logs.filter(|log| log.is_finite()).collect();
        let mean = possible.iter().sum::<f64>() / possible.len() as f64;
        let point = |point: &Vec<f64>| {
            let log = log_likelihood(self.circuit, values, point);
            if log.is_finite() {
                -log.exp() * log
            } else {
                0.0
            }
        };
        mean + self.tau * self.points.iter().map(point).sum::<f64>()
    }
}

/// Moves mass between pairs of learned entries for as long as that helps: slow,
/// and nothing like the algorithm that is tested.
fn optimise(objective: &Objective, values: &mut [ParameterValue]) -> f64 {
    let circuit = objective.circuit;
    let mut best = objective.at(values);
    let mut step = 0.1;
    while step > 1e-6 {
        let mut has_risen = false;
        for parameter in circuit.parameters().iter().filter(|p| p.kind.adds_up()) {
            let free: Vec<usize> = parameter
                .entries()
                .filter(|&at| circuit.all_entries()[at].learned)
                .collect();
            for &from in &free {
                for &to in free.iter().filter(|&&to| to != from) {
                    let (a, b) = (values[from].linear(), values[to].linear());
                    let moved = step * a;
                    values[from] = ParameterValue::Linear(a - moved);
                    values[to] = ParameterValue::Linear(b + moved);
                    let risen = objective.at(values);
                    if risen > best {
                        (best, has_risen) = (risen, true)
                    } else {
                        (values[from], values[to]) =
                            (ParameterValue::Linear(a), ParameterValue::Linear(b))
                    }
                }
            }
        }
        if !has_risen {
            step /= 2.0;
        }
    }
    best
}

#[test]
fn entropy_regularization_reaches_what_a_plain_optimiser_reaches() {
    let (mut n_compared, mut worst) = (0, 0.0_f64);
    for seed in 400..2000 {
        let Some((model, points)) = small(seed).filter(|(model, points)| {
            points.len() <= 64 && model.circuit().all_entries().len() <= 30
        }) else {
            continue;
        };
        let mut dice = Dice::new(seed);
        let rows: Vec<Vec<f64>> = (0..8)
            .map(|_| points[dice.below(points.len())].clone())
            .collect();
        let tau = dice.pick(&[0.01, 0.1, 0.5]);
        let options = LearnOptions {
            method: Some(Method::Mle),
            pseudocount: 0.0,
            entropy: tau,
            ..LearnOptions::default()
        };
        let table = Table::from_assignments(model.circuit(), &rows);
        let Ok(learned) = fit(&model, &table, &options) else {
            continue;
        };
        let objective = Objective {
            circuit: model.circuit(),
            rows: &rows,
            points: &points,
            tau,
        };
        let mut values = model.parameters(learned.values.clone()).values().to_vec();
        let found = objective.at(&values);
        let watched = learned.report.epochs[0].objective.expect("is watched");
        assert!(
            (found - watched).abs() < 1e-9,
            "seed {seed}: {found}, watched {watched}"
        );
        let from_found = optimise(&objective, &mut values);
        let plain = LearnOptions {
            entropy: 0.0,
            ..options
        };
        let plain = fit(&model, &table, &plain).expect("learned before");
        let mut values = model.parameters(plain.values).values().to_vec();
        let before = objective.at(&values);
        let from_plain = optimise(&objective, &mut values);
        worst = worst.max(from_found - found).max(from_plain - found);
        n_compared += usize::from(found > before + 1e-9);
    }
    println!(
        "{n_compared} circuits where entropy matters, a plain optimiser gained {worst:.1e} at most"
    );
    assert!(
        n_compared > 20 && worst < 1e-7,
        "{n_compared} circuits, {worst:e}"
    );
}
