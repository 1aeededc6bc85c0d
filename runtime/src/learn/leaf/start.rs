//! Where the parameters of leaves start.

use super::family::{distribution, learning};
use super::plan::{LeafPlan, PlannedLeaf};
use super::ranges::{ObservedRange, ObservedRanges};
use pelton_compiler::choice::unit;
use pelton_compiler::circuit::{
    CircuitGraph, LeafId, ParamId, ParamKind, ParameterValue, ValueSet,
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
pub fn start(
    circuit: &CircuitGraph,
    plan: &LeafPlan,
    ranges: &ObservedRanges,
    seed: u64,
    values: &mut [ParameterValue],
) {
    // Numbers other than those that weights are drawn from.
    let mut random = ChaCha8Rng::seed_from_u64(seed ^ u64::from_be_bytes(*b"leaves.."));
    // 1. What was given no value, by id, so that nothing else decides who draws which numbers.
    let scalars = plan.scalars.iter();
    let scalars = scalars.map(|scalar| (scalar.param, scalar.uses.start));
    let units = plan.vectors.iter().filter(|vector| vector.is_unit);
    let units = units.map(|vector| (vector.param, vector.uses.start));
    let is_open = |param| {
        let mut entries = circuit.entries(param).iter();
        entries.all(|entry| entry.value.is_none())
    };
    let open = scalars.chain(units).filter(|(param, _)| is_open(*param));
    let mut all: Vec<(ParamId, usize)> = open.collect();
    all.sort_by_key(|&(param, _)| param);
    // 2. Each starts where its family says, by what its first leaf sees of the data.
    for (param, first_use) in all {
        let own = plan.uses[first_use];
        let leaf = &plan.leaves[own.leaf];
        let draw = StartDraw {
            chance: [unit(&mut random), unit(&mut random)],
            seen: VisibleMoments::of(circuit, leaf, ranges),
            other: given(circuit, leaf.leaf, 1 - own.argument.min(1)),
        };
        let family = &distribution(circuit, leaf.leaf).family;
        let Some(found) = learning(family).start(own.argument, &draw) else {
            continue;
        };
        let parameter = circuit.parameter(param);
        let first = parameter.entries().start;
        if parameter.kind.adds_up() {
            values[first] = ParameterValue::Linear(1.0 - found);
            values[first + 1] = ParameterValue::Linear(found);
        } else {
            // Only a mean may be negative.
            let is_mean = parameter.kind == ParamKind::Real;
            let smallest = if is_mean { -1e300 } else { 1e-300 };
            values[first] = ParameterValue::Linear(found.clamp(smallest, 1e300));
        }
    }
}

/// The given value of another argument of the leaf.
fn given(circuit: &CircuitGraph, leaf: LeafId, argument: usize) -> Option<f64> {
    let param = *distribution(circuit, leaf).params.get(argument)?;
    Some(circuit.entries(param)[0].value?.linear())
}

/// What the start of a leaf's parameter is drawn from.
pub struct StartDraw {
    chance: [f64; 2],
    pub seen: VisibleMoments,
    /// The other of two parameters, if it is given.
    pub other: Option<f64>,
}

impl StartDraw {
    /// A standard normal variable, after Box and Muller.
    pub fn normal(&self) -> f64 {
        (-2.0 * (1.0 - self.chance[0]).ln()).sqrt() * (TAU * self.chance[1]).cos()
    }

    /// A factor that is 1 on average.
    pub fn factor(&self) -> f64 {
        0.6 + 0.8 * self.chance[0]
    }

    /// The mean of a positive variable.
    pub fn middle(&self) -> f64 {
        let VisibleMoments { mean, sd, .. } = self.seen;
        if mean > 0.0 { mean } else { sd }
    }

    pub fn count(&self) -> f64 {
        self.seen.mean.max(0.0)
    }

    /// A probability near `p`, for which the mean is what it is.
    pub fn probability(&self, p: f64) -> f64 {
        (p * self.factor()).clamp(p.min(0.02), 0.98).max(1e-9)
    }
}

/// The moments of the data that a leaf can see.
#[derive(Clone, Copy, Debug)]
pub struct VisibleMoments {
    pub mean: f64,
    pub sd: f64,
    pub log_mean: f64,
    pub log_sd: f64,
}

impl VisibleMoments {
    fn of(circuit: &CircuitGraph, leaf: &PlannedLeaf, ranges: &ObservedRanges) -> Self {
        let of = circuit.leaf(leaf.leaf);
        let range = ranges.range(of.variable.index());
        let whole = VisibleMoments {
            mean: range.mean(),
            sd: range.spread(),
            log_mean: range.log_mean(),
            log_sd: range.log_spread(),
        };
        let truncation = distribution(circuit, leaf.leaf).truncation.as_ref();
        let set = truncation.filter(|_| leaf.is_truncated);
        let ends = set.and_then(|set| part(set, range));
        ends.map_or(whole, |ends| whole.within(ends))
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
        let (log_mean, log_half) = if low > 0.0 {
            ((low.ln() + high.ln()) / 2.0, (high / low).ln() / 2.0)
        } else {
            (mean.max(1e-300).ln(), self.log_sd)
        };
        let positive = |sd: f64, half: f64| if half > 0.0 { half } else { sd };
        VisibleMoments {
            mean,
            sd: positive(self.sd, half),
            log_mean,
            log_sd: positive(self.log_sd, log_half),
        }
    }
}

/// The longest part of a set's intervals that lies within the data, or an end of
/// the set where there are no data.
fn part(set: &ValueSet, range: &ObservedRange) -> Option<(f64, f64)> {
    let runs = set.runs().iter();
    let mut runs = runs.map(|(low, high)| (low.value(), high.value()));
    let seen = runs
        .clone()
        .map(|(low, high)| (low.max(range.min), high.min(range.max)));
    let longest = seen
        .filter(|(low, high)| low < high && range.n_cells > 0)
        .max_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)));
    longest.or_else(|| {
        let (reach, mean) = (2.0 * range.spread(), range.mean());
        let (low, high) = runs.next()?;
        Some(match (low.is_finite(), high.is_finite()) {
            (true, true) => (low, high),
            (true, false) => (low, low + reach),
            (false, true) => (high - reach, high),
            (false, false) => (mean - reach, mean + reach),
        })
    })
}
