//! Integrals of functions that fall from a peak.

/// Nodes and weights of Gauss and Legendre's rule of 16 points, its positive half.
const NODES: [(f64, f64); 8] = [
    (0.095_012_509_837_637_44, 0.189_450_610_455_068_5),
    (0.281_603_550_779_258_9, 0.182_603_415_044_923_6),
    (0.458_016_777_657_227_4, 0.169_156_519_395_002_54),
    (0.617_876_244_402_643_8, 0.149_595_988_816_576_73),
    (0.755_404_408_355_003, 0.124_628_971_255_533_87),
    (0.865_631_202_387_831_8, 0.095_158_511_682_492_79),
    (0.944_575_023_073_232_6, 0.062_253_523_938_647_89),
    (0.989_400_934_991_649_9, 0.027_152_459_411_754_1),
];

/// Panels of an integral. A log-concave function falls by [`NEGLIGIBLE`] over all
/// of them, about three in each: smooth enough for the rule's last digits.
const PANELS: u32 = 16;

/// The panels at both ends are halved towards the end so many times: near a peak
/// or the end of a support a function may change on a scale of its own.
const HALVINGS: i32 = 16;

/// A part that is so far below the peak, as a logarithm, counts for nothing.
pub(super) const NEGLIGIBLE: f64 = 46.0;

/// What one side of a peak weighs, and its weight times another function.
pub(in crate::leaf) type PeakSideIntegrals = (f64, f64);

/// Integrates `exp(-drop)` over `from..to`, and `value` times it.
pub(in crate::leaf) fn integrate(
    (from, to): (f64, f64),
    drop: impl Fn(f64) -> f64,
    value: impl Fn(f64) -> f64,
) -> PeakSideIntegrals {
    let (mut mass, mut fall) = (0.0, 0.0);
    for (low, high) in panels() {
        let half = (to - from) * (high - low) / 2.0;
        let middle = from + (to - from) * (low + high) / 2.0;
        for (node, weight) in NODES {
            for t in [middle - half * node, middle + half * node] {
                let part = half * weight * (-drop(t)).exp();
                mass += part;
                if part > 0.0 {
                    fall += part * value(t);
                }
            }
        }
    }
    (mass, fall)
}

/// The integral of a function that hardly changes, by one panel.
pub(in crate::leaf) fn gauss(from: f64, to: f64, value: impl Fn(f64) -> f64) -> f64 {
    let half = (to - from) / 2.0;
    let middle = from + half;
    let pair = |(node, weight): (f64, f64)| {
        let at = half * node;
        weight * (value(middle - at) + value(middle + at))
    };
    half * NODES.into_iter().map(pair).sum::<f64>()
}

/// The panels of an interval from 0 to 1.
fn panels() -> impl Iterator<Item = (f64, f64)> {
    let width = 1.0 / f64::from(PANELS);
    let ends = (0..=HALVINGS).map(move |n| {
        let high = width * 0.5_f64.powi(n);
        let low = if n == HALVINGS { 0.0 } else { high / 2.0 };
        (low, high)
    });
    let inner = (1..PANELS - 1).map(move |n| (width * f64::from(n), width * f64::from(n + 1)));
    let mirrored = ends.clone().map(|(low, high)| (1.0 - high, 1.0 - low));
    ends.chain(inner).chain(mirrored)
}

/// How far from the peak anything counts: where the rising `drop` has become
/// negligible, but not beyond `length`. `hint` is a distance to start from.
pub(in crate::leaf) fn extent(length: f64, hint: f64, drop: impl Fn(f64) -> f64) -> f64 {
    if length.is_finite() && drop(length) <= NEGLIGIBLE {
        return length;
    }
    let (mut inside, mut outside) = (0.0, hint.min(length).clamp(1e-290, 1e290));
    for _ in 0..2200 {
        if drop(outside) > NEGLIGIBLE || outside >= length {
            break;
        }
        inside = outside;
        outside = (outside * 2.0).min(length);
    }
    // The place need not be exact; a hint that is far too long is halved away.
    for _ in 0..2200 {
        if outside <= inside * 1.25 || drop(outside) < 1.25 * NEGLIGIBLE {
            break;
        }
        let middle = inside + (outside - inside) / 2.0;
        if drop(middle) > NEGLIGIBLE {
            outside = middle
        } else {
            inside = middle
        }
    }
    outside
}
