//! The circuit that is learned.

use crate::arguments::{LearningJob, MessageArguments};
use crate::model::OpenedCircuit;
use crate::progress::shown_time;
use crate::{CommandFailure, CommandResult, engine, model};
use pelton_compiler::AnalysisOptions;
use pelton_compiler::check::Checked;
use pelton_compiler::stats::CircuitStatistics;
use pelton_grammar::diagnostic::thousands;
use pelton_runtime::Model;
use pelton_runtime::tractability::QueryKind;
use std::path::Path;

pub struct LearningSetup {
    /// The circuit as it was read, with all that is to be learned.
    pub opened: OpenedCircuit,
    pub model: Model,
}

impl LearningSetup {
    /// Reads and compiles the circuit of a job; what is wrong with it is told.
    pub fn of(job: LearningJob, path: &Path, messages: &MessageArguments) -> CommandResult<Self> {
        let opened = model::opened_with(path, &options(job), messages)?;
        LearningSetup::compiled(opened, job, messages)
    }

    /// The same for a circuit whose text was written here.
    pub fn of_text(
        job: LearningJob,
        text: &str,
        messages: &MessageArguments,
    ) -> CommandResult<Self> {
        let (name, lead) = ("the learned circuit", "the learned circuit cannot be used");
        let opened = model::of_text(text, name, &options(job), lead)
            .map_err(|failure| CommandFailure::Usage(failure.to_string()))?;
        LearningSetup::compiled(opened, job, messages)
    }

    fn compiled(
        mut opened: OpenedCircuit,
        job: LearningJob,
        messages: &MessageArguments,
    ) -> CommandResult<Self> {
        if job.learning.learn_all {
            opened.checked = opened.checked.learn_all();
            opened.document.learn_all = true;
            check_learned(&opened.checked)?;
        }
        // What a former run left there does not belong to this one.
        opened.document.extra.clear();
        opened.document.state.clear();
        let (model, time) = engine::compile(opened.checked.clone(), job.running)?;
        if messages.verbose {
            let n_learned = CircuitStatistics::of(opened.checked.circuit()).free_parameters;
            let (n_learned, time) = (thousands(n_learned), shown_time(time));
            messages.note(format!("compiled in {time}; {n_learned} free parameters"));
        }
        Ok(LearningSetup { opened, model })
    }
}

fn options(job: LearningJob) -> AnalysisOptions {
    model::deciding(job.reading, QueryKind::ClosedForm.rule().properties())
}

/// Says what cannot be learned even if all is to be.
fn check_learned(checked: &Checked) -> CommandResult<()> {
    let entries = checked.circuit().all_entries();
    if entries.iter().any(|entry| entry.learned) {
        Ok(())
    } else {
        Err(CommandFailure::Wrong(
            "there is nothing to learn, even with --learn-all: zeros stay fixed, and so do weights \
             that do not add up to 1 or have no choice; see what `pelton params` lists"
                .to_string(),
        ))
    }
}
