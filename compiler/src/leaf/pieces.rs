//! Entropy from parts of a density that are known up to a common factor.
//!
//! Every part is measured against its own peak, so that nothing is lost far out
//! in a tail; all terms but those of distant parts are positive, so that small
//! entropies keep their digits.

/// A part of a density around its peak. Weights are relative to the peak's.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DensityPiece {
    /// The logarithm of the peak's weight.
    pub log_weight: f64,
    /// The logarithm of the density at the peak, minus `log_weight`: another number
    /// than 0 where the weight is that of a transformed variable.
    pub offset: f64,
    /// Weight of the peak itself: 1 for counts, 0 for a point of the real axis.
    pub point: f64,
    /// Weight of everything else.
    pub rest: f64,
    /// Everything's weight times what is averaged: for entropy, how far the
    /// logarithm of the density falls below the peak's.
    pub fall: f64,
}

impl DensityPiece {
    /// Weight of the whole part.
    pub fn mass(&self) -> f64 {
        self.point + self.rest
    }
}

/// The entropy of all parts together; 0 if there are none.
pub(super) fn entropy_of_pieces(pieces: &[DensityPiece]) -> f64 {
    let with_mass = || pieces.iter().filter(|piece| piece.mass() > 0.0);
    let tops = with_mass().map(|piece| piece.log_weight);
    let top = tops.fold(f64::NEG_INFINITY, f64::max);
    if !top.is_finite() {
        return 0.0;
    }
    // One top's point is left out of the total, to be added inside the logarithm.
    let (mut rest, mut fall, mut point) = (0.0, 0.0, None);
    for piece in with_mass() {
        let scale = (piece.log_weight - top).exp();
        let own = if piece.log_weight == top && point.is_none() {
            point = Some(piece.point);
            piece.rest
        } else {
            piece.mass()
        };
        rest += scale * own;
        let shift = piece.log_weight - top + piece.offset;
        if scale > 0.0 {
            fall += scale * (piece.fall - shift * piece.mass());
        }
    }
    match point {
        Some(1.0) => rest.ln_1p() + fall / (1.0 + rest),
        _ => rest.ln() + fall / rest,
    }
}

/// The entropy of a table of logarithms of probabilities, each spread evenly over
/// a set whose measure's logarithm stands beside it.
pub(super) fn entropy_of_table(logs: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let positive = || logs.clone().filter(|(log, _)| *log > f64::NEG_INFINITY);
    let (top, _) = positive().fold((f64::NEG_INFINITY, 0.0), |best, term| {
        if term.0 > best.0 { term } else { best }
    });
    let (mut rest, mut fall, mut is_first) = (0.0, 0.0, true);
    for (log, log_size) in positive() {
        let scale = (log - top).exp();
        if log == top && is_first {
            is_first = false
        } else {
            rest += scale
        }
        fall += scale * (log_size - (log - top));
    }
    if is_first {
        0.0
    } else {
        f64::ln_1p(rest) + fall / (1.0 + rest)
    }
}
