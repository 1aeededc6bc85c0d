//! Random leaves with a given support.

use crate::dice::Dice;
use crate::sketch::Sketch;
use pelton_compiler::circuit::{
    BernoulliDistribution, CategoricalDistribution, Domain, Family, GeometricDistribution,
    LaplaceDistribution, NormalDistribution, ParamKind, ParameterEntry, ParameterValue,
    PoissonDistribution, UnitId, ValueSet, VarId,
};

/// A leaf that is positive exactly on `set`.
pub(super) fn leaf(
    sketch: &mut Sketch,
    dice: &mut Dice,
    variable: VarId,
    set: &ValueSet,
) -> (UnitId, &'static str) {
    let domain = sketch.domain(variable).clone();
    let is_full = *set == domain.full();
    if !is_full && set.measure().is_finite() && dice.chance(40) {
        return (sketch.indicator(variable, set.clone()), "indicator");
    }
    let truncation = (!is_full).then(|| set.clone());
    match domain {
        Domain::Real => real(sketch, dice, variable, truncation),
        Domain::Nat => count(sketch, dice, variable, truncation),
        Domain::Bool if dice.chance(50) => {
            let params = [(ParamKind::Unit, entries(dice, &domain, set))];
            let unit = sketch.distribution(
                variable,
                Family::Bernoulli(BernoulliDistribution),
                &params,
                None,
            );
            (unit, "bernoulli")
        }
        _ => {
            let params = [(ParamKind::Simplex, entries(dice, &domain, set))];
            let unit = sketch.distribution(
                variable,
                Family::Categorical(CategoricalDistribution),
                &params,
                None,
            );
            (unit, "categorical")
        }
    }
}

/// Entries for all values of a finite domain, exact zeros outside the set.
fn entries(dice: &mut Dice, domain: &Domain, set: &ValueSet) -> Vec<ParameterEntry> {
    let size = domain.size().expect("finite domains have entries") as i64;
    let values = (0..size).map(|at| domain.first() + at as f64);
    let inside: Vec<bool> = values.map(|value| set.contains(value)).collect();
    let learned = dice.chance(30);
    let raw: Vec<f64> = inside
        .iter()
        .map(|&is_in| {
            if is_in {
                1.0 + dice.below(5) as f64
            } else {
                0.0
            }
        })
        .collect();
    let total: f64 = raw.iter().sum();
    let entry = |(&is_in, &weight): (&bool, &f64)| ParameterEntry {
        value: Some(ParameterValue::Linear(weight / total)),
        learned: is_in && learned,
    };
    inside.iter().zip(&raw).map(entry).collect()
}

fn real(
    sketch: &mut Sketch,
    dice: &mut Dice,
    variable: VarId,
    set: Option<ValueSet>,
) -> (UnitId, &'static str) {
    let mean = ParameterEntry {
        value: Some(ParameterValue::Linear(dice.below(7) as f64 - 2.0)),
        learned: dice.chance(30),
    };
    let spread = ParameterEntry::fixed(1.0 + dice.below(3) as f64);
    let params = [
        (ParamKind::Real, vec![mean]),
        (ParamKind::Positive, vec![spread]),
    ];
    let is_truncated = set.is_some();
    let (family, name) = match (dice.chance(30), is_truncated) {
        (true, _) => (Family::from(LaplaceDistribution), "laplace"),
        (false, true) => (NormalDistribution.into(), "truncated normal"),
        (false, false) => (NormalDistribution.into(), "normal"),
    };
    let unit = sketch.distribution(variable, family, &params, set);
    (unit, name)
}

fn count(
    sketch: &mut Sketch,
    dice: &mut Dice,
    variable: VarId,
    set: Option<ValueSet>,
) -> (UnitId, &'static str) {
    if dice.chance(50) {
        let params = [(ParamKind::Positive, vec![ParameterEntry::fixed(2.0)])];
        let unit =
            sketch.distribution(variable, Family::Poisson(PoissonDistribution), &params, set);
        (unit, "poisson")
    } else {
        let half = vec![ParameterEntry::fixed(0.5), ParameterEntry::fixed(0.5)];
        let params = [(ParamKind::Unit, half)];
        let unit = sketch.distribution(
            variable,
            Family::Geometric(GeometricDistribution),
            &params,
            set,
        );
        (unit, "geometric")
    }
}
