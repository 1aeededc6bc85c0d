//! Orders within rows that let few edges cross.

use super::GraphLayers;

/// Sweeps down and up; most of the gain comes from the first few.
const N_SWEEPS: usize = 24;

/// Rows with more edges than this are not improved pair by pair.
const LARGEST_TRANSPOSED: usize = 4000;

/// Reorders the rows: each sweep sorts every row by the mean position of its
/// neighbours in the row before, then swaps neighbours as long as that helps.
/// The best order met is kept.
pub(super) fn reduce_crossings(rows: &mut GraphLayers) {
    let mut best = rows.rows.clone();
    let mut fewest = n_crossings(rows);
    let n_segments: usize = rows.below.iter().map(Vec::len).sum();
    for sweep in 0..N_SWEEPS {
        if fewest == 0 {
            break;
        }
        // Means bring slots near their neighbours, and swaps mend what means cannot see.
        sort_rows(rows, sweep % 2 == 0);
        if n_segments <= LARGEST_TRANSPOSED {
            transpose(rows);
        }
        let crossings = n_crossings(rows);
        if crossings < fewest {
            fewest = crossings;
            best.clone_from(&rows.rows);
        }
    }
    rows.rows = best;
}

fn sort_rows(rows: &mut GraphLayers, downwards: bool) {
    let mut positions = rows.positions();
    let n_rows = rows.rows.len();
    let numbers: Vec<usize> = if downwards {
        (0..n_rows).collect()
    } else {
        (0..n_rows).rev().collect()
    };
    for row in numbers {
        let neighbours = if downwards { &rows.above } else { &rows.below };
        let mut keyed: Vec<(f64, usize)> = rows.rows[row]
            .iter()
            .map(|&slot| (mean_position(&neighbours[slot], &positions, slot), slot))
            .collect();
        // The sort is stable: slots that pull alike keep their order.
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (at, &(_, slot)) in keyed.iter().enumerate() {
            positions[slot] = at;
            rows.rows[row][at] = slot;
        }
    }
}

/// Where the neighbours pull a slot; one without neighbours stays.
fn mean_position(neighbours: &[usize], positions: &[usize], slot: usize) -> f64 {
    match neighbours.len() {
        0 => positions[slot] as f64,
        n => {
            let total: usize = neighbours.iter().map(|&other| positions[other]).sum();
            total as f64 / n as f64
        }
    }
}

/// Swaps neighbours in a row where that removes crossings, until it no longer does.
fn transpose(rows: &mut GraphLayers) {
    let mut positions = rows.positions();
    for _ in 0..8 {
        let mut improved = false;
        for row in 0..rows.rows.len() {
            for at in 1..rows.rows[row].len() {
                let (left, right) = (rows.rows[row][at - 1], rows.rows[row][at]);
                let kept = pair_crossings(rows, &positions, left, right);
                let swapped = pair_crossings(rows, &positions, right, left);
                if swapped < kept {
                    rows.rows[row].swap(at - 1, at);
                    positions.swap(left, right);
                    improved = true;
                }
            }
        }
        if !improved {
            break;
        }
    }
}

/// Crossings between the edges of two slots of a row, `left` standing first.
fn pair_crossings(rows: &GraphLayers, positions: &[usize], left: usize, right: usize) -> usize {
    let count = |neighbours: &[Vec<usize>]| -> usize {
        let crossed = |a: &usize| {
            let others = neighbours[right].iter();
            others.filter(|b| positions[**b] < positions[*a]).count()
        };
        neighbours[left].iter().map(crossed).sum()
    };
    count(&rows.above) + count(&rows.below)
}

/// All crossings between neighbouring rows.
pub(super) fn n_crossings(rows: &GraphLayers) -> usize {
    let positions = rows.positions();
    let pairs = rows.rows.windows(2);
    pairs
        .map(|pair| row_crossings(rows, &positions, &pair[0], pair[1].len()))
        .sum()
}

/// Crossings below one row: inversions among the lower ends of its edges,
/// counted with a binary indexed tree.
fn row_crossings(rows: &GraphLayers, positions: &[usize], row: &[usize], n_below: usize) -> usize {
    let mut tree = vec![0usize; n_below + 1];
    let (mut n_seen, mut crossings) = (0, 0);
    for &slot in row {
        let mut ends: Vec<usize> = rows.below[slot].iter().map(|&b| positions[b]).collect();
        ends.sort_unstable();
        for &end in &ends {
            crossings += n_seen - prefix_sum(&tree, end + 1);
        }
        for &end in &ends {
            add_one(&mut tree, end + 1);
            n_seen += 1;
        }
    }
    crossings
}

fn prefix_sum(tree: &[usize], mut at: usize) -> usize {
    let mut total = 0;
    while at > 0 {
        total += tree[at];
        at &= at - 1;
    }
    total
}

fn add_one(tree: &mut [usize], mut at: usize) {
    while at < tree.len() {
        tree[at] += 1;
        at += at & at.wrapping_neg();
    }
}
