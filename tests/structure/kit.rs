//! Random schemas, trees, parameters and rows.

use pelton_compiler::circuit::{Domain, ParamKind, ParameterValue};
use pelton_compiler::kernel::Precision;
use pelton_runtime::data::{Schema, SchemaColumn, Table};
use pelton_runtime::structure::{VariableTree, compile};
use pelton_runtime::{Model, ModelOptions};
use pelton_tests::dice::Dice;
use std::collections::HashMap;

/// Names that circuits would like to have for something else.
const AWKWARD: &[&str] = &[
    "p1",
    "to2_x",
    "mix",
    "prior",
    "k",
    "j",
    "a",
    "b",
    "z1_k",
    "tree1",
    "word1_a",
    "mix_",
    "x[0]",
    "x[1]",
    "column2",
    "column3_",
    "p_tree1_k",
    "größe",
    "_",
];

/// Names that are nobody's.
const PLAIN: &[&str] = &["rain", "wet", "temp", "season", "boots", "novel"];

/// Names that are not written like names.
const CATEGORIES: &[&str] = &[
    "very cold",
    "in",
    "p1",
    "k",
    "0",
    "say \"hi\"",
    "a\\b",
    "größe",
];

/// Columns of one domain without names.
pub fn array(n_columns: usize, domain: Domain) -> Schema {
    let column = |at: usize| SchemaColumn {
        name: None,
        variable: format!("x[{at}]"),
        domain: domain.clone(),
    };
    Schema {
        columns: (0..n_columns).map(column).collect(),
    }
}

/// Columns with names, each of a domain of its own.
pub fn named(dice: &mut Dice, n_columns: usize, domains: &[Kind]) -> Schema {
    let mut names = if dice.chance(70) { AWKWARD } else { PLAIN }.to_vec();
    dice.shuffle(&mut names);
    let column = |name: &&str| SchemaColumn {
        name: Some(name.to_string()),
        variable: name.to_string(),
        domain: dice.pick(domains).domain(dice),
    };
    let mut columns: Vec<SchemaColumn> = names[..n_columns].iter().map(column).collect();
    // The members of an array share a domain.
    let is_member = |column: &SchemaColumn| column.variable.contains('[');
    let shared = columns.iter().find(|column| is_member(column));
    if let Some(shared) = shared.map(|column| column.domain.clone()) {
        let members = columns.iter_mut().filter(|column| is_member(column));
        members.for_each(|column| column.domain = shared.clone());
    }
    Schema { columns }
}

/// Kinds of domains.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Bool,
    Counts,
    Range,
    Categories,
    Real,
    Nat,
}

/// Those with finitely many values.
pub const FINITE: &[Kind] = &[Kind::Bool, Kind::Counts, Kind::Range, Kind::Categories];

/// All of them.
pub const ALL: &[Kind] = &[
    Kind::Bool,
    Kind::Counts,
    Kind::Range,
    Kind::Categories,
    Kind::Real,
    Kind::Nat,
];

impl Kind {
    pub fn domain(self, dice: &mut Dice) -> Domain {
        let size = 1 + dice.below(4);
        match self {
            Kind::Bool => Domain::Bool,
            Kind::Counts => Domain::Range {
                low: 0,
                high: size as i64,
            },
            Kind::Range => {
                let low = dice.pick(&[-3, 1, 7]);
                let high = low + size as i64;
                Domain::Range { low, high }
            }
            Kind::Categories => {
                let mut names = CATEGORIES.to_vec();
                dice.shuffle(&mut names);
                Domain::Categories(names[..size].iter().map(ToString::to_string).collect())
            }
            Kind::Real => Domain::Real,
            Kind::Nat => Domain::Nat,
        }
    }
}

/// A random tree.
pub fn tree(dice: &mut Dice, n_variables: usize) -> VariableTree {
    let mut order: Vec<usize> = (0..n_variables).collect();
    dice.shuffle(&mut order);
    let edges: Vec<(usize, usize)> = (1..n_variables)
        .map(|at| (order[dice.below(at)], order[at]))
        .collect();
    VariableTree::from_edges(n_variables, &edges).unwrap()
}

/// Compiles a text in double precision.
pub fn model(source: &str) -> Model {
    compile(source, &precise()).unwrap_or_else(|error| panic!("{error} in\n{source}"))
}

pub fn precise() -> ModelOptions {
    ModelOptions {
        precision: Precision::F64,
        ..ModelOptions::default()
    }
}

/// Values drawn for all parameters.
pub fn drawn(dice: &mut Dice, model: &Model) -> Vec<ParameterValue> {
    let circuit = model.circuit();
    let mut values = circuit.start_values();
    values.truncate(model.n_entries());
    let parameters = circuit.parameters().iter();
    for parameter in parameters.filter(|parameter| parameter.name.is_some()) {
        let shares: Vec<f64> = parameter
            .entries()
            .map(|_| dice.fraction() + 0.02)
            .collect();
        let total: f64 = shares.iter().sum();
        for (at, share) in parameter.entries().zip(shares) {
            values[at] = ParameterValue::Linear(match parameter.kind {
                ParamKind::Real => 6.0 * share - 3.0,
                ParamKind::Positive => 0.3 + share,
                _ => share / total,
            });
        }
    }
    values
}

/// The values of declared parameters, by the names that the text gives them.
pub fn by_name(model: &Model, values: &[ParameterValue]) -> HashMap<String, Vec<f64>> {
    let circuit = model.circuit();
    let parameters = circuit.parameters().iter();
    let named = parameters.filter_map(|parameter| {
        let own = values[parameter.entries()].iter();
        let own = own.map(|value| value.linear()).collect();
        Some((circuit.names().show(parameter.name?), own))
    });
    named.collect()
}

/// The log-likelihood of each row; NaN is a missing cell.
pub fn logs(model: &Model, values: &[ParameterValue], rows: &[Vec<f64>]) -> Vec<f64> {
    let table = Table::from_assignments(model.circuit(), rows);
    let parameters = model.parameters(values.to_vec());
    model.log_likelihoods(&parameters, &table, 1).logs
}

/// The values of a finite domain; of others one that is missing.
fn values_of(domain: &Domain) -> Vec<f64> {
    match domain.size() {
        Some(size) => (0..size).map(|code| domain.first() + code as f64).collect(),
        None => vec![f64::NAN],
    }
}

/// Every row that there is, with the cells of infinite columns missing.
pub fn all_rows(schema: &Schema) -> Vec<Vec<f64>> {
    let mut rows = vec![Vec::new()];
    for column in &schema.columns {
        let longer = |row: &Vec<f64>| {
            let row = row.clone();
            let values = values_of(&column.domain).into_iter();
            values.map(move |value| [row.as_slice(), &[value]].concat())
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    rows
}

/// A row in which of so many parts of a hundred cells nothing is known.
pub fn row(dice: &mut Dice, schema: &Schema, missing: usize) -> Vec<f64> {
    let cell = |column: &SchemaColumn| match column.domain {
        _ if dice.chance(missing) => f64::NAN,
        Domain::Real => 8.0 * dice.fraction() - 4.0,
        Domain::Nat => dice.below(6) as f64,
        _ => values_of(&column.domain)[dice.below(values_of(&column.domain).len())],
    };
    schema.columns.iter().map(cell).collect()
}

/// `ln(exp(a) + exp(b) + …)`
pub fn log_sum(logs: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = logs.clone().fold(f64::NEG_INFINITY, f64::max);
    if most.is_finite() {
        most + logs.map(|log| (log - most).exp()).sum::<f64>().ln()
    } else {
        most
    }
}

pub fn assert_close(found: f64, wanted: f64, tolerance: f64, what: &str) {
    let is_close = found == wanted || (found - wanted).abs() <= tolerance * wanted.abs().max(1.0);
    assert!(is_close, "{found} instead of {wanted}\n{what}");
}
