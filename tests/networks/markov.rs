//! Random Markov networks.

use crate::reading::{circuit, error, is_close, mass, value};
use pelton_compiler::circuit::Property;
use pelton_compiler::reference::assignments;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write;

const LOGICAL: [Property; 3] = [
    Property::Smooth,
    Property::Decomposable,
    Property::Deterministic,
];

struct Factor {
    scope: Vec<usize>,
    table: Vec<f64>,
}

fn random_factor(n_values: &[usize], rng: &mut ChaCha8Rng) -> Factor {
    let mut scope: Vec<usize> = (0..n_values.len())
        .filter(|_| rng.random_bool(0.35))
        .collect();
    scope.truncate(3);
    if rng.random_bool(0.5) {
        scope.reverse();
    }
    let n_cells: usize = scope.iter().map(|&v| n_values[v]).product();
    let cell = |_| match rng.random_range(0..5) {
        0 => 0.0,
        _ => 10.0 * rng.random::<f64>(),
    };
    let table = (0..n_cells).map(cell).collect();
    Factor { scope, table }
}

fn product(factors: &[Factor], n_values: &[usize], assignment: &[f64]) -> f64 {
    let cell = |factor: &Factor| {
        let index = |at: usize, &v: &usize| at * n_values[v] + assignment[v] as usize;
        factor.table[factor.scope.iter().fold(0, index)]
    };
    factors.iter().map(cell).product()
}

fn uai(n_values: &[usize], factors: &[Factor]) -> String {
    let sizes: Vec<String> = n_values.iter().map(usize::to_string).collect();
    let mut text = format!(
        "MARKOV\r\n{}\r\n{}\r\n{}\r\n",
        sizes.len(),
        sizes.join(" "),
        factors.len()
    );
    for factor in factors {
        let scope: Vec<String> = factor.scope.iter().map(usize::to_string).collect();
        writeln!(text, "{}\t{} ", scope.len(), scope.join(" ")).expect("a string takes any text");
    }
    for factor in factors {
        let cells: Vec<String> = factor.table.iter().map(f64::to_string).collect();
        writeln!(text, "{}\n{}", cells.len(), cells.join("\n")).expect("a string takes any text");
    }
    text
}

#[test]
fn networks_are_the_product_of_their_tables() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let (mut n_possible, mut n_impossible) = (0, 0);
    for _ in 0..80 {
        let n = rng.random_range(1..=6);
        let n_values: Vec<usize> = (0..n)
            .map(|_| [2, 3, 2, 1][rng.random_range(0..4)])
            .collect();
        let factors: Vec<Factor> = (0..rng.random_range(0..8))
            .map(|_| random_factor(&n_values, &mut rng))
            .collect();
        let text = uai(&n_values, &factors);
        let zeros = vec![0.0; n];
        let is_possible = all(&n_values).any(|a| product(&factors, &n_values, &a) > 0.0);
        if !is_possible {
            n_impossible += 1;
            assert_eq!(
                error("net.uai", &text),
                "the network gives every assignment the value 0",
                "{zeros:?}"
            );
            continue;
        }
        n_possible += 1;
        let circuit = circuit("net.uai", &text, &LOGICAL);
        let mut total = 0.0;
        for assignment in assignments(&circuit, 1 << 14).unwrap() {
            let (found, meant) = (
                value(&circuit, &assignment),
                product(&factors, &n_values, &assignment),
            );
            assert!(
                is_close(found, meant),
                "{found} for {meant} at {assignment:?} in {text}"
            );
            total += meant;
        }
        assert!(
            is_close(mass(&circuit), total),
            "{} for {total} in {text}",
            mass(&circuit)
        );
    }
    assert!(
        n_possible > 20 && n_impossible > 0,
        "{n_possible} and {n_impossible}"
    );
}

fn all(n_values: &[usize]) -> impl Iterator<Item = Vec<f64>> + '_ {
    let n: usize = n_values.iter().product();
    (0..n).map(|mut at| {
        let digit = |&k: &usize| {
            let digit = at % k;
            at /= k;
            digit as f64
        };
        n_values.iter().map(digit).collect()
    })
}

#[test]
fn potentials_beyond_the_range_of_numbers_keep_their_worlds() {
    // Four hundred tables of 1e-300 and 1e300 on the same variables.
    let factors: Vec<Factor> = (0..400)
        .map(|at| {
            let large = if at % 2 == 0 { 1e300 } else { 1e-300 };
            Factor {
                scope: vec![0, 1],
                table: vec![large, large, 0.0, large],
            }
        })
        .chain([Factor {
            scope: vec![0],
            table: vec![1.0, 3.0],
        }])
        .collect();
    let circuit = circuit("net.uai", &uai(&[2, 2], &factors), &LOGICAL);
    let near = |a: f64, b: f64| (a - b).abs() < 1e-9 * b;
    assert!(near(mass(&circuit), 5.0), "{}", mass(&circuit));
    assert!(near(value(&circuit, &[1.0, 1.0]), 3.0));
}
