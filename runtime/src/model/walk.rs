//! Draws from a circuit given one row of evidence, again and again.
//!
//! With the evidence fixed, the child that each sum is continued in has fixed
//! probabilities. They are computed once; a sample then only walks from the root to a
//! leaf for each variable.

use pelton_compiler::choice::Choice;
use pelton_compiler::circuit::{Circuit, Domain, Leaf, UnitId, UnitKind, Value};
use pelton_compiler::evaluate::{Cell, Purpose, log_values_of};
use pelton_compiler::leaf::{LeafSampler, log_table};
use rand::Rng;

/// A circuit, ready to be drawn from.
pub(crate) struct Walk<'a> {
    units: Vec<Step>,
    children: Vec<u32>,
    choices: Vec<Choice>,
    leaves: Vec<LeafDraw<'a>>,
    root: u32,
    /// The logarithm of the evidence's mass.
    pub log_value: f64,
}

/// Where a walk goes from a unit.
#[derive(Clone, Copy)]
enum Step {
    /// To a leaf.
    Leaf(u32),
    /// To all of these children.
    All { first: u32, n: u32 },
    /// To the only child that is possible.
    Only(u32),
    /// To one of the children from `first` on.
    One { choice: u32, first: u32 },
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
        choice: Choice,
    },
}

impl<'a> LeafDraw<'a> {
    pub fn new(circuit: &'a Circuit, values: &'a [Value], leaf: &'a Leaf, cell: &Cell) -> Self {
        let domain: &Domain = &circuit.variable(leaf.variable).domain;
        let sampler = |set| LeafWay::Leaf(LeafSampler::new(circuit, values, leaf, set));
        let way = match cell {
            Cell::Value(x) => LeafWay::Known(*x),
            Cell::Missing => sampler(&domain.full()),
            Cell::In(set) => sampler(set),
            Cell::Soft(weights) => {
                let logs = log_table(circuit, values, leaf);
                let logs = logs
                    .iter()
                    .zip(weights)
                    .map(|(log, weight)| log + weight.ln());
                LeafWay::Soft {
                    first: domain.first(),
                    choice: Choice::from_logs(&logs.collect::<Vec<_>>()),
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

impl<'a> Walk<'a> {
    /// Prepares to draw what goes with a row of cells; linear in edges.
    pub fn new(circuit: &'a Circuit, values: &'a [Value], cells: &[Cell]) -> Self {
        let logs = log_values_of(circuit, values, cells, Purpose::Value);
        let root = circuit.root();
        let mut walk = Walk {
            units: vec![Step::Never; root.index() + 1],
            children: Vec::new(),
            choices: Vec::new(),
            leaves: Vec::new(),
            root: root.index() as u32,
            log_value: logs[root.index()],
        };
        let mut is_reached = vec![false; root.index() + 1];
        is_reached[root.index()] = walk.log_value > f64::NEG_INFINITY;
        for unit in circuit.units().take(root.index() + 1).rev() {
            if is_reached[unit.index()] {
                walk.units[unit.index()] = match circuit.kind(unit) {
                    UnitKind::Input(leaf) => {
                        let leaf = circuit.leaf(leaf);
                        let cell = &cells[leaf.variable.index()];
                        walk.leaves.push(LeafDraw::new(circuit, values, leaf, cell));
                        Step::Leaf(walk.leaves.len() as u32 - 1)
                    }
                    UnitKind::Product => walk.product(circuit, unit),
                    UnitKind::Sum => walk.sum(circuit, values, unit, &logs),
                };
                let next = walk.next(unit);
                next.iter()
                    .for_each(|&child| is_reached[child as usize] = true);
            }
        }
        walk
    }

    fn product(&mut self, circuit: &Circuit, unit: UnitId) -> Step {
        let first = self.children.len() as u32;
        let children = circuit
            .children(unit)
            .map(|child| child.unit.index() as u32);
        self.children.extend(children);
        Step::All {
            first,
            n: self.children.len() as u32 - first,
        }
    }

    /// Children without mass are left out, so that nothing impossible can be drawn.
    fn sum(&mut self, circuit: &Circuit, values: &[Value], unit: UnitId, logs: &[f64]) -> Step {
        let first = self.children.len() as u32;
        let mut terms = Vec::with_capacity(circuit.n_children(unit));
        for child in circuit.children(unit) {
            let weight = child.weight.expect("a sum's children have weights");
            let log_weight = values[circuit.entry_position(weight)].log();
            let log = logs[child.unit.index()];
            if log_weight > f64::NEG_INFINITY && log > f64::NEG_INFINITY {
                terms.push(log_weight + log);
                self.children.push(child.unit.index() as u32);
            }
        }
        if terms.len() == 1 {
            return Step::Only(first);
        }
        self.choices.push(Choice::from_logs(&terms));
        Step::One {
            choice: self.choices.len() as u32 - 1,
            first,
        }
    }

    fn next(&self, unit: UnitId) -> &[u32] {
        match self.units[unit.index()] {
            Step::All { first, n } => &self.children[first as usize..(first + n) as usize],
            Step::Only(first) => &self.children[first as usize..][..1],
            Step::One { first, .. } => &self.children[first as usize..],
            Step::Leaf(_) | Step::Never => &[],
        }
    }

    /// Draws a value for each variable that the walk reaches. `pending` is scratch.
    pub fn draw(&self, random: &mut impl Rng, pending: &mut Vec<u32>, values: &mut [f64]) {
        pending.clear();
        pending.push(self.root);
        while let Some(unit) = pending.pop() {
            match self.units[unit as usize] {
                Step::Leaf(leaf) => {
                    let leaf = &self.leaves[leaf as usize];
                    values[leaf.variable] = leaf.draw(random);
                }
                Step::All { first, n } => {
                    let all = &self.children[first as usize..(first + n) as usize];
                    pending.extend_from_slice(all);
                }
                Step::Only(first) => pending.push(self.children[first as usize]),
                Step::One { choice, first } => {
                    let at = self.choices[choice as usize].draw(random);
                    pending.push(self.children[first as usize + at]);
                }
                Step::Never => {}
            }
        }
    }
}
