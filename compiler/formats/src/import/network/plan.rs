//! How a network is compiled, and how large the circuit can become.

use super::Network;
use super::elimination::{Elimination, eliminate};
use crate::import::ImportError;
use pelton_compiler::cycle;
use pelton_grammar::diagnostic::thousands;
use pelton_grammar::remedy::{RemedyOption, RemedyText};

/// Lookups in tables may be this many times more than units and edges.
const WORK: usize = 100;

/// One variable that is summed out.
#[derive(Default)]
pub(super) struct Bucket {
    /// The variables that its sums depend on, ascending.
    pub separator: Vec<u32>,
    /// The tables that mention it and nothing that is summed out before.
    pub factors: Vec<usize>,
    /// The variables summed out before whose separators meet here.
    pub children: Vec<u32>,
}

/// All buckets.
pub(super) struct EliminationPlan {
    /// The variables in the order they are summed out.
    pub order: Vec<u32>,
    /// The bucket of each variable.
    pub buckets: Vec<Bucket>,
    /// Tables of no variable.
    pub constants: Vec<usize>,
    /// Variables whose separator is empty.
    pub roots: Vec<u32>,
}

/// Chooses an order of variables; a fault if the circuit may not stay within the limit.
pub(super) fn plan(network: &Network, max_size: usize) -> Result<EliminationPlan, ImportError> {
    let n_values = network.n_values();
    // Each variable needs a unit for each value and a sum, so this is refused anyway.
    let n_literals = n_values.iter().fold(0usize, |n, &k| n.saturating_add(k));
    if n_literals.saturating_add(n_values.len()) > max_size {
        let message = format!(
            "the variables have {} values together, and the circuit may have {} units and edges",
            thousands(n_literals),
            thousands(max_size)
        );
        return Err(ImportError::whole(message).help(RemedyOption::RaiseSizeLimit));
    }
    let scopes = network.factors.iter().map(|factor| factor.scope.as_slice());
    let found = eliminate(&n_values, &ranks(network), scopes, max_size)
        .map_err(|width| refusal(&format!("at least {width}"), None, max_size))?;
    let width = found.width();
    let plan = sort(network, found);
    let (size, work) = plan.bound(&n_values);
    if size > max_size || work > max_size.saturating_mul(WORK) {
        Err(refusal(&width.to_string(), Some(size), max_size))
    } else {
        Ok(plan)
    }
}

/// Children before their parents: then a table is used as it was written, because what
/// depends on its variable was summed out before. Markov networks have no such order.
fn ranks(network: &Network) -> Vec<u32> {
    let n_variables = network.variables.len();
    let mut ranks = vec![0; n_variables];
    if !network.is_directed {
        return ranks;
    }
    let parents = |child: usize| {
        let scope = network.factors[child].scope.iter().map(|&v| v as usize);
        scope.filter(move |&v| v != child)
    };
    let mut n_children = vec![0usize; n_variables];
    for child in 0..n_variables {
        parents(child).for_each(|parent| n_children[parent] += 1);
    }
    for (rank, child) in (0..).zip(cycle::as_ready(n_children, parents)) {
        ranks[child] = rank;
    }
    ranks
}

fn refusal(width: &str, size: Option<usize>, max_size: usize) -> ImportError {
    let limit = thousands(max_size);
    let needs = match size {
        Some(size) if size > max_size => format!(
            "its circuit may need {} units and edges, and the limit is {limit}",
            thousands(size)
        ),
        Some(_) => format!("its tables are too many for a limit of {limit} units and edges"),
        None => format!("one table of its circuit exceeds the limit of {limit} units and edges"),
    };
    let help = RemedyText::from("each further variable of width multiplies the size");
    let fault = ImportError::whole(format!("the network has width {width}: {needs}"));
    fault.help(help.also(RemedyOption::RaiseSizeLimit))
}

/// Puts every table and every bucket where it is needed first.
fn sort(network: &Network, found: Elimination) -> EliminationPlan {
    let mut position = vec![0; network.variables.len()];
    for (at, &variable) in found.order.iter().enumerate() {
        position[variable as usize] = at;
    }
    let first = |scope: &[u32]| scope.iter().copied().min_by_key(|&v| position[v as usize]);
    // A table is used up when the first of its variables is summed out, and so is the sum of a
    // bucket, as a table over its separator.
    let mut plan = EliminationPlan {
        order: found.order.clone(),
        buckets: Vec::new(),
        constants: Vec::new(),
        roots: Vec::new(),
    };
    plan.buckets.resize_with(position.len(), Bucket::default);
    for (at, factor) in network.factors.iter().enumerate() {
        match first(&factor.scope) {
            Some(variable) => plan.buckets[variable as usize].factors.push(at),
            None => plan.constants.push(at),
        }
    }
    for &variable in &found.order {
        match first(&found.separators[variable as usize]) {
            Some(parent) => plan.buckets[parent as usize].children.push(variable),
            None => plan.roots.push(variable),
        }
    }
    for (bucket, separator) in plan.buckets.iter_mut().zip(found.separators) {
        bucket.separator = separator;
    }
    plan
}

impl EliminationPlan {
    /// Units and edges that the circuit cannot exceed, and lookups in tables.
    fn bound(&self, n_values: &[usize]) -> (usize, usize) {
        let (mut size, mut work) = (self.roots.len() + 3, 0usize);
        for (variable, bucket) in self.buckets.iter().enumerate() {
            let of = |v: u32| n_values[v as usize];
            let separator = bucket.separator.iter();
            let n_sums = separator.fold(1usize, |n, &v| n.saturating_mul(of(v)));
            let n_cells = n_sums.saturating_mul(n_values[variable]);
            // A cell is an edge of a sum, and a product with its edges if there are children.
            let n_children = bucket.children.len();
            let per_cell = 1 + if n_children > 0 { 2 + n_children } else { 0 };
            size = size
                .saturating_add(n_values[variable])
                .saturating_add(n_sums)
                .saturating_add(n_cells.saturating_mul(per_cell));
            let n_tables = 1 + n_children + bucket.factors.len();
            work = work.saturating_add(n_cells.saturating_mul(n_tables));
        }
        (size, work)
    }
}
