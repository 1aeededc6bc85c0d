//! Which column belongs to which variable.

use super::cell::CellReader;
use super::error::DataError;
use super::naming::NamePositions;
use super::record::TextRecord;
use super::weight;
use pelton_compiler::circuit::{CircuitGraph, CircuitVariable};
use std::collections::{HashMap, HashSet};

/// Which column belongs to which variable.
pub(super) struct ColumnBinding {
    pub n_cells: usize,
    /// For each variable its column, from 0; `None` if it has none.
    pub columns: Vec<Option<usize>>,
    /// The column of weights, from 0, if rows have weights.
    pub weights: Option<usize>,
    /// The names of the columns, if there is a header.
    pub names: Option<Vec<String>>,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl ColumnBinding {
    /// Columns in the order of the variables, beside the one of weights.
    pub fn by_order(circuit: &CircuitGraph, weights: Option<usize>) -> Self {
        let n_cells = circuit.variables().len() + usize::from(weights.is_some());
        let columns = (0..n_cells).filter(|&column| Some(column) != weights);
        ColumnBinding {
            n_cells,
            columns: columns.map(Some).collect(),
            weights,
            names: None,
            notes: Vec::new(),
        }
    }

    /// Columns by their names. A variable's column is called as `@column` says, or else as
    /// the variable itself. Names are first taken as they stand; then spaces do not count.
    pub fn by_name(circuit: &CircuitGraph, names: Vec<String>, weights: Option<&str>) -> Self {
        let places = NamePositions::new(names.iter().map(String::as_str).zip(0..));
        let columns = by_names(circuit.variables(), &names);
        ColumnBinding {
            n_cells: names.len(),
            columns,
            weights: weights.and_then(|name| places.find(name)),
            names: Some(names),
            notes: Vec::new(),
        }
    }

    /// Names of variables that have no column.
    pub fn unbound<'c>(&self, circuit: &'c CircuitGraph) -> Vec<&'c str> {
        let variables = circuit.variables().iter().zip(&self.columns);
        let unbound = variables.filter(|(_, column)| column.is_none());
        unbound.map(|(variable, _)| column_name(variable)).collect()
    }

    /// Names of columns that nothing is bound to. Columns without a name, such as row
    /// numbers, are not meant to be one.
    pub fn unknown(&self) -> Vec<&str> {
        let mut is_bound = vec![false; self.n_cells];
        for &column in self.columns.iter().flatten().chain(&self.weights) {
            is_bound[column] = true;
        }
        let names = self.names.iter().flatten().zip(is_bound);
        let unknown = names.filter(|(name, is_bound)| !name.is_empty() && !is_bound);
        unknown.map(|(name, _)| name.as_str()).collect()
    }

    /// The name of a column, if there is a header.
    pub fn name(&self, column: usize) -> Option<&str> {
        Some(self.names.as_ref()?[column].as_str())
    }

    /// Whether all cells of a line can be read.
    pub fn fits(&self, circuit: &CircuitGraph, record: &TextRecord, line: &[u8]) -> bool {
        let variables = circuit.variables().iter().zip(&self.columns);
        let mut bound = variables.filter_map(|(variable, column)| Some((variable, (*column)?)));
        let weight_fits = |column| weight::read(record.cell(line, column)).is_ok();
        record.len() == self.n_cells
            && self.weights.is_none_or(weight_fits)
            && bound.all(|(variable, column)| {
                let cell = record.cell(line, column);
                CellReader::new(variable).read(cell).is_ok()
            })
    }

    /// What is wrong with data that have another number of columns. `found` says
    /// how many, as "the line has 3 cells".
    pub fn wrong_length(&self, file: &str, found: &str) -> DataError {
        let n_cells = self.n_cells;
        let (expected, help) = match (&self.names, self.weights) {
            (Some(_), _) => (
                format!("the header names {n_cells} columns"),
                "a cell that holds the delimiter or a line end must be in quotes",
            ),
            (None, None) => (format!("the circuit has {n_cells} variables"), BY_ORDER),
            (None, Some(_)) => {
                let n_variables = n_cells - 1;
                let expected =
                    format!("the circuit has {n_variables} variables and rows have a weight");
                (expected, BY_ORDER)
            }
        };
        DataError::unfit(file, format!("{found}, but {expected}")).help(help)
    }
}

const BY_ORDER: &str = "without a header, columns are bound to variables by order; \
                        a header with the variables' names may leave some out";

/// The column of each variable. A column that has the very name of a variable is no other
/// one's.
fn by_names(variables: &[CircuitVariable], names: &[String]) -> Vec<Option<usize>> {
    let exact: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
    let column = |own| exact.get(column_name(own)).copied();
    let mut columns: Vec<Option<usize>> = variables.iter().map(column).collect();
    for name in [column_name, own_name] {
        let taken: HashSet<usize> = columns.iter().flatten().copied().collect();
        let free = names.iter().map(String::as_str).zip(0..);
        let free = NamePositions::new(free.filter(|(_, at)| !taken.contains(at)));
        for (column, own) in columns.iter_mut().zip(variables) {
            *column = column.or_else(|| free.find(name(own)));
        }
    }
    columns
}

fn own_name(variable: &CircuitVariable) -> &str {
    &variable.name
}

/// What the column of a variable is called.
pub(super) fn column_name(variable: &CircuitVariable) -> &str {
    variable.binding.column.as_deref().unwrap_or(&variable.name)
}
