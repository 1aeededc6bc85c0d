//! `pelton entropy`

use super::{Asked, asked, kind_of, method_text, n_states, n_threads, no_amount, print_estimate};
use crate::arguments::{Entropy, Messages};
use crate::exit::Exit;
use crate::mass::Mass;
use crate::number::shown_number;
use crate::{Failure, model, report};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{Event, Property};
use pelton_runtime::query::{self, Effort, InformationError, Method, mentioned};
use serde_json::json;
use std::io::Write;

/// Prints the entropy of a circuit, or of what is left of it.
pub fn run(options: &Entropy, messages: &Messages) -> Result<Exit, Failure> {
    let decide = [Property::Deterministic];
    let asked = asked(&options.model, &options.reading, &decide, messages)?;
    Mass::noted(&asked.checked, messages);
    let event = asked.event(&options.given, messages)?;
    let is_given = event.variables().next().is_some();
    let question = Question {
        asked: &asked,
        given: is_given.then_some(event),
        options,
        messages,
    };
    let left = match &question.given {
        None => Left::All(&asked.checked),
        Some(event) => match question.left(event)? {
            Some(left) => Left::Part(Box::new(left)),
            None => return question.print(0.0, Method::Structure, "shannon"),
        },
    };
    let circuit = left.checked().circuit();
    if let Some(sampling) = options.estimating.sampling(n_threads()) {
        let values = circuit.start_values();
        let found = query::estimate_entropy((left.checked(), &values), &sampling);
        let found = found.map_err(|error| question.failure(error, &left))?;
        let name = ("entropy", "entropy");
        return print_estimate(name, &found, options.unit.base, options.json);
    }
    let (nats, method) = question.exact(&left)?;
    let kind = kind_of(circuit, &mentioned(circuit));
    question.print(nats, method, kind)
}

/// The circuit whose entropy is asked for.
enum Left<'a> {
    All(&'a Checked),
    Part(Box<query::Left>),
}

impl Left<'_> {
    fn checked(&self) -> &Checked {
        match self {
            Left::All(checked) => checked,
            Left::Part(left) => &left.checked,
        }
    }
}

/// What is asked.
struct Question<'a> {
    asked: &'a Asked,
    /// What is known, if anything is.
    given: Option<Event>,
    options: &'a Entropy,
    messages: &'a Messages,
}

impl Question<'_> {
    /// The circuit of what is left; none if nothing is.
    fn left(&self, event: &Event) -> Result<Option<query::Left>, Failure> {
        let checked = &self.asked.checked;
        let values = checked.circuit().start_values();
        let effort = Effort {
            limits: model::options(&self.options.reading).limits,
            max_size: self.options.reading.max_size,
            n_threads: n_threads(),
        };
        let left = query::given(checked, &values, event, &effort);
        left.map_err(|error| self.asked.failure(error, self.messages))
    }

    /// Why what is left gives no answer.
    fn failure(&self, error: InformationError, left: &Left) -> Failure {
        let place = (left.checked().circuit(), &self.asked.sources);
        no_amount(error, &[place], self.messages)
    }

    fn exact(&self, left: &Left) -> Result<(f64, Method), Failure> {
        let circuit = left.checked().circuit();
        let found = match left {
            _ if self.options.joint => {
                let nats = query::joint_entropy(circuit, &circuit.start_values());
                nats.map(|nats| (nats, Method::Structure))
            }
            Left::All(checked) => query::entropy(checked, &circuit.start_values(), n_threads())
                .map(|found| (found.nats, found.method)),
            Left::Part(left) => left
                .entropy(n_threads())
                .map(|found| (found.nats, found.method)),
        };
        found.map_err(|error| self.failure(error, left))
    }

    fn print(&self, nats: f64, method: Method, kind: &str) -> Result<Exit, Failure> {
        let options = self.options;
        let (amount, unit) = (options.unit.base.of_nats(nats), options.unit.base.unit());
        let of = match options.joint {
            true => "variables and choices",
            false => "variables",
        };
        let mut out = std::io::stdout().lock();
        if options.json {
            let mut object = json!({
                "entropy": amount,
                "unit": unit,
                "kind": kind,
                "of": of,
                "method": method.name(),
                "states": n_states(method),
            });
            if self.given.is_some() {
                object["given"] = json!(options.given);
            }
            writeln!(out, "{object}")?;
            return Ok(Exit::Ok);
        }
        let label = match kind {
            "differential" => "differential entropy",
            _ => "entropy",
        };
        let given = match self.given {
            Some(_) => format!(" given {}", options.given),
            None => String::new(),
        };
        writeln!(out, "{label:<20} {:>14} {unit}", shown_number(amount))?;
        let out = &mut report::Visible(out);
        writeln!(out, "{:<20} of {of}{given}; {}", "", method_text(method))?;
        Ok(Exit::Ok)
    }
}
