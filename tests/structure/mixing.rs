//! The weights of an ensemble.

use super::kit;
use pelton_runtime::structure::mixing_weights;
use pelton_tests::dice::Dice;

/// How likely a mixture makes rows; those that are impossible are left out.
fn likelihood(logs: &[Vec<f64>], weights: &[f64], row_weights: Option<&[f64]>) -> f64 {
    let of_row = |row: usize| {
        let members = logs.iter().zip(weights);
        let log = kit::log_sum(members.map(|(own, weight)| own[row] + weight.ln()));
        let weight = row_weights.map_or(1.0, |weights| weights[row]);
        if log.is_finite() { weight * log } else { 0.0 }
    };
    (0..logs[0].len()).map(of_row).sum()
}

/// The same with a row for each member in advance, which is what is maximised.
fn objective(logs: &[Vec<f64>], weights: &[f64], row_weights: Option<&[f64]>) -> f64 {
    let given: f64 = weights.iter().map(|weight| weight.ln()).sum();
    likelihood(logs, weights, row_weights) + given
}

/// Logs of rows, some of them impossible.
fn logs(dice: &mut Dice, n_members: usize, n_rows: usize) -> Vec<Vec<f64>> {
    let log = |dice: &mut Dice, better: f64| {
        if dice.chance(5) {
            f64::NEG_INFINITY
        } else {
            better - 1000.0 - 6.0 * dice.fraction()
        }
    };
    (0..n_members)
        .map(|member| {
            (0..n_rows)
                .map(|_| log(dice, 0.5 * member as f64))
                .collect()
        })
        .collect()
}

#[test]
fn weights_never_lower_the_likelihood() {
    for seed in 0..40 {
        let mut dice = Dice::new(seed);
        let (n_members, n_rows) = (1 + dice.below(8), 1 + dice.below(200));
        let logs = logs(&mut dice, n_members, n_rows);
        let row_weights: Vec<f64> = (0..n_rows).map(|_| 3.0 * dice.fraction()).collect();
        let row_weights = dice.chance(50).then_some(row_weights.as_slice());
        let weights = mixing_weights(&logs, row_weights);
        kit::assert_close(weights.iter().sum(), 1.0, 1e-12, "the sum");
        assert!(weights.iter().all(|&weight| weight > 0.0), "{weights:?}");
        let even = vec![1.0 / n_members as f64; n_members];
        let found = likelihood(&logs, &weights, row_weights);
        let before = likelihood(&logs, &even, row_weights);
        assert!(found >= before - 1e-9, "seed {seed}: {found} and {before}");
    }
}

#[test]
fn the_best_weight_of_two_is_found() {
    for seed in 0..30 {
        let mut dice = Dice::new(100 + seed);
        let n_rows = 2 + dice.below(300);
        let logs = logs(&mut dice, 2, n_rows);
        let row_weights: Vec<f64> = (0..n_rows).map(|_| 3.0 * dice.fraction()).collect();
        let row_weights = dice.chance(50).then_some(row_weights.as_slice());
        let weights = mixing_weights(&logs, row_weights);
        let at = |share: f64| objective(&logs, &[share, 1.0 - share], row_weights);
        let grid = (1..10_000).map(|step| f64::from(step) / 10_000.0);
        let best = grid.reduce(|best, share| if at(share) > at(best) { share } else { best });
        let best = best.unwrap();
        let found = objective(&logs, &weights, row_weights);
        assert!(
            found >= at(best) - 1e-4,
            "seed {seed}: {found} {}",
            at(best)
        );
        kit::assert_close(weights[0], best, 2e-3, &format!("seed {seed}"));
    }
}

#[test]
fn corner_cases_have_weights() {
    assert_eq!(mixing_weights(&[], None), [0.0; 0]);
    assert_eq!(mixing_weights(&[vec![-3.0]], None), [1.0]);
    assert_eq!(mixing_weights(&[vec![], vec![]], None), [0.5, 0.5]);
    let never = vec![f64::NEG_INFINITY; 5];
    assert_eq!(
        mixing_weights(&[never.clone(), never.clone()], None),
        [0.5; 2]
    );
    // One member explains all rows: it gets all but the other's row in advance.
    let weights = mixing_weights(&[vec![-1.0; 5], never], None);
    kit::assert_close(weights[0], 6.0 / 7.0, 1e-9, "the one that explains all");
}
