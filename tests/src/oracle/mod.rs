//! What is true of a small circuit, by definition and without cleverness.

mod structure;
mod truth_table;

pub use structure::Structure;
pub use truth_table::TruthTable;

use pelton_compiler::circuit::CircuitGraph;

/// Which units the root reaches, by unit index.
pub fn reachable(circuit: &CircuitGraph) -> Vec<bool> {
    let mut reached = vec![false; circuit.n_units()];
    reached[circuit.root().index()] = true;
    for unit in circuit.units().rev() {
        if reached[unit.index()] {
            for child in circuit.children(unit) {
                reached[child.unit.index()] = true;
            }
        }
    }
    reached
}
