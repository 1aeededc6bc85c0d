//! Answers to `query P(event | given)`.

use crate::boxes::{self, Box};
use crate::evidence::{Evidence, Known, log_mass};
use pelton_compiler::circuit::{Circuit, Event, Query, Value, ValueSet, VarId};
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

/// Why a query has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// What is given has probability 0.
    ImpossibleGiven,
    /// The events fall into more boxes than are worth a pass each.
    TooManyParts,
    /// Exact values of different real variables: their densities have no common unit.
    MixedDensities,
}

impl std::fmt::Display for Gap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Gap::ImpossibleGiven => "is undefined: what is given has probability 0",
            Gap::TooManyParts => "is not answered: its events have too many combinations",
            Gap::MixedDensities => "is undefined: it adds densities of different variables",
        })
    }
}

/// The answer to one query.
#[derive(Clone, Debug, PartialEq)]
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
    let event = boxes::disjoint_boxes(circuit, &query.event).ok_or(Gap::TooManyParts)?;
    let given = boxes::disjoint_boxes(circuit, &query.given).ok_or(Gap::TooManyParts)?;
    let given = Region::of(circuit, &given)?;
    let both: Vec<Box> = event
        .iter()
        .flat_map(|event| {
            given
                .parts
                .iter()
                .filter_map(|g| boxes::intersect(event, g))
        })
        .collect();
    let both = Region::of(circuit, &both)?;
    let log_given = given.log_mass(circuit, values);
    if log_given == f64::NEG_INFINITY {
        return Err(Gap::ImpossibleGiven);
    }
    let kind = match both.points.len() > given.points.len() {
        true => Kind::Density,
        false => Kind::Probability,
    };
    Ok((both.log_mass(circuit, values) - log_given, kind))
}

/// The parts of an event that count, which do not overlap: where single points of real
/// variables are among intervals, the points have no mass.
pub fn parts(circuit: &Circuit, event: &Event) -> Result<Vec<Box>, Gap> {
    let boxes = boxes::disjoint_boxes(circuit, event).ok_or(Gap::TooManyParts)?;
    Ok(Region::of(circuit, &boxes)?.parts)
}

/// Boxes that do not overlap and give the same real variables exact values.
struct Region {
    parts: Vec<Box>,
    /// The variables with exact values: the mass is a density with respect to them.
    points: Vec<VarId>,
}

impl Region {
    /// The boxes that count: those with more exact values than others have no
    /// mass beside them.
    fn of(circuit: &Circuit, boxes: &[Box]) -> Result<Region, Gap> {
        let parts = boxes::with_single_points(circuit, boxes).ok_or(Gap::TooManyParts)?;
        let with_points = parts.into_iter().map(|part| (points(circuit, &part), part));
        let mut with_points: Vec<(Vec<VarId>, Box)> = with_points.collect();
        let fewest = with_points.iter().map(|(points, _)| points.len()).min();
        with_points.retain(|(points, _)| Some(points.len()) == fewest);
        let (all_points, parts): (Vec<_>, Vec<_>) = with_points.into_iter().unzip();
        let points = all_points.first().cloned().unwrap_or_default();
        match all_points.iter().all(|other| *other == points) {
            true => Ok(Region { parts, points }),
            false => Err(Gap::MixedDensities),
        }
    }

    /// The logarithm of the probability, or of the density at exact values.
    fn log_mass(&self, circuit: &Circuit, values: &[Value]) -> f64 {
        let parts = self.parts.iter();
        log_sum_exp(parts.map(|part| box_mass(circuit, values, part)))
    }
}

/// The real variables to which a box gives an exact value, ascending.
fn points(circuit: &Circuit, part: &Box) -> Vec<VarId> {
    let exact = part
        .iter()
        .filter(|(variable, set)| point_of(circuit, **variable, set).is_some());
    exact.map(|(&variable, _)| variable).collect()
}

fn box_mass(circuit: &Circuit, values: &[Value], part: &Box) -> f64 {
    let mut evidence = Evidence::none(circuit);
    for (&variable, set) in part {
        let known = match point_of(circuit, variable, set) {
            Some(x) => Known::Point(x),
            None => Known::In(set.clone()),
        };
        evidence.set(variable, known);
    }
    log_mass(circuit, values, &evidence)
}

/// The single real value of a set, if it is one: its probability would be 0.
fn point_of(circuit: &Circuit, variable: VarId, set: &ValueSet) -> Option<f64> {
    let is_real = !circuit.variable(variable).domain.is_discrete();
    match set.runs() {
        [(low, high)] if is_real && low.value() == high.value() => Some(low.value()),
        _ => None,
    }
}
