//! `emit --as svg`: a drawing that needs no other program.
//!
//! A small circuit is drawn unit by unit (`detail`), a large one with a box
//! for every family of nodes (`collapse`). Both make a [`diagram::SvgDiagram`],
//! which `layout` arranges and `draw` writes.

mod collapse;
mod detail;
mod diagram;
mod draw;
mod group;
mod layout;
mod measure;
mod style;
#[cfg(test)]
mod tests;

use crate::circuit::CircuitGraph;
use crate::stats::CircuitStatistics;
use diagram::SvgDiagram;

/// How much of a circuit is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SvgDetail {
    /// Every unit of a small circuit, groups of a large one.
    #[default]
    Auto,
    /// Every unit, as long as the drawing can be made at all.
    Units,
    /// One box for each family of nodes.
    Groups,
}

/// What a drawing looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SvgOptions {
    /// How much is drawn.
    pub detail: SvgDetail,
    /// Circuits with more units than this count as large.
    pub max_units: usize,
    /// Stands in the caption; the root's name if there is none.
    pub title: Option<String>,
}

impl Default for SvgOptions {
    fn default() -> Self {
        SvgOptions {
            detail: SvgDetail::Auto,
            max_units: 60,
            title: None,
        }
    }
}

/// Beyond this many units or edges nobody can look at single ones, and the
/// layout would take minutes.
const MOST_UNITS: usize = 2_000;
const MOST_EDGES: usize = 6_000;

/// Draws what the root reaches as a self-contained SVG file.
pub fn svg(circuit: &CircuitGraph, options: &SvgOptions) -> String {
    let stats = CircuitStatistics::of(circuit);
    let diagram = diagram(circuit, &stats, options);
    draw::draw(&diagram)
}

fn diagram(circuit: &CircuitGraph, stats: &CircuitStatistics, options: &SvgOptions) -> SvgDiagram {
    let is_small = stats.units <= options.max_units && stats.edges <= options.max_units * 4;
    let is_possible =
        stats.units <= MOST_UNITS && stats.edges <= MOST_EDGES && stats.depth <= MOST_UNITS / 4;
    let by_units = match options.detail {
        SvgDetail::Auto => is_small && is_possible,
        SvgDetail::Units => is_possible,
        SvgDetail::Groups => false,
    };
    let title = title(circuit, options);
    if by_units {
        detail::diagram(circuit, stats, title)
    } else {
        collapse::diagram(circuit, stats, title)
    }
}

fn title(circuit: &CircuitGraph, options: &SvgOptions) -> String {
    match (&options.title, circuit.name(circuit.root())) {
        (Some(title), _) => title.clone(),
        (None, Some(name)) => circuit.names().show(name),
        (None, None) => "root".to_string(),
    }
}
