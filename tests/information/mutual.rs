//! Mutual information.

use crate::kit::{checked, close, of_text, states, tree};
use pelton_compiler::check::{Checked, DeterminismLimits};
use pelton_compiler::circuit::VarId;
use pelton_runtime::query::{AnswerMethod, MutualInformation, mutual_information};
use pelton_tests::dice::Dice;
use std::collections::HashMap;

fn ask(checked: &Checked, first: &[usize], second: &[usize]) -> Result<MutualInformation, String> {
    let ids = |at: &[usize]| at.iter().map(|&at| VarId::new(at)).collect::<Vec<_>>();
    let values = checked.circuit().start_values();
    let sets = (ids(first), ids(second));
    mutual_information(
        checked,
        &values,
        (&sets.0, &sets.1),
        &DeterminismLimits::default(),
        1,
    )
    .map_err(|error| error.to_string())
}

#[test]
fn sets_of_variables_against_enumeration() {
    for seed in 0..60 {
        let dice = &mut Dice::new(seed);
        let n = 3 + dice.below(3);
        let checked = checked(tree(n, dice, 10));
        let mut order: Vec<usize> = (0..n).collect();
        dice.shuffle(&mut order);
        let cut = 1 + dice.below(n - 1);
        let end = cut + 1 + dice.below(n - cut);
        let (first, second) = (&order[..cut], &order[cut..end.min(n)]);
        let found = ask(&checked, first, second).unwrap();
        let values = checked.circuit().start_values();
        let rows = states(checked.circuit(), &values);
        let marginal = |at: &[usize]| {
            let mut table: HashMap<Vec<i64>, f64> = HashMap::new();
            for (row, p) in &rows {
                *table
                    .entry(at.iter().map(|&at| row[at] as i64).collect())
                    .or_default() += p;
            }
            -table.values().map(|p| p * p.ln()).sum::<f64>()
        };
        let both = marginal(&[first, second].concat());
        let name = format!("seed {seed}");
        close(found.both, both, 1e-10, &name);
        close(found.first, marginal(first), 1e-10, &name);
        close(found.second, marginal(second), 1e-10, &name);
        close(
            found.nats,
            marginal(first) + marginal(second) - both,
            1e-10,
            &name,
        );
    }
}

/// `c` decides the root's sum, and `x` does too: pieces that do not meet.
#[test]
fn densities_that_tell_the_choice() {
    let checked = of_text(
        "var c, d : bool;\nvar x : real;\n\
         root 0.25: c * x ~ uniform(0, 1) * d ~ bernoulli(0.5) + 0.75: !c * x ~ uniform(1, 3) * d ~ bernoulli(0.2);\n",
    );
    let found = ask(&checked, &[0], &[2]).unwrap();
    assert_eq!(found.method, AnswerMethod::Structure);
    let choice = -(0.25 * 0.25_f64.ln() + 0.75 * 0.75_f64.ln());
    close(found.nats, choice, 1e-12, "c and x");
    close(found.second, choice + 0.75 * 2_f64.ln(), 1e-12, "x");
}

/// Two states are visited where the coin does not tell what sums choose.
#[test]
fn each_entropy_is_found_in_its_own_way() {
    let checked = of_text(
        "var c, d : bool;\nvar x : real;\n\
         root 0.25: c * x ~ uniform(0, 1) * d ~ bernoulli(0.5) + 0.75: !c * x ~ uniform(1, 3) * d ~ bernoulli(0.2);\n",
    );
    let found = ask(&checked, &[1], &[2]).unwrap();
    assert_eq!(found.method, AnswerMethod::Mixed { n_states: 2 });
    let entropy = |p: f64| -(p * p.ln() + (1.0 - p) * (1.0 - p).ln());
    let expected = entropy(0.275) - 0.25 * entropy(0.5) - 0.75 * entropy(0.2);
    close(found.nats, expected, 1e-12, "d and x");
}

#[test]
fn sides_are_apart() {
    let checked = of_text("var a, b, c : bool;\nroot a ~ bernoulli(0.5) * b ~ bernoulli(0.5);\n");
    assert!(
        ask(&checked, &[0], &[0])
            .unwrap_err()
            .contains("`a` is named twice")
    );
    assert!(
        ask(&checked, &[0], &[2])
            .unwrap_err()
            .contains("does not mention `c`")
    );
    assert!(
        ask(&checked, &[], &[1])
            .unwrap_err()
            .contains("at least one")
    );
    assert_eq!(ask(&checked, &[0], &[1]).unwrap().nats, 0.0);
}
