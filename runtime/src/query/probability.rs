//! Probabilities and densities of events, given others: `P(event | given)`.

mod rows;

pub(super) use rows::log_masses;
pub use rows::{RowAnswer, answer_rows, log_conditionals};

use super::QueryFailure;
use super::boxes::{boxes_of, comparable, given_boxes, row_log};
use pelton_compiler::circuit::{CircuitGraph, DeclaredQuery, Event, ParameterValue};
use pelton_compiler::evidence::{MOST_BOXES, ValueBox};
use pelton_compiler::reference::RowLog;

/// Whether a number is a probability or a density.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbabilityKind {
    /// Between 0 and 1.
    Probability,
    /// With respect to the real variables that were given exact values.
    Density,
}

impl ProbabilityKind {
    /// Of what is a density, or is none.
    pub fn of(is_density: bool) -> Self {
        if is_density {
            ProbabilityKind::Density
        } else {
            ProbabilityKind::Probability
        }
    }

    /// The word in reports and JSON.
    pub fn name(self) -> &'static str {
        match self {
            ProbabilityKind::Probability => "probability",
            ProbabilityKind::Density => "density",
        }
    }
}

/// The answer to one query.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryAnswer {
    /// The query as written.
    pub query: String,
    /// Natural logarithm of the answer, or why there is none.
    pub log: Result<f64, QueryFailure>,
    /// What the number is.
    pub kind: ProbabilityKind,
}

impl QueryAnswer {
    /// The number itself.
    pub fn value(&self) -> Option<f64> {
        self.log.ok().map(f64::exp)
    }

    /// The same without the text.
    pub fn row(&self) -> RowAnswer {
        let (log, kind) = (self.log, self.kind);
        RowAnswer { log, kind }
    }

    /// As an object of JSON; see [`RowAnswer::to_json`].
    pub fn to_json(&self) -> serde_json::Value {
        self.row().to_json(&self.query).into()
    }
}

impl std::fmt::Display for QueryAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let query = &self.query;
        match (self.log.map(f64::exp), self.kind) {
            (Err(gap), _) => write!(f, "{query} {gap}"),
            // Six decimals would show what is rare as impossible.
            (Ok(value), ProbabilityKind::Probability) if 0.0 < value && value < 1e-4 => {
                write!(f, "{query} = {value:.6e}")
            }
            (Ok(value), ProbabilityKind::Probability) => write!(f, "{query} = {value:.6}"),
            (Ok(value), ProbabilityKind::Density) => write!(f, "{query} = {value:.6e} (density)"),
        }
    }
}

/// Answers every query of the circuit's file; nothing while a learned parameter has no value yet.
pub fn answer_all(circuit: &CircuitGraph) -> Vec<QueryAnswer> {
    let mut entries = circuit.all_entries().iter();
    if entries.any(|entry| entry.value.is_none()) {
        return Vec::new();
    }
    let values = circuit.start_values();
    let answer = |query| answer(circuit, &values, query);
    circuit.queries().iter().map(answer).collect()
}

/// `P(event | given)`: the mass of both over the mass of what is given.
///
/// Linear in edges for each box of the events.
pub fn answer(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    query: &DeclaredQuery,
) -> QueryAnswer {
    let (log, kind) = match ratio(circuit, values, query) {
        Ok((log, kind)) => (Ok(log), kind),
        Err(gap) => (Err(gap), ProbabilityKind::Probability),
    };
    QueryAnswer {
        query: query.text.clone(),
        log,
        kind,
    }
}

fn ratio(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    query: &DeclaredQuery,
) -> Result<(f64, ProbabilityKind), QueryFailure> {
    let given = given_boxes(circuit, &query.given)?;
    let both = both_boxes(circuit, &query.event, &given)?;
    let both = comparable(circuit, both.into_iter().map(|(part, _)| part).collect())?;
    // The boxes of either give exact values to as many variables.
    let exact = |part: &ValueBox| part.exact_variables(circuit).len();
    let n_exact = |boxes: &[ValueBox]| boxes.first().map_or(0, exact);
    let log_of = |boxes: &[ValueBox]| {
        let logs = boxes.iter().map(|part| row_log(circuit, values, part));
        RowLog::sum(logs.collect::<Vec<_>>())
    };
    let log_given = log_of(&given);
    if log_given.is_zero() {
        return Err(QueryFailure::of_given(&query.given));
    }
    let kind = ProbabilityKind::of(n_exact(&both) > n_exact(&given));
    Ok((log_of(&both).over(log_given), kind))
}

/// The boxes in which an event holds together with one of these boxes, and which one
/// that is. None overlap if the given ones do not.
fn both_boxes(
    circuit: &CircuitGraph,
    event: &Event,
    given: &[ValueBox],
) -> Result<Vec<(ValueBox, usize)>, QueryFailure> {
    let event = boxes_of(circuit, event)?;
    let both = event.iter().flat_map(|event| {
        let given = given.iter().enumerate();
        given.filter_map(|(at, given)| Some((event.intersect(given)?, at)))
    });
    let both: Vec<(ValueBox, usize)> = both.take(MOST_BOXES + 1).collect();
    if both.len() > MOST_BOXES {
        return Err(QueryFailure::TooManyParts);
    }
    Ok(both)
}
