//! Answers to `query P(event | given)`.

use super::boxes::{self, Box};
use super::region::Region;
use crate::information::mentioned;
use crate::tractability::{ZERO_EVIDENCE, ZERO_MASS};
use pelton_compiler::circuit::{Circuit, Event, Query, Value};
use pelton_grammar::remedy::{RemedyOption, RemedyText};
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

/// Why a query has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// What is given has probability 0.
    ImpossibleGiven,
    /// The circuit is zero for every input.
    ZeroMass,
    /// The events fall into more boxes than are worth a pass each.
    TooManyParts,
    /// Exact values of different real variables: their densities have no common unit.
    MixedDensities,
    /// A variable that is asked about is not mentioned by the circuit, which has then no
    /// distribution over it.
    Unmentioned,
    /// A distribution to draw from has mass on values that are too large to be kept.
    TooLarge,
}

impl Gap {
    /// Why nothing that is given is possible.
    pub fn of_given(given: &Event) -> Gap {
        match given.variables().next() {
            Some(_) => Gap::ImpossibleGiven,
            None => Gap::ZeroMass,
        }
    }

    /// The gap as a sentence of its own, for questions that have no text.
    pub fn sentence(self) -> RemedyText {
        let text = match self {
            Gap::ImpossibleGiven => ZERO_EVIDENCE,
            Gap::ZeroMass => ZERO_MASS,
            Gap::TooManyParts => {
                "what is known has too many combinations of events; join fewer of them by `||`"
            }
            Gap::Unmentioned => {
                "what is known is about a variable that no unit mentions, and of which the \
                 circuit says nothing"
            }
            Gap::TooLarge => {
                "a distribution has mass where samples end, which are integers below 2^53 \
                 (9007199254740992) and reals up to 1.8e308; truncate it"
            }
            Gap::MixedDensities => {
                "what is known adds densities of different variables, which have no common \
                 unit; use intervals instead of exact values"
            }
        };
        match self {
            Gap::TooLarge => RemedyText::from(text).or(RemedyOption::BoundByEvidence),
            _ => text.into(),
        }
    }
}

impl std::fmt::Display for Gap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Gap::ImpossibleGiven => return write!(f, "is undefined: {ZERO_EVIDENCE}"),
            Gap::ZeroMass => return write!(f, "is undefined: {ZERO_MASS}"),
            Gap::TooManyParts => {
                "is not answered: its events have too many combinations; join fewer of them by `||`"
            }
            Gap::TooLarge => "is not answered: values that are too large would have to be drawn",
            Gap::MixedDensities => "is undefined: it adds densities of different variables",
            Gap::Unmentioned => {
                "is not answered: it asks about a variable that no unit mentions, and of which \
                 the circuit says nothing"
            }
        })
    }
}

/// The answer to one query.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Answer {
    /// The query as written.
    pub query: String,
    /// Natural logarithm of the answer, or why there is none.
    pub log: Result<f64, Gap>,
    /// What the number is.
    pub kind: Kind,
}

impl Answer {
    /// The number itself.
    pub fn value(&self) -> Option<f64> {
        self.log.ok().map(f64::exp)
    }

    /// `{"query", "value", "log", "kind"}`; numbers that are not finite are null.
    pub fn to_json(&self) -> serde_json::Value {
        json!({
            "query": self.query,
            "value": self.value(),
            "log": self.log.ok().filter(|log| log.is_finite()),
            "kind": self.kind.name(),
        })
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let query = &self.query;
        match (self.log.map(f64::exp), self.kind) {
            (Err(gap), _) => write!(f, "{query} {gap}"),
            // Six decimals would show what is rare as impossible.
            (Ok(value), Kind::Probability) if 0.0 < value && value < 1e-4 => {
                write!(f, "{query} = {value:.6e}")
            }
            (Ok(value), Kind::Probability) => write!(f, "{query} = {value:.6}"),
            (Ok(value), Kind::Density) => write!(f, "{query} = {value:.6e} (density)"),
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
    let (log, kind) = match ratio(circuit, values, query) {
        Ok((log, kind)) => (Ok(log), kind),
        Err(gap) => (Err(gap), Kind::Probability),
    };
    Answer {
        query: query.text.clone(),
        log,
        kind,
    }
}

fn ratio(circuit: &Circuit, values: &[Value], query: &Query) -> Result<(f64, Kind), Gap> {
    let given = Region::of(circuit, boxes_of(circuit, &query.given)?)?;
    let both = both_boxes(circuit, &query.event, &given.parts)?;
    let both = both.into_iter().map(|(part, _)| part).collect();
    let both = Region::of(circuit, both)?;
    let log_given = given.log_mass(circuit, values);
    if log_given.is_zero() {
        return Err(Gap::of_given(&query.given));
    }
    let kind = match both.points.len() > given.points.len() {
        true => Kind::Density,
        false => Kind::Probability,
    };
    Ok((both.log_mass(circuit, values).over(log_given), kind))
}

/// The boxes in which an event holds together with one of these boxes, and which one
/// that is. None overlap if the given ones do not.
pub(super) fn both_boxes(
    circuit: &Circuit,
    event: &Event,
    given: &[Box],
) -> Result<Vec<(Box, usize)>, Gap> {
    let event = boxes_of(circuit, event)?;
    let pairs = event
        .iter()
        .flat_map(|event| given.iter().enumerate().map(move |given| (event, given)));
    let both: Vec<(Box, usize)> = pairs
        .filter_map(|(event, (at, given))| Some((boxes::intersect(event, given)?, at)))
        .take(boxes::MOST + 1)
        .collect();
    match both.len() > boxes::MOST {
        true => Err(Gap::TooManyParts),
        false => Ok(both),
    }
}

/// An event as boxes that do not overlap, each real variable with exact values at one.
pub(super) fn boxes_of(circuit: &Circuit, event: &Event) -> Result<Vec<Box>, Gap> {
    let mentioned = mentioned(circuit);
    if event
        .variables()
        .any(|variable| mentioned.binary_search(&variable).is_err())
    {
        return Err(Gap::Unmentioned);
    }
    boxes::disjoint_boxes(circuit, event)
        .and_then(|parts| boxes::with_single_points(circuit, &parts))
        .ok_or(Gap::TooManyParts)
}
