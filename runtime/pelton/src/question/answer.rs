//! What questions are answered with, for programs and for people.

use pelton_compiler::circuit::{CircuitGraph, VarId};
use pelton_grammar::diagnostic::{counted, thousands};
use pelton_runtime::query::{AnswerMethod, Estimate};
use serde_json::{Map, Value, json};

/// The answer to a question.
#[derive(Clone, Debug, Default)]
pub struct QuestionAnswer {
    /// For programs.
    pub fields: Map<String, Value>,
    /// The same as several objects, where the command prints them so.
    pub records: Option<Vec<Map<String, Value>>>,
    /// For people, as lines.
    pub text: String,
    /// What should be known beside it.
    pub notes: Vec<String>,
}

impl QuestionAnswer {
    /// Of an object of JSON and lines of text.
    pub(super) fn new(fields: Value, lines: &[String]) -> Self {
        let fields = match fields {
            Value::Object(fields) => fields,
            other => Map::from_iter([("answer".to_string(), other)]),
        };
        let text = lines.iter().map(|line| format!("{line}\n")).collect();
        QuestionAnswer {
            fields,
            text,
            ..QuestionAnswer::default()
        }
    }

    /// Of an estimate, by its key and its label.
    pub(super) fn estimate(key: &str, label: &str, found: &Estimate, base: LogBase) -> Self {
        let (amount, error) = (base.of_nats(found.nats), base.of_nats(found.standard_error));
        let is_finite = amount.is_finite();
        let fields = json!({
            key: is_finite.then_some(amount),
            "infinite": !is_finite,
            "standard_error": is_finite.then_some(error),
            "unit": base.unit(),
            "method": "samples",
            "samples": found.n_samples,
        });
        let samples = counted(found.n_samples, "sample", "samples");
        let error = shown_number(error);
        let how = if is_finite {
            format!("an estimate from {samples}, standard error {error}")
        } else {
            format!("one of {samples} shows it")
        };
        let amount = if is_finite {
            base.line(label, found.nats)
        } else {
            infinite(label)
        };
        QuestionAnswer::new(fields, &[amount, below(&how)])
    }
}

/// The unit of amounts of information.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum LogBase {
    /// Nats, natural logarithms.
    #[default]
    Natural,
    /// Logarithms of another base; bits for 2.
    Of(f64),
}

impl LogBase {
    /// Of its text: `e`, or a number above 1.
    pub fn of_text(text: &str) -> Option<LogBase> {
        match (text, text.parse::<f64>()) {
            ("e", _) => Some(LogBase::Natural),
            (_, Ok(base)) if base > 1.0 && base.is_finite() => Some(LogBase::Of(base)),
            _ => None,
        }
    }

    /// Of its text or number.
    pub(super) fn of_json(value: &Value) -> Option<LogBase> {
        let text = value.as_str().map(str::to_string);
        LogBase::of_text(&text.or_else(|| value.as_f64().map(|base| base.to_string()))?)
    }

    /// An amount given in nats.
    pub fn of_nats(self, nats: f64) -> f64 {
        match self {
            // Nothing is 0, not -0.
            LogBase::Natural => nats + 0.0,
            LogBase::Of(base) => nats / base.ln() + 0.0,
        }
    }

    /// What amounts are counted in.
    pub fn unit(self) -> String {
        match self {
            LogBase::Natural => "nats".to_string(),
            LogBase::Of(2.0) => "bits".to_string(),
            LogBase::Of(base) => format!("base {base}"),
        }
    }

    /// A line with a label and an amount given in nats.
    pub(super) fn line(self, label: &str, nats: f64) -> String {
        let amount = shown_number(self.of_nats(nats));
        format!("{label:<20} {amount:>14} {}", self.unit())
    }
}

/// A line with a label and an infinite amount.
pub(super) fn infinite(label: &str) -> String {
    format!("{label:<20} {:>14}", "infinite")
}

/// A line below amounts.
pub(super) fn below(text: &str) -> String {
    format!("{:<20} {text}", "")
}

/// How an answer was found, in words.
pub(super) fn method_text(method: AnswerMethod) -> String {
    let n_states = thousands(method.n_states().unwrap_or(0) as usize);
    match method {
        AnswerMethod::Structure => "exact, by the structure of the circuit".to_string(),
        AnswerMethod::Enumeration { .. } => format!("exact, by visiting {n_states} states"),
        AnswerMethod::Mixed { .. } => {
            format!("exact, by the structure of the circuit and by visiting {n_states} states")
        }
    }
}

/// Whether amounts about these variables are differential: with respect to real variables.
pub(super) fn kind_of(circuit: &CircuitGraph, variables: &[VarId]) -> &'static str {
    let mut domains = variables.iter().map(|&at| &circuit.variable(at).domain);
    if domains.all(|domain| domain.is_discrete()) {
        "shannon"
    } else {
        "differential"
    }
}

/// From here on numbers are shown with an exponent.
const LARGE: f64 = 1e15;

/// A result for people, with six digits behind the point: `-5.123457`, `1.500000e300`.
pub fn shown_number(value: f64) -> String {
    if value.abs() < LARGE || !value.is_finite() {
        format!("{value:.6}")
    } else {
        format!("{value:.6e}")
    }
}
