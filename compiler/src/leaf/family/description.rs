//! What is known of a distribution without looking at one: a row of the table.

use crate::circuit::ParamKind;

/// A distribution of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FamilyDescription {
    /// The name in the language.
    pub name: &'static str,
    /// How it is written.
    pub form: &'static str,
    /// What it takes, in order.
    pub arguments: &'static [FamilyArgument],
    /// What it is, in a line.
    pub meaning: &'static str,
}

/// An argument of a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FamilyArgument {
    /// What it is called.
    pub name: &'static str,
    /// What it has to be.
    pub kind: ArgumentKind,
}

/// What an argument has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
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
    pub(super) const fn constant(name: &'static str, kind: ArgumentKind) -> Self {
        FamilyArgument { name, kind }
    }

    /// A parameter, which may be learned.
    pub(super) const fn parameter(name: &'static str, kind: ParamKind) -> Self {
        FamilyArgument {
            name,
            kind: ArgumentKind::Parameter(kind),
        }
    }
}

impl FamilyDescription {
    /// The call with its arguments, as messages show it: `normal(mean, sd)`.
    pub fn signature(&self) -> String {
        let names: Vec<&str> = self
            .arguments
            .iter()
            .map(|argument| argument.name)
            .collect();
        format!("{}({})", self.name, names.join(", "))
    }

    /// The arguments that are parameters, with their kinds.
    pub fn parameters(&self) -> impl Iterator<Item = (&'static str, ParamKind)> {
        let arguments = self.arguments.iter();
        arguments.filter_map(|argument| match argument.kind {
            ArgumentKind::Parameter(kind) => Some((argument.name, kind)),
            ArgumentKind::Count | ArgumentKind::Bound | ArgumentKind::Breaks => None,
        })
    }
}
