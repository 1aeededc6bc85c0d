//! Which columns are read, and what their cells become.

use super::binding::ColumnBinding;
use super::cell::{CellReader, InvalidCell};
use super::error::DataError;
use super::number::FileNumber;
use super::table::Column;
use super::weight;
use pelton_compiler::circuit::CircuitGraph;

/// The columns that are read, variables in their order and then weights.
pub(super) struct TableLayout {
    /// Which column belongs to which variable.
    pub binding: ColumnBinding,
    /// The columns that are read.
    pub slots: Vec<SourceColumn>,
    /// For each variable an empty column of its kind.
    empty: Vec<Column>,
}

/// A column that is read.
pub(super) struct SourceColumn {
    /// Its position.
    pub column: usize,
    target: ColumnTarget,
}

enum ColumnTarget {
    /// A variable, what its cells may be, and the first value of its domain.
    Variable {
        at: usize,
        cells: Box<CellReader>,
        first: f64,
    },
    /// The weights of rows.
    Weights,
}

/// Rows that have been read: a column for each variable, and weights if asked for.
pub(super) struct DecodedRows {
    pub columns: Vec<Column>,
    pub weights: Vec<f64>,
    pub n_rows: usize,
}

impl TableLayout {
    /// What `binding` asks for.
    pub fn new(circuit: &CircuitGraph, binding: ColumnBinding) -> Self {
        let variables = circuit.variables().iter().zip(&binding.columns);
        let empty = variables.clone().map(|(variable, column)| match column {
            Some(_) => Column::for_domain(&variable.domain),
            None => Column::Missing,
        });
        let bound = variables
            .enumerate()
            .filter_map(|(at, (variable, column))| {
                let target = ColumnTarget::Variable {
                    at,
                    cells: Box::new(CellReader::new(variable)),
                    first: variable.domain.first(),
                };
                let column = (*column)?;
                Some(SourceColumn { column, target })
            });
        let weights = binding.weights.map(|column| SourceColumn {
            column,
            target: ColumnTarget::Weights,
        });
        TableLayout {
            empty: empty.collect(),
            slots: bound.chain(weights).collect(),
            binding,
        }
    }

    /// No rows yet.
    pub fn no_rows(&self) -> DecodedRows {
        DecodedRows {
            columns: self.empty.clone(),
            weights: Vec::new(),
            n_rows: 0,
        }
    }

    /// What is wrong with a cell of a column.
    pub fn refused(&self, file: &str, slot: &SourceColumn, refusal: InvalidCell) -> DataError {
        DataError::unfit(file, refusal.message)
            .in_column(slot.column, self.binding.name(slot.column))
            .help(refusal.help)
    }
}

impl SourceColumn {
    /// The value of a cell of a text.
    pub fn text(&self, cell: &[u8]) -> Result<f64, InvalidCell> {
        match &self.target {
            ColumnTarget::Variable { cells, .. } => cells.read(cell),
            ColumnTarget::Weights => weight::read(cell),
        }
    }

    /// The value of a text of a file whose cells have types.
    #[cfg(feature = "parquet")]
    pub fn verbatim(&self, cell: &[u8]) -> Result<f64, InvalidCell> {
        match &self.target {
            ColumnTarget::Variable { cells, .. } => cells.verbatim(cell),
            ColumnTarget::Weights => weight::read(cell),
        }
    }

    /// The value of a cell that is a number.
    #[inline]
    pub fn number(&self, number: FileNumber) -> Result<f64, InvalidCell> {
        match &self.target {
            ColumnTarget::Variable { cells, .. } => match cells.quick(number.value()) {
                Some(value) => Ok(value),
                None => cells.number(number),
            },
            ColumnTarget::Weights => weight::number(number),
        }
    }

    /// The value of a cell that a file says is missing.
    #[cfg(feature = "parquet")]
    pub fn missing(&self) -> Result<f64, InvalidCell> {
        match &self.target {
            ColumnTarget::Variable { .. } => Ok(f64::NAN),
            ColumnTarget::Weights => Err(weight::missing()),
        }
    }
}

impl DecodedRows {
    /// Bytes that the rows take.
    pub fn n_bytes(&self) -> u64 {
        let columns = self.columns.iter().map(Column::n_bytes);
        columns.sum::<u64>() + size_of_val(&self.weights[..]) as u64
    }

    /// Adds a cell to a column.
    #[inline]
    pub fn push(&mut self, slot: &SourceColumn, value: f64) {
        match &slot.target {
            ColumnTarget::Variable { at, first, .. } => self.columns[*at].push(value, *first),
            ColumnTarget::Weights => self.weights.push(value),
        }
    }
}
