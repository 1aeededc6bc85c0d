//! Structural properties that can be asserted and proven.

use super::CircuitGraph;
use super::id::UnitId;
use pelton_grammar::source::Span;

/// A structural property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// Children of a sum have the same scope.
    Smooth,
    /// Children of a product share no variable.
    Decomposable,
    /// At most one child of a sum is positive for any input.
    Deterministic,
    /// All products split their variables along one vtree.
    Structured,
    /// Weights of every sum add up to 1 and every leaf has mass 1.
    Normalized,
}

impl Property {
    /// All of them, in the order reports list them.
    pub const ALL: [Property; 5] = [
        Property::Smooth,
        Property::Decomposable,
        Property::Deterministic,
        Property::Structured,
        Property::Normalized,
    ];

    /// The word in `assert root is …` and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Property::Smooth => "smooth",
            Property::Decomposable => "decomposable",
            Property::Deterministic => "deterministic",
            Property::Structured => "structured",
            Property::Normalized => "normalized",
        }
    }
}

impl std::str::FromStr for Property {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Property::ALL
            .into_iter()
            .find(|property| property.name() == text)
            .ok_or(())
    }
}

/// `assert TARGET is PROPERTY, …`
#[derive(Clone, Debug)]
pub struct Assertion {
    /// The unit it is about; the property must hold for all that it reaches.
    pub target: UnitId,
    /// Each property with the place where it was asserted; `None` for one from the command line.
    pub properties: Vec<(Property, Option<Span>)>,
}

impl CircuitGraph {
    pub(crate) fn asserting(mut self, assertion: Assertion) -> CircuitGraph {
        self.assertions.push(assertion);
        self
    }
}
