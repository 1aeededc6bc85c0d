//! Compiled models.
//!
//! A [`Model`] is a circuit compiled for an engine: immutable, shared among
//! threads, independent of the values of its parameters. [`Parameters`] hold
//! those. Rows of a [`Table`](crate::data::Table) are evaluated tile by tile;
//! each thread has buffers of its own.

#[cfg(feature = "build")]
mod ahead;
mod careful;
mod completion;
mod draw;
mod fill;
mod flows;
mod leaf_runs;
mod likelihood;
mod mass;
mod options;
mod origin;
mod parameters;
mod pool;
mod posterior;
mod root_bound;
mod shards;
#[cfg(test)]
mod tests;
mod walk;

#[cfg(feature = "build")]
pub use ahead::{AheadOptions, build};
pub use draw::RowSampling;
pub(crate) use draw::draws;
pub use flows::{FlowKind, FlowOptions, FlowTotals};
pub use likelihood::Likelihoods;
pub(crate) use mass::divide;
pub use mass::log_normalizer;
pub use options::{CompileError, ModelOptions};
pub use parameters::Parameters;
pub use pelton_compiler::engine::Engine;
pub use posterior::{Posterior, Posteriors};
pub(crate) use shards::spread;
pub(crate) use walk::{SamplingWalk, draws_beyond};

use crate::data::{BatchError, BoundBatch, Table};
use leaf_runs::{LeafRun, leaf_runs};
use origin::ComputedOrigins;
use pelton_compiler::check::{Checked, CircuitFacts};
use pelton_compiler::circuit::{CircuitGraph, LeafKind, ParameterValue};
use pelton_compiler::engine::{ExecutionEngine, fallback};
use pelton_compiler::flow::is_tabular;
use pelton_compiler::kernel::{ExecutablePlan, KernelPass, Precision};
use pelton_compiler::optimize::optimize;
use pelton_compiler::plan::{Plan, RowRetention};
use pelton_compiler::reference::{MaxProductCompletion, RowLog};
use pool::TilePool;
use std::sync::{Arc, OnceLock};

/// A compiled circuit.
#[derive(Debug)]
pub struct Model {
    checked: Checked,
    options: ModelOptions,
    engine: &'static dyn ExecutionEngine,
    n_entries: usize,
    /// Whether a leaf has an entry for each value of a domain too large for tables.
    /// Kernels evaluate it like any function of a number and count no entries.
    has_uncounted_tables: bool,
    /// Whether values are numbers of models.
    is_counting: bool,
    evaluation: ExecutablePlan,
    /// Keeps all rows, for flows; compiled when first asked for, as the others are.
    full: OnceLock<ExecutablePlan>,
    /// Keeps what sums choose from, for completions and samples.
    choosing: OnceLock<ExecutablePlan>,
    /// Keeps all derivatives too and is run kernel by kernel, for tiles that need a
    /// second look.
    careful: OnceLock<ExecutablePlan>,
    /// Hands derivatives down to the evidence, for posteriors.
    deriving: OnceLock<ExecutablePlan>,
    origins: OnceLock<ComputedOrigins>,
    leaf_runs: OnceLock<Vec<LeafRun>>,
    pool: TilePool,
}

impl Model {
    /// Compiles a circuit. Evaluation can be run at once; what flows and
    /// completions need is compiled when they are first asked for.
    pub fn compile(checked: Checked, options: &ModelOptions) -> Result<Self, CompileError> {
        let engine = options.select_engine()?;
        let n_entries = checked.circuit().all_entries().len();
        let is_counting = checked.circuit().is_counting();
        let checked = optimize(checked);
        let plan = Arc::new(options.plan(engine, &checked, RowRetention::Live));
        Ok(Model {
            evaluation: engine.prepare(plan, &options.engine_options(), &[KernelPass::Forward])?,
            engine,
            has_uncounted_tables: has_uncounted_tables(checked.circuit()),
            is_counting,
            checked,
            options: *options,
            n_entries,
            full: OnceLock::new(),
            choosing: OnceLock::new(),
            careful: OnceLock::new(),
            deriving: OnceLock::new(),
            origins: OnceLock::new(),
            leaf_runs: OnceLock::new(),
            pool: TilePool::default(),
        })
    }

    /// The circuit that is evaluated: the one that was compiled, after
    /// optimisation. Parameters keep their positions.
    pub fn circuit(&self) -> &CircuitGraph {
        self.checked.circuit()
    }

    /// What is known about the circuit.
    pub fn facts(&self) -> &CircuitFacts {
        self.checked.facts()
    }

    /// How the model was compiled.
    pub fn options(&self) -> &ModelOptions {
        &self.options
    }

    /// What evaluates it.
    pub fn engine(&self) -> &'static dyn ExecutionEngine {
        self.engine
    }

    /// Number of entries of the parameters of the circuit as it was given.
    pub fn n_entries(&self) -> usize {
        self.n_entries
    }

    /// The parameters' fixed values and those that learning starts from.
    pub fn start_parameters(&self) -> Parameters {
        Parameters::new(self, self.circuit().start_values())
    }

    /// Given values of the parameters, one for each of the circuit's entries.
    ///
    /// # Panics
    /// If there are fewer or more values than entries.
    pub fn parameters(&self, values: Vec<ParameterValue>) -> Parameters {
        let sizes = [self.n_entries, self.circuit().all_entries().len()];
        assert!(sizes.contains(&values.len()), "a value for each entry");
        Parameters::new(self, values)
    }

    /// The logarithm of the circuit's value for every row: of its likelihood, once it is
    /// [divided](Model::log_divisor) where the circuit is not normalized.
    pub fn log_likelihoods(
        &self,
        parameters: &Parameters,
        table: &Table,
        threads: usize,
    ) -> Likelihoods {
        likelihood::log_values(self, parameters, table, threads)
    }

    /// The same in a form that can be compared: quotients of rows keep their digits however
    /// far from everything the rows are.
    pub fn row_logs(&self, parameters: &Parameters, table: &Table, threads: usize) -> Vec<RowLog> {
        likelihood::row_logs(self, parameters, table, threads)
    }

    /// Writes the logarithm of the circuit's value for every row of a batch to `logs`, and
    /// says how many rows the kernels could not hold and the reference evaluated.
    ///
    /// Where a cell is no value of its variable, nothing is known of what `logs` holds.
    ///
    /// # Panics
    /// If there is not a place for each row, or if the batch is bound to variables of
    /// another circuit.
    pub fn log_likelihoods_into(
        &self,
        parameters: &Parameters,
        batch: &BoundBatch<'_>,
        threads: usize,
        logs: &mut [f64],
    ) -> Result<usize, BatchError> {
        likelihood::log_values_into(self, parameters, batch, threads, logs)
    }

    /// The most probable completion of every row, as max-product finds it.
    pub fn completions(
        &self,
        parameters: &Parameters,
        table: &Table,
        threads: usize,
    ) -> Vec<MaxProductCompletion> {
        completion::completions(self, parameters, table, threads)
    }

    /// What each variable is, given each row: for every variable, the probabilities of
    /// its values, or mean and standard deviation where there are too many values.
    ///
    /// One pass up and one down a row, whatever the number of variables.
    pub fn posteriors(&self, parameters: &Parameters, table: &Table, threads: usize) -> Posteriors {
        posterior::posteriors(self, parameters, table, threads)
    }

    /// The flows of all rows, added up.
    pub fn flows(
        &self,
        parameters: &Parameters,
        table: &Table,
        options: &FlowOptions,
    ) -> FlowTotals {
        flows::flows(self, parameters, table, options)
    }

    /// What runs for values alone.
    pub fn evaluation(&self) -> &ExecutablePlan {
        &self.evaluation
    }

    /// What runs for flows.
    pub fn full(&self) -> &ExecutablePlan {
        self.full.get_or_init(|| {
            let keep = self.engine.flows_keep();
            self.executable(keep, &[KernelPass::Forward, KernelPass::Backward])
        })
    }

    fn choosing(&self) -> &ExecutablePlan {
        self.choosing.get_or_init(|| {
            let passes = [KernelPass::Forward, KernelPass::Max];
            self.executable(RowRetention::Choices, &passes)
        })
    }

    /// The engine proved that it works here when the model was compiled; should it fail
    /// all the same, the kernels are called one by one.
    fn executable(&self, keep: RowRetention, passes: &[KernelPass]) -> ExecutablePlan {
        let (plan, options) = (self.plan(keep), self.options.engine_options());
        let prepared = self.engine.prepare(plan.clone(), &options, passes);
        prepared.unwrap_or_else(|_| fallback(plan, &options))
    }

    fn plan(&self, keep: RowRetention) -> Arc<Plan> {
        Arc::new(self.options.plan(self.engine, &self.checked, keep))
    }

    fn careful(&self) -> &ExecutablePlan {
        self.careful.get_or_init(|| {
            let plan = match self.engine.flows_keep() {
                RowRetention::All => self.full().plan().clone(),
                _ => self.plan(RowRetention::All),
            };
            fallback(plan, &self.options.engine_options())
        })
    }

    fn deriving(&self) -> &ExecutablePlan {
        self.deriving.get_or_init(|| {
            let plan = self.plan(RowRetention::Evidence);
            fallback(plan, &self.options.engine_options())
        })
    }

    fn leaf_runs(&self) -> &[LeafRun] {
        self.leaf_runs
            .get_or_init(|| leaf_runs(self.deriving().plan()))
    }

    fn origins(&self) -> &ComputedOrigins {
        self.origins
            .get_or_init(|| ComputedOrigins::of(self.choosing().plan()))
    }

    fn is_reference(&self, table: &Table) -> bool {
        self.engine.is_reference() || !fill::is_tabular(self.evaluation.plan(), table)
    }
}

fn has_uncounted_tables(circuit: &CircuitGraph) -> bool {
    circuit.leaves().iter().any(|leaf| {
        let domain = &circuit.variable(leaf.variable).domain;
        let has_entries = match &leaf.kind {
            LeafKind::Indicator(_) => false,
            LeafKind::Distribution(distribution) => distribution.family.has_entries(),
        };
        has_entries && !is_tabular(domain)
    })
}

/// Runs generic code for the model's precision.
macro_rules! with_precision {
    ($model:expr, $function:ident ( $($argument:expr),* )) => {
        match $model.options().precision {
            Precision::F32 => $function::<f32>($($argument),*),
            Precision::F64 => $function::<f64>($($argument),*),
        }
    };
}
use with_precision;
