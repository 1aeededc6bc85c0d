//! Runs that search for the best within a time.

use super::dataset::Dataset;
use super::halt::Halt;
use super::piece::Workshop;
use super::scores;
use super::seen::Seen;
use super::watch::Watch;
use crate::interrupt;
use pelton_compiler::stats::Stats;
use pelton_runtime::learn::{LearnOptions, Rows, score};
use pelton_runtime::structure::{
    Fixed, Found, InformationOptions, SearchOptions, TreeOptions, search,
};
use serde_json::{Value as Json, json};
use std::time::Duration;

/// The most weighted edges of an ensemble: evaluating and compiling it stays a matter
/// of seconds.
const MOST_EDGES: usize = 10_000_000;

fn search_options(seed: u64, workshop: &Workshop) -> SearchOptions {
    let threads = workshop.threads();
    SearchOptions {
        budget: workshop.options.budget,
        learning: LearnOptions {
            patience: 4,
            seed,
            threads,
            ..LearnOptions::paper()
        },
        trees: TreeOptions {
            information: InformationOptions {
                pseudocount: 0.1,
                threads,
            },
            ..TreeOptions::default()
        },
        fixed: Fixed::default(),
        most_edges: MOST_EDGES,
        seed,
    }
}

/// All that decides about a run, beside how fast the machine is.
pub fn options(seed: u64, workshop: &Workshop) -> Json {
    let search = search_options(seed, workshop);
    json!({
        "setting": "best",
        "budget_seconds": search.budget.as_secs(),
        "learning": search.learning.to_json(),
        "tree_pseudocount": search.trees.information.pseudocount,
        "most_edges": search.most_edges,
        "search_seed": search.seed,
        "running": workshop.numbers(),
    })
}

/// Searches, and evaluates the test rows with the ensemble that came out. `after` is
/// how long what follows will take.
pub fn run(
    dataset: &Dataset,
    seed: u64,
    (place, after): (String, Duration),
    workshop: &Workshop,
) -> Result<Json, Halt> {
    let options = search_options(seed, workshop);
    let model_options = workshop.model_options();
    let seen = Seen::read(dataset)?;
    let study = seen.study(&model_options);
    let watch = Watch::new(place, &options.learning, workshop.messages);
    let mut watch = watch.within(options.budget.saturating_add(after));
    let found = search(&study, &options, &mut watch);
    if interrupt::is_asked() {
        // What was found so far is not what the budget gives.
        return Err(Halt::Interrupted);
    }
    let (found, ends) = (found?, std::mem::take(&mut watch.ends));
    drop(watch);
    let scored = |table| {
        score(
            &found.model,
            &found.values,
            &Rows::of(table),
            workshop.threads(),
        )
    };
    let train = scored(&seen.train)?;
    // All is decided.
    let test = seen.test()?;
    let mut result = result(&found, &ends);
    scores::add(&mut result, "train", &train);
    scores::add(&mut result, "valid", &found.valid);
    scores::add(&mut result, "test", &scored(&test)?);
    result["data"] = seen.sizes(&test);
    Ok(result)
}

fn result(found: &Found, ends: &[f64]) -> Json {
    let trials = found.trials.iter().zip(ends).map(|(trial, end)| {
        let mut json = trial.to_json();
        json["ended_at"] = json!(end);
        json
    });
    json!({
        "trials": trials.collect::<Vec<_>>(),
        "sum_edges": Stats::of(found.model.circuit()).sum_edges,
    })
}
