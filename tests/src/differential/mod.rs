//! Engines against the reference.
//!
//! A [`Subject`] is anything that evaluates tables. A [`Judge`] asks it for all
//! that can be asked of a table and compares the answers with the plain
//! log-space reference, within a [`Tolerance`].

mod engine;
mod expected;
mod fault;
mod judge;
mod reference;

pub use engine::Compiled;
pub use fault::{FAULTS, Fault, Faulty};
pub use judge::Judge;
pub use reference::Reference;

use pelton_compiler::flow::CircuitFlows;
use pelton_runtime::data::Table;

/// What evaluates tables of one circuit.
pub trait Subject {
    /// What it is called in messages.
    fn name(&self) -> String;
    /// The logarithm of the root's value for each row.
    fn log_likelihoods(&mut self, table: &Table) -> Vec<f64>;
    /// Expected flows of all rows, and how many rows are impossible.
    fn flows(&mut self, table: &Table) -> (CircuitFlows, usize);
    /// Flows through supports.
    fn support_flows(&mut self, table: &Table) -> CircuitFlows;
    /// The logarithm of the root's value in max-product for each row.
    fn maxima(&mut self, table: &Table) -> Vec<f64>;
    /// The most probable completion of each row; NaN for unused variables.
    fn completions(&mut self, table: &Table) -> Vec<Vec<f64>>;
}

/// How far a subject may be off.
#[derive(Clone, Copy, Debug)]
pub struct Tolerance {
    /// Of logarithms, for each unit of `max(1, |log p|)`.
    pub log_p: f64,
    /// Of flows, as a part of the total flow.
    pub flow: f64,
}

impl Tolerance {
    /// For kernels in single precision.
    pub const SINGLE: Tolerance = Tolerance {
        log_p: 1e-5,
        flow: 1e-4,
    };
    /// For kernels in double precision.
    pub const DOUBLE: Tolerance = Tolerance {
        log_p: 1e-10,
        flow: 1e-8,
    };
}

/// The largest errors that were seen, as parts of what is tolerated per unit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worst {
    /// Of logarithms, likelihoods and maxima.
    pub log_p: f64,
    /// Of flows.
    pub flow: f64,
    /// Of rows, the smallest logarithm that was not -inf.
    pub least_log_p: f64,
    /// Impossible rows.
    pub n_zero: usize,
}

impl Worst {
    /// The worse of both.
    pub fn join(self, other: Worst) -> Worst {
        Worst {
            log_p: self.log_p.max(other.log_p),
            flow: self.flow.max(other.flow),
            least_log_p: self.least_log_p.min(other.least_log_p),
            n_zero: self.n_zero + other.n_zero,
        }
    }
}
