//! What can be chosen about learning.

use super::LearnError;
use pelton_compiler::circuit::{CircuitGraph, CircuitVariable};
use pelton_compiler::flow::is_tabular;
use serde::Serialize;
use serde_json::{Value as Json, json};

/// How parameters are learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// The most likely parameters in closed form; for deterministic circuits and
    /// complete data.
    Mle,
    /// Expectation maximisation, for every circuit and with missing cells.
    Em,
}

impl Method {
    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Method::Mle => "mle",
            Method::Em => "em",
        }
    }
}

/// What EM maximises if data are softened. Closed-form learning needs no choice:
/// there the expected log-likelihood of the softened data is maximised exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Softening {
    /// `log E[p(x')]` over the noise: soft evidence at the leaves, as in the paper.
    /// It regularises how rows are explained; single leaves are not shrunk by it.
    #[default]
    Virtual,
    /// A lower bound of `E[log p(x')]`, in which every leaf is the geometric mean
    /// of its values. It shrinks leaves away from 0 and 1 and rises with every
    /// step of EM. Each softened variable has to enter through leaves of full support.
    Geometric,
    /// `E[log p(x')]` itself, by noise that is drawn again in every epoch.
    Sampled,
}

impl Softening {
    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Softening::Virtual => "virtual",
            Softening::Geometric => "geometric",
            Softening::Sampled => "sampled",
        }
    }
}

/// Where learning starts. Values that the circuit gives (`?0.3`) are always kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Start {
    /// Weights near equal ones, leaves near their column's moments, both drawn at random.
    #[default]
    Random,
    /// Rows are clustered, and sums choose their children by cluster.
    KMeans,
    /// The circuit's own start values; those that it leaves open are neutral.
    Keep,
}

impl Start {
    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Start::Random => "random",
            Start::KMeans => "kmeans",
            Start::Keep => "keep",
        }
    }
}

/// How parameters are learned; the defaults are plain EM over all rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LearnOptions {
    /// The method; by default closed form where it is exact, otherwise EM.
    pub method: Option<Method>,
    /// Rows that every vector of probabilities is given in advance, spread evenly
    /// over its entries.
    pub pseudocount: f64,
    /// Whether every mini-batch adds the whole pseudocount, as the paper's released code
    /// does, instead of its share; all rows at once then add it as often as there are
    /// batches. Probabilities that are rare stay further from zero in large data.
    pub pseudocount_per_batch: bool,
    /// How much of every observed cell of a finite domain is noise.
    pub softness: f64,
    /// What EM maximises if there is any softness.
    pub softening: Softening,
    /// Whether the noise follows the column's marginal instead of being even.
    pub scale_by_marginal: bool,
    /// How much the entropy counts beside the mean log-likelihood.
    pub entropy: f64,
    /// Epochs of mini-batches, which come first.
    pub minibatch_epochs: usize,
    /// Epochs over all rows at once.
    pub fullbatch_epochs: usize,
    /// Rows of a mini-batch.
    pub batch_size: usize,
    /// Weight of the new parameters in the first mini-batch, and towards which it goes
    /// from there in a straight line.
    pub step_size: (f64, f64),
    /// Epochs without a better validation likelihood after which a phase ends; at
    /// least one.
    pub patience: usize,
    /// A full-batch epoch that raises the objective by less, as a part of it or of 1,
    /// ends the phase.
    pub tolerance: f64,
    /// Where learning starts.
    #[serde(rename = "init")]
    pub start: Start,
    /// The seed of everything that is drawn.
    pub seed: u64,
    /// Threads; 0 takes as many as there are cores.
    #[serde(skip)]
    pub threads: usize,
}

impl Default for LearnOptions {
    fn default() -> Self {
        LearnOptions {
            method: None,
            pseudocount: 0.1,
            pseudocount_per_batch: false,
            softness: 0.0,
            softening: Softening::Virtual,
            scale_by_marginal: false,
            entropy: 0.0,
            minibatch_epochs: 0,
            fullbatch_epochs: 100,
            batch_size: 1024,
            step_size: (0.9, 0.1),
            patience: 4,
            tolerance: 1e-6,
            start: Start::Random,
            seed: 0,
            threads: 0,
        }
    }
}

impl LearnOptions {
    /// The setting of the paper's experiments: mini-batches, then all rows, with a
    /// little of each way to regularize.
    pub fn paper() -> Self {
        LearnOptions {
            pseudocount: 0.1,
            pseudocount_per_batch: true,
            softness: 0.002,
            scale_by_marginal: true,
            entropy: 0.001,
            minibatch_epochs: 100,
            fullbatch_epochs: 100,
            batch_size: 1024,
            step_size: (0.9, 0.1),
            patience: 4,
            ..LearnOptions::default()
        }
    }

    /// Says which option is out of its range, if one is.
    pub fn check(&self, circuit: &CircuitGraph) -> Result<(), LearnError> {
        let at_least_zero = |name, value: f64| {
            let is_right = value >= 0.0 && value.is_finite();
            let wrong = || format!("{name} is {value}; it must be a finite number from 0 up");
            let checked = is_right.then_some(());
            checked.ok_or_else(|| LearnError::Option(wrong()))
        };
        at_least_zero("the pseudocount", self.pseudocount)?;
        at_least_zero("the weight of the entropy", self.entropy)?;
        at_least_zero("the tolerance", self.tolerance)?;
        at_least_zero("the softness", self.softness)?;
        self.check_softness(circuit)?;
        for step in [self.step_size.0, self.step_size.1] {
            if !(step > 0.0 && step <= 1.0) {
                let message = format!("a step size is {step}; it must be above 0 and at most 1");
                return Err(LearnError::Option(message));
            }
        }
        match self.batch_size {
            0 => Err(LearnError::Option("a batch needs at least one row".into())),
            _ => Ok(()),
        }
    }

    /// Noise must leave the observed value the likeliest one.
    fn check_softness(&self, circuit: &CircuitGraph) -> Result<(), LearnError> {
        if self.softness == 0.0 {
            return Ok(());
        }
        let Some((variable, bound)) = Self::softness_bound(circuit) else {
            let message = "there is nothing to soften: no variable has a finite domain of several \
                           values";
            return Err(LearnError::Option(message.into()));
        };
        if self.softness < bound {
            return Ok(());
        }
        Err(LearnError::Option(format!(
            "the softness is {}; it must be below {bound:.4} for `{}` with its {} values",
            self.softness,
            variable.name,
            variable.domain.size().unwrap_or_default()
        )))
    }

    /// Softness must stay below this bound, which the variable with the fewest values
    /// sets; none if no variable can be softened.
    pub fn softness_bound(circuit: &CircuitGraph) -> Option<(&CircuitVariable, f64)> {
        let variables = circuit.variables().iter();
        let tabular = variables.filter(|variable| is_tabular(&variable.domain));
        let sized = tabular.filter_map(|variable| Some((variable, variable.domain.size()?)));
        let several = sized.filter(|&(_, size)| size > 1);
        let (variable, size) = several.min_by_key(|&(_, size)| size)?;
        Some((variable, (size - 1) as f64 / size as f64))
    }

    /// The options as reports show them.
    pub fn to_json(&self) -> Json {
        json!(self)
    }
}
