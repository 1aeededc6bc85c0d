//! Soft evidence, scaled cell by cell.
//!
//! Weights are only as large as whoever wrote them chose: likelihoods of sensors may be
//! 1e-300 or densities of 1e50, and what matters is how they compare. Each cell is
//! divided by a power of two, which is exact, so that its largest weight lies between 1
//! and 2 in either precision; the tile adds the exponent to the root's.

use super::FilledLanes;
use crate::data::SoftColumn;
use pelton_compiler::kernel::{Real, Tile};
use pelton_compiler::plan::{EvidenceLayout, PlanRow};

/// Writes a column of soft evidence, `[row][value]`, into a tile.
pub(super) fn fill<T: Real>(
    tile: &mut Tile<T>,
    layout: &EvidenceLayout,
    (weights, n_values): (&[f64], usize),
    lanes: FilledLanes,
) {
    let cell = |lane: usize| &weights[lanes.row(lane) * n_values..][..n_values];
    let exponents: Vec<i32> = (0..T::LANES).map(|lane| exponent(cell(lane))).collect();
    let weight = |lane: usize, value: usize| {
        let scaled = divided(cell(lane)[value], exponents[lane]);
        T::from_f64(scaled)
    };
    match *layout {
        // The reference takes numbers that are known softly.
        EvidenceLayout::Unused | EvidenceLayout::Reals { .. } => return,
        EvidenceLayout::Weights { first, n_values } => {
            for value in 0..n_values {
                let row = tile.weight_row(PlanRow(first.0 + value));
                for (lane, place) in row.iter_mut().enumerate() {
                    *place = weight(lane, value as usize);
                }
            }
        }
        EvidenceLayout::Codes { row, .. } => {
            for (value, row) in tile.soft_rows(row).enumerate() {
                for (lane, place) in row.iter_mut().enumerate() {
                    *place = weight(lane, value);
                }
            }
        }
    }
    for (lane, &exponent) in exponents.iter().enumerate() {
        let vanishes = |&weight: &f64| is_lost::<T>(weight, divided(weight, exponent));
        tile.add_scale(lane, exponent, cell(lane).iter().any(vanishes));
    }
}

/// Whether noise has weights that are positive and too small for kernels.
pub(super) fn vanishes<T: Real>(noise: &SoftColumn) -> bool {
    let mut weights = noise.observed.iter().chain(&noise.other);
    weights.any(|&weight| is_lost::<T>(weight, weight))
}

/// The power of two that brings a cell's largest weight to 1 or a little more.
fn exponent(cell: &[f64]) -> i32 {
    let largest = cell.iter().copied().fold(0.0, f64::max);
    if largest > 0.0 {
        Real::exponent(largest)
    } else {
        0
    }
}

/// In two steps, because the power alone may be larger than all numbers.
fn divided(weight: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    weight * f64::power_of_two(-half) * f64::power_of_two(half - exponent)
}

/// Whether a positive weight is no normal number any more.
fn is_lost<T: Real>(weight: f64, scaled: f64) -> bool {
    weight > 0.0 && scaled < f64::from(T::MIN_EXPONENT).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_weight_of_a_cell_is_about_one() {
        for weight in [1.0, 0.3, 7.0, 5e-324, 1e-310, 1e-300, 1e300, f64::MAX] {
            let exponent = exponent(&[0.0, weight]);
            let scaled = divided(weight, exponent);
            assert!(scaled < 2.0 && scaled > 1e-16, "{weight} became {scaled}");
            assert!(
                !weight.is_normal() || scaled >= 1.0,
                "{weight} became {scaled}"
            );
        }
        assert_eq!(exponent(&[0.0, 0.0]), 0);
    }

    #[test]
    fn what_is_too_small_beside_others_is_lost() {
        assert!(is_lost::<f32>(1e-40, 1e-40));
        assert!(!is_lost::<f64>(1e-40, 1e-40));
        assert!(!is_lost::<f32>(0.0, 0.0));
        assert!(is_lost::<f64>(1e-300, divided(1e-300, exponent(&[1e300]))));
    }
}
