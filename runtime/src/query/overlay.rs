//! A box laid over rows: what both know together.

use crate::data::{Column, Table};
use pelton_compiler::circuit::{CircuitGraph, Domain, ValueSet};
use pelton_compiler::evidence::{EvidenceCell, ValueBox};

pub(super) struct BoxOverlay {
    /// The rows, with exact values of reals and cut soft evidence filled in.
    pub table: Table,
    /// Where what is still missing lies.
    pub within: ValueBox,
    /// Whether each row agrees with the box; none if all do.
    possible: Option<Vec<bool>>,
}

impl BoxOverlay {
    /// What rows and box know together. Where a cell was observed, the box either holds
    /// or it does not; where it is missing, the box says where its value lies.
    pub fn new(circuit: &CircuitGraph, table: &Table, part: &ValueBox) -> Self {
        let mut columns: Option<Vec<Column>> = None;
        let mut within = ValueBox::default();
        let mut possible: Option<Vec<bool>> = None;
        for (variable, set) in part.sets() {
            let at = variable.index();
            let domain = &circuit.variable(variable).domain;
            let column = &table.columns()[at];
            forbid(column, set, domain, table.n_rows(), &mut possible);
            let replaced = match (part.exact(circuit, variable), column) {
                (Some(x), _) => Some(with_point(column, x, table.n_rows())),
                (None, Column::Soft { n_values, weights }) => {
                    Some(cut(weights, *n_values, set, domain))
                }
                (None, _) => {
                    within.insert(variable, set.clone());
                    None
                }
            };
            if let Some(column) = replaced {
                columns.get_or_insert_with(|| table.columns().to_vec())[at] = column;
            }
        }
        let replaced = columns.map(|columns| Table::new(table.n_rows(), columns));
        BoxOverlay {
            table: replaced.unwrap_or_else(|| table.clone()),
            within,
            possible,
        }
    }

    pub fn is_possible(&self, row: usize) -> bool {
        self.possible.as_ref().is_none_or(|rows| rows[row])
    }
}

/// Marks rows whose observed cell lies outside the set.
fn forbid(
    column: &Column,
    set: &ValueSet,
    domain: &Domain,
    n_rows: usize,
    possible: &mut Option<Vec<bool>>,
) {
    if matches!(column, Column::Missing | Column::Soft { .. }) {
        return;
    }
    for row in 0..n_rows {
        if let EvidenceCell::Value(x) = column.cell(row, domain.first())
            && !set.contains(x)
        {
            possible.get_or_insert_with(|| vec![true; n_rows])[row] = false;
        }
    }
}

/// A column of reals whose missing cells have one value.
fn with_point(column: &Column, x: f64, n_rows: usize) -> Column {
    Column::Reals(match column {
        Column::Reals(cells) => {
            let fill = |&cell: &f64| if cell.is_nan() { x } else { cell };
            cells.iter().map(fill).collect()
        }
        _ => vec![x; n_rows],
    })
}

/// Soft evidence without the values outside a set.
fn cut(weights: &[f64], n_values: usize, set: &ValueSet, domain: &Domain) -> Column {
    let is_inside = |at: usize| set.contains(domain.first() + at as f64);
    let inside: Vec<bool> = (0..n_values).map(is_inside).collect();
    let keep = |(at, &weight): (usize, &f64)| if inside[at % n_values] { weight } else { 0.0 };
    Column::Soft {
        n_values,
        weights: weights.iter().enumerate().map(keep).collect(),
    }
}
