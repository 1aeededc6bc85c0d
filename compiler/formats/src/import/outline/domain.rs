//! Which values a variable has, told from its leaves.

use super::OutlineNode;
use super::leaf::DescribedLeaf;
use crate::import::ImportError;
use crate::import::units::too_large;
use pelton_compiler::circuit::Domain;
use pelton_grammar::source::Span;

/// The domains of all variables, with the first leaf of each.
pub(super) struct OutlineDomains {
    list: Vec<(Domain, Span)>,
}

impl OutlineDomains {
    /// Joins what leaves need; a fault if two leaves of one variable need what does not fit.
    pub fn of(
        nodes: &[(OutlineNode, Span)],
        names: &[String],
        max_size: usize,
    ) -> Result<Self, ImportError> {
        let mut needs: Vec<Option<(DomainRequirement, Span)>> = vec![None; names.len()];
        for (shape, span) in nodes {
            let OutlineNode::Leaf(variable, leaf) = shape else {
                continue;
            };
            let need = DomainRequirement::of(leaf);
            let known = needs[*variable].map(|(need, _)| need);
            // What all leaves of a variable need together.
            let joined = known.map_or(Some(need), |known| known.join(need));
            let Some(joined) = joined else {
                let name = &names[*variable];
                let (known, need) = (known.unwrap_or(need).words(), need.words());
                let message = format!("a leaf of `{name}` has {need}, and one before it {known}");
                return Err(ImportError::at(*span, message));
            };
            let first = needs[*variable].map_or(*span, |(_, first)| first);
            needs[*variable] = Some((joined, first));
        }
        let domains = OutlineDomains {
            list: needs
                .into_iter()
                .flatten()
                .map(|(n, s)| (n.domain(), s))
                .collect(),
        };
        domains.stay_within(nodes, max_size)?;
        Ok(domains)
    }

    /// The domain of a variable and the place of its first leaf.
    pub fn get(&self, variable: usize) -> (&Domain, Span) {
        let (domain, span) = &self.list[variable];
        (domain, *span)
    }

    /// Leaves of few values on a wide domain list all of the others too.
    fn stay_within(
        &self,
        nodes: &[(OutlineNode, Span)],
        max_size: usize,
    ) -> Result<(), ImportError> {
        let mut n_entries = 0u64;
        for (shape, span) in nodes {
            if let OutlineNode::Leaf(variable, DescribedLeaf::Values { .. }) = shape {
                n_entries = n_entries.saturating_add(self.list[*variable].0.size().unwrap_or(0));
            }
            if n_entries > max_size as u64 {
                return Err(too_large(*span, max_size));
            }
        }
        Ok(())
    }
}

/// What a leaf needs of its variable.
#[derive(Clone, Copy, Debug, PartialEq)]
enum DomainRequirement {
    Truth,
    /// Integers from the first up to, not including, the second.
    Integers(i64, i64),
    /// The same, and there are no others.
    Whole(i64, i64),
    Counts,
    Reals,
}

impl DomainRequirement {
    fn of(leaf: &DescribedLeaf) -> DomainRequirement {
        match leaf {
            DescribedLeaf::Literal(_) | DescribedLeaf::Coin(_) => DomainRequirement::Truth,
            DescribedLeaf::Values {
                low,
                shares,
                is_whole,
            } => {
                let high = low + shares.len() as i64;
                if *is_whole {
                    DomainRequirement::Whole(*low, high)
                } else {
                    DomainRequirement::Integers(*low, high)
                }
            }
            DescribedLeaf::Counts(..) => DomainRequirement::Counts,
            DescribedLeaf::Bins { .. } | DescribedLeaf::Reals(..) => DomainRequirement::Reals,
        }
    }

    /// What serves both; none if nothing does.
    fn join(self, other: DomainRequirement) -> Option<DomainRequirement> {
        match (self, other) {
            (a, b) if a == b => Some(a),
            (DomainRequirement::Integers(a, b), DomainRequirement::Integers(c, d)) => {
                Some(DomainRequirement::Integers(a.min(c), b.max(d)))
            }
            // Bins of width 1 are bins of reals and of counts, too.
            (DomainRequirement::Integers(..), DomainRequirement::Reals)
            | (DomainRequirement::Reals, DomainRequirement::Integers(..)) => {
                Some(DomainRequirement::Reals)
            }
            (DomainRequirement::Integers(0.., _), DomainRequirement::Counts)
            | (DomainRequirement::Counts, DomainRequirement::Integers(0.., _)) => {
                Some(DomainRequirement::Counts)
            }
            (DomainRequirement::Truth, DomainRequirement::Whole(0, 2))
            | (DomainRequirement::Whole(0, 2), DomainRequirement::Truth) => {
                Some(DomainRequirement::Whole(0, 2))
            }
            _ => None,
        }
    }

    fn domain(self) -> Domain {
        match self {
            DomainRequirement::Truth => Domain::Bool,
            DomainRequirement::Integers(low, high) | DomainRequirement::Whole(low, high) => {
                Domain::Range { low, high }
            }
            DomainRequirement::Counts => Domain::Nat,
            DomainRequirement::Reals => Domain::Real,
        }
    }

    fn words(self) -> String {
        match self {
            DomainRequirement::Truth => "two values".to_string(),
            DomainRequirement::Integers(low, high) | DomainRequirement::Whole(low, high) => {
                format!("the values {low}..{high}")
            }
            DomainRequirement::Counts => "counts".to_string(),
            DomainRequirement::Reals => "real numbers".to_string(),
        }
    }
}
