//! Parts of circuits in the making: a unit times a factor.

use crate::circuit::{ChildEdge, CircuitBuilder, ParameterValue, SourceOrigin, UnitId};
use crate::leaf::log_sum_exp;
use pelton_grammar::source::Span;
use rustc_hash::FxHashMap;

/// A unit of the new circuit times a factor, which is kept as its logarithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ScaledUnit {
    /// The unit; none for a number.
    pub unit: Option<UnitId>,
    /// The logarithm of the factor.
    pub log_scale: f64,
}

impl ScaledUnit {
    /// Nothing: the number 0.
    pub const ZERO: ScaledUnit = ScaledUnit::number(f64::NEG_INFINITY);

    /// A number, by its logarithm.
    pub const fn number(log_scale: f64) -> ScaledUnit {
        ScaledUnit {
            unit: None,
            log_scale,
        }
    }

    /// A unit as it is.
    pub fn of(unit: UnitId) -> ScaledUnit {
        ScaledUnit {
            unit: Some(unit),
            log_scale: 0.0,
        }
    }

    /// The same times a further factor, which counts only if this is not zero.
    pub fn times(self, log_factor: f64) -> ScaledUnit {
        if self.is_zero() || log_factor == f64::NEG_INFINITY {
            ScaledUnit::ZERO
        } else {
            ScaledUnit {
                log_scale: self.log_scale + log_factor,
                ..self
            }
        }
    }

    pub fn is_zero(self) -> bool {
        self.log_scale == f64::NEG_INFINITY
    }
}

/// The product of parts over different variables. One unit stands for itself.
pub(super) fn product(
    builder: &mut CircuitBuilder,
    parts: impl IntoIterator<Item = (ScaledUnit, Span)>,
    origin: SourceOrigin,
) -> ScaledUnit {
    let mut log_scale = 0.0;
    let mut children = Vec::new();
    for (part, span) in parts {
        if part.is_zero() {
            return ScaledUnit::ZERO;
        }
        log_scale += part.log_scale;
        children.extend(part.unit.map(|unit| ChildEdge::factor(unit, span)));
    }
    let unit = match children[..] {
        [] => None,
        [only] => Some(only.unit),
        _ => Some(builder.product(&children, origin)),
    };
    ScaledUnit { unit, log_scale }
}

/// A term of a sum: the logarithm of its weight, what it weighs, where it was written.
pub(super) type MixtureTerm = (f64, ScaledUnit, Span);

/// The sum of parts over the same variables, with weights that add up to 1: what they
/// added up to is the factor. Terms of the same unit are joined, those of weight zero
/// left out, and a unit that is left alone stands for itself.
pub(super) fn mixture(
    builder: &mut CircuitBuilder,
    terms: impl IntoIterator<Item = MixtureTerm>,
    origin: SourceOrigin,
) -> ScaledUnit {
    let mut joined: Vec<(f64, ScaledUnit, Span)> = Vec::new();
    let mut places: FxHashMap<Option<UnitId>, usize> = FxHashMap::default();
    for (log_weight, part, span) in terms {
        // A term counts with its weight times the factor of what it weighs.
        let log = part.times(log_weight).log_scale;
        if log == f64::NEG_INFINITY {
            continue;
        }
        match places.get(&part.unit) {
            Some(&at) => joined[at].0 = log_sum_exp([joined[at].0, log]),
            None => {
                places.insert(part.unit, joined.len());
                joined.push((log, part, span));
            }
        }
    }
    // Weights are divided by what they add up to, which becomes the factor of the part.
    let log_total = log_sum_exp(joined.iter().map(|term| term.0));
    let units: Option<Vec<UnitId>> = joined.iter().map(|term| term.1.unit).collect();
    let unit = match units.as_deref() {
        // Numbers stand alone: all terms of a smooth sum have the same variables.
        None | Some([]) => return ScaledUnit::number(log_total),
        Some(&[only]) => only,
        Some(units) => {
            let values = shares(joined.iter().map(|term| term.0), log_total);
            let weights = builder.fixed_weights(values, origin.span);
            let edges = units.iter().zip(weights).zip(&joined);
            let children: Vec<ChildEdge> = edges
                .map(|((&unit, weight), term)| ChildEdge::term(unit, weight, term.2))
                .collect();
            builder.sum(&children, origin)
        }
    };
    ScaledUnit {
        unit: Some(unit),
        log_scale: log_total,
    }
}

/// Numbers that add up to 1, from the logarithms of numbers that add up to a total.
pub(super) fn shares(
    logs: impl Iterator<Item = f64> + Clone,
    log_total: f64,
) -> Vec<ParameterValue> {
    // Dividing by the sum of what was rounded makes the total as near to 1 as it gets.
    let rounded: f64 = logs.clone().map(|log| (log - log_total).exp()).sum();
    logs.map(|log| ParameterValue::from_log((log - log_total) - rounded.ln()))
        .collect()
}

/// A unit of its own for a part: one with a factor other than 1 is a sum with this weight.
pub(super) fn whole(
    builder: &mut CircuitBuilder,
    unit: UnitId,
    log_scale: f64,
    origin: SourceOrigin,
) -> UnitId {
    if log_scale == 0.0 {
        return unit;
    }
    let weights = builder.fixed_weights([ParameterValue::from_log(log_scale)], origin.span);
    builder.sum(&[ChildEdge::term(unit, weights[0], origin.span)], origin)
}
