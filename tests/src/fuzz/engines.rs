//! The fuzz body of the back half: bytes choose a circuit and evidence, and all
//! engines have to agree with the reference.

use crate::dice::Dice;
use crate::differential::{Compiled, Judge};
use crate::workload::{EVIDENCE, Features, Shape, Workload, evidence, workload_from};
use pelton_compiler::circuit::VarId;
use pelton_compiler::reference::{
    EvaluationPurpose, EvidenceCell, flows, log_values_of, support_flows,
};

/// Shapes of circuits that compile fast, so that many are tried.
const SHAPES: [Shape; 5] = [
    Shape::Soup,
    Shape::Decisions,
    Shape::Chain,
    Shape::Trees,
    Shape::Tiny,
];

/// Rows of a table: one, and around the rows of a tile.
const ROWS: [usize; 7] = [1, 2, 31, 33, 63, 65, 70];

/// How much was seen, to show that inputs reach every part.
#[derive(Clone, Copy, Debug, Default)]
pub struct EngineOutcomes {
    /// Rows that were possible.
    pub possible: usize,
    /// Rows that were not.
    pub impossible: usize,
    /// Times that an engine agreed with the reference on a table.
    pub agreed: usize,
}

/// Draws a circuit and a table by `bytes` and compares every engine with the
/// reference, and the reference with laws that hold for any circuit.
pub fn engines(bytes: &[u8], outcomes: &mut EngineOutcomes) {
    let mut dice = Dice::from_bytes(bytes);
    let shape = dice.pick(&SHAPES);
    let kind = dice.pick(&EVIDENCE);
    let n_rows = dice.pick(&ROWS);
    let turn = dice.below(6);
    let (workload, mut dice) = workload_from(shape, dice);
    let table = evidence(&workload, kind, n_rows, &mut dice, &mut Features::new());
    for row in 0..n_rows.min(5) {
        let cells = crate::workload::cells_of(&workload.circuit, &table, row);
        if reference_keeps_laws(&workload, &cells) {
            outcomes.possible += 1
        } else {
            outcomes.impossible += 1
        }
    }
    let (circuit, values) = (&workload.circuit, &workload.values);
    let mut engines = Compiled::in_turn(circuit, values, turn);
    let (circuit, values) = (engines[0].circuit().clone(), engines[0].values().to_vec());
    let judge = Judge::new(&circuit, &values, &table);
    for engine in &mut engines {
        let tolerance = engine.tolerance();
        match judge.judge(engine, tolerance) {
            Ok(_) => outcomes.agreed += 1,
            Err(why) => panic!("{shape:?}, {kind:?}, {n_rows} rows: {why}"),
        }
    }
}

/// Whether the row is possible, after looking at what is true of every row: no
/// choice is worth more than all of them, and everything that enters at the root
/// arrives at some leaf of every variable.
fn reference_keeps_laws(workload: &Workload, cells: &[EvidenceCell]) -> bool {
    let (circuit, values) = (&workload.circuit, &workload.values);
    let root = circuit.root().index();
    let log_max = log_values_of(circuit, values, cells, EvaluationPurpose::Max)[root];
    let row = flows(circuit, values, cells);
    let log_p = row.as_ref().map_or(f64::NEG_INFINITY, |row| row.log_value);
    let is_discrete = circuit.variables().iter().all(|v| v.domain.is_discrete());
    if is_discrete {
        let is_part = log_max - log_p <= 1e-9 * log_p.abs().max(1.0);
        assert!(
            log_max == log_p || is_part,
            "{log_max} is a part of {log_p}"
        );
    }
    for row in row.iter().chain([&support_flows(circuit, values, cells)]) {
        let entering = row.contexts[root];
        for at in 0..circuit.variables().len() {
            let variable = VarId::new(at);
            let inputs = circuit.units().filter(|&unit| {
                circuit
                    .leaf_of(unit)
                    .is_some_and(|leaf| leaf.variable == variable)
            });
            let arriving: f64 = inputs.map(|unit| row.contexts[unit.index()]).sum();
            let is_used = circuit
                .leaves()
                .iter()
                .any(|leaf| leaf.variable == variable);
            // More ways to explain a row than a number can count are not compared.
            let is_whole = entering.is_infinite() || (arriving - entering).abs() <= 1e-9 * entering;
            assert!(!is_used || is_whole, "{arriving} of {entering} arrives");
        }
    }
    row.is_some()
}
