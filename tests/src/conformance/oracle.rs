//! What calls should give, by the reference evaluation in double precision: discrete
//! variables are summed value by value, real ones integrated on a grid.

use super::{Binding, Outcome, rows, to_json};
use pelton_compiler::AnalysisOptions;
use pelton_compiler::circuit::{CircuitGraph, Domain, Event, ParameterValue};
use pelton_compiler::load::{FileLoader, SourceInput};
use pelton_compiler::lower::{ask, ask_given};
use pelton_compiler::reference::log_likelihood;
use pelton_formats::analyze;
use pelton_runtime::{ProbabilityKind, answer};
use serde_json::{Value as Json, json};

/// Where reals are looked at; leaves of the suite's circuits are narrow and near 0.
const GRID: (f64, f64, usize) = (-20.0, 20.0, 201);
/// Natural numbers that are looked at.
const MOST_COUNTS: usize = 120;

/// The reference.
pub struct Oracle {
    circuit: CircuitGraph,
    values: Vec<ParameterValue>,
}

impl Oracle {
    /// Reads a circuit; 1 if it is wrong.
    pub fn compile(text: &str) -> Result<Self, u8> {
        let input = SourceInput {
            name: "circuit".into(),
            path: None,
            bytes: text.into(),
        };
        let checked = analyze(input, &FileLoader, &AnalysisOptions::default()).into_checked();
        let circuit = checked.ok_or(1)?.into_circuit();
        Ok(Oracle {
            values: circuit.start_values(),
            circuit,
        })
    }

    /// The likelihood of a row: its value over the mass, which is that of a row without
    /// observations.
    fn log(&self, row: &[f64]) -> f64 {
        let value = |row: &[f64]| log_likelihood(&self.circuit, &self.values, row);
        let nothing = vec![f64::NAN; self.circuit.variables().len()];
        match value(&nothing) {
            mass if mass.abs() < 1e-9 => value(row),
            mass => value(row) - mass,
        }
    }

    /// Every state that agrees with a row and an event, and its weight: its probability, or
    /// density times the distance of points on the grid.
    fn states(&self, evidence: &[f64], given: &Event) -> Vec<(Vec<f64>, f64)> {
        let mut states = vec![(Vec::new(), 1.0)];
        for (variable, &known) in self.circuit.variables().iter().zip(evidence) {
            let points = points(&variable.domain, known);
            let longer = |(row, weight): &(Vec<f64>, f64)| {
                let (row, weight) = (row.clone(), *weight);
                let add = move |&(x, share): &(f64, f64)| {
                    let mut row = row.clone();
                    row.push(x);
                    (row, weight * share)
                };
                points.iter().map(add).collect::<Vec<_>>()
            };
            states = states.iter().flat_map(longer).collect();
        }
        states.retain(|(row, _)| holds(given, row));
        for (row, weight) in &mut states {
            *weight *= self.log(row).exp();
        }
        states
    }

    fn posterior(&self, evidence: &[f64], given: &Event) -> (f64, Vec<Vec<f64>>) {
        let states = self.states(evidence, given);
        let total: f64 = states.iter().map(|(_, weight)| weight).sum();
        let of = |(at, domain): (usize, &Domain)| match domain.size() {
            Some(size) => (0..size)
                .map(|code| {
                    let value = domain.first() + code as f64;
                    let own = states.iter().filter(|(row, _)| row[at] == value);
                    own.map(|(_, weight)| weight)
                        .fold(0.0, |sum, weight| sum + weight)
                        / total
                })
                .collect(),
            None => {
                let (mean, variance) = spread(&states, total, at);
                vec![mean, variance.max(0.0).sqrt()]
            }
        };
        let domains = self.circuit.variables().iter().map(|own| &own.domain);
        (total.ln(), domains.enumerate().map(of).collect())
    }

    fn given(&self, call: &Json) -> Result<Event, u8> {
        let text = call["given"].as_str().unwrap_or("");
        ask_given(&self.circuit, text).map_err(|_| 2)
    }
}

impl Binding for Oracle {
    fn make(&self, call: &Json) -> Outcome {
        let list = |numbers: Vec<f64>| -> Json { numbers.into_iter().map(to_json).collect() };
        match call["call"].as_str().unwrap_or_default() {
            "log_likelihood" => {
                let logs = rows(&call["rows"])
                    .iter()
                    .map(|row| self.log(row))
                    .collect();
                Ok(json!({ "logs": list(logs) }))
            }
            "log_conditional" => {
                let (rows, evidence) = (rows(&call["rows"]), rows(&call["evidence"]));
                let pairs = rows.iter().zip(&evidence);
                let logs = pairs
                    .map(|(row, given)| self.conditional(row, given))
                    .collect();
                Ok(json!({ "logs": list(logs) }))
            }
            "query" => {
                let question = call["question"].as_str().unwrap_or_default();
                let asked = ask(&self.circuit, question).map_err(|_| 2)?;
                let found = answer(&self.circuit, &self.values, &asked);
                let log = found.log.map_err(|_| 3)?;
                Ok(
                    json!({ "log": to_json(log), "is_density": found.kind == ProbabilityKind::Density }),
                )
            }
            "posteriors" => {
                let given = self.given(call)?;
                let rows = rows(&call["evidence"]);
                let (logs, numbers): (Vec<f64>, Vec<Vec<Vec<f64>>>) =
                    rows.iter().map(|row| self.posterior(row, &given)).unzip();
                let numbers = numbers
                    .into_iter()
                    .map(|row| row.into_iter().map(list).collect::<Json>());
                let numbers: Json = numbers.collect();
                Ok(json!({ "log_evidence": list(logs), "numbers": numbers }))
            }
            "map" => {
                let given = self.given(call)?;
                let best = |row: &Vec<f64>| {
                    let states = self.states(row, &given);
                    let total: f64 = states.iter().map(|(_, weight)| weight).sum();
                    let best = states.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
                    best.filter(|_| total > 0.0)
                        .map_or((vec![f64::NAN; row.len()], f64::NAN), |(values, weight)| {
                            (values, (weight / total).ln())
                        })
                };
                let rows = rows(&call["evidence"]);
                let (values, logs): (Vec<Vec<f64>>, Vec<f64>) = rows.iter().map(best).unzip();
                let values: Json = values.into_iter().map(list).collect();
                Ok(json!({ "values": values, "logs": list(logs) }))
            }
            "entropy" => {
                let states = self.all(&Event::And(Vec::new()));
                let possible = states.iter().filter(|(_, p)| *p > 0.0);
                let nats: f64 = possible.map(|(_, p)| -p * p.ln()).sum();
                Ok(json!({ "nats": nats }))
            }
            "moments" => {
                let states = self.all(&self.given(call)?);
                let total: f64 = states.iter().map(|(_, weight)| weight).sum();
                let variables = self.circuit.variables().iter().enumerate();
                let (means, variances) = variables
                    .map(|(at, own)| match own.domain {
                        Domain::Categories(_) => (f64::NAN, f64::NAN),
                        _ => spread(&states, total, at),
                    })
                    .unzip();
                Ok(json!({ "means": list(means), "variances": list(variances) }))
            }
            // What the text says needs no oracle.
            _ => Ok(call.clone()),
        }
    }
}

impl Oracle {
    fn all(&self, given: &Event) -> Vec<(Vec<f64>, f64)> {
        self.states(&vec![f64::NAN; self.circuit.variables().len()], given)
    }

    fn conditional(&self, row: &[f64], given: &[f64]) -> f64 {
        let log_given = self.log(given);
        let pairs = || row.iter().zip(given);
        if log_given == f64::NEG_INFINITY {
            return f64::NAN;
        }
        if pairs().any(|(x, y)| !x.is_nan() && !y.is_nan() && x != y) {
            return f64::NEG_INFINITY;
        }
        let both: Vec<f64> = pairs()
            .map(|(&x, &y)| if x.is_nan() { y } else { x })
            .collect();
        self.log(&both) - log_given
    }
}

/// Values of a variable with what each stands for.
fn points(domain: &Domain, known: f64) -> Vec<(f64, f64)> {
    if !known.is_nan() {
        return vec![(known, 1.0)];
    }
    match (domain, domain.size()) {
        (_, Some(size)) => (0..size)
            .map(|at| (domain.first() + at as f64, 1.0))
            .collect(),
        (Domain::Nat, _) => (0..MOST_COUNTS).map(|at| (at as f64, 1.0)).collect(),
        _ => {
            let (low, high, n) = GRID;
            let step = (high - low) / (n - 1) as f64;
            (0..n).map(|at| (low + at as f64 * step, step)).collect()
        }
    }
}

fn spread(states: &[(Vec<f64>, f64)], total: f64, at: usize) -> (f64, f64) {
    let mean = states
        .iter()
        .map(|(row, weight)| weight * row[at])
        .sum::<f64>()
        / total;
    let squares = states
        .iter()
        .map(|(row, weight)| weight * (row[at] - mean).powi(2));
    (mean, squares.sum::<f64>() / total)
}

fn holds(event: &Event, row: &[f64]) -> bool {
    match event {
        Event::In(variable, set) => set.contains(row[variable.index()]),
        Event::And(parts) => parts.iter().all(|part| holds(part, row)),
        Event::Or(parts) => parts.iter().any(|part| holds(part, row)),
    }
}
