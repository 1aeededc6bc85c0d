//! Which columns are read, what their cells become, and rows that are read column by column.

use super::binding::ColumnBinding;
use super::cell::{CellReader, InvalidCell};
use super::error::DataError;
use super::number::FileNumber;
use super::table::Column;
use super::weight;
use pelton_compiler::circuit::CircuitGraph;

/// The columns that are read, variables in their order and then weights.
pub(super) struct TableLayout {
    pub binding: ColumnBinding,
    pub slots: Vec<SourceColumn>,
    /// For each variable an empty column of its kind.
    empty: Vec<Column>,
}

pub(super) struct SourceColumn {
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
        let bound = variables.zip(0..).filter_map(|((variable, column), at)| {
            let column = (*column)?;
            let target = ColumnTarget::Variable {
                at,
                cells: Box::new(CellReader::new(variable)),
                first: variable.domain.first(),
            };
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

    pub fn no_rows(&self) -> DecodedRows {
        DecodedRows {
            columns: self.empty.clone(),
            weights: Vec::new(),
            n_rows: 0,
        }
    }

    /// What is wrong with a cell of a column.
    pub fn refused(&self, file: &str, slot: &SourceColumn, refusal: InvalidCell) -> DataError {
        refusal.in_column(file, slot.column, self.binding.name(slot.column))
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

/// Some rows, filled one column after the other.
///
/// If several cells are at fault, the one of the earliest row is told, and in that
/// row the one that comes first: the same one that a reader of lines would tell,
/// and the same one however many rows are read at once.
pub(super) struct TableRowFiller<'a> {
    file: &'a str,
    layout: &'a TableLayout,
    rows: &'a mut DecodedRows,
    /// Number of the first row in the file, from 0.
    first_row: u64,
    /// Rows that are without fault so far.
    n_good: usize,
    fault: Option<DataError>,
}

impl<'a> TableRowFiller<'a> {
    /// `n_rows` rows, the first of which is row `first_row` of the file.
    pub fn new(
        file: &'a str,
        layout: &'a TableLayout,
        rows: &'a mut DecodedRows,
        first_row: u64,
        n_rows: usize,
    ) -> Self {
        TableRowFiller {
            file,
            layout,
            rows,
            first_row,
            n_good: n_rows,
            fault: None,
        }
    }

    /// Adds cells to a column, the first of them in row `from`.
    pub fn add(
        &mut self,
        slot: &SourceColumn,
        from: usize,
        cells: impl Iterator<Item = Result<f64, InvalidCell>>,
    ) {
        let n_good = self.n_good.saturating_sub(from);
        for (at, cell) in cells.take(n_good).enumerate() {
            match cell {
                Ok(value) => self.rows.push(slot, value),
                Err(refusal) => return self.stop(slot, from + at, refusal),
            }
        }
    }

    fn stop(&mut self, slot: &SourceColumn, row: usize, refusal: InvalidCell) {
        self.n_good = row;
        let fault = self.layout.refused(self.file, slot, refusal);
        self.fault = Some(fault.in_row(self.first_row + row as u64));
    }

    /// The rows, if all cells are what they may be.
    pub fn finish(self) -> Result<(), DataError> {
        match self.fault {
            None => {
                self.rows.n_rows += self.n_good;
                Ok(())
            }
            Some(fault) => Err(fault),
        }
    }
}
