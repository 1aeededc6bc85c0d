//! The search for a hidden Chow-Liu tree within a time.
//!
//! Trials differ in the number of trees and of hidden states, in where learning
//! starts and in how much is regularized; the validation rows decide. What was tried
//! is not lost: in the end trials that complete each other become an ensemble, whose
//! weights are fitted to the validation rows, too. The last part of the time goes to
//! learning the whole together, as long as the validation rows like that.

mod moves;
mod recipe;

pub use recipe::Recipe;

use super::ensemble::{Assembled, Member, mixing_weights};
use super::selection::Candidates;
use super::study::Study;
use super::{StructureError, TreeChoice, TreeOptions};
use crate::learn::{
    Checkpoint, Control, Epoch, LearnOptions, Observer, Progress, Report, Score, StopReason,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value as Json, json};
use std::time::{Duration, Instant};

/// How to search.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// How long trials may take together.
    pub budget: Duration,
    /// What all trials have in common.
    pub learning: LearnOptions,
    /// How trees are found.
    pub trees: TreeOptions,
    /// What is not to be searched for.
    pub fixed: Fixed,
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
            trees: TreeOptions::default(),
            fixed: Fixed::default(),
            most_edges: 1_500_000,
            seed,
        }
    }
}

/// Choices that are given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fixed {
    /// States of each hidden variable.
    pub n_states: Option<usize>,
    /// Number of trees of a member.
    pub n_trees: Option<usize>,
    /// Where its trees come from.
    pub choice: Option<TreeChoice>,
    /// See [`LearnOptions::pseudocount`].
    pub pseudocount: Option<f64>,
    /// See [`LearnOptions::softness`].
    pub softness: Option<f64>,
    /// See [`LearnOptions::entropy`].
    pub entropy: Option<f64>,
}

impl Fixed {
    fn applied(&self, recipe: &Recipe) -> Recipe {
        Recipe {
            n_states: self.n_states.unwrap_or(recipe.n_states),
            n_trees: self.n_trees.unwrap_or(recipe.n_trees),
            choice: self.choice.unwrap_or(recipe.choice),
            pseudocount: self.pseudocount.unwrap_or(recipe.pseudocount),
            softness: self.softness.unwrap_or(recipe.softness),
            entropy: self.entropy.unwrap_or(recipe.entropy),
            ..*recipe
        }
    }
}

/// A run with one recipe.
#[derive(Clone, Debug)]
pub struct SearchTrial {
    /// The recipe.
    pub recipe: Recipe,
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
        let mut json = self.recipe.to_json();
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
pub struct Found {
    /// The ensemble of trials; its report is that of the best trial, with the
    /// likelihoods of the whole.
    pub assembled: Assembled,
    /// What was tried, in that order.
    pub trials: Vec<SearchTrial>,
    /// How the whole was learned together.
    pub refinement: Refinement,
    /// Whether the observer ended the search.
    pub is_cancelled: bool,
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

/// Watches a search. Its methods as an [`Observer`] tell of the single runs.
pub trait SearchObserver: Observer {
    /// Is told before each trial: its number from 1, and which part of the time has
    /// passed.
    fn begin(&mut self, _number: usize, _passed: f64, _recipe: &Recipe) {}

    /// Is told after each trial, and whether it is the best so far.
    fn end(&mut self, _trial: &SearchTrial, _is_best: bool) {}
}

/// Watches nothing.
impl SearchObserver for () {}

/// Searches for a mixture of hidden Chow-Liu trees under which the validation rows
/// are likely. The first trial is finished unless it takes twice the time, and has
/// one epoch however long that takes. A later one that fails is left out, with a note.
pub fn search(
    study: &Study,
    options: &SearchOptions,
    observer: &mut dyn SearchObserver,
) -> Result<Found, StructureError> {
    let Some(valid) = study.valid else {
        let message = "a search needs validation rows to choose by".to_string();
        return Err(StructureError::Option(message));
    };
    let can_soften = study
        .schema
        .columns
        .iter()
        .any(|column| column.domain.size() > Some(1));
    let mut search = Search {
        study,
        options,
        began: Instant::now(),
        trials: Vec::new(),
        members: Vec::new(),
        logs: Vec::new(),
        best: None,
        notes: Vec::new(),
        is_cancelled: false,
    };
    let mut random = ChaCha8Rng::seed_from_u64(options.seed);
    let mut queue = moves::first(options, can_soften).into_iter();
    let mut n_unfit = 0;
    while !search.is_cancelled && n_unfit < MOST_UNFIT && !search.is_over() {
        let recipe = queue.next().unwrap_or_else(|| {
            let parent = search.parent(&mut random);
            moves::neighbour(&parent, options, can_soften, &mut random)
        });
        match search.fits(&recipe) && search.tries(recipe, observer)? {
            true => n_unfit = 0,
            false => n_unfit += 1,
        }
    }
    search.finish(valid.weights, observer)
}

/// Which part of the time trials may take; the rest is for what they have in common.
const TRIALS_SHARE: f64 = 0.8;

/// Epochs without a better validation likelihood after which an ensemble is not learned
/// any further.
const REFINEMENT_PATIENCE: usize = 2;

/// A search in progress.
struct Search<'a> {
    study: &'a Study<'a>,
    options: &'a SearchOptions,
    began: Instant,
    trials: Vec<SearchTrial>,
    members: Vec<Member>,
    /// The log-likelihood of each validation row under each member.
    logs: Vec<Vec<f64>>,
    /// The best trial's validation score and report.
    best: Option<(Score, Report)>,
    /// What was left out, and why.
    notes: Vec<String>,
    is_cancelled: bool,
}

impl Search<'_> {
    /// The time that trials have left.
    fn left(&self) -> Duration {
        let budget = self.options.budget.mul_f64(TRIALS_SHARE);
        budget.saturating_sub(self.began.elapsed())
    }

    /// Whether there is no time for anything.
    fn is_over(&self) -> bool {
        let quickest = self
            .trials
            .iter()
            .map(|trial| trial.seconds)
            .fold(f64::INFINITY, f64::min);
        !self.trials.is_empty() && self.left().as_secs_f64() < quickest
    }

    /// Whether a trial will probably end in time, by what the others took.
    fn fits(&self, recipe: &Recipe) -> bool {
        let seconds: f64 = self.trials.iter().map(|trial| trial.seconds).sum();
        let costs: f64 = self.trials.iter().map(|trial| trial.recipe.cost()).sum();
        costs == 0.0 || recipe.cost() * seconds / costs <= self.left().as_secs_f64()
    }

    /// One of the best recipes so far.
    fn parent(&self, random: &mut ChaCha8Rng) -> Recipe {
        let mut best: Vec<&SearchTrial> = self.trials.iter().collect();
        best.sort_by(|a, b| a.valid.better_first(&b.valid));
        let n = best.len().min(3);
        best[random.next_u64() as usize % n].recipe
    }

    /// Tries a recipe, and says whether it could be tried. What fails when others have
    /// not must not cost what they have found.
    fn tries(
        &mut self,
        recipe: Recipe,
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
        recipe: Recipe,
        observer: &mut dyn SearchObserver,
    ) -> Result<(), StructureError> {
        let (study, began) = (self.study, Instant::now());
        let passed = self.began.elapsed().as_secs_f64() / self.options.budget.as_secs_f64();
        observer.begin(self.trials.len() + 1, passed.min(1.0), &recipe);
        let structure = study.hclt(&recipe.structure(&self.options.trees))?;
        let model = study.compile(&structure.source)?;
        let learning = recipe.learning(&self.options.learning);
        let deadline = match self.trials.is_empty() {
            true => self.began + 2 * self.options.budget,
            false => self.began + self.options.budget.mul_f64(TRIALS_SHARE),
        };
        let mut timed = Timed {
            observer,
            deadline,
            is_needed: self.trials.is_empty(),
            is_late: false,
        };
        let learned = study.learn(&model, &learning, &mut timed)?;
        let is_late = timed.is_late;
        let is_cancelled = learned.report.stop_reason == StopReason::Cancelled;
        self.is_cancelled = is_cancelled && !is_late;
        if learned.report.epochs.is_empty() && is_cancelled {
            return Ok(());
        }
        let report = match is_late {
            true => Report {
                stop_reason: StopReason::Budget,
                ..learned.report
            },
            false => learned.report,
        };
        let valid = report.valid.expect("validation rows were given");
        let trial = SearchTrial {
            recipe,
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
        let parameters = model.parameters(learned.values.clone());
        let table = study.valid.expect("validation rows were given").table;
        let threads = self.options.learning.threads;
        self.logs
            .push(model.log_likelihoods(&parameters, table, threads).logs);
        self.members
            .push(Member::new(&structure, model.circuit(), &learned.values));
        Ok(())
    }

    /// Joins the trials, or takes the best alone if that is better.
    fn finish(
        mut self,
        row_weights: Option<&[f64]>,
        observer: &mut dyn SearchObserver,
    ) -> Result<Found, StructureError> {
        if self.trials.is_empty() {
            let message = "the search was ended before anything was learned".to_string();
            return Err(match self.is_cancelled {
                true => StructureError::Interrupted(message),
                false => StructureError::Option(message),
            });
        }
        let mut chosen = self.chosen(row_weights);
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
        let refinement = self.refine(&mut assembled, observer)?;
        assembled.learned.report.notes.extend(self.notes);
        Ok(Found {
            assembled,
            refinement,
            trials: self.trials,
            is_cancelled: self.is_cancelled,
        })
    }

    /// Learns the whole together in the time that is left.
    fn refine(
        &mut self,
        whole: &mut Assembled,
        observer: &mut dyn SearchObserver,
    ) -> Result<Refinement, StructureError> {
        let valid = |whole: &Assembled| whole.learned.report.valid.map_or(0.0, |score| score.mean);
        let valid_before = valid(whole);
        let mut refinement = Refinement {
            n_epochs: 0,
            valid_before,
            valid_after: valid_before,
        };
        if self.is_cancelled || self.began.elapsed() > self.options.budget {
            return Ok(refinement);
        }
        let mut timed = Timed {
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

    fn assembled(&self, chosen: &[(usize, f64)]) -> Result<Assembled, StructureError> {
        let members = chosen.iter();
        let members: Vec<(&Member, f64)> = members
            .map(|&(at, weight)| (&self.members[at], weight))
            .collect();
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
    fn chosen(&self, row_weights: Option<&[f64]>) -> Vec<(usize, f64)> {
        let edges: Vec<usize> = self.trials.iter().map(|trial| trial.sum_edges).collect();
        let candidates = Candidates {
            logs: &self.logs,
            row_weights,
            edges: &edges,
            most_edges: self.options.most_edges,
        };
        let chosen = candidates.choose();
        self.weighted(&chosen, row_weights)
    }

    fn weighted(&self, members: &[usize], row_weights: Option<&[f64]>) -> Vec<(usize, f64)> {
        let logs: Vec<Vec<f64>> = members.iter().map(|&at| self.logs[at].clone()).collect();
        let weights = mixing_weights(&logs, row_weights);
        members.iter().copied().zip(weights).collect()
    }
}

/// Recipes in a row that would take too long, after which the search ends.
const MOST_UNFIT: usize = 100;

/// Ends a run when its time is over.
struct Timed<'a> {
    observer: &'a mut dyn SearchObserver,
    deadline: Instant,
    /// Whether there is nothing yet that could be the result of the search.
    is_needed: bool,
    is_late: bool,
}

impl Timed<'_> {
    fn wish(&mut self, wish: Control) -> Control {
        let is_over = !self.is_needed && Instant::now() > self.deadline;
        self.is_late |= wish == Control::Continue && is_over;
        match self.is_late {
            true => Control::Stop,
            false => wish,
        }
    }
}

impl Observer for Timed<'_> {
    fn progress(&mut self, progress: &Progress) -> Control {
        let wish = self.observer.progress(progress);
        self.wish(wish)
    }

    fn epoch(&mut self, epoch: &Epoch, checkpoint: &dyn Fn() -> Checkpoint) -> Control {
        let wish = self.observer.epoch(epoch, checkpoint);
        self.is_needed = false;
        self.wish(wish)
    }
}
