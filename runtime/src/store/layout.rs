//! Which tensor holds which parameters.
//!
//! The layout follows from the circuit alone, so that the reader derives the same
//! one as the writer.

use pelton_compiler::circuit::{
    CircuitGraph, CircuitParameter, ParamId, ParamKind, ParameterRole, ParameterUsage, show_name,
};
use std::collections::{BTreeSet, HashMap};

/// With more tensors than this, those of a single parameter are put together: a
/// header with a line for each of a million sums would be larger than its numbers.
const MOST_TENSORS: usize = 10_000;

/// Parameters of one kind and length that share a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TensorBlock {
    pub name: String,
    /// The same before it was told apart from others.
    pub stem: String,
    pub shape: Vec<usize>,
    /// The parameters, the last dimension running fastest.
    pub params: Vec<ParamId>,
}

/// The blocks of all parameters that are declared or learned; the others are
/// numbers in the text.
pub(super) fn layout(circuit: &CircuitGraph) -> Vec<TensorBlock> {
    let mut blocks = blocks(circuit, |param| is_kept(circuit, param));
    if blocks.len() > MOST_TENSORS {
        blocks = packed(circuit, blocks);
    }
    name_apart(&mut blocks);
    blocks
}

/// The blocks of all parameters, however many: those of model files first, so that they
/// are called the same here and there.
pub(super) fn layout_of_all(circuit: &CircuitGraph) -> Vec<TensorBlock> {
    let mut all = blocks(circuit, |param| is_kept(circuit, param));
    all.extend(blocks(circuit, |param| !is_kept(circuit, param)));
    name_apart(&mut all);
    all
}

/// Whether a model file holds a parameter.
fn is_kept(circuit: &CircuitGraph, param: ParamId) -> bool {
    let is_declared = circuit.parameter(param).name.is_some();
    is_declared || circuit.entries(param).iter().any(|entry| entry.learned)
}

fn blocks(circuit: &CircuitGraph, is_wanted: impl Fn(ParamId) -> bool) -> Vec<TensorBlock> {
    let mut groups = TensorGroups::default();
    for (at, usage) in circuit.usages().into_iter().enumerate() {
        let param = ParamId::new(at);
        if is_wanted(param) {
            groups.add(circuit, param, usage);
        }
    }
    let mut blocks: Vec<TensorBlock> = Vec::new();
    for group in groups.list {
        group.into_blocks(circuit, &mut blocks);
    }
    blocks
}

/// What the members of a group have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct TensorGroupKey {
    stem: String,
    kind: ParamKind,
    n_entries: usize,
    n_indices: usize,
    /// Where it was written, for a parameter written in place.
    place: Option<(u32, u32, u32)>,
}

#[derive(Default)]
struct TensorGroups {
    list: Vec<TensorGroup>,
    by_key: HashMap<TensorGroupKey, usize>,
}

struct TensorGroup {
    key: TensorGroupKey,
    /// The members with the indices of their name or of their node.
    members: Vec<(Vec<i64>, ParamId)>,
}

impl TensorGroups {
    fn add(&mut self, circuit: &CircuitGraph, param: ParamId, usage: Option<ParameterUsage>) {
        let parameter = circuit.parameter(param);
        let names = circuit.names();
        let (stem, indices, place) = match parameter.name {
            Some(name) => (names.base(name).to_string(), names.indices(name), None),
            None => {
                let owner = usage.and_then(|usage| circuit.owner(usage.unit));
                let indices = owner.map_or(&[][..], |owner| names.indices(owner));
                let span = parameter.span;
                let place = (span.source.0, span.start, span.end);
                (stem(circuit, parameter, usage), indices, Some(place))
            }
        };
        let key = TensorGroupKey {
            stem,
            kind: parameter.kind,
            n_entries: parameter.len(),
            n_indices: indices.len(),
            place,
        };
        let members = Vec::new();
        let at = *self.by_key.entry(key.clone()).or_insert_with(|| {
            self.list.push(TensorGroup { key, members });
            self.list.len() - 1
        });
        self.list[at].members.push((indices.to_vec(), param));
    }
}

/// What a parameter that was written in place is called: `comp.species.p`.
fn stem(
    circuit: &CircuitGraph,
    parameter: &CircuitParameter,
    usage: Option<ParameterUsage>,
) -> String {
    let Some(usage) = usage else {
        return format!("unused.{}", parameter.kind.name());
    };
    let owner = circuit.owner(usage.unit);
    let owner = owner.map_or("root", |owner| circuit.names().base(owner));
    of_owner(circuit, usage, owner, |variable| {
        variable.split('[').next().unwrap_or(variable)
    })
}

/// What a parameter is to its owner: `root.weights`, `comp.species.p`.
pub(super) fn of_owner(
    circuit: &CircuitGraph,
    usage: ParameterUsage,
    owner: &str,
    shown: fn(&str) -> &str,
) -> String {
    let role = usage.role.name();
    match (usage.role, circuit.leaf_of(usage.unit)) {
        (ParameterRole::Argument(_), Some(leaf)) => {
            let variable = shown(&circuit.variable(leaf.variable).name);
            format!("{owner}.{variable}.{role}")
        }
        _ => format!("{owner}.{role}"),
    }
}

impl TensorGroup {
    fn into_blocks(mut self, circuit: &CircuitGraph, blocks: &mut Vec<TensorBlock>) {
        self.members.sort();
        let own = own_shape(self.key.kind, self.key.n_entries);
        let extents = extents(&self.members);
        if extents.is_none() && self.key.place.is_none() {
            // Members of an array that is not whole stand alone.
            blocks.extend(self.members.iter().map(|(indices, param)| TensorBlock {
                name: String::new(),
                stem: show_name(&self.key.stem, indices),
                shape: own.clone(),
                params: vec![*param],
            }));
            return;
        }
        let mut shape = extents.unwrap_or_else(|| vec![self.members.len()]);
        shape.extend(&own);
        let params: Vec<ParamId> = self.members.into_iter().map(|(_, param)| param).collect();
        debug_assert_eq!(
            shape.iter().product::<usize>(),
            params.len() * circuit.parameter(params[0]).len()
        );
        blocks.push(TensorBlock {
            name: String::new(),
            stem: self.key.stem,
            shape,
            params,
        });
    }
}

fn own_shape(kind: ParamKind, n_entries: usize) -> Vec<usize> {
    match kind {
        ParamKind::Positive | ParamKind::Real if n_entries == 1 => Vec::new(),
        _ => vec![n_entries],
    }
}

/// The dimensions of sorted index tuples that fill a box, each as often as the
/// others; a last dimension counts the repetitions.
fn extents(members: &[(Vec<i64>, ParamId)]) -> Option<Vec<usize>> {
    let (first, last) = (&members.first()?.0, &members.last()?.0);
    let mut sizes = Vec::with_capacity(first.len() + 1);
    let mut volume = 1usize;
    for (&low, &high) in first.iter().zip(last) {
        let size = usize::try_from(high.checked_sub(low)?.checked_add(1)?).ok();
        let size = size.filter(|&size| size > 0)?;
        volume = volume.checked_mul(size).filter(|&v| v <= members.len())?;
        sizes.push(size);
    }
    let n_repeats = members.len() / volume;
    let fits = |(at, (indices, _)): (usize, &(Vec<i64>, ParamId))| {
        let mut rest = at / n_repeats;
        let expected = sizes.iter().rev().map(|size| {
            let position = rest % size;
            rest /= size;
            position as i64
        });
        let offsets = indices.iter().zip(first).rev();
        expected.eq(offsets.map(|(index, low)| index.wrapping_sub(*low)))
    };
    if !members.len().is_multiple_of(volume) || !members.iter().enumerate().all(fits) {
        return None;
    }
    if n_repeats > 1 {
        sizes.push(n_repeats);
    }
    Some(sizes)
}

/// The blocks with those of one parameter put together by kind and length.
fn packed(circuit: &CircuitGraph, blocks: Vec<TensorBlock>) -> Vec<TensorBlock> {
    let mut list: Vec<TensorBlock> = Vec::new();
    let mut by_kind: HashMap<(ParamKind, usize), usize> = HashMap::new();
    for block in blocks {
        let parameter = circuit.parameter(block.params[0]);
        if block.params.len() > 1 {
            list.push(block);
            continue;
        }
        let key = (parameter.kind, parameter.len());
        let at = *by_kind.entry(key).or_insert_with(|| {
            list.push(TensorBlock {
                name: String::new(),
                stem: format!("many.{}_{}", parameter.kind.name(), parameter.len()),
                shape: vec![0, parameter.len()],
                params: Vec::new(),
            });
            list.len() - 1
        });
        list[at].params.extend(block.params);
        list[at].shape[0] += 1;
    }
    list
}

/// Gives names that differ from each other, from each other's logarithms, and from what
/// the format reserves.
fn name_apart(blocks: &mut [TensorBlock]) {
    let mut taken = BTreeSet::from(["__metadata__".to_string()]);
    for block in blocks {
        let stem = &block.stem;
        let is_free = |name: &String| {
            !name.is_empty()
                && !name.starts_with(super::values::STATE)
                && !taken.contains(name)
                && !taken.contains(&logarithms(name))
        };
        let numbered = (2..).map(|n| format!("{stem}_{n}"));
        let candidates = std::iter::once(stem.clone()).chain(numbered);
        let reserved = stem.starts_with(super::values::STATE);
        let mut candidates =
            candidates.map(|name| if reserved { format!("_{name}") } else { name });
        block.name = candidates.find(is_free).expect("some number is free");
        taken.extend([block.name.clone(), logarithms(&block.name)]);
    }
}

/// The name of the tensor with a tensor's logarithms.
pub(super) fn logarithms(name: &str) -> String {
    format!("{name}.log")
}
