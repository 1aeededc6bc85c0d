//! What is known about each variable, and how much mass a circuit has there.

use pelton_compiler::circuit::{Circuit, Value, ValueSet, VarId};
use pelton_compiler::reference::{Cell, Purpose, RowLog, RowLogs};

/// What is known about one variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    /// Nothing.
    Nothing,
    /// Its value lies in this set.
    In(ValueSet),
    /// It has exactly this value: of a real variable this is a density, not a probability.
    Point(f64),
}

/// What is known about all variables, by id.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    known: Vec<Known>,
}

impl Evidence {
    /// Nothing is known.
    pub fn none(circuit: &Circuit) -> Self {
        // Made one by one: optimised code that clones looks at what a value would hold before
        // it asks whether it holds anything, which valgrind takes for a fault of programs.
        let nothing = circuit.variables().iter().map(|_| Known::Nothing);
        Evidence {
            known: nothing.collect(),
        }
    }

    /// What is known, as a row of cells.
    pub(crate) fn cells(&self) -> Vec<Cell> {
        let cells = self.known.iter().map(|known| match known {
            Known::Nothing => Cell::Missing,
            Known::In(set) => Cell::In(set.clone()),
            Known::Point(x) => Cell::Value(*x),
        });
        cells.collect()
    }

    /// What is known about a variable.
    pub fn of(&self, variable: VarId) -> &Known {
        &self.known[variable.index()]
    }

    /// Sets what is known about a variable.
    pub fn set(&mut self, variable: VarId, known: Known) {
        self.known[variable.index()] = known;
    }
}

/// The logarithm of the circuit's mass (or density) on the evidence, by one pass
/// from the leaves to the root in log space.
///
/// `values` holds a value for each of [`Circuit::all_entries`].
pub fn log_mass(circuit: &Circuit, values: &[Value], evidence: &Evidence) -> f64 {
    row_log(circuit, values, evidence).to_f64()
}

/// The same, to be compared with the masses on other evidence.
pub(crate) fn row_log(circuit: &Circuit, values: &[Value], evidence: &Evidence) -> RowLog {
    RowLogs::of(circuit, values, &evidence.cells(), Purpose::Value).root()
}
