//! Data from which structures are learned, and circuits over their columns.

use super::StructureError;
use crate::data::{Schema, Table};
use crate::learn::{
    LearnOptions, LearningObserver, LearningResult, LearningRows, TrainingTask, learn,
};
use crate::{Model, ModelOptions};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{ParameterValue, Property};
use pelton_compiler::load::{FileLoader, SourceInput};
use pelton_compiler::lower::LowerOptions;
use pelton_compiler::{AnalysisOptions, analyze};

/// Rows in memory, and how much each counts.
#[derive(Clone, Copy, Debug)]
pub struct WeightedSample<'a> {
    /// The rows.
    pub table: &'a Table,
    /// A weight for each; all count alike if there are none.
    pub weights: Option<&'a [f64]>,
}

impl<'a> WeightedSample<'a> {
    /// The same for learning.
    pub fn rows(self) -> LearningRows<'a> {
        LearningRows::Table {
            table: self.table,
            weights: self.weights,
        }
    }
}

/// Data from which structures are learned.
#[derive(Clone, Copy, Debug)]
pub struct StructureTask<'a> {
    /// What the columns hold.
    pub schema: &'a Schema,
    /// Rows to learn from.
    pub train: WeightedSample<'a>,
    /// Rows that decide.
    pub valid: Option<WeightedSample<'a>>,
    /// How circuits are compiled.
    pub model: &'a ModelOptions,
}

impl StructureTask<'_> {
    /// Compiles a circuit over the columns of the data.
    pub fn compile(&self, source: &str) -> Result<Model, StructureError> {
        compile(source, self.model)
    }

    /// What is to be learned for a circuit over the columns of the data.
    pub fn task<'t>(&'t self, model: &'t Model, options: &'t LearnOptions) -> TrainingTask<'t> {
        TrainingTask {
            model,
            train: self.train.rows(),
            valid: self.valid.map(WeightedSample::rows),
            test: None,
            options,
            resume: None,
        }
    }

    /// Learns the parameters of a circuit over the columns of the data.
    pub fn learn(
        &self,
        model: &Model,
        options: &LearnOptions,
        observer: &mut dyn LearningObserver,
    ) -> Result<LearningResult, StructureError> {
        Ok(learn(&self.task(model, options), observer)?)
    }
}

/// Compiles circuit source that was written here.
pub fn compile(source: &str, options: &ModelOptions) -> Result<Model, StructureError> {
    compile_checked(checked(source)?, options)
}

/// The same with values that learning can start from.
pub(super) fn compile_with_values(
    source: &str,
    values: &[ParameterValue],
    options: &ModelOptions,
) -> Result<Model, StructureError> {
    compile_checked(checked(source)?.with_values(values), options)
}

fn compile_checked(checked: Checked, options: &ModelOptions) -> Result<Model, StructureError> {
    let model = Model::compile(checked, options);
    model.map_err(|error| StructureError::Circuit(error.to_string()))
}

/// Checks circuit source that was written here. It is right, so that all that can be
/// wrong is its size.
pub(super) fn checked(source: &str) -> Result<Checked, StructureError> {
    let input = SourceInput {
        name: "the learned circuit".to_string(),
        path: None,
        bytes: source.as_bytes().to_vec(),
    };
    let options = AnalysisOptions {
        // Closed-form learning needs a proof of determinism.
        decide: vec![Property::Deterministic],
        lower: LowerOptions {
            max_size: LARGEST,
            ..LowerOptions::default()
        },
        ..AnalysisOptions::default()
    };
    let (_, found, checked) = analyze(input, &FileLoader, &options).into_parts();
    checked.ok_or_else(|| {
        let first = found.iter().next().map(|message| message.message.clone());
        StructureError::Circuit(first.unwrap_or_default())
    })
}

/// The most units and edges of a learned circuit: as many as every command reads.
pub const LARGEST: usize = 10_000_000;
