//! Sets of values as conditions and as truncations.

use super::super::token::{ShortestNumber, category, string};
use super::naming::EmittedNames;
use crate::circuit::{Cut, Domain, ValueSet, VarId};

/// Sets of more members than this are written by their ends.
const LONGEST_LIST: f64 = 1024.0;

/// The condition that `name` lies in `set`, as alternatives of which one must
/// hold; one alternative is enough for all but scattered sets without end.
pub(super) fn conditions(
    naming: &EmittedNames,
    variable: VarId,
    set: &ValueSet,
    domain: &Domain,
) -> Vec<String> {
    let name = naming.variable(variable);
    match (domain, set.runs()) {
        (_, []) => vec![format!("{name} in {{}}")],
        (Domain::Bool, [run]) if is_single(run) => vec![if run.0.value() == 0.0 {
            format!("!{name}")
        } else {
            name.to_string()
        }],
        (Domain::Categories(_) | Domain::Range { .. } | Domain::Nat, [run]) if is_single(run) => {
            vec![format!(
                "{name} = {}",
                member(naming, run.0.value(), domain)
            )]
        }
        (Domain::Bool | Domain::Categories(_), _) => vec![listed(naming, name, set, domain)],
        (Domain::Range { .. } | Domain::Nat, [_, _, ..]) if set.measure() <= LONGEST_LIST => {
            vec![listed(naming, name, set, domain)]
        }
        (_, runs) => runs.iter().map(|run| comparison(name, run)).collect(),
    }
}

/// What stands behind `in` in a truncated leaf; none if the language has no words for it.
pub(super) fn truncation(naming: &EmittedNames, set: &ValueSet, domain: &Domain) -> Option<String> {
    match (domain, set.runs()) {
        (Domain::Bool | Domain::Categories(_), _) | (_, []) => Some(list(naming, set, domain)),
        (_, [run]) => {
            let (open, close) = ValueSet::brackets(run);
            let (low, high) = (ShortestNumber(run.0.value()), ShortestNumber(run.1.value()));
            Some(format!("{open}{low}, {high}{close}"))
        }
        (Domain::Range { .. } | Domain::Nat, _) if set.measure() <= LONGEST_LIST => {
            Some(list(naming, set, domain))
        }
        _ => None,
    }
}

fn is_single(&(low, high): &(Cut, Cut)) -> bool {
    high.value() == low.value() + 1.0
}

fn listed(naming: &EmittedNames, name: &str, set: &ValueSet, domain: &Domain) -> String {
    format!("{name} in {}", list(naming, set, domain))
}

/// `{a, b}`
fn list(naming: &EmittedNames, set: &ValueSet, domain: &Domain) -> String {
    let values = set
        .runs()
        .iter()
        .flat_map(|(low, high)| low.value() as i64..high.value() as i64);
    let members = values.map(|value| member(naming, value as f64, domain));
    format!("{{{}}}", pelton_grammar::diagnostic::listed(members))
}

/// One value of a discrete domain. A category that is called like something else is a
/// string, so that it is not taken for that.
fn member(naming: &EmittedNames, value: f64, domain: &Domain) -> String {
    match domain {
        Domain::Bool => (value != 0.0).to_string(),
        Domain::Categories(names) => match names.get(value as usize) {
            Some(name) if naming.is_taken(name) => string(name),
            Some(name) => category(name).into_owned(),
            None => ShortestNumber(value).to_string(),
        },
        _ => ShortestNumber(value).to_string(),
    }
}

/// `10 <= temp < 20`, without an end that is infinite.
fn comparison(name: &str, &(low, high): &(Cut, Cut)) -> String {
    let (below, above) = (
        if low.is_after() { "<" } else { "<=" },
        if high.is_after() { "<=" } else { "<" },
    );
    let (from, to) = (ShortestNumber(low.value()), ShortestNumber(high.value()));
    match (low.value().is_finite(), high.value().is_finite()) {
        (true, true) if low.value() == high.value() => format!("{name} = {from}"),
        (true, false) => format!("{name} {} {from}", below.replace('<', ">")),
        (false, true) => format!("{name} {above} {to}"),
        _ => format!("{from} {below} {name} {above} {to}"),
    }
}
