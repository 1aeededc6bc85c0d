//! What is wrong with a request, as its answer.

use crate::Failure;
use crate::asking::no_answer;
use crate::flags::flags;
use pelton_grammar::diagnostic::{Severity, json::to_json};
use pelton_runtime::data::BatchError;
use pelton_runtime::query::{Gap, NotUnderstood};
use serde_json::{Map, Value, json};

/// Why a request has no answer. The kinds are those of exit codes.
#[derive(Debug)]
pub struct Fault {
    kind: &'static str,
    message: String,
    /// The row at fault, from 1, if the request has a list of them, and the variable.
    row: Option<usize>,
    variable: Option<String>,
    /// Messages about the text of a question.
    diagnostics: Vec<Value>,
}

impl Fault {
    fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Fault {
            kind,
            message: message.into(),
            row: None,
            variable: None,
            diagnostics: Vec::new(),
        }
    }

    /// The request cannot be understood.
    pub fn usage(message: impl Into<String>) -> Self {
        Fault::new("usage", message)
    }

    /// A result is not a number.
    pub fn numeric(message: impl Into<String>) -> Self {
        Fault::new("numeric", message)
    }

    /// The evidence has probability zero.
    pub fn impossible() -> Self {
        no_answer(Gap::ImpossibleGiven).into()
    }

    /// The same about a row of a list.
    pub fn in_row(self, row: usize) -> Self {
        Fault {
            row: Some(row + 1),
            ..self
        }
    }

    /// A cell or a name that does not fit, in a row of a list or in the only one.
    pub fn of_batch(error: BatchError, is_list: bool) -> Self {
        let help = error.help.map_or(String::new(), |help| format!("; {help}"));
        let message = format!("{}{help}", error.message);
        let Some(cell) = error.cell else {
            return Fault::usage(message);
        };
        let fault = Fault {
            variable: Some(cell.variable),
            ..Fault::new("data", message)
        };
        match is_list {
            true => fault.in_row(cell.row),
            false => fault,
        }
    }

    /// `{"error": {"kind", "message", …}}`
    pub fn to_object(&self) -> Map<String, Value> {
        let mut error = json!({"kind": self.kind, "message": self.message});
        if let Some(row) = self.row {
            error["row"] = json!(row);
        }
        if let Some(variable) = &self.variable {
            error["variable"] = json!(variable);
        }
        if !self.diagnostics.is_empty() {
            error["diagnostics"] = json!(self.diagnostics);
        }
        Map::from_iter([("error".to_string(), error)])
    }
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        let kind = match failure {
            Failure::Usage(_) | Failure::Interrupted(_) | Failure::Told(_) | Failure::Closed => {
                "usage"
            }
            Failure::Wrong(_) => "circuit",
            Failure::Unfit(_) => "data",
            Failure::Numeric(_) => "numeric",
        };
        Fault::new(kind, failure.to_string())
    }
}

impl From<Gap> for Fault {
    fn from(gap: Gap) -> Self {
        no_answer(gap).into()
    }
}

impl From<NotUnderstood> for Fault {
    fn from(fault: NotUnderstood) -> Self {
        let mut errors = fault.found.iter();
        let first = errors.find(|own| own.severity == Severity::Error);
        let message = first.map_or("the text cannot be read", |own| &own.message);
        let json = |own| to_json(own, &fault.sources, flags);
        let all = fault.found.iter().map(json);
        Fault {
            diagnostics: all.collect(),
            ..Fault::usage(message)
        }
    }
}
