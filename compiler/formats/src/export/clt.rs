//! Chow-Liu trees: circuits in which every variable depends on at most one other.

use super::{ExportError, ExportedCircuit};
use pelton_compiler::circuit::{
    BernoulliDistribution, CircuitGraph, Domain, LeafKind, ParameterValue, UnitId, UnitKind, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) fn write(circuit: &CircuitGraph) -> Result<ExportedCircuit, ExportError> {
    let mut tree = CltWriter {
        circuit,
        values: circuit.start_values(),
        lines: vec![None; circuit.variables().len()],
    };
    let roots = tree.factors([circuit.root()]);
    let slots = roots.into_iter().map(|unit| ConditionalUnits {
        units: [unit; 2],
        parent: None,
    });
    let mut slots: Vec<ConditionalUnits> = slots.collect();
    while let Some(slot) = slots.pop() {
        slots.extend(tree.slot(&slot)?);
    }
    tree.text().map(ExportedCircuit::of)
}

/// The units of a variable, where its parent is false and where it is true.
struct ConditionalUnits {
    units: [UnitId; 2],
    parent: Option<VarId>,
}

/// A variable with what hangs below its two values.
struct CltSplit {
    variable: VarId,
    p: f64,
    below: [Vec<UnitId>; 2],
}

/// A parent and the probabilities of true, where it is false and where it is true.
type CltLine = (Option<VarId>, [f64; 2]);

struct CltWriter<'a> {
    circuit: &'a CircuitGraph,
    values: Vec<ParameterValue>,
    /// By variable; none for one that was not met.
    lines: Vec<Option<CltLine>>,
}

impl CltWriter<'_> {
    /// Takes a variable, and gives what depends on it.
    fn slot(&mut self, slot: &ConditionalUnits) -> Result<Vec<ConditionalUnits>, ExportError> {
        // The variable's units for both values of its parent: they may differ in probability only.
        let [no, yes] = [self.split(slot.units[0])?, self.split(slot.units[1])?];
        let sorted = |split: &CltSplit| {
            let mut below = split.below.clone();
            below.iter_mut().for_each(|units| units.sort_unstable());
            below
        };
        if no.variable != yes.variable || sorted(&no) != sorted(&yes) {
            let why =
                "and its other cases are no tree: some variable depends on more than one other";
            return Err(ExportError::of(self.circuit, slot.units[0], why));
        }
        let line = &mut self.lines[no.variable.index()];
        if line.is_some() {
            let why = "is about a variable that stands elsewhere in the tree";
            return Err(ExportError::of(self.circuit, slot.units[0], why));
        }
        *line = Some((slot.parent, [no.p, yes.p]));
        self.pairs(slot.units[0], &no)
    }

    /// Pairs what hangs below the two values of a variable.
    fn pairs(&self, unit: UnitId, split: &CltSplit) -> Result<Vec<ConditionalUnits>, ExportError> {
        let top = |unit: UnitId| Ok::<_, ExportError>((self.split(unit)?.variable, unit));
        let if_false = split.below[0].iter().map(|&unit| top(unit));
        let if_true = split.below[1].iter().map(|&unit| top(unit));
        let if_false = if_false.collect::<Result<Vec<_>, _>>()?;
        let if_true = if_true.collect::<Result<FxHashMap<_, _>, _>>()?;
        if if_false.len() != if_true.len() {
            let why = "has cases with other variables on top";
            return Err(ExportError::of(self.circuit, unit, why));
        }
        let pair = |(variable, no): (VarId, UnitId)| {
            let yes = if_true.get(&variable).ok_or_else(|| {
                let why = "has cases with other variables on top";
                ExportError::of(self.circuit, unit, why)
            })?;
            Ok(ConditionalUnits {
                units: [no, *yes],
                parent: Some(split.variable),
            })
        };
        if_false.into_iter().map(pair).collect()
    }

    /// A unit as a variable and what hangs below its values.
    fn split(&self, unit: UnitId) -> Result<CltSplit, ExportError> {
        let split = match self.circuit.kind(unit) {
            UnitKind::Input(_) => self.leaf(unit),
            UnitKind::Sum => self.decision(unit),
            UnitKind::Product => None,
        };
        let why = "is no choice between a variable and its negation, as a tree has them";
        split.ok_or_else(|| ExportError::of(self.circuit, unit, why))
    }

    fn leaf(&self, unit: UnitId) -> Option<CltSplit> {
        let below = [Vec::new(), Vec::new()];
        if let Some((variable, is_true)) = self.literal(unit) {
            let p = f64::from(is_true);
            return Some(CltSplit { variable, p, below });
        }
        let leaf = self.circuit.leaf_of(unit)?;
        let LeafKind::Distribution(it) = &leaf.kind else {
            return None;
        };
        let is_coin = it.family == BernoulliDistribution.into() && it.truncation.is_none();
        let entries = self.circuit.parameter(*it.params.first()?).entries();
        let (variable, p) = (leaf.variable, self.values.get(entries.start + 1)?.linear());
        is_coin.then_some(CltSplit { variable, p, below })
    }

    /// Two terms, with a variable in one and its negation in the other.
    fn decision(&self, unit: UnitId) -> Option<CltSplit> {
        let circuit = self.circuit;
        if circuit.n_children(unit) != 2 {
            return None;
        }
        let cases = [0, 1].map(|at| self.factors([circuit.child(unit, at).unit]));
        let literals = |at: usize| cases[at].iter().filter_map(|&unit| self.literal(unit));
        let others: FxHashSet<(VarId, bool)> = literals(1).collect();
        let mut literals = literals(0);
        let (variable, first) =
            literals.find(|&(var, is_true)| others.contains(&(var, !is_true)))?;
        let rest = |at: usize| -> Vec<UnitId> {
            let is_own = |unit: &&UnitId| {
                let literal = self.literal(**unit);
                literal.is_none_or(|(literal, _)| literal != variable)
            };
            cases[at].iter().filter(is_own).copied().collect()
        };
        let (if_false, if_true) = if first { (1, 0) } else { (0, 1) };
        let weight = circuit.child(unit, if_true).weight?;
        Some(CltSplit {
            variable,
            p: self.values[circuit.entry_position(weight)].linear(),
            below: [rest(if_false), rest(if_true)],
        })
    }

    /// A literal of a `bool` variable.
    fn literal(&self, unit: UnitId) -> Option<(VarId, bool)> {
        let leaf = self.circuit.leaf_of(unit)?;
        let LeafKind::Indicator(values) = &leaf.kind else {
            return None;
        };
        let is_bool = self.circuit.variable(leaf.variable).domain == Domain::Bool;
        let (no, yes) = (values.contains(0.0), values.contains(1.0));
        (is_bool && no != yes).then_some((leaf.variable, yes))
    }

    /// The factors of nested products. Factors share no variables, so that what is met
    /// twice has none.
    fn factors(&self, units: impl IntoIterator<Item = UnitId>) -> Vec<UnitId> {
        let mut stack: Vec<UnitId> = units.into_iter().collect();
        let mut met = FxHashSet::default();
        let mut factors = Vec::new();
        while let Some(unit) = stack.pop() {
            match self.circuit.kind(unit) {
                UnitKind::Product if met.insert(unit) => {
                    stack.extend(self.circuit.children(unit).map(|child| child.unit));
                }
                UnitKind::Product => {}
                _ => factors.push(unit),
            }
        }
        factors
    }

    fn text(&self) -> Result<String, ExportError> {
        let (mut roots, mut others) = (Vec::new(), Vec::new());
        for (at, line) in self.lines.iter().enumerate() {
            let Some((parent, [no, yes])) = line else {
                let name = &self.circuit.variables()[at].name;
                return Err(ExportError(format!(
                    "the circuit does not mention `{name}`"
                )));
            };
            let number = at + 1;
            match parent {
                None => roots.push(format!("{number} {yes:?}\n")),
                Some(parent) => {
                    others.push(format!("{number} {} {yes:?} {no:?}\n", parent.index() + 1));
                }
            }
        }
        let head = format!("{}\n{}\n", self.lines.len(), roots.len());
        Ok(head + &roots.concat() + &others.concat())
    }
}
