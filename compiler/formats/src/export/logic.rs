//! Circuits as logic: every weight is 1 or 0, every leaf a literal or true.

use super::ExportError;
use pelton_compiler::circuit::{
    CircuitGraph, Domain, Leaf, ParameterValue, ReachableUnits, UnitId, UnitKind,
};
use pelton_compiler::leaf::log_table;

/// A part of a logical circuit. Indicators of all values, which reading fills in where
/// a branch does not mention a variable, are true and are left out of products.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum LogicPart {
    /// Always true.
    True,
    /// A variable, or with a minus its negation.
    Literal(i64),
    /// All of these, which are no constants.
    And(Vec<UnitId>),
    /// One of these.
    Or(Vec<UnitId>),
    /// What another unit is.
    Same(UnitId),
}

/// The parts of the units below the root, by unit; none for others.
pub(super) struct LogicCircuit {
    parts: Vec<Option<LogicPart>>,
}

impl LogicCircuit {
    /// Reads a circuit as logic; weights and distributions are refused.
    pub fn of(circuit: &CircuitGraph) -> Result<Self, ExportError> {
        // Variables that no unit mentions count as well: their models are all values.
        let mut others = circuit.variables().iter();
        if let Some(other) = others.find(|variable| variable.domain != Domain::Bool) {
            let message = format!("`{}` is not bool, as variables of logic are", other.name);
            return Err(ExportError(message));
        }
        let mut logic = LogicCircuit {
            parts: vec![None; circuit.n_units()],
        };
        let values = circuit.start_values();
        for unit in ReachableUnits::of(circuit, &[circuit.root()]).units() {
            let part = match circuit.kind(unit) {
                UnitKind::Input(leaf) => literal(circuit, &values, unit, circuit.leaf(leaf))?,
                UnitKind::Product => logic.product(circuit, unit),
                UnitKind::Sum => {
                    let children = possible(circuit, &values, unit)?;
                    let children = children.into_iter().map(|child| logic.resolve(child));
                    let children: Vec<UnitId> = children.collect();
                    match children[..] {
                        [only] => LogicPart::Same(only),
                        _ => LogicPart::Or(children),
                    }
                }
            };
            logic.parts[unit.index()] = Some(part);
        }
        Ok(logic)
    }

    /// What a unit is, through units that are the same as others.
    pub fn part(&self, unit: UnitId) -> &LogicPart {
        let part = self.parts[self.resolve(unit).index()].as_ref();
        part.expect("units below the root have parts")
    }

    /// The unit that a unit is the same as; itself for most.
    pub fn resolve(&self, unit: UnitId) -> UnitId {
        // Children are resolved before their parents, so one step is enough.
        match self.parts[unit.index()] {
            Some(LogicPart::Same(other)) => other,
            _ => unit,
        }
    }

    /// The units that have to be written, children first; the root is the last.
    pub fn needed(&self, root: UnitId) -> Vec<UnitId> {
        let mut is_needed = vec![false; root.index() + 1];
        is_needed[root.index()] = true;
        for at in (0..is_needed.len()).rev().map(UnitId::new) {
            if let (true, LogicPart::And(children) | LogicPart::Or(children)) =
                (is_needed[at.index()], self.part_or_true(at))
            {
                children
                    .iter()
                    .for_each(|child| is_needed[child.index()] = true);
            }
        }
        let units = (0..is_needed.len()).map(UnitId::new);
        units.filter(|unit| is_needed[unit.index()]).collect()
    }

    fn part_or_true(&self, unit: UnitId) -> &LogicPart {
        self.parts[unit.index()]
            .as_ref()
            .unwrap_or(&LogicPart::True)
    }

    fn product(&self, circuit: &CircuitGraph, unit: UnitId) -> LogicPart {
        let children = circuit.children(unit);
        let mut children: Vec<UnitId> = children.map(|child| self.resolve(child.unit)).collect();
        children.retain(|&child| *self.part(child) != LogicPart::True);
        match children[..] {
            [] => LogicPart::True,
            [only] => LogicPart::Same(only),
            _ => LogicPart::And(children),
        }
    }
}

/// The children of a sum that weigh 1; others have to weigh 0.
fn possible(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    sum: UnitId,
) -> Result<Vec<UnitId>, ExportError> {
    let mut possible = Vec::new();
    for (unit, weight) in circuit.terms(sum) {
        match values[circuit.entry_position(weight)] {
            value if value.is_one() => possible.push(unit),
            value if value.is_zero() => {}
            _ => {
                let why = "has weights other than 1 and 0, which logic does not have";
                return Err(ExportError::of(circuit, sum, why));
            }
        }
    }
    if possible.is_empty() {
        Err(ExportError::of(circuit, sum, "is never true"))
    } else {
        Ok(possible)
    }
}

fn literal(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    unit: UnitId,
    leaf: &Leaf,
) -> Result<LogicPart, ExportError> {
    let number = leaf.variable.index() as i64 + 1;
    match log_table(circuit, values, leaf)[..] {
        [0.0, 0.0] => Ok(LogicPart::True),
        [0.0, f64::NEG_INFINITY] => Ok(LogicPart::Literal(-number)),
        [f64::NEG_INFINITY, 0.0] => Ok(LogicPart::Literal(number)),
        [f64::NEG_INFINITY, f64::NEG_INFINITY] => {
            Err(ExportError::of(circuit, unit, "is never true"))
        }
        _ => Err(ExportError::of(
            circuit,
            unit,
            "is a distribution, which logic does not have",
        )),
    }
}
