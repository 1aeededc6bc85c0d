//! Runs in the paper's setting.

use super::dataset::Dataset;
use super::halt::Halt;
use super::piece::ResultStore;
use super::scores;
use super::seen::Seen;
use super::watch::Watch;
use pelton_runtime::learn::{LearnOptions, LearningRows, Start, StopReason, score};
use pelton_runtime::structure::{
    AssembledEnsemble, HiddenChowLiu, HiddenTreeForm, InformationOptions, TreeChoice, TreeOptions,
};
use serde_json::{Value as Json, json};

/// Epochs without a better validation likelihood after which a phase ends. The
/// released scripts end a phase at the fourth fall, which ended mini-batches while
/// they were still noisy. Of 4, 8 and 20, twenty did best by validation (nltcs; the
/// three are alike for dna), and with a whole pseudocount for each batch there is
/// little left to overfit while waiting.
pub const PATIENCE: usize = 20;

/// Spanning trees of most information that trees are drawn from.
const N_BEST_TREES: usize = 20;

/// Hidden Chow-Liu trees as in the paper's experiments: so many, with so many states.
pub fn structure(n_trees: usize, n_states: usize, seed: u64, threads: usize) -> HiddenChowLiu {
    HiddenChowLiu {
        n_states,
        trees: TreeOptions {
            n_trees,
            choice: TreeChoice::Best { of: N_BEST_TREES },
            information: InformationOptions {
                pseudocount: 0.1,
                threads,
            },
            seed,
        },
        form: HiddenTreeForm::Paper,
    }
}

/// The structure as results show it.
pub fn structure_json(options: &HiddenChowLiu) -> Json {
    json!({
        "hidden": options.n_states,
        "trees": options.trees.n_trees,
        "tree_choice": options.trees.choice.name(),
        "best_trees": match options.trees.choice {
            TreeChoice::Best { of } => Some(of),
            TreeChoice::Bootstrap => None,
        },
        "tree_pseudocount": options.trees.information.pseudocount,
        "tree_seed": options.trees.seed,
        "form": options.form.name(),
    })
}

/// How parameters are learned.
fn learning(seed: u64, threads: usize) -> LearnOptions {
    LearnOptions {
        start: Start::Random,
        patience: PATIENCE,
        tolerance: 0.0,
        seed,
        threads,
        ..LearnOptions::paper()
    }
}

/// How they are learned at last: by epochs over all rows that have the pseudocount once,
/// and are kept if validation prefers what they reach. How much of a pseudocount is good
/// differs between data sets.
fn last(learning: &LearnOptions) -> LearnOptions {
    LearnOptions {
        pseudocount_per_batch: false,
        ..learning.clone()
    }
}

/// All that decides about a run.
pub fn options(seed: u64, store: &ResultStore) -> Json {
    let threads = store.threads();
    json!({
        "setting": "paper",
        "structure": structure_json(&structure(4, 12, seed, threads)),
        "learning": learning(seed, threads).to_json(),
        "last": last(&learning(seed, threads)).to_json(),
        "running": store.numbers(),
    })
}

/// Learns, and evaluates the test rows with what was kept by validation.
pub fn run(dataset: &Dataset, seed: u64, place: String, store: &ResultStore) -> Result<Json, Halt> {
    let threads = store.threads();
    let model_options = store.model_options();
    let learning = learning(seed, threads);
    let seen = Seen::read(dataset)?;
    let study = seen.study(&model_options);
    let made = structure(4, 12, seed, threads).structure(&study)?;
    let model = study.compile(&made.source)?;
    let mut watch = Watch::new(place, &learning, store.messages);
    let learned = study.learn(&model, &learning, &mut watch)?;
    if learned.report.stop_reason == StopReason::Cancelled {
        return Err(Halt::Interrupted);
    }
    let mut whole = AssembledEnsemble {
        source: made.source,
        model,
        learned,
    };
    let (n_last, is_cancelled) = study.refine(&mut whole, &last(&learning), &mut watch)?;
    if is_cancelled {
        return Err(Halt::Interrupted);
    }
    drop(watch);
    let AssembledEnsemble { model, learned, .. } = whole;
    // All is decided.
    let test = seen.test()?;
    let found = score(&model, &learned.values, &LearningRows::of(&test), threads)?;
    let mut result = learned.report.to_json();
    result["last_epochs"] = json!(n_last);
    scores::add(&mut result, "test", &found);
    result["data"] = seen.sizes(&test);
    Ok(result)
}
