//! A table of observations, column by column.

use super::softness::Softness;
use pelton_compiler::circuit::{CircuitGraph, CircuitVariable, Domain};
use pelton_compiler::reference::EvidenceCell;
use std::ops::Range;
use std::sync::Arc;

/// The code of a missing cell in [`Column::Small`].
pub const MISSING_SMALL: u8 = u8::MAX;

/// The code of a missing cell in [`Column::Codes`].
pub const MISSING_CODE: u32 = u32::MAX;

/// The cells of one variable. Codes are positions in the variable's domain: the
/// smallest value has code 0.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Nothing is known of the variable in any row.
    Missing,
    /// Codes of a domain with fewer than 255 values.
    Small(Vec<u8>),
    /// Codes of a larger finite domain.
    Codes(Vec<u32>),
    /// Numbers of `real`, `nat`, and of ranges too large for codes; NaN is missing.
    Reals(Vec<f64>),
    /// Soft evidence: for each row a weight for each value of a finite domain.
    Soft {
        /// Number of values.
        n_values: usize,
        /// Weights, `[row][value]`, finite and not negative; all ones say nothing. Only
        /// their ratios within a cell matter to what is concluded: engines divide each cell
        /// by a power of two and add its logarithm to the row's.
        weights: Vec<f64>,
    },
}

impl Column {
    /// An empty column of the compactest kind that holds the domain's values.
    pub fn for_domain(domain: &Domain) -> Self {
        match domain.size() {
            Some(size) if size < MISSING_SMALL.into() => Column::Small(Vec::new()),
            Some(size) if size < MISSING_CODE.into() => Column::Codes(Vec::new()),
            _ => Column::Reals(Vec::new()),
        }
    }

    /// Number of cells; none if the column is missing altogether.
    pub fn n_cells(&self) -> Option<usize> {
        match self {
            Column::Missing => None,
            Column::Small(cells) => Some(cells.len()),
            Column::Codes(cells) => Some(cells.len()),
            Column::Reals(cells) => Some(cells.len()),
            Column::Soft { n_values, weights } => Some(weights.len() / n_values),
        }
    }

    /// Calls `act` with the row and the code of every observed cell, where cells are codes;
    /// gives whether one was missing.
    pub(crate) fn for_each_code(&self, mut act: impl FnMut(usize, u32)) -> bool {
        let mut has_missing = false;
        let mut cell = |row: usize, code: Option<u32>| match code {
            Some(code) => act(row, code),
            None => has_missing = true,
        };
        if let Column::Small(cells) = self {
            let code = |code: u8| (code != MISSING_SMALL).then_some(code.into());
            let rows = (0..).zip(cells);
            rows.for_each(|(row, &own)| cell(row, code(own)));
        }
        if let Column::Codes(cells) = self {
            let code = |code: u32| (code != MISSING_CODE).then_some(code);
            let rows = (0..).zip(cells);
            rows.for_each(|(row, &own)| cell(row, code(own)));
        }
        has_missing
    }

    /// The column with another code in each cell, where cells are codes; none is a missing
    /// one.
    pub(crate) fn map_codes(&self, mut code: impl FnMut(Option<u32>) -> Option<u32>) -> Column {
        match self {
            Column::Small(cells) => {
                let cells = cells.iter().map(|&cell| {
                    let code = code((cell != MISSING_SMALL).then_some(cell.into()));
                    code.map_or(MISSING_SMALL, |code| code as u8)
                });
                Column::Small(cells.collect())
            }
            Column::Codes(cells) => {
                let cells = cells.iter().map(|&cell| {
                    let code = code((cell != MISSING_CODE).then_some(cell));
                    code.unwrap_or(MISSING_CODE)
                });
                Column::Codes(cells.collect())
            }
            other => other.clone(),
        }
    }

    /// Cuts the column, or fills it up with missing cells, unless it has no cells at all.
    pub(crate) fn resize(&mut self, n_rows: usize) {
        match self {
            Column::Small(cells) => cells.resize(n_rows, MISSING_SMALL),
            Column::Codes(cells) => cells.resize(n_rows, MISSING_CODE),
            Column::Reals(cells) => cells.resize(n_rows, f64::NAN),
            Column::Missing | Column::Soft { .. } => {}
        }
    }

    pub(super) fn n_bytes(&self) -> u64 {
        let n_bytes = match self {
            Column::Missing => 0,
            Column::Small(cells) => size_of_val(&cells[..]),
            Column::Codes(cells) => size_of_val(&cells[..]),
            Column::Reals(cells) => size_of_val(&cells[..]),
            Column::Soft { weights, .. } => size_of_val(&weights[..]),
        };
        n_bytes as u64
    }
}

/// Rows of observations of a circuit's variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    n_rows: usize,
    /// Shared, so that rows with and without noise are one copy.
    columns: Arc<Vec<Column>>,
    /// Noise on the cells; none if they are as they were observed.
    softness: Option<Arc<Softness>>,
}

impl Table {
    /// A table with a column for each variable of a circuit, by variable index.
    ///
    /// # Panics
    /// If a column does not have `n_rows` cells.
    pub fn new(n_rows: usize, columns: Vec<Column>) -> Self {
        for (at, column) in columns.iter().enumerate() {
            let fits = column.n_cells().is_none_or(|len| len == n_rows);
            assert!(fits, "column {at} has {n_rows} cells");
        }
        Table {
            n_rows,
            columns: Arc::new(columns),
            softness: None,
        }
    }

    /// The same observations, with noise; `None` takes it away.
    #[must_use]
    pub fn with_softness(self, softness: Option<Arc<Softness>>) -> Self {
        Table { softness, ..self }
    }

    /// The noise on the cells, if there is any.
    pub fn softness(&self) -> Option<&Softness> {
        self.softness.as_deref()
    }

    /// A table from assignments as the reference evaluation takes them: a value
    /// for each variable of `circuit`, NaN for a missing one.
    pub fn from_assignments(circuit: &CircuitGraph, rows: &[Vec<f64>]) -> Self {
        let variables = circuit.variables().iter();
        let column = |variable: &CircuitVariable| {
            let domain = &variable.domain;
            (Column::for_domain(domain), domain.first())
        };
        let mut columns: Vec<(Column, f64)> = variables.map(column).collect();
        // Row by row, because each is a list of its own somewhere in memory.
        for row in rows {
            for (at, (column, first)) in columns.iter_mut().enumerate() {
                column.push(row[at], *first);
            }
        }
        let columns = columns.into_iter().map(|(column, _)| column);
        Table::new(rows.len(), columns.collect())
    }

    /// Appends all rows to `cells`, a value for each variable of `circuit` and NaN for a
    /// missing one: what [`Table::from_assignments`] takes.
    pub fn append_assignments(&self, circuit: &CircuitGraph, cells: &mut Vec<f64>) {
        let (first, n) = (cells.len(), self.columns.len());
        cells.resize(first + self.n_rows * n, f64::NAN);
        for (at, (column, variable)) in self.columns.iter().zip(circuit.variables()).enumerate() {
            let start = variable.domain.first();
            for (row, cells) in cells[first..].chunks_exact_mut(n.max(1)).enumerate() {
                if let EvidenceCell::Value(x) = column.cell(row, start) {
                    cells[at] = x;
                }
            }
        }
    }

    /// A table to be filled again and again: its columns, which are those of the caller
    /// alone, and its number of rows.
    pub(super) fn parts_mut(&mut self) -> (&mut Vec<Column>, &mut usize) {
        (Arc::make_mut(&mut self.columns), &mut self.n_rows)
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// A copy of some of the rows.
    ///
    /// # Panics
    /// If there are fewer rows.
    #[must_use]
    pub fn slice(&self, rows: Range<usize>) -> Table {
        let columns = self.columns.iter();
        let columns = columns.map(|column| column.slice(rows.clone()));
        Table::new(rows.len(), columns.collect()).with_softness(self.softness.clone())
    }

    /// A copy of some of the rows, in the order given.
    ///
    /// # Panics
    /// If there are fewer rows.
    #[must_use]
    pub fn gather(&self, rows: &[u32]) -> Table {
        let columns = self.columns.iter().map(|column| column.gather(rows));
        Table::new(rows.len(), columns.collect()).with_softness(self.softness.clone())
    }

    /// The columns, by variable index.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }
}

/// Rows with others laid over them.
#[derive(Clone, Debug)]
pub struct LaidOver {
    /// What both know together; where they differ, what lies above.
    pub table: Table,
    /// For each row, whether they know different values of a variable.
    pub contradicts: Vec<bool>,
}

impl Table {
    /// These rows laid over those of another table of the same variables: what is missing
    /// here is as it is there.
    ///
    /// # Panics
    /// If the other table has not as many rows, or a column of another kind.
    pub fn laid_over(&self, below: &Table) -> LaidOver {
        assert_eq!(self.n_rows, below.n_rows, "as many rows");
        let mut contradicts = vec![false; self.n_rows];
        let columns = self.columns.iter().zip(below.columns.iter());
        let columns = columns.map(|pair| match pair {
            (Column::Missing, other) | (other, Column::Missing) => other.clone(),
            (Column::Small(own), Column::Small(other)) => {
                let is_missing = |&code: &u8| code == MISSING_SMALL;
                Column::Small(merged(own, other, is_missing, &mut contradicts))
            }
            (Column::Codes(own), Column::Codes(other)) => {
                let is_missing = |&code: &u32| code == MISSING_CODE;
                Column::Codes(merged(own, other, is_missing, &mut contradicts))
            }
            (Column::Reals(own), Column::Reals(other)) => {
                Column::Reals(merged(own, other, |x| x.is_nan(), &mut contradicts))
            }
            _ => unreachable!("columns of one variable are of one kind"),
        });
        let columns = columns.collect();
        LaidOver {
            table: Table::new(self.n_rows, columns),
            contradicts,
        }
    }
}

fn merged<C: Copy + PartialEq>(
    own: &[C],
    below: &[C],
    is_missing: impl Fn(&C) -> bool,
    contradicts: &mut [bool],
) -> Vec<C> {
    let cells = own.iter().zip(below).zip(contradicts);
    let cells = cells.map(|((own, below), contradicts)| {
        if is_missing(own) {
            return *below;
        }
        *contradicts |= !is_missing(below) && own != below;
        *own
    });
    cells.collect()
}

impl Column {
    fn slice(&self, rows: Range<usize>) -> Column {
        match self {
            Column::Missing => Column::Missing,
            Column::Small(cells) => Column::Small(cells[rows].to_vec()),
            Column::Codes(cells) => Column::Codes(cells[rows].to_vec()),
            Column::Reals(cells) => Column::Reals(cells[rows].to_vec()),
            Column::Soft { n_values, weights } => Column::Soft {
                n_values: *n_values,
                weights: weights[rows.start * n_values..rows.end * n_values].to_vec(),
            },
        }
    }

    fn gather(&self, rows: &[u32]) -> Column {
        match self {
            Column::Missing => Column::Missing,
            Column::Small(cells) => Column::Small(pick(cells, rows)),
            Column::Codes(cells) => Column::Codes(pick(cells, rows)),
            Column::Reals(cells) => Column::Reals(pick(cells, rows)),
            Column::Soft { n_values, weights } => {
                let rows = rows.iter().map(|&row| row as usize * n_values);
                let weights = rows.flat_map(|first| &weights[first..first + n_values]);
                Column::Soft {
                    n_values: *n_values,
                    weights: weights.copied().collect(),
                }
            }
        }
    }

    /// Adds the cell for `value` of a domain that begins with `first`.
    pub(crate) fn push(&mut self, value: f64, first: f64) {
        match self {
            Column::Small(cells) if value.is_nan() => cells.push(MISSING_SMALL),
            Column::Codes(cells) if value.is_nan() => cells.push(MISSING_CODE),
            Column::Small(cells) => cells.push((value - first) as u8),
            Column::Codes(cells) => cells.push((value - first) as u32),
            Column::Reals(cells) => cells.push(value),
            Column::Missing | Column::Soft { .. } => {}
        }
    }
}

fn pick<C: Copy>(cells: &[C], rows: &[u32]) -> Vec<C> {
    rows.iter().map(|&row| cells[row as usize]).collect()
}
