//! Data from which structures are learned, and what is learned from them.

use super::source::{Form, HiddenTree, clt_source, hclt_source};
use super::{StructureError, Tree, TreeOptions, chow_liu_trees, size};
use crate::data::{Schema, Table};
use crate::learn::{LearnOptions, Learned, Observer, Rows, Task, learn};
use crate::{Model, ModelOptions};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{Domain, Property, Value};
use pelton_compiler::load::{FileLoader, Input};
use pelton_compiler::lower::LowerOptions;
use pelton_compiler::{Options, analyze};

/// Rows in memory, and how much each counts.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// The rows.
    pub table: &'a Table,
    /// A weight for each; all count alike if there are none.
    pub weights: Option<&'a [f64]>,
}

impl<'a> Sample<'a> {
    /// The same for learning.
    pub fn rows(self) -> Rows<'a> {
        Rows::Table {
            table: self.table,
            weights: self.weights,
        }
    }
}

/// Data from which structures are learned.
#[derive(Clone, Copy, Debug)]
pub struct Study<'a> {
    /// What the columns hold.
    pub schema: &'a Schema,
    /// Rows to learn from.
    pub train: Sample<'a>,
    /// Rows that decide.
    pub valid: Option<Sample<'a>>,
    /// How circuits are compiled.
    pub model: &'a ModelOptions,
}

/// A circuit that was written from data.
#[derive(Clone, Debug)]
pub struct Structure {
    /// Its text.
    pub source: String,
    /// The trees it is made of.
    pub trees: Vec<Tree>,
    /// States of hidden variables; none if values of variables take their place.
    pub n_states: Option<usize>,
}

impl Structure {
    /// A mixture of trees without hidden variables.
    pub(super) fn of_trees(schema: &Schema, trees: Vec<Tree>) -> Self {
        Structure {
            source: clt_source(schema, &trees.iter().collect::<Vec<_>>()),
            n_states: None,
            trees,
        }
    }
}

/// How a hidden Chow-Liu tree is made.
#[derive(Clone, Debug, PartialEq)]
pub struct HcltOptions {
    /// States of each hidden variable.
    pub n_states: usize,
    /// Which trees.
    pub trees: TreeOptions,
    /// What the circuit looks like.
    pub form: Form,
}

impl Default for HcltOptions {
    /// Four trees with twelve states, as in the paper.
    fn default() -> Self {
        HcltOptions {
            n_states: 12,
            trees: TreeOptions {
                n_trees: 4,
                ..TreeOptions::default()
            },
            form: Form::default(),
        }
    }
}

impl Study<'_> {
    /// A mixture of hidden Chow-Liu trees.
    pub fn hclt(&self, options: &HcltOptions) -> Result<Structure, StructureError> {
        if options.n_states == 0 {
            let message = "a hidden variable needs at least one state".to_string();
            return Err(StructureError::Option(message));
        }
        let trees = self.trees(&options.trees)?;
        size::check_hidden(self.schema, &trees, options.n_states, options.form)?;
        Ok(Structure {
            source: hclt_text(self.schema, &trees, options.n_states, options.form),
            n_states: Some(options.n_states),
            trees,
        })
    }

    /// A mixture of Chow-Liu trees; a single one is a deterministic circuit.
    pub fn clt(&self, options: &TreeOptions) -> Result<Structure, StructureError> {
        let mut columns = self.schema.columns.iter();
        if let Some(real) = columns.find(|column| column.domain.size().is_none()) {
            let domain = match real.domain {
                Domain::Real => "real numbers",
                _ => "numbers without end",
            };
            return Err(StructureError::Data(format!(
                "column `{}` holds {domain}, and a Chow-Liu tree is over columns of finitely many \
                 values; learn a hidden one (`hclt`), or leave the column out",
                real.shown()
            )));
        }
        let trees = self.trees(options)?;
        size::check_plain(self.schema, &trees)?;
        Ok(Structure::of_trees(self.schema, trees))
    }

    fn trees(&self, options: &TreeOptions) -> Result<Vec<Tree>, StructureError> {
        chow_liu_trees(self.train.table, self.train.weights, options)
    }

    /// Compiles a circuit over the columns of the data.
    pub fn compile(&self, source: &str) -> Result<Model, StructureError> {
        compile(source, self.model)
    }

    /// What is to be learned for a circuit over the columns of the data.
    pub fn task<'t>(&'t self, model: &'t Model, options: &'t LearnOptions) -> Task<'t> {
        Task {
            model,
            train: self.train.rows(),
            valid: self.valid.map(Sample::rows),
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
        observer: &mut dyn Observer,
    ) -> Result<Learned, StructureError> {
        Ok(learn(&self.task(model, options), observer)?)
    }
}

fn hclt_text(schema: &Schema, trees: &[Tree], n_states: usize, form: Form) -> String {
    let hidden = trees.iter().map(|tree| HiddenTree { tree, n_states });
    hclt_source(schema, &hidden.collect::<Vec<_>>(), form)
}

/// Compiles circuit source that was written here.
pub fn compile(source: &str, options: &ModelOptions) -> Result<Model, StructureError> {
    compile_checked(checked(source)?, options)
}

/// The same with values that learning can start from.
pub(super) fn compile_with_values(
    source: &str,
    values: &[Value],
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
fn checked(source: &str) -> Result<Checked, StructureError> {
    let input = Input {
        name: "the learned circuit".to_string(),
        path: None,
        bytes: source.as_bytes().to_vec(),
    };
    let options = Options {
        // Closed-form learning needs a proof of determinism.
        decide: vec![Property::Deterministic],
        lower: LowerOptions {
            max_size: LARGEST,
            ..LowerOptions::default()
        },
        ..Options::default()
    };
    let (_, found, checked) = analyze(input, &FileLoader, &options).into_parts();
    checked.ok_or_else(|| {
        let first = found.iter().next().map(|message| message.message.clone());
        StructureError::Circuit(first.unwrap_or_default())
    })
}

/// The most units and edges of a learned circuit: as many as every command reads.
pub const LARGEST: usize = 10_000_000;
