//! Which column belongs to which variable.

use super::cell::CellReader;
use super::error::DataError;
use super::record::Record;
use pelton_compiler::circuit::{Circuit, Variable};
use std::collections::HashMap;

/// Which column belongs to which variable.
pub(super) struct Binding {
    /// Cells in each line.
    pub n_cells: usize,
    /// For each variable its column, from 0; `None` if it has none.
    pub columns: Vec<Option<usize>>,
    /// The names of the columns, if there is a header.
    pub names: Option<Vec<String>>,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl Binding {
    /// Columns in the order of the variables.
    pub fn by_order(circuit: &Circuit) -> Self {
        let n_variables = circuit.variables().len();
        Binding {
            n_cells: n_variables,
            columns: (0..n_variables).map(Some).collect(),
            names: None,
            notes: Vec::new(),
        }
    }

    /// Columns by their names. A variable's column is called as `@column` says,
    /// or as the variable itself; spaces do not count, so that `x[1,2]` is `x[1, 2]`.
    pub fn by_name(circuit: &Circuit, names: Vec<String>) -> Self {
        let places: HashMap<String, usize> = names
            .iter()
            .enumerate()
            .map(|(at, name)| (without_spaces(name), at))
            .collect();
        let place = |variable| places.get(&without_spaces(column_name(variable)));
        let columns = circuit.variables().iter();
        Binding {
            n_cells: names.len(),
            columns: columns.map(|variable| place(variable).copied()).collect(),
            names: Some(names),
            notes: Vec::new(),
        }
    }

    /// Names of variables that have no column.
    pub fn unbound<'c>(&self, circuit: &'c Circuit) -> Vec<&'c str> {
        let variables = circuit.variables().iter().zip(&self.columns);
        let unbound = variables.filter(|(_, column)| column.is_none());
        unbound.map(|(variable, _)| column_name(variable)).collect()
    }

    /// Names of columns that no variable has. Columns without a name, such as row
    /// numbers, are not meant to be one.
    pub fn unknown(&self) -> Vec<&str> {
        let mut is_bound = vec![false; self.n_cells];
        for &column in self.columns.iter().flatten() {
            is_bound[column] = true;
        }
        let names = self.names.iter().flatten().zip(is_bound);
        names
            .filter(|(name, is_bound)| !name.is_empty() && !is_bound)
            .map(|(name, _)| name.as_str())
            .collect()
    }

    /// The name of a column, if there is a header.
    pub fn name(&self, column: usize) -> Option<&str> {
        Some(self.names.as_ref()?[column].as_str())
    }

    /// Whether all cells of a line can be read.
    pub fn fits(&self, circuit: &Circuit, record: &Record, line: &[u8]) -> bool {
        let variables = circuit.variables().iter().zip(&self.columns);
        let mut bound = variables.filter_map(|(variable, column)| Some((variable, (*column)?)));
        record.len() == self.n_cells
            && bound.all(|(variable, column)| {
                let cell = record.cell(line, column);
                CellReader::new(variable).read(cell).is_ok()
            })
    }

    /// What is wrong with a line that has another number of cells.
    pub fn wrong_length(&self, file: &str, number: u64, n_found: usize) -> DataError {
        let cells = |n| pelton_grammar::diagnostic::counted(n, "cell", "cells");
        let (found, n_cells) = (cells(n_found), self.n_cells);
        let (message, help) = match &self.names {
            Some(_) => (
                format!("the line has {found}, but the header names {n_cells} columns"),
                "a cell that holds the delimiter or a line end must be in quotes",
            ),
            None => (
                format!("the line has {found}, but the circuit has {n_cells} variables"),
                "without a header, columns are bound to variables by order; \
                 a header with the variables' names may leave some out",
            ),
        };
        DataError::unfit(file, message).on_line(number).help(help)
    }
}

/// What the column of a variable is called.
pub(super) fn column_name(variable: &Variable) -> &str {
    variable.binding.column.as_deref().unwrap_or(&variable.name)
}

fn without_spaces(name: &str) -> String {
    name.split_whitespace().collect()
}
