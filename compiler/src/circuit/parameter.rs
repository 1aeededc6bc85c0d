//! Parameters: weights of sums and arguments of leaves.

use super::id::NameId;
use pelton_grammar::source::Span;

/// What values a parameter may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParamKind {
    /// Numbers from 0 up that add up to 1.
    Simplex,
    /// One probability `p`, kept as the two entries `1 - p` and `p`, so that a
    /// value of a `bool` variable is also the index of its entry.
    Unit,
    /// A number above 0.
    Positive,
    /// Any finite number.
    Real,
    /// Weights of a sum that need not add up to 1, each from 0 up.
    Weights,
}

impl ParamKind {
    /// The word in `param x : KIND`.
    pub fn name(self) -> &'static str {
        match self {
            ParamKind::Simplex => "simplex",
            ParamKind::Unit => "unit",
            ParamKind::Positive => "positive",
            ParamKind::Real => "real",
            ParamKind::Weights => "weights",
        }
    }

    /// Whether the entries of one vector add up to 1.
    pub fn adds_up(self) -> bool {
        matches!(self, ParamKind::Simplex | ParamKind::Unit)
    }
}

/// A value of a parameter's entry. A log weight is kept as its logarithm, so
/// that `exp(-1000)` neither vanishes nor loses digits on its way through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParameterValue {
    /// The number itself.
    Linear(f64),
    /// Its natural logarithm.
    Log(f64),
}

impl ParameterValue {
    /// A number by its logarithm, which it stays where the number itself would vanish or
    /// overflow.
    pub fn from_log(log: f64) -> ParameterValue {
        match log.exp() {
            linear if linear.is_normal() => ParameterValue::Linear(linear),
            _ if log == f64::NEG_INFINITY => ParameterValue::Linear(0.0),
            _ => ParameterValue::Log(log),
        }
    }

    /// The number itself.
    pub fn linear(self) -> f64 {
        match self {
            ParameterValue::Linear(value) => value,
            ParameterValue::Log(log) => rare_exp(log),
        }
    }

    /// Its natural logarithm.
    pub fn log(self) -> f64 {
        match self {
            ParameterValue::Linear(value) => value.ln(),
            ParameterValue::Log(log) => log,
        }
    }

    /// What is left to 1.
    #[must_use]
    pub fn complement(self) -> ParameterValue {
        ParameterValue::Linear(match self {
            ParameterValue::Linear(p) => 1.0 - p,
            ParameterValue::Log(log) => -log.exp_m1(),
        })
    }

    /// Whether it is exactly one.
    pub fn is_one(self) -> bool {
        matches!(self, ParameterValue::Linear(1.0) | ParameterValue::Log(0.0))
    }

    /// Whether it is exactly zero.
    pub fn is_zero(self) -> bool {
        match self {
            ParameterValue::Linear(value) => value == 0.0,
            ParameterValue::Log(log) => log == f64::NEG_INFINITY,
        }
    }

    /// The product, as a logarithm where the number itself would vanish, overflow
    /// or lose digits.
    pub(crate) fn times(self, other: ParameterValue) -> ParameterValue {
        if self.is_zero() || other.is_zero() {
            return ParameterValue::Linear(0.0);
        }
        match (self, other) {
            (Self::Linear(a), Self::Linear(b)) if (a * b).is_normal() => Self::Linear(a * b),
            _ => Self::Log(self.log() + other.log()),
        }
    }

    /// Bits that are equal exactly if the values are written alike.
    pub(crate) fn bits(self) -> (u8, u64) {
        match self {
            ParameterValue::Linear(value) => (0, (value + 0.0).to_bits()),
            ParameterValue::Log(log) => (1, (log + 0.0).to_bits()),
        }
    }
}

/// The exponential of a log weight. As a call of its own it is made only where there
/// is one: compilers take the exponential for harmless, and would compute it for
/// all values of a loop.
#[cold]
#[inline(never)]
fn rare_exp(log: f64) -> f64 {
    log.exp()
}

/// One number of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParameterEntry {
    /// Its fixed value, or where learning starts; a learned entry may have none.
    pub value: Option<ParameterValue>,
    /// Whether learning may change it.
    pub learned: bool,
}

impl ParameterEntry {
    /// A number that never changes.
    pub fn fixed(number: f64) -> Self {
        ParameterEntry::constant(ParameterValue::Linear(number))
    }

    /// A value that never changes, in the form that it has.
    pub fn constant(value: ParameterValue) -> Self {
        ParameterEntry {
            value: Some(value),
            learned: false,
        }
    }

    /// A value that never changes, given by its logarithm; a zero has none.
    pub fn fixed_log(log: f64) -> Self {
        ParameterEntry::constant(if log == f64::NEG_INFINITY {
            ParameterValue::Linear(0.0)
        } else {
            ParameterValue::Log(log)
        })
    }

    /// The entry of `1 - p` beside that of `p`.
    #[must_use]
    pub fn complement(self) -> Self {
        let value = self.value.map(ParameterValue::complement);
        ParameterEntry { value, ..self }
    }

    /// `?`
    pub fn learned() -> Self {
        ParameterEntry {
            value: None,
            learned: true,
        }
    }

    /// Its value, if learning never changes it.
    pub fn fixed_value(&self) -> Option<ParameterValue> {
        self.value.filter(|_| !self.learned)
    }

    /// Whether it is zero now and for ever.
    pub fn is_fixed_zero(&self) -> bool {
        !self.learned && self.value.is_some_and(ParameterValue::is_zero)
    }
}

/// A parameter: a vector of entries that belong together.
#[derive(Clone, Debug)]
pub struct CircuitParameter {
    /// Its name, if it was declared; parameters written in place have none.
    pub name: Option<NameId>,
    /// What values it may have.
    pub kind: ParamKind,
    /// Where it was written.
    pub span: Span,
    pub(super) first_entry: u32,
    pub(super) n_entries: u32,
}

impl CircuitParameter {
    /// Number of entries; 2 for `unit`, 1 for `positive` and `real`.
    pub fn len(&self) -> usize {
        self.n_entries as usize
    }

    /// A parameter has entries.
    pub fn is_empty(&self) -> bool {
        self.n_entries == 0
    }

    /// Positions of its entries in the circuit's table of entries.
    pub fn entries(&self) -> std::ops::Range<usize> {
        let first = self.first_entry as usize;
        first..first + self.len()
    }
}

/// A value for every entry, see [`super::CircuitGraph::start_values`].
pub(super) fn start_values(
    parameters: &[CircuitParameter],
    entries: &[ParameterEntry],
) -> Vec<ParameterValue> {
    let mut values = Vec::with_capacity(entries.len());
    for parameter in parameters {
        let own = &entries[parameter.entries()];
        let neutral = neutral_value(parameter.kind, own);
        values.extend(own.iter().map(|entry| entry.value.unwrap_or(neutral)));
    }
    values
}

/// What an entry without a value starts at.
fn neutral_value(kind: ParamKind, entries: &[ParameterEntry]) -> ParameterValue {
    ParameterValue::Linear(match kind {
        ParamKind::Simplex | ParamKind::Unit => {
            let given = given_total(entries);
            let open = entries.iter().filter(|entry| entry.value.is_none()).count();
            (1.0 - given).max(0.0) / open.max(1) as f64
        }
        ParamKind::Positive | ParamKind::Weights => 1.0,
        ParamKind::Real => 0.0,
    })
}

/// What those values add up to that are given.
pub(crate) fn given_total(entries: &[ParameterEntry]) -> f64 {
    let given = entries.iter().filter_map(|entry| entry.value);
    given.map(ParameterValue::linear).sum()
}

/// Fixes all entries at their value, or at the neutral one of their kind.
pub(crate) fn freeze(kind: ParamKind, entries: &mut [ParameterEntry]) {
    let neutral = neutral_value(kind, entries);
    for entry in entries {
        entry.value = entry.value.or(Some(neutral));
        entry.learned = false;
    }
}
