//! Variables that are named in a list.

use crate::Error;
use pelton_compiler::circuit::{CircuitGraph, VarId, split_name};
use pelton_compiler::lower::nearest;

/// The variables that a list such as `rain, x[0, 1]` names; the name of an array stands
/// for all of its members.
pub fn named(circuit: &CircuitGraph, list: &str) -> Result<Vec<VarId>, Error> {
    let mut found = Vec::new();
    for name in parts(list) {
        let own = members(circuit, &name);
        if own.is_empty() {
            return Err(unknown(circuit, &name));
        }
        found.extend(own);
    }
    Ok(found)
}

/// The parts of a list between commas that are not in brackets.
fn parts(list: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut is_inside = false;
    for letter in list.chars().filter(|letter| !letter.is_whitespace()) {
        match letter {
            ',' if !is_inside => parts.push(String::new()),
            _ => {
                is_inside = letter == '[' || (is_inside && letter != ']');
                if let Some(part) = parts.last_mut() {
                    part.push(letter);
                }
            }
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn members(circuit: &CircuitGraph, name: &str) -> Vec<VarId> {
    let all = circuit.variables().iter().enumerate();
    let own = all.filter(|(_, variable)| {
        let plain: String = variable.name.split_whitespace().collect();
        let (base, indices) = split_name(&variable.name);
        plain == name || (base == name && !indices.is_empty())
    });
    own.map(|(at, _)| VarId::new(at)).collect()
}

fn unknown(circuit: &CircuitGraph, name: &str) -> Error {
    let names = circuit
        .variables()
        .iter()
        .map(|variable| variable.name.as_str());
    let hint = nearest(name, names);
    let hint = hint.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    Error::usage(format!("the circuit has no variable `{name}`{hint}"))
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn commas_in_brackets_do_not_end_a_name() {
        assert_eq!(parts("a, x[0, 1],y[2] "), ["a", "x[0,1]", "y[2]"]);
        assert!(parts(" , ").is_empty());
        assert_eq!(parts("x[0"), ["x[0"]);
    }
}
