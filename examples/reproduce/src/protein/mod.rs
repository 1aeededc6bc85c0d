//! Pseudocounts alone against all regularization, on data that are soon overfitted.

mod chart;
mod choice;
mod course;

use super::dataset::Dataset;
use super::halt::Halt;
use super::paper::structure;
use super::part::{Part, provenance, provenance_json};
use super::piece::ResultStore;
use super::spread::shown_spread;
use choice::{Choice, METHODS, choose};
use pelton_runtime::structure::HiddenChowLiu;
use serde_json::{Value as Json, json};

/// Epochs if nothing else is asked for, as in the paper: half of them mini-batches.
const N_EPOCHS: usize = 200;

/// Runs of each method if nothing else is asked for.
const N_SEEDS: usize = 5;

/// Chooses how much each method regularizes by validation, then runs what was chosen
/// with several seeds and evaluates the test rows after every epoch. Nothing is chosen
/// after that.
pub fn run(datasets: &[Dataset], store: &mut ResultStore) -> Result<Part, Halt> {
    let mut all = Vec::new();
    for (at, dataset) in datasets.iter().enumerate() {
        let place = format!("protein {}/{} {}", at + 1, datasets.len(), dataset.name);
        let mut choices = Vec::new();
        for method in &METHODS {
            choices.push(choose(dataset, method, &place, store)?);
        }
        let found = run_choices(dataset, choices, &place, store)?;
        chart::draw(dataset, &found, store)?;
        all.push((dataset.name.as_str(), found));
    }
    Ok(part(&all, store))
}

/// A method with what was chosen for it, and its runs by seed.
pub struct Contender {
    choice: Choice,
    runs: Vec<Json>,
}

fn run_choices(
    dataset: &Dataset,
    choices: Vec<Choice>,
    place: &str,
    store: &mut ResultStore,
) -> Result<Vec<Contender>, Halt> {
    let n_seeds = store.options.seeds.unwrap_or(N_SEEDS) as u64;
    let mut contenders = Vec::new();
    for choice in choices {
        let mut runs = Vec::new();
        for seed in 0..n_seeds {
            let place = format!("{place}, {}, seed {seed}", choice.name);
            runs.push(course::run(dataset, &choice, seed, place, store)?);
        }
        contenders.push(Contender { choice, runs });
    }
    Ok(contenders)
}

/// Epochs of each run.
fn n_epochs(store: &ResultStore) -> usize {
    store.options.epochs.unwrap_or(N_EPOCHS)
}

/// The structure of the paper's experiment.
fn hidden_trees(seed: u64, store: &ResultStore) -> HiddenChowLiu {
    structure(2, 32, seed, store.threads())
}

/// A number of every run that has it.
fn of_runs(runs: &[Json], name: &str) -> Vec<f64> {
    runs.iter().filter_map(|run| run[name].as_f64()).collect()
}

fn part(all: &[(&str, Vec<Contender>)], store: &ResultStore) -> Part {
    let contenders = || all.iter().flat_map(|(_, contenders)| contenders);
    let runs = || contenders().flat_map(|contender| &contender.runs);
    let mut markdown = "# Pseudocounts alone, and all regularization\n\n\
                        | data set | method | chosen by validation | validation LL | test LL \
                        | test LL, last epoch |\n\
                        |---|---|---|--:|--:|--:|\n"
        .to_string();
    for (name, contenders) in all {
        markdown.extend(contenders.iter().map(|contender| line(name, contender)));
    }
    markdown += "\nMeans over seeds at the epoch of the best validation, rounded down; standard \
                 deviations, rounded up.\n\n";
    markdown += &provenance(runs(), store);
    let data_sets = all.iter().map(|(name, contenders)| {
        let methods = contenders.iter().map(|contender| {
            json!({
                "method": contender.choice.name,
                "choice": contender.choice.found,
                "runs": contender.runs,
            })
        });
        json!({"data_set": name, "methods": methods.collect::<Vec<_>>()})
    });
    let json = json!({
        "data_sets": data_sets.collect::<Vec<_>>(),
        "provenance": provenance_json(runs(), store),
    });
    Part {
        name: "protein",
        markdown,
        json,
    }
}

fn line(name: &str, contender: &Contender) -> String {
    let cell = |key: &str| {
        let numbers = of_runs(&contender.runs, key);
        if numbers.len() == contender.runs.len() {
            shown_spread(&numbers)
        } else {
            "-inf".to_string()
        }
    };
    let Choice {
        name: method,
        point,
        ..
    } = &contender.choice;
    format!(
        "| {name} | {method} | {point} | {} | {} | {} |\n",
        cell("valid_ll"),
        cell("test_ll"),
        cell("last_test_ll"),
    )
}
