//! Charts of runs.

use pelton_cli::plot::{Chart, ChartSeries, SeriesForm};
use serde_json::Value as Json;

/// How far below the best a chart goes, as a part of it: the first epochs are far
/// below, and nobody looks at them.
const DEPTH: f64 = 0.1;

/// The least likelihood that is shown beside the best of `likelihoods`.
pub fn lowest_shown(likelihoods: impl Iterator<Item = f64>) -> Option<f64> {
    let finite = likelihoods.filter(|likelihood| likelihood.is_finite());
    finite
        .reduce(f64::max)
        .map(|best| best - DEPTH * best.abs())
}

/// The numbers of a list of objects.
pub fn numbers(list: &Json, name: &str) -> Vec<f64> {
    let list = list.as_array().into_iter().flatten();
    list.map(|entry| entry[name].as_f64().unwrap_or(f64::NAN))
        .collect()
}

/// Points of two numbers of each object of a list.
pub fn points(list: &Json, x: &str, y: &str) -> Vec<(f64, f64)> {
    let (x, y) = (numbers(list, x), numbers(list, y));
    x.into_iter().zip(y).collect()
}

/// Training and validation likelihoods by epoch, a color for each seed.
pub fn of_epochs(name: &str, runs: &[Json]) -> Chart {
    let valid = runs
        .iter()
        .flat_map(|run| numbers(&run["epochs"], "valid_ll"));
    Chart {
        title: format!("{name}: 4 hidden Chow-Liu trees of 12 states"),
        x_label: "epoch".to_string(),
        y_label: "mean log-likelihood of a row".to_string(),
        y_min: lowest_shown(valid),
        series: runs
            .iter()
            .enumerate()
            .flat_map(|(seed, run)| epoch_lines(run, &format!("seed {seed}"), seed, "epoch"))
            .collect(),
    }
}

/// The training and validation likelihood of a run, over `x`.
pub fn epoch_lines(run: &Json, name: &str, color: usize, x: &str) -> [ChartSeries; 2] {
    let valid = points(&run["epochs"], x, "valid_ll");
    let best = run["best_epoch"].as_u64().unwrap_or_default() as usize;
    [
        ChartSeries {
            name: format!("train, {name}"),
            points: points(&run["epochs"], x, "train_ll"),
            color,
            is_dashed: true,
            ..ChartSeries::default()
        },
        ChartSeries {
            name: format!("validation, {name}"),
            mark: valid.get(best.wrapping_sub(1)).copied(),
            points: valid,
            color,
            ..ChartSeries::default()
        },
    ]
}

/// Validation likelihoods of trials when they ended, and of the ensemble.
pub fn of_trials(name: &str, runs: &[Json]) -> Chart {
    let ensembles = runs.iter().filter_map(|run| run["valid_ll"].as_f64());
    Chart {
        title: format!("{name}: a search for the best"),
        x_label: "seconds".to_string(),
        y_label: "mean log-likelihood of a validation row".to_string(),
        y_min: lowest_shown(ensembles),
        series: runs
            .iter()
            .enumerate()
            .flat_map(|(seed, run)| trial_lines(run, seed))
            .collect(),
    }
}

fn trial_lines(run: &Json, seed: usize) -> [ChartSeries; 2] {
    let trials = points(&run["trials"], "ended_at", "valid_ll");
    let ensemble = run["valid_ll"].as_f64().unwrap_or(f64::NAN);
    let ends = trials.iter().map(|trial| trial.0);
    let (first, last) = ends.fold((f64::INFINITY, 0.0_f64), |(first, last), end| {
        (first.min(end), last.max(end))
    });
    [
        ChartSeries {
            name: format!("trials, seed {seed}"),
            points: trials,
            color: seed,
            form: SeriesForm::Points,
            ..ChartSeries::default()
        },
        ChartSeries {
            name: format!("ensemble, seed {seed}"),
            points: vec![(first, ensemble), (last, ensemble)],
            color: seed,
            is_dashed: true,
            ..ChartSeries::default()
        },
    ]
}
