//! Ensembles: members that were learned apart, joined into one circuit.

use super::parameter_arrays::ParameterArrays;
use super::source::{HiddenTree, HiddenTreeForm, MIXTURE, clt_source, hclt_source};
use super::task::{StructureTask, WeightedSample, checked, compile_with_values};
use super::{LearnedStructure, StructureError, VariableTree};
use crate::Model;
use crate::data::Schema;
use crate::learn::{
    LearnOptions, LearningObserver, LearningResult, Report, Start, StopReason, entropy, score,
};
use pelton_compiler::circuit::{CircuitGraph, ParameterValue};
use pelton_compiler::emit;
use pelton_compiler::stats::CircuitStatistics;
use pelton_compiler::transform::{MixtureWeights, mix};

/// How a structure joins others in an ensemble.
#[derive(Clone, Debug, PartialEq)]
pub enum JoinForm {
    /// A mixture of trees: the ensemble is one flat mixture of the trees of all members, if
    /// all are of this kind.
    Trees {
        /// The trees.
        trees: Vec<VariableTree>,
        /// States of hidden variables; none if values of variables take their place.
        n_states: Option<usize>,
    },
    /// Any circuit: the ensemble is a sum over its members.
    Circuit,
}

/// A structure with what was learned for it.
#[derive(Clone, Debug)]
pub struct EnsembleMember {
    source: String,
    form: JoinForm,
    values: Vec<ParameterValue>,
    families: ParameterArrays,
}

impl EnsembleMember {
    /// What was learned for a structure. Hidden trees have the form
    /// [`HiddenTreeForm::Pelton`], in which every tree has a weight of its own.
    pub fn new(
        structure: &LearnedStructure,
        circuit: &CircuitGraph,
        values: &[ParameterValue],
    ) -> Self {
        EnsembleMember {
            source: structure.source.clone(),
            form: structure.form.clone(),
            values: values.to_vec(),
            families: ParameterArrays::of(circuit, values),
        }
    }

    /// The trees of a mixture of trees, and whether they are hidden.
    fn trees(&self) -> Option<(bool, impl Iterator<Item = HiddenTree<'_>>)> {
        let JoinForm::Trees { trees, n_states } = &self.form else {
            return None;
        };
        let (is_hidden, n_states) = (n_states.is_some(), n_states.unwrap_or_default());
        let hidden = move |tree| HiddenTree { tree, n_states };
        Some((is_hidden, trees.iter().map(hidden)))
    }

    fn mixture(&self) -> Vec<f64> {
        let one = [ParameterValue::Linear(1.0)];
        let weights = self.families.get(MIXTURE).unwrap_or(&one);
        weights.iter().map(|weight| weight.linear()).collect()
    }
}

/// Members that have been joined: one mixture of all their trees.
#[derive(Clone, Debug)]
pub struct JoinedEnsemble {
    /// The circuit's text.
    pub source: String,
    families: ParameterArrays,
}

impl JoinedEnsemble {
    /// The values of the compiled circuit.
    pub fn values(&self, model: &Model) -> Vec<ParameterValue> {
        let mut values = self.families.values(model.circuit());
        values.truncate(model.n_entries());
        values
    }
}

/// Joins members into the mixture of them with these weights: one flat mixture of trees if
/// all are trees of one kind, otherwise a sum over whole circuits.
pub fn join(
    schema: &Schema,
    members: &[(&EnsembleMember, f64)],
) -> Result<JoinedEnsemble, StructureError> {
    if members.is_empty() {
        let message = "an ensemble has at least one member".to_string();
        return Err(StructureError::Option(message));
    }
    let all: Option<Vec<_>> = members.iter().map(|(member, _)| member.trees()).collect();
    let is_hidden = all.iter().flatten().any(|(is_hidden, _)| *is_hidden);
    let is_plain = all.iter().flatten().any(|(is_hidden, _)| !is_hidden);
    let Some(all) = all.filter(|_| is_hidden != is_plain) else {
        return joined_circuits(members);
    };
    let trees: Vec<HiddenTree> = all.into_iter().flat_map(|(_, trees)| trees).collect();
    let source = if is_hidden {
        hclt_source(schema, &trees, HiddenTreeForm::Pelton)
    } else {
        let trees: Vec<&VariableTree> = trees.iter().map(|hidden| hidden.tree).collect();
        clt_source(schema, &trees)
    };
    Ok(JoinedEnsemble {
        source,
        families: joined_families(members),
    })
}

/// A sum over circuits, each of which keeps what it learns. Parameters stand in the text.
fn joined_circuits(members: &[(&EnsembleMember, f64)]) -> Result<JoinedEnsemble, StructureError> {
    let circuits = members.iter().map(|(member, _)| {
        let checked = checked(&member.source)?;
        Ok(checked.with_values(&member.values))
    });
    let circuits: Vec<_> = circuits.collect::<Result<_, StructureError>>()?;
    let circuits: Vec<_> = circuits.iter().collect();
    let weights = members.iter();
    let weights = weights.map(|(_, weight)| ParameterValue::Linear(*weight));
    let too_large = |error: &dyn std::fmt::Display| StructureError::Circuit(error.to_string());
    let mixture = mix(&circuits, &MixtureWeights::Learned(weights.collect()));
    let mixture = mixture.map_err(|error| too_large(&error))?;
    let mut source = String::new();
    emit::circuit(mixture.checked.circuit(), &mut source).map_err(|error| too_large(&error))?;
    Ok(JoinedEnsemble {
        source,
        families: ParameterArrays::default(),
    })
}

fn joined_families(members: &[(&EnsembleMember, f64)]) -> ParameterArrays {
    let mut families = ParameterArrays::default();
    let mut weights = Vec::new();
    for (member, weight) in members {
        for (at, share) in member.mixture().into_iter().enumerate() {
            weights.push(ParameterValue::Linear(weight * share));
            for (name, values) in member.families.renumbered(at + 1, weights.len()) {
                families.insert(name, values);
            }
        }
    }
    if weights.len() > 1 {
        families.insert(MIXTURE.to_string(), weights);
    }
    families
}

/// One circuit that was put together of what was learned apart.
#[derive(Debug)]
#[must_use]
pub struct AssembledEnsemble {
    /// Its text.
    pub source: String,
    /// The same compiled.
    pub model: Model,
    /// Its parameters. The report is that of one member, with the likelihoods of the whole.
    pub learned: LearningResult,
}

impl StructureTask<'_> {
    /// Joins members with these weights into one circuit. `report` is that of one of
    /// them.
    pub fn assemble(
        &self,
        members: &[(&EnsembleMember, f64)],
        report: &Report,
    ) -> Result<AssembledEnsemble, StructureError> {
        let joined = join(self.schema, members)?;
        let model = self.compile(&joined.source)?;
        let values = joined.values(&model);
        let threads = report.options.threads;
        let scored = |sample: WeightedSample| score(&model, &values, &sample.rows(), threads);
        let report = Report {
            train: scored(self.train)?,
            valid: self.valid.map(scored).transpose()?,
            entropy: entropy(&model, &values),
            sum_edges: CircuitStatistics::of(model.circuit()).sum_edges,
            ..report.clone()
        };
        Ok(AssembledEnsemble {
            source: joined.source,
            learned: LearningResult { values, report },
            model,
        })
    }

    /// Learns the parameters of a whole together, by EM over all rows from where they
    /// are, and keeps that if the validation rows become likelier. Says how many epochs
    /// there were, and whether the observer ended them.
    pub fn refine(
        &self,
        whole: &mut AssembledEnsemble,
        learning: &LearnOptions,
        observer: &mut dyn LearningObserver,
    ) -> Result<(usize, bool), StructureError> {
        // In place of the model that does not start there: two of them, and what learning
        // takes, are more than large ensembles should need.
        whole.model = compile_with_values(&whole.source, &whole.learned.values, self.model)?;
        let model = &whole.model;
        let learning = LearnOptions {
            start: Start::Keep,
            minibatch_epochs: 0,
            ..learning.clone()
        };
        let LearningResult { values, report } = self.learn(model, &learning, observer)?;
        let is_cancelled = report.stop_reason == StopReason::Cancelled;
        let old = &mut whole.learned;
        if let (Some(new), Some(before)) = (report.valid, old.report.valid)
            && new.beats(&before)
        {
            old.values = values;
            old.report.train = report.train;
            old.report.valid = report.valid;
            old.report.entropy = report.entropy;
        }
        Ok((report.epochs.len(), is_cancelled))
    }
}

/// Rows that are worth a member in [`mixing_weights`].
const PSEUDOCOUNT: f64 = 1.0;

/// Steps of EM at most; members are few, and far from one another or alike.
const MOST_STEPS: usize = 200;

/// The weights under which a mixture of members makes rows likeliest, by EM. `logs`
/// has the log-likelihood of each row under each member, `[member][row]`; every
/// member is given the weight of one row in advance. A row that is impossible under
/// all members says nothing.
pub fn mixing_weights(logs: &[Vec<f64>], row_weights: Option<&[f64]>) -> Vec<f64> {
    let n_rows = logs.first().map_or(0, Vec::len);
    let mut weights = vec![1.0 / logs.len().max(1) as f64; logs.len()];
    for _ in 0..MOST_STEPS {
        // 1. Whose rows they are, by the weights as they are.
        let mut counts = vec![PSEUDOCOUNT; logs.len()];
        for row in 0..n_rows {
            let weight = row_weights.map_or(1.0, |weights| weights[row]);
            add_shares(logs, row, weight, &weights, &mut counts);
        }
        // 2. Weights in proportion, until they stay.
        let total: f64 = counts.iter().sum();
        let next: Vec<f64> = counts.iter().map(|count| count / total).collect();
        let pairs = next.iter().zip(&weights);
        let change = pairs.fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        weights = next;
        if change < 1e-6 {
            break;
        }
    }
    weights
}

/// Adds to each member's count which share of a row it explains.
fn add_shares(logs: &[Vec<f64>], row: usize, weight: f64, weights: &[f64], counts: &mut [f64]) {
    let most = logs.iter().map(|own| own[row]);
    let most = most.fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return;
    }
    let part = |(own, share): (&Vec<f64>, &f64)| share * (own[row] - most).exp();
    let parts = || logs.iter().zip(weights).map(part);
    let total: f64 = parts().sum();
    for (count, part) in counts.iter_mut().zip(parts()) {
        *count += weight * part / total;
    }
}
