//! Questions by name: one table that all front ends take them from.
//!
//! A question is a file here: what it is called, which arguments it takes, how it is asked,
//! and how its answer is put as JSON and for people. The command line makes a command of
//! each, [`Circuit::ask`] asks by name, and so do C (`pelton_ask`) and Python
//! (`Circuit.ask`) and requests over standard input. To add one, write its file and a line
//! in [`QUESTIONS`]; what it computes belongs to `pelton_runtime::query`, and what it needs
//! to be exact to `pelton_compiler::tractability`.

mod answer;
mod arguments;
mod count;
mod divergence;
mod entropy;
mod moments;
mod mutual_information;

pub use answer::{LogBase, QuestionAnswer, shown_number};
pub use arguments::{
    ArgumentKind, QuestionArgument, QuestionArguments, shown_json, unfit, unknown_key,
};

use crate::{Circuit, Error, Result};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{CircuitGraph, ParameterValue, Property};
use pelton_compiler::lower::LowerOptions;
use pelton_compiler::tractability::{CircuitOperand, QueryKind};
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_runtime::query::{InformationError, NotUnderstood, QueryEffort, QueryFailure};
use serde_json::Map;

/// All questions that can be asked by name, in the order they are listed.
pub const QUESTIONS: &[&QuestionRule] = &[
    &entropy::RULE,
    &divergence::RULE,
    &mutual_information::RULE,
    &moments::RULE,
    &count::RULE,
];

/// A question: what it is called, what it takes, and how it is asked and answered.
#[derive(Debug)]
pub struct QuestionRule {
    /// Its name, which is that of the command.
    pub name: &'static str,
    /// What it asks, as paragraphs; the first is a line.
    pub about: &'static [&'static str],
    /// What the exit codes of the command mean, if that is to be told.
    pub exits: &'static str,
    /// The circuits that it is about, each with what stands for it and what it is.
    pub circuits: &'static [(&'static str, &'static str)],
    /// What it takes beside circuits.
    pub arguments: &'static [QuestionArgument],
    /// Its row of the table of tractability.
    pub kind: QueryKind,
    /// A flag under which none of the properties that the row names are needed.
    pub without_needs: Option<&'static str>,
    /// Whether answers are divided by the circuit's mass.
    pub is_scaled: bool,
    /// Answers it.
    pub answer: fn(&QuestionAsked<'_>) -> Answered,
}

/// An answer, or why there is none.
pub type Answered = std::result::Result<QuestionAnswer, NoAnswer>;

/// Why a question has no answer.
#[derive(Debug)]
pub enum NoAnswer {
    /// The text of an event cannot be understood.
    NotUnderstood(Box<NotUnderstood>),
    /// What is given, of which this is the text, leaves none.
    Given(String, QueryFailure),
    /// The circuits do not have what it needs: the error, and the units at fault in each.
    Refused(Error, Vec<SourceDiagnostics>),
    /// For another reason.
    Other(Error),
}

impl NoAnswer {
    /// Of these circuits.
    fn of(error: InformationError, circuits: &[&CircuitGraph]) -> NoAnswer {
        let InformationError::Refused(refusal) = &error else {
            return NoAnswer::Other(error.into());
        };
        let sides = [CircuitOperand::First, CircuitOperand::Second]
            .into_iter()
            .zip(circuits);
        let shown = sides.map(|(side, circuit)| refusal.shown(side, circuit));
        let shown = shown.collect();
        NoAnswer::Refused(error.into(), shown)
    }

    /// As the one error of the library, with messages about these circuits.
    fn into_error(self, circuits: &[&Circuit]) -> Error {
        match self {
            NoAnswer::NotUnderstood(why) => (*why).into(),
            NoAnswer::Given(text, gap) => Error::gap(&text, gap),
            NoAnswer::Refused(error, shown) => {
                error.with_diagnostics(shown.iter().zip(circuits).map(|(own, circuit)| {
                    let sources = &circuit.compiled.program.sources;
                    (own, sources, circuit.options().words())
                }))
            }
            NoAnswer::Other(error) => error,
        }
    }
}

impl From<Error> for NoAnswer {
    fn from(error: Error) -> Self {
        NoAnswer::Other(error)
    }
}

impl QuestionRule {
    /// The question of a name.
    pub fn named(name: &str) -> Option<&'static QuestionRule> {
        QUESTIONS.iter().copied().find(|own| own.name == name)
    }

    /// The properties that have to be decided before it is asked.
    pub fn properties(&self, arguments: &QuestionArguments) -> Vec<Property> {
        let is_free = self
            .without_needs
            .is_some_and(|name| arguments.is_set(name));
        if is_free {
            Vec::new()
        } else {
            self.kind.rule().properties()
        }
    }

    /// The names of its arguments.
    pub fn keys(&self) -> Vec<&'static str> {
        self.arguments.iter().map(|own| own.name).collect()
    }
}

/// A question as it is asked: of which circuits, with which arguments.
pub struct QuestionAsked<'a> {
    /// The circuits, as many as the question is about, each with its values.
    pub circuits: &'a [(&'a Checked, &'a [ParameterValue])],
    /// What is asked with.
    pub arguments: &'a QuestionArguments,
    /// How much may be done for an answer.
    pub effort: &'a QueryEffort,
}

impl<'a> QuestionAsked<'a> {
    /// The first circuit, or the only one.
    fn circuit(&self) -> &'a CircuitGraph {
        self.circuits[0].0.circuit()
    }

    /// Why the circuits give no answer.
    fn refused(&self, error: InformationError) -> NoAnswer {
        let circuits: Vec<_> = self.circuits.iter().map(|own| own.0.circuit()).collect();
        NoAnswer::of(error, &circuits)
    }
}

impl Circuit {
    /// Asks a question by its name, such as `entropy` or `mi`, with arguments as the command
    /// of this name takes them; the answer is the object that it prints with `--json`.
    /// `other` is the second circuit of questions about two.
    ///
    /// ```
    /// use pelton::Circuit;
    /// use serde_json::json;
    ///
    /// let circuit = Circuit::compile("var rain, wet : bool;
    ///     root 0.3: rain * wet ~ bernoulli(0.9) + 0.7: !rain * wet ~ bernoulli(0.2);")?;
    /// let found = circuit.ask("mi", json!({"x": "rain", "y": "wet", "base": 2}), None)?;
    /// assert!(found["mutual_information"].as_f64().is_some_and(|bits| bits > 0.3));
    /// assert_eq!(found["unit"], "bits");
    /// # Ok::<(), pelton::Error>(())
    /// ```
    pub fn ask(
        &self,
        question: &str,
        arguments: serde_json::Value,
        other: Option<&Circuit>,
    ) -> Result<Map<String, serde_json::Value>> {
        let rule = QuestionRule::named(question).ok_or_else(|| arguments::unknown(question))?;
        let arguments = QuestionArguments::read(arguments)?;
        arguments.complete(rule)?;
        let circuits: Vec<&Circuit> = std::iter::once(self).chain(other).collect();
        arguments::check_circuits(rule, circuits.len())?;
        let places = circuits
            .iter()
            .map(|own| (&own.compiled.checked, own.values()));
        let asked = QuestionAsked {
            circuits: &places.collect::<Vec<_>>(),
            arguments: &arguments,
            effort: &QueryEffort {
                limits: self.options().analysis().limits,
                max_size: LowerOptions::default().max_size,
                n_threads: self.threads(),
            },
        };
        let answer = (rule.answer)(&asked).map_err(|none| none.into_error(&circuits))?;
        Ok(answer.fields)
    }

    /// The same for other languages: arguments are an object of JSON as text (none if it is
    /// empty), and so is the answer.
    pub fn ask_json(
        &self,
        question: &str,
        arguments: &str,
        other: Option<&Circuit>,
    ) -> Result<String> {
        let text = if arguments.is_empty() {
            "null"
        } else {
            arguments
        };
        let arguments = serde_json::from_str(text);
        let wrong = |error| Error::usage(format!("the arguments are not JSON: {error}"));
        let answer = self.ask(question, arguments.map_err(wrong)?, other)?;
        Ok(serde_json::Value::Object(answer).to_string())
    }
}
