//! Files of soft evidence: a weight for each value of some variables, row by row.
//!
//! A column `sky=storm` holds how likely the observation would be if `sky` were `storm`.
//! A row whose weights are all empty says nothing of the variable.

use crate::{CommandFailure, CommandResult, write};
use pelton_compiler::circuit::{
    CircuitBuilder, CircuitGraph, CircuitVariable, Domain, Leaf, LeafKind, SourceOrigin, ValueSet,
};
use pelton_runtime::data::{Column, DataSource, HeaderMode, ReadOptions, Table, read};
use std::path::Path;

/// Larger domains have too many columns.
const MOST_VALUES: u64 = 4096;

/// Lays soft evidence over rows; without any, over rows of which nothing is known.
pub fn laid_over(path: &Path, circuit: &CircuitGraph, rows: Option<Table>) -> CommandResult<Table> {
    // 1. A column for each value of each variable is looked for; the reader binds them by name
    // to a circuit that has real variables of these names.
    let columns = columns(circuit);
    let shape = shape(&columns);
    let options = ReadOptions {
        header: HeaderMode::ExceptArrays,
        weight_column: None,
    };
    write::note_read(path, write::DATA);
    let weights = read(DataSource::open(path)?, &shape, &options)?.table;
    let n_rows = weights.n_rows();
    if let Some(rows) = &rows
        && rows.n_rows() != n_rows
    {
        return Err(CommandFailure::Unfit(format!(
            "`{}` has {n_rows} rows and the data have {}; they belong together row by row",
            path.display(),
            rows.n_rows()
        )));
    }
    // 2. Rows of the data stay, or nothing is known of any variable.
    let own = |at: usize| match &rows {
        Some(rows) => rows.columns()[at].clone(),
        None => Column::Missing,
    };
    let mut all: Vec<Column> = (0..circuit.variables().len()).map(own).collect();
    // 3. A variable with weights must have them for all of its values, and no data beside.
    for (at, variable) in circuit.variables().iter().enumerate() {
        let mine: Vec<&Column> = columns
            .iter()
            .zip(weights.columns())
            .filter(|((owner, _), column)| *owner == at && **column != Column::Missing)
            .map(|(_, column)| column)
            .collect();
        if mine.is_empty() {
            continue;
        }
        let n_values = variable.domain.size().unwrap_or(0) as usize;
        if all[at] != Column::Missing || mine.len() != n_values {
            return Err(refused(path, variable, all[at] != Column::Missing));
        }
        all[at] = soft(path, variable, &mine, n_rows)?;
    }
    Ok(Table::new(n_rows, all))
}

fn refused(path: &Path, variable: &CircuitVariable, is_observed: bool) -> CommandFailure {
    let (path, name) = (path.display(), &variable.name);
    CommandFailure::Unfit(if is_observed {
        format!("`{name}` has a column in the data and soft evidence in `{path}`; leave one out")
    } else {
        format!(
            "`{path}` has columns for some values of `{name}` only; write one for each of {}",
            variable.domain
        )
    })
}

fn soft(
    path: &Path,
    variable: &CircuitVariable,
    columns: &[&Column],
    n_rows: usize,
) -> CommandResult<Column> {
    let mut weights = Vec::with_capacity(n_rows * columns.len());
    for row in 0..n_rows {
        let cells: Vec<f64> = columns.iter().map(|column| number(column, row)).collect();
        let is_missing = cells.iter().all(|cell| cell.is_nan());
        let is_good = cells.iter().all(|&cell| cell >= 0.0 && cell.is_finite())
            && cells.iter().any(|&cell| cell > 0.0);
        if !is_missing && !is_good {
            return Err(CommandFailure::Unfit(format!(
                "`{}`: the weights of `{}` in row {} are no soft evidence; write finite numbers from 0 up, \
                 not all of them 0, or leave all cells empty",
                path.display(),
                variable.name,
                row + 1
            )));
        }
        weights.extend(
            cells
                .iter()
                .map(|&cell| if is_missing { 1.0 } else { cell }),
        );
    }
    Ok(Column::Soft {
        n_values: columns.len(),
        weights,
    })
}

fn number(column: &Column, row: usize) -> f64 {
    match column {
        Column::Reals(cells) => cells[row],
        _ => f64::NAN,
    }
}

/// The columns that there may be: the variable's position and the column's name.
fn columns(circuit: &CircuitGraph) -> Vec<(usize, String)> {
    let mut columns = Vec::new();
    for (at, variable) in circuit.variables().iter().enumerate() {
        let size = variable.domain.size().filter(|&size| size <= MOST_VALUES);
        for code in 0..size.unwrap_or(0) {
            let value = variable
                .domain
                .witness(variable.domain.first() + code as f64);
            columns.push((at, format!("{}={value}", variable.name)));
        }
    }
    columns
}

/// A circuit of real variables with the names of columns: the reader binds to circuits.
fn shape(columns: &[(usize, String)]) -> CircuitGraph {
    let mut builder = CircuitBuilder::new();
    let span = pelton_grammar::source::Span::default();
    let ids: Vec<_> = columns
        .iter()
        .map(|(_, name)| {
            builder.variable(CircuitVariable {
                name: name.clone(),
                domain: Domain::Real,
                span,
                binding: Default::default(),
            })
        })
        .collect();
    let origin = SourceOrigin {
        span,
        owner: None,
        is_named: false,
    };
    let unit = match ids.first() {
        Some(&variable) => {
            let kind = LeafKind::Indicator(ValueSet::reals());
            builder.input(Leaf { variable, kind }, origin)
        }
        None => builder.product(&[], origin),
    };
    builder.finish(unit)
}
