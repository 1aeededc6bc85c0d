//! Entropy.

use crate::kit::{checked, close, decisions, of_text, other_values, states};
use pelton_compiler::check::DeterminismLimits;
use pelton_compiler::circuit::{Event, ValueSet, VarId};
use pelton_runtime::query::{
    AnswerMethod, InformationError, QueryEffort, entropy, entropy_given, joint_entropy, mentioned,
};
use pelton_tests::dice::Dice;
use pelton_tests::workload::{Shape, workload_of};

fn expected(
    circuit: &pelton_compiler::circuit::CircuitGraph,
    values: &[pelton_compiler::circuit::ParameterValue],
) -> f64 {
    states(circuit, values)
        .iter()
        .map(|(_, p)| -p * p.ln())
        .sum()
}

#[test]
fn deterministic_circuits_against_enumeration() {
    let mut n_compared = 0;
    for (seed, checked) in decisions(0..400) {
        let values = other_values(checked.circuit(), &mut Dice::new(seed), 0);
        if states(checked.circuit(), &values).is_empty() {
            continue;
        }
        let found = entropy(&checked, &values, 1).unwrap();
        assert_eq!(found.method, AnswerMethod::Structure, "seed {seed}");
        let name = format!("seed {seed}");
        close(
            found.nats,
            expected(checked.circuit(), &values),
            1e-10,
            &name,
        );
        n_compared += 1;
    }
    println!("seeds 0..400: {n_compared} entropies agree");
    assert!(n_compared > 100, "{n_compared}");
}

/// Without determinism, all states are visited: the same number, and less than that of
/// observed and hidden variables together.
#[test]
fn other_circuits_are_enumerated() {
    let mut n_compared = 0;
    for seed in 0..150 {
        let work = workload_of(Shape::Soup, seed);
        if pelton_compiler::reference::assignments(&work.circuit, 1 << 10).is_none() {
            continue;
        }
        let checked = checked(work.circuit);
        let name = format!("seed {seed}");
        let expected = expected(checked.circuit(), &work.values);
        match entropy(&checked, &work.values, 2) {
            Ok(found) => {
                close(found.nats, expected, 1e-9, &name);
                let joint = joint_entropy(checked.circuit(), &work.values).unwrap();
                assert!(joint > found.nats - 1e-9, "{name}: {joint} {found:?}");
                n_compared += 1;
            }
            Err(InformationError::Impossible(_)) => assert_eq!(expected, 0.0, "{name}"),
            Err(error) => panic!("{name}: {error}"),
        }
    }
    assert!(n_compared > 20, "{n_compared}");
}

#[test]
fn weights_need_not_add_up() {
    let whole = of_text("var a : bool;\nroot 0.25: a + 0.75: !a;\n");
    let scaled = of_text("var a : bool;\nroot 1: a + 3: !a;\n");
    let nats = |checked: &pelton_compiler::check::Checked| {
        entropy(checked, &checked.circuit().start_values(), 1)
            .unwrap()
            .nats
    };
    close(nats(&whole), nats(&scaled), 1e-14, "weights");
    // Logic: all six pairs that differ, alike.
    let logic = of_text(
        "var a, b : 0..3;\nroot 1: [a = 0] * [b in {1, 2}] + 1: [a = 1] * [b in {0, 2}] + 1: [a = 2] * [b in {0, 1}];\n",
    );
    close(nats(&logic), 6_f64.ln(), 1e-14, "logic");
}

/// A density of two pieces, by hand.
#[test]
fn densities_have_differential_entropy() {
    let checked = of_text(
        "var x : real;\nvar c : bool;\nroot 0.5: c * x ~ normal(0, 1) + 0.5: !c * x ~ normal(3, 2);\n",
    );
    let found = entropy(&checked, &checked.circuit().start_values(), 1).unwrap();
    let normal = |sd: f64| 0.5 * (std::f64::consts::TAU * std::f64::consts::E).ln() + sd.ln();
    let expected = 2_f64.ln() + 0.5 * normal(1.0) + 0.5 * normal(2.0);
    close(found.nats, expected, 1e-12, "pieces");
}

#[test]
fn refusals_say_why() {
    let mixture = of_text("var x : real;\nroot 0.5: x ~ normal(0, 1) + 0.5: x ~ normal(3, 2);\n");
    let error = entropy(&mixture, &mixture.circuit().start_values(), 1).unwrap_err();
    let InformationError::Refused(refusal) = error else {
        panic!("{error}");
    };
    let message = refusal.to_string();
    assert!(
        message.contains("sum at the root is not deterministic"),
        "{message}"
    );
    assert!(message.contains("`x` is real"), "{message}");
    let [culprit] = refusal.culprits() else {
        panic!("{refusal:?}");
    };
    assert_eq!(culprit.unit, mixture.circuit().root());
    assert!(culprit.refutation.is_some());
}

/// Given events over random deterministic circuits, against all states.
#[test]
fn what_is_left_against_enumeration() {
    let (mut n_asked, mut n_impossible) = (0, 0);
    let effort = QueryEffort {
        limits: DeterminismLimits::default(),
        max_size: 1_000_000,
        n_threads: 1,
    };
    for (seed, checked) in decisions(0..80) {
        let circuit = checked.circuit();
        let values = circuit.start_values();
        let rows = states(circuit, &values);
        let dice = &mut Dice::new(seed);
        let variables = mentioned(circuit);
        if variables.is_empty() || rows.is_empty() {
            continue;
        }
        // A value of one variable, or of one of two.
        let mut pick = || {
            let variable = variables[dice.below(variables.len())];
            let domain = &circuit.variable(variable).domain;
            let value = domain.first() + dice.below(domain.size().unwrap() as usize) as f64;
            (variable, value)
        };
        let picked = [pick(), pick()];
        for n in [1, 2] {
            let points = picked[..n].iter();
            let part =
                |&(variable, x): &(VarId, f64)| Event::In(variable, ValueSet::point(x, true));
            let event = Event::Or(points.clone().map(part).collect());
            let holds = |row: &[f64]| picked[..n].iter().any(|(v, x)| row[v.index()] == *x);
            let left: Vec<f64> = rows
                .iter()
                .filter(|(row, _)| holds(row))
                .map(|(_, p)| *p)
                .collect();
            let total: f64 = left.iter().sum();
            let found = entropy_given(&checked, &values, &event, &effort);
            if total == 0.0 {
                assert!(
                    matches!(found, Err(InformationError::Impossible(_))),
                    "seed {seed}"
                );
                n_impossible += 1;
                continue;
            }
            let expected: f64 = left.iter().map(|p| -(p / total) * (p / total).ln()).sum();
            close(
                found.unwrap().nats,
                expected,
                1e-9,
                &format!("seed {seed}, {n} parts"),
            );
            n_asked += 1;
        }
    }
    assert!(n_asked > 60, "{n_asked} and {n_impossible}");
}
