//! The search for how much to regularize.

use super::score::score;
use super::{Control, LearnError, LearnOptions, Learned, Observer, Score, StopReason, Task};
use pelton_compiler::circuit::Circuit;
use serde_json::{Value as Json, json};
use std::time::Instant;

/// What is tried: every combination of these.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Values of [`LearnOptions::pseudocount`].
    pub pseudocounts: Vec<f64>,
    /// Values of [`LearnOptions::softness`].
    pub softnesses: Vec<f64>,
    /// Values of [`LearnOptions::entropy`].
    pub entropies: Vec<f64>,
}

impl Default for Grid {
    /// The paper's, and neither softness nor entropy beside them.
    fn default() -> Self {
        Grid {
            pseudocounts: vec![0.1, 0.4, 1.0, 2.0, 4.0, 10.0],
            softnesses: vec![0.0, 0.0004, 0.001, 0.004],
            entropies: vec![0.0, 0.001, 0.01, 0.1],
        }
    }
}

impl Grid {
    /// All combinations, those with less of everything before those with more.
    pub fn points(&self) -> Vec<GridPoint> {
        let mut points = Vec::new();
        for pseudocount in ascending(&self.pseudocounts) {
            for softness in ascending(&self.softnesses) {
                for entropy in ascending(&self.entropies) {
                    points.push(GridPoint {
                        pseudocount,
                        softness,
                        entropy,
                    });
                }
            }
        }
        points
    }
}

fn ascending(numbers: &[f64]) -> Vec<f64> {
    let mut numbers = numbers.to_vec();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    numbers
}

/// One combination.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridPoint {
    /// See [`LearnOptions::pseudocount`].
    pub pseudocount: f64,
    /// See [`LearnOptions::softness`].
    pub softness: f64,
    /// See [`LearnOptions::entropy`].
    pub entropy: f64,
}

impl GridPoint {
    /// The options with this combination in place of theirs.
    fn options(&self, base: &LearnOptions) -> LearnOptions {
        LearnOptions {
            pseudocount: self.pseudocount,
            softness: self.softness,
            entropy: self.entropy,
            ..base.clone()
        }
    }
}

/// A run with one combination.
#[derive(Clone, Debug)]
pub struct Trial {
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

impl Trial {
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
pub struct Tuned {
    /// The parameters of the best trial, with the test data evaluated.
    pub learned: Learned,
    /// The position of the best trial.
    pub best: usize,
    /// All trials, in the order they were run.
    pub trials: Vec<Trial>,
    /// Whether the observer ended the search before all was tried.
    pub is_cancelled: bool,
    /// What was left out, and why.
    pub notes: Vec<String>,
}

/// Watches a search. Its methods as an [`Observer`] tell of the single runs.
pub trait TuneObserver: Observer {
    /// Is told before each trial: its number from 1 and how many there are.
    fn begin(&mut self, _number: usize, _n_trials: usize, _point: &GridPoint) {}

    /// Is told after each trial, and whether it is the best so far.
    fn end(&mut self, _trial: &Trial, _is_best: bool) {}
}

/// Watches nothing.
impl TuneObserver for () {}

/// Learns with every combination of `grid` and keeps the one under which the
/// validation data are likeliest; of equal ones that with the least regularization.
///
/// The test data are evaluated once, for what was chosen.
pub fn tune(
    task: &Task,
    grid: &Grid,
    observer: &mut dyn TuneObserver,
) -> Result<Tuned, LearnError> {
    if task.valid.is_none() {
        let message = "a search needs validation data to choose by".to_string();
        return Err(LearnError::Option(message));
    }
    let (points, notes) = allowed(grid, task)?;
    let mut search = Search {
        task,
        n_trials: points.len(),
        trials: Vec::new(),
        best: None,
        notes,
    };
    for point in points {
        if search.run(point, observer)? == Control::Stop {
            return search.finish(true);
        }
    }
    search.finish(false)
}

/// The combinations that can be run; too much softness is left out with a note.
fn allowed(grid: &Grid, task: &Task) -> Result<(Vec<GridPoint>, Vec<String>), LearnError> {
    let circuit = task.model.circuit();
    let all = grid.points();
    for point in &all {
        let unsoftened = GridPoint {
            softness: 0.0,
            ..*point
        };
        unsoftened.options(task.options).check(circuit)?;
        if !(point.softness >= 0.0 && point.softness.is_finite()) {
            point.options(task.options).check(circuit)?;
        }
    }
    let (points, notes) = within_bounds(all, circuit);
    match points.is_empty() {
        false => Ok((points, notes)),
        true => {
            let reason = notes.first().map_or("the grid is empty", String::as_str);
            let message = format!("there is nothing to try: {reason}");
            Err(LearnError::Option(message))
        }
    }
}

fn within_bounds(all: Vec<GridPoint>, circuit: &Circuit) -> (Vec<GridPoint>, Vec<String>) {
    let bound = LearnOptions::softness_bound(circuit);
    let is_allowed = |point: &GridPoint| match &bound {
        _ if point.softness == 0.0 => true,
        Some((_, bound)) => point.softness < *bound,
        None => false,
    };
    let (points, beyond): (Vec<_>, Vec<_>) = all.into_iter().partition(is_allowed);
    let largest = beyond.iter().map(|point| point.softness);
    let note = largest.reduce(f64::max).map(|softness| match bound {
        Some((variable, bound)) => format!(
            "softness up to {softness} was left out: it must be below {bound:.4} for `{}`",
            variable.name
        ),
        None => "softness was left out: no variable has a finite domain of several values".into(),
    });
    (points, note.into_iter().collect())
}

/// The trials so far.
struct Search<'a> {
    task: &'a Task<'a>,
    n_trials: usize,
    trials: Vec<Trial>,
    best: Option<(usize, Learned)>,
    notes: Vec<String>,
}

impl Search<'_> {
    fn run(
        &mut self,
        point: GridPoint,
        observer: &mut dyn TuneObserver,
    ) -> Result<Control, LearnError> {
        observer.begin(self.trials.len() + 1, self.n_trials, &point);
        let options = point.options(self.task.options);
        let task = Task {
            options: &options,
            // Whatever is chosen by validation must not have seen the test data.
            test: None,
            resume: None,
            ..*self.task
        };
        let start = Instant::now();
        let learned = super::learn(&task, observer)?;
        let stop_reason = learned.report.stop_reason;
        let trial = Trial {
            point,
            train: learned.report.train,
            valid: learned.report.valid.unwrap_or_default(),
            best_epoch: learned.report.best_epoch,
            stop_reason,
            seconds: start.elapsed().as_secs_f64(),
        };
        let is_better = |best: usize| trial.valid.beats(&self.trials[best].valid);
        let is_best = self.best.as_ref().is_none_or(|(best, _)| is_better(*best));
        if is_best {
            self.best = Some((self.trials.len(), learned));
        }
        observer.end(&trial, is_best);
        self.trials.push(trial);
        Ok(match stop_reason {
            StopReason::Cancelled => Control::Stop,
            _ => Control::Continue,
        })
    }

    fn finish(self, is_cancelled: bool) -> Result<Tuned, LearnError> {
        let (best, mut learned) = self.best.expect("a search has a combination to try");
        if let Some(test) = &self.task.test {
            let threads = self.task.options.threads;
            let score = score(self.task.model, &learned.values, test, threads)?;
            learned.report.test = Some(score);
        }
        Ok(Tuned {
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
    use crate::learn::Rows;
    use crate::{Model, ModelOptions};
    use pelton_compiler::load::{FileLoader, Input};
    use pelton_compiler::{Options, analyze};

    fn model(text: &str) -> Model {
        let input = Input {
            name: "test".to_string(),
            path: None,
            bytes: text.as_bytes().to_vec(),
        };
        let analysis = analyze(input, &FileLoader, &Options::default());
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

    impl Observer for Impatient {
        fn progress(&mut self, _progress: &crate::learn::Progress) -> Control {
            match self.trial {
                2 => Control::Stop,
                _ => Control::Continue,
            }
        }
    }

    impl TuneObserver for Impatient {
        fn begin(&mut self, number: usize, n_trials: usize, point: &GridPoint) {
            assert_eq!(n_trials, 4);
            self.trial = number;
            self.begun.push(*point);
        }

        fn end(&mut self, _trial: &Trial, is_best: bool) {
            self.best += usize::from(is_best);
        }
    }

    #[test]
    fn combinations_come_from_less_to_more() {
        let grid = Grid {
            pseudocounts: vec![2.0, 1.0, 2.0],
            softnesses: vec![0.1, 0.0],
            entropies: vec![0.0],
        };
        let points = grid.points().into_iter();
        let points: Vec<(f64, f64)> = points.map(|p| (p.pseudocount, p.softness)).collect();
        assert_eq!(points, [(1.0, 0.0), (1.0, 0.1), (2.0, 0.0), (2.0, 0.1)]);
        assert_eq!(Grid::default().points().len(), 96);
    }

    #[test]
    fn a_search_that_is_ended_keeps_the_best_so_far() {
        let model = model("var a : bool; root ?: a ~ bernoulli(?) + ?: a ~ bernoulli(?);");
        let rows = [vec![1.0], vec![1.0], vec![0.0]];
        let table = Table::from_assignments(model.circuit(), &rows);
        let options = LearnOptions::default();
        let task = Task {
            model: &model,
            train: Rows::of(&table),
            valid: Some(Rows::of(&table)),
            test: Some(Rows::of(&table)),
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

    #[test]
    fn a_search_needs_rows_to_choose_by() {
        let model = model("var a : bool; root a ~ bernoulli(?);");
        let table = Table::from_assignments(model.circuit(), &[vec![1.0]]);
        let options = LearnOptions::default();
        let task = Task {
            model: &model,
            train: Rows::of(&table),
            valid: None,
            test: None,
            options: &options,
            resume: None,
        };
        let found = tune(&task, &Grid::default(), &mut ());
        assert!(matches!(found, Err(LearnError::Option(_))));
    }
}
