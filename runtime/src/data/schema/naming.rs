//! Names of variables, made of the names of their columns.

use pelton_compiler::circuit::{Domain, show_name, split_name};
use pelton_grammar::parse::RESERVED;
use std::collections::HashSet;

/// A name for each column's variable, all of them different.
///
/// A name that can be written without quotes is kept, and so is that of a member of an
/// array, `x[3]`; others become such names. Columns without names are the array `x` if
/// their domains are equal, as they have to be in an array, otherwise `x0`, `x1`, …
pub(super) fn variables(names: &[Option<String>], domains: &[Domain]) -> Vec<String> {
    let are_equal = domains.windows(2).all(|pair| pair[0] == pair[1]);
    let plain = |at: usize| match &names[at] {
        Some(name) => identifier(name, at),
        None if are_equal => show_name("x", &[at as i64]),
        None => format!("x{at}"),
    };
    let plain: Vec<String> = (0..names.len()).map(plain).collect();
    // Who has a name keeps it, whoever would like to have it besides.
    let is_kept = |at: &usize| names[*at].as_ref().is_none_or(|name| *name == plain[*at]);
    let (kept, made): (Vec<usize>, Vec<usize>) = (0..names.len()).partition(is_kept);
    let mut taken = HashSet::new();
    let mut variables = plain.clone();
    for at in kept.into_iter().chain(made) {
        variables[at] = free(&plain[at], &taken);
        taken.insert(variables[at].clone());
    }
    variables
}

/// The name itself, or with a number behind it.
fn free(name: &str, taken: &HashSet<String>) -> String {
    if !taken.contains(name) {
        return name.to_string();
    }
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut free = numbered.filter(|candidate| !taken.contains(candidate));
    free.next().expect("some number is free")
}

/// The identifier that is nearest to the name of column `at`.
fn identifier(name: &str, at: usize) -> String {
    if let Some(member) = member(name) {
        return member;
    }
    let is_kept = |c: char| c == '_' || c.is_alphanumeric();
    let words = name.split(|c| !is_kept(c)).filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join("_");
    match joined.chars().next() {
        None => format!("x{at}"),
        Some(first) if first.is_numeric() => format!("x{joined}"),
        Some(_) if RESERVED.contains(&joined.as_str()) => format!("{joined}_"),
        Some(_) => joined,
    }
}

/// The name as that of a member of an array, if it is one.
fn member(name: &str) -> Option<String> {
    let spaced: String = name.split_whitespace().collect();
    let spaced = spaced.replace(',', ", ");
    let (base, indices) = split_name(&spaced);
    let is_member = !indices.is_empty() && identifier(base, 0) == base;
    is_member.then(|| spaced.clone())
}
