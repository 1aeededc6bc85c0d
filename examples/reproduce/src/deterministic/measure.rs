//! All ways to regularize the deterministic circuits of a data set.

use super::given;
use super::subsample::subsample;
use crate::dataset::Dataset;
use crate::fingerprint::fingerprint;
use crate::halt::Halt;
use crate::piece::ResultStore;
use crate::scores;
use crate::seen::Seen;
use crate::watch::Watch;
use pelton_cli::CommandResult;
use pelton_runtime::Model;
use pelton_runtime::data::Table;
use pelton_runtime::learn::{
    Grid, LearnOptions, LearningRows, Method as LearnMethod, TuningResult, TuningTrial, score, tune,
};
use pelton_runtime::structure::{ChowLiu, InformationOptions, StructureTask, TreeOptions};
use serde_json::{Value as Json, json};
use std::path::Path;

/// One in so many rows is learned from: the fewer, the more a circuit overfits.
const SHARES: [usize; 3] = [1, 4, 16];

/// The seed of which rows those are.
const SEED: u64 = 0;

/// The pseudocount under which the degree of overfitting is measured.
const PLAIN: f64 = 1.0;

/// A way to regularize, and what is tried of it. The lists are the paper's; softness
/// is 1 - beta.
pub struct Method {
    /// What it is called.
    pub name: &'static str,
    pseudocounts: &'static [f64],
    softnesses: &'static [f64],
    entropies: &'static [f64],
}

const SOFTNESSES: &[f64] = &[0.0004, 0.001, 0.004];
const ENTROPIES: &[f64] = &[0.001, 0.01, 0.1];

/// All of them; the first is what the others are compared with.
pub const METHODS: [Method; 4] = [
    Method {
        name: "pseudocount",
        pseudocounts: &[0.1, 0.4, PLAIN, 2.0, 4.0, 10.0],
        softnesses: &[0.0],
        entropies: &[0.0],
    },
    Method {
        name: "softening",
        pseudocounts: &[PLAIN],
        softnesses: SOFTNESSES,
        entropies: &[0.0],
    },
    Method {
        name: "entropy",
        pseudocounts: &[PLAIN],
        softnesses: &[0.0],
        entropies: ENTROPIES,
    },
    Method {
        name: "both",
        pseudocounts: &[PLAIN],
        softnesses: SOFTNESSES,
        entropies: ENTROPIES,
    },
];

impl Method {
    fn grid(&self) -> Grid {
        Grid {
            pseudocounts: self.pseudocounts.to_vec(),
            softnesses: self.softnesses.to_vec(),
            entropies: self.entropies.to_vec(),
        }
    }
}

fn trees(store: &ResultStore) -> TreeOptions {
    TreeOptions {
        information: InformationOptions {
            pseudocount: 0.1,
            threads: store.threads(),
        },
        ..TreeOptions::default()
    }
}

fn learning(store: &ResultStore) -> LearnOptions {
    LearnOptions {
        method: Some(LearnMethod::Mle),
        threads: store.threads(),
        ..LearnOptions::default()
    }
}

/// All that decides about a result.
pub fn options(given: Option<&Path>, store: &ResultStore) -> CommandResult<Json> {
    let given = match given {
        Some(path) => json!({"name": file_name(path), "file": fingerprint(path)?}),
        None => Json::Null,
    };
    let methods = METHODS.iter().map(|method| {
        let grid = json!({
            "pseudocounts": method.pseudocounts,
            "softnesses": method.softnesses,
            "entropies": method.entropies,
        });
        (method.name.to_string(), grid)
    });
    Ok(json!({
        "methods": methods.collect::<serde_json::Map<_, _>>(),
        "given_circuit": given,
        "shares": SHARES,
        "subsample_seed": SEED,
        "tree_pseudocount": trees(store).information.pseudocount,
        "learning": learning(store).to_json(),
        "running": store.numbers(),
    }))
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// A circuit, with what each method has made of it.
struct Tried {
    /// The file that its structure is from; none for a Chow-Liu tree.
    file: Option<String>,
    n_rows: usize,
    model: Model,
    tuned: Vec<TuningResult>,
}

/// Learns all circuits by all methods, then evaluates the test rows with what
/// validation chose.
pub fn measure(
    dataset: &Dataset,
    given: Option<&Path>,
    place: &str,
    store: &ResultStore,
) -> Result<Json, Halt> {
    let model_options = store.model_options();
    let seen = Seen::read(dataset)?;
    let mut all = Vec::new();
    for of in SHARES {
        let rows = subsample(seen.train.n_rows(), of, SEED);
        let train = seen.train.gather(&rows);
        let place = format!("{place}, {} rows", rows.len());
        let study = seen.study_of(&train, &model_options);
        let tree = study.compile(&ChowLiu(trees(store)).structure(&study)?.source)?;
        all.push(tried(&study, (tree, None), &place, store)?);
        if let Some(path) = given {
            let model = given::read(path, study.schema, &model_options)?;
            let file = file_name(path);
            let place = format!("{place}, {file}");
            all.push(tried(&study, (model, Some(file)), &place, store)?);
        }
    }
    // All is decided.
    let test = seen.test()?;
    let circuits = all.iter().map(|tried| tried.to_json(&test, store));
    Ok(json!({
        "circuits": circuits.collect::<Result<Vec<_>, Halt>>()?,
        "data": seen.sizes(&test),
    }))
}

fn tried(
    study: &StructureTask,
    (model, file): (Model, Option<String>),
    place: &str,
    store: &ResultStore,
) -> Result<Tried, Halt> {
    let learning = learning(store);
    let task = study.task(&model, &learning);
    let mut tuned = Vec::new();
    for method in &METHODS {
        let place = format!("{place}, {}", method.name);
        let mut watch = Watch::new(place, &learning, store.messages);
        let found = tune(&task, &method.grid(), &mut watch)?;
        if found.is_cancelled {
            return Err(Halt::Interrupted);
        }
        tuned.push(found);
    }
    Ok(Tried {
        file,
        n_rows: study.train.table.n_rows(),
        model,
        tuned,
    })
}

impl Tried {
    fn to_json(&self, test: &Table, store: &ResultStore) -> Result<Json, Halt> {
        let mut methods = serde_json::Map::new();
        for (method, tuned) in METHODS.iter().zip(&self.tuned) {
            let values = &tuned.learned.values;
            let found = score(
                &self.model,
                values,
                &LearningRows::of(test),
                store.threads(),
            )?;
            let mut json = tuned.trials[tuned.best].to_json();
            scores::add(&mut json, "test", &found);
            let trials = tuned.trials.iter().map(TuningTrial::to_json);
            json["trials"] = trials.collect();
            methods.insert(method.name.to_string(), json);
        }
        Ok(json!({
            "structure": self.file.as_deref().unwrap_or("clt"),
            "rows": self.n_rows,
            "overfitting": self.overfitting(),
            "sum_edges": self.tuned[0].learned.report.sum_edges,
            "methods": methods,
        }))
    }

    /// (validation - train) / validation, under the plain pseudocount alone.
    fn overfitting(&self) -> Option<f64> {
        let mut trials = self.tuned[0].trials.iter();
        let plain = trials.find(|trial| trial.point.pseudocount == PLAIN)?;
        let (train, valid) = (plain.train.mean, plain.valid.mean);
        Some((valid - train) / valid).filter(|degree| degree.is_finite())
    }
}
