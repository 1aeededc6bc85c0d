//! Values of parameters that were written where they are used.

use super::edit::TextReplacements;
use super::{SourceRewrite, hoist, list};
use crate::circuit::ParamKind;
use crate::lower::TracedExpansion;
use indexmap::IndexMap;
use pelton_grammar::source::Span;
use rustc_hash::{FxBuildHasher, FxHashSet};

/// `?` becomes `?0.3` where it is one parameter, and an entry of a declared array
/// where it is several.
pub(super) fn edit(work: &SourceRewrite, edits: &mut TextReplacements) -> Result<(), &'static str> {
    let mut names = hoist::HoistedNames::new(work);
    for group in groups(work) {
        if group
            .iter()
            .all(|expansion| !work.is_learned(expansion.param))
        {
            continue;
        }
        if !work.is_own(group[0].site.span) {
            return Err("parameters of a file that it uses are learned");
        }
        match group.as_slice() {
            [one] if has_own_places(one) => edit_one(work, one, edits)?,
            _ => hoist::edit(work, &group, &mut names, edits)?,
        }
    }
    Ok(())
}

/// The expansions of each place, in the order of the first of each.
fn groups<'a>(work: &SourceRewrite<'a>) -> impl Iterator<Item = Vec<&'a TracedExpansion>> {
    let mut groups: IndexMap<Span, Vec<&TracedExpansion>, FxBuildHasher> = IndexMap::default();
    for expansion in &work.trace.in_place {
        let group = groups.entry(expansion.site.span).or_default();
        group.push(expansion);
    }
    groups.into_values()
}

/// Whether every entry was written on its own.
fn has_own_places(expansion: &TracedExpansion) -> bool {
    let mut seen = FxHashSet::default();
    expansion
        .weights
        .iter()
        .all(|weight| seen.insert(weight.span))
}

fn edit_one(
    work: &SourceRewrite,
    expansion: &TracedExpansion,
    edits: &mut TextReplacements,
) -> Result<(), &'static str> {
    let param = expansion.param;
    if expansion.weights.is_empty() {
        edits.replace(expansion.site.span, argument(work, expansion));
        return Ok(());
    }
    for (entry, weight) in work.entries(param).iter().zip(&expansion.weights) {
        if !entry.learned {
            continue;
        }
        if !work.is_own(weight.span) {
            return Err("parameters of a file that it uses are learned");
        }
        edits.replace(weight.span, list::entry(*entry));
    }
    Ok(())
}

/// The arguments of a leaf: `?0.3`, `?[0.2, 0.8]`, or `0.2, ?0.8` where they were
/// listed one by one.
fn argument(work: &SourceRewrite, expansion: &TracedExpansion) -> String {
    let (param, span) = (expansion.param, expansion.site.span);
    let kind = work.circuit.parameter(param).kind;
    let is_listed = work.listed(span);
    if kind == ParamKind::Simplex && is_listed {
        list::spread(work, param)
    } else {
        list::values(work, &[param], &[], work.column(span))
    }
}

impl SourceRewrite<'_> {
    /// Whether a place holds several arguments rather than one.
    fn listed(&self, span: Span) -> bool {
        self.trace.listed.contains(&span)
    }
}
