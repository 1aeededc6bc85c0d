//! Prepared leaves as plain numbers, for code that is compiled ahead of time.

use super::form::{CountTerm, LogDensityForm};
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
        let (kind, numbers) = formula(&leaf.form);
        let mut constants = [0.0; 9];
        constants[..numbers.len()].copy_from_slice(&numbers);
        let (breaks, logs) = match &leaf.form {
            LogDensityForm::Steps { breaks, logs } => (breaks.to_vec(), logs.to_vec()),
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

fn formula(form: &LogDensityForm) -> (DensityFormula, Vec<f64>) {
    match *form {
        LogDensityForm::Flat(constant) => (DensityFormula::Flat, vec![constant]),
        LogDensityForm::Bell {
            mean,
            scale,
            constant,
        } => (DensityFormula::Bell, vec![constant, mean, scale]),
        LogDensityForm::LogBell {
            mean,
            scale,
            constant,
        } => (DensityFormula::LogBell, vec![constant, mean, scale]),
        LogDensityForm::Line { constant, slope } => (DensityFormula::Line, vec![constant, slope]),
        LogDensityForm::Tent {
            mean,
            slope,
            constant,
        } => (DensityFormula::Tent, vec![constant, mean, slope]),
        LogDensityForm::LogLine {
            constant,
            slope,
            log_slope,
        } => (DensityFormula::LogLine, vec![constant, slope, log_slope]),
        LogDensityForm::Steps { .. } => (DensityFormula::Steps, Vec::new()),
        LogDensityForm::Count {
            constant,
            slope,
            term,
        } => {
            let (kind, more) = count(term);
            (kind, [vec![constant, slope], more].concat())
        }
    }
}

fn count(term: CountTerm) -> (DensityFormula, Vec<f64>) {
    match term {
        CountTerm::Factorial => (DensityFormula::Factorial, Vec::new()),
        CountTerm::Successes { trials } => (DensityFormula::Successes, vec![trials]),
        CountTerm::Failures { successes } => (DensityFormula::Failures, vec![successes]),
        CountTerm::Whole(counts) => whole(counts),
        CountTerm::Gamma { shape, rate } => (DensityFormula::Gamma, vec![shape, rate]),
    }
}

fn whole(counts: CountDistribution) -> (DensityFormula, Vec<f64>) {
    let numbers = |n: f64, c: SuccessProbability| vec![n, c.q, c.p, c.log_q, c.log_p];
    match counts {
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
    }
}
