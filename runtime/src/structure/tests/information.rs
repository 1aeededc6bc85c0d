//! Mutual information against plain counts.

use super::world::World;
use crate::data::{Column, MISSING_SMALL, Table};
use crate::structure::levels::Levels;
use crate::structure::{InformationMatrix, InformationOptions, information};

fn options(pseudocount: f64, threads: usize) -> InformationOptions {
    InformationOptions {
        pseudocount,
        threads,
    }
}

/// By the definition, over levels.
fn plain(table: &Table, weights: Option<&[f64]>, pseudocount: f64) -> InformationMatrix {
    let n_rows = table.n_rows();
    let columns = table.columns().iter();
    let columns: Vec<Levels> = columns
        .map(|column| Levels::new(column, n_rows, weights))
        .collect();
    InformationMatrix::from_fn(columns.len(), |i, j| {
        plain_pair(&columns[i], &columns[j], weights, pseudocount)
    })
}

fn plain_pair(a: &Levels, b: &Levels, weights: Option<&[f64]>, pseudocount: f64) -> f64 {
    let (k, l) = (a.n_values, b.n_values);
    let mut joint = vec![vec![4.0 * pseudocount / (k * l) as f64; l]; k];
    for row in 0..a.codes.len() {
        let (x, y) = (usize::from(a.codes[row]), usize::from(b.codes[row]));
        if x < k && y < l {
            joint[x][y] += weights.map_or(1.0, |weights| weights[row]);
        }
    }
    let total: f64 = joint.iter().flatten().sum();
    let mut sum = 0.0;
    for x in 0..k {
        for y in 0..l {
            let p = joint[x][y] / total;
            let px: f64 = joint[x].iter().sum::<f64>() / total;
            let py: f64 = joint.iter().map(|row| row[y]).sum::<f64>() / total;
            if p > 0.0 {
                sum += p * (p / (px * py)).ln();
            }
        }
    }
    sum
}

fn assert_close(a: &InformationMatrix, b: &InformationMatrix, what: &str) {
    assert_eq!(a.n_variables(), b.n_variables());
    for i in 0..a.n_variables() {
        for j in 0..a.n_variables() {
            let (a, b) = (a.get(i, j), b.get(i, j));
            assert!((a - b).abs() < 1e-12, "{what}: {i}, {j}: {a} and {b}");
            assert!(a >= 0.0);
        }
    }
}

#[test]
fn pairs_are_counted_as_the_definition_says() {
    for seed in 0..12 {
        let mut world = World::new(seed);
        let n_rows = [1, 64, 65, 300, 1000][world.below(5)];
        let table = world.table(n_rows, [0, 0, 20, 60][seed as usize % 4]);
        let weights = world.weights(n_rows);
        for weights in [None, Some(&weights[..])] {
            for pseudocount in [0.0, 0.1] {
                let found = information(&table, weights, &options(pseudocount, 1));
                let what = format!("seed {seed}, weights {}", weights.is_some());
                assert_close(&found, &plain(&table, weights, pseudocount), &what);
            }
        }
    }
}

#[test]
fn results_do_not_depend_on_threads() {
    let mut world = World::new(5);
    let table = world.table(700, 10);
    let weights = world.weights(700);
    for weights in [None, Some(&weights[..])] {
        let one = information(&table, weights, &options(0.1, 1));
        assert_eq!(one, information(&table, weights, &options(0.1, 2)));
        assert_eq!(one, information(&table, weights, &options(0.1, 5)));
    }
}

#[test]
fn a_weight_is_a_number_of_rows() {
    let mut world = World::new(8);
    let table = world.table(200, 15);
    let times: Vec<usize> = (0..200).map(|_| world.below(4)).collect();
    let weights: Vec<f64> = times.iter().map(|&times| times as f64).collect();
    let rows = (0..200).flat_map(|row| vec![row as u32; times[row]]);
    let repeated = table.gather(&rows.collect::<Vec<u32>>());
    let weighted = information(&table, Some(&weights), &options(0.1, 2));
    let expected = information(&repeated, None, &options(0.1, 2));
    assert_close(&weighted, &expected, "repeated rows");
}

#[test]
fn binary_columns_are_smoothed_by_the_pseudocount() {
    let columns = vec![
        Column::Small(vec![0, 0, 1, 1, 1]),
        Column::Small(vec![0, 1, 1, 1, 0]),
    ];
    let table = Table::new(5, columns);
    let found = information(&table, None, &InformationOptions::default());
    // Counts 1, 1, 1, 2, each 0.1 more.
    let (total, a, b): (f64, f64, f64) = (5.4, 2.2, 3.2);
    let cell = |count: f64, x: f64, y: f64| count / total * (count * total / (x * y)).ln();
    let expected = cell(1.1, a, a) + cell(1.1, a, b) + cell(1.1, b, a) + cell(2.1, b, b);
    assert!((found.get(0, 1) - expected).abs() < 1e-15);
    assert_eq!(found.get(0, 1), found.get(1, 0));
}

#[test]
fn columns_that_say_nothing_tell_nothing() {
    let columns = vec![
        Column::Small(vec![0, 1, 0, 1]),
        Column::Small(vec![1, 1, 1, 1]),
        Column::Small(vec![1, MISSING_SMALL, 1, MISSING_SMALL]),
        Column::Reals(vec![2.5; 4]),
        Column::Missing,
        Column::Small(vec![0, MISSING_SMALL, 1, MISSING_SMALL]),
        Column::Small(vec![MISSING_SMALL, 0, MISSING_SMALL, 1]),
    ];
    let table = Table::new(4, columns);
    for pseudocount in [0.0, 0.1, f64::NAN, f64::INFINITY, -1.0] {
        let found = information(&table, None, &options(pseudocount, 1));
        for i in 0..7 {
            for j in 1..5 {
                assert_eq!(found.get(i, j), 0.0, "{i}, {j}");
            }
        }
        // Never observed together.
        assert_eq!(found.get(5, 6), 0.0);
    }
}

#[test]
fn equal_columns_tell_all_about_each_other() {
    let cells: Vec<u8> = (0..99).map(|row| row % 3).collect();
    let columns = vec![Column::Small(cells.clone()), Column::Small(cells)];
    let found = information(&Table::new(99, columns), None, &options(0.0, 1));
    assert!((found.get(0, 1) - 3f64.ln()).abs() < 1e-15);
}

#[test]
fn values_of_rows_without_weight_were_not_seen() {
    let columns = vec![
        Column::Small(vec![0, 0, 0, 1]),
        Column::Small(vec![0, 1, 0, 1]),
    ];
    let table = Table::new(4, columns);
    let weights = [1.0, 1.0, 1.0, 0.0];
    let found = information(&table, Some(&weights), &options(0.1, 1));
    assert_eq!(found.get(0, 1), 0.0);
}

#[test]
fn weights_beyond_all_numbers_and_empty_tables_are_no_trouble() {
    let columns = || vec![Column::Small(vec![0, 1]), Column::Small(vec![0, 1])];
    let huge = [f64::MAX, f64::MAX];
    let found = information(
        &Table::new(2, columns()),
        Some(&huge),
        &InformationOptions::default(),
    );
    assert!(found.get(0, 1).is_finite());
    let table = Table::new(0, vec![Column::Small(Vec::new()), Column::Missing]);
    let found = information(&table, None, &InformationOptions::default());
    assert_eq!(found.get(0, 1), 0.0);
    let none = information(
        &Table::new(3, Vec::new()),
        None,
        &InformationOptions::default(),
    );
    assert_eq!(none.n_variables(), 0);
}
