//! The last touch on horizontal coordinates: parents over their children.
//!
//! Aligning medians keeps edges straight but may leave a child far from its
//! parent where the row had no room at the time. Here every row in turn moves
//! to the places its neighbours pull it to, as near as order and widths allow:
//! the exact least-squares answer for that row. Every place is a mean of its
//! neighbours' places, so the sweeps settle.

use super::place::separation;
use super::{GraphLayers, SlotKind};

/// How much less a node heeds its parents than its children.
const PARENTS: f64 = 0.15;

/// Sweeps down and up.
const N_SWEEPS: usize = 64;

/// Moves the slots of every row towards their neighbours, keeping orders and
/// distances.
pub(super) fn relax(rows: &GraphLayers, x: &mut [f64]) {
    let n_rows = rows.rows.len();
    for sweep in 0..N_SWEEPS {
        for step in 0..n_rows {
            let row = if sweep % 2 == 0 {
                step
            } else {
                n_rows - 1 - step
            };
            settle(rows, &rows.rows[row], x);
        }
    }
}

/// Slots that move together: `y` is their common place, less the room to the
/// left of each.
struct Cluster {
    y: f64,
    weight: f64,
    n_slots: usize,
}

/// The best places for one row, by pooling slots that would overlap.
fn settle(rows: &GraphLayers, row: &[usize], x: &mut [f64]) {
    let mut offsets = Vec::with_capacity(row.len());
    let mut clusters: Vec<Cluster> = Vec::with_capacity(row.len());
    let mut offset = 0.0;
    for (at, &slot) in row.iter().enumerate() {
        if at > 0 {
            offset += separation(&rows.slots[row[at - 1]], &rows.slots[slot]);
        }
        offsets.push(offset);
        let (wish, weight) = pull(rows, slot, x);
        // A slot goes where it is pulled, unless that is too close to the ones before: then they
        // are pooled, and the pool goes to the mean of their wishes.
        clusters.push(Cluster {
            y: wish - offset,
            weight,
            n_slots: 1,
        });
        pool(&mut clusters);
    }
    let places = clusters
        .iter()
        .flat_map(|cluster| std::iter::repeat_n(cluster.y, cluster.n_slots));
    for ((&slot, y), offset) in row.iter().zip(places).zip(offsets) {
        x[slot] = y + offset;
    }
}

/// Merges the last clusters as long as they are out of order.
fn pool(clusters: &mut Vec<Cluster>) {
    while let [.., before, last] = clusters.as_mut_slice() {
        if before.y <= last.y {
            break;
        }
        let weight = before.weight + last.weight;
        before.y = (before.y * before.weight + last.y * last.weight) / weight;
        before.weight = weight;
        before.n_slots += last.n_slots;
        clusters.pop();
    }
}

/// Where its neighbours want a slot, and how strongly.
fn pull(rows: &GraphLayers, slot: usize, x: &[f64]) -> (f64, f64) {
    let (mut total, mut weight) = (0.0, 0.0);
    let (above, below) = (&rows.above[slot], &rows.below[slot]);
    let is_parent = rows.slots[slot].kind == SlotKind::Node && !below.is_empty();
    let heed = if is_parent { PARENTS } else { 1.0 };
    for (neighbours, heed) in [(above, heed), (below, 1.0)] {
        for &other in neighbours {
            let strength = heed * strength(rows, slot, other);
            total += strength * x[other];
            weight += strength;
        }
    }
    if weight > 0.0 {
        (total / weight, weight)
    } else {
        (x[slot], 1e-3)
    }
}

/// How much an edge between two slots wants to be upright: most where it only passes.
fn strength(rows: &GraphLayers, a: usize, b: usize) -> f64 {
    let is_node = |slot: usize| rows.slots[slot].kind == SlotKind::Node;
    let straightness = match (is_node(a), is_node(b)) {
        (true, true) => 1.0,
        (false, false) => 8.0,
        _ => 2.0,
    };
    let pull = rows.slots[a].pull.min(rows.slots[b].pull);
    if pull.is_finite() {
        straightness * pull
    } else {
        straightness
    }
}
