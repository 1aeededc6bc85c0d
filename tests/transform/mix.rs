//! `mix`: weighted means of distributions.

use crate::kit::*;
use pelton_compiler::circuit::{ParameterValue, Property};
use pelton_compiler::leaf::log_sum_exp;
use pelton_compiler::transform::{MixtureWeights, condition, mix};
use pelton_tests::dice::Dice;

#[test]
fn a_mixture_is_a_mean_of_distributions() {
    let mut n_done = 0;
    for (seed, first) in circuits().filter(|(seed, _)| seed % 2 == 0) {
        let circuit = first.circuit();
        let values = circuit.start_values();
        let mut dice = Dice::new(seed + 6);
        let region = draw_region(&mut dice, circuit);
        let Ok(second) = condition(&first, &values, &[region], true, 1_000_000) else {
            continue;
        };
        let second = second.circuit.checked;
        if second.circuit().variables().len() != circuit.variables().len() {
            continue;
        }
        n_done += 1;
        let members = [&first, &second, &first];
        let weights = [0.5, 0.2, 0.3];
        let after = mix(&members, &MixtureWeights::Fixed(weights.to_vec())).unwrap();
        let new = after.checked.circuit();
        assert_sound(&after, seed);
        assert_keeps(Property::Structured, &first, new, seed);
        for _ in 0..N_ROWS {
            let row = draw_row(&mut dice, circuit, true);
            let terms = members.iter().zip(weights);
            let expected = log_sum_exp(terms.map(|(m, w)| {
                let circuit = m.circuit();
                w.ln() + log_at(circuit, &row) - log_mass(circuit)
            }));
            assert_near(
                log_at(new, &row),
                expected,
                &format!("seed {seed}, {row:?}"),
            );
        }
    }
    assert!(n_done > 100, "{n_done}");
}

#[test]
fn members_keep_what_they_learn() {
    let one = read(
        "var a, b : bool; param p : unit = ?0.2; node n = a ~ bernoulli(p) * b ~ bernoulli(p); root n;",
    );
    let two =
        read("var b, a : bool; param p : unit = ?0.6; node n = a ~ bernoulli(p) * b; root n;");
    let start = [0.25, 0.75].map(ParameterValue::Linear).to_vec();
    let after = mix(&[&one, &two], &MixtureWeights::Learned(start)).unwrap();
    let text = text_of(after.checked.circuit());
    let again = read(&text);
    let n_learned = again
        .circuit()
        .all_entries()
        .iter()
        .filter(|e| e.learned)
        .count();
    assert_eq!(n_learned, 2 + 2 + 2, "{text}");
    let row = Row::from([("a".to_string(), 1.0), ("b".to_string(), 1.0)]);
    assert_near(
        log_at(again.circuit(), &row),
        (0.25f64 * 0.04 + 0.75 * 0.6).ln(),
        &text,
    );
}

#[test]
fn what_does_not_fit_is_told() {
    let one = read("var a : bool; root a;");
    let other = read("var b : bool; root b;");
    let ranged = read("var a : 0..2; root a ~ uniform();");
    let even = MixtureWeights::even(2);
    let message = |members: &[&_], weighting: &MixtureWeights| {
        mix(members, weighting).unwrap_err().to_string()
    };
    assert!(message(&[&one, &other], &even).contains("circuit 2 has no variable `a`"));
    assert!(message(&[&one, &ranged], &even).contains("bool in circuit 1 and 0..2 in circuit 2"));
    let weights = |list: &[f64]| MixtureWeights::Fixed(list.to_vec());
    assert!(message(&[&one, &one], &weights(&[1.0])).contains("1 weights for 2 circuits"));
    assert!(message(&[&one, &one], &weights(&[0.7, 0.7])).contains("add up to 1.4"));
    assert!(message(&[&one, &one], &weights(&[1.5, -0.5])).contains("-0.5"));
    let more = read("var a, b : bool; root a * b;");
    assert!(message(&[&one, &more], &even).contains("no variable `b`"));
}
