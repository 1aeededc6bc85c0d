//! Subjects that are wrong in one way, to show that the comparison sees it.

use super::{Reference, Subject};
use pelton_compiler::flow::CircuitFlows;
use pelton_runtime::data::Table;

/// In what way a subject is wrong, each just beyond what is tolerated in double
/// precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A logarithm is off.
    Likelihood,
    /// The last row is forgotten.
    LastRow,
    /// An impossible row counts as possible.
    ZeroRow,
    /// The flow of one entry is off.
    EntryFlow,
    /// The flow into one leaf is off.
    LeafFlow,
    /// A flow is no number.
    NotANumber,
    /// The flow of one entry through supports is off.
    SupportFlow,
    /// A maximum is off.
    Maximum,
    /// A completion has another value.
    Completion,
    /// A completion changes what was observed.
    Overwritten,
}

impl Fault {
    /// A name to count it by.
    pub fn name(self) -> &'static str {
        match self {
            Fault::Likelihood => "wrong likelihood",
            Fault::LastRow => "forgotten row",
            Fault::ZeroRow => "forgotten impossible row",
            Fault::EntryFlow => "wrong flow of an entry",
            Fault::LeafFlow => "wrong flow of a leaf",
            Fault::NotANumber => "flow that is no number",
            Fault::SupportFlow => "wrong support flow",
            Fault::Maximum => "wrong maximum",
            Fault::Completion => "wrong completion",
            Fault::Overwritten => "overwritten observation",
        }
    }
}

/// All ways of being wrong.
pub const FAULTS: [Fault; 10] = [
    Fault::Likelihood,
    Fault::LastRow,
    Fault::ZeroRow,
    Fault::EntryFlow,
    Fault::LeafFlow,
    Fault::NotANumber,
    Fault::SupportFlow,
    Fault::Maximum,
    Fault::Completion,
    Fault::Overwritten,
];

/// The reference with a fault.
pub struct Faulty<'a> {
    /// What is right.
    pub reference: Reference<'a>,
    /// What is wrong.
    pub fault: Fault,
}

impl Faulty<'_> {
    fn spoil_logs(&self, logs: &mut [f64], fault: Fault) {
        let first = logs.iter_mut().find(|log_p| log_p.is_finite());
        if let Some(log_p) = first
            && self.fault == fault
        {
            *log_p += 2e-10 * log_p.abs().max(1.0);
        }
    }
}

fn largest(numbers: &mut [f64]) -> Option<&mut f64> {
    numbers.iter_mut().max_by(|a, b| a.total_cmp(b))
}

impl Subject for Faulty<'_> {
    fn name(&self) -> String {
        self.fault.name().to_string()
    }

    fn log_likelihoods(&mut self, table: &Table) -> Vec<f64> {
        let mut logs = self.reference.log_likelihoods(table);
        self.spoil_logs(&mut logs, Fault::Likelihood);
        if self.fault == Fault::LastRow {
            logs.pop();
        }
        logs
    }

    fn flows(&mut self, table: &Table) -> (CircuitFlows, usize) {
        let (mut flows, mut n_zero) = self.reference.flows(table);
        let off = 2e-8 * table.n_rows() as f64;
        match self.fault {
            Fault::ZeroRow => n_zero = n_zero.saturating_sub(1),
            Fault::EntryFlow => {
                if let Some(flow) = largest(&mut flows.entries) {
                    *flow += off;
                }
            }
            Fault::NotANumber => {
                if let Some(flow) = largest(&mut flows.entries) {
                    *flow = f64::NAN;
                }
            }
            Fault::LeafFlow => {
                for leaf in &mut flows.leaves {
                    if let Some(flow) = leaf.numbers_mut().first_mut() {
                        *flow += off;
                    }
                }
            }
            _ => {}
        }
        (flows, n_zero)
    }

    fn support_flows(&mut self, table: &Table) -> CircuitFlows {
        let mut flows = self.reference.support_flows(table);
        if let Some(flow) = largest(&mut flows.entries)
            && self.fault == Fault::SupportFlow
        {
            *flow *= 1.0 + 1e-4;
        }
        flows
    }

    fn maxima(&mut self, table: &Table) -> Vec<f64> {
        let mut logs = self.reference.maxima(table);
        self.spoil_logs(&mut logs, Fault::Maximum);
        logs
    }

    fn completions(&mut self, table: &Table) -> Vec<Vec<f64>> {
        let given: Vec<Vec<f64>> = (0..table.n_rows())
            .map(|row| self.reference.observed(table, row))
            .collect();
        let mut rows = self.reference.completions(table);
        for (row, given) in rows.iter_mut().zip(given) {
            for (value, given) in row.iter_mut().zip(given) {
                let spoiled = match self.fault {
                    Fault::Completion => given.is_nan(),
                    Fault::Overwritten => !given.is_nan(),
                    _ => false,
                };
                if spoiled {
                    *value = if *value == 0.0 { 1.0 } else { 0.0 };
                }
            }
        }
        rows
    }
}
