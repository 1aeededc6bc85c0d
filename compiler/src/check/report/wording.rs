//! How messages name scopes, variables and numbers.

use crate::circuit::{CircuitGraph, Scope, UnitId, VarId};
use pelton_grammar::diagnostic::thousands;
use pelton_grammar::parse::RESERVED;

/// Sets of up to this many variables are listed in full.
const LISTED: usize = 5;
/// Of longer ones this many are listed.
const LISTED_OF_MANY: usize = 3;

/// `{rain, wet}`, `{x[0], x[1], x[2], … 1,021 more}`
pub(crate) fn show_scope(circuit: &CircuitGraph, scope: &Scope) -> String {
    let names = abbreviated(scope, |id| circuit.variable(id).name.clone());
    format!("{{{names}}}")
}

/// `` `rain`, `wet` ``, abbreviated alike.
pub(crate) fn show_variables(circuit: &CircuitGraph, scope: &Scope) -> String {
    abbreviated(scope, |id| format!("`{}`", circuit.variable(id).name))
}

fn abbreviated(scope: &Scope, name: impl Fn(VarId) -> String) -> String {
    let n_variables = scope.len();
    let n_listed = if n_variables <= LISTED {
        n_variables
    } else {
        LISTED_OF_MANY
    };
    let mut parts: Vec<String> = scope.iter().take(n_listed).map(name).collect();
    if n_listed < n_variables {
        parts.push(format!("… {} more", thousands(n_variables - n_listed)));
    }
    parts.join(", ")
}

/// `child 2`, or ``child 2 (`comp[1]`)`` where the child has a name.
pub(crate) fn show_child(circuit: &CircuitGraph, unit: UnitId, child_idx: usize) -> String {
    let child = circuit.child(unit, child_idx).unit;
    match circuit.name(child) {
        Some(name) => format!("child {} (`{}`)", child_idx + 1, circuit.names().show(name)),
        None => format!("child {}", child_idx + 1),
    }
}

/// A variable's name as it can be written in the text.
pub(crate) fn written_name(name: &str) -> String {
    let (base, indices) = name.split_at(name.find('[').unwrap_or(name.len()));
    let is_plain = base
        .split('.')
        .all(|part| !RESERVED.contains(&part) && is_identifier(part));
    if is_plain {
        name.to_string()
    } else {
        format!("`{base}`{indices}")
    }
}

fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    let starts = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    starts && chars.all(|c| c.is_alphanumeric() || c == '_')
}

/// A total in a message: six decimals at most, none that are zero.
pub(crate) fn show_number(value: f64) -> String {
    if (1e-3..1e9).contains(&value.abs()) {
        format!("{}", (value * 1e6).round() / 1e6)
    } else {
        format!("{value}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_and_odd_names_are_quoted() {
        assert_eq!(written_name("in"), "`in`");
        assert_eq!(written_name("x[3]"), "x[3]");
        assert_eq!(written_name("very wet[3]"), "`very wet`[3]");
    }
}
