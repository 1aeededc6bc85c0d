//! Flow by distance from where a leaf is: for families that no few moments tell all about.
//!
//! Distances are measured in the leaf's own width and fall into bins, two for each power of
//! two on either side of its location. Of each bin the flow and its mean are known. Moved to
//! the ends of its bin so that the mean stays, flow gives a concave log-density too little and
//! never too much, and exactly what it is worth where the density is linear in the bin: for
//! `laplace` with the parameters that the flow was computed with. What is better for the
//! moved flow is therefore better for the data.

use crate::circuit::{CircuitGraph, Distribution, ParameterValue};

/// Two bins for each power of two: the exponent and one bit of the mantissa.
const SHIFT: u32 = 51;
/// The nearest end of a bin, 2^-24 widths away.
const FIRST: u64 = (1023 - 24) << 1;
/// The farthest of them, 2^20 widths away.
const LAST: u64 = (1023 + 20) << 1;
/// Where the outermost bins end, in widths. Flow beyond counts as if it were there.
const FARTHEST: f64 = f64::from_bits((1023 + 200) << 52);
/// Bins on each side.
const N_SIDE: usize = (LAST - FIRST) as usize + 2;

/// Bins around a location.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowGrid {
    centre: f64,
    width: f64,
}

impl FlowGrid {
    /// Numbers that are added up: flow of missing cells, flow in each bin, and that times
    /// the distance from the location in widths.
    pub const N_NUMBERS: usize = 1 + 4 * N_SIDE;

    /// The bins of a leaf whose first parameter is its location and whose second its width.
    pub fn of(
        circuit: &CircuitGraph,
        values: &[ParameterValue],
        distribution: &Distribution,
    ) -> Self {
        let first = |at: usize| circuit.parameter(distribution.params[at]).entries().start;
        FlowGrid {
            centre: values[first(0)].linear(),
            width: values[first(1)].linear(),
        }
    }

    /// Adds the flow of an observed cell.
    #[inline]
    pub fn add(&self, x: f64, flow: f64, numbers: &mut [f64]) {
        let distance = (x - self.centre) / self.width;
        // The bin is read off the bits of the distance: its exponent and the first bit behind
        // it.
        let bits = distance.abs().to_bits() >> SHIFT;
        let side = (bits.clamp(FIRST - 1, LAST) - (FIRST - 1)) as usize;
        let bin = if distance < 0.0 {
            N_SIDE - 1 - side
        } else {
            N_SIDE + side
        };
        numbers[1 + bin] += flow;
        numbers[1 + 2 * N_SIDE + bin] += flow * distance;
    }

    /// Values with the flow that is moved to them, rising.
    pub fn points(&self, numbers: &[f64]) -> Vec<(f64, f64)> {
        let mut points: Vec<(f64, f64)> = Vec::new();
        let mut add = |distance: f64, flow: f64| match points.last_mut() {
            Some(last) if last.0 == distance => last.1 += flow,
            _ if flow > 0.0 => points.push((distance, flow)),
            _ => {}
        };
        for bin in 0..2 * N_SIDE {
            let (flow, total) = (numbers[1 + bin], numbers[1 + 2 * N_SIDE + bin]);
            let (low, high) = (end(bin), end(bin + 1));
            if flow <= 0.0 {
                continue;
            }
            let mean = (total / flow).clamp(low, high);
            // The part at the end away from the location, which is tiny where that end is far
            // out: as the rest of the other part it would be lost.
            let is_below = bin < N_SIDE;
            let from_near = if is_below { high - mean } else { mean - low };
            let far = flow * (from_near / (high - low));
            add(low, if is_below { far } else { flow - far });
            add(high, if is_below { flow - far } else { far });
        }
        for point in &mut points {
            point.0 = self.centre + self.width * point.0;
        }
        points
    }
}

/// The lower end of a bin, in widths.
fn end(bin: usize) -> f64 {
    let distance = match bin.abs_diff(N_SIDE) {
        0 => 0.0,
        N_SIDE => FARTHEST,
        side => f64::from_bits((FIRST + side as u64 - 1) << SHIFT),
    };
    if bin < N_SIDE { -distance } else { distance }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moved_flow_keeps_its_mean_and_every_distance_from_the_location() {
        let grid = FlowGrid {
            centre: 3.0,
            width: 0.25,
        };
        let rows = [3.0, 2.9, 3.1, 3.0 + 1e-9, -40.0, 7.5, 7.6, 1e9, 3.25, -1e12];
        let mut numbers = vec![0.0; FlowGrid::N_NUMBERS];
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 { rows.iter().map(|&x| 0.5 * of(x)).sum() };
        rows.iter().for_each(|&x| grid.add(x, 0.5, &mut numbers));
        let points = grid.points(&numbers);
        assert!(points.is_sorted_by(|a, b| a.0 < b.0), "{points:?}");
        let moved = |of: &dyn Fn(f64) -> f64| -> f64 { points.iter().map(|p| p.1 * of(p.0)).sum() };
        for of in [&|_| 1.0, &|x: f64| x, &|x: f64| (x - 3.0).abs()] as [&dyn Fn(f64) -> f64; 3] {
            let (found, wanted) = (moved(of), sum(of));
            let error = (found - wanted).abs();
            assert!(
                error <= 1e-12 * sum(&|x| of(x).abs()),
                "{found} is not {wanted}"
            );
        }
        // Elsewhere distances are never less than they are.
        for m in [2.0, 2.95, 3.05, 7.55, 3.0 + 1e-8] {
            let distance = |x: f64| (x - m).abs();
            assert!(moved(&distance) >= sum(&distance) * (1.0 - 1e-12));
        }
    }
}
