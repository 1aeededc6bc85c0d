//! What a check can answer.

use crate::circuit::UnitId;

/// The answer to "does the circuit have this property?".
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum PropertyVerdict {
    /// It holds for every input and for all values learning may give.
    Proven,
    /// It does not hold.
    Refuted(Refutation),
    /// The search was given up, for the reason said.
    Unknown(String),
}

/// Where and why a property fails.
#[derive(Clone, Debug, PartialEq)]
pub struct Refutation {
    /// The smallest unit that fails.
    pub unit: UnitId,
    /// Positions of the children at fault, where that makes sense.
    pub children: Vec<usize>,
    /// One value for each variable of the circuit that shows the fault (NaN
    /// where the variable does not matter); empty where no input is needed.
    pub witness: Vec<f64>,
}

impl Refutation {
    /// A unit that fails by itself.
    pub(super) fn of(unit: UnitId) -> Refutation {
        Refutation {
            unit,
            children: Vec::new(),
            witness: Vec::new(),
        }
    }
}

impl PropertyVerdict {
    /// The word in reports and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            PropertyVerdict::Proven => "proven",
            PropertyVerdict::Refuted(_) => "refuted",
            PropertyVerdict::Unknown(_) => "unknown",
        }
    }

    /// Whether the property was proven.
    pub fn is_proven(&self) -> bool {
        matches!(self, PropertyVerdict::Proven)
    }
}
