//! `marginalize`: evaluations with missing cells.

use crate::kit::*;
use pelton_compiler::circuit::{Property, VarId};
use pelton_compiler::transform::{TransformError, marginalize, variables_named};
use pelton_tests::dice::Dice;

#[test]
fn a_marginal_is_an_evaluation_with_missing_cells() {
    let mut n_done = 0;
    for (seed, before) in circuits() {
        let circuit = before.circuit();
        let mut dice = Dice::new(seed + 3);
        let kept: Vec<bool> = circuit
            .variables()
            .iter()
            .map(|_| dice.chance(50))
            .collect();
        let values = circuit.start_values();
        let after = match marginalize(&before, &values, |id| kept[id.index()]) {
            Ok(after) => after,
            Err(TransformError::Option(_)) => {
                let scope = before.facts().scopes().of(circuit.root());
                assert!(scope.iter().all(|id| !kept[id.index()]), "seed {seed}");
                continue;
            }
            Err(TransformError::Zero(_)) => {
                assert_eq!(log_mass(circuit), f64::NEG_INFINITY, "seed {seed}");
                continue;
            }
            Err(error) => panic!("seed {seed}: {error}"),
        };
        n_done += 1;
        let new = after.checked.circuit();
        assert_eq!(new.variables().len(), kept.iter().filter(|k| **k).count());
        assert!(new.n_units() <= circuit.n_units() + 1, "seed {seed}");
        assert_sound(&after, seed);
        assert_keeps(Property::Normalized, &before, new, seed);
        assert_keeps(Property::Structured, &before, new, seed);
        for _ in 0..N_ROWS {
            let row = draw_row(&mut dice, new, true);
            let context = format!("seed {seed}, {row:?}\n{}", text_of(new));
            assert_near(log_at(new, &row), log_at(circuit, &row), &context);
        }
    }
    assert!(n_done > 300, "{n_done}");
}

#[test]
fn what_is_learned_and_tied_stays_so() {
    let before = read(
        "const K = 2; var x[0..3] : bool;
         param trans[0..K] : simplex(K) = ?[[0.25, 0.75], [0.5, 0.5]];
         param p[0..K] : unit = ?[0.1, 0.9];
         node z[t in 0..3, k in 0..K] = x[t] ~ bernoulli(p[k])
             * (if t == 2 { prod i in 0..0 { z[2, 0] } } else { sum j in 0..K { trans[k, j]: z[t + 1, j] } });
         root exp(-0.6931471805599453): z[0, 0] + 0.5: z[0, 1];",
    );
    let circuit = before.circuit();
    let values = circuit.start_values();
    let after = marginalize(&before, &values, |id| id != VarId::new(1)).unwrap();
    let text = text_of(after.checked.circuit());
    assert!(
        text.contains("param trans[0..2] : simplex(2) = ?["),
        "{text}"
    );
    assert!(text.contains("exp(-0.6931471805599453)"), "{text}");
    // The last variable alone: sums of numbers are folded, tied vectors that are left stay.
    let last = marginalize(&before, &values, |id| id == VarId::new(0)).unwrap();
    let text = text_of(last.checked.circuit());
    assert!(
        !text.contains("trans") && text.contains("param p"),
        "{text}"
    );
}

#[test]
fn everything_kept_changes_nothing() {
    for (seed, before) in circuits().filter(|(seed, _)| seed % 7 == 0) {
        let circuit = before.circuit();
        let values = circuit.start_values();
        let once = marginalize(&before, &values, |_| true).unwrap();
        let again = once.checked.circuit();
        let twice = marginalize(&once.checked, &again.start_values(), |_| true).unwrap();
        assert_eq!(
            text_of(again),
            text_of(twice.checked.circuit()),
            "seed {seed}"
        );
    }
}

#[test]
fn variables_are_found_by_name() {
    let checked = read(
        "var x[0..2, 0..2] : bool; var rain : bool;
        root (prod i in 0..2 { prod j in 0..2 { x[i, j] ~ bernoulli(0.5) } }) * rain;",
    );
    let circuit = checked.circuit();
    let found = |names: &[&str]| variables_named(circuit, names.iter().copied());
    assert_eq!(found(&["x"]).unwrap().len(), 4);
    assert_eq!(
        found(&["x[1, 0]", "x[1,1]"]).unwrap(),
        [2, 3].map(VarId::new)
    );
    let unknown = found(&["rainn"]).unwrap_err().to_string();
    assert!(
        unknown.contains("`rainn`") && unknown.contains("did you mean `rain`"),
        "{unknown}"
    );
}

#[test]
fn the_mass_of_what_is_not_normalized_is_kept() {
    let before =
        read("var x : 0..4; var a : bool; root 2: [x in {1, 2, 3}] * a + 1: [x = 0] * !a;");
    let values = before.circuit().start_values();
    let after = marginalize(&before, &values, |id| id == VarId::new(1)).unwrap();
    let circuit = after.checked.circuit();
    assert_near(log_mass(circuit), 7f64.ln(), "mass");
    let row = Row::from([("a".to_string(), 1.0)]);
    assert_near(log_at(circuit, &row), 6f64.ln(), "a");
}
