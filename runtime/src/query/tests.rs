//! Answers against enumeration where domains are finite, and against closed
//! forms where they are not.

use crate::query::ValueBox;
use crate::{ProbabilityKind, QueryAnswer, QueryFailure, answer_all, log_mass};
use pelton_compiler::circuit::{CircuitGraph, DeclaredQuery, Event, ValueSet, VarId};
use pelton_compiler::load::{FileLoader, SourceInput};
use pelton_compiler::reference::{assignments, log_likelihood};
use pelton_compiler::{AnalysisOptions, analyze};
use pelton_grammar::diagnostic::Severity;

const DISCRETE: &str = "
    var rain, wet : bool;
    var sky : {clear, cloudy, storm};
    var n : 2..6;
    node wet_if_rain = 0.9: wet + 0.1: !wet;
    node count = 0.25: [n in {2, 5}] + 0.5: [n = 3];
    node storm = rain * wet_if_rain * sky ~ categorical(0, 0.25, 0.75) * n ~ uniform();
    node calm = rain ~ bernoulli(0.1) * [sky != storm] * wet ~ bernoulli(0.3) * count;
    root 0.3: storm + 0.7: calm;
";

const REAL: &str = "
    var rain : bool;
    var x, y : real;
    node z = y ~ uniform(0, 2);
    root 0.4: rain * x ~ exponential(1) * z + 0.6: !rain * x ~ uniform(0, 4) * z;
";

fn circuit(text: &str) -> CircuitGraph {
    let input = SourceInput {
        name: "test".into(),
        path: None,
        bytes: text.into(),
    };
    let analysis = analyze(input, &FileLoader, &AnalysisOptions::default());
    assert_eq!(analysis.found.count(Severity::Error), 0, "{text}");
    analysis.circuit.unwrap()
}

fn answer(model: &str, query: &str) -> QueryAnswer {
    answer_all(&circuit(&format!("{model} query {query};"))).remove(0)
}

fn holds(event: &Event, assignment: &[f64]) -> bool {
    match event {
        Event::In(variable, set) => set.contains(assignment[variable.index()]),
        Event::And(parts) => parts.iter().all(|part| holds(part, assignment)),
        Event::Or(parts) => parts.iter().any(|part| holds(part, assignment)),
    }
}

/// The answer by adding up single inputs.
fn enumerated(circuit: &CircuitGraph, query: &DeclaredQuery) -> f64 {
    let values = circuit.start_values();
    let (mut both, mut given) = (0.0, 0.0);
    for assignment in assignments(circuit, 1000).unwrap() {
        let p = log_likelihood(circuit, &values, &assignment).exp();
        if holds(&query.given, &assignment) {
            given += p;
            both += if holds(&query.event, &assignment) {
                p
            } else {
                0.0
            };
        }
    }
    both / given
}

fn close(answer: &QueryAnswer, expected: f64) {
    let value = answer.value().unwrap();
    assert!((value - expected).abs() < 1e-12, "{answer} not {expected}");
}

#[test]
fn answers_are_what_enumeration_gives() {
    for query in [
        "P(rain)",
        "P(rain | wet)",
        "P(!rain && wet || sky = storm)",
        "P(!(rain || wet) | n > 2, sky in {clear, cloudy})",
        "P(rain || wet || n = 3 || sky = clear)",
        "P((rain || n <= 3) && (wet || n >= 3) | sky != clear || rain)",
        "P(n in {2, 3} | !(sky = storm && rain))",
        "P(2 < n < 5 | rain || !rain)",
        "P(rain && !rain)",
    ] {
        let circuit = circuit(&format!("{DISCRETE} query {query};"));
        let answer = answer_all(&circuit).remove(0);
        assert_eq!(answer.kind, ProbabilityKind::Probability, "{query}");
        close(&answer, enumerated(&circuit, &circuit.queries()[0]));
    }
}

#[test]
fn the_mass_of_a_box_is_that_of_its_inputs() {
    let circuit = circuit(DISCRETE);
    let values = circuit.start_values();
    let domains: Vec<ValueSet> = circuit
        .variables()
        .iter()
        .map(|v| v.domain.full())
        .collect();
    for dropped in assignments(&circuit, 1000).unwrap() {
        let mut evidence = ValueBox::default();
        let sets: Vec<ValueSet> = domains
            .iter()
            .zip(&dropped)
            .map(|(full, &value)| full.minus(&ValueSet::point(value, true)))
            .collect();
        // The first variable stays unknown and the last is a point.
        let last = sets.len() - 1;
        for (at, set) in sets.iter().enumerate().take(last).skip(1) {
            evidence.insert(VarId::new(at), set.clone());
        }
        evidence.insert(VarId::new(last), ValueSet::point(dropped[last], true));
        let inside = assignments(&circuit, 1000).unwrap().filter(|assignment| {
            let in_sets = (1..last).all(|at| sets[at].contains(assignment[at]));
            in_sets && assignment[last] == dropped[last]
        });
        let expected: f64 = inside
            .map(|assignment| log_likelihood(&circuit, &values, &assignment).exp())
            .sum();
        let mass = log_mass(&circuit, &values, &evidence).exp();
        assert!(
            (mass - expected).abs() < 1e-12,
            "{dropped:?}: {mass} {expected}"
        );
    }
}

#[test]
fn intervals_of_reals_have_the_mass_under_the_density() {
    let tail = (-1.0_f64).exp();
    close(&answer(REAL, "P(x > 1)"), 0.4 * tail + 0.6 * 0.75);
    close(&answer(REAL, "P(x > 1 | rain)"), tail);
    close(&answer(REAL, "P(!(1 < x <= 2) | !rain)"), 0.75);
    close(&answer(REAL, "P(x < 1 || y < 1 | !rain)"), 1.0 - 0.75 * 0.5);
}

#[test]
fn points_of_reals_have_densities() {
    let at_one = (-1.0_f64).exp();
    let density = answer(REAL, "P(x = 1, rain)");
    assert_eq!(density.kind, ProbabilityKind::Density);
    close(&density, 0.4 * at_one);
    assert!(density.to_string().ends_with("(density)"));
    close(
        &answer(REAL, "P(x = 1, y = 1)"),
        (0.4 * at_one + 0.15) * 0.5,
    );
}

#[test]
fn a_point_that_is_given_leaves_probabilities() {
    let at_one = 0.4 * (-1.0_f64).exp();
    let posterior = answer(REAL, "P(rain | x = 1)");
    assert_eq!(posterior.kind, ProbabilityKind::Probability);
    close(&posterior, at_one / (at_one + 0.15));
    let at_two = 0.4 * (-2.0_f64).exp();
    let two_points = answer(REAL, "P(x = 1 | x in {1, 2})");
    assert_eq!(two_points.kind, ProbabilityKind::Probability);
    close(&two_points, (at_one + 0.15) / (at_one + at_two + 0.3));
}

#[test]
fn a_point_weighs_nothing_beside_an_interval() {
    let either = answer(REAL, "P(x = 1 || rain)");
    assert_eq!(either.kind, ProbabilityKind::Probability);
    close(&either, 0.4);
    close(&answer(REAL, "P(x = 1 && !rain | x = 1 || rain)"), 0.0);
}

#[test]
fn what_has_no_answer_says_why() {
    let impossible = answer(DISCRETE, "P(wet | rain && !rain)");
    assert_eq!(impossible.log, Err(QueryFailure::ImpossibleGiven));
    let outside = answer(REAL, "P(rain | x < 0)");
    assert_eq!(outside.log, Err(QueryFailure::ImpossibleGiven));
    let mixed = answer(REAL, "P(x = 1 || y = 1)");
    assert_eq!(mixed.log, Err(QueryFailure::MixedDensities));
    let clauses: Vec<String> = (0..14).map(|i| format!("(a[{i}] || b[{i}])")).collect();
    let model = "var a[0..14], b[0..14] : bool;
        root prod i in 0..14 { a[i] ~ bernoulli(0.5) * b[i] ~ bernoulli(0.5) };";
    let many = answer(model, &format!("P({})", clauses.join(" && ")));
    assert_eq!(many.log, Err(QueryFailure::TooManyParts));
    assert!(many.to_string().contains("too many combinations"));
    assert!(many.to_json()["value"].is_null());
}

#[test]
fn nothing_is_answered_before_training() {
    let circuit = circuit("var a : bool; root ?: a + ?: !a; query P(a);");
    assert!(answer_all(&circuit).is_empty());
}
