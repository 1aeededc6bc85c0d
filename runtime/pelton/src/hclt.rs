//! Circuits from rows alone.

use crate::{Batch, Circuit, FitOptions, Options, Progress, Report, Result, Start, Training};
use pelton_runtime::data::{BatchReader, SchemaLimits, schema_of_batches};
use pelton_runtime::structure::{self, Sample, Study, TreeOptions};
use std::ops::ControlFlow;

/// How hidden Chow-Liu trees are learned.
#[derive(Clone, Debug, PartialEq)]
pub struct HcltOptions {
    /// Number of trees, which are mixed.
    pub n_trees: usize,
    /// States of each hidden variable.
    pub n_states: usize,
    /// How parameters are learned.
    pub fit: FitOptions,
}

impl Default for HcltOptions {
    /// Four trees with twelve states, which start from clusters of rows.
    fn default() -> Self {
        HcltOptions {
            n_trees: 4,
            n_states: 12,
            fit: FitOptions {
                start: Start::KMeans,
                ..FitOptions::default()
            },
        }
    }
}

impl Circuit {
    /// Learns a circuit from rows alone: a mixture of hidden Chow-Liu trees, structure
    /// first, then parameters.
    ///
    /// What a column is, is told from its cells: truth values, small integers, real
    /// numbers, and texts that are categories. Columns without names are called `x[0]`,
    /// `x[1]` and so on.
    pub fn learn_hclt<'a>(
        rows: impl Into<Training<'a>>,
        hclt: &HcltOptions,
        options: &Options,
        progress: impl FnMut(&Progress<'_>) -> ControlFlow<()>,
    ) -> Result<(Circuit, Report)> {
        let rows: Training<'a> = rows.into();
        let mut circuit = options.compile(&structure_of(&rows, hclt, options)?)?;
        let report = circuit.fit(rows, &hclt.fit, progress)?;
        Ok((circuit, report))
    }
}

/// The text of the trees.
fn structure_of(rows: &Training<'_>, hclt: &HcltOptions, options: &Options) -> Result<String> {
    let batches: Vec<&Batch<'_>> = rows.batches().collect();
    let schema = schema_of_batches(&batches, &SchemaLimits::default())?.schema;
    let table = BatchReader::new(&schema.circuit()).table(rows.train())?;
    let study = Study {
        schema: &schema,
        train: Sample {
            table: &table,
            weights: rows.train().row_weights(),
        },
        valid: None,
        model: &options.model(),
    };
    let wanted = structure::HcltOptions {
        n_states: hclt.n_states,
        trees: TreeOptions {
            n_trees: hclt.n_trees,
            seed: hclt.fit.seed,
            ..TreeOptions::default()
        },
        ..structure::HcltOptions::default()
    };
    Ok(study.hclt(&wanted)?.source)
}
