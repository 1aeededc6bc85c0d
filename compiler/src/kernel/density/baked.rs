//! Prepared leaves as plain numbers, for code that is compiled ahead of time.

use super::form::{CountTerm, DensityShape};
use super::{PreparedDensities, PreparedLeaf};
use crate::leaf::counts::{CountDistribution, share};
use crate::leaf::saddle::SuccessProbability;

/// A leaf's formula and its constants.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BakedDensity {
    pub kind: DensityFormula,
    /// What the formula is made of, in the order that [`DensityFormula`] tells.
    pub constants: [f64; 9],
    /// Where a piecewise constant density changes.
    pub breaks: Vec<f64>,
    /// What it is in between.
    pub logs: Vec<f64>,
    /// Closed intervals on which the leaf can be positive.
    pub intervals: Vec<(f64, f64)>,
    /// The logarithm for a missing cell, base 2.
    pub missing: f64,
}

/// Which formula a leaf has, by its number in the data; what its constants are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DensityFormula {
    /// constant
    Flat,
    /// constant, mean, scale
    Bell,
    /// constant, slope
    Line,
    /// constant, mean, slope
    Tent,
    /// constant, mean, scale
    LogBell,
    /// constant, slope, slope of the logarithm
    LogLine,
    /// none
    Steps,
    /// constant, slope
    Factorial,
    /// constant, slope, trials
    Successes,
    /// constant, slope, successes
    Failures,
    /// constant, slope, rate
    Poisson,
    /// constant, slope, trials, chances of failure and success, their logarithms
    Binomial,
    /// constant, slope, successes, chances of failure and success, their logarithms
    Waiting,
    /// constant, slope, good ones, chances of not being drawn and of it, their logarithms,
    /// bad ones, draws
    Drawing,
    /// constant, slope, shape, rate
    Gamma,
}

impl PreparedDensities {
    /// All leaves as numbers.
    pub(crate) fn baked(&self) -> Vec<BakedDensity> {
        self.leaves.iter().map(|leaf| self.bake(leaf)).collect()
    }

    fn bake(&self, leaf: &PreparedLeaf) -> BakedDensity {
        let constant = leaf.form.constant;
        let (kind, numbers) = formula(&leaf.form.shape);
        // Steps have no use for a constant, and no room.
        let mut constants = [0.0; 9];
        if kind != DensityFormula::Steps {
            constants[0] = constant;
            constants[1..=numbers.len()].copy_from_slice(&numbers);
        }
        let (breaks, logs) = match &leaf.form.shape {
            DensityShape::Steps { breaks, logs } => (breaks.to_vec(), logs.to_vec()),
            _ => (Vec::new(), Vec::new()),
        };
        BakedDensity {
            kind,
            constants,
            breaks,
            logs,
            intervals: self.regions.intervals(leaf.region).to_vec(),
            missing: leaf.missing,
        }
    }
}

/// The formula of a shape and its constants behind the first.
fn formula(shape: &DensityShape) -> (DensityFormula, Vec<f64>) {
    match *shape {
        DensityShape::Flat => (DensityFormula::Flat, Vec::new()),
        DensityShape::Bell { mean, scale } => (DensityFormula::Bell, vec![mean, scale]),
        DensityShape::LogBell { mean, scale } => (DensityFormula::LogBell, vec![mean, scale]),
        DensityShape::Line { slope } => (DensityFormula::Line, vec![slope]),
        DensityShape::Tent { mean, slope } => (DensityFormula::Tent, vec![mean, slope]),
        DensityShape::LogLine { slope, log_slope } => {
            (DensityFormula::LogLine, vec![slope, log_slope])
        }
        DensityShape::Steps { .. } => (DensityFormula::Steps, Vec::new()),
        DensityShape::Count { slope, term } => {
            let (kind, more) = count(term);
            (kind, [vec![slope], more].concat())
        }
    }
}

fn count(term: CountTerm) -> (DensityFormula, Vec<f64>) {
    let numbers = |n: f64, c: SuccessProbability| vec![n, c.q, c.p, c.log_q, c.log_p];
    match term {
        CountTerm::Factorial => (DensityFormula::Factorial, Vec::new()),
        CountTerm::Successes { trials } => (DensityFormula::Successes, vec![trials]),
        CountTerm::Failures { successes } => (DensityFormula::Failures, vec![successes]),
        CountTerm::Gamma { shape, rate } => (DensityFormula::Gamma, vec![shape, rate]),
        CountTerm::Whole(counts) => match counts {
            CountDistribution::Poisson { rate } => (DensityFormula::Poisson, vec![rate]),
            CountDistribution::Binomial { trials, chance } => {
                (DensityFormula::Binomial, numbers(trials, chance))
            }
            CountDistribution::Waiting { successes, chance } => {
                (DensityFormula::Waiting, numbers(successes, chance))
            }
            CountDistribution::Drawing { good, bad, draws } => {
                let chance = share(draws, good + bad);
                let numbers = [numbers(good, chance), vec![bad, draws]].concat();
                (DensityFormula::Drawing, numbers)
            }
        },
    }
}
