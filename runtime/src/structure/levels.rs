//! Columns as few values: what pairs of variables are counted by.

use crate::data::{Column, MISSING_CODE, MISSING_SMALL};

/// Values of a finite domain that are kept apart. A pair of columns with more has
/// thousands of cells, most of them empty in any data.
const MOST_VALUES: usize = 64;

/// What numbers, and domains with more values, are cut into.
pub(super) const BINS: usize = 8;

/// A column as codes from 0 to `n_values`, in order; `n_values` itself is a missing
/// cell. Values that no row has are left out, so that a column with one level is
/// constant and a pseudocount is given only to what was seen.
#[derive(Debug, PartialEq)]
pub(super) struct Levels {
    pub codes: Vec<u8>,
    pub n_values: usize,
}

impl Levels {
    /// The levels of a column of so many cells. Rows have weights for the sake of
    /// bins, which are equally filled.
    pub fn new(column: &Column, n_rows: usize, weights: Option<&[f64]>) -> Self {
        match column {
            Column::Missing => Levels {
                codes: vec![0; n_rows],
                n_values: 0,
            },
            Column::Small(cells) => small(cells, weights),
            Column::Codes(cells) => {
                let numbers: Vec<f64> = cells.iter().copied().map(number_of_code).collect();
                numbered(&numbers, weights, MOST_VALUES)
            }
            Column::Reals(cells) => numbered(cells, weights, BINS),
            Column::Soft {
                n_values,
                weights: soft,
            } => {
                let numbers: Vec<f64> = soft.chunks_exact(*n_values).map(likeliest).collect();
                numbered(&numbers, weights, MOST_VALUES)
            }
        }
    }

    pub fn has_missing(&self) -> bool {
        let missing = |&code: &u8| usize::from(code) == self.n_values;
        self.codes.iter().any(missing)
    }
}

/// Codes of a small domain, by a table: most data are columns of these.
fn small(cells: &[u8], weights: Option<&[f64]>) -> Levels {
    let mut is_present = [false; 256];
    for &cell in cells {
        is_present[usize::from(cell)] = true;
    }
    is_present[usize::from(MISSING_SMALL)] = false;
    let n_values = is_present.iter().filter(|&&present| present).count();
    if n_values > MOST_VALUES {
        let numbers: Vec<f64> = cells.iter().copied().map(number_of_small).collect();
        return numbered(&numbers, weights, MOST_VALUES);
    }
    let mut level_of = [n_values as u8; 256];
    let present = (0..256).filter(|&value| is_present[value]);
    for (value, level) in present.zip(0..) {
        level_of[value] = level;
    }
    let codes = cells.iter().map(|&cell| level_of[usize::from(cell)]);
    Levels {
        codes: codes.collect(),
        n_values,
    }
}

/// Numbers, NaN for a missing one: as they are if there are at most so many
/// different ones, else in bins.
fn numbered(cells: &[f64], weights: Option<&[f64]>, most: usize) -> Levels {
    let values = distinct(cells, weights);
    let ends = if values.len() <= most {
        values.iter().map(|&(value, _)| value).collect()
    } else {
        ends_of_bins(&values)
    };
    let level = |&cell: &f64| match cell {
        _ if cell.is_nan() => ends.len() as u8,
        _ => ends.partition_point(|&end| end < cell) as u8,
    };
    Levels {
        codes: cells.iter().map(level).collect(),
        n_values: ends.len(),
    }
}

/// The different numbers, in order, and what their rows weigh.
fn distinct(cells: &[f64], weights: Option<&[f64]>) -> Vec<(f64, f64)> {
    let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
    let pairs = cells.iter().enumerate();
    let observed = pairs.filter(|(_, cell)| !cell.is_nan());
    let mut observed: Vec<(f64, f64)> = observed.map(|(row, &cell)| (cell, weight(row))).collect();
    // Stable, so that weights are added up in the order of rows.
    observed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let runs = observed.chunk_by(|a, b| a.0 == b.0);
    runs.map(|run| (run[0].0, run.iter().map(|&(_, weight)| weight).sum()))
        .collect()
}

/// The largest value of each bin. A value goes where the middle of its rows would
/// go, so that equal numbers stay together; bins that get none are left out.
fn ends_of_bins(values: &[(f64, f64)]) -> Vec<f64> {
    let total: f64 = values.iter().map(|&(_, weight)| weight).sum();
    let mut before = 0.0;
    let bins = values.iter().map(|&(value, weight)| {
        let middle = (before + 0.5 * weight) / total;
        before += weight;
        (value, ((middle * BINS as f64) as usize).min(BINS - 1))
    });
    let bins: Vec<(f64, usize)> = bins.collect();
    let runs = bins.chunk_by(|a, b| a.1 == b.1);
    runs.map(|run| run[run.len() - 1].0).collect()
}

fn number_of_small(cell: u8) -> f64 {
    match cell {
        MISSING_SMALL => f64::NAN,
        _ => cell.into(),
    }
}

fn number_of_code(cell: u32) -> f64 {
    match cell {
        MISSING_CODE => f64::NAN,
        _ => cell.into(),
    }
}

/// The value of most weight, the first of equal ones; none if all weigh the same,
/// which says nothing.
fn likeliest(weights: &[f64]) -> f64 {
    let most = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if weights.iter().all(|&weight| weight == most) {
        return f64::NAN;
    }
    let first = weights.iter().position(|&weight| weight == most);
    first.unwrap_or(0) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(column: Column) -> (Vec<u8>, usize) {
        let n_rows = column.n_cells().unwrap_or(3);
        let levels = Levels::new(&column, n_rows, None);
        (levels.codes, levels.n_values)
    }

    #[test]
    fn values_that_no_row_has_are_left_out() {
        let small = Column::Small(vec![7, 2, MISSING_SMALL, 2, 0]);
        assert_eq!(levels(small), (vec![2, 1, 3, 1, 0], 3));
        let codes = Column::Codes(vec![900, MISSING_CODE, 5]);
        assert_eq!(levels(codes), (vec![1, 2, 0], 2));
        assert_eq!(levels(Column::Missing), (vec![0, 0, 0], 0));
    }

    #[test]
    fn bins_are_equally_filled_and_keep_ties_together() {
        let numbers: Vec<f64> = (0..80).map(|row| f64::from(row * 37 % 80)).collect();
        let (codes, n_values) = levels(Column::Reals(numbers.clone()));
        assert_eq!(n_values, BINS);
        for (cell, code) in numbers.iter().zip(codes) {
            assert_eq!(f64::from(code), (cell / 10.0).floor());
        }
        // Half of the rows are zero: they fill half of the bins.
        let numbers = (0..80).map(|row| f64::from(row.max(40) - 40)).collect();
        let (codes, n_values) = levels(Column::Reals(numbers));
        assert!(n_values < BINS);
        assert!(codes[..40].iter().all(|&code| code == 0));
        assert_eq!(usize::from(codes[79]), n_values - 1);
    }

    #[test]
    fn few_numbers_are_values_and_zero_has_no_sign() {
        let numbers = Column::Reals(vec![-0.0, 0.0, f64::NAN, 3.5]);
        assert_eq!(levels(numbers), (vec![0, 0, 2, 1], 2));
    }

    #[test]
    fn many_values_of_a_domain_are_cut_into_bins() {
        let small = Column::Small((0..=253).collect());
        let codes = Column::Codes((0..254).collect());
        assert_eq!(levels(small.clone()).1, BINS);
        assert_eq!(levels(small), levels(codes));
    }

    #[test]
    fn a_row_of_weight_two_fills_bins_like_two_rows() {
        let heavy: Vec<f64> = (0..20).map(f64::from).collect();
        let weights: Vec<f64> = (0..20).map(|row| f64::from(row % 2 + 1)).collect();
        let rows = (0..20).flat_map(|row| vec![f64::from(row); row as usize % 2 + 1]);
        let weighted = Levels::new(&Column::Reals(heavy), 20, Some(&weights));
        let (repeated, n_values) = levels(Column::Reals(rows.collect()));
        assert_eq!(weighted.n_values, n_values);
        let again = (0..20).flat_map(|row| vec![weighted.codes[row]; row % 2 + 1]);
        assert_eq!(again.collect::<Vec<u8>>(), repeated);
    }

    #[test]
    fn soft_cells_are_their_likeliest_value() {
        let soft = Column::Soft {
            n_values: 2,
            weights: vec![0.9, 0.1, 0.2, 0.8, 1.0, 1.0],
        };
        assert_eq!(levels(soft), (vec![0, 1, 2], 2));
    }
}
