//! Asks the questions of the library's table: `pelton entropy`, `pelton mi` and so on.

use crate::arguments::{MessageArguments, QuestionCommand};
use crate::asking::{check_stream, no_answer, understood};
use crate::commands::note_unset;
use crate::inputs::check_stdin;
use crate::mass::Mass;
use crate::model::{self, OpenedCircuit};
use crate::stream::{RequestFault, StreamReply, serve};
use crate::{CommandFailure, CommandResult, Exit, report};
use pelton::question::{NoAnswer, QuestionAnswer, QuestionArguments, QuestionAsked};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::ParameterValue;
use pelton_runtime::query::{QueryEffort, ask_given};
use serde_json::Value as Json;
use std::io::Write;
use std::path::PathBuf;

/// Asks a question once, or as often as requests come.
pub fn run(command: &QuestionCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    check_stdin(command.models.iter().map(PathBuf::as_path), "the circuits")?;
    let opened = open(command, messages)?;
    let values: Vec<Vec<ParameterValue>> = opened
        .iter()
        .map(|own| own.checked.circuit().start_values())
        .collect();
    let circuits = opened.iter().zip(&values);
    let circuits = circuits.map(|(own, values)| (&own.checked, values.as_slice()));
    let question = OpenedQuestion {
        command,
        circuits: circuits.collect(),
        opened: &opened,
        messages,
    };
    if command.common.stream {
        return question.stream();
    }
    let answer = question.answer(&command.arguments);
    question.print(&answer.map_err(|none| question.failure(none))?)?;
    Ok(Exit::Ok)
}

/// Reads the circuits; what is wrong with any is told before the command ends.
fn open(
    command: &QuestionCommand,
    messages: &MessageArguments,
) -> CommandResult<Vec<OpenedCircuit>> {
    let common = &command.common;
    for path in &command.models {
        check_stream(path, common.stream)?;
    }
    let options = model::deciding(&common.reading, command.rule.properties(&command.arguments));
    // All are read before one that is wrong ends the command.
    let read = command
        .models
        .iter()
        .map(|path| model::opened_with(path, &options, messages));
    let read: Vec<CommandResult<OpenedCircuit>> = read.collect();
    let opened: Vec<OpenedCircuit> = read.into_iter().collect::<Result<_, _>>()?;
    opened
        .iter()
        .for_each(|own| note_unset(own.checked.circuit(), messages));
    if command.rule.is_scaled {
        for own in &opened {
            Mass::noted(&own.checked, messages);
        }
    }
    Ok(opened)
}

struct OpenedQuestion<'a> {
    command: &'a QuestionCommand,
    circuits: Vec<(&'a Checked, &'a [ParameterValue])>,
    opened: &'a [OpenedCircuit],
    messages: &'a MessageArguments,
}

impl OpenedQuestion<'_> {
    fn answer(&self, arguments: &QuestionArguments) -> Result<QuestionAnswer, NoAnswer> {
        let reading = &self.command.common.reading;
        (self.command.rule.answer)(&QuestionAsked {
            circuits: &self.circuits,
            arguments,
            effort: &QueryEffort {
                limits: model::options(reading).limits,
                max_size: reading.max_size,
                n_threads: std::thread::available_parallelism().map_or(1, usize::from),
            },
        })
    }

    fn print(&self, answer: &QuestionAnswer) -> CommandResult<()> {
        self.note(answer);
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        if self.command.common.json {
            let whole = std::slice::from_ref(&answer.fields);
            for record in answer.records.as_deref().unwrap_or(whole) {
                writeln!(out, "{}", Json::Object(record.clone()))?;
            }
        } else {
            write!(report::VisibleWriter(&mut out), "{}", answer.text)?;
        }
        Ok(out.flush()?)
    }

    fn note(&self, answer: &QuestionAnswer) {
        answer
            .notes
            .iter()
            .for_each(|note| self.messages.note(note));
    }

    /// Answers requests, which say what the command line leaves open.
    fn stream(&self) -> CommandResult<Exit> {
        let (rule, own) = (self.command.rule, &self.command.arguments);
        let circuit = self.circuits[0].0.circuit();
        understood(ask_given(circuit, own.text("given")), self.messages)?;
        let mut is_first = true;
        serve(circuit, &rule.keys(), |asked| {
            let arguments = asked.request.arguments().or(own);
            arguments.complete(rule).map_err(CommandFailure::from)?;
            let answer = self.answer(&arguments).map_err(|none| self.fault(none))?;
            if std::mem::take(&mut is_first) {
                self.note(&answer);
            }
            Ok(vec![StreamReply::new(answer.fields)])
        })
    }

    fn fault(&self, none: NoAnswer) -> RequestFault {
        match none {
            NoAnswer::NotUnderstood(why) => (*why).into(),
            none => self.failure(none).into(),
        }
    }

    /// Tells why there is no answer.
    fn failure(&self, none: NoAnswer) -> CommandFailure {
        match none {
            NoAnswer::NotUnderstood(why) => {
                self.messages.show(&why.found, &why.sources);
                CommandFailure::Told(Exit::Usage)
            }
            NoAnswer::Given(_, gap) => no_answer(gap),
            NoAnswer::Refused(error, shown) => {
                for (found, own) in shown.iter().zip(self.opened) {
                    self.messages.show(found, &own.program.sources);
                }
                error.into()
            }
            NoAnswer::Other(error) => error.into(),
        }
    }
}
