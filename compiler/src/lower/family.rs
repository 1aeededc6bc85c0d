//! The distributions of the language and their arguments.

/// Every distribution with the names of its arguments.
pub(super) const FAMILIES: &[(&str, &[&str])] = &[
    ("bernoulli", &["p"]),
    ("categorical", &["p"]),
    ("binomial", &["n", "p"]),
    ("geometric", &["p"]),
    ("negative_binomial", &["r", "p"]),
    ("hypergeometric", &["N", "K", "n"]),
    ("poisson", &["rate"]),
    ("normal", &["mean", "sd"]),
    ("lognormal", &["mean", "sd"]),
    ("exponential", &["rate"]),
    ("gamma", &["shape", "rate"]),
    ("uniform", &["low", "high"]),
    ("histogram", &["breaks", "p"]),
];

/// The call with its arguments, as messages show it: `normal(mean, sd)`.
pub(super) fn signature(name: &str) -> String {
    let known = FAMILIES.iter().find(|(known, _)| *known == name);
    let args = known.map_or(String::new(), |(_, args)| args.join(", "));
    format!("{name}({args})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use pelton_grammar::parse::DISTRIBUTIONS;

    #[test]
    fn the_syntax_knows_the_same_distributions() {
        let mut names: Vec<&str> = FAMILIES.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        assert_eq!(names, DISTRIBUTIONS);
    }
}
