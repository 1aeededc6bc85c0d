//! Which values a variable has, told from its leaves.

use super::Shape;
use super::leaf::Described;
use crate::import::Fault;
use crate::import::units::too_large;
use pelton_compiler::circuit::Domain;
use pelton_grammar::source::Span;

/// The domains of all variables, with the first leaf of each.
pub(super) struct Domains {
    list: Vec<(Domain, Span)>,
}

impl Domains {
    /// Joins what leaves need; a fault if two leaves of one variable need what does not fit.
    pub fn of(nodes: &[(Shape, Span)], names: &[String], max_size: usize) -> Result<Self, Fault> {
        let mut needs: Vec<Option<(Need, Span)>> = vec![None; names.len()];
        for (shape, span) in nodes {
            let Shape::Leaf(variable, leaf) = shape else {
                continue;
            };
            let need = Need::of(leaf);
            let known = needs[*variable].map(|(need, _)| need);
            // What all leaves of a variable need together.
            let joined = known.map_or(Some(need), |known| known.join(need));
            let Some(joined) = joined else {
                let name = &names[*variable];
                let (known, need) = (known.unwrap_or(need).words(), need.words());
                let message = format!("a leaf of `{name}` has {need}, and one before it {known}");
                return Err(Fault::at(*span, message));
            };
            let first = needs[*variable].map_or(*span, |(_, first)| first);
            needs[*variable] = Some((joined, first));
        }
        let domains = Domains {
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
    fn stay_within(&self, nodes: &[(Shape, Span)], max_size: usize) -> Result<(), Fault> {
        let mut n_entries = 0u64;
        for (shape, span) in nodes {
            if let Shape::Leaf(variable, Described::Values { .. }) = shape {
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
enum Need {
    Truth,
    /// Integers from the first up to, not including, the second.
    Integers(i64, i64),
    /// The same, and there are no others.
    Whole(i64, i64),
    Counts,
    Reals,
}

impl Need {
    fn of(leaf: &Described) -> Need {
        match leaf {
            Described::Literal(_) | Described::Coin(_) => Need::Truth,
            Described::Values {
                low,
                shares,
                is_whole,
            } => {
                let high = low + shares.len() as i64;
                match is_whole {
                    true => Need::Whole(*low, high),
                    false => Need::Integers(*low, high),
                }
            }
            Described::Counts(..) => Need::Counts,
            Described::Bins { .. } | Described::Reals(..) => Need::Reals,
        }
    }

    /// What serves both; none if nothing does.
    fn join(self, other: Need) -> Option<Need> {
        match (self, other) {
            (a, b) if a == b => Some(a),
            (Need::Integers(a, b), Need::Integers(c, d)) => {
                Some(Need::Integers(a.min(c), b.max(d)))
            }
            // Bins of width 1 are bins of reals and of counts, too.
            (Need::Integers(..), Need::Reals) | (Need::Reals, Need::Integers(..)) => {
                Some(Need::Reals)
            }
            (Need::Integers(0.., _), Need::Counts) | (Need::Counts, Need::Integers(0.., _)) => {
                Some(Need::Counts)
            }
            (Need::Truth, Need::Whole(0, 2)) | (Need::Whole(0, 2), Need::Truth) => {
                Some(Need::Whole(0, 2))
            }
            _ => None,
        }
    }

    fn domain(self) -> Domain {
        match self {
            Need::Truth => Domain::Bool,
            Need::Integers(low, high) | Need::Whole(low, high) => Domain::Range { low, high },
            Need::Counts => Domain::Nat,
            Need::Reals => Domain::Real,
        }
    }

    fn words(self) -> String {
        match self {
            Need::Truth => "two values".to_string(),
            Need::Integers(low, high) | Need::Whole(low, high) => {
                format!("the values {low}..{high}")
            }
            Need::Counts => "counts".to_string(),
            Need::Reals => "real numbers".to_string(),
        }
    }
}
