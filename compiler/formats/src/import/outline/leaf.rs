//! Leaves whose variables have no domains yet.

use crate::import::assembly::CircuitAssembly;
use pelton_compiler::circuit::{
    BernoulliDistribution, CategoricalDistribution, Domain, Family, FiniteConstant,
    HistogramDistribution, Leaf, ParamKind, ParameterEntry, SourceOrigin, UnitId, VarId,
};

/// What a file says about a leaf. Shares add up to 1.
#[derive(Clone, Debug)]
pub(in crate::import) enum DescribedLeaf {
    /// One value of a variable that is true or false.
    Literal(bool),
    /// The probability of true.
    Coin(f64),
    /// A share for each integer from `low` on.
    Values {
        low: i64,
        shares: Vec<f64>,
        /// Whether these are all values that the variable has.
        is_whole: bool,
    },
    /// A share for each bin between breaks, which rise.
    Bins { breaks: Vec<f64>, shares: Vec<f64> },
    /// A distribution on counts.
    Counts(Family, Vec<(ParamKind, f64)>),
    /// A distribution on the real axis.
    Reals(Family, Vec<(ParamKind, f64)>),
}

impl DescribedLeaf {
    /// How many numbers it lists.
    pub fn n_shares(&self) -> usize {
        match self {
            DescribedLeaf::Values { shares, .. } | DescribedLeaf::Bins { shares, .. } => {
                shares.len()
            }
            _ => 0,
        }
    }

    /// The unit of the leaf, for a domain that fits it.
    pub fn unit(
        &self,
        variable: usize,
        domain: &Domain,
        assembly: &mut CircuitAssembly,
        origin: SourceOrigin,
    ) -> UnitId {
        let variable = VarId::new(variable);
        let (family, params) = match self {
            DescribedLeaf::Literal(value) => {
                return assembly.literal(variable, i64::from(*value), origin);
            }
            DescribedLeaf::Coin(p) => (
                BernoulliDistribution.into(),
                vec![(ParamKind::Unit, vec![1.0 - p, *p])],
            ),
            DescribedLeaf::Values { low, shares, .. } => values(*low, shares, domain),
            DescribedLeaf::Bins { breaks, shares } => bins(breaks, shares),
            DescribedLeaf::Counts(family, params) | DescribedLeaf::Reals(family, params) => {
                let own = params.iter().map(|&(kind, value)| (kind, vec![value]));
                (family.clone(), own.collect())
            }
        };
        let params = params.iter().map(|(kind, numbers)| {
            let entries: Vec<ParameterEntry> =
                numbers.iter().map(|&n| ParameterEntry::fixed(n)).collect();
            assembly
                .builder
                .parameter(None, *kind, &entries, origin.span)
        });
        let leaf = Leaf::distribution(variable, family, params.collect());
        assembly.builder.input(leaf, origin)
    }
}

type DescribedFamily = (Family, Vec<(ParamKind, Vec<f64>)>);

/// Shares of integers, with nothing for the other values of a finite domain.
fn values(low: i64, shares: &[f64], domain: &Domain) -> DescribedFamily {
    let Some(size) = domain.size() else {
        let breaks: Vec<f64> = (0..=shares.len())
            .map(|at| low as f64 + at as f64)
            .collect();
        return bins(&breaks, shares);
    };
    let skipped = (low - domain.first() as i64) as usize;
    let mut all = vec![0.0; size as usize];
    all[skipped..skipped + shares.len()].copy_from_slice(shares);
    (
        CategoricalDistribution.into(),
        vec![(ParamKind::Simplex, all)],
    )
}

fn bins(breaks: &[f64], shares: &[f64]) -> DescribedFamily {
    let breaks = breaks
        .iter()
        .map(|&value| FiniteConstant::new(value))
        .collect();
    let params = vec![(ParamKind::Simplex, shares.to_vec())];
    (HistogramDistribution { breaks }.into(), params)
}
