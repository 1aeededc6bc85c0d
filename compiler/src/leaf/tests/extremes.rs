//! Parameters and places where formulas for ordinary ones lose their digits.
//!
//! The constants are logarithms, computed with mpmath 1.3 at 60 digits: `erfc` for normal
//! tails; `loggamma` for probabilities and densities; quadrature of the density outwards
//! from the edge, on the scale of logarithms (gamma) or log-odds (beta), for other tails.

use super::*;
use crate::circuit::{
    BernoulliDistribution, BinomialDistribution, GammaDistribution, GeometricDistribution,
    HypergeometricDistribution, LogNormalDistribution, NegativeBinomialDistribution,
    NormalDistribution, PoissonDistribution,
};

/// Logarithms agree as far as they have digits, and the probabilities to 1e-13.
#[track_caller]
fn exact(found: f64, expected: f64) {
    let error = (found - expected).abs();
    let allowed = 1e-13_f64.max(4.0 * f64::EPSILON * expected.abs());
    assert!(error <= allowed, "{found} is not {expected} ({error:e})");
}

#[test]
fn normal_tails() {
    let standard = real(Family::Normal(NormalDistribution), &[0.0, 1.0]);
    let known = [
        (1.0, -1.841_021_645_009_263_6),
        (5.0, -15.064_998_393_988_725),
        (10.0, -53.231_285_150_512_47),
        (20.0, -203.917_155_371_097_27),
        (38.0, -726.557_216_018_820_1),
        (40.0, -804.608_442_013_753_8),
        (100.0, -5_005.524_208_694_205),
    ];
    for (z, log) in known {
        exact(mass(&standard, z, INF), log);
        exact(mass(&standard, NOTHING, -z), log);
    }
    exact(mass(&standard, 10.0, 11.0), -53.231_310_225_583_12);
    exact(mass(&standard, 1.0, 1.001), -8.327_193_937_145_234);
    let conditional = mass(&standard, 40.0, INF) - mass(&standard, 39.0, INF);
    assert!((conditional + 39.525_285_449_376_24).abs() < 3e-13);
    // The place in standard deviations is rounded, and its square is large.
    let other = real(Family::Normal(NormalDistribution), &[0.1, 0.3]);
    exact(mass(&other, 3.1, INF), -53.231_285_150_512_48);
    let set = ValueSet::between(Cut::before(10.0), Cut::before(12.0), false);
    let cut = one_leaf(
        Domain::Real,
        Family::Normal(NormalDistribution),
        &[&[0.0], &[1.0]],
        Some(set),
    );
    exact(density(&cut, 10.5), -2.812_653_382_459_063_6);
}

#[test]
fn large_rates_and_shapes() {
    let busy = count(Family::Poisson(PoissonDistribution), &[1e12]);
    exact(density(&busy, 1e12), -14.734_449_091_169_03);
    exact(mass(&busy, 0.0, 1e12 + 1.0), -0.693_146_648_637_046_2);
    exact(mass(&busy, 1e12 + 7e6 + 1.0, INF), -27.384_253_967_406_885);
    exact(mass(&busy, 1e12, 1e12 + 1000.0), -7.826_693_978_853_424);
    let long = real(Family::Gamma(GammaDistribution), &[1e12, 0.3]);
    exact(
        density(&long, 3_333_343_333_333.333_5),
        -20.438_415_895_546_18,
    );
    exact(
        mass(&long, 3_333_343_333_333.333_5, INF),
        -6.607_717_466_639_678,
    );
    // Nearly all mass lies below any place; what lies above is not what rounding leaves.
    let short = real(Family::Gamma(GammaDistribution), &[1e-10, 1.0]);
    exact(mass(&short, 1e-5, INF), -20.633_816_453_181_883);
}

#[test]
fn rare_successes() {
    let p = 1e-16;
    let geometric = count(Family::Geometric(GeometricDistribution), &[1.0 - p, p]);
    exact(density(&geometric, 1e15), -36.941_361_487_904_73);
    exact(mass(&geometric, 1e15, INF), -0.1);
    let nats = entropy(
        &geometric,
        &geometric.start_values(),
        &geometric.leaves()[0],
    );
    exact(nats, 37.841_361_487_904_73);
    let failures = Family::NegativeBinomial(NegativeBinomialDistribution { successes: 3 });
    let waiting = count(failures, &[1.0 - 1e-12, 1e-12]);
    exact(density(&waiting, 5e12), -30.105_292_471_622_192);
    exact(mass(&waiting, 5e12, INF), -2.082_229_267_918_086);
    let trials = Family::Binomial(BinomialDistribution {
        trials: 4_000_000_000,
    });
    let never = density(&count(trials.clone(), &[1.0, 1e-17]), 0.0);
    assert!((never / -4e-8 - 1.0).abs() < 1e-13, "{never}");
    let coin = one_leaf(
        Domain::Bool,
        Family::Bernoulli(BernoulliDistribution),
        &[&[1.0, 1e-17]],
        None,
    );
    assert_eq!(density(&coin, 0.0), -1e-17);
    let some = count(trials, &[0.7, 0.3]);
    exact(density(&some, 1_200_030_000.0), -11.729_113_635_593_658);
    exact(mass(&some, 1_200_100_000.0, INF), -8.180_731_556_654_388);
}

#[test]
fn many_draws() {
    let family = Family::Hypergeometric(HypergeometricDistribution {
        population: u32::MAX,
        successes: 2_000_000_000,
        draws: 1_000_000_000,
    });
    let drawn = one_leaf(Domain::Nat, family, &[], None);
    exact(density(&drawn, 465_700_000.0), -14.378_042_454_649_576);
}

#[test]
fn tails_that_meet_add_up_to_all() {
    let leaves = [
        real(Family::Normal(NormalDistribution), &[3.0, 1e-3]),
        real(Family::LogNormal(LogNormalDistribution), &[5.0, 40.0]),
        real(Family::Gamma(GammaDistribution), &[1e-3, 2.0]),
        real(Family::Gamma(GammaDistribution), &[0.4, 1e300]),
        real(Family::Gamma(GammaDistribution), &[1e15, 1e-3]),
        count(Family::Poisson(PoissonDistribution), &[9_999.0]),
        count(Family::Poisson(PoissonDistribution), &[1e14]),
        count(
            Family::Binomial(BinomialDistribution { trials: 30_000 }),
            &[0.5, 0.5],
        ),
        count(
            Family::NegativeBinomial(NegativeBinomialDistribution { successes: 70_000 }),
            &[0.999, 0.001],
        ),
    ];
    for leaf in leaves {
        let values = leaf.start_values();
        let of = &leaf.leaves()[0];
        let all = leaf.variable(of.variable).domain.full();
        let (mean, _) = mean_and_variance(&leaf, &values, of, &all);
        for factor in [0.5, 0.99, 0.9999, 1.0, 1.0001, 1.01, 2.0] {
            let at = if leaf.variable(of.variable).domain.is_discrete() {
                (mean * factor).floor()
            } else {
                mean.min(1e300) * factor
            };
            let total = mass(&leaf, NOTHING, at).exp() + mass(&leaf, at, INF).exp();
            assert!((total - 1.0).abs() < 1e-13, "{of:?} at {at}: {total}");
        }
    }
}
