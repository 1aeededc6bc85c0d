//! Neutral distributions: what a missing variable is filled with.

use crate::circuit::{
    Bound, Builder, Distribution, Domain, Entry, Family, Leaf, LeafKind, ParamKind, VarId,
};
use pelton_grammar::source::Span;

/// Up to this many categories are listed one by one.
const LISTED_CATEGORIES: u64 = 6;

/// The uniform distribution of a variable with finitely many values.
///
/// The message that suggests a repair and the pass that makes it agree because
/// both ask here. `real` and `nat` have no uniform distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Filler {
    /// `bernoulli(0.5)`
    Bernoulli,
    /// `categorical(1/3, 1/3, 1/3)`
    Categorical(u64),
    /// `uniform()`: constant on `low..high`.
    Uniform(f64, f64),
}

impl Filler {
    /// The filler of a domain, if it has one.
    pub fn of(domain: &Domain) -> Option<Filler> {
        let size = domain.size()?;
        Some(match domain {
            Domain::Bool => Filler::Bernoulli,
            Domain::Categories(_) if size <= LISTED_CATEGORIES => Filler::Categorical(size),
            _ => Filler::Uniform(domain.first(), domain.first() + size as f64),
        })
    }

    /// The distribution as the language writes it.
    pub fn text(self) -> String {
        match self {
            Filler::Bernoulli => "bernoulli(0.5)".to_string(),
            Filler::Categorical(size) => {
                let share = format!("1/{size}");
                format!("categorical({})", vec![share; size as usize].join(", "))
            }
            Filler::Uniform(..) => "uniform()".to_string(),
        }
    }

    /// The distribution as a leaf of `variable`; its parameters do not learn.
    pub fn leaf(self, builder: &mut Builder, variable: VarId, span: Span) -> Leaf {
        let (family, weights) = match self {
            Filler::Bernoulli => (Family::Bernoulli, Some((ParamKind::Unit, 2))),
            Filler::Categorical(size) => (Family::Categorical, Some((ParamKind::Simplex, size))),
            Filler::Uniform(low, high) => {
                let (low, high) = (Bound::new(low), Bound::new(high));
                (Family::Uniform { low, high }, None)
            }
        };
        let params = weights.into_iter().map(|(kind, size)| {
            let entries = vec![Entry::fixed(1.0 / size as f64); size as usize];
            builder.parameter(None, kind, &entries, span)
        });
        Leaf {
            variable,
            kind: LeafKind::Distribution(Distribution {
                family,
                params: params.collect(),
                truncation: None,
            }),
        }
    }
}
