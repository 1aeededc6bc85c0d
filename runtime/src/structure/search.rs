//! The search for an ensemble within a time.
//!
//! A [`SearchSpace`] says what can be tried; the validation rows decide. What was tried is
//! not lost: in the end trials that complete each other become an ensemble, whose weights
//! are fitted to the validation rows, too. The last part of the time goes to learning the
//! ensemble as a whole, as long as the validation rows like that.

use super::ensemble::{AssembledEnsemble, EnsembleMember, mixing_weights};
use super::selection::EnsembleCandidates;
use super::{StructureError, StructureLearner, StructureTask, WeightedSample};
use crate::learn::{
    Checkpoint, Epoch, EpochProgress, LearnOptions, LearningControl, LearningObserver,
    LearningResult, Report, Score, StopReason, score,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value as Json, json};
use std::fmt::Display;
use std::time::{Duration, Instant};

/// What a search can try. A recipe is all that was chosen for a trial, so that it can be
/// repeated.
pub trait SearchSpace {
    /// The choices of one trial.
    type Recipe: Clone + Display;

    /// What is tried before anything is known, cheap ones first; there is at least one.
    fn first(&self) -> Vec<Self::Recipe>;

    /// A recipe that differs from a good one in one choice or two, drawn at random, and in
    /// its seed.
    fn neighbour(&self, recipe: &Self::Recipe, random: &mut ChaCha8Rng) -> Self::Recipe;

    /// What learns the member. Parameters that it leaves out are learned as well.
    fn learner(&self, recipe: &Self::Recipe) -> Box<dyn StructureLearner>;

    /// How a recipe learns parameters.
    fn learning(&self, recipe: &Self::Recipe, base: &LearnOptions) -> LearnOptions;

    /// What an epoch costs, compared with that of other recipes.
    fn cost(&self, recipe: &Self::Recipe) -> f64;

    /// The choices by their names.
    fn choices(&self, recipe: &Self::Recipe) -> Vec<(&'static str, Json)>;
}

/// How to search.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// How long trials may take together.
    pub budget: Duration,
    /// What all trials have in common.
    pub learning: LearnOptions,
    /// The most weighted edges of the ensemble. Learning takes some 700 bytes for each.
    pub most_edges: usize,
    /// The seed of the search.
    pub seed: u64,
}

impl SearchOptions {
    /// A search for so long.
    pub fn new(budget: Duration, seed: u64) -> Self {
        SearchOptions {
            budget,
            // Batches share the pseudocount, so that what is tried does not depend on
            // how many batches there are.
            learning: LearnOptions {
                pseudocount_per_batch: false,
                ..LearnOptions::paper()
            },
            most_edges: 1_500_000,
            seed,
        }
    }
}

/// A trial of a search.
#[derive(Clone, Debug)]
pub struct SearchTrial {
    /// What was chosen for it, by name.
    pub choices: Vec<(&'static str, Json)>,
    /// The training rows under what was learned.
    pub train: Score,
    /// The validation rows.
    pub valid: Score,
    /// The epoch that was the best, of how many.
    pub best_epoch: usize,
    /// Epochs.
    pub n_epochs: usize,
    /// Weighted edges of the circuit.
    pub sum_edges: usize,
    /// How long it took, structure and compiling included.
    pub seconds: f64,
    /// Its weight in the ensemble; 0 if it is no member.
    pub weight: f64,
}

impl SearchTrial {
    /// The trial as reports show it.
    pub fn to_json(&self) -> Json {
        let mut json = json!({});
        for (name, value) in &self.choices {
            json[name] = value.clone();
        }
        json["train_ll"] = json!(self.train.mean);
        json["valid_ll"] = json!(self.valid.mean);
        json["valid_zero_rows"] = json!(self.valid.n_zero);
        json["best_epoch"] = json!(self.best_epoch);
        json["epochs"] = json!(self.n_epochs);
        json["sum_edges"] = json!(self.sum_edges);
        json["seconds"] = json!(self.seconds);
        json["weight"] = json!(self.weight);
        json
    }
}

/// What a search found.
#[derive(Debug)]
pub struct EnsembleResult {
    /// The ensemble of trials; its report is that of the best trial, with the
    /// likelihoods of the whole.
    pub assembled: AssembledEnsemble,
    /// What was tried.
    pub report: SearchReport,
    /// Whether the observer ended the search.
    pub is_cancelled: bool,
}

/// What is known of a search.
#[derive(Clone, Debug)]
pub struct SearchReport {
    /// What was tried, in that order.
    pub trials: Vec<SearchTrial>,
    /// How long trials might take together.
    pub budget: Duration,
    /// How the whole was learned together.
    pub refinement: Refinement,
}

impl SearchReport {
    /// Adds the search to the report of a run.
    pub(super) fn add_to(&self, report: &mut Json) {
        report["trials"] = self.trials.iter().map(SearchTrial::to_json).collect();
        report["budget_seconds"] = json!(self.budget.as_secs_f64());
        report["refinement"] = self.refinement.to_json();
    }
}

/// What came of learning an ensemble together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Refinement {
    /// Epochs over all rows.
    pub n_epochs: usize,
    /// The mean log-likelihood of the validation rows before.
    pub valid_before: f64,
    /// And after, under what was kept.
    pub valid_after: f64,
}

impl Refinement {
    /// The refinement as reports show it.
    pub fn to_json(&self) -> Json {
        json!({
            "epochs": self.n_epochs,
            "valid_ll_before": self.valid_before,
            "valid_ll_after": self.valid_after,
        })
    }
}

/// Watches a search. Its methods as an [`LearningObserver`] tell of the single runs.
pub trait SearchObserver: LearningObserver {
    /// Is told before each trial: its number from 1, which part of the time has passed, and
    /// what is tried.
    fn begin(&mut self, _number: usize, _passed: f64, _recipe: &dyn Display) {}

    /// Is told after each trial, and whether it is the best so far.
    fn end(&mut self, _trial: &SearchTrial, _is_best: bool) {}
}

/// Watches nothing.
impl SearchObserver for () {}

/// Searches for an ensemble under which the validation rows are likely. The first trial is
/// finished unless it takes twice the time, and has one epoch however long that takes. A
/// later one that fails is left out, with a note.
pub fn search<S: SearchSpace>(
    study: &StructureTask,
    space: &S,
    options: &SearchOptions,
    observer: &mut dyn SearchObserver,
) -> Result<EnsembleResult, StructureError> {
    let Some(valid) = study.valid else {
        let message = "a search needs validation rows to choose by".to_string();
        return Err(StructureError::Option(message));
    };
    let mut search = EnsembleSearch {
        study,
        valid,
        space,
        options,
        began: Instant::now(),
        trials: Vec::new(),
        recipes: Vec::new(),
        members: Vec::new(),
        logs: Vec::new(),
        best: None,
        notes: Vec::new(),
        is_cancelled: false,
    };
    let mut random = ChaCha8Rng::seed_from_u64(options.seed);
    let mut queue = space.first().into_iter();
    let mut n_unfit = 0;
    while !search.is_cancelled && n_unfit < MOST_UNFIT && !search.is_over() {
        let recipe = queue.next().unwrap_or_else(|| {
            let parent = search.parent(&mut random);
            space.neighbour(&parent, &mut random)
        });
        let is_tried = search.fits(&recipe) && search.tries(recipe, observer)?;
        n_unfit = if is_tried { 0 } else { n_unfit + 1 };
    }
    search.finish(observer)
}

/// Which part of the time trials may take; the rest is for what they have in common.
const TRIALS_SHARE: f64 = 0.8;

/// Epochs without a better validation likelihood after which an ensemble is not learned
/// any further.
const REFINEMENT_PATIENCE: usize = 2;

/// A search in progress.
struct EnsembleSearch<'a, S: SearchSpace> {
    study: &'a StructureTask<'a>,
    valid: WeightedSample<'a>,
    space: &'a S,
    options: &'a SearchOptions,
    began: Instant,
    trials: Vec<SearchTrial>,
    /// What each trial did.
    recipes: Vec<S::Recipe>,
    members: Vec<EnsembleMember>,
    /// The log-likelihood of each validation row under each member.
    logs: Vec<Vec<f64>>,
    /// The best trial's validation score and report.
    best: Option<(Score, Report)>,
    /// What was left out, and why.
    notes: Vec<String>,
    is_cancelled: bool,
}

impl<S: SearchSpace> EnsembleSearch<'_, S> {
    /// The time that trials have left.
    fn left(&self) -> Duration {
        let budget = self.options.budget.mul_f64(TRIALS_SHARE);
        budget.saturating_sub(self.began.elapsed())
    }

    /// Whether there is no time for anything.
    fn is_over(&self) -> bool {
        let times = self.trials.iter().map(|trial| trial.seconds);
        let quickest = times.fold(f64::INFINITY, f64::min);
        !self.trials.is_empty() && self.left().as_secs_f64() < quickest
    }

    /// Whether a trial will probably end in time, by what the others took.
    fn fits(&self, recipe: &S::Recipe) -> bool {
        let seconds: f64 = self.trials.iter().map(|trial| trial.seconds).sum();
        let costs = self.recipes.iter().map(|recipe| self.space.cost(recipe));
        let costs: f64 = costs.sum();
        let cost = self.space.cost(recipe);
        costs == 0.0 || cost * seconds / costs <= self.left().as_secs_f64()
    }

    /// One of the best recipes so far.
    fn parent(&self, random: &mut ChaCha8Rng) -> S::Recipe {
        let best = self.order();
        let n = best.len().min(3);
        self.recipes[best[random.next_u64() as usize % n]].clone()
    }

    /// Tries a recipe, and says whether it could be tried. What fails when others have
    /// not must not cost what they have found.
    fn tries(
        &mut self,
        recipe: S::Recipe,
        observer: &mut dyn SearchObserver,
    ) -> Result<bool, StructureError> {
        match self.run(recipe, observer) {
            Ok(()) => Ok(true),
            Err(error) if self.trials.is_empty() => Err(error),
            Err(error) => {
                let note = format!("a trial was left out: {error}");
                if !self.notes.contains(&note) {
                    self.notes.push(note);
                }
                Ok(false)
            }
        }
    }

    fn run(
        &mut self,
        recipe: S::Recipe,
        observer: &mut dyn SearchObserver,
    ) -> Result<(), StructureError> {
        // 1. Until when: the first trial is needed and has all the time, later ones their part.
        let (study, began) = (self.study, Instant::now());
        let passed = self.began.elapsed().as_secs_f64() / self.options.budget.as_secs_f64();
        observer.begin(self.trials.len() + 1, passed.min(1.0), &recipe);
        let is_needed = self.trials.is_empty();
        let share = if is_needed { 2.0 } else { TRIALS_SHARE };
        let mut timed = DeadlineObserver {
            observer,
            deadline: self.began + self.options.budget.mul_f64(share),
            is_needed,
            is_late: false,
        };
        // 2. The structure, and its parameters if they do not come with it.
        let learning = self.space.learning(&recipe, &self.options.learning);
        let learner = self.space.learner(&recipe);
        let mut structure = learner.learn(study, &learning, &mut timed)?;
        let model = study.compile(&structure.source)?;
        let learned = match structure.learned.take() {
            Some(learned) => learned,
            None => study.learn(&model, &learning, &mut timed)?,
        };
        let is_late = timed.is_late;
        let is_cancelled = learned.report.stop_reason == StopReason::Cancelled;
        self.is_cancelled = is_cancelled && !is_late;
        if learned.report.epochs.is_empty() && is_cancelled {
            return Ok(());
        }
        let LearningResult { values, mut report } = learned;
        if is_late {
            report.stop_reason = StopReason::Budget;
        }
        // 3. How good it is, which decides about the best so far, and how it explains each
        // validation row, which decides about the ensemble.
        let rows = self.valid.rows();
        let valid = match report.valid {
            Some(valid) => valid,
            None => score(&model, &values, &rows, learning.threads)?,
        };
        let trial = SearchTrial {
            choices: self.space.choices(&recipe),
            train: report.train,
            valid,
            best_epoch: report.best_epoch,
            n_epochs: report.epochs.len(),
            sum_edges: report.sum_edges,
            seconds: began.elapsed().as_secs_f64(),
            weight: 0.0,
        };
        let is_best = self.best.as_ref().is_none_or(|(best, _)| valid.beats(best));
        if is_best {
            self.best = Some((valid, report));
        }
        observer.end(&trial, is_best);
        self.trials.push(trial);
        self.recipes.push(recipe);
        let parameters = model.parameters(values.clone());
        let threads = self.options.learning.threads;
        let logs = model.log_likelihoods(&parameters, self.valid.table, threads);
        self.logs.push(logs.logs);
        let member = EnsembleMember::new(&structure, model.circuit(), &values);
        self.members.push(member);
        Ok(())
    }

    /// Joins the trials, or takes the best alone if that is better.
    fn finish(
        mut self,
        observer: &mut dyn SearchObserver,
    ) -> Result<EnsembleResult, StructureError> {
        if self.trials.is_empty() {
            let message = "the search was ended before anything was learned".to_string();
            return Err(if self.is_cancelled {
                StructureError::Interrupted(message)
            } else {
                StructureError::Option(message)
            });
        }
        // 1. The ensemble that selection finds, or the best trial if that is better alone.
        let mut chosen = self.chosen();
        let mut assembled = self.assembled(&chosen)?;
        let best = self.order()[0];
        let whole = assembled.learned.report.valid;
        if whole.is_none_or(|whole| self.trials[best].valid.beats(&whole)) {
            chosen = vec![(best, 1.0)];
            assembled = self.assembled(&chosen)?;
        }
        for &(at, weight) in &chosen {
            self.trials[at].weight = weight;
        }
        // 2. All of it together, in the time that is left.
        let refinement = self.refine(&mut assembled, observer)?;
        assembled.learned.report.notes.extend(self.notes);
        Ok(EnsembleResult {
            assembled,
            report: SearchReport {
                trials: self.trials,
                budget: self.options.budget,
                refinement,
            },
            is_cancelled: self.is_cancelled,
        })
    }

    /// Learns the whole together in the time that is left.
    fn refine(
        &mut self,
        whole: &mut AssembledEnsemble,
        observer: &mut dyn SearchObserver,
    ) -> Result<Refinement, StructureError> {
        let valid =
            |whole: &AssembledEnsemble| whole.learned.report.valid.map_or(0.0, |score| score.mean);
        let valid_before = valid(whole);
        let mut refinement = Refinement {
            n_epochs: 0,
            valid_before,
            valid_after: valid_before,
        };
        if self.is_cancelled || self.began.elapsed() > self.options.budget {
            return Ok(refinement);
        }
        let mut timed = DeadlineObserver {
            observer,
            deadline: self.began + self.options.budget,
            is_needed: false,
            is_late: false,
        };
        let learning = LearnOptions {
            patience: REFINEMENT_PATIENCE,
            ..whole.learned.report.options.clone()
        };
        let (n_epochs, is_ended) = self.study.refine(whole, &learning, &mut timed)?;
        self.is_cancelled = is_ended && !timed.is_late;
        refinement.n_epochs = n_epochs;
        refinement.valid_after = valid(whole);
        Ok(refinement)
    }

    fn assembled(&self, chosen: &[(usize, f64)]) -> Result<AssembledEnsemble, StructureError> {
        let members = chosen.iter();
        let members = members.map(|&(at, weight)| (&self.members[at], weight));
        let members: Vec<(&EnsembleMember, f64)> = members.collect();
        let (_, report) = self.best.as_ref().expect("there is a trial");
        self.study.assemble(&members, report)
    }

    /// The trials, the best first.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.trials.len()).collect();
        let valid = |at: usize| &self.trials[at].valid;
        order.sort_by(|&a, &b| valid(a).better_first(valid(b)));
        order
    }

    /// The members of the ensemble and their weights.
    fn chosen(&self) -> Vec<(usize, f64)> {
        let edges: Vec<usize> = self.trials.iter().map(|trial| trial.sum_edges).collect();
        let candidates = EnsembleCandidates {
            logs: &self.logs,
            row_weights: self.valid.weights,
            edges: &edges,
            most_edges: self.options.most_edges,
        };
        let chosen = candidates.choose();
        let logs: Vec<Vec<f64>> = chosen.iter().map(|&at| self.logs[at].clone()).collect();
        let weights = mixing_weights(&logs, self.valid.weights);
        chosen.into_iter().zip(weights).collect()
    }
}

/// Recipes in a row that would take too long, after which the search ends.
const MOST_UNFIT: usize = 100;

/// Ends a run when its time is over.
struct DeadlineObserver<'a> {
    observer: &'a mut dyn SearchObserver,
    deadline: Instant,
    /// Whether there is nothing yet that could be the result of the search.
    is_needed: bool,
    is_late: bool,
}

impl DeadlineObserver<'_> {
    /// What the observer says, unless the time is over.
    fn in_time(&mut self, control: LearningControl) -> LearningControl {
        let is_over = !self.is_needed && Instant::now() > self.deadline;
        self.is_late |= control == LearningControl::Continue && is_over;
        if self.is_late {
            LearningControl::Stop
        } else {
            control
        }
    }
}

impl SearchObserver for DeadlineObserver<'_> {}

impl LearningObserver for DeadlineObserver<'_> {
    fn progress(&mut self, progress: &EpochProgress) -> LearningControl {
        let control = self.observer.progress(progress);
        self.in_time(control)
    }

    fn epoch(&mut self, epoch: &Epoch, checkpoint: &dyn Fn() -> Checkpoint) -> LearningControl {
        let control = self.observer.epoch(epoch, checkpoint);
        self.is_needed = false;
        self.in_time(control)
    }
}
