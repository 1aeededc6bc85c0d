//! Vertical coordinates and the paths of edges.

use super::{DrawingGraph, DrawingLayout, DrawingPoint, GraphLayers, SlotKind};

/// Room between two rows of nodes.
const ROW_GAP: f64 = 34.0;
/// Room between a row of nodes and one of labels.
const LABEL_GAP: f64 = 16.0;
/// How much an edge may lean before its rows are moved apart.
const STEEPEST: f64 = 7.0;
/// Rows are never further apart than this.
const LARGEST_GAP: f64 = 64.0;
/// Room kept between a path and boxes that are not its own.
const CLEARANCE: f64 = 2.0;

/// A cubic curve from where the last one ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct BezierCurve {
    pub first_control: DrawingPoint,
    pub second_control: DrawingPoint,
    pub end: DrawingPoint,
}

/// The way of an edge.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct EdgePath {
    pub start: DrawingPoint,
    pub curves: Vec<BezierCurve>,
}

impl EdgePath {
    /// Points along it, close enough together to stand for it.
    pub fn samples(&self) -> Vec<DrawingPoint> {
        const N: usize = 16;
        let mut from = self.start;
        let mut samples = vec![from];
        for curve in &self.curves {
            samples.extend((1..=N).map(|at| point_on(from, curve, at as f64 / N as f64)));
            from = curve.end;
        }
        samples
    }
}

fn point_on(from: DrawingPoint, curve: &BezierCurve, t: f64) -> DrawingPoint {
    let s = 1.0 - t;
    let blend = |a: f64, b: f64, c: f64, d: f64| {
        s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
    };
    let (first, second, end) = (curve.first_control, curve.second_control, curve.end);
    DrawingPoint {
        x: blend(from.x, first.x, second.x, end.x),
        y: blend(from.y, first.y, second.y, end.y),
    }
}

/// Moves everything to the origin, stacks the rows and routes the edges.
pub(super) fn finish(graph: &DrawingGraph, rows: &GraphLayers, x: &[f64]) -> DrawingLayout {
    let ends = rows.slots.iter().zip(x).map(|(slot, x)| {
        let extent = slot.extent;
        (x - extent.left, x + extent.right)
    });
    let (left, right) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| {
        (low.min(end.0), high.max(end.1))
    });
    let x: Vec<f64> = x.iter().map(|x| x - left).collect();
    // Rows are stacked only now: how far they are apart depends on how far edges lean.
    let bands = bands(rows, &x);
    let row_of = row_of(rows);
    let anchor = |slot: usize| DrawingPoint {
        x: x[slot],
        y: bands[row_of[slot]].middle(),
    };
    let labels = rows.chains.iter().map(|chain| {
        let label = chain
            .iter()
            .find(|&&s| rows.slots[s].kind == SlotKind::Label);
        label.map(|&slot| anchor(slot))
    });
    let router = Router {
        rows,
        x: &x,
        bands: &bands,
        row_of: &row_of,
    };
    DrawingLayout {
        nodes: (0..graph.nodes.len()).map(anchor).collect(),
        labels: labels.collect(),
        paths: rows.chains.iter().map(|chain| router.path(chain)).collect(),
        width: (right - left).max(0.0),
        height: bands.last().map_or(0.0, |band| band.bottom),
    }
}

fn row_of(rows: &GraphLayers) -> Vec<usize> {
    let mut row_of = vec![0; rows.slots.len()];
    for (at, row) in rows.rows.iter().enumerate() {
        for &slot in row {
            row_of[slot] = at;
        }
    }
    row_of
}

/// The vertical room of a row.
#[derive(Clone, Copy, Debug)]
struct Band {
    top: f64,
    bottom: f64,
}

impl Band {
    fn middle(self) -> f64 {
        (self.top + self.bottom) / 2.0
    }
}

fn bands(rows: &GraphLayers, x: &[f64]) -> Vec<Band> {
    let mut bands: Vec<Band> = Vec::with_capacity(rows.rows.len());
    for (at, row) in rows.rows.iter().enumerate() {
        let heights = row.iter().map(|&slot| rows.slots[slot].extent.height);
        let height = heights.fold(0.0, f64::max);
        let top = match bands.last() {
            Some(above) => above.bottom + gap_above(rows, at, x),
            None => 0.0,
        };
        bands.push(Band {
            top,
            bottom: top + height,
        });
    }
    bands
}

/// The room above a row: more where edges lean far to the side.
fn gap_above(rows: &GraphLayers, row: usize, x: &[f64]) -> f64 {
    let is_labels = |row: usize| {
        let mut kinds = rows.rows[row].iter().map(|&slot| rows.slots[slot].kind);
        kinds.any(|kind| kind == SlotKind::Label)
    };
    let smallest = if is_labels(row) || is_labels(row - 1) {
        LABEL_GAP
    } else {
        ROW_GAP
    };
    let leans = rows.rows[row].iter().flat_map(|&slot| {
        let above = rows.above[slot].iter();
        above.map(move |&other| (x[slot] - x[other]).abs())
    });
    let widest = leans.fold(0.0, f64::max);
    (widest / STEEPEST).clamp(smallest, LARGEST_GAP)
}

/// A point that a path goes through, with its horizontal move per vertical one.
#[derive(Clone, Copy)]
struct Knot {
    at: DrawingPoint,
    slope: f64,
}

struct Router<'a> {
    rows: &'a GraphLayers,
    x: &'a [f64],
    bands: &'a [Band],
    row_of: &'a [usize],
}

impl Router<'_> {
    /// A path that flows through its slots if nothing is in the way, else one
    /// that crosses every row upright in the slot kept for it.
    fn path(&self, chain: &[usize]) -> EdgePath {
        // A curve that touches a box is given up for one that keeps to its slots.
        let flowing = self.trace(chain, &self.flowing_knots(chain));
        if self.is_clear(&flowing, chain) {
            flowing
        } else {
            self.trace(chain, &self.upright_knots(chain))
        }
    }

    fn band(&self, slot: usize) -> Band {
        self.bands[self.row_of[slot]]
    }

    /// Half the height of the box at an end of the path.
    fn half_height(&self, slot: usize) -> f64 {
        self.rows.slots[slot].extent.height / 2.0
    }

    fn ends(&self, chain: &[usize]) -> (DrawingPoint, DrawingPoint) {
        let (first, last) = (chain[0], chain[chain.len() - 1]);
        let start = DrawingPoint {
            x: self.x[first],
            y: self.band(first).bottom,
        };
        let end = DrawingPoint {
            x: self.x[last],
            y: self.band(last).top,
        };
        (start, end)
    }

    fn flowing_knots(&self, chain: &[usize]) -> Vec<Knot> {
        let (start, end) = self.ends(chain);
        let mut points = vec![start];
        let inner = &chain[1..chain.len() - 1];
        points.extend(inner.iter().map(|&slot| DrawingPoint {
            x: self.x[slot],
            y: self.band(slot).middle(),
        }));
        points.push(end);
        (0..points.len())
            .map(|at| Knot {
                at: points[at],
                slope: slope_at(&points, at),
            })
            .collect()
    }

    fn upright_knots(&self, chain: &[usize]) -> Vec<Knot> {
        let upright = |x, y| Knot {
            at: DrawingPoint { x, y },
            slope: 0.0,
        };
        let (start, end) = self.ends(chain);
        let mut knots = vec![upright(start.x, start.y)];
        for &slot in &chain[1..chain.len() - 1] {
            let band = self.band(slot);
            knots.push(upright(self.x[slot], band.top));
            knots.push(upright(self.x[slot], band.bottom));
        }
        knots.push(upright(end.x, end.y));
        knots
    }

    /// The path through the knots, with upright ends up to the boxes.
    fn trace(&self, chain: &[usize], knots: &[Knot]) -> EdgePath {
        let (first, last) = (chain[0], chain[chain.len() - 1]);
        let start = DrawingPoint {
            x: self.x[first],
            y: self.band(first).middle() + self.half_height(first),
        };
        let end = DrawingPoint {
            x: self.x[last],
            y: self.band(last).middle() - self.half_height(last),
        };
        let mut curves = Vec::with_capacity(knots.len() + 1);
        if start.y < knots[0].at.y {
            curves.push(line(start, knots[0].at));
        }
        for pair in knots.windows(2).filter(|pair| pair[0].at != pair[1].at) {
            curves.push(hermite(pair[0], pair[1]));
        }
        let bottom = knots[knots.len() - 1].at;
        if end.y > bottom.y {
            curves.push(line(bottom, end));
        }
        EdgePath { start, curves }
    }

    /// Whether the path keeps away from every box but those it belongs to.
    fn is_clear(&self, path: &EdgePath, chain: &[usize]) -> bool {
        let own = |slot: usize| chain.contains(&slot);
        path.samples().iter().all(|point| {
            let row = self.bands.partition_point(|band| band.bottom < point.y);
            let Some(band) = self.bands.get(row).filter(|band| band.top <= point.y) else {
                return true;
            };
            self.rows.rows[row].iter().all(|&slot| {
                let extent = self.rows.slots[slot].extent;
                let beside = point.x < self.x[slot] - extent.left - CLEARANCE
                    || point.x > self.x[slot] + extent.right + CLEARANCE;
                let is_empty = extent.left + extent.right == 0.0;
                let past = (point.y - band.middle()).abs() > extent.height / 2.0 + CLEARANCE;
                beside || is_empty || past || own(slot)
            })
        })
    }
}

/// The slope at a point of a path: upright at the ends and where the path turns
/// back, and never so flat that the curve would overshoot.
fn slope_at(points: &[DrawingPoint], at: usize) -> f64 {
    if at == 0 || at + 1 == points.len() {
        return 0.0;
    }
    let (before, here, after) = (points[at - 1], points[at], points[at + 1]);
    let secant = |a: DrawingPoint, b: DrawingPoint| (b.x - a.x) / (b.y - a.y).max(1e-9);
    let (first, second) = (secant(before, here), secant(here, after));
    if first * second <= 0.0 {
        return 0.0;
    }
    let limit = 1.5 * first.abs().min(second.abs());
    secant(before, after).clamp(-limit, limit)
}

fn line(from: DrawingPoint, to: DrawingPoint) -> BezierCurve {
    BezierCurve {
        first_control: from,
        second_control: to,
        end: to,
    }
}

fn hermite(from: Knot, to: Knot) -> BezierCurve {
    let reach = (to.at.y - from.at.y) * 0.4;
    BezierCurve {
        first_control: DrawingPoint {
            x: from.at.x + from.slope * reach,
            y: from.at.y + reach,
        },
        second_control: DrawingPoint {
            x: to.at.x - to.slope * reach,
            y: to.at.y - reach,
        },
        end: to.at,
    }
}
