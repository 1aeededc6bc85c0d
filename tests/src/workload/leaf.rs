//! Random leaves of every family.

use super::draft::Draft;
use pelton_compiler::circuit::{
    BernoulliDistribution, BinomialDistribution, CategoricalDistribution, Cut, Domain,
    ExponentialDistribution, Family, FiniteConstant, GammaDistribution, GeometricDistribution,
    HistogramDistribution, HypergeometricDistribution, LaplaceDistribution, LogNormalDistribution,
    NegativeBinomialDistribution, NormalDistribution, ParamId, ParamKind, ParameterEntry,
    ParameterValue, PoissonDistribution, UniformDistribution, UnitId, ValueSet, VarId,
};

impl Draft {
    /// A leaf of the variable.
    pub fn leaf(&mut self, variable: VarId) -> UnitId {
        match self.sketch.domain(variable).clone() {
            Domain::Real => self.real_leaf(variable),
            Domain::Nat => self.count_leaf(variable, None),
            Domain::Range { low, high } if self.dice.chance(40) => {
                self.count_leaf(variable, Some((low, high)))
            }
            domain => self.finite_leaf(variable, &domain),
        }
    }

    fn finite_leaf(&mut self, variable: VarId, domain: &Domain) -> UnitId {
        let size = domain.size().expect("the domain is finite") as usize;
        match self.dice.below(6) {
            0 | 1 => self.indicator(variable, domain),
            2 if *domain == Domain::Bool => {
                self.count("bernoulli");
                let param = self.probability();
                self.sketch.tied_distribution(
                    variable,
                    Family::Bernoulli(BernoulliDistribution),
                    &[param],
                    None,
                )
            }
            3 if size > 1 => {
                self.count("truncated categorical");
                let set = self.subset(domain);
                let param = self.full_simplex(size);
                self.sketch.tied_distribution(
                    variable,
                    Family::Categorical(CategoricalDistribution),
                    &[param],
                    Some(set),
                )
            }
            _ => {
                self.count("categorical");
                let param = self.simplex(size);
                self.sketch.tied_distribution(
                    variable,
                    Family::Categorical(CategoricalDistribution),
                    &[param],
                    None,
                )
            }
        }
    }

    /// A simplex without zeros, so that any part of it has mass.
    fn full_simplex(&mut self, n: usize) -> ParamId {
        let raw: Vec<f64> = (0..n).map(|_| 0.1 + self.dice.fraction()).collect();
        let total: f64 = raw.iter().sum();
        let learned = self.dice.chance(50);
        let entry = |number: &f64| ParameterEntry {
            value: Some(ParameterValue::Linear(number / total)),
            learned,
        };
        let entries: Vec<ParameterEntry> = raw.iter().map(entry).collect();
        self.sketch.parameter(ParamKind::Simplex, &entries)
    }

    fn indicator(&mut self, variable: VarId, domain: &Domain) -> UnitId {
        if self.dice.chance(60) {
            self.count("literal");
            let size = domain.size().expect("the domain is finite") as usize;
            let value = domain.first() as i64 + self.dice.below(size) as i64;
            return self.sketch.literal(variable, value);
        }
        self.count("indicator of a set");
        let set = self.subset(domain);
        self.sketch.indicator(variable, set)
    }

    /// Some of a finite domain's values, perhaps with a gap.
    fn subset(&mut self, domain: &Domain) -> ValueSet {
        let size = domain.size().expect("the domain is finite") as i64;
        let first = domain.first() as i64;
        let mut piece = || {
            let low = self.dice.below(size as usize) as i64;
            let high = low + 1 + self.dice.below((size - low) as usize) as i64;
            ValueSet::integers(first + low, first + high)
        };
        piece().union(&piece())
    }

    fn probability(&mut self) -> ParamId {
        let p = 0.05 + 0.9 * self.dice.fraction();
        let learned = self.dice.chance(50);
        let entry = |number| ParameterEntry {
            value: Some(ParameterValue::Linear(number)),
            learned,
        };
        let entries = [entry(1.0 - p), entry(p)];
        self.sketch.parameter(ParamKind::Unit, &entries)
    }

    fn number(&mut self, kind: ParamKind, low: f64, high: f64) -> ParamId {
        let value = low + (high - low) * self.dice.fraction();
        let entry = ParameterEntry {
            value: Some(ParameterValue::Linear(value)),
            learned: self.dice.chance(50),
        };
        self.sketch.parameter(kind, &[entry])
    }

    /// A family that counts, truncated to the range if there is one.
    fn count_leaf(&mut self, variable: VarId, range: Option<(i64, i64)>) -> UnitId {
        let (low, high) = range.unwrap_or((0, 12));
        let (low, high) = (low.max(0), high.max(low.max(0) + 1));
        if range.is_some_and(|(_, end)| end <= low) {
            let domain = self.sketch.domain(variable).clone();
            return self.finite_leaf(variable, &domain);
        }
        let middle = (low + high) as f64 / 2.0;
        let (family, name, params) = match self.dice.below(9) {
            0 => {
                let rate = self.number(ParamKind::Positive, middle.max(0.5) * 0.2, middle + 1.0);
                (Family::Poisson(PoissonDistribution), "poisson", vec![rate])
            }
            1 => (
                Family::Geometric(GeometricDistribution),
                "geometric",
                vec![self.probability()],
            ),
            2 => {
                let successes = 1 + self.dice.below(4) as u32;
                let family = Family::NegativeBinomial(NegativeBinomialDistribution { successes });
                (family, "negative_binomial", vec![self.probability()])
            }
            3 => {
                let trials = high as u32 + 3;
                (
                    Family::Binomial(BinomialDistribution { trials }),
                    "binomial",
                    vec![self.probability()],
                )
            }
            4 => {
                let family = Family::Hypergeometric(HypergeometricDistribution {
                    population: 2 * high as u32 + 9,
                    successes: high as u32 + 5,
                    draws: high as u32 + 2,
                });
                (family, "hypergeometric", vec![])
            }
            5 => {
                let (low, high) = (
                    FiniteConstant::new(low as f64),
                    FiniteConstant::new(high as f64),
                );
                (
                    Family::Uniform(UniformDistribution { low, high }),
                    "uniform count",
                    vec![],
                )
            }
            6 if high - low > 1 => {
                let inner = low + 1 + self.dice.below((high - low - 1) as usize) as i64;
                let breaks = [low, inner, high]
                    .map(|at| FiniteConstant::new(at as f64))
                    .to_vec();
                let bins = self.full_simplex(2);
                (
                    Family::Histogram(HistogramDistribution { breaks }),
                    "histogram of counts",
                    vec![bins],
                )
            }
            7 => {
                self.count("indicator of counts");
                return self
                    .sketch
                    .indicator(variable, ValueSet::integers(low, high));
            }
            _ => {
                let rate = self.number(ParamKind::Positive, 0.5, 3.0);
                (Family::Poisson(PoissonDistribution), "poisson", vec![rate])
            }
        };
        self.count(name);
        let truncation = match range {
            Some(_) => Some(ValueSet::integers(low, high)),
            None => self
                .dice
                .chance(30)
                .then(|| ValueSet::integers(low + 2, high)),
        };
        if truncation.is_some() {
            self.count("truncated count");
        }
        self.sketch
            .tied_distribution(variable, family, &params, truncation)
    }

    fn real_leaf(&mut self, variable: VarId) -> UnitId {
        let (family, name, params) = match self.dice.below(9) {
            8 => {
                let params = vec![
                    self.number(ParamKind::Real, -1.0, 2.0),
                    self.number(ParamKind::Positive, 0.3, 1.5),
                ];
                (LaplaceDistribution.into(), "laplace", params)
            }
            0 => {
                let params = vec![
                    self.number(ParamKind::Real, -1.0, 2.0),
                    self.number(ParamKind::Positive, 0.2, 1.5),
                ];
                (
                    Family::LogNormal(LogNormalDistribution),
                    "lognormal",
                    params,
                )
            }
            1 => {
                let rate = self.number(ParamKind::Positive, 0.1, 4.0);
                (
                    Family::Exponential(ExponentialDistribution),
                    "exponential",
                    vec![rate],
                )
            }
            2 => {
                let params = vec![
                    self.number(ParamKind::Positive, 1.1, 6.0),
                    self.number(ParamKind::Positive, 0.3, 3.0),
                ];
                (Family::Gamma(GammaDistribution), "gamma", params)
            }
            3 => {
                let (low, high) = (FiniteConstant::new(-3.0), FiniteConstant::new(4.5));
                (
                    Family::Uniform(UniformDistribution { low, high }),
                    "uniform",
                    vec![],
                )
            }
            4 => {
                let breaks = [-4.0, 0.0, 1.5, 6.0].map(FiniteConstant::new).to_vec();
                let bins = self.full_simplex(3);
                (
                    Family::Histogram(HistogramDistribution { breaks }),
                    "histogram",
                    vec![bins],
                )
            }
            5 if self.dice.chance(50) => {
                self.count("indicator of an interval");
                let set = ValueSet::between(Cut::before(-1.0), Cut::after(2.5), false);
                return self.sketch.indicator(variable, set);
            }
            _ => {
                let params = vec![
                    self.number(ParamKind::Real, -3.0, 3.0),
                    self.number(ParamKind::Positive, 0.1, 3.0),
                ];
                (Family::Normal(NormalDistribution), "normal", params)
            }
        };
        self.count(name);
        let truncation = self.dice.chance(30).then(|| self.interval(&family));
        self.sketch
            .tied_distribution(variable, family, &params, truncation)
    }

    /// Where a density is truncated to: beside its middle, or far out.
    fn interval(&mut self, family: &Family) -> ValueSet {
        self.count("truncated density");
        let far = matches!(family, Family::Normal(NormalDistribution)) && self.dice.chance(20);
        if far {
            self.count("truncated far out");
            return ValueSet::between(Cut::before(40.0), Cut::before(f64::INFINITY), false);
        }
        let low = self
            .dice
            .pick(&[Cut::after(0.5), Cut::before(-2.0), Cut::before(0.0)]);
        let high = self.dice.pick(&[
            Cut::after(4.0),
            Cut::before(3.0),
            Cut::before(f64::INFINITY),
        ]);
        ValueSet::between(low, high, false)
    }
}
