//! What makes a network Bayesian: no cycles, and probabilities that add up to 1.

use super::{Network, NetworkFactor};
use crate::import::ImportError;
use crate::import::rounding::{Rounding, scaled};
use pelton_compiler::cycle;

/// Makes sure that no variable depends on itself and scales rounded probabilities so that
/// they add up to 1; a note says by how much.
pub(super) fn settle(network: &mut Network) -> Result<Option<String>, ImportError> {
    find_cycle(network)?;
    let mut rounding = Rounding::default();
    for (at, factor) in network.factors.iter_mut().enumerate() {
        let child = &network.variables[at];
        scale_rows(factor, &child.name, child.n_values, &mut rounding)?;
    }
    Ok(rounding.note("probabilities"))
}

fn find_cycle(network: &Network) -> Result<(), ImportError> {
    let parents = |at: usize| {
        let scope = &network.factors[at].scope;
        let parents = &scope[..scope.len() - 1];
        parents.iter().map(|&p| (p as usize, ())).collect()
    };
    let Some(cycle) = cycle::find(network.factors.len(), parents) else {
        return Ok(());
    };
    let name = |at: usize| format!("`{}`", network.variables[at].name);
    let first = cycle[0].0;
    // Long cycles are reported by their beginning.
    let mut names: Vec<String> = cycle.iter().take(6).map(|&(at, ())| name(at)).collect();
    if cycle.len() > names.len() {
        names.push("…".to_string());
    }
    names.push(name(first));
    let message = format!(
        "{} depends on itself: {}",
        name(first),
        names.join(" depends on ")
    );
    let help = "a Bayesian network has no cycles; write it as a MARKOV network if none is meant";
    Err(ImportError::at(network.factors[first].span, message).help(help))
}

fn scale_rows(
    factor: &mut NetworkFactor,
    name: &str,
    n_values: usize,
    rounding: &mut Rounding,
) -> Result<(), ImportError> {
    for (row, probabilities) in factor.table.chunks_mut(n_values).enumerate() {
        // Each row is a distribution of the last variable.
        if !scaled(probabilities, rounding) {
            let total: f64 = probabilities.iter().sum();
            let place = match factor.scope.len() {
                1 => String::new(),
                _ => format!(" in row {} of its table", row + 1),
            };
            let message = format!("the probabilities of `{name}`{place} add up to {total}, not 1");
            return Err(ImportError::at(factor.span, message)
                .help("the last variable of a table is the one whose probabilities it lists"));
        }
    }
    Ok(())
}
