//! `pelton mix`

use super::target;
use crate::arguments::{MessageArguments, MixCommand, read_options};
use crate::inputs::{check_stdin, read_file};
use crate::number::shown_number;
use crate::{CommandResult, Exit, engine, model};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{CircuitGraph, ParameterValue};
use pelton_compiler::transform::{MixtureWeights, freeze, mix};
use pelton_runtime::learn::{LearnOptions, LearningRows, Method, Start, TrainingTask, learn};
use serde_json::json;
use std::path::{Path, PathBuf};

pub fn run(options: &MixCommand, messages: &MessageArguments) -> CommandResult<Exit> {
    target::check(&options.target)?;
    let inputs = options.models.iter().chain(&options.fit);
    check_stdin(inputs.map(PathBuf::as_path), "the inputs")?;
    let mut members = Vec::new();
    for path in &options.models {
        members.push(model::checked(path, &options.reading, messages)?);
    }
    let members: Vec<&Checked> = members.iter().collect();
    let weighting = match (&options.weights, &options.fit) {
        (Some(weights), _) => MixtureWeights::Fixed(weights.clone()),
        (None, Some(data)) => fitted(options, &members, data, messages)?,
        (None, None) => MixtureWeights::even(members.len()),
    };
    let mixture = mix(&members, &weighting)?;
    let weights = linear(&weighting);
    if options.fit.is_some() {
        let shown: Vec<String> = weights.iter().map(|&weight| shown_number(weight)).collect();
        messages.note(format!("weights {}", shown.join(", ")));
    }
    let facts = json!({"weights": weights});
    target::write(&options.target, &mixture, facts, &options.reading, messages)
}

fn linear(weighting: &MixtureWeights) -> Vec<f64> {
    match weighting {
        MixtureWeights::Fixed(weights) => weights.clone(),
        MixtureWeights::Learned(values) => values.iter().map(|value| value.linear()).collect(),
    }
}

/// Weights that are learned from rows, while the members stay as they are.
fn fitted(
    options: &MixCommand,
    members: &[&Checked],
    data: &Path,
    messages: &MessageArguments,
) -> CommandResult<MixtureWeights> {
    let n_members = members.len();
    // Frozen members have nothing to learn, which leaves the weights of the root to EM.
    let frozen: Vec<Checked> = members.iter().map(|member| freeze(member)).collect();
    let frozen: Vec<&Checked> = frozen.iter().collect();
    let start = vec![ParameterValue::Linear(1.0 / n_members as f64); n_members];
    let mixture = mix(&frozen, &MixtureWeights::Learned(start))?.checked;
    let rows = read_options(options.header, None);
    let data = read_file(data, mixture.circuit(), &rows, messages)?;
    let places = root_places(mixture.circuit());
    let (model, _) = engine::compile(mixture, &options.running)?;
    let learning = LearnOptions {
        method: Some(Method::Em),
        pseudocount: 0.0,
        fullbatch_epochs: 1_000,
        tolerance: 1e-9,
        start: Start::Keep,
        threads: options.running.n_threads(),
        ..LearnOptions::default()
    };
    let task = TrainingTask {
        model: &model,
        train: LearningRows::of(&data.table),
        valid: None,
        test: None,
        options: &learning,
        resume: None,
    };
    let learned = learn(&task, &mut ())?;
    Ok(MixtureWeights::Learned(
        places.iter().map(|&at| learned.values[at]).collect(),
    ))
}

/// Where the weights of the root are among all entries.
fn root_places(circuit: &CircuitGraph) -> Vec<usize> {
    let weights = circuit
        .children(circuit.root())
        .filter_map(|child| child.weight);
    weights
        .map(|weight| circuit.entry_position(weight))
        .collect()
}
