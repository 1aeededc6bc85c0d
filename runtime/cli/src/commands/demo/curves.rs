//! The curves of the demo's runs.

use super::course::{DemoRun, SplitLikelihoods};
use crate::plot::{Chart, ChartSeries};

/// How far below the best validation likelihood the chart goes.
const DEPTH: f64 = 4.0;

/// Training and validation likelihood by epoch, a color for each run.
pub fn chart(courses: &[&DemoRun]) -> Chart {
    let valid = courses
        .iter()
        .flat_map(|course| course.epochs.iter().map(|means| means.valid));
    let best = valid.fold(f64::NEG_INFINITY, f64::max);
    let series = courses.iter().enumerate();
    Chart {
        title: "What travellers pack: EM with and without regularization".to_string(),
        x_label: "epoch".to_string(),
        y_label: "mean log-likelihood of a row".to_string(),
        y_min: Some(best - DEPTH),
        series: series
            .flat_map(|(color, course)| lines(course, color))
            .collect(),
    }
}

fn lines(course: &DemoRun, color: usize) -> [ChartSeries; 2] {
    let line = |what: &str, is_dashed: bool, of: fn(&SplitLikelihoods) -> f64| ChartSeries {
        name: format!("{what}, {}", course.name),
        points: points(course, of),
        color,
        is_dashed,
        ..ChartSeries::default()
    };
    let best = course.learned.report.best_epoch;
    let train = line("train", true, |means| means.train);
    let valid = line("validation", false, |means| means.valid);
    let mark = valid.points.iter().find(|point| point.0 == best as f64);
    let mark = mark.copied();
    [train, ChartSeries { mark, ..valid }]
}

fn points(course: &DemoRun, of: fn(&SplitLikelihoods) -> f64) -> Vec<(f64, f64)> {
    let epochs = course.epochs.iter().enumerate();
    epochs
        .map(|(at, means)| ((at + 1) as f64, of(means)))
        .collect()
}
