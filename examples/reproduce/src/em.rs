//! Mini-batches, full batches, or both: the three ways to run EM.

use super::curves::{epoch_lines, lowest_shown, numbers};
use super::dataset::Dataset;
use super::halt::Halt;
use super::paper::{structure, structure_json};
use super::part::{Part, provenance, provenance_json};
use super::piece::{Piece, ResultStore};
use super::rounding::{down, shown};
use super::seen::Seen;
use super::watch::Watch;
use pelton_cli::CommandResult;
use pelton_cli::plot::Chart;
use pelton_cli::progress::shown_time;
use pelton_runtime::learn::{LearnOptions, Start, StopReason};
use serde_json::{Value as Json, json};
use std::time::Duration;

/// Epochs if nothing else is asked for: fewer than the paper's 200, which would be hours
/// of binarized MNIST on two cores.
const N_EPOCHS: usize = 60;

/// The seed of all runs, which have the same trees and the same start.
const SEED: u64 = 0;

/// What the runs are called, and which part of their epochs is mini-batches.
const SCHEDULES: [(&str, Batches); 3] = [
    ("hybrid", Batches::Half),
    ("minibatch", Batches::All),
    ("fullbatch", Batches::None),
];

/// Which part of the epochs is mini-batches, which come first.
#[derive(Clone, Copy)]
enum Batches {
    All,
    /// As many as full batches, as in the paper.
    Half,
    None,
}

/// Runs the three schedules for as many epochs each, without an early end. Test rows
/// are not looked at.
pub fn run(datasets: &[Dataset], store: &mut ResultStore) -> Result<Part, Halt> {
    let mut all = Vec::new();
    for (at, dataset) in datasets.iter().enumerate() {
        let mut runs = Vec::new();
        for (name, batches) in SCHEDULES {
            let place = format!("em {}/{} {}, {name}", at + 1, datasets.len(), dataset.name);
            runs.push(run_one(dataset, (name, batches), place, store)?);
        }
        draw(dataset, &runs, store)?;
        all.push((dataset.name.as_str(), runs));
    }
    Ok(part(&all, store))
}

fn learning(batches: Batches, store: &ResultStore) -> LearnOptions {
    let n_epochs = store.options.epochs.unwrap_or(N_EPOCHS);
    let minibatch_epochs = match batches {
        Batches::All => n_epochs,
        Batches::Half => n_epochs / 2,
        Batches::None => 0,
    };
    LearnOptions {
        minibatch_epochs,
        fullbatch_epochs: n_epochs - minibatch_epochs,
        start: Start::Random,
        patience: n_epochs,
        tolerance: 0.0,
        seed: SEED,
        threads: store.threads(),
        ..LearnOptions::paper()
    }
}

fn run_one(
    dataset: &Dataset,
    (name, batches): (&str, Batches),
    place: String,
    store: &mut ResultStore,
) -> Result<Json, Halt> {
    let learning = learning(batches, store);
    let structure = structure(4, 12, SEED, store.threads());
    let piece = Piece {
        dataset,
        folder: "em",
        name: format!("{}-{name}", dataset.name),
        options: json!({
            "structure": structure_json(&structure),
            "learning": learning.to_json(),
            "running": store.numbers(),
        }),
        uses_test: false,
    };
    let result = store.result(&piece, |store| {
        let model_options = store.model_options();
        let seen = Seen::read(dataset)?;
        let study = seen.study(&model_options);
        let made = structure.structure(&study)?;
        let model = study.compile(&made.source)?;
        let mut watch = Watch::new(place, &learning, store.messages);
        let learned = study.learn(&model, &learning, &mut watch)?;
        match learned.report.stop_reason {
            StopReason::Cancelled => Err(Halt::Interrupted),
            _ => Ok(learned.report.to_json()),
        }
    })?;
    let n_done = numbers(&result["epochs"], "epoch").len();
    let n_epochs = learning.minibatch_epochs + learning.fullbatch_epochs;
    if n_done < n_epochs {
        let name = &piece.name;
        let note =
            format!("{name} ended after {n_done} of {n_epochs} epochs: nothing rose any more");
        store.messages.note(&note);
    }
    Ok(result)
}

fn draw(dataset: &Dataset, runs: &[Json], store: &ResultStore) -> CommandResult<()> {
    for (x, label) in [("epoch", "epoch"), ("seconds", "seconds")] {
        let valid = runs
            .iter()
            .flat_map(|run| numbers(&run["epochs"], "valid_ll"));
        let lines = SCHEDULES.iter().zip(runs).enumerate();
        let chart = Chart {
            title: format!(
                "{}: EM by mini-batches, full batches, and both",
                dataset.name
            ),
            x_label: label.to_string(),
            y_label: "mean log-likelihood of a row".to_string(),
            y_min: lowest_shown(valid),
            series: lines
                .flat_map(|(color, ((name, _), run))| epoch_lines(run, name, color, x))
                .collect(),
        };
        let file = format!("{}-{x}.svg", dataset.name);
        store.write(&store.path("em", &file), &chart.to_svg())?;
    }
    Ok(())
}

fn part(all: &[(&str, Vec<Json>)], store: &ResultStore) -> Part {
    let runs = || all.iter().flat_map(|(_, runs)| runs);
    let mut markdown = "# EM by mini-batches, full batches, and both\n\n\
                        | data set | schedule | epochs | best validation LL | at epoch \
                        | train LL there | time |\n\
                        |---|---|--:|--:|--:|--:|--:|\n"
        .to_string();
    for (name, runs) in all {
        for ((schedule, _), run) in SCHEDULES.iter().zip(runs) {
            markdown += &line(name, schedule, run);
        }
    }
    markdown += "\nLikelihoods are rounded down. Curves of training are of each epoch as it went: \
                 softened rows, under the parameters that changed meanwhile.\n\n";
    markdown += &provenance(runs(), store);
    let named = all.iter().map(|(name, runs)| {
        let runs = SCHEDULES.iter().zip(runs);
        let runs = runs.map(|((schedule, _), run)| (schedule.to_string(), run.clone()));
        json!({"data_set": name, "runs": runs.collect::<serde_json::Map<_, _>>()})
    });
    let json = json!({
        "data_sets": named.collect::<Vec<_>>(),
        "provenance": provenance_json(runs(), store),
    });
    Part {
        name: "em",
        markdown,
        json,
    }
}

fn line(name: &str, schedule: &str, run: &Json) -> String {
    let likelihood = |key: &str| run[key].as_f64().map_or("-inf".into(), |x| shown(down(x)));
    let seconds = numbers(&run["epochs"], "seconds").last().copied();
    let time = Duration::try_from_secs_f64(seconds.unwrap_or_default()).unwrap_or_default();
    format!(
        "| {name} | {schedule} | {} | {} | {} | {} | {} |\n",
        numbers(&run["epochs"], "epoch").len(),
        likelihood("valid_ll"),
        run["best_epoch"],
        likelihood("train_ll"),
        shown_time(time),
    )
}
