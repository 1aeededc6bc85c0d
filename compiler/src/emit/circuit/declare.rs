//! Declarations of variables and parameters.

use super::super::token::{self, EntryText, ValueText};
use super::super::{EmitError, EmitResult};
use super::naming::{EmittedNames, ParameterGroup, VariableGroup};
use crate::circuit::{
    CircuitGraph, CircuitVariable, Domain, ParamId, ParamKind, ParameterEntry, VarId,
    VariableAttributes,
};
use pelton_grammar::diagnostic::listed;
use std::fmt::Write;
use std::ops::Range;

/// Lines are broken where they would be longer.
pub(super) const LINE_WIDTH: usize = 100;

/// Writes `var …;` for every variable, used or not.
pub(super) fn variables(
    variables: &[CircuitVariable],
    naming: &EmittedNames,
    out: &mut dyn Write,
) -> EmitResult {
    for group in &naming.variable_groups {
        let first = &variables[group.ids.start];
        write_binding(&group.binding, out)?;
        out.write_str("var ")?;
        write_declared(naming, group, out)?;
        writeln!(out, " : {};", domain_text(&first.domain))?;
    }
    Ok(())
}

fn write_binding(binding: &VariableAttributes, out: &mut dyn Write) -> EmitResult {
    let mut attributes = Vec::new();
    if let Some(column) = &binding.column {
        attributes.push(format!("@column({})", token::string(column)));
    }
    if let Some(unit) = &binding.unit {
        attributes.push(format!("@unit({})", token::string(unit)));
    }
    if !binding.missing.is_empty() {
        let cells = binding.missing.iter().map(|m| token::string(m));
        attributes.push(format!("@missing({})", listed(cells)));
    }
    if !attributes.is_empty() {
        writeln!(out, "{}", attributes.join(" "))?;
    }
    Ok(())
}

fn write_declared(naming: &EmittedNames, group: &VariableGroup, out: &mut dyn Write) -> EmitResult {
    if let Some((name, dims)) = &group.array {
        return Ok(write!(out, "{name}[{}]", dims_text(dims))?);
    }
    let mut width = "var ".len();
    for at in group.ids.clone() {
        let name = naming.variable(VarId::new(at));
        if at > group.ids.start {
            let is_full = width + name.len() > LINE_WIDTH;
            out.write_str(if is_full { ",\n    " } else { ", " })?;
            width = if is_full { 4 } else { width + 2 };
        }
        out.write_str(name)?;
        width += name.len();
    }
    Ok(())
}

fn dims_text(dims: &[Range<i64>]) -> String {
    listed(dims.iter().map(|dim| format!("{}..{}", dim.start, dim.end)))
}

fn domain_text(domain: &Domain) -> String {
    match domain {
        Domain::Categories(names) => {
            let names = names.iter().map(|name| token::category(name));
            format!("{{{}}}", listed(names))
        }
        other => other.to_string(),
    }
}

/// Writes `param …;` for every parameter that has or needs a name.
pub(super) fn parameters(
    circuit: &CircuitGraph,
    naming: &EmittedNames,
    out: &mut dyn Write,
) -> EmitResult {
    for group in &naming.parameter_groups {
        write_parameter(circuit, group, out)?;
    }
    Ok(())
}

fn write_parameter(
    circuit: &CircuitGraph,
    group: &ParameterGroup,
    out: &mut dyn Write,
) -> EmitResult {
    let parameter = circuit.parameter(group.ids[0]);
    if parameter.kind == ParamKind::Weights {
        let what = "learned weights that several sums share and that need not add up to 1";
        return Err(EmitError::Inexpressible(what.to_string()));
    }
    write!(out, "param {}", group.name)?;
    if !group.dims.is_empty() {
        write!(out, "[{}]", dims_text(&group.dims))?;
    }
    write!(out, " : {}", parameter.kind.name())?;
    if is_vector(parameter.kind) {
        write!(out, "({})", parameter.len())?;
    }
    out.write_str(" = ")?;
    write_values(circuit, group, out)?;
    Ok(out.write_str(";\n")?)
}

/// What the entries of a parameter have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EntryPattern {
    /// All learned, from no particular value.
    Open,
    /// All learned, each from a value.
    Started,
    /// All fixed.
    Fixed,
    /// Anything else.
    Mixed,
}

fn pattern(entries: &[ParameterEntry]) -> EntryPattern {
    let all = |learned, valued| {
        let is =
            |entry: &ParameterEntry| entry.learned == learned && entry.value.is_some() == valued;
        entries.iter().all(is)
    };
    match () {
        () if all(true, false) => EntryPattern::Open,
        () if all(true, true) => EntryPattern::Started,
        () if all(false, true) => EntryPattern::Fixed,
        () => EntryPattern::Mixed,
    }
}

/// Whether these members of a family can be declared as one array.
pub(super) fn share_a_declaration(circuit: &CircuitGraph, ids: &[ParamId]) -> bool {
    let traits_of = |id: &ParamId| {
        let parameter = circuit.parameter(*id);
        let pattern = pattern(circuit.entries(*id));
        (parameter.kind, parameter.len(), pattern)
    };
    let first = ids.first().map(traits_of);
    first.is_some_and(|first| first.2 != EntryPattern::Mixed)
        && ids.iter().all(|id| Some(traits_of(id)) == first)
}

fn is_vector(kind: ParamKind) -> bool {
    matches!(kind, ParamKind::Simplex | ParamKind::Weights)
}

/// The entries that are written: a `unit` parameter is its second one.
pub(super) fn written_entries(circuit: &CircuitGraph, id: ParamId) -> &[ParameterEntry] {
    let entries = circuit.entries(id);
    match circuit.parameter(id).kind {
        ParamKind::Unit => &entries[1..],
        _ => entries,
    }
}

fn write_values(circuit: &CircuitGraph, group: &ParameterGroup, out: &mut dyn Write) -> EmitResult {
    match pattern(circuit.entries(group.ids[0])) {
        EntryPattern::Open => return Ok(out.write_char('?')?),
        EntryPattern::Started => out.write_char('?')?,
        EntryPattern::Fixed | EntryPattern::Mixed => {}
    }
    let sizes: Vec<usize> = group
        .dims
        .iter()
        .map(|dim| (dim.end - dim.start) as usize)
        .collect();
    for (at, &id) in group.ids.iter().enumerate() {
        write_opening(at, &sizes, is_vector(circuit.parameter(id).kind), out)?;
        out.write_str(&own_values(circuit, id))?;
        write_closing(at + 1, &sizes, out)?;
    }
    Ok(())
}

/// Brackets and separators before member `at` of an array; a row is a line.
fn write_opening(at: usize, sizes: &[usize], is_row: bool, out: &mut dyn Write) -> EmitResult {
    let n_opened = full_dims(at, sizes);
    match at > 0 {
        true if is_row || n_opened > 0 => out.write_str(",\n    ")?,
        true => out.write_str(", ")?,
        false => {}
    }
    for _ in 0..n_opened {
        out.write_char('[')?;
    }
    Ok(())
}

fn write_closing(n_done: usize, sizes: &[usize], out: &mut dyn Write) -> EmitResult {
    for _ in 0..full_dims(n_done, sizes) {
        out.write_char(']')?;
    }
    Ok(())
}

/// How many of the innermost dimensions begin or end at member `at`.
fn full_dims(at: usize, sizes: &[usize]) -> usize {
    let mut volume = 1;
    let full = sizes.iter().rev().take_while(|&&size| {
        volume *= size;
        at.is_multiple_of(volume)
    });
    full.count()
}

/// The numbers of one parameter, without the `?` that stands before a whole array.
fn own_values(circuit: &CircuitGraph, id: ParamId) -> String {
    let entries = written_entries(circuit, id);
    let is_mixed = pattern(circuit.entries(id)) == EntryPattern::Mixed;
    let texts: Vec<String> = entries
        .iter()
        .map(|entry| match entry.value {
            Some(value) if !is_mixed => ValueText(value).to_string(),
            _ => EntryText(*entry).to_string(),
        })
        .collect();
    if is_vector(circuit.parameter(id).kind) {
        format!("[{}]", texts.join(", "))
    } else {
        texts.concat()
    }
}
