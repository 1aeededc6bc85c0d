//! What the leaves of one variable share for a tile of samples.

use super::form::{CountTerm, ln_or_zero};
use super::region::Regions;

/// The most samples of a tile; a tile of fewer leaves the rest alone.
pub(super) const LANES: usize = 64;

/// A number for each sample.
pub(super) type DensityLanes = [f64; LANES];
/// All ones or all zeros for each sample.
pub(super) type Mask = [u64; LANES];

/// The cells of one variable, and what was computed from them.
pub(super) struct DensityTile<'a> {
    regions: &'a Regions,
    /// The cells; 0 for those that are missing or infinite.
    pub x: DensityLanes,
    /// Which cells are missing.
    pub missing: Mask,
    /// Whether any is.
    pub any_missing: bool,
    raw: DensityLanes,
    ln_x: Option<DensityLanes>,
    mask: Option<(usize, Mask)>,
    term: Option<(CountTerm, DensityLanes)>,
}

impl<'a> DensityTile<'a> {
    #[inline(always)]
    pub fn new(regions: &'a Regions, cells: &[f64]) -> Self {
        // Cells that are missing or infinite become 0, so that no formula meets them; masks say
        // which they were.
        let mut raw = [f64::NAN; LANES];
        raw[..cells.len()].copy_from_slice(cells);
        let (mut x, mut missing) = ([0.0; LANES], [0; LANES]);
        for ((x, missing), &raw) in x.iter_mut().zip(&mut missing).zip(&raw) {
            *x = if raw.abs() <= f64::MAX { raw } else { 0.0 };
            *missing = if raw.is_nan() { u64::MAX } else { 0 };
        }
        DensityTile {
            regions,
            x,
            missing,
            any_missing: missing[..cells.len()].iter().any(|&is| is != 0),
            raw,
            ln_x: None,
            mask: None,
            term: None,
        }
    }

    /// Natural logarithms of the cells, 0 where there is none.
    pub fn ln_x(&mut self) -> &DensityLanes {
        let x = &self.x;
        self.ln_x.get_or_insert_with(|| x.map(ln_or_zero))
    }

    /// Which cells are in a region; none that is missing.
    #[inline(always)]
    pub fn inside(&mut self, region: usize) -> &Mask {
        let mask = match self.mask {
            Some((known, mask)) if known == region => mask,
            _ => self.regions.mask(region, &self.raw),
        };
        &self.mask.insert((region, mask)).1
    }

    /// The logarithms of a term of counts, base 2; -inf where there is none.
    pub fn count_term(&mut self, term: CountTerm) -> &DensityLanes {
        let logs = match self.term {
            Some((known, logs)) if known == term => logs,
            _ => self.x.map(|k| {
                if k >= 0.0 {
                    term.log2(k)
                } else {
                    f64::NEG_INFINITY
                }
            }),
        };
        &self.term.insert((term, logs)).1
    }
}
