//! Parameters that one `?` stands for several times become a declared array.
//!
//! Before: `node comp[k in 0..2] = sky ~ categorical(?);`. After:
//! `param comp_sky[0..2] : simplex(2) = ?[[0.1, 0.9], [0.6, 0.4]];` and
//! `node comp[k in 0..2] = sky ~ categorical(comp_sky[k]);`.

use super::super::token;
use super::affine::Affine;
use super::edit::TextReplacements;
use super::{SourceRewrite, declared, list};
use crate::circuit::{ParamId, ParamKind, ParameterRole, ParameterUsage, index_tuples};
use crate::lower::{TracedExpansion, TracedSite};
use indexmap::IndexMap;
use pelton_grammar::ast::{Item, ItemKind};
use pelton_grammar::source::Span;
use rustc_hash::{FxBuildHasher, FxHashSet};

const SEVERAL: &str = "a `?` in its text stands for several parameters that no index tells apart";

/// Declares an array for the expansions of one place and lets the place refer to it.
pub(super) fn edit(
    work: &SourceRewrite,
    group: &[&TracedExpansion],
    names: &mut HoistedNames,
    edits: &mut TextReplacements,
) -> Result<(), &'static str> {
    let first = group[0];
    let item = work.item_at(first.site.span).ok_or(SEVERAL)?;
    let parameter = work.circuit.parameter(first.param);
    let (kind, n_entries) = (parameter.kind, parameter.len());
    let is_alike = |expansion: &&TracedExpansion| {
        let parameter = work.circuit.parameter(expansion.param);
        (parameter.kind, parameter.len()) == (kind, n_entries)
    };
    if kind == ParamKind::Weights || !group.iter().all(is_alike) {
        return Err(SEVERAL);
    }
    let (dims, params) = array(group).ok_or(SEVERAL)?;
    // The place refers to a member of a new array, by the indices that are in scope there.
    let name = names.claim(work, item, first.param);
    let indices = work.index_names(first.site.span);
    if first.weights.is_empty() {
        edits.replace(first.site.span, reference(&name, &indices))
    } else {
        edit_weights(work, group, &name, &indices, edits)?
    }
    let head = declaration(&name, &dims, kind, n_entries);
    let sizes = declared::sizes(&dims);
    let values = list::values(work, &params, &sizes, head.len());
    edits.replace(beginning(item), format!("{head}{values};\n"));
    Ok(())
}

/// The box that the indices of the expansions fill, and the parameters in order.
#[expect(clippy::type_complexity, reason = "bounds and members of one array")]
fn array(group: &[&TracedExpansion]) -> Option<(Vec<(i64, i64)>, Vec<ParamId>)> {
    let mut members: Vec<(&[i64], ParamId)> = Vec::with_capacity(group.len());
    for expansion in group {
        members.push((expansion.site.indices.as_ref()?, expansion.param));
    }
    members.sort();
    let (first, last) = (members.first()?.0, members.last()?.0);
    let mut dims = Vec::with_capacity(first.len());
    for (&low, &high) in first.iter().zip(last) {
        let high = high.checked_add(1)?;
        high.checked_sub(low).filter(|&size| size > 0)?;
        dims.push((low, high));
    }
    // Sorted, the members of a whole box count up, the last index fastest.
    let indices = members.iter().map(|(indices, _)| *indices);
    if !indices.eq(index_tuples(&dims)) {
        return None;
    }
    let params = members.iter().map(|(_, param)| *param).collect();
    Some((dims, params))
}

/// Every weight becomes an entry of its sum's member of the array.
fn edit_weights(
    work: &SourceRewrite,
    group: &[&TracedExpansion],
    name: &str,
    indices: &[String],
    edits: &mut TextReplacements,
) -> Result<(), &'static str> {
    let mut by_place: IndexMap<Span, Vec<(&[i64], i64)>, FxBuildHasher> = IndexMap::default();
    for expansion in group {
        for (at, TracedSite { span, indices }) in expansion.weights.iter().enumerate() {
            let indices = indices.as_deref().ok_or(SEVERAL)?;
            by_place
                .entry(*span)
                .or_default()
                .push((indices, at as i64));
        }
    }
    for (place, samples) in by_place {
        let own = work.index_names(place);
        // The indices that pick the sum must mean the same beside its weights.
        if !work.is_own(place) || !own.starts_with(indices) {
            return Err(SEVERAL);
        }
        let entry = Affine::fit(own.len(), &samples).ok_or(SEVERAL)?;
        let entry = entry.text(&own);
        let all: Vec<String> = indices.iter().cloned().chain([entry]).collect();
        edits.replace(place, reference(name, &all));
    }
    Ok(())
}

fn reference(name: &str, indices: &[String]) -> String {
    if indices.is_empty() {
        name.to_string()
    } else {
        format!("{name}[{}]", indices.join(", "))
    }
}

/// `param comp_sky[0..2] : simplex(2) = `
fn declaration(name: &str, dims: &[(i64, i64)], kind: ParamKind, n_entries: usize) -> String {
    let dims: Vec<String> = dims.iter().map(|(l, h)| format!("{l}..{h}")).collect();
    let size = match kind {
        ParamKind::Simplex => format!("({n_entries})"),
        _ => String::new(),
    };
    format!(
        "param {} : {}{size} = ",
        reference(name, &dims),
        kind.name()
    )
}

/// The place before a statement and its documentation.
fn beginning(item: &Item) -> Span {
    let first = item.docs.first().map_or(item.span, |doc| doc.span);
    first.before()
}

impl SourceRewrite<'_> {
    /// The statement that holds a place.
    fn item_at(&self, span: Span) -> Option<&Item> {
        let holds = |item: &&Item| item.span.start <= span.start && span.end <= item.span.end;
        self.items().iter().find(holds)
    }

    /// The indices in scope at a place, as the language writes them.
    fn index_names(&self, span: Span) -> Vec<String> {
        let names = self.trace.names.get(&span).map_or(&[][..], Vec::as_slice);
        let names = names.iter().map(|name| token::name(name).into_owned());
        names.collect()
    }
}

/// Names for new parameters.
pub(super) struct HoistedNames {
    usages: Vec<Option<ParameterUsage>>,
    taken: FxHashSet<String>,
}

impl HoistedNames {
    pub fn new(work: &SourceRewrite) -> Self {
        HoistedNames {
            usages: work.circuit.usages(),
            taken: FxHashSet::default(),
        }
    }

    /// A name that says where the parameter belongs and occurs nowhere in the text.
    fn claim(&mut self, work: &SourceRewrite, item: &Item, param: ParamId) -> String {
        let stem = self.stem(work, item, param);
        let numbered = (2..).map(|n| format!("{stem}_{n}"));
        let text = work.source().text();
        let mut candidates = std::iter::once(stem.clone()).chain(numbered);
        let is_free = |name: &String| !self.taken.contains(name) && !text.contains(name.as_str());
        let free = candidates.find(is_free).expect("some number is free");
        self.taken.insert(free.clone());
        token::name(&free).into_owned()
    }

    fn stem(&self, work: &SourceRewrite, item: &Item, param: ParamId) -> String {
        let owner = match &item.kind {
            ItemKind::Node(decl) => &decl.name.text,
            ItemKind::Def(decl) => &decl.name.text,
            _ => "root",
        };
        let Some(usage) = self.usages[param.index()] else {
            return format!("{owner}_{}", work.circuit.parameter(param).kind.name());
        };
        let leaf = work.circuit.leaf_of(usage.unit);
        let variable = leaf.map(|leaf| &work.circuit.variable(leaf.variable).name);
        let variable = variable.and_then(|name| name.split('[').next());
        match (usage.role, variable) {
            (ParameterRole::Argument("p"), Some(variable)) => format!("{owner}_{variable}"),
            (ParameterRole::Argument(role), Some(variable)) => format!("{owner}_{variable}_{role}"),
            _ => format!("{owner}_weights"),
        }
    }
}
