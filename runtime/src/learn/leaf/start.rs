//! Where the parameters of leaves start.

use super::plan::{Density, LeafPlan, PlannedLeaf, Use};
use super::ranges::{Range, Ranges};
use pelton_compiler::choice::unit;
use pelton_compiler::circuit::{
    BinomialDistribution, Circuit, Family, GeometricDistribution, LeafId, LeafKind,
    NegativeBinomialDistribution, ParamId, ParamKind, Value, ValueSet,
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::f64::consts::TAU;

/// Draws a value for every learned number of a leaf that was given none, and for
/// learned probabilities of `binomial`, `geometric` and `negative_binomial`.
///
/// Values are such as the column's moments suggest, moved a little by chance so
/// that the leaves of a mixture differ; means are spread like the data. A truncated
/// leaf starts among the data that it covers. The same seed gives the
/// same values, whatever the machine. Other probabilities are left as they are.
pub fn start(circuit: &Circuit, plan: &LeafPlan, ranges: &Ranges, seed: u64, values: &mut [Value]) {
    // Numbers other than those that weights are drawn from.
    let mut random = ChaCha8Rng::seed_from_u64(seed ^ u64::from_be_bytes(*b"leaves.."));
    let scalars = plan
        .scalars
        .iter()
        .map(|scalar| (scalar.param, &scalar.uses));
    let units = plan.vectors.iter().filter(|vector| vector.is_unit);
    let units = units.map(|vector| (vector.param, &vector.uses));
    let mut all: Vec<(ParamId, Use)> = scalars
        .chain(units)
        .filter(|(param, _)| {
            circuit
                .entries(*param)
                .iter()
                .all(|entry| entry.value.is_none())
        })
        .map(|(param, uses)| (param, plan.uses[uses.start]))
        .collect();
    all.sort_by_key(|&(param, _)| param);
    for (param, own) in all {
        let leaf = &plan.leaves[own.leaf];
        let draw = Draw {
            chance: [unit(&mut random), unit(&mut random)],
            sight: Sight::of(circuit, leaf, ranges),
            other: given(circuit, leaf.leaf, 1 - own.argument.min(1)),
        };
        let first = circuit.parameter(param).entries().start;
        match leaf.family {
            Density::Counted => {
                if let Some(p) = draw.probability(family(circuit, leaf.leaf)) {
                    values[first] = Value::Linear(1.0 - p);
                    values[first + 1] = Value::Linear(p);
                }
            }
            density => {
                let number = draw.number(density, own.argument);
                // Only a mean may be negative.
                let is_mean = circuit.parameter(param).kind == ParamKind::Real;
                let smallest = if is_mean { -1e300 } else { 1e-300 };
                values[first] = Value::Linear(number.clamp(smallest, 1e300));
            }
        }
    }
}

fn family(circuit: &Circuit, leaf: LeafId) -> Option<&Family> {
    match &circuit.leaf(leaf).kind {
        LeafKind::Distribution(distribution) => Some(&distribution.family),
        LeafKind::Indicator(_) => None,
    }
}

/// The given value of another argument of the leaf.
fn given(circuit: &Circuit, leaf: LeafId, argument: usize) -> Option<f64> {
    let LeafKind::Distribution(distribution) = &circuit.leaf(leaf).kind else {
        return None;
    };
    let param = *distribution.params.get(argument)?;
    Some(circuit.entries(param)[0].value?.linear())
}

/// What is drawn from.
struct Draw {
    chance: [f64; 2],
    sight: Sight,
    other: Option<f64>,
}

impl Draw {
    /// A standard normal variable, after Box and Muller.
    fn normal(&self) -> f64 {
        (-2.0 * (1.0 - self.chance[0]).ln()).sqrt() * (TAU * self.chance[1]).cos()
    }

    /// A factor that is 1 on average.
    fn factor(&self) -> f64 {
        0.6 + 0.8 * self.chance[0]
    }

    /// The same for a gamma distribution, whose mean it moves: less if it is narrow.
    fn shape_factor(&self, rate: f64, middle: f64) -> f64 {
        let narrowness = 1.0 / (rate * middle).sqrt();
        1.0 + (self.factor() - 1.0) * narrowness.min(1.0)
    }

    fn number(&self, density: Density, argument: usize) -> f64 {
        let Sight {
            mean,
            sd,
            log_mean,
            log_sd,
        } = self.sight;
        let middle = if mean > 0.0 { mean } else { sd };
        match (density, argument) {
            (Density::Normal, 0) => mean + sd * self.normal(),
            (Density::Normal, _) => sd,
            (Density::LogNormal, 0) => log_mean + log_sd * self.normal(),
            (Density::LogNormal, _) => log_sd,
            (Density::Poisson, _) => middle * self.factor(),
            (Density::Gamma, 0) => {
                let rate = self.other.unwrap_or(rate(middle, sd));
                middle * rate * self.shape_factor(rate, middle)
            }
            (Density::Gamma, _) => match self.other {
                Some(shape) => shape / middle * self.factor(),
                None => rate(middle, sd),
            },
            _ => self.factor() / middle,
        }
    }

    /// The probability of success for which the mean is what it is.
    fn probability(&self, family: Option<&Family>) -> Option<f64> {
        let mean = self.sight.mean.max(0.0);
        let p = match family? {
            Family::Binomial(BinomialDistribution { trials }) => mean / f64::from(*trials).max(1.0),
            Family::Geometric(GeometricDistribution) => 1.0 / (1.0 + mean),
            Family::NegativeBinomial(NegativeBinomialDistribution { successes }) => {
                let successes = f64::from(*successes).max(1.0);
                successes / (successes + mean)
            }
            _ => return None,
        };
        Some((p * self.factor()).clamp(p.min(0.02), 0.98).max(1e-9))
    }
}

/// The rate of a gamma distribution by its moments, but for shapes beyond reason.
fn rate(mean: f64, sd: f64) -> f64 {
    let sd = sd.max(0.01 * mean);
    mean / sd / sd
}

/// The moments of the data that a leaf can see.
#[derive(Clone, Copy, Debug)]
struct Sight {
    mean: f64,
    sd: f64,
    log_mean: f64,
    log_sd: f64,
}

impl Sight {
    fn of(circuit: &Circuit, leaf: &PlannedLeaf, ranges: &Ranges) -> Self {
        let of = circuit.leaf(leaf.leaf);
        let range = ranges.range(of.variable.index());
        let whole = Sight {
            mean: range.mean(),
            sd: range.spread(),
            log_mean: range.log_mean(),
            log_sd: range.log_spread(),
        };
        match &of.kind {
            LeafKind::Distribution(distribution) if leaf.is_truncated => {
                let set = distribution.truncation.as_ref();
                set.and_then(|set| part(set, range))
                    .map_or(whole, |ends| whole.within(ends))
            }
            _ => whole,
        }
    }

    /// What is between two places, both of them finite: as it is if that is where most
    /// of it lies, and otherwise their middle.
    fn within(self, (low, high): (f64, f64)) -> Self {
        let is_inside = |mean: f64, sd: f64| low <= mean - sd / 2.0 && mean + sd / 2.0 <= high;
        if is_inside(self.mean, self.sd) {
            return self;
        }
        let mean = low + (high - low) / 2.0;
        let half = (high - low) / 2.0;
        let (log_mean, log_half) = match low > 0.0 {
            true => ((low.ln() + high.ln()) / 2.0, (high / low).ln() / 2.0),
            false => (mean.max(1e-300).ln(), self.log_sd),
        };
        let positive = |sd: f64, half: f64| if half > 0.0 { half } else { sd };
        Sight {
            mean,
            sd: positive(self.sd, half),
            log_mean,
            log_sd: positive(self.log_sd, log_half),
        }
    }
}

/// The longest part of a set's intervals that lies within the data, or an end of
/// the set where there are no data.
fn part(set: &ValueSet, range: &Range) -> Option<(f64, f64)> {
    let runs = || {
        set.runs()
            .iter()
            .map(|(low, high)| (low.value(), high.value()))
    };
    let seen = runs().map(|(low, high)| (low.max(range.min), high.min(range.max)));
    let longest = seen
        .filter(|(low, high)| low < high && range.n_cells > 0)
        .max_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)));
    longest.or_else(|| {
        let reach = 2.0 * range.spread();
        runs()
            .next()
            .map(|(low, high)| match (low.is_finite(), high.is_finite()) {
                (true, true) => (low, high),
                (true, false) => (low, low + reach),
                (false, true) => (high - reach, high),
                (false, false) => (range.mean() - reach, range.mean() + reach),
            })
    })
}
