//! Bayesian and Markov networks as circuits.
//!
//! Variables are summed out one after the other, in an order that keeps tables small. To
//! sum out a variable is to write, for each assignment of the variables that share a
//! table with it (its *separator*), the distribution that it has then: a sum over its
//! values, weighted by their probability given the separator. What was summed out before
//! and depends on the value is a factor beside it. So every sum decides one variable,
//! weights add up to 1 whether the network is normalized or not, and the circuit has no
//! more units and edges than the tables of the order have cells, up to a small factor
//! that is known before anything is built. See Darwiche, "A differential approach to
//! inference in Bayesian networks" (2003) for the polynomial that this factorizes.

mod bucket;
mod cells;
mod directed;
mod elimination;
mod extended_float;
mod plan;

use super::{ImportContext, ImportError, ImportedCircuit};
use pelton_compiler::circuit::Domain;
use pelton_grammar::source::Span;

/// A network as it was read.
pub(super) struct Network {
    pub variables: Vec<NetworkVariable>,
    /// All tables. In a directed network table i is that of variable i.
    pub factors: Vec<NetworkFactor>,
    /// Whether tables are conditional probabilities of their last variable.
    pub is_directed: bool,
}

pub(super) struct NetworkVariable {
    pub name: String,
    pub domain: Domain,
    /// Number of values, at least 1.
    pub n_values: usize,
    pub span: Span,
}

/// A function of a few variables.
pub(super) struct NetworkFactor {
    /// The variables, all different.
    pub scope: Vec<u32>,
    /// A finite number from 0 up for each assignment, the last variable running fastest.
    pub table: Vec<f64>,
    pub span: Span,
}

impl Network {
    /// Compiles the network, if the circuit stays within the limit.
    pub fn compile(
        mut self,
        context: &ImportContext,
        mut notes: Vec<String>,
    ) -> Result<ImportedCircuit, ImportError> {
        if self.variables.is_empty() {
            return Err(ImportError::whole("the network has no variables"));
        }
        if self.is_directed {
            notes.extend(directed::settle(&mut self)?);
        }
        self.leave_out_constants();
        let plan = plan::plan(&self, context.max_size)?;
        bucket::build(context, &self, plan, notes)
    }

    /// Takes variables of one value out of all scopes: tables do not depend on them. What
    /// gives probabilities of such a variable is 1 everywhere.
    fn leave_out_constants(&mut self) {
        let n_values = self.n_values();
        for (at, factor) in self.factors.iter_mut().enumerate() {
            factor.scope.retain(|&member| n_values[member as usize] > 1);
            if self.is_directed && n_values[at] == 1 {
                factor.scope.clear();
                factor.table = vec![1.0];
            }
        }
    }

    fn n_values(&self) -> Vec<usize> {
        self.variables.iter().map(|node| node.n_values).collect()
    }
}
