//! Draws one circuit.

use super::leaf::leaf;
use super::partition::{overlap, partition};
use super::{Fault, Style};
use crate::dice::Dice;
use crate::sketch::Sketch;
use pelton_compiler::circuit::{Domain, ParameterEntry, ParameterValue, UnitId, ValueSet, VarId};
use std::collections::{BTreeMap, HashMap};

/// Mixtures of mixtures end here.
const DEEPEST: usize = 5;

pub(super) struct Maker {
    sketch: Sketch,
    dice: Dice,
    style: Style,
    /// The fault to put in, and how many occasions to let pass before.
    fault: Option<(Fault, usize)>,
    done: Option<Fault>,
    features: BTreeMap<&'static str, usize>,
    /// Units made before, by their variables, to be used again.
    pool: HashMap<Vec<VarId>, Vec<UnitId>>,
}

impl Maker {
    pub(super) fn new(
        dice: Dice,
        style: Style,
        fault: Option<(Fault, usize)>,
        domains: &[Domain],
    ) -> Self {
        let mut sketch = Sketch::new();
        for domain in domains {
            sketch.variable(domain.clone());
        }
        Maker {
            sketch,
            dice,
            style,
            fault,
            done: None,
            features: BTreeMap::new(),
            pool: HashMap::new(),
        }
    }

    pub(super) fn finish(self) -> (Sketch, Option<Fault>, BTreeMap<&'static str, usize>) {
        (self.sketch, self.done, self.features)
    }

    /// A unit over `variables`.
    pub(super) fn unit(&mut self, variables: &[VarId], depth: usize) -> UnitId {
        let old = self.pool.get(variables).cloned().unwrap_or_default();
        if !old.is_empty() && self.dice.chance(30) {
            self.count("shared unit");
            return self.dice.pick(&old);
        }
        let unit = match *variables {
            [variable] => self.over_one(variable),
            _ => self.over_many(variables, depth),
        };
        self.pool.entry(variables.to_vec()).or_default().push(unit);
        unit
    }

    fn over_one(&mut self, variable: VarId) -> UnitId {
        if self.dice.chance(50) {
            let full = self.sketch.domain(variable).full();
            return self.leaf(variable, &full);
        }
        let parts = self.cells(&[variable], 0);
        self.sum(&parts)
    }

    fn over_many(&mut self, variables: &[VarId], depth: usize) -> UnitId {
        let mixes = matches!(self.style, Style::Mixture | Style::Ragged | Style::Tangled);
        match self.dice.below(10) {
            0 | 1 if mixes && depth < DEEPEST => self.mixture(variables, depth),
            2 if depth < DEEPEST => {
                let only = self.unit(variables, depth + 1);
                self.count("one-child sum");
                self.sum(&[only])
            }
            0..=4 => self.split_product(variables, depth),
            _ => self.decision(variables, depth),
        }
    }

    fn mixture(&mut self, variables: &[VarId], depth: usize) -> UnitId {
        self.count("mixture");
        let n = 2 + self.dice.below(2);
        let parts: Vec<UnitId> = (0..n)
            .map(|_| {
                if self.style == Style::Ragged && self.dice.chance(25) {
                    self.count("ragged child");
                    let end = variables.len() - 1;
                    self.unit(&variables[..end], depth + 1)
                } else {
                    self.unit(variables, depth + 1)
                }
            })
            .collect();
        self.sum(&parts)
    }

    fn split_product(&mut self, variables: &[VarId], depth: usize) -> UnitId {
        let (left, right) = self.split(variables);
        let factors = [self.unit(&left, depth), self.unit(&right, depth)];
        self.product(&factors)
    }

    /// A sum whose children are told apart by what their first factors accept.
    fn decision(&mut self, variables: &[VarId], depth: usize) -> UnitId {
        self.count("decision");
        let (left, right) = match self.style {
            Style::Unstructured => self.one_and_rest(variables),
            _ => self.split(variables),
        };
        let primes = self.cells(&left, 0);
        let terms: Vec<UnitId> = primes
            .into_iter()
            .map(|prime| {
                let sub = self.unit(&right, depth);
                self.product(&[prime, sub])
            })
            .collect();
        self.sum(&terms)
    }

    /// Units with disjoint supports over `variables`.
    fn cells(&mut self, variables: &[VarId], depth: usize) -> Vec<UnitId> {
        if let [variable] = *variables {
            let domain = self.sketch.domain(variable).clone();
            let mut sets = partition(&mut self.dice, &domain);
            if self.strikes(Fault::Overlap) {
                overlap(&mut sets, &domain);
            }
            return sets.iter().map(|set| self.leaf(variable, set)).collect();
        }
        let (left, right) = self.split(variables);
        let primes = self.cells(&left, depth + 1);
        let mut cells: Vec<Vec<UnitId>> = vec![Vec::new(); 2];
        for (at, prime) in primes.into_iter().enumerate() {
            let subs = if self.dice.chance(50) {
                self.cells(&right, depth + 1)
            } else {
                vec![self.unit(&right, depth + 1)]
            };
            for (sub_idx, sub) in subs.into_iter().enumerate() {
                let element = self.product(&[prime, sub]);
                cells[(at + sub_idx) % 2].push(element);
            }
        }
        cells.retain(|cell| !cell.is_empty());
        cells.iter().map(|cell| self.sum(cell)).collect()
    }

    /// In halves along the vtree, or at random where none is followed.
    fn split(&mut self, variables: &[VarId]) -> (Vec<VarId>, Vec<VarId>) {
        let free = matches!(
            self.style,
            Style::Unstructured | Style::Ragged | Style::Tangled
        );
        let mut order = variables.to_vec();
        let crossing = self.strikes(Fault::Crossing);
        if crossing || (free && self.dice.chance(60)) {
            self.count("random split");
            self.dice.shuffle(&mut order);
        }
        let mut right = order.split_off(order.len() / 2);
        order.sort_unstable();
        right.sort_unstable();
        (order, right)
    }

    fn one_and_rest(&mut self, variables: &[VarId]) -> (Vec<VarId>, Vec<VarId>) {
        let mut rest = variables.to_vec();
        let one = rest.remove(self.dice.below(variables.len()));
        (vec![one], rest)
    }

    fn leaf(&mut self, variable: VarId, set: &ValueSet) -> UnitId {
        let (unit, name) = leaf(&mut self.sketch, &mut self.dice, variable, set);
        self.count(name);
        unit
    }

    fn product(&mut self, factors: &[UnitId]) -> UnitId {
        let mut factors = factors.to_vec();
        if self.strikes(Fault::MissingFactor) {
            factors.pop();
        }
        let tangles = self.style == Style::Tangled && self.dice.chance(15);
        if self.strikes(Fault::RepeatedFactor) || tangles {
            self.count("repeated factor");
            let extra = self.over_one(VarId::new(0));
            factors.push(extra);
        }
        self.sketch.product(&factors)
    }

    fn sum(&mut self, units: &[UnitId]) -> UnitId {
        let mut terms = match self.dice.below(4) {
            0 => self.learned(units),
            _ => self.fixed(units),
        };
        if self.dice.chance(15) {
            // Another unit of any kind, which counts for nothing.
            self.count("zero weight");
            let idle = self.dice.pick(units);
            terms.push((ParameterEntry::fixed(0.0), idle));
        }
        self.sketch.sum(&terms)
    }

    fn learned(&mut self, units: &[UnitId]) -> Vec<(ParameterEntry, UnitId)> {
        self.count("learned weights");
        let from_zero = self.dice.chance(20);
        let mut terms: Vec<_> = units
            .iter()
            .map(|&u| (ParameterEntry::learned(), u))
            .collect();
        if from_zero {
            self.count("learned from zero");
            terms[0].0.value = Some(ParameterValue::Linear(0.0));
        }
        terms
    }

    fn fixed(&mut self, units: &[UnitId]) -> Vec<(ParameterEntry, UnitId)> {
        let mut raw: Vec<f64> = units
            .iter()
            .map(|_| 1.0 + self.dice.below(6) as f64)
            .collect();
        let total: f64 = raw.iter().sum();
        raw.iter_mut().for_each(|weight| *weight /= total);
        if self.strikes(Fault::Weight) {
            raw[0] += 0.25;
        }
        let entries = raw.into_iter().map(ParameterEntry::fixed);
        entries.zip(units.iter().copied()).collect()
    }

    fn count(&mut self, feature: &'static str) {
        *self.features.entry(feature).or_default() += 1;
    }

    /// Whether the planned fault is to be put in at this occasion.
    fn strikes(&mut self, kind: Fault) -> bool {
        match &mut self.fault {
            Some((planned, 0)) if *planned == kind => {
                self.done = Some(kind);
                self.fault = None;
                true
            }
            Some((planned, wait)) if *planned == kind => {
                *wait -= 1;
                false
            }
            _ => false,
        }
    }
}
