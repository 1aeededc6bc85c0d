//! Bands around lines.

use super::ChartSeries;
use super::draw::{PlotFrame, color};
use std::fmt::Write;

/// Draws the band of a series, as many shapes as it has pieces.
pub(super) fn write_band(
    frame: &PlotFrame,
    series: &ChartSeries,
    svg: &mut String,
) -> std::fmt::Result {
    let is_finite =
        |(x, low, high): &(f64, f64, f64)| [x, low, high].iter().all(|number| number.is_finite());
    for piece in series.band.split(|place| !is_finite(place)) {
        if !piece.is_empty() {
            write_piece(frame, series, piece, svg)?;
        }
    }
    Ok(())
}

/// Along the upper edge, and along the lower one back.
fn write_piece(
    frame: &PlotFrame,
    series: &ChartSeries,
    piece: &[(f64, f64, f64)],
    svg: &mut String,
) -> std::fmt::Result {
    let upper = piece.iter().map(|&(x, _, high)| (x, high));
    let lower = piece.iter().rev().map(|&(x, low, _)| (x, low));
    let color = color(series);
    write!(
        svg,
        "<polygon fill=\"{color}\" fill-opacity=\"0.18\" points=\""
    )?;
    for point in upper.chain(lower) {
        let (x, y) = frame.place(point);
        write!(svg, "{x:.1},{y:.1} ")?;
    }
    writeln!(svg, "\"/>")
}
