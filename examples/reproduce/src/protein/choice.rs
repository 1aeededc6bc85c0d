//! How much each method regularizes, by validation.

use super::{hidden_trees, n_epochs};
use crate::dataset::Dataset;
use crate::halt::Halt;
use crate::paper::{PATIENCE, structure_json};
use crate::piece::{Piece, ResultStore};
use crate::seen::Seen;
use crate::watch::Watch;
use pelton_runtime::learn::{Grid, GridPoint, LearnOptions, TuningTrial, tune};
use serde_json::{Value as Json, json};

/// The seed of trials.
const SEED: u64 = 0;

/// A way to regularize, and what is tried of it.
pub struct Method {
    name: &'static str,
    pseudocounts: &'static [f64],
    softnesses: &'static [f64],
    entropies: &'static [f64],
}

/// What is compared.
pub const METHODS: [Method; 2] = [
    Method {
        name: "laplace",
        pseudocounts: &[0.1, 0.4, 1.0, 2.0, 4.0, 10.0],
        softnesses: &[0.0],
        entropies: &[0.0],
    },
    Method {
        name: "regularized",
        pseudocounts: &[0.1, 1.0, 2.0, 4.0],
        softnesses: &[0.001, 0.004, 0.02, 0.1],
        entropies: &[0.001, 0.01, 0.1],
    },
];

/// What was chosen for a method.
pub struct Choice {
    /// The method.
    pub name: &'static str,
    /// How much it regularizes.
    pub point: GridPoint,
    /// All trials.
    pub found: Json,
}

/// How parameters are learned: by the paper's schedule.
pub fn learning(seed: u64, store: &ResultStore) -> LearnOptions {
    let n_epochs = n_epochs(store);
    LearnOptions {
        minibatch_epochs: n_epochs / 2,
        fullbatch_epochs: n_epochs - n_epochs / 2,
        patience: PATIENCE,
        tolerance: 0.0,
        seed,
        threads: store.threads(),
        ..LearnOptions::paper()
    }
}

/// Tries all of a method. Test rows are not looked at.
pub fn choose(
    dataset: &Dataset,
    method: &Method,
    place: &str,
    store: &mut ResultStore,
) -> Result<Choice, Halt> {
    let grid = Grid {
        pseudocounts: method.pseudocounts.to_vec(),
        softnesses: method.softnesses.to_vec(),
        entropies: method.entropies.to_vec(),
    };
    let learning = learning(SEED, store);
    let piece = Piece {
        dataset,
        folder: "protein",
        name: format!("{}-{}-choice", dataset.name, method.name),
        options: json!({
            "grid": {
                "pseudocounts": grid.pseudocounts,
                "softnesses": grid.softnesses,
                "entropies": grid.entropies,
            },
            "structure": structure_json(&hidden_trees(SEED, store)),
            "learning": learning.to_json(),
            "running": store.numbers(),
        }),
        uses_test: false,
    };
    let place = format!("{place}, {}", method.name);
    let found = store.result(&piece, |store| {
        try_all(dataset, &grid, &learning, place, store)
    })?;
    let number = |name: &str| found["chosen"][name].as_f64().unwrap_or_default();
    Ok(Choice {
        name: method.name,
        point: GridPoint {
            pseudocount: number("pseudocount"),
            softness: number("softness"),
            entropy: number("entropy"),
        },
        found,
    })
}

fn try_all(
    dataset: &Dataset,
    grid: &Grid,
    learning: &LearnOptions,
    place: String,
    store: &ResultStore,
) -> Result<Json, Halt> {
    let model_options = store.model_options();
    let seen = Seen::read(dataset)?;
    let study = seen.study(&model_options);
    let made = hidden_trees(SEED, store).structure(&study)?;
    let model = study.compile(&made.source)?;
    let task = study.task(&model, learning);
    let mut watch = Watch::new(place, learning, store.messages);
    let tuned = tune(&task, grid, &mut watch)?;
    if tuned.is_cancelled {
        return Err(Halt::Interrupted);
    }
    let trials: Vec<Json> = tuned.trials.iter().map(TuningTrial::to_json).collect();
    Ok(json!({
        "chosen": trials[tuned.best],
        "trials": trials,
        "notes": tuned.notes,
    }))
}
