//! Questions about reals, counts and large domains against the plain reference.

use crate::kit::model;
use pelton_compiler::circuit::{Cut, DeclaredQuery, Event, ValueSet, VarId};
use pelton_runtime::data::Table;
use pelton_runtime::query::{
    MapOptions, Posterior, ProbabilityKind, QueryFailure, answer, answer_rows, ask, ask_given,
    marginals, most_probable,
};

const MIXED: &str = "
    var rain : bool;
    var sky : {clear, cloudy, storm};
    var x, y : real;
    var n : nat;
    var a, b : 0..40;
    var big : 0..1000000;
    node one = x ~ normal(1, 2) * y ~ gamma(2, 1) * n ~ poisson(3) * big ~ poisson(50) in 0..1000000;
    node two = x ~ normal(4, 1) in [3, 9) * y ~ exponential(0.5) * n ~ geometric(0.2) * big ~ uniform();
    node low = a ~ binomial(39, 0.2) * b ~ binomial(39, 0.2);
    node high = a ~ binomial(39, 0.7) * b ~ binomial(39, 0.2);
    root 0.3: rain * sky ~ categorical(0.1, 0.2, 0.7) * one * low
       + 0.5: !rain * sky ~ categorical(0.5, 0.3, 0.2) * two * high
       + 1.2: rain ~ bernoulli(0.6) * [sky in {clear, cloudy}] * one * high;
";

const NAN: f64 = f64::NAN;

/// Rows with gaps of every kind.
fn rows() -> Vec<Vec<f64>> {
    vec![
        vec![NAN; 8],
        vec![1.0, NAN, NAN, NAN, NAN, NAN, NAN, NAN],
        vec![NAN, 2.0, 3.5, NAN, 4.0, NAN, 7.0, NAN],
        vec![0.0, NAN, NAN, 1.25, NAN, 30.0, NAN, 48.0],
        vec![NAN, 1.0, 5.0, 0.3, 0.0, NAN, NAN, NAN],
    ]
}

/// A row as an event that is given.
fn as_event(table_row: &[f64]) -> Vec<Event> {
    let known = table_row.iter().enumerate().filter(|(_, x)| !x.is_nan());
    known
        .map(|(at, &x)| {
            let is_discrete = at != 2 && at != 3;
            Event::In(VarId::new(at), ValueSet::point(x, is_discrete))
        })
        .collect()
}

#[test]
fn rows_are_answered_as_single_questions_are() {
    let model = model(MIXED);
    let parameters = model.start_parameters();
    let table = Table::from_assignments(model.circuit(), &rows());
    let texts = [
        "P(rain)",
        "P(x <= 4 | sky != storm)",
        "P(x in [2, 5) && y > 1 || n >= 3 | rain || big < 60)",
        "P(a in 3..9, b < 12 | a != 7)",
        "P(!(2 < x <= 4), big >= 45)",
        "P(rain | x = 3.5)",
        "P(x = 3.5)",
        "P(y = 1.25 || y = 2 | sky = clear)",
        "P(x = 3.5 || rain)",
    ];
    let queries: Vec<DeclaredQuery> = texts
        .map(|text| ask(model.circuit(), text).unwrap())
        .to_vec();
    let found = answer_rows(&model, &parameters, &queries, &table, 2);
    let mut n_answers = 0;
    for (query, found) in queries.iter().zip(found) {
        for (row, found) in rows().iter().zip(found) {
            let mut given = as_event(row);
            given.push(query.given.clone());
            let single = DeclaredQuery {
                given: Event::And(given),
                ..query.clone()
            };
            let expected = answer(model.circuit(), parameters.values(), &single);
            match (found.log, expected.log) {
                (Ok(log), Ok(expected)) => {
                    let is_close = (log.exp() - expected.exp()).abs() < 1e-9;
                    assert!(
                        is_close,
                        "{} {row:?}: {} {}",
                        query.text,
                        log.exp(),
                        expected.exp()
                    );
                    n_answers += 1;
                }
                (found, expected) => assert_eq!(found, expected, "{} {row:?}", query.text),
            }
            assert_eq!(found.kind, expected.kind, "{} {row:?}", query.text);
        }
    }
    assert!(n_answers > 35, "{n_answers}");
}

#[test]
fn a_density_is_called_one_only_where_the_row_does_not_know() {
    let model = model(MIXED);
    let table = Table::from_assignments(model.circuit(), &rows());
    let query = [ask(model.circuit(), "P(x = 3.5)").unwrap()];
    let found = answer_rows(&model, &model.start_parameters(), &query, &table, 1).remove(0);
    assert_eq!(
        (found[0].kind, found[2].kind),
        (ProbabilityKind::Density, ProbabilityKind::Probability)
    );
    assert!((found[2].log.unwrap()).abs() < 1e-12);
    assert_eq!(found[4].log, Ok(f64::NEG_INFINITY));
}

#[test]
fn marginals_of_numbers_are_what_integration_gives() {
    let model = model(MIXED);
    let parameters = model.start_parameters();
    let table = Table::from_assignments(model.circuit(), &rows()[..4]);
    for given in ["", "x < 5, n in [1, 6], a > 4", "rain || y > 2"] {
        let event = ask_given(model.circuit(), given).unwrap();
        let found = marginals(&model, &parameters, &event, &table, 2).unwrap();
        for (row, cells) in rows()[..4].iter().enumerate() {
            let mut all = as_event(cells);
            all.push(event.clone());
            let mass = |more: Vec<Event>| {
                let query = DeclaredQuery {
                    text: String::new(),
                    event: Event::And(more),
                    given: Event::And(all.clone()),
                    span: Default::default(),
                };
                answer(model.circuit(), parameters.values(), &query)
                    .log
                    .unwrap()
                    .exp()
            };
            if found.logs[row] == f64::NEG_INFINITY {
                assert_eq!((given, row), ("rain || y > 2", 3), "no other is impossible");
                continue;
            }
            for (at, step, low, n, is_discrete) in [
                (2, 0.05, -12.0, 640, false),
                (3, 0.05, 0.0, 800, false),
                (4, 1.0, 0.0, 80, true),
            ] {
                if !cells[at].is_nan() {
                    continue;
                }
                let (mut first, mut second) = (0.0, 0.0);
                for i in 0..n {
                    let from = low + f64::from(i) * step;
                    let set =
                        ValueSet::between(Cut::before(from), Cut::before(from + step), is_discrete);
                    let p = mass(vec![Event::In(VarId::new(at), set)]);
                    let x = if is_discrete { from } else { from + step / 2.0 };
                    first += p * x;
                    second += p * x * x;
                }
                let Posterior::Spread { mean, sd } = found.of(row, VarId::new(at)) else {
                    panic!("numbers have means");
                };
                let expected = (second - first * first).sqrt();
                assert!((mean - first).abs() < 0.01, "{given}: {mean} {first}");
                assert!((sd - expected).abs() < 0.02, "{given}: {sd} {expected}");
            }
            if let Posterior::Probabilities(p) = found.of(row, VarId::new(5)) {
                let total: f64 = p.iter().sum();
                assert!((total - 1.0).abs() < 1e-9);
                let seven = mass(vec![Event::In(VarId::new(5), ValueSet::point(7.0, true))]);
                assert!((p[7] - seven).abs() < 1e-9, "{given}: {} {seven}", p[7]);
            }
        }
    }
}

#[test]
fn the_mode_of_a_deterministic_circuit_is_exact_with_intervals_too() {
    let model = model(
        "var rain : bool; var x : real;
         root 0.4: rain * x ~ normal(3, 1) + 0.6: !rain * x ~ normal(8, 2);",
    );
    let table = Table::from_assignments(model.circuit(), &[vec![NAN, NAN]]);
    let find = |given: &str| {
        let event = ask_given(model.circuit(), given).unwrap();
        let options = MapOptions::default();
        let found = most_probable(&model, &model.start_parameters(), &event, &table, &options);
        found.unwrap().remove(0)
    };
    for (given, expected) in [
        ("", [1.0, 3.0]),
        ("x > 6", [0.0, 8.0]),
        ("x >= 9", [0.0, 9.0]),
        ("x <= 2", [1.0, 2.0]),
        ("!rain", [0.0, 8.0]),
    ] {
        let found = find(given).unwrap();
        assert_eq!(
            (found.values, found.is_exact),
            (expected.to_vec(), true),
            "{given}"
        );
    }
    assert_eq!(find("rain, !rain").map(|found| found.is_exact), None);
}

#[test]
fn what_cannot_be_answered_says_why() {
    let model = model(MIXED);
    let parameters = model.start_parameters();
    let table = Table::from_assignments(model.circuit(), &rows()[..1]);
    let find = |text: &str| {
        let query = [ask(model.circuit(), text).unwrap()];
        answer_rows(&model, &parameters, &query, &table, 1)[0][0].log
    };
    assert_eq!(find("P(x = 1 || y = 1)"), Err(QueryFailure::MixedDensities));
    assert_eq!(find("P(rain | y < 0)"), Err(QueryFailure::ImpossibleGiven));
    let nothing = Table::from_assignments(model.circuit(), &[]);
    let query = [ask(model.circuit(), "P(rain)").unwrap()];
    assert!(answer_rows(&model, &parameters, &query, &nothing, 1)[0].is_empty());
    for text in [
        "P(fog)",
        "P(sky = fog)",
        "P(x)",
        "P(",
        "Q(rain)",
        "",
        "P(x < y)",
    ] {
        let fault = ask(model.circuit(), text).unwrap_err();
        assert!(fault.found.has_errors(), "{text}");
    }
    assert!(ask_given(model.circuit(), "rain, sky =").is_err());
}
