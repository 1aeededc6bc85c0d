//! Which trees a structure is made of.

use super::{InformationOptions, StructureError, Tree, best_trees, bootstrap, information};
use crate::data::Table;
use pelton_grammar::diagnostic::thousands;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

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
    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            TreeChoice::Best { .. } => "best",
            TreeChoice::Bootstrap => "bootstrap",
        }
    }
}

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
            choice: TreeChoice::Best { of: 20 },
            information: InformationOptions::default(),
            seed: 0,
        }
    }
}

/// The most trees that are looked for. All that were found are looked through for each
/// further one.
const MOST_TREES: usize = 10_000;

/// The most columns of which all pairs are compared, which takes twelve bytes a pair both
/// ways: 800 MB. A line of 80 kB may have so many that it would be more than any memory.
const MOST_COLUMNS: usize = 8192;

/// Chow-Liu trees of a table. There are as many as were asked for: where there are
/// fewer different ones, some come again.
pub fn chow_liu_trees(
    table: &Table,
    weights: Option<&[f64]>,
    options: &TreeOptions,
) -> Result<Vec<Tree>, StructureError> {
    if options.n_trees == 0 {
        let message = "a mixture needs at least one tree".to_string();
        return Err(StructureError::Option(message));
    }
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
    match options.choice {
        TreeChoice::Best { of } => Ok(drawn(table, weights, of, options)),
        TreeChoice::Bootstrap => Ok(bootstrapped(table, weights, options)),
    }
}

fn drawn(table: &Table, weights: Option<&[f64]>, of: usize, options: &TreeOptions) -> Vec<Tree> {
    let information = information(table, weights, &options.information);
    if options.n_trees == 1 {
        return best_trees(&information, 1);
    }
    let best = best_trees(&information, of.max(options.n_trees));
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

fn bootstrapped(table: &Table, weights: Option<&[f64]>, options: &TreeOptions) -> Vec<Tree> {
    let best = |table: &Table, weights: Option<&[f64]>| {
        best_trees(&information(table, weights, &options.information), 1)
    };
    let mut trees = best(table, weights);
    for number in 1..options.n_trees as u64 {
        let seed = bootstrap_seed(options.seed, number);
        let (table, weights) = bootstrap(table, weights, seed);
        trees.extend(best(&table, weights.as_deref()));
    }
    trees
}

/// The seed that the rows of a bootstrapped tree are drawn with. Mixtures whose seeds
/// follow one another must not have trees in common.
pub(super) fn bootstrap_seed(seed: u64, number: u64) -> u64 {
    seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(number)
}
