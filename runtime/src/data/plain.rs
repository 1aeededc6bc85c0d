//! Rows of single digits, `0,1,1,0`, many at a time.
//!
//! Benchmarks come as such files, and they are large. All rows have one length,
//! so cells are found without looking for delimiters, and columns are filled for
//! a block of rows in turn.

use super::binding::ColumnBinding;
use super::table::Column;
use pelton_compiler::circuit::{CircuitGraph, Domain};

/// Rows in a block: the text of a block stays in the first-level cache.
const BLOCK: usize = 64;

/// Reads rows in which every cell is a single digit.
pub(super) struct PlainRows {
    delimiter: u8,
    variables: Vec<usize>,
    first: Vec<u8>,
    /// Number of digits allowed in each column.
    n_values: Vec<u8>,
}

impl PlainRows {
    /// A reader of such rows, if the variables' values are single digits and every
    /// column belongs to one variable.
    pub fn for_binding(
        circuit: &CircuitGraph,
        binding: &ColumnBinding,
        delimiter: u8,
    ) -> Option<Self> {
        let mut rows = PlainRows {
            delimiter,
            variables: vec![usize::MAX; binding.n_cells],
            first: vec![0; binding.n_cells],
            n_values: vec![0; binding.n_cells],
        };
        for (at, variable) in circuit.variables().iter().enumerate() {
            let column = binding.columns[at]?;
            let (first, n_values) = digits(&variable.domain)?;
            let is_digit = |word: &String| word.trim().parse::<u8>().is_ok();
            if rows.n_values[column] > 0 || variable.binding.missing.iter().any(is_digit) {
                return None;
            }
            rows.variables[column] = at;
            rows.first[column] = first;
            rows.n_values[column] = n_values;
        }
        let is_complete = rows.n_values.iter().all(|&n| n > 0);
        (is_complete && binding.n_cells > 0).then_some(rows)
    }

    /// A reader of rows of `n_cells` digits, whatever they stand for.
    pub fn of_any_digits(n_cells: usize, delimiter: u8) -> Self {
        PlainRows {
            delimiter,
            variables: (0..n_cells).collect(),
            first: vec![b'0'; n_cells],
            n_values: vec![10; n_cells],
        }
    }

    /// Reads whole lines from the front of `text` for as long as they are plain, and
    /// no more than `max_rows`. Gives the number of rows and of bytes.
    pub fn take(&self, text: &[u8], max_rows: usize, columns: &mut [Column]) -> (usize, usize) {
        self.take_blocks(text, max_rows, |block, stride| {
            self.push(block, stride, columns);
        })
    }

    /// Hands the lines that [`PlainRows::take`] reads to `each` in blocks, with the
    /// number of bytes from one line to the next. The cell of a column is the byte at
    /// twice its number.
    pub fn take_blocks(
        &self,
        text: &[u8],
        max_rows: usize,
        mut each: impl FnMut(&[u8], usize),
    ) -> (usize, usize) {
        let length = 2 * self.variables.len() - 1;
        let stride = match text.get(length..) {
            Some([b'\n', ..]) => length + 1,
            Some([b'\r', b'\n', ..]) => length + 2,
            _ => return (0, 0),
        };
        let line_end = &text[length..stride];
        let lines = text.chunks_exact(stride).take(max_rows);
        let n_rows = lines
            .take_while(|line| &line[length..] == line_end && self.is_plain(&line[..=length]))
            .count();
        for block in text[..n_rows * stride].chunks(BLOCK * stride) {
            each(block, stride);
        }
        (n_rows, n_rows * stride)
    }

    /// Whether a line, given with one byte of its end, is digits and delimiters only.
    fn is_plain(&self, line: &[u8]) -> bool {
        let (pairs, _) = line.as_chunks::<2>();
        let allowed = self.first.iter().zip(&self.n_values);
        let mut is_wrong = false;
        // No early exit, so that the loop is done many cells at a time.
        for (pair, (first, n_values)) in pairs.iter().zip(allowed) {
            is_wrong |= pair[0].wrapping_sub(*first) >= *n_values;
        }
        let n_last = pairs.len() - 1;
        for pair in &pairs[..n_last] {
            is_wrong |= pair[1] != self.delimiter;
        }
        !is_wrong
    }

    fn push(&self, block: &[u8], stride: usize, columns: &mut [Column]) {
        for (column, &variable) in self.variables.iter().enumerate() {
            let Column::Small(cells) = &mut columns[variable] else {
                unreachable!("domains of single digits have small columns");
            };
            let first = self.first[column];
            let digits = block.iter().skip(2 * column).step_by(stride);
            cells.extend(digits.map(|digit| digit - first));
        }
    }
}

/// The first digit and the number of values of a domain whose values are digits.
fn digits(domain: &Domain) -> Option<(u8, u8)> {
    match domain {
        Domain::Bool => Some((b'0', 2)),
        Domain::Range { low, high } if 0 <= *low && *high <= 10 => {
            Some((b'0' + *low as u8, (high - low) as u8))
        }
        _ => None,
    }
}
