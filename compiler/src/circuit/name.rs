//! Names of nodes and parameters, with the indices of an instance.

use super::id::NameId;
use indexmap::IndexSet;
use pelton_grammar::diagnostic::listed;
use rustc_hash::FxBuildHasher;

/// All names of a circuit. Instances of one family share their base text.
#[derive(Clone, Debug, Default)]
pub struct CircuitNames {
    bases: IndexSet<String, FxBuildHasher>,
    instances: Vec<NameInstance>,
    indices: Vec<i64>,
}

#[derive(Clone, Copy, Debug)]
struct NameInstance {
    base: u32,
    first_index: u32,
    n_indices: u32,
}

impl CircuitNames {
    /// Adds `base[indices]`.
    pub fn add(&mut self, base: &str, indices: &[i64]) -> NameId {
        let known = self.bases.get_index_of(base);
        let base = known.unwrap_or_else(|| self.bases.insert_full(base.to_string()).0);
        self.instances.push(NameInstance {
            base: base as u32,
            first_index: self.indices.len() as u32,
            n_indices: indices.len() as u32,
        });
        self.indices.extend_from_slice(indices);
        NameId::new(self.instances.len() - 1)
    }

    /// All names, in the order they were added.
    pub fn ids(&self) -> impl Iterator<Item = NameId> + use<> {
        (0..self.instances.len()).map(NameId::new)
    }

    /// The name without indices.
    pub fn base(&self, id: NameId) -> &str {
        &self.bases[self.instances[id.index()].base as usize]
    }

    /// The indices of the instance; none for a scalar.
    pub fn indices(&self, id: NameId) -> &[i64] {
        let instance = self.instances[id.index()];
        let first = instance.first_index as usize;
        &self.indices[first..first + instance.n_indices as usize]
    }

    /// `z[3, 7]`
    pub fn show(&self, id: NameId) -> String {
        show_name(self.base(id), self.indices(id))
    }
}

pub(crate) fn n_members(dims: &[(i64, i64)]) -> usize {
    let sizes = dims.iter().map(|&(low, high)| high.abs_diff(low) as usize);
    sizes.fold(1, usize::saturating_mul)
}

/// All index tuples of an array, the last index running fastest; made one by one, because
/// together they would need more memory than what they are made for.
pub(crate) fn index_tuples(dims: &[(i64, i64)]) -> impl Iterator<Item = Vec<i64>> + use<> {
    let dims = dims.to_vec();
    // A tuple's digits are the remainders of its number, the last index first.
    (0..n_members(&dims)).map(move |mut at| {
        let mut tuple = vec![0; dims.len()];
        for (index, &(low, high)) in tuple.iter_mut().zip(&dims).rev() {
            let size = high.abs_diff(low) as usize;
            *index = low + (at % size) as i64;
            at /= size;
        }
        tuple
    })
}

/// A name with indices as the language writes it.
pub fn show_name(base: &str, indices: &[i64]) -> String {
    if indices.is_empty() {
        return base.to_string();
    }
    format!("{base}[{}]", listed(indices))
}

/// `x[3, 7]` as `x` and its indices; a name that has none as itself.
pub fn split_name(text: &str) -> (&str, Vec<i64>) {
    let split = || {
        let (base, rest) = text.strip_suffix(']')?.split_once('[')?;
        let indices = rest.split(", ").map(|index| index.parse::<i64>().ok());
        let indices = indices.collect::<Option<Vec<i64>>>()?;
        (show_name(base, &indices) == text).then_some((base, indices))
    };
    split().unwrap_or((text, Vec::new()))
}
