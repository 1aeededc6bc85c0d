//! Circuits as logic: every weight is 1 or 0, every leaf a literal or true.

use super::Refusal;
use pelton_compiler::circuit::{Circuit, Domain, Leaf, Reach, UnitId, UnitKind, Value};
use pelton_compiler::leaf::log_table;

/// A part of a logical circuit. Indicators of all values, which reading fills in where
/// a branch does not mention a variable, are true and are left out of products.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
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
pub(super) struct Logic {
    parts: Vec<Option<Part>>,
}

impl Logic {
    /// Reads a circuit as logic; weights and distributions are refused.
    pub fn of(circuit: &Circuit) -> Result<Self, Refusal> {
        // Variables that no unit mentions count as well: their models are all values.
        let mut others = circuit.variables().iter();
        if let Some(other) = others.find(|variable| variable.domain != Domain::Bool) {
            let message = format!("`{}` is not bool, as variables of logic are", other.name);
            return Err(Refusal(message));
        }
        let mut logic = Logic {
            parts: vec![None; circuit.n_units()],
        };
        let values = circuit.start_values();
        for unit in Reach::of(circuit, &[circuit.root()]).units() {
            let part = match circuit.kind(unit) {
                UnitKind::Input(leaf) => literal(circuit, &values, unit, circuit.leaf(leaf))?,
                UnitKind::Product => logic.product(circuit, unit),
                UnitKind::Sum => {
                    let children = possible(circuit, &values, unit)?;
                    let children = children.into_iter().map(|child| logic.resolve(child));
                    let children: Vec<UnitId> = children.collect();
                    match children[..] {
                        [only] => Part::Same(only),
                        _ => Part::Or(children),
                    }
                }
            };
            logic.parts[unit.index()] = Some(part);
        }
        Ok(logic)
    }

    /// What a unit is, through units that are the same as others.
    pub fn part(&self, unit: UnitId) -> &Part {
        let part = self.parts[self.resolve(unit).index()].as_ref();
        part.expect("units below the root have parts")
    }

    /// The unit that a unit is the same as; itself for most.
    pub fn resolve(&self, unit: UnitId) -> UnitId {
        // Children are resolved before their parents, so one step is enough.
        match self.parts[unit.index()] {
            Some(Part::Same(other)) => other,
            _ => unit,
        }
    }

    /// The units that have to be written, children first; the root is the last.
    pub fn needed(&self, root: UnitId) -> Vec<UnitId> {
        let mut is_needed = vec![false; root.index() + 1];
        is_needed[root.index()] = true;
        for at in (0..is_needed.len()).rev().map(UnitId::new) {
            if let (true, Part::And(children) | Part::Or(children)) =
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

    fn part_or_true(&self, unit: UnitId) -> &Part {
        self.parts[unit.index()].as_ref().unwrap_or(&Part::True)
    }

    fn product(&self, circuit: &Circuit, unit: UnitId) -> Part {
        let children = circuit.children(unit);
        let mut children: Vec<UnitId> = children.map(|child| self.resolve(child.unit)).collect();
        children.retain(|&child| *self.part(child) != Part::True);
        match children[..] {
            [] => Part::True,
            [only] => Part::Same(only),
            _ => Part::And(children),
        }
    }
}

/// The children of a sum that weigh 1; others have to weigh 0.
fn possible(circuit: &Circuit, values: &[Value], sum: UnitId) -> Result<Vec<UnitId>, Refusal> {
    let mut possible = Vec::new();
    for (unit, weight) in circuit.terms(sum) {
        match values[circuit.entry_position(weight)] {
            value if value.is_one() => possible.push(unit),
            value if value.is_zero() => {}
            _ => {
                let why = "has weights other than 1 and 0, which logic does not have";
                return Err(Refusal::of(circuit, sum, why));
            }
        }
    }
    match possible.is_empty() {
        true => Err(Refusal::of(circuit, sum, "is never true")),
        false => Ok(possible),
    }
}

fn literal(
    circuit: &Circuit,
    values: &[Value],
    unit: UnitId,
    leaf: &Leaf,
) -> Result<Part, Refusal> {
    let number = leaf.variable.index() as i64 + 1;
    match log_table(circuit, values, leaf)[..] {
        [0.0, 0.0] => Ok(Part::True),
        [0.0, f64::NEG_INFINITY] => Ok(Part::Literal(-number)),
        [f64::NEG_INFINITY, 0.0] => Ok(Part::Literal(number)),
        [f64::NEG_INFINITY, f64::NEG_INFINITY] => Err(Refusal::of(circuit, unit, "is never true")),
        _ => Err(Refusal::of(
            circuit,
            unit,
            "is a distribution, which logic does not have",
        )),
    }
}
