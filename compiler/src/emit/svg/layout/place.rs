//! Horizontal coordinates, after Brandes and Köpf: "Fast and simple horizontal
//! coordinate assignment", 2001.
//!
//! Every slot is aligned with the median of its neighbours in the row above or
//! below, preferring left or right: four drawings, whose average centres
//! parents over children and keeps long edges straight. Blocks of aligned slots
//! are then pushed together as far as their widths allow.

use super::{GraphLayers, LayerSlot, SlotKind};
use rustc_hash::FxHashSet;

/// Room between two boxes of a row.
const GAP: f64 = 22.0;
/// Room beside an edge that passes, or a label.
const NARROW_GAP: f64 = 12.0;

/// The x coordinate of every slot's anchor. Boxes of a row do not overlap.
pub(super) fn coordinates(rows: &GraphLayers) -> Vec<f64> {
    if rows.slots.is_empty() {
        return Vec::new();
    }
    let conflicts = conflicts(rows);
    let mut drawings = Vec::with_capacity(4);
    for upwards in [false, true] {
        for leftwards in [false, true] {
            // Each of the four drawings leans to one corner; their middle leans to none.
            let view = OrientedLayers::new(rows, upwards, leftwards);
            let root = align(&view, &conflicts);
            let x = compact(&view, &root);
            drawings.push(CandidateAlignment { x, leftwards });
        }
    }
    balance(rows, drawings)
}

/// The rows as one of the four drawings sees them: in its own order and
/// direction.
struct OrientedLayers<'a> {
    rows: &'a GraphLayers,
    order: Vec<Vec<usize>>,
    positions: Vec<usize>,
    upwards: bool,
    leftwards: bool,
}

impl<'a> OrientedLayers<'a> {
    fn new(rows: &'a GraphLayers, upwards: bool, leftwards: bool) -> Self {
        let mut order = rows.rows.clone();
        if upwards {
            order.reverse();
        }
        if leftwards {
            order.iter_mut().for_each(|row| row.reverse());
        }
        let mut positions = vec![0; rows.slots.len()];
        for row in &order {
            for (at, &slot) in row.iter().enumerate() {
                positions[slot] = at;
            }
        }
        OrientedLayers {
            rows,
            order,
            positions,
            upwards,
            leftwards,
        }
    }

    /// Neighbours in the row that was placed before, from first to last.
    fn neighbours(&self, slot: usize) -> Vec<usize> {
        let mut neighbours = if self.upwards {
            self.rows.below[slot].clone()
        } else {
            self.rows.above[slot].clone()
        };
        neighbours.sort_by_key(|&other| self.positions[other]);
        neighbours
    }

    /// How far the anchors of two neighbours in a row must be apart.
    fn separation(&self, first: usize, second: usize) -> f64 {
        let (left, right) = if self.leftwards {
            (second, first)
        } else {
            (first, second)
        };
        separation(&self.rows.slots[left], &self.rows.slots[right])
    }
}

/// How far the anchors of two neighbours in a row must be apart.
pub(super) fn separation(left: &LayerSlot, right: &LayerSlot) -> f64 {
    let is_wide = left.kind == SlotKind::Node && right.kind == SlotKind::Node;
    let gap = if is_wide { GAP } else { NARROW_GAP };
    left.extent.right + gap + right.extent.left
}

/// One of the four drawings.
struct CandidateAlignment {
    x: Vec<f64>,
    leftwards: bool,
}

/// Segments that cross an edge on its way through two rows; they must not be
/// aligned, so that the long edge stays straight. Upper slot first.
fn conflicts(rows: &GraphLayers) -> FxHashSet<(usize, usize)> {
    let positions = rows.positions();
    let mut conflicts = FxHashSet::default();
    for pair in rows.rows.windows(2) {
        let (upper, lower) = (&pair[0], &pair[1]);
        let mut from = 0;
        let mut low = 0;
        for (at, &slot) in lower.iter().enumerate() {
            let inner = inner_neighbour(rows, slot);
            if inner.is_none() && at + 1 < lower.len() {
                continue;
            }
            let high = inner.map_or(upper.len().saturating_sub(1), |other| positions[other]);
            for &passed in &lower[from..=at] {
                for &other in &rows.above[passed] {
                    let is_outside = positions[other] < low || positions[other] > high;
                    if is_outside && inner_neighbour(rows, passed) != Some(other) {
                        conflicts.insert((other, passed));
                    }
                }
            }
            from = at + 1;
            low = high;
        }
    }
    conflicts
}

/// The slot above a bend or label, if that is a bend or label too.
fn inner_neighbour(rows: &GraphLayers, slot: usize) -> Option<usize> {
    let is_passing = |slot: usize| rows.slots[slot].kind != SlotKind::Node;
    let above = rows.above[slot].first().copied();
    above.filter(|&above| is_passing(slot) && is_passing(above))
}

/// Aligns slots with their median neighbours; the result names each slot's block
/// by its first slot.
fn align(view: &OrientedLayers<'_>, conflicts: &FxHashSet<(usize, usize)>) -> Vec<usize> {
    let n_slots = view.rows.slots.len();
    let mut root: Vec<usize> = (0..n_slots).collect();
    let mut is_taken = vec![false; n_slots];
    for row in &view.order {
        // Alignments of a row must not cross: the next one begins behind the last.
        let mut next_free = 0;
        for &slot in row {
            let neighbours = view.neighbours(slot);
            let n = neighbours.len();
            let medians = match n {
                0 => 0..0,
                _ => (n - 1) / 2..n / 2 + 1,
            };
            for &other in &neighbours[medians] {
                let pair = if view.upwards {
                    (slot, other)
                } else {
                    (other, slot)
                };
                let fits = view.positions[other] >= next_free && !is_taken[other];
                if root[slot] == slot && fits && !conflicts.contains(&pair) {
                    root[slot] = root[other];
                    is_taken[other] = true;
                    next_free = view.positions[other] + 1;
                }
            }
        }
    }
    root
}

/// Pushes blocks to the view's side, then back towards their followers where
/// there is room, so that blocks do not stray.
fn compact(view: &OrientedLayers<'_>, root: &[usize]) -> Vec<f64> {
    let n_slots = root.len();
    let mut after: Vec<Vec<(usize, f64)>> = vec![Vec::new(); n_slots];
    let mut n_before = vec![0usize; n_slots];
    // Neighbours in a row keep their blocks apart: a graph of distances between blocks.
    for row in &view.order {
        for pair in row.windows(2) {
            let distance = view.separation(pair[0], pair[1]);
            after[root[pair[0]]].push((root[pair[1]], distance));
            n_before[root[pair[1]]] += 1;
        }
    }
    let order = block_order(root, &after, n_before);
    let mut x = vec![0.0f64; n_slots];
    // Every block as far to the side as those before it allow.
    for &block in &order {
        for &(next, distance) in &after[block] {
            x[next] = x[next].max(x[block] + distance);
        }
    }
    // Then each moves up to the nearest of those behind it.
    for &block in order.iter().rev() {
        let limits = after[block].iter();
        let room = limits
            .map(|&(next, distance)| x[next] - distance)
            .fold(f64::INFINITY, f64::min);
        if room.is_finite() {
            x[block] = x[block].max(room);
        }
    }
    let sign = if view.leftwards { -1.0 } else { 1.0 };
    root.iter().map(|&block| sign * x[block]).collect()
}

/// Blocks so that each comes before those it pushes.
fn block_order(
    root: &[usize],
    after: &[Vec<(usize, f64)>],
    mut n_before: Vec<usize>,
) -> Vec<usize> {
    let is_first = |slot: &usize| root[*slot] == *slot && n_before[*slot] == 0;
    let mut order: Vec<usize> = (0..root.len()).filter(is_first).collect();
    let mut at = 0;
    while at < order.len() {
        for &(next, _) in &after[order[at]] {
            n_before[next] -= 1;
            if n_before[next] == 0 {
                order.push(next);
            }
        }
        at += 1;
    }
    order
}

/// The mean of the two middle drawings, after all have been moved to the
/// narrowest one. Middle values keep every distance that all four keep.
fn balance(rows: &GraphLayers, mut drawings: Vec<CandidateAlignment>) -> Vec<f64> {
    let bounds = |x: &[f64]| {
        let slots = rows.slots.iter().zip(x);
        slots.fold(
            (f64::INFINITY, f64::NEG_INFINITY),
            |(low, high), (slot, &x)| {
                let extent = slot.extent;
                (low.min(x - extent.left), high.max(x + extent.right))
            },
        )
    };
    let narrowest = drawings
        .iter()
        .map(|drawing| bounds(&drawing.x))
        .min_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)))
        .unwrap_or_default();
    for drawing in &mut drawings {
        let own = bounds(&drawing.x);
        let shift = if drawing.leftwards {
            narrowest.1 - own.1
        } else {
            narrowest.0 - own.0
        };
        drawing.x.iter_mut().for_each(|x| *x += shift);
    }
    let middle = (0..rows.slots.len()).map(|slot| {
        let mut values: Vec<f64> = drawings.iter().map(|drawing| drawing.x[slot]).collect();
        values.sort_by(f64::total_cmp);
        (values[1] + values[2]) / 2.0
    });
    middle.collect()
}
