//! The rows that choices are made from.

use super::columns::Columns;
use super::dataset::{Dataset, Split};
use pelton_cli::CommandResult;
use pelton_runtime::ModelOptions;
use pelton_runtime::data::Table;
use pelton_runtime::structure::{StructureTask, WeightedSample};
use serde_json::{Value as Json, json};

/// The rows that choices are made from: those to learn from and those that decide. The
/// test rows are read when nothing is left to choose.
pub struct Seen<'a> {
    dataset: &'a Dataset,
    columns: Columns,
    pub train: Table,
    pub valid: Table,
}

impl<'a> Seen<'a> {
    /// Reads them.
    pub fn read(dataset: &'a Dataset) -> CommandResult<Self> {
        let columns = Columns::of(dataset)?;
        Ok(Seen {
            train: columns.table(dataset, Split::Train)?,
            valid: columns.table(dataset, Split::Valid)?,
            columns,
            dataset,
        })
    }

    /// Reads the test rows. To be called when all is decided.
    pub fn test(&self) -> CommandResult<Table> {
        self.columns.table(self.dataset, Split::Test)
    }

    /// All of them for learning.
    pub fn study<'s>(&'s self, model: &'s ModelOptions) -> StructureTask<'s> {
        self.study_of(&self.train, model)
    }

    /// The same with other rows to learn from.
    pub fn study_of<'s>(&'s self, train: &'s Table, model: &'s ModelOptions) -> StructureTask<'s> {
        let sample = |table| WeightedSample {
            table,
            weights: None,
        };
        StructureTask {
            schema: &self.columns.schema,
            train: sample(train),
            valid: Some(sample(&self.valid)),
            model,
        }
    }

    /// How much there is of everything, for results.
    pub fn sizes(&self, test: &Table) -> Json {
        json!({
            "variables": self.columns.schema.columns.len(),
            "rows": {
                "train": self.train.n_rows(),
                "valid": self.valid.n_rows(),
                "test": test.n_rows(),
            },
        })
    }
}
