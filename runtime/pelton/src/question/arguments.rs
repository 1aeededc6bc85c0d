//! What questions are asked with.

use super::{LogBase, NoAnswer, QUESTIONS, QuestionRule};
use crate::{Error, Result};
use pelton_compiler::circuit::{CircuitGraph, Event};
use pelton_compiler::evidence::ValueBox;
use pelton_compiler::lower::nearest;
use pelton_grammar::diagnostic::counted;
use pelton_runtime::query::{EstimateOptions, ask_given, given_boxes};
use serde_json::{Map, Value};

/// An argument of a question.
#[derive(Debug)]
pub struct QuestionArgument {
    /// Its name: a key of requests, and an option of the command.
    pub name: &'static str,
    /// What stands for its value in help.
    pub value: &'static str,
    /// What it does, in a line.
    pub help: &'static str,
    /// What it holds.
    pub kind: ArgumentKind,
}

/// What an argument holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// A text that must be given; the command takes it by its position.
    Required,
    /// A text, empty by default.
    Text,
    /// Yes or no; not together with the argument of this name.
    Flag(Option<&'static str>),
    /// A whole number within bounds, with its default if it has one.
    Number(u64, u64, Option<&'static str>),
    /// The base of logarithms.
    Base,
}

impl QuestionArgument {
    /// What is given.
    pub(super) const GIVEN: QuestionArgument = QuestionArgument {
        name: "given",
        value: "EVENTS",
        help: "Condition on this evidence, such as 'wet, temp <= 10'",
        kind: ArgumentKind::Text,
    };
    /// Samples in place of an exact answer.
    pub(super) const SAMPLES: QuestionArgument = QuestionArgument {
        name: "samples",
        value: "N",
        help: "Estimate from this many samples, with the standard error",
        kind: ArgumentKind::Number(2, 1_000_000_000, None),
    };
    /// Where samples begin.
    pub(super) const SEED: QuestionArgument = QuestionArgument {
        name: "seed",
        value: "N",
        help: "Set the seed of the samples",
        kind: ArgumentKind::Number(0, u64::MAX, Some("1")),
    };
    /// The unit of amounts.
    pub(super) const BASE: QuestionArgument = QuestionArgument {
        name: "base",
        value: "BASE",
        help: "Set the base of logarithms: `e` for nats, 2 for bits, or another number above 1",
        kind: ArgumentKind::Base,
    };

    /// Why a value does not fit, if it does not.
    fn check(&self, value: &Value) -> Result<()> {
        let (fits, wanted) = match self.kind {
            ArgumentKind::Required | ArgumentKind::Text => (value.is_string(), "a text".into()),
            ArgumentKind::Flag(_) => (value.is_boolean(), "true or false".into()),
            ArgumentKind::Number(least, most, _) => (
                value.as_u64().is_some_and(|n| (least..=most).contains(&n)),
                format!("a whole number from {least} up"),
            ),
            ArgumentKind::Base => (
                LogBase::of_json(value).is_some(),
                "`e` or a number above 1".into(),
            ),
        };
        if fits {
            Ok(())
        } else {
            Err(Error::usage(unfit(self.name, &wanted, value)))
        }
    }
}

/// The arguments of a question, by name.
#[derive(Clone, Debug, Default)]
pub struct QuestionArguments {
    fields: Map<String, Value>,
}

impl QuestionArguments {
    /// These fields of an object; those that are null count as left out.
    pub fn new(fields: Map<String, Value>) -> Self {
        let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
        QuestionArguments {
            fields: fields.collect(),
        }
    }

    /// The fields of an object of JSON; null has none.
    pub(super) fn read(value: Value) -> Result<Self> {
        match value {
            Value::Null => Ok(QuestionArguments::default()),
            Value::Object(fields) => Ok(QuestionArguments::new(fields)),
            other => Err(Error::usage(format!(
                "arguments are an object such as {{\"given\": \"wet\"}}, not {}",
                shown_json(&other)
            ))),
        }
    }

    /// Looks for what the question does not take, what does not fit and what is missing.
    pub fn complete(&self, rule: &QuestionRule) -> Result<()> {
        let keys = rule.keys();
        if let Some(key) = self.fields.keys().find(|key| !keys.contains(&key.as_str())) {
            return Err(Error::usage(unknown_key("the question", key, &keys)));
        }
        for own in rule.arguments {
            match self.fields.get(own.name) {
                Some(value) => own.check(value)?,
                None if own.kind == ArgumentKind::Required => {
                    let (name, help) = (own.name, own.help);
                    return Err(Error::usage(format!("`{name}` is missing: {help}")));
                }
                None => {}
            }
            if let ArgumentKind::Flag(Some(other)) = own.kind
                && self.is_set(own.name)
                && self.fields.contains_key(other)
            {
                let message = format!("`{}` and `{other}` do not go together", own.name);
                return Err(Error::usage(message));
            }
        }
        Ok(())
    }

    /// These where they are set, and what others say elsewhere.
    #[must_use]
    pub fn or(&self, others: &QuestionArguments) -> QuestionArguments {
        let mut fields = others.fields.clone();
        fields.extend(self.fields.clone());
        QuestionArguments { fields }
    }

    /// Whether a flag is set.
    pub fn is_set(&self, name: &str) -> bool {
        self.fields.get(name) == Some(&Value::Bool(true))
    }

    /// A text; empty if it was left out.
    pub fn text(&self, name: &str) -> &str {
        self.fields.get(name).and_then(Value::as_str).unwrap_or("")
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.fields.get(name).and_then(Value::as_u64)
    }

    /// The unit of amounts.
    pub(super) fn base(&self) -> LogBase {
        let base = self.fields.get("base").and_then(LogBase::of_json);
        base.unwrap_or_default()
    }

    /// How samples are drawn, if an estimate is asked for.
    pub(super) fn sampling(&self, n_threads: usize) -> Option<EstimateOptions> {
        Some(EstimateOptions {
            n_samples: usize::try_from(self.number("samples")?).unwrap_or(usize::MAX),
            seed: self.number("seed").unwrap_or(1),
            n_threads,
        })
    }

    /// What is given, as an event.
    pub(super) fn given(&self, circuit: &CircuitGraph) -> std::result::Result<Event, NoAnswer> {
        ask_given(circuit, self.text("given")).map_err(|why| NoAnswer::NotUnderstood(Box::new(why)))
    }

    /// What is given, as boxes that exclude each other.
    pub(super) fn given_boxes(
        &self,
        circuit: &CircuitGraph,
    ) -> std::result::Result<Vec<ValueBox>, NoAnswer> {
        let boxes = given_boxes(circuit, &self.given(circuit)?);
        boxes.map_err(|gap| NoAnswer::Given(self.text("given").to_string(), gap))
    }
}

/// Circuits have to be as many as the question is about.
pub(super) fn check_circuits(rule: &QuestionRule, n: usize) -> Result<()> {
    let (name, wanted) = (
        rule.name,
        counted(rule.circuits.len(), "circuit", "circuits"),
    );
    let wrong = || Error::usage(format!("`{name}` is about {wanted}"));
    (n == rule.circuits.len()).then_some(()).ok_or_else(wrong)
}

/// What is said of a question that nobody knows.
pub(super) fn unknown(name: &str) -> Error {
    let names: Vec<&str> = QUESTIONS.iter().map(|own| own.name).collect();
    Error::usage(format!(
        "there is no question `{name}`; there are `{}`",
        names.join("`, `")
    ))
}

/// What is said of a key that is not among those that there are.
pub fn unknown_key(owner: &str, key: &str, keys: &[&str]) -> String {
    let help = match nearest(key, keys.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are `{}`", keys.join("`, `")),
    };
    format!("{owner} has no `{key}`; {help}")
}

/// What is said of a value that does not fit its key.
pub fn unfit(key: &str, wanted: &str, found: &Value) -> String {
    format!("`{key}` is {wanted}, not {}", shown_json(found))
}

/// A value in a message, which may be long.
pub fn shown_json(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_string(),
        Value::Object(_) => "an object".to_string(),
        Value::String(_) => "a text".to_string(),
        other => other.to_string(),
    }
}
