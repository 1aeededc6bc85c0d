//! Draws from a circuit given one row of evidence, again and again.
//!
//! With the evidence fixed, the child that each sum is continued in has fixed
//! probabilities. They are computed once; a sample then only walks from the root to a
//! leaf for each variable.

use pelton_compiler::choice::{AliasTable, AliasTablePool, ChoiceId};
use pelton_compiler::circuit::{CircuitGraph, Domain, Leaf, ParameterValue, UnitId, UnitKind};
use pelton_compiler::leaf::{LeafSampler, LongLog, log_table, reaches_beyond};
use pelton_compiler::reference::{EvaluationPurpose, EvidenceCell, RowLog, RowLogs};
use rand::Rng;

/// A circuit, ready to be drawn from.
pub(crate) struct SamplingWalk<'a> {
    units: Vec<SamplingStep>,
    children: Vec<u32>,
    choices: AliasTablePool,
    leaves: Vec<LeafDraw<'a>>,
    /// Values of leaves that have lists of them.
    points: Vec<f64>,
    root: u32,
    /// The logarithm of the evidence's mass.
    pub log_value: RowLog,
    /// Whether some leaf would have to give values that are too large.
    pub reaches_beyond: bool,
}

/// Where a walk goes from a unit.
#[derive(Clone, Copy)]
enum SamplingStep {
    Leaf(u32),
    All {
        first: u32,
        n: u32,
    },
    /// To the only child that is possible.
    Only(u32),
    One(ChoiceId),
    /// To a leaf that gives its variable one of the points.
    Point {
        variable: u32,
        choice: ChoiceId,
    },
    /// Nowhere: the unit is never reached.
    Never,
}

/// How a leaf gives its variable a value.
pub(super) struct LeafDraw<'a> {
    pub variable: usize,
    pub way: LeafWay<'a>,
}

/// A known value, or what it is drawn from.
pub(super) enum LeafWay<'a> {
    Known(f64),
    Leaf(LeafSampler<'a>),
    /// A value of soft evidence, the first of the domain having position 0.
    Soft {
        first: f64,
        choice: AliasTable,
    },
}

impl<'a> LeafDraw<'a> {
    pub fn new(
        circuit: &'a CircuitGraph,
        values: &'a [ParameterValue],
        leaf: &'a Leaf,
        cell: &EvidenceCell,
    ) -> Self {
        let domain: &Domain = &circuit.variable(leaf.variable).domain;
        let sampler = |set| LeafWay::Leaf(LeafSampler::new(circuit, values, leaf, set));
        let way = match cell {
            EvidenceCell::Value(x) => LeafWay::Known(*x),
            EvidenceCell::Missing => sampler(&domain.full()),
            EvidenceCell::In(set) => sampler(set),
            EvidenceCell::Soft(weights) => {
                let logs = log_table(circuit, values, leaf);
                let logs = logs.iter().zip(weights);
                let logs = logs.map(|(log, weight)| log + weight.ln());
                LeafWay::Soft {
                    first: domain.first(),
                    choice: AliasTable::from_logs(&logs.collect::<Vec<_>>()),
                }
            }
        };
        LeafDraw {
            variable: leaf.variable.index(),
            way,
        }
    }

    pub fn draw(&self, random: &mut impl Rng) -> f64 {
        match &self.way {
            LeafWay::Known(x) => *x,
            LeafWay::Leaf(sampler) => sampler.draw(random),
            LeafWay::Soft { first, choice } => first + choice.draw(random) as f64,
        }
    }
}

/// Whether a leaf would have to give its variable values that are too large, given a cell.
pub(crate) fn draws_beyond(
    circuit: &CircuitGraph,
    values: &[ParameterValue],
    leaf: &Leaf,
    cell: &EvidenceCell,
) -> bool {
    match cell {
        EvidenceCell::Value(_) | EvidenceCell::Soft(_) => false,
        EvidenceCell::Missing => {
            let all = circuit.variable(leaf.variable).domain.full();
            reaches_beyond(circuit, values, leaf, &all)
        }
        EvidenceCell::In(set) => reaches_beyond(circuit, values, leaf, set),
    }
}

impl<'a> SamplingWalk<'a> {
    /// Prepares to draw what goes with a row of cells; linear in edges.
    pub fn new(
        circuit: &'a CircuitGraph,
        values: &'a [ParameterValue],
        cells: &[EvidenceCell],
    ) -> Self {
        // 1. What each unit is worth for the cells.
        let logs = RowLogs::of(circuit, values, cells, EvaluationPurpose::Value);
        let root = circuit.root();
        let mut walk = SamplingWalk {
            units: vec![SamplingStep::Never; root.index() + 1],
            children: Vec::new(),
            choices: AliasTablePool::default(),
            leaves: Vec::new(),
            points: Vec::new(),
            root: root.index() as u32,
            log_value: logs.root(),
            reaches_beyond: false,
        };
        // 2. Steps from the units that a walk can reach, the root first: parents come before their
        // children that way.
        let mut is_reached = vec![false; root.index() + 1];
        is_reached[root.index()] = !walk.log_value.is_zero();
        for unit in circuit.units().take(root.index() + 1).rev() {
            if is_reached[unit.index()] {
                walk.units[unit.index()] = match circuit.kind(unit) {
                    UnitKind::Input(leaf) => {
                        let leaf = circuit.leaf(leaf);
                        let cell = &cells[leaf.variable.index()];
                        walk.reaches_beyond |= draws_beyond(circuit, values, leaf, cell);
                        walk.leaf(LeafDraw::new(circuit, values, leaf, cell))
                    }
                    UnitKind::Product => walk.product(circuit, unit),
                    UnitKind::Sum => walk.sum(circuit, values, unit, &logs),
                };
                walk.each_next(unit, |child| is_reached[child as usize] = true);
            }
        }
        walk
    }

    fn leaf(&mut self, leaf: LeafDraw<'a>) -> SamplingStep {
        if let LeafWay::Leaf(sampler) = &leaf.way
            && let Some((choice, points)) = sampler.table()
        {
            let first = self.points.len() as u32;
            self.points.extend(points);
            let numbers: Vec<u32> = (first..self.points.len() as u32).collect();
            return SamplingStep::Point {
                variable: leaf.variable as u32,
                choice: self.choices.add(choice, &numbers),
            };
        }
        self.leaves.push(leaf);
        SamplingStep::Leaf(self.leaves.len() as u32 - 1)
    }

    fn product(&mut self, circuit: &CircuitGraph, unit: UnitId) -> SamplingStep {
        let first = self.children.len() as u32;
        let children = circuit.children(unit);
        let children = children.map(|child| child.unit.index() as u32);
        self.children.extend(children);
        SamplingStep::All {
            first,
            n: self.children.len() as u32 - first,
        }
    }

    /// Children without mass are left out, so that nothing impossible can be drawn.
    fn sum(
        &mut self,
        circuit: &CircuitGraph,
        values: &[ParameterValue],
        unit: UnitId,
        logs: &RowLogs,
    ) -> SamplingStep {
        let mut children = Vec::with_capacity(circuit.n_children(unit));
        let mut terms = Vec::with_capacity(circuit.n_children(unit));
        for child in circuit.children(unit) {
            let weight = child.weight.expect("a sum's children have weights");
            let log_weight = values[circuit.entry_position(weight)].log();
            let log = logs.unit(child.unit);
            if log_weight > f64::NEG_INFINITY && !log.is_zero() {
                terms.push(log + log_weight.into());
                children.push(child.unit.index() as u32);
            }
        }
        match children[..] {
            [] => SamplingStep::Never,
            [only] => SamplingStep::Only(only),
            _ => {
                let choice = AliasTable::from_logs(&LongLog::relative(&terms));
                SamplingStep::One(self.choices.add(&choice, &children))
            }
        }
    }

    fn each_next(&self, unit: UnitId, see: impl FnMut(u32)) {
        match self.units[unit.index()] {
            SamplingStep::All { first, n } => self.all(first, n).iter().copied().for_each(see),
            SamplingStep::Only(child) => [child].into_iter().for_each(see),
            SamplingStep::One(choice) => self.choices.numbers(choice).for_each(see),
            SamplingStep::Leaf(_) | SamplingStep::Point { .. } | SamplingStep::Never => {}
        }
    }

    fn all(&self, first: u32, n: u32) -> &[u32] {
        &self.children[first as usize..(first + n) as usize]
    }

    /// Draws a value for each variable that the walk reaches. `pending` is scratch.
    pub fn draw(&self, random: &mut impl Rng, pending: &mut Vec<u32>, values: &mut [f64]) {
        pending.clear();
        let mut next = Some(self.root);
        while let Some(unit) = next {
            next = match self.units[unit as usize] {
                SamplingStep::One(choice) => Some(self.choices.draw(choice, random)),
                SamplingStep::Only(child) => Some(child),
                SamplingStep::All { first, n } => match self.all(first, n) {
                    [others @ .., last] => {
                        pending.extend_from_slice(others);
                        Some(*last)
                    }
                    [] => pending.pop(),
                },
                SamplingStep::Point { variable, choice } => {
                    let point = self.choices.draw(choice, random);
                    values[variable as usize] = self.points[point as usize];
                    pending.pop()
                }
                SamplingStep::Leaf(leaf) => {
                    let leaf = &self.leaves[leaf as usize];
                    values[leaf.variable] = leaf.draw(random);
                    pending.pop()
                }
                SamplingStep::Never => pending.pop(),
            };
        }
    }
}
