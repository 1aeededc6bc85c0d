//! A run of learning: phases, epochs, and what is kept of them.

use super::checkpoint::Checkpoint;
use super::entropy::{entropy, obstacle};
use super::estep::EStep;
use super::flat_circuit::FlatUnitKind;
use super::mstep::{MStep, MStepTarget};
use super::observer::{EpochProgress, LearningControl, LearningObserver};
use super::report::{Epoch, Phase, Report, Score, StopReason};
use super::score::score;
use super::survey::{TrainingSurvey, fingerprint};
use super::{LearnError, LearnOptions, LearningRows, Method, Softening};
use crate::FlowTotals;
use crate::data::Softness;
use crate::model::{FlowKind, Model};
use crate::tractability::{QueryKind, TractabilityRequirement};
use pelton_compiler::circuit::{CircuitGraph, ParamId, ParamKind, ParameterValue, Property};
use pelton_compiler::parallel::thread_count;
use pelton_compiler::stats::CircuitStatistics;
use pelton_grammar::diagnostic::counted;
use serde_json::json;
use std::sync::Arc;
use std::time::Instant;

/// What is to be learned, and from what.
#[derive(Clone, Copy, Debug)]
pub struct TrainingTask<'a> {
    /// The circuit.
    pub model: &'a Model,
    /// Rows to learn from.
    pub train: LearningRows<'a>,
    /// Rows that decide when to stop and which parameters are kept.
    pub valid: Option<LearningRows<'a>>,
    /// Rows that are looked at once, when everything is decided.
    pub test: Option<LearningRows<'a>>,
    /// How to learn.
    pub options: &'a LearnOptions,
    /// Where an earlier run was left.
    pub resume: Option<&'a Checkpoint>,
}

/// What was learned.
#[derive(Clone, Debug)]
#[must_use]
pub struct LearningResult {
    /// A value for each entry of the circuit that the model was compiled from.
    pub values: Vec<ParameterValue>,
    /// What is known of the run.
    pub report: Report,
}

/// Learns parameters. Results depend on the task alone, not on threads or on
/// whether the run was interrupted and resumed.
pub fn learn(
    task: &TrainingTask,
    observer: &mut dyn LearningObserver,
) -> Result<LearningResult, LearnError> {
    LearningRun::new(task, None)?.run(observer)
}

/// The same, from these values of all entries of the model's circuit; what the options say
/// about the start does not count.
///
/// # Panics
/// If there is not one value for each entry.
pub fn learn_from(
    task: &TrainingTask,
    values: &[ParameterValue],
    observer: &mut dyn LearningObserver,
) -> Result<LearningResult, LearnError> {
    let n_entries = task.model.circuit().all_entries().len();
    assert_eq!(values.len(), n_entries, "a value for each entry");
    LearningRun::new(task, Some(values))?.run(observer)
}

pub(super) struct LearningRun<'a> {
    pub task: &'a TrainingTask<'a>,
    pub method: Method,
    pub survey: TrainingSurvey,
    pub estep: EStep<'a>,
    pub mstep: MStep<'a>,
    /// Noise on training rows, if it is part of the evidence.
    pub softness: Option<Arc<Softness>>,
    pub state: Checkpoint,
    began: Instant,
    /// Time that earlier parts of the run took.
    before: f64,
}

impl<'a> LearningRun<'a> {
    fn new(
        task: &'a TrainingTask<'a>,
        from: Option<&[ParameterValue]>,
    ) -> Result<Self, LearnError> {
        // 1. What can be refused before rows are looked at.
        let (model, options) = (task.model, task.options);
        let circuit = model.circuit();
        options.check(circuit)?;
        let mut mstep = MStep::new(circuit)?;
        check_circuit(model, &mstep, options)?;
        // 2. One look at all rows: which method they allow, what bounds leaves, how noise falls.
        let survey = TrainingSurvey::of(circuit, &task.train)?;
        if survey.has_soft && options.softness > 0.0 {
            let message = "rows that are soft evidence already cannot be softened";
            return Err(LearnError::Data(message.into()));
        }
        mstep.set_ranges(survey.ranges.clone());
        let method = method(model, options, &survey)?;
        let softness = (options.softness > 0.0).then(|| {
            Arc::new(if options.scale_by_marginal {
                Softness::by_marginals(circuit, options.softness, &survey.marginals())
            } else {
                Softness::even(circuit, options.softness)
            })
        });
        let kind = match method {
            Method::Mle => FlowKind::Support,
            Method::Em => FlowKind::Expected,
        };
        // 3. Where the run starts: at a checkpoint of the same run, or anew.
        let identity = identity(task, method, &survey)?;
        let state = match task.resume {
            Some(checkpoint) => checkpoint
                .clone()
                .resumed(&identity, circuit.all_entries().len())?,
            None => Checkpoint::new(super::start::start(task, from, &mut mstep)?, identity),
        };
        // 4. What computes flows, which parameters of zero may keep from doing so.
        let estep = EStep::new(model, kind, options.threads);
        let estep = match &softness {
            Some(softness) if method == Method::Em && options.softening == Softening::Geometric => {
                estep.geometric(softness.clone())?
            }
            _ => estep,
        };
        if task.resume.is_none() {
            estep.check(&state.values)?;
        }
        let mut run = LearningRun {
            task,
            method,
            survey,
            estep,
            mstep,
            softness,
            began: Instant::now(),
            before: state.epochs.last().map_or(0.0, |epoch| epoch.seconds),
            state,
        };
        if run.state.warm.len() == run.mstep.warm.len() {
            run.mstep.warm.clone_from(&run.state.warm);
        }
        Ok(run)
    }

    /// Runs the task to its end.
    fn run(mut self, observer: &mut dyn LearningObserver) -> Result<LearningResult, LearnError> {
        let stop = match self.method {
            Method::Mle => self.closed_form(observer)?,
            Method::Em => self.em(observer)?,
        };
        self.finish(stop)
    }

    pub fn seconds(&self) -> f64 {
        self.before + self.began.elapsed().as_secs_f64()
    }

    /// Says how far an epoch has come.
    pub fn progress(&self, phase: Phase, rows_done: usize) -> EpochProgress {
        let options = self.task.options;
        let (first, then) = (options.minibatch_epochs, options.fullbatch_epochs);
        let n_epochs = match self.method {
            Method::Mle => 1,
            Method::Em => first.saturating_add(then),
        };
        EpochProgress {
            phase,
            epoch: self.state.epochs.len() + 1,
            n_epochs,
            rows_done,
            n_rows: self.survey.n_rows,
        }
    }

    /// Notes an epoch, looks at the validation rows, and keeps what is best.
    pub fn note_epoch(
        &mut self,
        phase: Phase,
        train_ll: f64,
        objective: Option<f64>,
        observer: &mut dyn LearningObserver,
    ) -> Result<LearningControl, LearnError> {
        let valid = self.validate()?;
        let number = self.state.epochs.len() + 1;
        self.state.epochs.push(Epoch {
            phase,
            epoch: number,
            seconds: self.seconds(),
            train_ll,
            valid_ll: valid.map(|score| score.mean),
            objective,
        });
        self.state.phase_epochs += 1;
        self.state.keep_best(number, valid);
        let epoch = self.state.epochs.last().expect("one was just added");
        let checkpoint = || Checkpoint {
            warm: self.mstep.warm.clone(),
            ..self.state.clone()
        };
        Ok(observer.epoch(epoch, &checkpoint))
    }

    fn validate(&self) -> Result<Option<Score>, LearnError> {
        let Some(rows) = &self.task.valid else {
            return Ok(None);
        };
        let score = self.score(rows)?;
        if score.mean.is_nan() {
            let message = "every validation row has probability zero, so that they cannot tell \
                           which parameters are better";
            return Err(LearnError::Data(message.into()));
        }
        Ok(Some(score))
    }

    /// Rows under the parameters as they are.
    pub fn score(&self, rows: &LearningRows) -> Result<Score, LearnError> {
        let TrainingTask { model, options, .. } = *self.task;
        score(model, &self.state.values, rows, options.threads)
    }

    /// The fit of an M-step to flows of these rows.
    pub fn fit<'f>(
        &self,
        totals: &'f FlowTotals,
        flow_values: &'f [ParameterValue],
        pseudocount: f64,
    ) -> MStepTarget<'f> {
        MStepTarget {
            flows: &totals.flows,
            flow_values,
            weight: totals.weight,
            pseudocount,
            tau: self.task.options.entropy,
        }
    }

    fn finish(self, stop_reason: StopReason) -> Result<LearningResult, LearnError> {
        let TrainingTask { model, options, .. } = *self.task;
        let scored = |rows: &LearningRows| score(model, &self.state.best, rows, options.threads);
        let train = scored(&self.task.train)?;
        let valid = self.task.valid.as_ref().map(scored).transpose()?;
        let test = self.task.test.as_ref().map(scored).transpose()?;
        let notes = self.notes(train.n_zero);
        let LearningRun { method, state, .. } = self;
        // The tables of the M-step are gone before the entropy makes its own.
        let Checkpoint {
            best: mut values,
            best_epoch,
            epochs,
            ..
        } = state;
        let report = Report {
            train,
            valid,
            test,
            entropy: entropy(model, &values),
            best_epoch,
            stop_reason,
            method,
            sum_edges: CircuitStatistics::of(model.circuit()).sum_edges,
            threads: thread_count(options.threads),
            options: options.clone(),
            notes,
            epochs,
        };
        values.truncate(model.n_entries());
        Ok(LearningResult { values, report })
    }

    fn notes(&self, n_zero: usize) -> Vec<String> {
        let mut notes = Vec::new();
        if n_zero > 0 {
            notes.push(format!(
                "{} of {} training rows have probability zero and were left out",
                n_zero, self.survey.n_rows
            ));
        }
        notes.extend(unused(self.task.model.circuit()));
        let outcome = &self.mstep.outcome;
        if outcome.is_bounded() {
            notes.push(format!(
                "{} of leaves stopped at a bound that the data's range sets ({} at the lower, {} at the \
                 upper one), such as {}",
                counted(outcome.n_floored + outcome.n_ceiled, "parameter", "parameters"),
                outcome.n_floored,
                outcome.n_ceiled,
                outcome.examples.join(", "),
            ));
        }
        notes
    }
}

/// Says which declared parameters no unit uses, so that they keep their start.
fn unused(circuit: &CircuitGraph) -> Option<String> {
    let is_used = circuit.used_parameters();
    let params = circuit.parameters().iter().zip(is_used).enumerate();
    let names = params.filter_map(|(at, (parameter, is_used))| {
        let mut entries = circuit.entries(ParamId::new(at)).iter();
        let is_kept = !is_used && entries.any(|entry| entry.learned);
        parameter.name.filter(|_| is_kept)
    });
    let names: Vec<_> = names.collect();
    let first = circuit.names().show(*names.first()?);
    Some(match names.len() {
        1 => format!("no unit uses `{first}`, which keeps its start"),
        n => format!("no unit uses {n} parameters such as `{first}`, which keep their start"),
    })
}

/// The method asked for, if it can be used here.
fn method(
    model: &Model,
    options: &LearnOptions,
    survey: &TrainingSurvey,
) -> Result<Method, LearnError> {
    let kind = QueryKind::ClosedForm;
    let refusal = kind.refusal(model.circuit(), model.facts()).or_else(|| {
        let reason = "cells are missing".to_string();
        let refused = || kind.refused(TractabilityRequirement::CompleteRows, reason, Vec::new());
        survey.has_missing.then(refused)
    });
    match (options.method, refusal) {
        (None, None) => Ok(Method::Mle),
        (Some(Method::Mle), Some(refusal)) => Err(refusal.into()),
        (method, _) => Ok(method.unwrap_or(Method::Em)),
    }
}

/// Says why the circuit cannot be learned as asked, if it cannot.
fn check_circuit(model: &Model, mstep: &MStep, options: &LearnOptions) -> Result<(), LearnError> {
    let circuit = model.circuit();
    let entries = circuit.all_entries();
    if !entries.iter().any(|entry| entry.learned) {
        return Err(LearnError::NothingToLearn);
    }
    let flat = &mstep.flat;
    let sums = flat.units.iter();
    let sums = sums.filter(|unit| matches!(unit.kind, FlatUnitKind::Sum(_)));
    let mut weights = sums.flat_map(|unit| &flat.entries[unit.edges()]);
    let is_loose = |&&entry: &&u32| {
        let param = flat.param_of[entry as usize] as usize;
        entries[entry as usize].learned && circuit.parameters()[param].kind == ParamKind::Weights
    };
    if weights.any(|entry| is_loose(&entry)) {
        let message = "a sum has learned weights beside entries of a declared parameter, so that \
                       they need not add up to 1; declare one parameter for all of its weights";
        return Err(LearnError::Circuit(message.into()));
    }
    if options.entropy > 0.0 {
        let reason = if model.facts().is_proven(Property::Normalized) {
            obstacle(flat, circuit)
        } else {
            Some("the circuit is not normalized".into())
        };
        if let Some(reason) = reason {
            let message = format!("entropy is defined for distributions only, and {reason}");
            return Err(LearnError::Circuit(message));
        }
    }
    Ok(())
}

/// What has to be the same for a run to be resumed.
fn identity(
    task: &TrainingTask,
    method: Method,
    survey: &TrainingSurvey,
) -> Result<serde_json::Value, LearnError> {
    let mut options = task.options.to_json();
    // These change when a run ends, not what it learns until then.
    for name in ["fullbatch_epochs", "patience", "tolerance"] {
        options.as_object_mut().map(|map| map.remove(name));
    }
    options["method"] = json!(method.name());
    let valid = task.valid.as_ref().map(fingerprint).transpose()?;
    Ok(json!({
        "options": options,
        "rows": survey.n_rows,
        "fingerprint": format!("{:016x}", survey.fingerprint),
        "is_stream": task.train.is_stream(),
        "valid": valid.map(|valid| format!("{valid:016x}")),
        "precision": task.model.options().precision.name(),
        // What the kernels are decides last digits.
        "engine": task.model.engine().name(),
    }))
}
