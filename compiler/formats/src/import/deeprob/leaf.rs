//! Leaves over one variable.

use super::file::{DeeprobNode, DeeprobParameters};
use crate::import::ImportError;
use crate::import::outline::DescribedLeaf;
use crate::import::rounding::{Rounding, scaled};
use pelton_compiler::circuit::{
    Domain, Family, FiniteConstant, NormalDistribution, ParamKind, UniformDistribution,
};

/// What a leaf says about its variable.
pub(super) fn describe(
    node: &DeeprobNode,
    rounding: &mut Rounding,
) -> Result<DescribedLeaf, ImportError> {
    let class = node.class.as_deref().unwrap_or_default();
    let params = node.params()?;
    let number = |name: &str, value: Option<f64>| match value {
        Some(value) if value.is_finite() => Ok(value),
        _ => Err(node.fault(format!("`{class}` needs a number `{name}`"))),
    };
    match class {
        "Bernoulli" => match number("p", params.p)? {
            p if (0.0..=1.0).contains(&p) => Ok(DescribedLeaf::Coin(p)),
            p => Err(node.fault(format!("{p} is no probability"))),
        },
        "Gaussian" => {
            let mean = number("mean", params.mean)?;
            let stddev = number("stddev", params.stddev)?;
            if stddev <= 0.0 {
                return Err(node.fault(format!(
                    "a standard deviation is above 0, and {stddev} is given"
                )));
            }
            let params = vec![(ParamKind::Real, mean), (ParamKind::Positive, stddev)];
            Ok(DescribedLeaf::Reals(NormalDistribution.into(), params))
        }
        "Uniform" => {
            let (start, width) = (
                number("start", params.start)?,
                number("width", params.width)?,
            );
            let end = start + width;
            if !(end > start && end.is_finite()) {
                return Err(node.fault(format!("there is nothing between {start} and {end}")));
            }
            let family = Family::Uniform(UniformDistribution {
                low: FiniteConstant::new(start),
                high: FiniteConstant::new(end),
            });
            Ok(DescribedLeaf::Reals(family, Vec::new()))
        }
        "Categorical" => categorical(node, params, rounding),
        "Isotonic" => isotonic(node, params),
        _ => Err(node
            .fault(format!(
                "leaves of the class `{}` are not read",
                class.escape_debug()
            ))
            .help("there are Bernoulli, BinaryCLT, Categorical, Gaussian, Isotonic and Uniform")),
    }
}

/// Probabilities of integers, which need not stand in order.
fn categorical(
    node: &DeeprobNode,
    params: &DeeprobParameters,
    rounding: &mut Rounding,
) -> Result<DescribedLeaf, ImportError> {
    let (Some(categories), Some(probabilities)) = (&params.categories, &params.probabilities)
    else {
        return Err(node.fault("a `Categorical` has `categories` and `probabilities`"));
    };
    if categories.len() != probabilities.len() || categories.is_empty() {
        let message = format!(
            "it has {} categories and {} probabilities",
            categories.len(),
            probabilities.len()
        );
        return Err(node.fault(message));
    }
    are_shares(node, probabilities)?;
    let mut listed: Vec<(i64, f64)> = categories
        .iter()
        .copied()
        .zip(probabilities.iter().copied())
        .collect();
    listed.sort_unstable_by_key(|(category, _)| *category);
    if let Some(pair) = listed.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(node.fault(format!("the category {} stands twice", pair[0].0)));
    }
    let (low, high) = (listed[0].0, listed[listed.len() - 1].0);
    // A domain is a range; categories that leave most of it out would not fit in memory.
    let span = high.abs_diff(low);
    let is_exact = low.unsigned_abs().max(high.unsigned_abs()) < Domain::LARGEST_INT as u64;
    if !is_exact || span / 1000 > categories.len() as u64 {
        let message = format!("categories from {low} to {high} leave too many values out");
        return Err(node.fault(message).help("number the categories 0, 1, 2, …"));
    }
    let mut shares = vec![0.0; span as usize + 1];
    for (category, share) in listed {
        shares[category.abs_diff(low) as usize] = share;
    }
    if !scaled(&mut shares, rounding) {
        let total: f64 = shares.iter().sum();
        return Err(node.fault(format!("the probabilities add up to {total}, not 1")));
    }
    Ok(DescribedLeaf::Values {
        low,
        shares,
        is_whole: false,
    })
}

/// Densities between breaks, which the library scales before it uses them.
fn isotonic(node: &DeeprobNode, params: &DeeprobParameters) -> Result<DescribedLeaf, ImportError> {
    let (Some(densities), Some(breaks)) = (&params.densities, &params.breaks) else {
        return Err(node.fault("an `Isotonic` has `densities` and `breaks`"));
    };
    let rise = breaks.windows(2).all(|pair| pair[0] < pair[1]);
    if breaks.len() < 2 || !rise || densities.len() != breaks.len() - 1 {
        let message = "breaks rise, and there is one more of them than of densities";
        return Err(node.fault(message));
    }
    are_shares(node, densities)?;
    let masses = breaks.windows(2).zip(densities);
    let masses: Vec<f64> = masses.map(|(pair, d)| d * (pair[1] - pair[0])).collect();
    let total: f64 = masses.iter().sum();
    if !(total > 0.0 && total.is_finite()) {
        return Err(node.fault(format!("its densities have mass {total}")));
    }
    Ok(DescribedLeaf::Bins {
        breaks: breaks.clone(),
        shares: masses.iter().map(|mass| mass / total).collect(),
    })
}

fn are_shares(node: &DeeprobNode, numbers: &[f64]) -> Result<(), ImportError> {
    match numbers.iter().find(|n| !(**n >= 0.0 && n.is_finite())) {
        Some(number) => Err(node.fault(format!("{number} is no probability"))),
        None => Ok(()),
    }
}
