//! Random Bayesian networks, as `.uai` and as `.bif`.

use crate::reading::{circuit, error, is_close, mass, notes, value};
use pelton_compiler::circuit::{CircuitGraph, Property};
use pelton_compiler::reference::assignments;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write;

const ALL: [Property; 4] = [
    Property::Smooth,
    Property::Decomposable,
    Property::Deterministic,
    Property::Normalized,
];

/// A network: the parents of each variable, and a row of probabilities for each of
/// their assignments, the last parent running fastest.
struct Network {
    n_values: Vec<usize>,
    parents: Vec<Vec<usize>>,
    tables: Vec<Vec<Vec<f64>>>,
}

impl Network {
    fn random(rng: &mut ChaCha8Rng) -> Self {
        let n = rng.random_range(1..=6);
        let n_values: Vec<usize> = (0..n)
            .map(|_| [2, 2, 3, 4, 1][rng.random_range(0..5)])
            .collect();
        // A random order, so that parents are not always those with the smaller numbers.
        let mut order: Vec<usize> = (0..n).collect();
        for at in (1..n).rev() {
            order.swap(at, rng.random_range(0..=at));
        }
        let mut parents = vec![Vec::new(); n];
        let mut tables = vec![Vec::new(); n];
        for (at, &child) in order.iter().enumerate() {
            for &parent in &order[..at] {
                if parents[child].len() < 3 && rng.random_bool(0.5) {
                    parents[child].push(parent);
                }
            }
            let n_rows: usize = parents[child]
                .iter()
                .map(|&p: &usize| n_values[p])
                .product();
            tables[child] = (0..n_rows).map(|_| row(n_values[child], rng)).collect();
        }
        Network {
            n_values,
            parents,
            tables,
        }
    }

    fn probability(&self, assignment: &[f64]) -> f64 {
        let of = |child: usize| {
            let mut row = 0;
            for &parent in &self.parents[child] {
                row = row * self.n_values[parent] + assignment[parent] as usize;
            }
            self.tables[child][row][assignment[child] as usize]
        };
        (0..self.n_values.len()).map(of).product()
    }

    fn uai(&self) -> String {
        let n = self.n_values.len();
        let mut text = format!("BAYES\n{n}\n{}\n{n}\n", words(&self.n_values));
        for child in 0..n {
            let mut scope = self.parents[child].clone();
            scope.push(child);
            writeln!(text, "{} {}", scope.len(), words(&scope)).expect("a string takes any text");
        }
        for table in &self.tables {
            let cells: Vec<f64> = table.iter().flatten().copied().collect();
            writeln!(text, "\n{}\n {}", cells.len(), words(&cells))
                .expect("a string takes any text");
        }
        text
    }

    /// Rows, or a table in which the child runs slowest.
    fn bif(&self, with_tables: bool) -> String {
        let mut text = String::from("network \"a, b\" { property x = 1; }\n");
        for (at, n) in self.n_values.iter().enumerate() {
            let values: Vec<String> = (0..*n).map(|v| format!("s{v}")).collect();
            let values = values.join(", ");
            writeln!(
                text,
                "variable X{at} {{ // one\r\n type discrete [ {n} ] {{ {values} }};\r\n}}"
            )
            .expect("a string takes any text");
        }
        for (child, rows) in self.tables.iter().enumerate() {
            let parents: Vec<String> = self.parents[child]
                .iter()
                .map(|p| format!("X{p}"))
                .collect();
            let bar = if parents.is_empty() { "" } else { " | " };
            writeln!(
                text,
                "probability ( X{child}{bar}{} ) {{ /* rows */",
                parents.join(", ")
            )
            .expect("a string takes any text");
            if with_tables || parents.is_empty() {
                let cells = (0..self.n_values[child])
                    .flat_map(|v| rows.iter().map(move |r| r[v].to_string()));
                writeln!(text, "  table {};", cells.collect::<Vec<_>>().join(", "))
                    .expect("a string takes any text");
            } else {
                self.write_rows(child, &mut text);
            }
            text.push_str("}\n");
        }
        text
    }

    fn write_rows(&self, child: usize, text: &mut String) {
        for (mut at, row) in self.tables[child].iter().enumerate() {
            let mut values = Vec::new();
            for &parent in self.parents[child].iter().rev() {
                values.push(format!("s{}", at % self.n_values[parent]));
                at /= self.n_values[parent];
            }
            values.reverse();
            let cells: Vec<String> = row.iter().map(f64::to_string).collect();
            writeln!(text, "  ({}) {};", values.join(", "), cells.join(", "))
                .expect("a string takes any text");
        }
    }
}

fn words<T: ToString>(items: &[T]) -> String {
    let words: Vec<String> = items.iter().map(T::to_string).collect();
    words.join(" ")
}

/// Probabilities that add up to 1, some of them 0.
fn row(n: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
    let mut row: Vec<f64> = (0..n)
        .map(|_| {
            if rng.random_bool(0.3) {
                0.0
            } else {
                rng.random::<f64>()
            }
        })
        .collect();
    if row.iter().sum::<f64>() == 0.0 {
        row[rng.random_range(0..n)] = 1.0;
    }
    let total: f64 = row.iter().sum();
    row.iter().map(|p| p / total).collect()
}

fn has_the_probabilities(circuit: &CircuitGraph, network: &Network, text: &str) {
    let all = assignments(circuit, 1 << 14).expect("the network is small");
    for assignment in all {
        let (found, meant) = (
            value(circuit, &assignment),
            network.probability(&assignment),
        );
        assert!(
            is_close(found, meant),
            "{found} for {meant} at {assignment:?} in {text}"
        );
    }
    assert!(is_close(mass(circuit), 1.0), "{} in {text}", mass(circuit));
}

#[test]
fn networks_have_the_probabilities_of_their_tables() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..60 {
        let network = Network::random(&mut rng);
        let uai = network.uai();
        has_the_probabilities(&circuit("net.uai", &uai, &ALL), &network, &uai);
        let bif = network.bif(rng.random_bool(0.5));
        has_the_probabilities(&circuit("net.bif", &bif, &ALL), &network, &bif);
    }
}

/// Lauritzen and Spiegelhalter's example: probabilities computed by hand from its tables.
#[test]
fn asia_has_its_probabilities() {
    let text = include_str!("../data/networks/uai_asia.uai");
    let circuit = circuit("asia.uai", text, &ALL);
    let first = 0.5 * 0.01 * 0.6 * 0.1 * 0.05 * 1.0 * 0.98 * 0.9;
    assert!(is_close(value(&circuit, &[0.0; 8]), first));
    let mut smokes = [f64::NAN; 8];
    smokes[2] = 0.0;
    assert!(is_close(value(&circuit, &smokes), 0.5 * 0.6 + 0.5 * 0.3));
}

#[test]
fn weights_are_the_numbers_of_the_file_where_they_can_be() {
    let text = "BAYES\n3\n2 2 3\n3\n1 0\n2 0 1\n2 1 2\n2\n0.3 0.7\n4\n0.1 0.9 0.45 0.55\n6\n0.2 0.3 0.5 0.6 0.3 0.1\n";
    let circuit = circuit("chain.uai", text, &ALL);
    let mut weights: Vec<f64> = circuit
        .all_entries()
        .iter()
        .map(|e| e.value.unwrap().linear())
        .collect();
    weights.sort_by(f64::total_cmp);
    weights.dedup();
    assert_eq!(weights, [0.1, 0.2, 0.3, 0.45, 0.5, 0.55, 0.6, 0.7, 0.9]);
}

#[test]
fn rounded_rows_are_scaled_and_said_so() {
    let text = "BAYES\n1\n3\n1\n1 0\n3\n0.33 0.33 0.33\n";
    let found = notes("net.uai", text);
    assert_eq!(
        found,
        ["probabilities were scaled to add up to 1; the largest difference was 1.0e-2"]
    );
    assert!(is_close(mass(&circuit("net.uai", text, &ALL)), 1.0));
}

#[test]
fn names_of_any_form_come_back() {
    let text = "network x {}\nvariable \"in\" { type discrete [ 2 ] { true, \"1\\2\" }; }\n\
        variable a-b { type discrete [ 2 ] { <5, >=5 }; }\n\
        variable x[3] { type discrete[2]{yes,no}; property \"p ; q\" ; }\n"
        .replace("x[3]", "\"x[3]\"");
    let rows = "probability (\"in\") { default 0.5 0.5; }\nprobability (a-b | \"in\") { (true) 1 0; default 0.25 0.75; }\n\
        probability (\"x[3]\" | a-b \"in\") { default 0.5, 0.5; (>=5, true) 0, 1; table 9 9 9; }\n";
    let circuit = circuit("net.bif", &(text + rows), &ALL);
    let names: Vec<&str> = circuit
        .variables()
        .iter()
        .map(|v| v.name.as_str())
        .collect();
    assert_eq!(names, ["in", "a-b", "x[3]"]);
    assert!(is_close(
        value(&circuit, &[1.0, 1.0, 0.0]),
        0.5 * 0.75 * 0.5
    ));
}

#[test]
fn cycles_are_reported() {
    let text = "BAYES\n2\n2 2\n2\n2 1 0\n2 0 1\n4\n.5 .5 .5 .5\n4\n.5 .5 .5 .5\n";
    assert_eq!(
        error("net.uai", text),
        "`x[0]` depends on itself: `x[0]` depends on `x[1]` depends on `x[0]`"
    );
}
