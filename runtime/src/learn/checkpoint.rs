//! What a run can be resumed from.

use super::LearnError;
use super::report::{Epoch, Score};
use pelton_compiler::circuit::ParameterValue;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// The state of a run between two epochs. A run that is resumed from it ends with
/// the same parameters, bit for bit, as one that was never interrupted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[must_use]
pub struct Checkpoint {
    /// The parameters as they are.
    #[serde(skip)]
    pub values: Vec<ParameterValue>,
    /// Those of the epoch with the best validation likelihood.
    #[serde(skip)]
    pub best: Vec<ParameterValue>,
    /// Where the solvers of the next M-step start.
    #[serde(skip)]
    pub(super) warm: Vec<f64>,
    pub(super) epochs: Vec<Epoch>,
    pub(super) best_epoch: usize,
    /// The best validation score: its mean and its impossible rows.
    pub(super) best_score: Option<(f64, usize)>,
    /// Epochs of the phase that are done, and those since the best one.
    pub(super) phase_epochs: usize,
    pub(super) since_best: usize,
    /// The phase that comes next: 0 mini-batches, 1 full batches, 2 none.
    pub(super) phase: usize,
    /// What has to be the same when the run is resumed.
    pub(super) identity: Json,
}

impl Checkpoint {
    /// The state of a run that begins.
    pub(super) fn new(values: Vec<ParameterValue>, identity: Json) -> Self {
        Checkpoint {
            best: values.clone(),
            values,
            warm: Vec::new(),
            epochs: Vec::new(),
            best_epoch: 0,
            best_score: None,
            phase_epochs: 0,
            since_best: 0,
            phase: 0,
            identity,
        }
    }

    /// The state, if it belongs to the run that is to go on.
    pub(super) fn resumed(self, identity: &Json, n_entries: usize) -> Result<Self, LearnError> {
        let mut different: Vec<String> = Vec::new();
        // 1. What has a name and a value, in its words.
        let old = &self.identity;
        let options = identity["options"].as_object().into_iter().flatten();
        for (name, value) in options {
            let before = &old["options"][name];
            if before != value {
                different.push(format!("{} was {before}", name.replace('_', " ")));
            }
        }
        for name in ["precision", "engine"] {
            if old[name] != identity[name] {
                different.push(format!("{name} was {}", old[name]));
            }
        }
        // 2. What is known by its hash, or by its size, alone.
        let is_other = |names: &[&str]| names.iter().any(|name| old[name] != identity[name]);
        let sizes = [self.values.len(), self.best.len()];
        let others = [
            (is_other(&["valid"]), "the validation rows were others"),
            (
                is_other(&["is_stream"]),
                "rows were not read in the same way",
            ),
            (
                is_other(&["rows", "fingerprint"]),
                "the training rows were others",
            ),
            (sizes != [n_entries; 2], "the circuit was another one"),
        ];
        let others = others.into_iter().filter(|(is_other, _)| *is_other);
        different.extend(others.map(|(_, what)| what.to_string()));
        if different.is_empty() {
            Ok(self)
        } else {
            Err(LearnError::Checkpoint(format!(
                "the checkpoint belongs to another run: {}",
                different.join(", ")
            )))
        }
    }

    /// Keeps the parameters of an epoch if they are the best so far; without
    /// validation rows the last are.
    pub(super) fn keep_best(&mut self, epoch: usize, valid: Option<Score>) {
        let is_better = match (valid, self.best_score) {
            (Some(score), Some((mean, n_zero))) => score.beats(&Score {
                mean,
                n_zero,
                n_rows: 0,
            }),
            _ => true,
        };
        self.since_best += 1;
        if is_better {
            self.best.clone_from(&self.values);
            self.best_epoch = epoch;
            self.best_score = valid.map(|score| (score.mean, score.n_zero));
            self.since_best = 0;
        }
    }

    /// Goes on to another phase, from the best parameters.
    pub(super) fn begin_phase(&mut self, phase: usize) {
        self.values.clone_from(&self.best);
        self.phase = phase;
        self.phase_epochs = 0;
        self.since_best = 0;
    }

    /// The numbers as vectors by name, and all the rest as text; for model files.
    pub fn to_parts(&self) -> (BTreeMap<String, Vec<f64>>, String) {
        let tensors = BTreeMap::from([
            ("values".to_string(), encode(&self.values)),
            ("best".to_string(), encode(&self.best)),
            ("warm".to_string(), self.warm.clone()),
        ]);
        (tensors, json!(self).to_string())
    }

    /// Reads what [`Checkpoint::to_parts`] wrote.
    pub fn from_parts(
        tensors: &BTreeMap<String, Vec<f64>>,
        text: &str,
    ) -> Result<Self, LearnError> {
        parse(tensors, text).ok_or_else(|| {
            let message = "the checkpoint is damaged, or of another version";
            LearnError::Checkpoint(message.to_string())
        })
    }
}

fn parse(tensors: &BTreeMap<String, Vec<f64>>, text: &str) -> Option<Checkpoint> {
    Some(Checkpoint {
        values: decode(tensors.get("values")?)?,
        best: decode(tensors.get("best")?)?,
        warm: tensors.get("warm")?.clone(),
        ..serde_json::from_str(text).ok()?
    })
}

/// Two numbers for each value: whether it is a logarithm, and the number.
fn encode(values: &[ParameterValue]) -> Vec<f64> {
    let pair = |value: &ParameterValue| match *value {
        ParameterValue::Linear(number) => [0.0, number],
        ParameterValue::Log(log) => [1.0, log],
    };
    values.iter().flat_map(pair).collect()
}

fn decode(numbers: &[f64]) -> Option<Vec<ParameterValue>> {
    let (pairs, rest) = numbers.as_chunks::<2>();
    let values = pairs.iter().map(|&[tag, number]| match tag {
        0.0 if number.is_finite() => Some(ParameterValue::Linear(number)),
        1.0 if !number.is_nan() => Some(ParameterValue::Log(number)),
        _ => None,
    });
    values.collect::<Option<_>>().filter(|_| rest.is_empty())
}
