//! Likelihoods by epoch, as means over seeds with their deviations.

use super::Contender;
use crate::curves::{lowest_shown, numbers};
use crate::dataset::Dataset;
use crate::piece::ResultStore;
use crate::spread::{deviation, mean};
use pelton_cli::CommandResult;
use pelton_cli::plot::{Chart, ChartSeries};
use serde_json::Value as Json;

/// Draws validation and test likelihoods.
pub fn draw(dataset: &Dataset, contenders: &[Contender], store: &ResultStore) -> CommandResult<()> {
    for (split, label) in [("valid", "validation"), ("test", "test")] {
        let series: Vec<ChartSeries> = contenders
            .iter()
            .enumerate()
            .map(|(color, contender)| series(contender, &format!("{split}_ll"), color))
            .collect();
        let means = series.iter().flat_map(|series| &series.points);
        let chart = Chart {
            title: format!("{}: mean ± deviation over seeds", dataset.name),
            x_label: "epoch".to_string(),
            y_label: format!("mean log-likelihood of a {label} row"),
            y_min: lowest_shown(means.map(|point| point.1)),
            series,
        };
        let file = format!("{}-{split}.svg", dataset.name);
        store.write(&store.path("protein", &file), &chart.to_svg())?;
    }
    Ok(())
}

fn series(contender: &Contender, name: &str, color: usize) -> ChartSeries {
    let epochs = by_epoch(&contender.runs, name);
    let numbered = || (1..).map(f64::from).zip(&epochs);
    let middle = |numbers: &[f64]| mean(numbers).unwrap_or(f64::NAN);
    ChartSeries {
        name: format!("{} ({})", contender.choice.name, contender.choice.point),
        points: numbered()
            .map(|(epoch, numbers)| (epoch, middle(numbers)))
            .collect(),
        band: numbered()
            .map(|(epoch, numbers)| {
                let (mean, deviation) = (middle(numbers), deviation(numbers).unwrap_or(f64::NAN));
                (epoch, mean - deviation, mean + deviation)
            })
            .collect(),
        color,
        ..ChartSeries::default()
    }
}

/// The numbers of all runs by epoch, as far as all have come.
fn by_epoch(runs: &[Json], name: &str) -> Vec<Vec<f64>> {
    let runs: Vec<Vec<f64>> = runs
        .iter()
        .map(|run| numbers(&run["epochs"], name))
        .collect();
    let n_epochs = runs.iter().map(Vec::len).min().unwrap_or(0);
    let at = |epoch: usize| runs.iter().map(|run| run[epoch]).collect();
    (0..n_epochs).map(at).collect()
}
