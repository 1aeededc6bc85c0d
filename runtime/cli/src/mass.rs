//! The mass of a circuit, which answers are divided by.

use crate::arguments::MessageArguments;
use crate::number::{shown_number, six_digits};
use pelton_compiler::check::Checked;
use pelton_runtime::log_normalizer;
use pelton_runtime::query::InformationError;
use serde_json::{Map, Value, json};

/// What is told of a circuit's mass.
#[derive(Clone, Copy, Debug)]
pub struct Mass {
    /// Its logarithm; 0 where it is 1 up to rounding.
    log: f64,
    /// Whether the circuit counts models, so that nobody expects a mass of 1.
    is_counting: bool,
}

impl Mass {
    /// The mass of a circuit at the values of its text; fails if it is zero or infinite.
    pub fn of(checked: &Checked) -> Result<Mass, InformationError> {
        let circuit = checked.circuit();
        Ok(Mass {
            log: log_normalizer(circuit, checked.facts(), &circuit.start_values())?,
            is_counting: circuit.is_counting(),
        })
    }

    /// The mass of a circuit that is asked, after a note where answers are divided by it.
    ///
    /// A circuit without mass has no answers, of which questions tell on their own.
    pub fn noted(checked: &Checked, messages: &MessageArguments) -> Mass {
        let none = Mass {
            log: 0.0,
            is_counting: false,
        };
        let mass = Mass::of(checked).unwrap_or(none);
        mass.note("answers are divided by it", messages);
        mass
    }

    /// Says what the mass is, and what is done with it.
    pub fn note(&self, what: &str, messages: &MessageArguments) {
        if self.log != 0.0 && !self.is_counting {
            messages.note(format!(
                "the mass of the circuit is {}, not 1; {what}",
                self.shown()
            ));
        }
    }

    /// The logarithm of what values are divided by to be likelihoods: a circuit that
    /// counts keeps its counts.
    pub fn log_divisor(&self) -> f64 {
        if self.is_counting { 0.0 } else { self.log }
    }

    /// The logarithm of what measures are divided by to be probabilities.
    pub fn log(&self) -> f64 {
        self.log
    }

    /// Adds the key `log_mass` where the mass is not 1.
    pub fn put(&self, fields: &mut Map<String, Value>) {
        if self.log != 0.0 {
            fields.insert("log_mass".to_string(), json!(self.log));
        }
    }

    fn shown(&self) -> String {
        let mass = self.log.exp();
        if mass > 0.0 && mass.is_finite() {
            six_digits(mass)
        } else {
            format!("exp({})", shown_number(self.log))
        }
    }
}
