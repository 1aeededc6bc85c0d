//! From a leaf and its parameters to a formula.

use super::form::{CountTerm, Form};
use super::region::Regions;
use super::statistics::Statistics;
use super::{Prepared, Purpose};
use crate::circuit::{
    BernoulliDistribution, BinomialDistribution, Bound, CategoricalDistribution, Circuit,
    Distribution, Domain, ExponentialDistribution, Family, GammaDistribution,
    HistogramDistribution, HypergeometricDistribution, Leaf, LeafKind, LogNormalDistribution,
    NegativeBinomialDistribution, NormalDistribution, PoissonDistribution, UniformDistribution,
    Value,
};
use crate::evaluate::{Cell, log_leaf};
use crate::leaf;
use crate::leaf::counts::Counts;
use crate::leaf::saddle::Chance;
use statrs::function::gamma::ln_gamma;
use std::f64::consts::{LOG2_E, TAU};

/// Up to here factorials and powers by themselves lose less than three of sixteen digits,
/// and what they say of a count is shared by all leaves of a variable.
const LARGE: f64 = 64.0;

/// Prepares one leaf for a purpose, and for what is known of missing cells.
pub(super) fn prepare(
    circuit: &Circuit,
    values: &[Value],
    leaf: &Leaf,
    (purpose, missing): (Purpose, &Cell),
    regions: &mut Regions,
) -> Prepared {
    let domain = &circuit.variable(leaf.variable).domain;
    let form = match &leaf.kind {
        LeafKind::Distribution(distribution) if purpose != Purpose::Support => {
            let family = Shape {
                circuit,
                values,
                domain,
                distribution,
            };
            divide(family.form(), log2_truncated_mass(circuit, values, leaf))
        }
        _ => Form::Flat(0.0),
    };
    Prepared {
        form,
        region: regions.add(leaf::support(circuit, leaf), domain.is_discrete()),
        missing: LOG2_E
            * match purpose {
                Purpose::Support => 0.0,
                _ => log_leaf(circuit, values, leaf, missing, purpose),
            },
        statistics: Statistics::of(circuit, values, leaf),
    }
}

/// The mass that a truncation leaves of a distribution; 1 if there is none.
fn log2_truncated_mass(circuit: &Circuit, values: &[Value], leaf: &Leaf) -> f64 {
    let mut whole = leaf.clone();
    let LeafKind::Distribution(distribution) = &mut whole.kind else {
        return 0.0;
    };
    match distribution.truncation.take() {
        Some(set) => leaf::log_mass(circuit, values, &whole, &set) * LOG2_E,
        None => 0.0,
    }
}

/// Subtracts the mass of a truncation; what is zero stays so.
fn divide(mut form: Form, log2_mass: f64) -> Form {
    let subtract = |log: &mut f64| {
        if *log != f64::NEG_INFINITY {
            *log -= log2_mass;
        }
    };
    match &mut form {
        Form::Flat(constant)
        | Form::Bell { constant, .. }
        | Form::LogBell { constant, .. }
        | Form::Line { constant, .. }
        | Form::LogLine { constant, .. }
        | Form::Count { constant, .. } => subtract(constant),
        Form::Steps { logs, .. } => logs.iter_mut().for_each(subtract),
    }
    form
}

/// A distribution with the values of its parameters.
struct Shape<'a> {
    circuit: &'a Circuit,
    values: &'a [Value],
    domain: &'a Domain,
    distribution: &'a Distribution,
}

impl Shape<'_> {
    fn vector(&self, param_idx: usize) -> &[Value] {
        let param = self.distribution.params[param_idx];
        &self.values[self.circuit.parameter(param).entries()]
    }

    fn scalar(&self, param_idx: usize) -> Value {
        self.vector(param_idx)[0]
    }

    /// The formula before truncation.
    fn form(&self) -> Form {
        match &self.distribution.family {
            Family::Normal(NormalDistribution) => {
                let (mean, scale, constant) = self.bell();
                Form::Bell {
                    mean,
                    scale,
                    constant,
                }
            }
            Family::LogNormal(LogNormalDistribution) => {
                let (mean, scale, constant) = self.bell();
                Form::LogBell {
                    mean,
                    scale,
                    constant,
                }
            }
            Family::Exponential(ExponentialDistribution) => Form::Line {
                constant: self.scalar(0).log() * LOG2_E,
                slope: -self.scalar(0).linear() * LOG2_E,
            },
            Family::Gamma(GammaDistribution) => self.gamma(),
            Family::Uniform(UniformDistribution { low, high }) => {
                let set = leaf::bin(low.value(), high.value(), self.domain);
                Form::Flat(-set.measure().log2())
            }
            Family::Histogram(HistogramDistribution { breaks }) => self.histogram(breaks),
            Family::Bernoulli(BernoulliDistribution)
            | Family::Categorical(CategoricalDistribution) => self.table(),
            _ => self.count(),
        }
    }

    /// Mean, scale and constant of a normal density, base 2.
    fn bell(&self) -> (f64, f64, f64) {
        let sd = self.scalar(1);
        let scale = (0.5 * LOG2_E).sqrt() / sd.linear();
        let constant = -sd.log() * LOG2_E - 0.5 * TAU.log2();
        (self.scalar(0).linear(), scale, constant)
    }

    fn gamma(&self) -> Form {
        let (shape, rate) = (self.scalar(0).linear(), self.scalar(1));
        if shape > LARGE {
            let rate = rate.linear();
            return alone(CountTerm::Gamma { shape, rate });
        }
        Form::LogLine {
            constant: (shape * rate.log() - ln_gamma(shape)) * LOG2_E,
            slope: -rate.linear() * LOG2_E,
            log_slope: (shape - 1.0) * LOG2_E,
        }
    }

    fn histogram(&self, breaks: &[Bound]) -> Form {
        let bins = breaks.windows(2).zip(self.vector(0));
        let log_of = |(ends, p): (&[Bound], &Value)| {
            let bin = leaf::bin(ends[0].value(), ends[1].value(), self.domain);
            match p.is_zero() {
                true => f64::NEG_INFINITY,
                false => (p.log() - bin.measure().ln()) * LOG2_E,
            }
        };
        Form::Steps {
            breaks: breaks.iter().map(|bound| bound.value()).collect(),
            logs: bins.map(log_of).collect(),
        }
    }

    /// An entry for each value from the domain's first on.
    fn table(&self) -> Form {
        let entries = self.vector(0);
        let (first, logs) = match self.distribution.family {
            Family::Bernoulli(BernoulliDistribution) => {
                let (_, log_q, log_p) = self.log2_unit();
                (0.0, [log_q, log_p].into())
            }
            _ => {
                let logs = entries.iter().map(|p| p.log() * LOG2_E);
                (self.domain.first(), logs.collect())
            }
        };
        Form::Steps {
            breaks: (0..=entries.len()).map(|at| first + at as f64).collect(),
            logs,
        }
    }

    fn count(&self) -> Form {
        match self.distribution.family {
            Family::Poisson(PoissonDistribution) => self.poisson(),
            Family::Hypergeometric(HypergeometricDistribution {
                population,
                successes,
                draws,
            }) => {
                let counts = Counts::drawing(population, successes, draws);
                alone(CountTerm::Whole(counts))
            }
            Family::Binomial(BinomialDistribution { trials }) => self.binomial(f64::from(trials)),
            Family::NegativeBinomial(NegativeBinomialDistribution { successes }) => {
                self.waiting(f64::from(successes))
            }
            _ => self.waiting(1.0),
        }
    }

    fn poisson(&self) -> Form {
        let rate = self.scalar(0);
        if rate.is_zero() {
            return certain(0.0);
        }
        if rate.linear() > LARGE {
            let rate = rate.linear();
            return alone(CountTerm::Whole(Counts::Poisson { rate }));
        }
        Form::Count {
            constant: -rate.linear() * LOG2_E,
            slope: rate.log() * LOG2_E,
            term: CountTerm::Factorial,
        }
    }

    /// The chance of success, and its logarithms of failure and success, base 2.
    fn log2_unit(&self) -> (Chance, f64, f64) {
        let chance = leaf::chance(self.vector(0));
        (chance, chance.log_q * LOG2_E, chance.log_p * LOG2_E)
    }

    fn binomial(&self, trials: f64) -> Form {
        let (chance, log_q, log_p) = self.log2_unit();
        if log_p == f64::NEG_INFINITY {
            return certain(0.0);
        }
        if log_q == f64::NEG_INFINITY {
            return certain(trials);
        }
        if trials > LARGE {
            return alone(CountTerm::Whole(Counts::Binomial { trials, chance }));
        }
        Form::Count {
            constant: trials * log_q,
            slope: log_p - log_q,
            term: CountTerm::Successes { trials },
        }
    }

    /// Failures before so many successes.
    fn waiting(&self, successes: f64) -> Form {
        let (chance, log_q, log_p) = self.log2_unit();
        if log_p == f64::NEG_INFINITY {
            return Form::Flat(log_p);
        }
        if log_q == f64::NEG_INFINITY {
            return certain(0.0);
        }
        if successes != 1.0 && successes > LARGE * chance.p {
            return alone(CountTerm::Whole(Counts::Waiting { successes, chance }));
        }
        let constant = successes * log_p;
        match successes == 1.0 {
            true => Form::Line {
                constant,
                slope: log_q,
            },
            false => Form::Count {
                constant,
                slope: log_q,
                term: CountTerm::Failures { successes },
            },
        }
    }
}

/// Nothing but a term.
fn alone(term: CountTerm) -> Form {
    Form::Count {
        constant: 0.0,
        slope: 0.0,
        term,
    }
}

/// All mass on one count.
fn certain(count: f64) -> Form {
    Form::Steps {
        breaks: [count, count + 1.0].into(),
        logs: [0.0].into(),
    }
}
