//! A run of what was chosen, with test rows evaluated after every epoch.

use super::choice::{Choice, learning};
use super::{hidden_trees, n_epochs};
use crate::dataset::Dataset;
use crate::halt::Halt;
use crate::paper::structure_json;
use crate::piece::{Piece, ResultStore};
use crate::scores;
use crate::seen::Seen;
use crate::watch::Watch;
use pelton_runtime::Model;
use pelton_runtime::data::Table;
use pelton_runtime::learn::{
    Checkpoint, Epoch, EpochProgress, LearnOptions, LearningControl, LearningObserver,
    LearningRows, StopReason, score,
};
use serde_json::{Value as Json, json};

/// Runs what was chosen for a method, without an early end.
pub fn run(
    dataset: &Dataset,
    choice: &Choice,
    seed: u64,
    place: String,
    store: &mut ResultStore,
) -> Result<Json, Halt> {
    let learning = LearnOptions {
        pseudocount: choice.point.pseudocount,
        softness: choice.point.softness,
        entropy: choice.point.entropy,
        patience: n_epochs(store),
        ..learning(seed, store)
    };
    let piece = Piece {
        dataset,
        folder: "protein",
        name: format!("{}-{}-{seed}", dataset.name, choice.name),
        options: json!({
            "structure": structure_json(&hidden_trees(seed, store)),
            "learning": learning.to_json(),
            "running": store.numbers(),
        }),
        uses_test: true,
    };
    store.result(&piece, |store| {
        learn(dataset, seed, &learning, place, store)
    })
}

fn learn(
    dataset: &Dataset,
    seed: u64,
    learning: &LearnOptions,
    place: String,
    store: &ResultStore,
) -> Result<Json, Halt> {
    let model_options = store.model_options();
    let seen = Seen::read(dataset)?;
    let study = seen.study(&model_options);
    let made = hidden_trees(seed, store).structure(&study)?;
    let model = study.compile(&made.source)?;
    // How much to regularize has been chosen, and nothing else will be: what is seen of
    // the test rows from here on goes into the chart alone.
    let test = seen.test()?;
    let mut course = Course {
        watch: Watch::new(place, learning, store.messages),
        model: &model,
        test: &test,
        threads: store.threads(),
        tests: Vec::new(),
    };
    let learned = study.learn(&model, learning, &mut course)?;
    if learned.report.stop_reason == StopReason::Cancelled {
        return Err(Halt::Interrupted);
    }
    let found = score(
        &model,
        &learned.values,
        &LearningRows::of(&test),
        store.threads(),
    )?;
    let mut result = learned.report.to_json();
    for (at, test) in course.tests.iter().enumerate() {
        result["epochs"][at]["test_ll"] = json!(test);
    }
    scores::add(&mut result, "test", &found);
    result["last_test_ll"] = json!(course.tests.last().copied().flatten());
    result["data"] = seen.sizes(&test);
    Ok(result)
}

/// Evaluates the test rows after each epoch.
struct Course<'a> {
    watch: Watch,
    model: &'a Model,
    test: &'a Table,
    threads: usize,
    /// None where a row is impossible.
    tests: Vec<Option<f64>>,
}

impl LearningObserver for Course<'_> {
    fn progress(&mut self, progress: &EpochProgress) -> LearningControl {
        self.watch.progress(progress)
    }

    fn epoch(&mut self, epoch: &Epoch, checkpoint: &dyn Fn() -> Checkpoint) -> LearningControl {
        let rows = LearningRows::of(self.test);
        let found = score(self.model, &checkpoint().values, &rows, self.threads);
        self.tests.push(found.ok().as_ref().and_then(scores::mean));
        self.watch.epoch(epoch, checkpoint)
    }
}
