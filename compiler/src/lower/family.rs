//! The distributions of the language and their arguments.

/// What an argument of a distribution is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArgKind {
    /// A probability, fixed or learned.
    Probability,
    /// A number above 0, fixed or learned.
    Positive,
    /// Any number, fixed or learned.
    Real,
    /// Probabilities that add up to 1, fixed or learned.
    Probabilities,
    /// A constant count.
    Count,
    /// A constant number.
    Number,
    /// A constant list of numbers.
    Numbers,
}

/// Every distribution with its arguments by name.
pub(super) const FAMILIES: &[(&str, &[(&str, ArgKind)])] = &[
    ("bernoulli", &[("p", ArgKind::Probability)]),
    ("categorical", &[("p", ArgKind::Probabilities)]),
    (
        "binomial",
        &[("n", ArgKind::Count), ("p", ArgKind::Probability)],
    ),
    ("geometric", &[("p", ArgKind::Probability)]),
    (
        "negative_binomial",
        &[("r", ArgKind::Count), ("p", ArgKind::Probability)],
    ),
    (
        "hypergeometric",
        &[
            ("N", ArgKind::Count),
            ("K", ArgKind::Count),
            ("n", ArgKind::Count),
        ],
    ),
    ("poisson", &[("rate", ArgKind::Positive)]),
    (
        "normal",
        &[("mean", ArgKind::Real), ("sd", ArgKind::Positive)],
    ),
    (
        "lognormal",
        &[("mean", ArgKind::Real), ("sd", ArgKind::Positive)],
    ),
    ("exponential", &[("rate", ArgKind::Positive)]),
    (
        "gamma",
        &[("shape", ArgKind::Positive), ("rate", ArgKind::Positive)],
    ),
    (
        "uniform",
        &[("low", ArgKind::Number), ("high", ArgKind::Number)],
    ),
    (
        "histogram",
        &[("breaks", ArgKind::Numbers), ("p", ArgKind::Probabilities)],
    ),
];

/// The call with its arguments, as messages show it: `normal(mean, sd)`.
pub(super) fn signature(name: &str) -> String {
    let args = FAMILIES.iter().find(|(known, _)| *known == name);
    let args: Vec<&str> = args.map_or(Vec::new(), |(_, args)| {
        args.iter().map(|(name, _)| *name).collect()
    });
    format!("{name}({})", args.join(", "))
}
