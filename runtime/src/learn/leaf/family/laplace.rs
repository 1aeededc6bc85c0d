//! Learning `laplace`: the median, and the mean distance from it.
//!
//! Flow is known by its distance from the mean that it was computed with (a
//! [`FlowGrid`](pelton_compiler::flow::FlowGrid)). As moved there to the ends of bins it is
//! never worth more than the data are, and exactly as much for the old mean; so the median of
//! the moved flow never lowers Q, and is as near to that of the data as the bins around it are
//! wide. Those of the next step are finer there.

use super::{
    ClosedForm, ClosedTerm, LeafLearning, LeafParameters, LeafStatistics, LearnedLeaf,
    ObservedRange, ParameterBounds, StartDraw, sum,
};
use pelton_compiler::circuit::{LaplaceDistribution, NormalDistribution};
use std::f64::consts::FRAC_1_SQRT_2;

/// The median of one leaf. Those of several leaves say little about their common one.
static MEDIAN: ClosedForm = ClosedForm {
    add: |_, _| [f64::NAN; 4],
    maximum: |[median, ..]| median,
};

/// Mean distances: flow, and that times distances.
static DISTANCE: ClosedForm = ClosedForm {
    add: sum,
    maximum: |[flow, distance, ..]| {
        if flow > 0.0 {
            distance / flow
        } else {
            f64::INFINITY
        }
    },
};

impl LeafLearning for LaplaceDistribution {
    fn closed_term(&self, argument: usize, leaf: &LearnedLeaf) -> Option<ClosedTerm> {
        let own = leaf.own;
        if argument == 0 {
            return Some(ClosedTerm::new(&MEDIAN, [median(own)]));
        }
        let mean = leaf.params[0].linear();
        let distances = own.points.iter().map(|&(x, flow)| flow * (x - mean).abs());
        let numbers = [own.flow - leaf.entropy, distances.sum()];
        Some(ClosedTerm::new(&DISTANCE, numbers))
    }

    fn width(&self, params: LeafParameters) -> f64 {
        params[1].linear()
    }

    fn bounds(&self, argument: usize, range: &ObservedRange) -> ParameterBounds {
        NormalDistribution.bounds(argument, range)
    }

    fn start(&self, argument: usize, draw: &StartDraw) -> Option<f64> {
        let found = NormalDistribution.start(argument, draw)?;
        // A scale is that part of the standard deviation.
        Some(if argument == 0 {
            found
        } else {
            found * FRAC_1_SQRT_2
        })
    }
}

/// The least value that half of the flow does not exceed.
fn median(own: &LeafStatistics) -> f64 {
    let mut below = 0.0;
    let is_reached = |&&(_, flow): &&(f64, f64)| {
        below += flow;
        below >= own.flow / 2.0
    };
    let found = own.points.iter().find(is_reached).or(own.points.last());
    found.map_or(f64::NAN, |point| point.0)
}
