//! What is known of a distribution without looking at one: a row of the table.

use crate::circuit::ParamKind;

/// A distribution of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FamilyDescription {
    /// The name in the language.
    pub name: &'static str,
    /// What it takes, in order.
    pub arguments: &'static [FamilyArgument],
    /// What it is, in a line.
    pub meaning: &'static str,
    /// The variables it is of.
    pub domains: FamilyDomains,
    /// The values it has, in words.
    pub values: &'static str,
}

/// The domains of the variables that a distribution is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FamilyDomains {
    /// `bool`, and `0..2`.
    Booleans,
    /// All finite ones.
    Finite,
    /// `nat`, and ranges.
    Counts,
    /// `real`.
    Reals,
    /// `real`, `nat` and ranges.
    Numbers,
}

impl FamilyDomains {
    /// As the reference says it.
    pub fn text(self) -> &'static str {
        match self {
            FamilyDomains::Booleans => "`bool`, `0..2`",
            FamilyDomains::Finite => "finite ones",
            FamilyDomains::Counts => "`nat`, ranges",
            FamilyDomains::Reals => "`real`",
            FamilyDomains::Numbers => "`real`, `nat`, ranges",
        }
    }
}

/// An argument of a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FamilyArgument {
    /// What it is called.
    pub name: &'static str,
    /// What it has to be.
    pub kind: FamilyArgumentKind,
}

/// What an argument has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FamilyArgumentKind {
    /// A constant integer from 0 up.
    Count,
    /// A constant end of an interval.
    Bound,
    /// A constant list of rising numbers.
    Breaks,
    /// A parameter, which may be learned.
    Parameter(ParamKind),
}

impl FamilyArgument {
    /// A constant, which shapes the support.
    pub(super) const fn constant(name: &'static str, kind: FamilyArgumentKind) -> Self {
        FamilyArgument { name, kind }
    }

    /// A parameter, which may be learned.
    pub(super) const fn parameter(name: &'static str, kind: ParamKind) -> Self {
        FamilyArgument {
            name,
            kind: FamilyArgumentKind::Parameter(kind),
        }
    }
}

impl FamilyDescription {
    /// The call with its arguments: `normal(mean, sd)`, `categorical(p, …)`.
    pub fn signature(&self) -> String {
        let names: Vec<&str> = self
            .arguments
            .iter()
            .map(|argument| argument.name)
            .collect();
        let more = if self.is_listed() { ", …" } else { "" };
        format!("{}({}{more})", self.name, names.join(", "))
    }

    /// Whether its probabilities may be written as arguments of their own, without a list.
    pub fn is_listed(&self) -> bool {
        matches!(
            self.arguments,
            [FamilyArgument {
                kind: FamilyArgumentKind::Parameter(ParamKind::Simplex),
                ..
            }]
        )
    }

    /// The arguments that are parameters, with their kinds.
    pub fn parameters(&self) -> impl Iterator<Item = (&'static str, ParamKind)> {
        let arguments = self.arguments.iter();
        arguments.filter_map(|argument| match argument.kind {
            FamilyArgumentKind::Parameter(kind) => Some((argument.name, kind)),
            FamilyArgumentKind::Count | FamilyArgumentKind::Bound | FamilyArgumentKind::Breaks => {
                None
            }
        })
    }
}
