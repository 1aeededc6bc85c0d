//! Random worlds.

use super::world::{Dice, Sketch, World, reals};
use pelton_compiler::circuit::{
    BernoulliDistribution, BinomialDistribution, CategoricalDistribution, Domain,
    ExponentialDistribution, Family, FiniteConstant, GammaDistribution, GeometricDistribution,
    HistogramDistribution, LaplaceDistribution, LogNormalDistribution,
    NegativeBinomialDistribution, NormalDistribution, ParamId, ParamKind, ParameterEntry,
    ParameterValue, PoissonDistribution, ValueSet,
};
use pelton_compiler::leaf::log_density;

/// Worlds of a few random leaves, some of which share parameters; in the second some are
/// `laplace`.
pub fn random_worlds(seed: u64) -> [(u64, World); 2] {
    [5, 6].map(|n_densities| (seed, random_world(seed, n_densities)))
}

fn random_world(seed: u64, n_densities: usize) -> World {
    let mut maker = Maker {
        n_densities,
        dice: Dice::new(seed),
        sketch: Sketch::default(),
        pool: Vec::new(),
        truncated: Vec::new(),
    };
    let n_leaves = 1 + maker.dice.below(4);
    for _ in 0..n_leaves {
        maker.leaf();
    }
    maker.world()
}

struct Maker {
    /// Kinds of densities that leaves are drawn from.
    n_densities: usize,
    dice: Dice,
    sketch: Sketch,
    pool: Vec<(ParamKind, usize, ParamId)>,
    truncated: Vec<bool>,
}

impl Maker {
    fn shared(
        &mut self,
        kind: ParamKind,
        n: usize,
        make: impl FnOnce(&mut Self) -> ParamId,
    ) -> ParamId {
        let fitting: Vec<ParamId> = self
            .pool
            .iter()
            .filter(|own| (own.0, own.1) == (kind, n))
            .map(|own| own.2)
            .collect();
        if !fitting.is_empty() && self.dice.chance(40) {
            return fitting[self.dice.below(fitting.len())];
        }
        let param = make(self);
        self.pool.push((kind, n, param));
        param
    }

    fn number(&mut self, kind: ParamKind, low: f64, high: f64) -> ParamId {
        self.shared(kind, 1, |this| {
            let value = this.dice.between(low, high);
            let learned = this.dice.chance(80);
            this.sketch.number(kind, Some(value), learned)
        })
    }

    /// A positive number is also a number.
    fn mean(&mut self) -> ParamId {
        if self.dice.chance(20) {
            self.number(ParamKind::Positive, 0.3, 3.0)
        } else {
            self.number(ParamKind::Real, -2.0, 3.0)
        }
    }

    fn unit(&mut self) -> ParamId {
        self.shared(ParamKind::Unit, 2, |this| {
            let p = this.dice.between(0.1, 0.9);
            let learned = this.dice.chance(85);
            let entry = |number| ParameterEntry {
                value: Some(ParameterValue::Linear(number)),
                learned,
            };
            this.sketch
                .parameter(ParamKind::Unit, &[entry(1.0 - p), entry(p)])
        })
    }

    fn simplex(&mut self, n: usize) -> ParamId {
        self.shared(ParamKind::Simplex, n, |this| {
            let raw: Vec<f64> = (0..n).map(|_| this.dice.between(0.1, 1.0)).collect();
            let total: f64 = raw.iter().sum();
            let entries: Vec<ParameterEntry> = raw
                .iter()
                .map(|number| ParameterEntry {
                    value: Some(ParameterValue::Linear(number / total)),
                    learned: this.dice.chance(80),
                })
                .collect();
            this.sketch.parameter(ParamKind::Simplex, &entries)
        })
    }

    fn leaf(&mut self) {
        let is_truncated = self.dice.chance(40);
        match self.dice.below(10) {
            0..=4 => self.real(is_truncated),
            5..=7 => self.count(is_truncated),
            _ => self.table(is_truncated),
        }
        self.truncated.push(is_truncated);
    }

    fn real(&mut self, is_truncated: bool) {
        let variable = self.sketch.variable(Domain::Real);
        let (family, params) = match self.dice.below(self.n_densities) {
            0 | 1 => (
                Family::Normal(NormalDistribution),
                vec![self.mean(), self.number(ParamKind::Positive, 0.3, 3.0)],
            ),
            2 => (
                Family::LogNormal(LogNormalDistribution),
                vec![self.mean(), self.number(ParamKind::Positive, 0.3, 3.0)],
            ),
            3 => (
                Family::Exponential(ExponentialDistribution),
                vec![self.number(ParamKind::Positive, 0.3, 3.0)],
            ),
            4 => (
                Family::Gamma(GammaDistribution),
                vec![
                    self.number(ParamKind::Positive, 0.3, 3.0),
                    self.number(ParamKind::Positive, 0.3, 3.0),
                ],
            ),
            _ => (
                Family::Laplace(LaplaceDistribution),
                vec![self.mean(), self.number(ParamKind::Positive, 0.3, 3.0)],
            ),
        };
        let set = match self.dice.below(3) {
            0 => reals(0.5, 4.0),
            1 => reals(1.0, f64::INFINITY),
            _ => reals(0.0, 1.5).union(&reals(2.0, 6.0)),
        };
        self.sketch
            .leaf(variable, family, &params, is_truncated.then_some(set));
    }

    fn count(&mut self, is_truncated: bool) {
        let domain = match self.dice.below(3) {
            0 => Domain::Nat,
            1 => Domain::Range { low: 0, high: 9000 },
            _ => Domain::Range { low: 0, high: 14 },
        };
        let set = match (is_truncated, &domain) {
            (true, _) => Some(ValueSet::integers(2, 9)),
            (false, Domain::Range { high: 14, .. }) => Some(ValueSet::integers(0, 14)),
            (false, _) => None,
        };
        let variable = self.sketch.variable(domain);
        let (family, params) = match self.dice.below(4) {
            0 => (
                Family::Poisson(PoissonDistribution),
                vec![self.number(ParamKind::Positive, 0.3, 3.0)],
            ),
            1 => (
                Family::Binomial(BinomialDistribution { trials: 13 }),
                vec![self.unit()],
            ),
            2 => (Family::Geometric(GeometricDistribution), vec![self.unit()]),
            _ => (
                Family::NegativeBinomial(NegativeBinomialDistribution { successes: 3 }),
                vec![self.unit()],
            ),
        };
        self.sketch.leaf(variable, family, &params, set);
    }

    fn table(&mut self, is_truncated: bool) {
        let (domain, family, n, set) = match self.dice.below(3) {
            0 => (
                Domain::Bool,
                Family::Bernoulli(BernoulliDistribution),
                2,
                ValueSet::integers(1, 2),
            ),
            1 => {
                let set = ValueSet::integers(0, 1).union(&ValueSet::integers(2, 3));
                (
                    Domain::Range { low: 0, high: 4 },
                    Family::Categorical(CategoricalDistribution),
                    4,
                    set,
                )
            }
            _ => {
                let breaks = [0.0, 1.0, 2.5, 3.0, 7.0].map(FiniteConstant::new).to_vec();
                (
                    Domain::Real,
                    Family::Histogram(HistogramDistribution { breaks }),
                    4,
                    reals(0.5, 5.0),
                )
            }
        };
        let variable = self.sketch.variable(domain);
        let param = match family {
            Family::Bernoulli(BernoulliDistribution) => self.unit(),
            _ => self.simplex(n),
        };
        self.sketch
            .leaf(variable, family, &[param], is_truncated.then_some(set));
    }

    fn world(mut self) -> World {
        let circuit = std::mem::take(&mut self.sketch).finish();
        let values = circuit.start_values();
        let mut rows = Vec::new();
        for leaf in circuit.leaves() {
            let domain = circuit.variable(leaf.variable).domain.clone();
            let (shift, n) = (self.dice.between(0.0, 2.0), 1 + self.dice.below(12));
            let mut own = Vec::new();
            for _ in 0..200 {
                let x = shift + self.dice.between(-3.0, 3.0).powi(2) * 0.7;
                let x = if domain.is_discrete() { x.floor() } else { x };
                if own.len() < n && log_density(&circuit, &values, leaf, x).is_finite() {
                    own.push((x, self.dice.between(0.01, 4.0)));
                }
            }
            rows.push(own);
        }
        let mut world = World::new(circuit, rows);
        let dice = &mut self.dice;
        world.alpha = [0.0, 0.0, 0.5, 3.0][dice.below(4)];
        world.tau = [0.0, 0.0, 0.02, 0.2][dice.below(4)];
        world.mass += world.alpha;
        world
            .reach
            .iter_mut()
            .for_each(|reach| *reach = dice.fraction());
        for at in 0..values.len() {
            let is_vector = world
                .circuit
                .parameters()
                .iter()
                .any(|p| p.kind.adds_up() && p.entries().contains(&at));
            if is_vector && dice.chance(50) {
                world.flows.entries[at] += dice.between(0.0, 3.0);
                world.sum_reach[at] = dice.fraction();
                world.sum_gamma[at] = dice.between(-1.0, 3.0);
            }
        }
        world.recount();
        world
    }
}
