//! k-means over rows of any kind: numbers by distance, values by whether they agree.

use crate::data::{Column, MISSING_CODE, MISSING_SMALL, Table};
use pelton_compiler::choice::unit;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Rows that centres are computed from; further ones only choose among them.
const MOST_ROWS: usize = 10_000;

/// Rounds after which centres hardly move.
const ROUNDS: usize = 15;

/// Domains with more values are left out: almost no two rows agree on one.
const MOST_VALUES: u32 = 256;

/// Assigns every row to one of `k` clusters. Missing cells count for nothing.
pub(super) fn clusters(table: &Table, k: usize, seed: u64) -> Vec<u32> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(u64::from_be_bytes(*b"k-means\0"));
    // 1. Columns as numbers that distances are taken of, and rows to find centres by.
    let columns = table.columns().iter().filter_map(feature).collect();
    let features = ClusterFeatures { columns };
    let sample = sample(table.n_rows(), &mut random);
    // 2. Centres that lie apart, moved to the means of their rows until they stay.
    let mut centres = features.first_centres(&sample, k, &mut random);
    for _ in 0..ROUNDS {
        let chosen = features.assign(&sample, &centres);
        let moved = features.centres(&sample, &chosen, &centres);
        if moved == centres {
            break;
        }
        centres = moved;
    }
    // 3. All rows, some at a time, because each has a distance from every centre.
    let all: Vec<u32> = (0..table.n_rows() as u32).collect();
    let parts = all.chunks(MOST_ROWS);
    let clusters = parts.flat_map(|rows| features.assign(rows, &centres));
    clusters.collect()
}

/// Some rows, each once.
fn sample(n_rows: usize, random: &mut impl Rng) -> Vec<u32> {
    let mut rows: Vec<u32> = (0..n_rows as u32).collect();
    let n = n_rows.min(MOST_ROWS);
    for at in 0..n {
        let other = at + (random.next_u64() % (n_rows - at) as u64) as usize;
        rows.swap(at, other);
    }
    rows.truncate(n);
    rows
}

/// The columns that rows are compared by.
struct ClusterFeatures {
    columns: Vec<ClusterFeature>,
}

enum ClusterFeature {
    /// Codes of a finite domain; the number of values stands for a missing cell.
    Codes { cells: Vec<u32>, n_values: u32 },
    /// Numbers in units of the column's standard deviation; NaN is missing.
    Numbers(Vec<f32>),
}

/// For each column and cluster the mean of its rows: the share of each value, or
/// a number.
type Centres = Vec<Vec<f32>>;

impl ClusterFeatures {
    /// Centres that are rows: each is drawn with a chance that grows with the
    /// distance from those drawn before.
    fn first_centres(&self, rows: &[u32], k: usize, random: &mut impl Rng) -> Centres {
        let mut chosen = vec![rows[(random.next_u64() % rows.len() as u64) as usize]];
        let mut nearest = vec![f32::INFINITY; rows.len()];
        while chosen.len() < k {
            // How far each row is from the nearest centre, now that there is one more.
            let last = self.rows_as_centres(&chosen[chosen.len() - 1..]);
            let distances = self.distances(rows, &last, 1);
            for (nearest, distance) in nearest.iter_mut().zip(distances) {
                *nearest = nearest.min(distance.max(0.0));
            }
            // The next is drawn in proportion to that, any row if all of them lie on centres.
            let total: f64 = nearest.iter().map(|&d| f64::from(d)).sum();
            let mut left = unit(random) * total;
            let found = nearest.iter().position(|&distance| {
                left -= f64::from(distance);
                left < 0.0
            });
            let any = (random.next_u64() % rows.len() as u64) as usize;
            chosen.push(rows[found.unwrap_or(any)]);
        }
        self.rows_as_centres(&chosen)
    }

    fn rows_as_centres(&self, rows: &[u32]) -> Centres {
        let own: Vec<u32> = (0..rows.len() as u32).collect();
        let nothing = |column: &ClusterFeature| vec![0.0; column.width() * rows.len()];
        let nothing = self.columns.iter().map(nothing).collect();
        self.centres(rows, &own, &nothing)
    }

    /// The cluster with the nearest centre for each row, the first of equal ones.
    fn assign(&self, rows: &[u32], centres: &Centres) -> Vec<u32> {
        let k = match (self.columns.first(), centres.first()) {
            (Some(column), Some(centre)) => centre.len() / column.width(),
            _ => return vec![0; rows.len()],
        };
        let distances = self.distances(rows, centres, k);
        let nearest = |distances: &[f32]| {
            let mut best = (f32::INFINITY, 0);
            for (&distance, at) in distances.iter().zip(0..) {
                if distance < best.0 {
                    best = (distance, at);
                }
            }
            best.1
        };
        distances.chunks_exact(k).map(nearest).collect()
    }

    /// The squared distance of each row from each of `k` centres, `[row][centre]`.
    fn distances(&self, rows: &[u32], centres: &Centres, k: usize) -> Vec<f32> {
        let mut all = vec![0.0; rows.len() * k];
        for (column, centre) in self.columns.iter().zip(centres) {
            column.add_distances(rows, centre, k, &mut all);
        }
        all
    }

    /// The means of clusters; one without rows stays where it was.
    fn centres(&self, rows: &[u32], clusters: &[u32], old: &Centres) -> Centres {
        let means = |(column, old): (&ClusterFeature, &Vec<f32>)| column.means(rows, clusters, old);
        self.columns.iter().zip(old).map(means).collect()
    }
}

fn feature(column: &Column) -> Option<ClusterFeature> {
    let codes = |cells: Vec<u32>| {
        let observed = cells.iter().filter(|&&cell| cell != MISSING_CODE);
        let n_values = observed.max()? + 1;
        let cells = cells.iter().map(|&cell| cell.min(n_values)).collect();
        (n_values <= MOST_VALUES).then_some(ClusterFeature::Codes { cells, n_values })
    };
    match column {
        Column::Missing | Column::Soft { .. } => None,
        Column::Codes(cells) => codes(cells.clone()),
        Column::Small(cells) => {
            let wide = |&cell: &u8| match cell {
                MISSING_SMALL => MISSING_CODE,
                cell => cell.into(),
            };
            codes(cells.iter().map(wide).collect())
        }
        Column::Reals(cells) => {
            let observed = || cells.iter().copied().filter(|cell| !cell.is_nan());
            let n = observed().count().max(1) as f64;
            let mean = observed().sum::<f64>() / n;
            let variance = observed().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
            // A constant column tells no rows apart.
            let scale = if variance > 0.0 {
                1.0 / variance.sqrt()
            } else {
                0.0
            };
            let scaled = cells.iter().map(|x| ((x - mean) * scale) as f32);
            Some(ClusterFeature::Numbers(scaled.collect()))
        }
    }
}

impl ClusterFeature {
    /// Numbers that a centre has for the column.
    fn width(&self) -> usize {
        match self {
            ClusterFeature::Codes { n_values, .. } => *n_values as usize,
            ClusterFeature::Numbers(_) => 1,
        }
    }

    fn add_distances(&self, rows: &[u32], centre: &[f32], k: usize, all: &mut [f32]) {
        match self {
            ClusterFeature::Codes { cells, n_values } => {
                // What each value is away from each centre; nothing for a missing cell.
                let n = *n_values as usize;
                let mut by_value = vec![0.0; (n + 1) * k];
                for at in 0..k {
                    let shares = &centre[at * n..][..n];
                    let square: f32 = shares.iter().map(|share| share * share).sum();
                    for (value, share) in shares.iter().enumerate() {
                        by_value[value * k + at] = square - 2.0 * share + 1.0;
                    }
                }
                for (own, &row) in all.chunks_exact_mut(k).zip(rows) {
                    let from = &by_value[cells[row as usize] as usize * k..][..k];
                    let pairs = own.iter_mut().zip(from);
                    pairs.for_each(|(sum, distance)| *sum += distance);
                }
            }
            ClusterFeature::Numbers(cells) => {
                for (own, &row) in all.chunks_exact_mut(k).zip(rows) {
                    let x = cells[row as usize];
                    if !x.is_nan() {
                        let pairs = own.iter_mut().zip(centre);
                        pairs.for_each(|(sum, centre)| *sum += (x - centre) * (x - centre));
                    }
                }
            }
        }
    }

    fn means(&self, rows: &[u32], clusters: &[u32], old: &[f32]) -> Vec<f32> {
        let width = self.width();
        let mut sums = vec![0.0; old.len()];
        let mut counts = vec![0.0_f32; old.len() / width];
        for (&row, &cluster) in rows.iter().zip(clusters) {
            let cluster = cluster as usize;
            match self {
                ClusterFeature::Codes { cells, n_values } if cells[row as usize] < *n_values => {
                    sums[cluster * width + cells[row as usize] as usize] += 1.0;
                    counts[cluster] += 1.0;
                }
                ClusterFeature::Numbers(cells) if !cells[row as usize].is_nan() => {
                    sums[cluster] += cells[row as usize];
                    counts[cluster] += 1.0;
                }
                _ => {}
            }
        }
        for (at, (sum, old)) in sums.iter_mut().zip(old).enumerate() {
            let count = counts[at / width];
            *sum = if count > 0.0 { *sum / count } else { *old };
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_agree_are_found_together() {
        // Three groups, told apart by two columns; a third says nothing.
        let group = |row: usize| row % 3;
        let letters: Vec<u8> = (0..90).map(|row| [0, 0, 1][group(row)]).collect();
        let numbers: Vec<f64> = (0..90)
            .map(|row| [0.0, 9.0, 0.0][group(row)] + (row / 3) as f64 * 0.01)
            .collect();
        let noise: Vec<u8> = (0..90)
            .map(|row| if row % 7 == 0 { MISSING_SMALL } else { 1 })
            .collect();
        let columns = vec![
            Column::Small(letters),
            Column::Reals(numbers),
            Column::Small(noise),
            Column::Missing,
        ];
        let table = Table::new(90, columns);
        let found = clusters(&table, 3, 5);
        for row in 3..90 {
            assert_eq!(found[row], found[group(row)], "row {row}");
        }
        assert_eq!(found, clusters(&table, 3, 5));
    }

    #[test]
    fn more_clusters_than_rows_and_nothing_to_compare_are_no_trouble() {
        let table = Table::new(2, vec![Column::Small(vec![0, 1])]);
        assert!(clusters(&table, 5, 1).iter().all(|&cluster| cluster < 5));
        let table = Table::new(3, vec![Column::Missing]);
        assert_eq!(clusters(&table, 2, 1), [0, 0, 0]);
    }
}
