//! What the commands share that ask a circuit.

mod soft;
mod value;

pub use value::{json_value, shown_value, text_number};

use crate::arguments::{AskingArguments, Messages, Rows};
use crate::commands::note_unset;
use crate::exit::Exit;
use crate::flags::flags;
use crate::inputs::{check_stdin, is_standard, read_file};
use crate::mass::Mass;
use crate::{Failure, engine, model, report};
use pelton_compiler::Options;
use pelton_compiler::circuit::{Circuit, Event};
use pelton_compiler::tractability::{QueryKind, Refusal, Side};
use pelton_grammar::diagnostic::{Diagnostics, thousands};
use pelton_grammar::remedy::WordedError;
use pelton_grammar::source::SourceMap;
use pelton_runtime::data::{Column, Table};
use pelton_runtime::query::{Gap, NotUnderstood, ask_given};
use pelton_runtime::{Model, Parameters};
use std::path::Path;

/// A circuit that can be asked, and the rows it is asked about.
pub struct Asked {
    /// The compiled circuit.
    pub model: Model,
    /// Its values.
    pub parameters: Parameters,
    /// What is given.
    pub given: Event,
    /// The rows; none if no data were given.
    pub table: Option<Table>,
    /// The mass that answers are divided by.
    pub mass: Mass,
    /// Threads.
    pub threads: usize,
    /// Why there is no exact answer by structure, and the units at fault.
    refusal: Option<(Refusal, Diagnostics)>,
    sources: SourceMap,
}

impl AskingArguments {
    /// Reads and compiles all of it, and tells what is wrong with the circuit or the
    /// question, whose answer depends on the circuit as the table says of its `kind`.
    pub fn open(&self, kind: Option<QueryKind>, messages: &Messages) -> Result<Asked, Failure> {
        check_inputs(&self.model, &self.rows)?;
        let options = Options {
            decide: kind.map_or(Vec::new(), |kind| kind.rule().properties()),
            ..model::options(&self.reading)
        };
        let opened = model::opened_with(&self.model, &options, messages)?;
        let checked = opened.checked;
        note_unset(checked.circuit(), messages);
        let mass = Mass::noted(&checked, messages);
        let given = understood(ask_given(checked.circuit(), &self.given), messages)?;
        let table = read_rows(&self.rows, checked.circuit(), messages)?;
        let running = match table {
            None => self.running.with_all_digits(),
            Some(_) => self.running.clone(),
        };
        let refusal = kind.and_then(|kind| {
            let refusal = kind.refusal(checked.circuit(), checked.facts())?;
            let shown = refusal.shown(Side::First, checked.circuit());
            Some((refusal, shown))
        });
        let (model, _) = engine::compile(checked, &running)?;
        Ok(Asked {
            parameters: model.start_parameters(),
            model,
            given,
            table,
            mass,
            threads: self.running.n_threads(),
            refusal,
            sources: opened.program.sources,
        })
    }
}

impl Asked {
    /// Says why answers are not exact.
    pub fn note_refusal(&self, messages: &Messages) {
        if let Some((refusal, shown)) = &self.refusal {
            report::to_stderr(shown, &self.sources, messages);
            report::note(&refusal.worded(flags), messages);
        }
    }

    /// Says which rows are impossible; if there are none, that what is given is.
    pub fn note_impossible(
        &self,
        is_impossible: Vec<bool>,
        messages: &Messages,
    ) -> Result<(), Failure> {
        match self.table {
            None if is_impossible.contains(&true) => Err(no_answer(Gap::of_given(&self.given))),
            _ => note_impossible(is_impossible.into_iter(), messages),
        }
    }

    /// The rows, or one of which nothing is known.
    pub fn rows(&self) -> Table {
        let nothing = || {
            let n = self.model.circuit().variables().len();
            Table::new(1, vec![Column::Missing; n])
        };
        self.table.clone().unwrap_or_else(nothing)
    }
}

/// The circuit and its data cannot both come from standard input.
pub fn check_inputs(model: &Path, rows: &Rows) -> Result<(), Failure> {
    let inputs = [Some(model), rows.data.as_deref(), rows.soft.as_deref()];
    check_stdin(inputs.into_iter().flatten(), "the circuit and the data")?;
    check_stream(model, rows.stream)
}

/// The circuit and requests cannot both come from standard input.
pub fn check_stream(model: &Path, is_stream: bool) -> Result<(), Failure> {
    if is_stream && is_standard(model) {
        let message = "requests are read from standard input, so that the circuit has to be a file";
        return Err(Failure::Usage(message.to_string()));
    }
    Ok(())
}

/// The rows that are asked about, if there are any.
pub fn read_rows(
    rows: &Rows,
    circuit: &Circuit,
    messages: &Messages,
) -> Result<Option<Table>, Failure> {
    let data = match &rows.data {
        None => None,
        Some(path) => Some(read_file(path, circuit, &rows.read_options(), messages)?.table),
    };
    match &rows.soft {
        None => Ok(data),
        Some(path) => soft::laid_over(path, circuit, data).map(Some),
    }
}

/// What was asked; what is wrong with it is told.
pub fn understood<T>(read: Result<T, NotUnderstood>, messages: &Messages) -> Result<T, Failure> {
    read.map_err(|fault| {
        report::to_stderr(&fault.found, &fault.sources, messages);
        Failure::Told(Exit::Usage)
    })
}

/// Why there is no answer.
pub fn no_answer(gap: Gap) -> Failure {
    let sentence = gap.sentence().worded(flags);
    match gap {
        Gap::ImpossibleGiven => Failure::Unfit(format!(
            "{sentence}; `pelton query` tells the probability of each part"
        )),
        Gap::ZeroMass => Failure::Unfit(sentence),
        Gap::TooLarge => Failure::Numeric(sentence),
        Gap::TooManyParts | Gap::Unmentioned | Gap::MixedDensities => Failure::Wrong(sentence),
    }
}

/// Says how many rows are impossible; if none is possible, that is a failure. The answers
/// to impossible rows are empty, so that answers stay beside their rows.
pub fn note_impossible(
    is_impossible: impl Iterator<Item = bool>,
    messages: &Messages,
) -> Result<(), Failure> {
    let rows: Vec<bool> = is_impossible.collect();
    let n = rows.iter().filter(|row| **row).count();
    let Some(first) = rows.iter().position(|row| *row) else {
        return Ok(());
    };
    let all = thousands(rows.len());
    let note = match n {
        1 => format!(
            "the evidence of row {} of {all} has probability zero, so that its answer is empty",
            first + 1
        ),
        n => format!(
            "the evidence of {} of {all} rows has probability zero, so that their answers are \
             empty; row {} is the first",
            thousands(n),
            first + 1
        ),
    };
    if n == rows.len() {
        return Err(Failure::Unfit(note));
    }
    report::note(&note, messages);
    Ok(())
}
