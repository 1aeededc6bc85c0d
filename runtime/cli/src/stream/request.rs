//! Requests, as objects of JSON.

use super::RequestFault;
use pelton::question::{QuestionArguments, unfit, unknown_key};
use pelton_compiler::circuit::{CircuitGraph, DeclaredQuery, Event};
use pelton_runtime::query::{ask, ask_given};
use serde_json::{Map, Value};

/// What is asked: an object with some of the keys that the command takes.
pub struct StreamRequest {
    fields: Map<String, Value>,
}

impl StreamRequest {
    /// Reads a line; what it calls itself comes back whatever else is wrong.
    pub fn read(
        line: &[u8],
        keys: &[&str],
    ) -> (Option<Value>, Result<StreamRequest, RequestFault>) {
        let mut fields = match serde_json::from_slice(line) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => return (None, Err(no_object(keys))),
            Err(error) => {
                let message = format!("the line is not JSON: {error}");
                return (None, Err(RequestFault::usage(message)));
            }
        };
        let id = fields.shift_remove("id");
        let unknown = fields.keys().find(|key| !keys.contains(&key.as_str()));
        match unknown {
            Some(key) => (
                id,
                Err(RequestFault::usage(unknown_key(
                    "a request",
                    key,
                    &[&["id"], keys].concat(),
                ))),
            ),
            None => (id, Ok(StreamRequest { fields })),
        }
    }

    /// A field that is not null.
    pub fn field(&self, key: &str) -> Option<&Value> {
        self.fields.get(key).filter(|value| !value.is_null())
    }

    fn text(&self, key: &str) -> Result<Option<&str>, RequestFault> {
        self.field(key)
            .map(|value| {
                value
                    .as_str()
                    .ok_or_else(|| RequestFault::usage(unfit(key, "a text", value)))
            })
            .transpose()
    }

    /// A natural number, or what the command line says.
    pub fn number(&self, key: &str, otherwise: u64) -> Result<u64, RequestFault> {
        let wanted = "a whole number from 0 up";
        self.field(key).map_or(Ok(otherwise), |value| {
            value
                .as_u64()
                .ok_or_else(|| RequestFault::usage(unfit(key, wanted, value)))
        })
    }

    /// All fields, as arguments of a question.
    pub fn arguments(&self) -> QuestionArguments {
        QuestionArguments::new(self.fields.clone())
    }

    /// What is given, or what the command line gives.
    pub fn given(&self, circuit: &CircuitGraph, otherwise: &Event) -> Result<Event, RequestFault> {
        match self.text("given")? {
            Some(text) => Ok(ask_given(circuit, text)?),
            None => Ok(otherwise.clone()),
        }
    }

    /// The question, or that of the command line.
    pub fn query(
        &self,
        circuit: &CircuitGraph,
        otherwise: Option<&DeclaredQuery>,
    ) -> Result<DeclaredQuery, RequestFault> {
        match (self.text("query")?, otherwise) {
            (Some(text), _) => Ok(ask(circuit, text)?),
            (None, Some(query)) => Ok(query.clone()),
            (None, None) => Err(RequestFault::usage(
                r#"there is no query; write one such as "query": "P(rain | wet)""#,
            )),
        }
    }
}

fn no_object(keys: &[&str]) -> RequestFault {
    RequestFault::usage(format!(
        "a request is an object, such as {{\"id\": 1, \"{}\": …}}",
        keys[0]
    ))
}
