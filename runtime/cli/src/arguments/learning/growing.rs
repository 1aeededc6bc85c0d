//! What the commands take that learn structures.

use super::{FitOptions, Job, Learning, Outputs, Splits, number};
use crate::arguments::time::time;
use crate::arguments::{Reading, Running};
use clap::{Args, Subcommand, ValueEnum};
use pelton_grammar::parse::ParseOptions;
use pelton_runtime::learn::{LearnOptions, Start};
use pelton_runtime::structure::{
    Fixed, Form, HcltOptions, InformationOptions, LARGEST, SearchOptions, TreeChoice, TreeOptions,
};
use std::sync::OnceLock;
use std::time::Duration;

const STRUCTURE: &str = "Structure";

/// What structures can be learned.
#[derive(Debug, Subcommand)]
pub enum LearnKind {
    /// Learn a Chow-Liu tree: each variable depends on one other.
    ///
    /// The tree is the spanning tree of greatest mutual information between columns. Its circuit has a sum for each variable and each value of the
    /// variable's parent; it is deterministic, so that its parameters have a closed
    /// form. Columns hold truth values, categories or small integers.
    ///
    /// With several trees the circuit is an ensemble: each tree is learned alone, and
    /// their weights are fitted by EM.
    Clt(GrowingClt),
    /// Learn a hidden Chow-Liu tree: a Chow-Liu tree of hidden variables, each of which
    /// decides about a column.
    ///
    /// Columns may be of any kind: truth values, categories, small integers, real numbers.
    /// Parameters are learned as by `pelton fit --init kmeans`. With --budget, the
    /// number of trees and of hidden states, the start and how much to regularize are
    /// searched for by validation within that time, and the trials that complete each
    /// other best become one ensemble.
    Hclt(GrowingHclt),
}

/// `pelton learn clt`
pub type GrowingClt = Growing<CltArguments>;

/// `pelton learn hclt`
pub type GrowingHclt = Growing<HcltArguments>;

/// A command that learns a structure; `Own` is what only this kind takes.
#[derive(Debug, Args)]
pub struct Growing<Own: Args> {
    /// What is learned from.
    #[command(flatten)]
    pub splits: Splits,

    /// What is written.
    #[command(flatten)]
    pub outputs: Outputs,

    /// What no other kind takes.
    #[command(flatten)]
    pub own: Own,

    /// Which trees.
    #[command(flatten)]
    pub trees: TreeArguments,

    /// How much to regularize, and checkpoints.
    #[command(flatten)]
    pub fit: FitOptions,

    /// How parameters are learned.
    #[command(flatten)]
    pub learning: Learning,

    /// How the circuit is run.
    #[command(flatten, next_help_heading = "Running")]
    pub running: Running,
}

/// What only `pelton learn clt` takes.
#[derive(Debug, Args)]
pub struct CltArguments {
    /// Set the number of trees.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(1),
          help_heading = STRUCTURE)]
    pub trees: usize,
}

/// What only `pelton learn hclt` takes.
#[derive(Debug, Args)]
pub struct HcltArguments {
    /// Set the number of states of each hidden variable [default: 12].
    #[arg(long, value_name = "K", value_parser = number(1), help_heading = STRUCTURE)]
    pub hidden: Option<usize>,

    /// Set the number of trees [default: 4].
    #[arg(long, value_name = "N", value_parser = number(1), help_heading = STRUCTURE)]
    pub trees: Option<usize>,

    /// Choose the form of the circuit.
    #[arg(long, value_enum, default_value_t = FormName::Pelton, help_heading = STRUCTURE)]
    pub form: FormName,

    /// Search for this long, by validation likelihood: `90s`, `10m`, `1h30m`.
    ///
    /// The search leaves fixed what other options set.
    #[arg(long, value_name = "TIME", value_parser = time, requires = "valid",
          conflicts_with_all = ["checkpoint", "form", "init", "method"],
          help_heading = STRUCTURE)]
    pub budget: Option<Duration>,
}

/// Which trees.
#[derive(Debug, Args)]
#[command(next_help_heading = STRUCTURE)]
pub struct TreeArguments {
    /// Choose where the trees of a mixture come from [default: best; with --budget: bootstrap].
    #[arg(long, value_enum)]
    pub tree_choice: Option<ChoiceName>,

    /// Draw from this many of the best trees with `--tree-choice best`.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number(1))]
    pub best_of: usize,

    /// Add this pseudocount to every pair of values of two columns.
    #[arg(long, value_name = "A", default_value_t = 0.1, value_parser = pair_pseudocount)]
    pub pair_pseudocount: f64,
}

/// Where trees come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ChoiceName {
    /// Drawn from the best spanning trees; a single one is the best.
    Best,
    /// From rows drawn with replacement; the first is that of all rows.
    Bootstrap,
}

/// What hidden trees look like as a circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormName {
    /// Every tree has a weight; real columns always have a hidden variable.
    Pelton,
    /// As in the paper: one sum over the states of all trees.
    Paper,
}

impl<Own: Args> Growing<Own> {
    /// What it has in common with other commands.
    pub fn job(&self) -> Job<'_> {
        Job {
            model: None,
            splits: &self.splits,
            outputs: &self.outputs,
            learning: &self.learning,
            running: &self.running,
            reading: reading(),
        }
    }

    /// The options of the runtime.
    pub fn options(&self) -> LearnOptions {
        let options = self.fit.applied(self.job().options());
        match self.learning.init {
            Some(_) => options,
            None => LearnOptions {
                start: Start::KMeans,
                ..options
            },
        }
    }

    /// Which trees, and how many.
    fn tree_options(&self, n_trees: usize) -> TreeOptions {
        TreeOptions {
            n_trees,
            choice: self.tree_choice(self.trees.tree_choice.unwrap_or(ChoiceName::Best)),
            information: InformationOptions {
                pseudocount: self.trees.pair_pseudocount,
                threads: self.running.n_threads(),
            },
            seed: self.learning.seed,
        }
    }

    fn tree_choice(&self, name: ChoiceName) -> TreeChoice {
        match name {
            ChoiceName::Best => TreeChoice::Best {
                of: self.trees.best_of,
            },
            ChoiceName::Bootstrap => TreeChoice::Bootstrap,
        }
    }
}

impl GrowingClt {
    /// Which trees, and how many.
    pub fn structure(&self) -> TreeOptions {
        self.tree_options(self.own.trees)
    }
}

impl GrowingHclt {
    /// The structure.
    pub fn structure(&self) -> HcltOptions {
        let default = HcltOptions::default();
        let n_trees = self.own.trees.unwrap_or(default.trees.n_trees);
        HcltOptions {
            n_states: self.own.hidden.unwrap_or(default.n_states),
            trees: self.tree_options(n_trees),
            form: match self.own.form {
                FormName::Pelton => Form::Pelton,
                FormName::Paper => Form::Paper,
            },
        }
    }

    /// The search that is asked for, if one is.
    pub fn search(&self) -> Option<SearchOptions> {
        let seed = self.learning.seed;
        let options = SearchOptions::new(self.own.budget?, seed);
        let learning = self
            .learning
            .over(options.learning.clone(), self.running.n_threads());
        Some(SearchOptions {
            learning: self.fit.applied(learning),
            trees: self.tree_options(1),
            fixed: Fixed {
                n_states: self.own.hidden,
                n_trees: self.own.trees,
                choice: self.trees.tree_choice.map(|name| self.tree_choice(name)),
                pseudocount: self.fit.pseudocount,
                softness: self.fit.softness,
                entropy: self.fit.entropy,
            },
            ..options
        })
    }
}

/// How circuits are read that were written here: there is nothing to override.
fn reading() -> &'static Reading {
    static READING: OnceLock<Reading> = OnceLock::new();
    READING.get_or_init(|| Reading {
        defines: Vec::new(),
        allow_use: Vec::new(),
        smooth: false,
        max_size: LARGEST,
        max_depth: ParseOptions::default().max_depth,
        effort: 1.0,
    })
}

fn pair_pseudocount(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number >= 0.0 && number.is_finite() => Ok(number),
        _ => Err("it must be a finite number from 0 up".to_string()),
    }
}
