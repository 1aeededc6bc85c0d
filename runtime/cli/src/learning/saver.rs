//! Checkpoints: the state of a run, in a file that is also a model.

use super::LearningSetup;
use crate::arguments::{LearningJob, MessageArguments};
use crate::{CommandFailure, CommandResult, model, write};
use pelton_runtime::learn::Checkpoint;
use pelton_runtime::store::{self, StateData, StateTensor, StoredModel};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Least time between two saves.
const PAUSE: Duration = Duration::from_secs(1);

/// The pause is so many times as long as saving takes, so that large models spend
/// their time on learning.
const PATIENCE: u32 = 20;

/// The name of the state among the texts of a file.
const STATE: &str = "checkpoint";

/// Saves checkpoints now and then.
pub struct CheckpointSaver<'a> {
    path: &'a Path,
    setup: &'a LearningSetup,
    messages: &'a MessageArguments,
    /// When to save next.
    next: Instant,
    /// The last state that has not been saved.
    pending: Option<Checkpoint>,
    has_warned: bool,
}

impl<'a> CheckpointSaver<'a> {
    pub fn new(path: &'a Path, setup: &'a LearningSetup, messages: &'a MessageArguments) -> Self {
        CheckpointSaver {
            path,
            setup,
            messages,
            next: Instant::now(),
            pending: None,
            has_warned: false,
        }
    }

    /// Takes the state after an epoch, and saves it if it is time to. That this
    /// fails is told once and does not end the run.
    pub fn epoch(&mut self, checkpoint: &dyn Fn() -> Checkpoint) {
        self.pending = Some(checkpoint());
        if Instant::now() < self.next {
            return;
        }
        let start = Instant::now();
        if let Err(failure) = self.finish()
            && !self.has_warned
        {
            self.has_warned = true;
            self.messages.note(format!("{failure}; the run goes on"));
        }
        self.next = Instant::now() + PAUSE.max(PATIENCE * start.elapsed());
    }

    /// Saves what has not been saved.
    pub fn finish(&mut self) -> CommandResult<()> {
        match &self.pending {
            Some(checkpoint) => self.save(checkpoint)?,
            None => return Ok(()),
        }
        self.pending = None;
        Ok(())
    }

    fn save(&self, checkpoint: &Checkpoint) -> CommandResult<()> {
        let (tensors, text) = checkpoint.to_parts();
        let mut document = self.setup.opened.document.clone();
        document.extra.insert(STATE.to_string(), text);
        let tensors = tensors.into_iter();
        document.state = tensors
            .map(|(name, numbers)| (name, StateTensor::reals(numbers)))
            .collect();
        let circuit = self.setup.opened.checked.circuit();
        // Behind the circuit's own values are those that optimisation added.
        let values = &checkpoint.best[..circuit.all_entries().len()];
        store::save(self.path, &document, circuit, values)
            .map_err(|error| write::not_saved(self.path, &error))
    }
}

/// Refuses to begin a run whose checkpoints would replace those of another.
pub fn check_new(path: &Path) -> CommandResult<()> {
    if model::is_model_file(path) {
        Err(CommandFailure::Usage(format!(
            "there is a checkpoint or model `{}` already; add --resume to continue it, or remove it",
            path.display()
        )))
    } else {
        Ok(())
    }
}

/// The state that a run goes on from, if there is one; what is done is told.
pub fn resumed(
    path: &Path,
    job: LearningJob,
    setup: &LearningSetup,
    messages: &MessageArguments,
) -> CommandResult<Option<Checkpoint>> {
    let checkpoint = load(path, job, setup)?;
    let path = path.display();
    let note = match checkpoint {
        Some(_) => format!("resuming from `{path}`"),
        None => format!("there is no checkpoint `{path}` yet; starting from the beginning"),
    };
    messages.note(&note);
    Ok(checkpoint)
}

/// The checkpoint in a file; none if there is no such file. It is read within the
/// limits that the circuit was read in.
fn load(path: &Path, job: LearningJob, setup: &LearningSetup) -> CommandResult<Option<Checkpoint>> {
    let fault = |what: String| {
        let path = path.display();
        CommandFailure::Usage(format!("the run cannot be resumed from `{path}`: {what}"))
    };
    if !path.exists() {
        return Ok(None);
    }
    // The circuit has to be the same: the state is numbers by position.
    let options = model::options(job.reading);
    let loaded = StoredModel::open(path).and_then(|stored| stored.load(path, &options));
    let loaded = loaded.map_err(|error| fault(error.to_string()))?;
    let document = loaded.document;
    let text = document.extra.get(STATE);
    let text = text.ok_or_else(|| fault("it is a model and no checkpoint".to_string()))?;
    let (old, new) = (loaded.checked.circuit(), setup.opened.checked.circuit());
    if old.fingerprint() != new.fingerprint() {
        return Err(fault("it belongs to another circuit".to_string()));
    }
    let checkpoint = Checkpoint::from_parts(&reals(document.state), text);
    checkpoint
        .map(Some)
        .map_err(|error| fault(error.to_string()))
}

fn reals(state: BTreeMap<String, StateTensor>) -> BTreeMap<String, Vec<f64>> {
    let reals = state
        .into_iter()
        .filter_map(|(name, tensor)| match tensor.data {
            StateData::F64(numbers) => Some((name, numbers)),
            StateData::U64(_) => None,
        });
    reals.collect()
}
