//! `smooth`: with mass 1, and as in logic.

use crate::kit::*;
use pelton_compiler::circuit::Property;
use pelton_compiler::emit;
use pelton_compiler::repair::FillRule;
use pelton_compiler::transform::smooth;
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_tests::dice::Dice;
use pelton_tests::random::sample;

#[test]
fn logic_leaves_every_value_and_both_are_idempotent() {
    let (mut n_filled, mut n_refused) = (0, 0);
    for seed in 0..N_CIRCUITS {
        let circuit = sample(seed).circuit;
        // A few circuits are more than the language has words for.
        if emit::circuit(&circuit, &mut String::new()).is_err() {
            continue;
        }
        for fill in [FillRule::Uniform, FillRule::Logic] {
            let mut found = SourceDiagnostics::new();
            let Ok(after) = smooth(circuit.clone(), fill, &mut found) else {
                assert!(found.has_errors(), "seed {seed}");
                n_refused += 1;
                continue;
            };
            let new = after.circuit.checked.circuit();
            assert!(after.circuit.checked.facts().is_proven(Property::Smooth));
            n_filled += usize::from(after.n_edges.1 > after.n_edges.0);
            let again = smooth(new.clone(), fill, &mut SourceDiagnostics::new()).unwrap();
            assert_eq!(again.n_edges.0, again.n_edges.1, "seed {seed}");
            let again = again.circuit.checked;
            assert_eq!(text_of(new), text_of(again.circuit()), "seed {seed}");
            let mut dice = Dice::new(seed);
            for _ in 0..N_ROWS {
                let row = draw_row(&mut dice, new, false);
                let context = format!("seed {seed}, {row:?}");
                if fill == FillRule::Logic {
                    assert_near(log_at(new, &row), log_at(&circuit, &row), &context);
                }
            }
            if fill == FillRule::Uniform {
                assert_near(log_mass(new), log_mass(&circuit), &format!("seed {seed}"));
            }
        }
    }
    println!("{n_filled} filled, {n_refused} refused");
    assert!(n_filled > 100 && n_refused > 100);
}
