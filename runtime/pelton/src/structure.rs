//! Circuits from rows alone.

use crate::fitting::CallbackObserver;
use crate::{
    Batch, Circuit, Error, FitOptions, Options, Progress, Report, Result, Start, Training,
};
use pelton_runtime::data::{BatchReader, SchemaLimits, Table, schema_of_batches};
use pelton_runtime::structure::{
    HiddenChowLiu, LEARNERS, LearnedStructure, LearnerEntry, LearnerSettings, StructureTask,
    WeightedSample, learner_named,
};
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
        let HiddenChowLiu {
            n_states, trees, ..
        } = HiddenChowLiu::default();
        HcltOptions {
            n_trees: trees.n_trees,
            n_states,
            fit: FitOptions {
                start: Start::KMeans,
                ..FitOptions::default()
            },
        }
    }
}

/// One of the learners of structures, those of `pelton learn`, with what was chosen for it.
#[derive(Clone, Debug)]
pub struct LearnerChoice {
    entry: &'static LearnerEntry,
    settings: LearnerSettings,
}

impl LearnerChoice {
    /// The learner of this name: `clt`, `hclt` and others.
    pub fn new(name: &str) -> Result<Self> {
        let entry = learner_named(name).ok_or_else(|| {
            let names: Vec<&str> = LEARNERS.iter().map(|entry| entry.name).collect();
            let names = names.join(", ");
            Error::usage(format!("there is no learner `{name}`; there are {names}"))
        })?;
        Ok(LearnerChoice {
            entry,
            settings: LearnerSettings::default(),
        })
    }

    /// Chooses a value for an option, which is called as on the command line: `trees`.
    pub fn set(mut self, option: &str, value: &str) -> Result<Self> {
        let learner = self.entry.name;
        let mut options = self.entry.options.iter();
        let own = options.find(|own| own.name == option).ok_or_else(|| {
            Error::usage(format!("the learner `{learner}` has no option `{option}`"))
        })?;
        let checked = own.kind.check(value);
        checked.map_err(|wanted| {
            Error::usage(format!("`{option}` of `{learner}` is `{value}`; {wanted}"))
        })?;
        self.settings
            .values
            .insert(option.to_string(), value.to_string());
        Ok(self)
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
        let learner = LearnerChoice::new("hclt")?
            .set("trees", &hclt.n_trees.to_string())?
            .set("hidden", &hclt.n_states.to_string())?;
        Circuit::learn_structure(rows, &learner, &hclt.fit, options, progress)
    }

    /// The same with any learner of structures, and parameters that are learned as `fit` says.
    pub fn learn_structure<'a>(
        rows: impl Into<Training<'a>>,
        learner: &LearnerChoice,
        fit: &FitOptions,
        options: &Options,
        mut progress: impl FnMut(&Progress<'_>) -> ControlFlow<()>,
    ) -> Result<(Circuit, Report)> {
        let rows: Training<'a> = rows.into();
        let structure = structure_of(&rows, learner, fit, options, &mut progress)?;
        let mut circuit = options.compile(&structure.source)?;
        let report = match structure.learned {
            None => circuit.fit(rows, fit, progress)?,
            Some(learned) => {
                circuit.set_values(learned.values);
                learned.report
            }
        };
        Ok((circuit, report))
    }
}

fn structure_of(
    rows: &Training<'_>,
    learner: &LearnerChoice,
    fit: &FitOptions,
    options: &Options,
    progress: &mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>,
) -> Result<LearnedStructure> {
    let batches: Vec<&Batch<'_>> = rows.batches().collect();
    // 1. What the columns are, told from all rows that learning looks at.
    let schema = schema_of_batches(&batches, &SchemaLimits::default())?.schema;
    let circuit = schema.circuit();
    // 2. The rows, read again as values of these columns.
    let reader = BatchReader::new(&circuit);
    let tables = batches.iter().map(|batch| reader.table(batch));
    let tables: Vec<Table> = tables.collect::<std::result::Result<_, _>>()?;
    let mut samples = tables
        .iter()
        .zip(&batches)
        .map(|(table, batch)| WeightedSample {
            table,
            weights: batch.row_weights(),
        });
    let study = StructureTask {
        schema: &schema,
        train: samples.next().expect("rows to learn from come first"),
        valid: samples.next(),
        model: &options.model(),
    };
    // 3. The structure, by the learner with this seed.
    let learner = (learner.entry.make)(&LearnerSettings {
        seed: fit.seed,
        ..learner.settings.clone()
    });
    Ok(learner.learn(&study, fit, &mut CallbackObserver::new(progress))?)
}
