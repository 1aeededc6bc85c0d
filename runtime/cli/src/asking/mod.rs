//! What the commands share that ask a circuit.

mod soft;
mod value;

pub use value::{json_value, name_width, object, shown_value, text_number};

use crate::arguments::{AskingArguments, MessageArguments, RowArguments, read_options};
use crate::commands::note_unset;
use crate::flags::flags;
use crate::inputs::{check_stdin, is_standard, read_file};
use crate::mass::Mass;
use crate::{CommandFailure, CommandResult, Exit, engine, model};
use pelton_compiler::circuit::{CircuitGraph, Event};
use pelton_compiler::tractability::{CircuitOperand, QueryKind, TractabilityRefusal};
use pelton_grammar::diagnostic::{SourceDiagnostics, thousands};
use pelton_grammar::remedy::WordedError;
use pelton_grammar::source::SourceMap;
use pelton_runtime::data::{Column, Table};
use pelton_runtime::query::{NotUnderstood, QueryFailure, ask_given};
use pelton_runtime::{Model, Parameters};
use std::path::Path;

/// A circuit that can be asked, and the rows it is asked about.
pub struct AskedCircuit {
    pub model: Model,
    pub parameters: Parameters,
    /// What is given.
    pub given: Event,
    /// The rows; none if no data were given.
    pub table: Option<Table>,
    /// The mass that answers are divided by.
    pub mass: Mass,
    pub threads: usize,
    /// Why there is no exact answer by structure, and the units at fault.
    refusal: Option<(TractabilityRefusal, SourceDiagnostics)>,
    sources: SourceMap,
}

impl AskingArguments {
    /// Reads and compiles all of it, and tells what is wrong with the circuit or the
    /// question, whose answer depends on the circuit as the table says of its `kind`.
    pub fn open(
        &self,
        kind: Option<QueryKind>,
        messages: &MessageArguments,
    ) -> CommandResult<AskedCircuit> {
        check_inputs(&self.circuit.model, &self.rows)?;
        let options = model::deciding(
            &self.circuit.reading,
            kind.map_or(Vec::new(), |kind| kind.rule().properties()),
        );
        let opened = model::opened_with(&self.circuit.model, &options, messages)?;
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
            let shown = refusal.shown(CircuitOperand::First, checked.circuit());
            Some((refusal, shown))
        });
        let (model, _) = engine::compile(checked, &running)?;
        Ok(AskedCircuit {
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

impl AskedCircuit {
    /// Says why answers are not exact.
    pub fn note_refusal(&self, messages: &MessageArguments) {
        if let Some((refusal, shown)) = &self.refusal {
            messages.show(shown, &self.sources);
            messages.note(refusal.worded(flags));
        }
    }

    /// Says which rows are impossible; if there are none, that what is given is.
    pub fn note_impossible(
        &self,
        is_impossible: Vec<bool>,
        messages: &MessageArguments,
    ) -> CommandResult<()> {
        match self.table {
            None if is_impossible.contains(&true) => {
                Err(no_answer(QueryFailure::of_given(&self.given)))
            }
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

/// The rows of a table, so many at a time, with the number of the first.
pub fn chunks(table: &Table, n_rows: usize) -> impl Iterator<Item = (usize, Table)> {
    let firsts = (0..table.n_rows()).step_by(n_rows);
    firsts.map(move |first| {
        (
            first,
            table.slice(first..table.n_rows().min(first + n_rows)),
        )
    })
}

/// The circuit and its data cannot both come from standard input.
pub fn check_inputs(model: &Path, rows: &RowArguments) -> CommandResult<()> {
    let inputs = [Some(model), rows.data.as_deref(), rows.soft.as_deref()];
    check_stdin(inputs.into_iter().flatten(), "the circuit and the data")?;
    check_stream(model, rows.stream)
}

/// The circuit and requests cannot both come from standard input.
pub fn check_stream(model: &Path, is_stream: bool) -> CommandResult<()> {
    if is_stream && is_standard(model) {
        let message = "requests are read from standard input, so that the circuit has to be a file";
        return Err(CommandFailure::Usage(message.to_string()));
    }
    Ok(())
}

/// The rows that are asked about, if there are any.
pub fn read_rows(
    rows: &RowArguments,
    circuit: &CircuitGraph,
    messages: &MessageArguments,
) -> CommandResult<Option<Table>> {
    let data = match &rows.data {
        None => None,
        Some(path) => {
            Some(read_file(path, circuit, &read_options(rows.header, None), messages)?.table)
        }
    };
    match &rows.soft {
        None => Ok(data),
        Some(path) => soft::laid_over(path, circuit, data).map(Some),
    }
}

/// What was asked; what is wrong with it is told.
pub fn understood<T>(
    read: Result<T, NotUnderstood>,
    messages: &MessageArguments,
) -> CommandResult<T> {
    read.map_err(|fault| {
        messages.show(&fault.found, &fault.sources);
        CommandFailure::Told(Exit::Usage)
    })
}

/// Why there is no answer.
pub fn no_answer(gap: QueryFailure) -> CommandFailure {
    let sentence = gap.sentence().worded(flags);
    match gap {
        QueryFailure::ImpossibleGiven => CommandFailure::Unfit(format!(
            "{sentence}; `pelton query` tells the probability of each part"
        )),
        QueryFailure::ZeroMass => CommandFailure::Unfit(sentence),
        QueryFailure::TooLarge => CommandFailure::Numeric(sentence),
        QueryFailure::TooManyParts | QueryFailure::Unmentioned | QueryFailure::MixedDensities => {
            CommandFailure::Wrong(sentence)
        }
    }
}

/// Says how many rows are impossible; if none is possible, that is a failure. The answers
/// to impossible rows are empty, so that answers stay beside their rows.
pub fn note_impossible(
    is_impossible: impl Iterator<Item = bool>,
    messages: &MessageArguments,
) -> CommandResult<()> {
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
        return Err(CommandFailure::Unfit(note));
    }
    messages.note(&note);
    Ok(())
}
