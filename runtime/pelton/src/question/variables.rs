//! Variables that are named in a list.

use crate::Error;
use pelton_compiler::circuit::{CircuitGraph, VarId};
use pelton_compiler::transform::variables_named;

/// The variables that a list such as `rain, x[0, 1]` names; the name of an array stands
/// for all of its members.
pub fn named(circuit: &CircuitGraph, list: &str) -> Result<Vec<VarId>, Error> {
    let names = parts(list);
    Ok(variables_named(circuit, names.iter().map(String::as_str))?)
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
