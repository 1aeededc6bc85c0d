//! Runs that search for the best within a time.

use super::dataset::Dataset;
use super::halt::Halt;
use super::piece::ResultStore;
use super::scores;
use super::seen::Seen;
use super::watch::Watch;
use pelton_cli::interrupt;
use pelton_runtime::learn::{LearnOptions, LearningRows, score};
use pelton_runtime::structure::{
    AssembledEnsemble, EnsembleResult, FixedChoices, HiddenTreeSearch, InformationOptions,
    SearchOptions, TreeOptions,
};
use serde_json::{Value as Json, json};
use std::time::Duration;

fn search_options(seed: u64, store: &ResultStore) -> HiddenTreeSearch {
    let threads = store.threads();
    let options = SearchOptions::new(store.options.budget, seed);
    let trees = TreeOptions::default();
    HiddenTreeSearch {
        options: SearchOptions {
            learning: LearnOptions {
                seed,
                threads,
                ..options.learning
            },
            ..options
        },
        trees: TreeOptions {
            information: InformationOptions {
                threads,
                ..trees.information
            },
            ..trees
        },
        fixed: FixedChoices::default(),
    }
}

/// All that decides about a run, beside how fast the machine is.
pub fn options(seed: u64, store: &ResultStore) -> Json {
    let HiddenTreeSearch { options, trees, .. } = search_options(seed, store);
    json!({
        "setting": "best",
        "budget_seconds": options.budget.as_secs(),
        "learning": options.learning.to_json(),
        "tree_pseudocount": trees.information.pseudocount,
        "most_edges": options.most_edges,
        "search_seed": options.seed,
        "running": store.numbers(),
    })
}

/// Searches, and evaluates the test rows with the ensemble that came out. `after` is
/// how long what follows will take.
pub fn run(
    dataset: &Dataset,
    seed: u64,
    (place, after): (String, Duration),
    store: &ResultStore,
) -> Result<Json, Halt> {
    let search = search_options(seed, store);
    let model_options = store.model_options();
    let seen = Seen::read(dataset)?;
    let study = seen.study(&model_options);
    let watch = Watch::new(place, &search.options.learning, store.messages);
    let mut watch = watch.within(search.options.budget.saturating_add(after));
    let found = search.run(&study, &mut watch);
    if interrupt::is_asked() {
        // What was found so far is not what the budget gives.
        return Err(Halt::Interrupted);
    }
    let (found, ends) = (found?, std::mem::take(&mut watch.ends));
    drop(watch);
    // All is decided.
    let test = seen.test()?;
    let AssembledEnsemble { model, learned, .. } = &found.assembled;
    let (rows, threads) = (LearningRows::of(&test), store.threads());
    let scored = score(model, &learned.values, &rows, threads)?;
    let mut result = result(&found, &ends);
    scores::add(&mut result, "train", &learned.report.train);
    if let Some(valid) = &learned.report.valid {
        scores::add(&mut result, "valid", valid);
    }
    scores::add(&mut result, "test", &scored);
    result["data"] = seen.sizes(&test);
    Ok(result)
}

fn result(found: &EnsembleResult, ends: &[f64]) -> Json {
    let trials = found.report.trials.iter().zip(ends).map(|(trial, end)| {
        let mut json = trial.to_json();
        json["ended_at"] = json!(end);
        json
    });
    json!({
        "trials": trials.collect::<Vec<_>>(),
        "refinement": found.report.refinement.to_json(),
        "sum_edges": found.assembled.learned.report.sum_edges,
    })
}
