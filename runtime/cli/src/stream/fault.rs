//! What is wrong with a request, as its answer.

use crate::CommandFailure;
use crate::asking::no_answer;
use crate::flags::flags;
use pelton_grammar::diagnostic::{Severity, json::to_json};
use pelton_runtime::data::BatchError;
use pelton_runtime::query::{NotUnderstood, QueryFailure};
use serde_json::{Map, Value, json};

/// Why a request has no answer. The kinds are those of exit codes.
#[derive(Debug)]
pub struct RequestFault {
    kind: &'static str,
    message: String,
    /// The row at fault, from 1, if the request has a list of them, and the variable.
    row: Option<usize>,
    variable: Option<String>,
    /// Messages about the text of a question.
    diagnostics: Vec<Value>,
}

impl RequestFault {
    fn new(kind: &'static str, message: impl Into<String>) -> Self {
        RequestFault {
            kind,
            message: message.into(),
            row: None,
            variable: None,
            diagnostics: Vec::new(),
        }
    }

    /// The request cannot be understood.
    pub fn usage(message: impl Into<String>) -> Self {
        RequestFault::new("usage", message)
    }

    /// A result is not a number.
    pub fn numeric(message: impl Into<String>) -> Self {
        RequestFault::new("numeric", message)
    }

    /// The evidence has probability zero.
    pub fn impossible() -> Self {
        no_answer(QueryFailure::ImpossibleGiven).into()
    }

    /// The same about a row of a list.
    pub fn in_row(self, row: usize) -> Self {
        RequestFault {
            row: Some(row + 1),
            ..self
        }
    }

    /// A cell or a name that does not fit, in a row of a list or in the only one.
    pub fn of_batch(error: BatchError, is_list: bool) -> Self {
        let help = error.help.map_or(String::new(), |help| format!("; {help}"));
        let message = format!("{}{help}", error.message);
        let Some(cell) = error.cell else {
            return RequestFault::usage(message);
        };
        let fault = RequestFault {
            variable: Some(cell.variable),
            ..RequestFault::new("data", message)
        };
        if is_list {
            fault.in_row(cell.row)
        } else {
            fault
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

impl From<CommandFailure> for RequestFault {
    fn from(failure: CommandFailure) -> Self {
        let kind = match failure {
            CommandFailure::Usage(_)
            | CommandFailure::Interrupted(_)
            | CommandFailure::Told(_)
            | CommandFailure::Closed => "usage",
            CommandFailure::Wrong(_) => "circuit",
            CommandFailure::Unfit(_) => "data",
            CommandFailure::Numeric(_) => "numeric",
        };
        RequestFault::new(kind, failure.to_string())
    }
}

impl From<QueryFailure> for RequestFault {
    fn from(gap: QueryFailure) -> Self {
        no_answer(gap).into()
    }
}

impl From<NotUnderstood> for RequestFault {
    fn from(fault: NotUnderstood) -> Self {
        let mut errors = fault.found.iter();
        let first = errors.find(|own| own.severity == Severity::Error);
        let message = first.map_or("the text cannot be read", |own| &own.message);
        let json = |own| to_json(own, &fault.sources, flags);
        let all = fault.found.iter().map(json);
        RequestFault {
            diagnostics: all.collect(),
            ..RequestFault::usage(message)
        }
    }
}
