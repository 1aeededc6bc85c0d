//! The order in which variables are summed out.

use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A variable with more neighbours than this makes a clique that no limit admits, so
/// that the exact number of edges it would add is of no interest.
const MANY: usize = 64;

/// Steps in keeping counts of missing edges exact; beyond it counts may be out of date,
/// which makes the order worse, not wrong.
const EXACT_STEPS: usize = 30_000_000;

/// An order of all variables and what it costs.
pub(super) struct Elimination {
    /// All variables, the one that is summed out first in front.
    pub order: Vec<u32>,
    /// For each variable its neighbours when it is summed out, ascending.
    pub separators: Vec<Vec<u32>>,
}

impl Elimination {
    /// The size of the largest separator.
    pub fn width(&self) -> usize {
        self.separators.iter().map(Vec::len).max().unwrap_or(0)
    }
}

/// Orders variables by *min-fill*: next comes the one whose neighbours miss the fewest
/// edges among each other, of equals the one with the fewest neighbours. Where no edge
/// is missing the order does not change what it costs, and `ranks` decide.
///
/// If a variable and its neighbours have more than `max_cells` assignments together, the
/// search ends with the number of neighbours, which the width is not below in this order.
pub(super) fn eliminate<'s>(
    n_values: &[usize],
    ranks: &[u32],
    scopes: impl Iterator<Item = &'s [u32]>,
    max_cells: usize,
) -> Result<Elimination, usize> {
    let mut graph = Interactions::new(ranks, scopes);
    let mut order = Vec::with_capacity(n_values.len());
    let mut separators = vec![Vec::new(); n_values.len()];
    while let Some(variable) = graph.cheapest() {
        // Summing out a variable multiplies the tables that mention it: its neighbours get a table
        // in common.
        let separator = graph.take(variable);
        let clique = separator.iter().chain([&variable]);
        let cells = clique.fold(1usize, |n, &v| n.saturating_mul(n_values[v as usize]));
        if cells > max_cells || separator.len() > MANY {
            return Err(separator.len());
        }
        // In what is left they are neighbours of each other.
        graph.join(&separator);
        order.push(variable);
        separators[variable as usize] = separator;
    }
    Ok(Elimination { order, separators })
}

/// Missing edges, neighbours if some are missing, rank, the variable: what comes first is
/// summed out first.
type EliminationScore = (usize, usize, u32, u32);

/// Which variables share a table, the ones summed out left aside.
struct Interactions<'r> {
    ranks: &'r [u32],
    neighbours: Vec<FxHashSet<u32>>,
    /// What each variable was found to cost last; none once it is summed out.
    scores: Vec<Option<EliminationScore>>,
    queue: BinaryHeap<Reverse<EliminationScore>>,
    steps: usize,
}

impl<'r> Interactions<'r> {
    fn new<'s>(ranks: &'r [u32], scopes: impl Iterator<Item = &'s [u32]>) -> Self {
        let n_variables = ranks.len();
        let mut neighbours = vec![FxHashSet::default(); n_variables];
        for scope in scopes {
            for &variable in scope {
                let others = scope.iter().filter(|&&other| other != variable);
                neighbours[variable as usize].extend(others);
            }
        }
        let mut graph = Interactions {
            ranks,
            neighbours,
            scores: vec![None; n_variables],
            queue: BinaryHeap::with_capacity(n_variables),
            steps: 0,
        };
        for variable in 0..n_variables as u32 {
            graph.score(variable);
        }
        graph
    }

    /// The variable to be summed out next; none if there is none left.
    fn cheapest(&mut self) -> Option<u32> {
        while let Some(Reverse(score)) = self.queue.pop() {
            // A score that was replaced later is still in the queue.
            let last = &mut self.scores[score.3 as usize];
            if *last == Some(score) {
                *last = None;
                return Some(score.3);
            }
        }
        None
    }

    /// Removes a variable and returns its neighbours.
    fn take(&mut self, variable: u32) -> Vec<u32> {
        let neighbours = std::mem::take(&mut self.neighbours[variable as usize]);
        let mut neighbours: Vec<u32> = neighbours.into_iter().collect();
        neighbours.sort_unstable();
        for &neighbour in &neighbours {
            self.neighbours[neighbour as usize].remove(&variable);
        }
        neighbours
    }

    /// Makes neighbours of variables and looks at the cost of all that this changes.
    fn join(&mut self, variables: &[u32]) {
        // A new edge changes what its two ends cost, and what those cost that had both as
        // neighbours and missed it.
        let mut changed: FxHashSet<u32> = variables.iter().copied().collect();
        for (at, &a) in variables.iter().enumerate() {
            for &b in &variables[at + 1..] {
                if self.neighbours[a as usize].insert(b) {
                    self.neighbours[b as usize].insert(a);
                    self.add_common_neighbours(a, b, &mut changed);
                }
            }
        }
        let mut changed: Vec<u32> = changed.into_iter().collect();
        changed.sort_unstable();
        for variable in changed {
            self.score(variable);
        }
    }

    fn add_common_neighbours(&mut self, a: u32, b: u32, found: &mut FxHashSet<u32>) {
        if self.steps > EXACT_STEPS {
            return;
        }
        let (a, b) = (&self.neighbours[a as usize], &self.neighbours[b as usize]);
        let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
        self.steps += few.len();
        found.extend(few.iter().filter(|common| many.contains(common)));
    }

    fn score(&mut self, variable: u32) {
        let neighbours = &self.neighbours[variable as usize];
        let n_neighbours = neighbours.len();
        let is_exact = self.steps <= EXACT_STEPS || n_neighbours < 8;
        let n_missing = if n_neighbours <= MANY && is_exact {
            self.missing(neighbours)
        } else {
            n_neighbours.saturating_mul(n_neighbours)
        };
        self.steps += n_neighbours.min(MANY).pow(2);
        let cost = if n_missing == 0 { 0 } else { n_neighbours };
        let score = (n_missing, cost, self.ranks[variable as usize], variable);
        if self.scores[variable as usize] != Some(score) {
            self.scores[variable as usize] = Some(score);
            self.queue.push(Reverse(score));
        }
    }

    /// The number of pairs that are no neighbours of each other.
    fn missing(&self, variables: &FxHashSet<u32>) -> usize {
        let n_known = |&a: &u32| {
            let own = &self.neighbours[a as usize];
            variables.iter().filter(|b| own.contains(b)).count()
        };
        let n_known: usize = variables.iter().map(n_known).sum();
        (variables.len() * variables.len().saturating_sub(1) - n_known) / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn width(n_variables: usize, scopes: &[Vec<u32>]) -> Result<usize, usize> {
        let n_values = vec![2; n_variables];
        let scopes = scopes.iter().map(Vec::as_slice);
        eliminate(&n_values, &vec![0; n_variables], scopes, 1 << 20).map(|found| found.width())
    }

    #[test]
    fn trees_chains_and_cycles_have_their_width() {
        let chain: Vec<Vec<u32>> = (1..50).map(|at| vec![at - 1, at]).collect();
        assert_eq!(width(50, &chain), Ok(1));
        let star: Vec<Vec<u32>> = (1..200).map(|at| vec![0, at]).collect();
        assert_eq!(width(200, &star), Ok(1));
        let cycle: Vec<Vec<u32>> = (0..50).map(|at| vec![at, (at + 1) % 50]).collect();
        assert_eq!(width(50, &cycle), Ok(2));
        assert_eq!(width(3, &[]), Ok(0));
    }

    #[test]
    fn a_clique_beyond_the_limit_ends_the_search() {
        let clique: Vec<Vec<u32>> = (0..100)
            .flat_map(|a| (0..a).map(move |b| vec![a, b]))
            .collect();
        assert_eq!(width(100, &clique), Err(99));
    }

    #[test]
    fn every_table_has_a_bucket_that_holds_it() {
        let scopes: Vec<Vec<u32>> = (0..7).map(|at| vec![at, (at * 3 + 1) % 9, 8]).collect();
        let found = eliminate(&[2; 9], &[0; 9], scopes.iter().map(Vec::as_slice), 1 << 20);
        let found = found.ok().unwrap();
        for scope in &scopes {
            let first = found.order.iter().find(|v| scope.contains(v)).unwrap();
            let separator = &found.separators[*first as usize];
            assert!(scope.iter().all(|v| v == first || separator.contains(v)));
        }
    }
}
