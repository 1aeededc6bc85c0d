//! Small files mean what their formats say.

use super::{bytes, read, table};

/// The probability of a row, by the files' own numbers.
fn assert_rows(name: &str, expected: impl Fn(&[usize]) -> f64, sizes: &[usize]) {
    let checked = read(name, bytes(name));
    let found = table(checked.circuit());
    assert_eq!(found.len(), sizes.iter().product::<usize>(), "{name}");
    for (at, p) in found.iter().enumerate() {
        // The last variable runs fastest.
        let mut rest = at;
        let mut row = vec![0; sizes.len()];
        for (place, size) in row.iter_mut().zip(sizes).rev() {
            *place = rest % size;
            rest /= size;
        }
        let wanted = expected(&row);
        assert!(
            (p - wanted).abs() < 1e-12,
            "{name}: {row:?} has {p}, not {wanted}"
        );
    }
}

fn coin(p: f64, value: usize) -> f64 {
    if value == 1 { p } else { 1.0 - p }
}

#[test]
fn a_psdd_is_the_sum_of_its_elements() {
    let sprinkler = |row: &[usize]| {
        let wet = match (row[0], row[1], row[2]) {
            (1, 1, 1) => 0.009,
            (1, 0, 1) => 0.792,
            (1, 0, 0) => 0.199,
            (0, 1, 1) => 0.4,
            (0, 1, 0) => 0.02,
            (0, 0, 0) => 0.58,
            _ => 0.0,
        };
        coin(0.2, row[0]) * wet
    };
    assert_rows("sprinkler.psdd", sprinkler, &[2, 2, 2]);
    let coins = |row: &[usize]| {
        let second = if row[0] == 1 { 0.25 } else { 0.75 };
        coin(0.3, row[0]) * coin(second, row[1]) * coin(0.1, row[2]) * coin(0.6, row[3])
    };
    assert_rows("coins.psdd", coins, &[2; 4]);
}

#[test]
fn a_juice_circuit_has_leaves_of_all_kinds() {
    let dice = |row: &[usize]| {
        let binomial = [0.25, 0.5, 0.25][row[2]];
        let third = [0.5, 0.25, 0.25][row[2]];
        let is = |a: usize, b: usize| f64::from(a == b);
        0.2 * is(row[0], 1) * is(row[1], 0) * binomial
            + 0.3 * is(row[0], 0) * [0.2, 0.4, 0.4][row[1]] * third
            + 0.5 * is(row[0], 0) * is(row[1], 2) * binomial
    };
    assert_rows("dice.jpc", dice, &[2, 3, 3]);
}

#[test]
fn a_network_of_juice_counts_from_zero() {
    let votes = |row: &[usize]| match row[0] {
        0 => 0.7 * [0.2, 0.6, 0.2][row[1]] * f64::from(row[2] == 0),
        _ => 0.3 * f64::from(row[1] == 2) * 0.5,
    };
    assert_rows("votes.spn", votes, &[2, 3, 2]);
}

#[test]
fn a_chow_liu_tree_conditions_each_variable_on_its_parent() {
    let weather = |row: &[usize]| {
        let second = if row[0] == 1 { 0.8 } else { 0.3 };
        let third = if row[0] == 1 { 0.25 } else { 0.5 };
        let fourth = if row[1] == 1 { 0.9 } else { 0.1 };
        coin(0.2, row[0])
            * coin(second, row[1])
            * coin(third, row[2])
            * coin(fourth, row[3])
            * coin(0.75, row[4])
    };
    assert_rows("weather.clt", weather, &[2; 5]);
}
