//! Questions over standard input: a request a line, an answer a line, in order.
//!
//! A program of any language starts one process, writes objects of JSON to it and reads
//! objects back. What is wrong with a request is its answer; the next one is answered as if
//! nothing had happened.

mod evidence;
mod fault;
mod request;

pub use fault::RequestFault;
pub use request::StreamRequest;

use crate::{CommandFailure, CommandResult, Exit};
use pelton_compiler::circuit::CircuitGraph;
use pelton_runtime::data::{BatchReader, Column, Table};
use serde_json::{Map, Value, json};
use std::io::{BufRead, Read, Write};

/// A request ends here; so do lines of data.
const LONGEST: u64 = 16 << 20;

/// Numbers that an answer may hold, which are kept in memory.
const MOST_NUMBERS: usize = 1 << 22;

/// What a row is answered with.
pub struct StreamReply {
    pub fields: Map<String, Value>,
    /// Whether the evidence has a probability above zero; if not, the fields are null.
    pub is_possible: bool,
}

impl StreamReply {
    /// An answer to what is possible.
    pub fn new(fields: Map<String, Value>) -> Self {
        StreamReply {
            fields,
            is_possible: true,
        }
    }
}

/// The rows that a request is about.
pub struct RequestedRows<'a> {
    pub request: &'a StreamRequest,
    /// Its rows; none if it has none.
    pub table: Option<Table>,
    n_variables: usize,
}

impl RequestedRows<'_> {
    /// The rows, or one of which nothing is known.
    pub fn rows(&self) -> Table {
        let nothing = || Table::new(1, vec![Column::Missing; self.n_variables]);
        self.table.clone().unwrap_or_else(nothing)
    }

    /// Refuses answers that would be too large, of so many numbers for each row.
    pub fn check_size(&self, n_numbers: usize) -> Result<(), RequestFault> {
        let n_rows = self.table.as_ref().map_or(1, Table::n_rows);
        if n_rows.saturating_mul(n_numbers) > MOST_NUMBERS {
            Err(RequestFault::usage(format!(
                "the answer would have more than {MOST_NUMBERS} numbers; ask for less at a time"
            )))
        } else {
            Ok(())
        }
    }
}

/// Answers requests until there are no more. `keys` are what requests may have beside an
/// `id`; `answer` gives a reply for each row, one if there is no list of rows.
pub fn serve(
    circuit: &CircuitGraph,
    keys: &[&str],
    mut answer: impl FnMut(&RequestedRows<'_>) -> Result<Vec<StreamReply>, RequestFault>,
) -> CommandResult<Exit> {
    let reader = BatchReader::new(circuit);
    let mut lines = StreamLines::new(std::io::stdin().lock());
    let mut out = std::io::stdout().lock();
    while let Some(line) = lines.next() {
        let line = line.map_err(|error| {
            CommandFailure::Usage(format!("standard input cannot be read: {error}"))
        })?;
        let object = match line {
            StreamLine::Text(text) if text.trim_ascii().is_empty() => continue,
            StreamLine::Text(text) => {
                // Some programs begin a text with a mark.
                let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
                respond(text, circuit, &reader, keys, &mut answer)
            }
            StreamLine::TooLong => RequestFault::usage(format!(
                "the line is longer than {} MiB; ask about fewer rows at a time",
                LONGEST >> 20
            ))
            .to_object(),
        };
        // Whoever asks may wait for this answer before asking for more.
        writeln!(out, "{}", Value::Object(object))?;
        out.flush()?;
    }
    Ok(Exit::Ok)
}

struct StreamLines<R> {
    input: R,
    line: Vec<u8>,
}

/// A line without its end.
enum StreamLine<'a> {
    Text(&'a [u8]),
    /// It was passed over.
    TooLong,
}

impl<R: BufRead> StreamLines<R> {
    fn new(input: R) -> Self {
        StreamLines {
            input,
            line: Vec::new(),
        }
    }

    /// The next line; none behind the last one.
    fn next(&mut self) -> Option<std::io::Result<StreamLine<'_>>> {
        self.line.clear();
        let mut bounded = self.input.by_ref().take(LONGEST + 1);
        match bounded.read_until(b'\n', &mut self.line) {
            Err(error) => Some(Err(error)),
            Ok(0) => None,
            Ok(_) if self.line.last() == Some(&b'\n') => {
                self.line.pop();
                Some(Ok(StreamLine::Text(&self.line)))
            }
            Ok(n) if n as u64 <= LONGEST => Some(Ok(StreamLine::Text(&self.line))),
            Ok(_) => Some(self.input.skip_until(b'\n').map(|_| StreamLine::TooLong)),
        }
    }
}

/// The object that answers a line.
fn respond(
    text: &[u8],
    circuit: &CircuitGraph,
    reader: &BatchReader,
    keys: &[&str],
    answer: &mut impl FnMut(&RequestedRows<'_>) -> Result<Vec<StreamReply>, RequestFault>,
) -> Map<String, Value> {
    // The id comes back whatever is wrong, so that the program knows which request it was.
    let (id, request) = StreamRequest::read(text, keys);
    let replies = request.and_then(|request| {
        let (table, is_list) = evidence::rows_of(&request, reader)?;
        let asked = RequestedRows {
            request: &request,
            table,
            n_variables: circuit.variables().len(),
        };
        joined(answer(&asked)?, is_list)
    });
    let mut object = Map::new();
    if let Some(id) = id {
        object.insert("id".to_string(), id);
    }
    object.extend(replies.unwrap_or_else(|fault| fault.to_object()));
    object
}

/// One object of the replies.
fn joined(
    mut replies: Vec<StreamReply>,
    is_list: bool,
) -> Result<Map<String, Value>, RequestFault> {
    if is_list {
        let all = replies.into_iter().map(|reply| Value::Object(reply.fields));
        let answers = json!(all.collect::<Vec<Value>>());
        return Ok(Map::from_iter([("answers".to_string(), answers)]));
    }
    match replies.pop() {
        Some(reply) if reply.is_possible => Ok(reply.fields),
        _ => Err(RequestFault::impossible()),
    }
}
