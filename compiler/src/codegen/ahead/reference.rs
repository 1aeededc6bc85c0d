//! One row in logarithms, unit by unit: what `crate::reference` does, for rows in which
//! kernels lost something that may matter.

use super::facts::{EdgeFacts, LeafFacts, UnitFacts, VariableFacts, facts, structure, variables};
use super::leaf::log_leaf;
use super::structure::unit;
use crate::leaf::log_space::{log_of_sum, sum_with};
use pelton_macros::only_generated;
use std::f64::consts::LN_2;

/// The logarithm of the root; `logs` is room for a number for each unit.
#[only_generated]
pub(super) fn log_row(block: *const u8, row: *const f64, logs: *mut f64) -> f64 {
    let facts = facts();
    let units = structure().add(facts.units).cast::<UnitFacts>();
    for number in 0..facts.n_units {
        *logs.add(number) = log_unit(block, row, logs, units.add(number));
    }
    *logs.add(facts.root_unit)
}

#[only_generated]
fn log_unit(block: *const u8, row: *const f64, logs: *const f64, unit: &UnitFacts) -> f64 {
    let facts = facts();
    let edges = structure()
        .add(facts.edges)
        .cast::<EdgeFacts>()
        .add(unit.first as usize);
    if unit.kind == unit::PRODUCT {
        return log_product(edges, unit.n as usize, logs);
    }
    if unit.kind == unit::SUM {
        let entries = block.add(facts.entries).cast::<f64>();
        return log_sum(edges, unit.n as usize, logs, entries);
    }
    let x = *row.add(unit.variable as usize);
    if unit.kind == unit::TABLE {
        let table = block
            .add(facts.tables)
            .cast::<f64>()
            .add(unit.first as usize);
        return log_entry(
            table,
            unit.n as usize,
            variables().add(unit.variable as usize),
            x,
        );
    }
    let leaf = block
        .add(facts.leaves)
        .cast::<LeafFacts>()
        .add(unit.first as usize);
    log_leaf(block, leaf, x) * LN_2
}

/// The sum of logarithms; a factor of zero decides.
#[only_generated]
fn log_product(edges: *const EdgeFacts, n: usize, logs: *const f64) -> f64 {
    let mut product = 0.0;
    for number in 0..n {
        let factor = *logs.add((*edges.add(number)).child as usize);
        let is_zero = product == f64::NEG_INFINITY || factor == f64::NEG_INFINITY;
        product = if is_zero {
            f64::NEG_INFINITY
        } else {
            product + factor
        };
    }
    product
}

#[only_generated]
fn log_sum(edges: *const EdgeFacts, n: usize, logs: *const f64, entries: *const f64) -> f64 {
    let (mut sum, mut largest) = (0.0, f64::NEG_INFINITY);
    for number in 0..n {
        let edge = edges.add(number);
        let weight = *entries.add(edge.entry as usize);
        let both = weight + *logs.add(edge.child as usize);
        let log = if weight == f64::NEG_INFINITY {
            weight
        } else {
            both
        };
        sum = sum_with(sum, largest, log);
        largest = if log > largest { log } else { largest };
    }
    log_of_sum(sum, largest)
}

/// An entry of a table; the last is for a missing cell.
#[only_generated]
fn log_entry(table: *const f64, n: usize, variable: &VariableFacts, x: f64) -> f64 {
    let code = (x - variable.low) as i64 as usize;
    let is_missing = x.is_nan();
    *table.add(if is_missing { n } else { code })
}
