//! Which node or parameter is asked for.

use crate::{CommandFailure, CommandResult};
use pelton_compiler::circuit::{CircuitGraph, NameId, ParamId, ParamKind, UnitId};
use pelton_compiler::lower::nearest;
use std::collections::HashSet;

/// What the user asks for: `z`, `z[3, 7]`, `trans[2]`.
pub struct ParameterSelector<'a> {
    text: &'a str,
    /// The same without blanks.
    pub plain: String,
    /// The name and its indices, if it is written with some.
    indexed: Option<(String, Vec<i64>)>,
}

impl<'a> ParameterSelector<'a> {
    pub fn new(text: &'a str) -> Self {
        let plain = without_blanks(text);
        let indexed = plain.strip_suffix(']').and_then(|text| {
            let (base, indices) = text.split_once('[')?;
            let indices = indices.split(',').map(|index| index.parse().ok());
            Some((base.to_string(), indices.collect::<Option<Vec<i64>>>()?))
        });
        ParameterSelector {
            text,
            plain,
            indexed,
        }
    }

    /// Whether a name is meant: itself, its family, or the beginning of its indices.
    fn is(&self, base: &str, indices: &[i64]) -> bool {
        let base = without_blanks(base);
        let begins =
            |(name, first): &(String, Vec<i64>)| *name == base && indices.starts_with(first);
        base == self.plain || self.indexed.as_ref().is_some_and(begins)
    }

    pub fn is_name(&self, circuit: &CircuitGraph, name: NameId) -> bool {
        self.is(circuit.names().base(name), circuit.names().indices(name))
    }

    /// For each unit, whether it is a part of what is meant: of a node everything that
    /// is written in it, also what another node says first and shares with it.
    pub fn parts(&self, circuit: &CircuitGraph) -> Vec<bool> {
        let is_own = |unit: UnitId| match circuit.owner(unit) {
            Some(owner) => self.is_name(circuit, owner),
            None => self.plain == "root",
        };
        let mut parts: Vec<bool> = circuit.units().map(is_own).collect();
        // Parents have larger ids than their children, so one walk down is enough.
        for unit in circuit.units().rev() {
            if !parts[unit.index()] {
                continue;
            }
            for child in circuit.children(unit) {
                parts[child.unit.index()] |= circuit.name(child.unit).is_none();
            }
        }
        parts
    }

    /// The entry of a vector that a last index picks.
    pub fn entry(&self, circuit: &CircuitGraph, param: ParamId, name: NameId) -> Option<usize> {
        let (base, indices) = self.indexed.as_ref()?;
        let (&entry, own) = indices.split_last()?;
        let is_it = without_blanks(circuit.names().base(name)) == *base
            && circuit.names().indices(name) == own
            && circuit.parameter(param).kind == ParamKind::Simplex;
        let entry = usize::try_from(entry).ok().filter(|_| is_it)?;
        (entry < circuit.parameter(param).len()).then_some(entry)
    }

    /// A node may have no parameters; what is neither node nor parameter is a slip.
    pub fn must_exist(&self, circuit: &CircuitGraph) -> CommandResult<()> {
        let names = || circuit.names().ids();
        if self.plain == "root" || names().any(|name| self.is_name(circuit, name)) {
            return Ok(());
        }
        let text = self.text;
        let base = self.indexed.as_ref().map_or(&self.plain, |(base, _)| base);
        let has_base = |name: NameId| without_blanks(circuit.names().base(name)) == *base;
        if let Some(first) = names().find(|&name| has_base(name)) {
            let example = circuit.names().show(first);
            let message =
                format!("there is no `{text}`; its family has members such as `{example}`");
            return Err(CommandFailure::Usage(message));
        }
        let bases: HashSet<&str> = names().map(|name| circuit.names().base(name)).collect();
        let mut bases: Vec<&str> = bases.into_iter().collect();
        bases.sort_unstable();
        let hint = nearest(base, bases.iter().copied());
        let hint = hint.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        let message = format!("the circuit has no node or parameter `{text}`{hint}");
        Err(CommandFailure::Usage(message))
    }
}

/// A name without the blanks that make it readable.
pub fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect()
}
