//! Prepared leaves as plain numbers, for code that is compiled ahead of time.

use super::form::{CountTerm, Form};
use super::{Densities, Prepared};
use crate::leaf::counts::{Counts, share};
use crate::leaf::saddle::Chance;

/// A leaf's formula and its constants.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Baked {
    pub kind: Kind,
    /// What the formula is made of, in the order that [`Kind`] tells.
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
pub(crate) enum Kind {
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

impl Densities {
    /// All leaves as numbers.
    pub(crate) fn baked(&self) -> Vec<Baked> {
        self.leaves.iter().map(|leaf| self.bake(leaf)).collect()
    }

    fn bake(&self, leaf: &Prepared) -> Baked {
        let (kind, numbers) = formula(&leaf.form);
        let mut constants = [0.0; 9];
        constants[..numbers.len()].copy_from_slice(&numbers);
        let (breaks, logs) = match &leaf.form {
            Form::Steps { breaks, logs } => (breaks.to_vec(), logs.to_vec()),
            _ => (Vec::new(), Vec::new()),
        };
        Baked {
            kind,
            constants,
            breaks,
            logs,
            intervals: self.regions.intervals(leaf.region).to_vec(),
            missing: leaf.missing,
        }
    }
}

fn formula(form: &Form) -> (Kind, Vec<f64>) {
    match *form {
        Form::Flat(constant) => (Kind::Flat, vec![constant]),
        Form::Bell {
            mean,
            scale,
            constant,
        } => (Kind::Bell, vec![constant, mean, scale]),
        Form::LogBell {
            mean,
            scale,
            constant,
        } => (Kind::LogBell, vec![constant, mean, scale]),
        Form::Line { constant, slope } => (Kind::Line, vec![constant, slope]),
        Form::Tent {
            mean,
            slope,
            constant,
        } => (Kind::Tent, vec![constant, mean, slope]),
        Form::LogLine {
            constant,
            slope,
            log_slope,
        } => (Kind::LogLine, vec![constant, slope, log_slope]),
        Form::Steps { .. } => (Kind::Steps, Vec::new()),
        Form::Count {
            constant,
            slope,
            term,
        } => {
            let (kind, more) = count(term);
            (kind, [vec![constant, slope], more].concat())
        }
    }
}

fn count(term: CountTerm) -> (Kind, Vec<f64>) {
    match term {
        CountTerm::Factorial => (Kind::Factorial, Vec::new()),
        CountTerm::Successes { trials } => (Kind::Successes, vec![trials]),
        CountTerm::Failures { successes } => (Kind::Failures, vec![successes]),
        CountTerm::Whole(counts) => whole(counts),
        CountTerm::Gamma { shape, rate } => (Kind::Gamma, vec![shape, rate]),
    }
}

fn whole(counts: Counts) -> (Kind, Vec<f64>) {
    let numbers = |n: f64, c: Chance| vec![n, c.q, c.p, c.log_q, c.log_p];
    match counts {
        Counts::Poisson { rate } => (Kind::Poisson, vec![rate]),
        Counts::Binomial { trials, chance } => (Kind::Binomial, numbers(trials, chance)),
        Counts::Waiting { successes, chance } => (Kind::Waiting, numbers(successes, chance)),
        Counts::Drawing { good, bad, draws } => {
            let chance = share(draws, good + bad);
            let numbers = [numbers(good, chance), vec![bad, draws]].concat();
            (Kind::Drawing, numbers)
        }
    }
}
