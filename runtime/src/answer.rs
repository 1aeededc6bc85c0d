//! Answers to `query P(event | given)`.

use crate::boxes::{self, Box};
use crate::evidence::{Evidence, Known, log_mass};
use pelton_compiler::circuit::{Circuit, Query, Value};
use pelton_compiler::leaf::log_sum_exp;
use serde_json::json;

/// Whether a number is a probability or a density.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Between 0 and 1.
    Probability,
    /// With respect to the real variables that were given exact values.
    Density,
}

impl Kind {
    /// The word in reports and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Probability => "probability",
            Kind::Density => "density",
        }
    }
}

/// The answer to one query.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The query as written.
    pub query: String,
    /// Natural logarithm of the answer; `None` if what is given has probability
    /// 0, or the event has too many parts.
    pub log: Option<f64>,
    /// What the number is.
    pub kind: Kind,
}

impl Answer {
    /// The number itself.
    pub fn value(&self) -> Option<f64> {
        self.log.map(f64::exp)
    }

    /// `{"query", "value", "log", "kind"}`; numbers that are not finite are null.
    pub fn to_json(&self) -> serde_json::Value {
        json!({
            "query": self.query,
            "value": self.value(),
            "log": self.log.filter(|log| log.is_finite()),
            "kind": self.kind.name(),
        })
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.value(), self.kind) {
            (None, _) => write!(
                f,
                "{} is undefined: what is given has probability 0",
                self.query
            ),
            (Some(value), Kind::Probability) => write!(f, "{} = {value:.6}", self.query),
            (Some(value), Kind::Density) => write!(f, "{} = {value:.6e} (density)", self.query),
        }
    }
}

/// Answers every query of the circuit's file; nothing while a learned parameter has no value yet.
pub fn answer_all(circuit: &Circuit) -> Vec<Answer> {
    let untrained = circuit
        .all_entries()
        .iter()
        .any(|entry| entry.value.is_none());
    if untrained {
        return Vec::new();
    }
    let values = circuit.start_values();
    let queries = circuit.queries().iter();
    queries
        .map(|query| answer(circuit, &values, query))
        .collect()
}

/// `P(event | given)`: the mass of both over the mass of what is given.
///
/// Linear in edges for each box of the events.
pub fn answer(circuit: &Circuit, values: &[Value], query: &Query) -> Answer {
    let event = boxes::disjoint_boxes(circuit, &query.event);
    let given = boxes::disjoint_boxes(circuit, &query.given);
    let mut kind = Kind::Probability;
    let log = event.zip(given).and_then(|(event, given)| {
        let both: Vec<Box> = event
            .iter()
            .flat_map(|event| {
                given
                    .iter()
                    .filter_map(|given| boxes::intersect(event, given))
            })
            .collect();
        if both.iter().any(|part| has_new_point(circuit, part, &given)) {
            kind = Kind::Density;
        }
        let total = total_mass(circuit, values, &given);
        (total > f64::NEG_INFINITY).then(|| total_mass(circuit, values, &both) - total)
    });
    Answer {
        query: query.text.clone(),
        log,
        kind,
    }
}

/// Whether a box fixes a real variable to a point that what is given leaves open.
fn has_new_point(circuit: &Circuit, part: &Box, given: &[Box]) -> bool {
    let is_point = |part: &Box, variable| {
        part.get(&variable)
            .is_some_and(|set| point_of(circuit, variable, set).is_some())
    };
    part.keys().any(|&variable| {
        let is_real = !circuit.variable(variable).domain.is_discrete();
        let given_point = given.iter().all(|given| is_point(given, variable)) && !given.is_empty();
        is_real && is_point(part, variable) && !given_point
    })
}

fn total_mass(circuit: &Circuit, values: &[Value], parts: &[Box]) -> f64 {
    log_sum_exp(parts.iter().map(|part| {
        let mut evidence = Evidence::none(circuit);
        for (&variable, set) in part {
            let known = match point_of(circuit, variable, set) {
                Some(x) => Known::Point(x),
                None => Known::In(set.clone()),
            };
            evidence.set(variable, known);
        }
        log_mass(circuit, values, &evidence)
    }))
}

/// The single real value of a set, if it is one: its probability would be 0.
fn point_of(
    circuit: &Circuit,
    variable: pelton_compiler::circuit::VarId,
    set: &pelton_compiler::circuit::ValueSet,
) -> Option<f64> {
    let is_real = !circuit.variable(variable).domain.is_discrete();
    match set.runs() {
        [(low, high)] if is_real && low.value() == high.value() => Some(low.value()),
        _ => None,
    }
}
