//! Which trees a structure is made of.

use super::{
    InformationMatrix, InformationOptions, LearnerOption, LearnerSettings, OptionKind,
    StructureError, StructureReport, StructureTask, VariableTree, best_trees, bootstrap,
    information,
};
use crate::data::Table;
use pelton_grammar::diagnostic::{counted, thousands};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use std::time::Duration;

/// What learners of trees leave to choose.
pub(super) const TREE_OPTIONS: [LearnerOption; 3] = [
    LearnerOption::new(
        "tree-choice",
        "TREE_CHOICE",
        "Choose where the trees of a mixture come from [default: best; within a budget: bootstrap]",
        OptionKind::Word(&[
            (
                "best",
                "Drawn from the best spanning trees; a single one is the best",
            ),
            (
                "bootstrap",
                "From rows drawn with replacement; the first is that of all rows",
            ),
        ]),
    ),
    LearnerOption::new(
        "best-of",
        "N",
        "Draw from this many of the best trees, where they are what trees are drawn from",
        OptionKind::Count,
    )
    .or("20"),
    LearnerOption::new(
        "pair-pseudocount",
        "A",
        "Add this pseudocount to every pair of values of two columns",
        OptionKind::Amount,
    )
    .or("0.1"),
];

/// Where the trees of a mixture come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TreeChoice {
    /// Drawn from the `of` spanning trees of most information; of a single tree it is
    /// the best. The paper's experiments draw 4 of 20.
    Best {
        /// Number of trees that are drawn from.
        of: usize,
    },
    /// The first is the best tree of all rows; each other one is the best tree of rows
    /// that are drawn with replacement.
    Bootstrap,
}

impl TreeChoice {
    /// The choice that was made, if one was.
    pub(super) fn of(settings: &LearnerSettings) -> Option<Self> {
        let of = settings.get("best-of").unwrap_or(BEST_OF);
        match settings.values.get("tree-choice")?.as_str() {
            "bootstrap" => Some(TreeChoice::Bootstrap),
            _ => Some(TreeChoice::Best { of }),
        }
    }

    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            TreeChoice::Best { .. } => "best",
            TreeChoice::Bootstrap => "bootstrap",
        }
    }
}

/// The number of trees that are drawn from.
const BEST_OF: usize = 20;

/// How trees are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeOptions {
    /// Number of trees.
    pub n_trees: usize,
    /// Where they come from.
    pub choice: TreeChoice,
    /// How pairs of columns are counted.
    pub information: InformationOptions,
    /// The seed of what is drawn.
    pub seed: u64,
}

impl Default for TreeOptions {
    fn default() -> Self {
        TreeOptions {
            n_trees: 1,
            choice: TreeChoice::Best { of: BEST_OF },
            information: InformationOptions::default(),
            seed: 0,
        }
    }
}

impl TreeOptions {
    /// So many trees with what was chosen.
    pub(super) fn of(settings: &LearnerSettings, n_trees: usize) -> Self {
        let default = TreeOptions::default();
        let of = settings.get("best-of").unwrap_or(BEST_OF);
        let pseudocount = settings.get("pair-pseudocount");
        TreeOptions {
            n_trees,
            choice: TreeChoice::of(settings).unwrap_or(TreeChoice::Best { of }),
            information: InformationOptions {
                pseudocount: pseudocount.unwrap_or(default.information.pseudocount),
                threads: settings.threads,
            },
            seed: settings.seed,
        }
    }
}

/// The most trees that are looked for. All that were found are looked through for each
/// further one.
const MOST_TREES: usize = 10_000;

/// The most columns of which all pairs are compared, which takes twelve bytes a pair both
/// ways: 800 MB. A line of 80 kB may have so many that it would be more than any memory.
const MOST_COLUMNS: usize = 8192;

/// Chow-Liu trees of a table, and the mutual information of the best one's pairs in nats.
/// There are as many as were asked for: where there are fewer different ones, some come again.
pub(super) fn found(
    table: &Table,
    weights: Option<&[f64]>,
    options: &TreeOptions,
) -> Result<(Vec<VariableTree>, f64), StructureError> {
    if options.n_trees == 0 {
        let message = "a mixture needs at least one tree".to_string();
        return Err(StructureError::Option(message));
    }
    // 1. What would take too long, or too much memory, is refused.
    let n_wanted = match options.choice {
        TreeChoice::Best { of } => of.max(options.n_trees),
        TreeChoice::Bootstrap => options.n_trees,
    };
    if n_wanted > MOST_TREES {
        let (wanted, most) = (thousands(n_wanted), thousands(MOST_TREES));
        let message = format!("{wanted} trees are too many; {most} are the most");
        return Err(StructureError::Option(message));
    }
    if table.columns().is_empty() || table.n_rows() == 0 {
        let message = "there are no columns or no rows to learn from".to_string();
        return Err(StructureError::Data(message));
    }
    let n_columns = table.columns().len();
    if n_columns > MOST_COLUMNS {
        let (found, most) = (thousands(n_columns), thousands(MOST_COLUMNS));
        return Err(StructureError::Data(format!(
            "there are {found} columns, and all pairs of {most} are the most that are compared; \
             leave columns out"
        )));
    }
    // 2. Pairs of columns, and the trees that join those that tell most about each other.
    let information = information(table, weights, &options.information);
    let trees = match options.choice {
        TreeChoice::Best { of } => drawn(&information, of, options),
        TreeChoice::Bootstrap => bootstrapped(&information, (table, weights), options),
    };
    let totals = trees.iter().map(|tree| information.of_tree(tree));
    let nats = totals.fold(f64::NEG_INFINITY, f64::max);
    Ok((trees, nats))
}

fn drawn(information: &InformationMatrix, of: usize, options: &TreeOptions) -> Vec<VariableTree> {
    if options.n_trees == 1 {
        return best_trees(information, 1);
    }
    let best = best_trees(information, of.max(options.n_trees));
    let mut random = ChaCha8Rng::seed_from_u64(options.seed);
    random.set_stream(u64::from_be_bytes(*b"trees   "));
    let mut left: Vec<usize> = Vec::new();
    let draw = |_| {
        if left.is_empty() {
            left = (0..best.len()).collect();
        }
        let at = random.next_u64() as usize % left.len();
        best[left.swap_remove(at)].clone()
    };
    (0..options.n_trees).map(draw).collect()
}

fn bootstrapped(
    of_all: &InformationMatrix,
    (table, weights): (&Table, Option<&[f64]>),
    options: &TreeOptions,
) -> Vec<VariableTree> {
    let mut trees = best_trees(of_all, 1);
    for number in 1..options.n_trees as u64 {
        let seed = bootstrap_seed(options.seed, number);
        let (table, weights) = bootstrap(table, weights, seed);
        let information = information(&table, weights.as_deref(), &options.information);
        trees.extend(best_trees(&information, 1));
    }
    trees
}

/// What is told of trees over the columns of a study; hidden ones have states.
pub(super) fn report(
    study: &StructureTask,
    options: &TreeOptions,
    n_states: Option<usize>,
    nats: f64,
    time: Duration,
) -> StructureReport {
    let n_columns = study.schema.columns.len();
    let (one, many) = match n_states {
        Some(_) => ("hidden Chow-Liu tree", "hidden Chow-Liu trees"),
        None => ("Chow-Liu tree", "Chow-Liu trees"),
    };
    let trees = counted(options.n_trees, one, many);
    let states = n_states.map(|n| format!(", {}", counted(n, "state", "states")));
    StructureReport {
        summary: format!(
            "{trees} over {} columns{}, {nats:.4} nats of mutual information",
            thousands(n_columns),
            states.unwrap_or_default(),
        ),
        figures: vec![
            ("columns", json!(n_columns)),
            ("trees", json!(options.n_trees)),
            ("hidden", json!(n_states)),
            ("tree_choice", json!(options.choice.name())),
            ("information", json!(nats)),
        ],
        time,
        search: None,
    }
}

/// The seed that the rows of a bootstrapped tree are drawn with. Mixtures whose seeds
/// follow one another must not have trees in common.
pub(super) fn bootstrap_seed(seed: u64, number: u64) -> u64 {
    seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(number)
}
