//! Things by their names.

use std::collections::HashMap;

/// Positions by name: by the very name, or else by one that differs only in spaces, so that
/// `x[1,2]` is `x[1, 2]`.
#[derive(Debug)]
pub(super) struct NamePositions {
    exact: HashMap<String, usize>,
    /// None where different things are called so.
    loose: HashMap<String, Option<usize>>,
}

impl NamePositions {
    /// Of those with the same name, the first has it.
    pub fn new<'n>(named: impl Iterator<Item = (&'n str, usize)>) -> Self {
        let mut exact = HashMap::new();
        let mut loose: HashMap<String, Option<usize>> = HashMap::new();
        for (name, at) in named {
            exact.entry(name.to_string()).or_insert(at);
            loose
                .entry(without_spaces(name))
                .and_modify(|own| *own = own.filter(|&own| own == at))
                .or_insert(Some(at));
        }
        NamePositions { exact, loose }
    }

    pub fn find(&self, name: &str) -> Option<usize> {
        let exact = self.exact.get(name).copied();
        exact.or_else(|| self.loose.get(&without_spaces(name)).copied().flatten())
    }
}

/// A name as it counts where spaces do not.
pub(super) fn without_spaces(name: &str) -> String {
    name.split_whitespace().collect()
}
