//! Leaves of the right kind for a column.

use pelton_compiler::circuit::Domain;
use pelton_compiler::emit::quoted;

/// How one column enters a circuit whose states have distributions over it.
pub(super) struct ColumnLeaf<'a>(pub &'a Domain);

/// A parameter of a leaf: what its name begins with, and its kind.
pub(super) struct LeafParameter {
    pub stem: &'static str,
    pub kind: String,
}

impl ColumnLeaf<'_> {
    /// What the distribution is parametrised by.
    pub fn parameters(&self) -> Vec<LeafParameter> {
        let parameter = |stem, kind: &str| LeafParameter {
            stem,
            kind: kind.to_string(),
        };
        match self.0 {
            Domain::Bool => vec![parameter("p", "unit")],
            Domain::Categories(_) | Domain::Range { .. } => {
                let n_values = n_values(self.0);
                vec![parameter("p", &format!("simplex({n_values})"))]
            }
            Domain::Real => vec![parameter("mean", "real"), parameter("spread", "positive")],
            Domain::Nat => vec![parameter("rate", "positive")],
        }
    }

    /// `x ~ bernoulli(p[k])`, of the parameters that `argument` writes by their stems.
    pub fn expression(&self, variable: &str, argument: impl Fn(&str) -> String) -> String {
        let name = match self.0 {
            Domain::Bool => "bernoulli",
            Domain::Categories(_) | Domain::Range { .. } => "categorical",
            Domain::Real => "normal",
            Domain::Nat => "poisson",
        };
        let parameters = self.parameters();
        let arguments: Vec<String> = parameters.iter().map(|p| argument(p.stem)).collect();
        format!("{variable} ~ {name}({})", arguments.join(", "))
    }
}

/// Number of values of a finite domain; 0 if there is no end of them.
pub(super) fn n_values(domain: &Domain) -> u64 {
    domain.size().unwrap_or_default()
}

/// `[x = a]`: that a variable has the value number `index` of its domain. `words` is
/// the constant that lists the names of categories.
pub(super) fn indicator(domain: &Domain, variable: &str, index: &str, words: &str) -> String {
    match domain {
        Domain::Categories(_) => format!("[{variable} = {words}[{index}]]"),
        Domain::Range { low, .. } if *low != 0 => format!("[{variable} = {low} + {index}]"),
        _ => format!("[{variable} = {index}]"),
    }
}

/// `["clear", "storm"]`: the names of categories as a list of texts.
pub(super) fn word_list(categories: &[String]) -> String {
    let words: Vec<String> = categories.iter().map(|word| quoted(word)).collect();
    format!("[{}]", words.join(", "))
}
