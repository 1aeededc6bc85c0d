//! Rows drawn anew are rows that there were.

use crate::data::{Column, Table};
use crate::structure::bootstrap;

#[test]
fn rows_keep_their_cells_and_weights() {
    let cells: Vec<f64> = (0..500).map(f64::from).collect();
    let weights: Vec<f64> = cells.iter().map(|cell| cell * 2.0).collect();
    let table = Table::new(500, vec![Column::Reals(cells)]);
    let (drawn, drawn_weights) = bootstrap(&table, Some(&weights), 7);
    let Column::Reals(cells) = &drawn.columns()[0] else {
        panic!("the kind of a column stays");
    };
    assert_eq!(cells.len(), 500);
    let doubled: Vec<f64> = cells.iter().map(|cell| cell * 2.0).collect();
    assert_eq!(drawn_weights, Some(doubled));
    let mut different = cells.clone();
    different.sort_by(f64::total_cmp);
    different.dedup();
    // About 1 - 1/e of all rows.
    assert!((280..350).contains(&different.len()));
}

#[test]
fn seeds_give_rows() {
    let table = Table::new(50, vec![Column::Small((0..50).collect())]);
    assert_eq!(bootstrap(&table, None, 1), bootstrap(&table, None, 1));
    assert_ne!(bootstrap(&table, None, 1), bootstrap(&table, None, 2));
    let none = Table::new(0, vec![Column::Missing]);
    assert_eq!(bootstrap(&none, None, 1), (none, None));
}
