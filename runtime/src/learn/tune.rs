//! The search for how much to regularize.

mod grid;

pub use grid::{Grid, GridPoint};

use super::score::score;
use super::{
    LearnError, LearningControl, LearningObserver, LearningResult, Score, StopReason, TrainingTask,
};
use grid::allowed;
use pelton_grammar::diagnostic::counted;
use serde_json::{Value as Json, json};
use std::time::Instant;

/// A run with one combination.
#[derive(Clone, Debug)]
pub struct TuningTrial {
    /// The combination.
    pub point: GridPoint,
    /// The training data under what was learned.
    pub train: Score,
    /// The validation data.
    pub valid: Score,
    /// The epoch that was the best.
    pub best_epoch: usize,
    /// Why it ended.
    pub stop_reason: StopReason,
    /// How long it took.
    pub seconds: f64,
}

impl TuningTrial {
    /// The trial as reports show it.
    pub fn to_json(&self) -> Json {
        let mean = |score: &Score| Some(score.mean).filter(|mean| mean.is_finite());
        json!({
            "pseudocount": self.point.pseudocount,
            "softness": self.point.softness,
            "entropy": self.point.entropy,
            "train_ll": mean(&self.train),
            "valid_ll": mean(&self.valid),
            "valid_zero_rows": self.valid.n_zero,
            "best_epoch": self.best_epoch,
            "stop_reason": self.stop_reason.name(),
            "seconds": self.seconds,
        })
    }
}

/// What a search found.
#[derive(Debug)]
#[must_use]
pub struct TuningResult {
    /// The parameters of the best trial, with the test data evaluated.
    pub learned: LearningResult,
    /// The position of the best trial.
    pub best: usize,
    /// All trials that were possible, in the order they were run.
    pub trials: Vec<TuningTrial>,
    /// Whether the observer ended the search before all was tried.
    pub is_cancelled: bool,
    /// What was left out, and why.
    pub notes: Vec<String>,
}

/// Watches a search. Its methods as an [`LearningObserver`] tell of the single runs.
pub trait TuneObserver: LearningObserver {
    /// Is told before each trial: its number from 1 and how many there are, with those
    /// that turn out to be impossible.
    fn begin(&mut self, _number: usize, _n_trials: usize, _point: &GridPoint) {}

    /// Is told after each trial that was possible, and whether it is the best so far.
    fn end(&mut self, _trial: &TuningTrial, _is_best: bool) {}
}

/// Watches nothing.
impl TuneObserver for () {}

/// Learns with every combination of `grid` and keeps the one under which the
/// validation data are likeliest; of equal ones that with the least regularization.
///
/// The test data are evaluated once, for what was chosen. If the first combination
/// cannot be learned, that is an error; a later one is left out with a note.
pub fn tune(
    task: &TrainingTask,
    grid: &Grid,
    observer: &mut dyn TuneObserver,
) -> Result<TuningResult, LearnError> {
    if task.valid.is_none() {
        let message = "a search needs validation data to choose by".to_string();
        return Err(LearnError::Option(message));
    }
    let (points, notes) = allowed(grid, task)?;
    let mut search = GridSearch {
        task,
        n_trials: points.len(),
        trials: Vec::new(),
        best: None,
        impossible: Vec::new(),
        notes,
    };
    for point in points {
        match search.run(point, observer) {
            Ok(LearningControl::Continue) => {}
            Ok(LearningControl::Stop) => return search.finish(true),
            Err(error) if search.trials.is_empty() => return Err(error),
            Err(error) => search.leave_out(point, &error),
        }
    }
    search.finish(false)
}

/// The trials so far.
struct GridSearch<'a> {
    task: &'a TrainingTask<'a>,
    n_trials: usize,
    trials: Vec<TuningTrial>,
    best: Option<(usize, LearningResult)>,
    impossible: Vec<ImpossiblePoints>,
    notes: Vec<String>,
}

/// Combinations that could not be learned, all for the same reason.
struct ImpossiblePoints {
    reason: String,
    first: GridPoint,
    n_points: usize,
}

impl ImpossiblePoints {
    fn note(&self) -> String {
        let ImpossiblePoints { reason, first, .. } = self;
        if self.n_points == 1 {
            return format!("{first} was left out: {reason}");
        }
        let points = counted(self.n_points, "combination", "combinations");
        format!("{points} were left out, the first of them {first}: {reason}")
    }
}

impl GridSearch<'_> {
    fn run(
        &mut self,
        point: GridPoint,
        observer: &mut dyn TuneObserver,
    ) -> Result<LearningControl, LearnError> {
        observer.begin(self.n_begun() + 1, self.n_trials, &point);
        let options = point.options(self.task.options);
        let task = TrainingTask {
            options: &options,
            // Whatever is chosen by validation must not have seen the test data.
            test: None,
            resume: None,
            ..*self.task
        };
        // 1. A run as any other.
        let start = Instant::now();
        let learned = super::learn(&task, observer)?;
        let stop_reason = learned.report.stop_reason;
        let trial = TuningTrial {
            point,
            train: learned.report.train,
            valid: learned.report.valid.unwrap_or_default(),
            best_epoch: learned.report.best_epoch,
            stop_reason,
            seconds: start.elapsed().as_secs_f64(),
        };
        // 2. It is kept if the validation rows are likelier than under all before; of equal ones the
        // first stays, which regularizes least. A start drawn at random can be likely by chance; it has learned nothing.
        let is_begun = stop_reason != StopReason::Cancelled || !learned.report.epochs.is_empty();
        let is_better = |best: usize| is_begun && trial.valid.beats(&self.trials[best].valid);
        let is_best = self.best.as_ref().is_none_or(|(best, _)| is_better(*best));
        if is_best {
            self.best = Some((self.trials.len(), learned));
        }
        observer.end(&trial, is_best);
        self.trials.push(trial);
        Ok(match stop_reason {
            StopReason::Cancelled => LearningControl::Stop,
            _ => LearningControl::Continue,
        })
    }

    fn n_begun(&self) -> usize {
        let impossible = self.impossible.iter();
        self.trials.len() + impossible.map(|points| points.n_points).sum::<usize>()
    }

    /// Notes a combination that cannot be learned.
    fn leave_out(&mut self, point: GridPoint, error: &LearnError) {
        let reason = error.to_string();
        let mut known = self.impossible.iter_mut();
        match known.find(|points| points.reason == reason) {
            Some(points) => points.n_points += 1,
            None => self.impossible.push(ImpossiblePoints {
                reason,
                first: point,
                n_points: 1,
            }),
        }
    }

    fn finish(mut self, is_cancelled: bool) -> Result<TuningResult, LearnError> {
        let (best, mut learned) = self.best.expect("a search has a combination to try");
        if let Some(test) = &self.task.test {
            let threads = self.task.options.threads;
            learned.report.test = Some(score(self.task.model, &learned.values, test, threads)?);
        }
        let impossible = self.impossible.iter();
        self.notes.extend(impossible.map(ImpossiblePoints::note));
        Ok(TuningResult {
            learned,
            best,
            trials: self.trials,
            is_cancelled,
            notes: self.notes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Table;
    use crate::learn::{LearnOptions, LearningRows, Method, Softening};
    use crate::{Model, ModelOptions};
    use pelton_compiler::load::{FileLoader, SourceInput};
    use pelton_compiler::{AnalysisOptions, analyze};

    fn model(text: &str) -> Model {
        let input = SourceInput {
            name: "test".to_string(),
            path: None,
            bytes: text.as_bytes().to_vec(),
        };
        let analysis = analyze(input, &FileLoader, &AnalysisOptions::default());
        let checked = analysis.into_checked().expect("the circuit is right");
        Model::compile(checked, &ModelOptions::default()).expect("it compiles")
    }

    /// Ends the search within its second trial.
    #[derive(Default)]
    struct Impatient {
        trial: usize,
        begun: Vec<GridPoint>,
        best: usize,
    }

    impl LearningObserver for Impatient {
        fn progress(&mut self, _progress: &crate::learn::EpochProgress) -> LearningControl {
            match self.trial {
                2 => LearningControl::Stop,
                _ => LearningControl::Continue,
            }
        }
    }

    impl TuneObserver for Impatient {
        fn begin(&mut self, number: usize, n_trials: usize, point: &GridPoint) {
            assert_eq!(n_trials, 4);
            self.trial = number;
            self.begun.push(*point);
        }

        fn end(&mut self, _trial: &TuningTrial, is_best: bool) {
            self.best += usize::from(is_best);
        }
    }

    #[test]
    fn a_search_that_is_ended_keeps_the_best_so_far() {
        let model = model("var a : bool; root ?: a ~ bernoulli(?) + ?: a ~ bernoulli(?);");
        let rows = [vec![1.0], vec![1.0], vec![0.0]];
        let table = Table::from_assignments(model.circuit(), &rows);
        let options = LearnOptions::default();
        let task = TrainingTask {
            model: &model,
            train: LearningRows::of(&table),
            valid: Some(LearningRows::of(&table)),
            test: Some(LearningRows::of(&table)),
            options: &options,
            resume: None,
        };
        let grid = Grid {
            pseudocounts: vec![0.0, 1.0],
            softnesses: vec![0.0, 0.9],
            entropies: vec![0.0, 5.0],
        };
        let mut observer = Impatient::default();
        let tuned = tune(&task, &grid, &mut observer).expect("there is something to try");
        assert!(tuned.is_cancelled);
        assert_eq!((tuned.best, observer.best), (0, 1));
        assert_eq!((tuned.trials.len(), observer.begun.len()), (2, 2));
        assert_eq!(tuned.trials[1].stop_reason, StopReason::Cancelled);
        let report = &tuned.learned.report;
        assert!((report.test.expect("rows were given").mean + 0.6365).abs() < 1e-3);
        assert_eq!(tuned.notes.len(), 1, "{:?}", tuned.notes);
    }

    /// Where nothing was learned, what validation says of it is chance.
    #[test]
    fn a_trial_without_an_epoch_is_not_the_best() {
        let model = model("var a : bool; root ?: a ~ bernoulli(?) + ?: a ~ bernoulli(?);");
        let train = Table::from_assignments(model.circuit(), &[vec![1.0]]);
        let valid = Table::from_assignments(model.circuit(), &[vec![0.0]]);
        let options = LearnOptions::default();
        let task = TrainingTask {
            model: &model,
            train: LearningRows::of(&train),
            valid: Some(LearningRows::of(&valid)),
            test: None,
            options: &options,
            resume: None,
        };
        let grid = Grid {
            pseudocounts: vec![0.1, 1.0],
            softnesses: vec![0.0],
            entropies: vec![0.0, 5.0],
        };
        let mut observer = Impatient::default();
        let tuned = tune(&task, &grid, &mut observer).expect("there is something to try");
        let [first, second] = tuned.trials.as_slice() else {
            panic!("{:?}", tuned.trials);
        };
        assert!(second.valid.beats(&first.valid), "{first:?} {second:?}");
        assert_eq!((tuned.best, observer.best), (0, 1));
    }

    #[test]
    fn impossible_combinations_are_left_out_once_one_was_possible() {
        let text = "var a, b : bool; root ?: a * b ~ bernoulli(?) + ?: !a * b ~ bernoulli(?);";
        let model = model(text);
        let rows = [vec![1.0, 1.0], vec![1.0, 0.0], vec![0.0, 0.0]];
        let table = Table::from_assignments(model.circuit(), &rows);
        let options = LearnOptions {
            method: Some(Method::Em),
            softening: Softening::Geometric,
            ..LearnOptions::default()
        };
        let task = TrainingTask {
            model: &model,
            train: LearningRows::of(&table),
            valid: Some(LearningRows::of(&table)),
            test: None,
            options: &options,
            resume: None,
        };
        let mut grid = Grid {
            pseudocounts: vec![1.0, 2.0],
            softnesses: vec![0.0, 0.1],
            entropies: vec![0.0],
        };
        let tuned = tune(&task, &grid, &mut ()).expect("there is something to try");
        assert_eq!((tuned.best, tuned.trials.len()), (0, 2));
        let [note] = tuned.notes.as_slice() else {
            panic!("{:?}", tuned.notes);
        };
        let begins = "2 combinations were left out, the first of them pseudocount 1, softness 0.1, \
                      entropy 0: ";
        assert!(note.starts_with(begins), "{note}");
        grid.softnesses = vec![0.1];
        let found = tune(&task, &grid, &mut ());
        assert!(matches!(found, Err(LearnError::Circuit(_))), "{found:?}");
    }

    #[test]
    fn a_search_needs_rows_to_choose_by() {
        let model = model("var a : bool; root a ~ bernoulli(?);");
        let table = Table::from_assignments(model.circuit(), &[vec![1.0]]);
        let options = LearnOptions::default();
        let task = TrainingTask {
            model: &model,
            train: LearningRows::of(&table),
            valid: None,
            test: None,
            options: &options,
            resume: None,
        };
        let found = tune(&task, &Grid::default(), &mut ());
        assert!(matches!(found, Err(LearnError::Option(_))));
    }
}
