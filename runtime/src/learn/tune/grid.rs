//! What a search tries.

use crate::learn::{LearnError, LearnOptions, TrainingTask};
use pelton_compiler::circuit::CircuitGraph;
use std::fmt;

/// What is tried: every combination of these.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Values of [`LearnOptions::pseudocount`].
    pub pseudocounts: Vec<f64>,
    /// Values of [`LearnOptions::softness`].
    pub softnesses: Vec<f64>,
    /// Values of [`LearnOptions::entropy`].
    pub entropies: Vec<f64>,
}

impl Default for Grid {
    /// The paper's, and neither softness nor entropy beside them.
    fn default() -> Self {
        Grid {
            pseudocounts: vec![0.1, 0.4, 1.0, 2.0, 4.0, 10.0],
            softnesses: vec![0.0, 0.0004, 0.001, 0.004],
            entropies: vec![0.0, 0.001, 0.01, 0.1],
        }
    }
}

impl Grid {
    /// All combinations, those with less of everything before those with more.
    pub fn points(&self) -> Vec<GridPoint> {
        let mut points = Vec::new();
        for pseudocount in ascending(&self.pseudocounts) {
            for softness in ascending(&self.softnesses) {
                for entropy in ascending(&self.entropies) {
                    points.push(GridPoint {
                        pseudocount,
                        softness,
                        entropy,
                    });
                }
            }
        }
        points
    }
}

fn ascending(numbers: &[f64]) -> Vec<f64> {
    let mut numbers = numbers.to_vec();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    numbers
}

/// One combination.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridPoint {
    /// See [`LearnOptions::pseudocount`].
    pub pseudocount: f64,
    /// See [`LearnOptions::softness`].
    pub softness: f64,
    /// See [`LearnOptions::entropy`].
    pub entropy: f64,
}

impl GridPoint {
    /// The options with this combination in place of theirs.
    pub(super) fn options(&self, base: &LearnOptions) -> LearnOptions {
        LearnOptions {
            pseudocount: self.pseudocount,
            softness: self.softness,
            entropy: self.entropy,
            ..base.clone()
        }
    }
}

impl fmt::Display for GridPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "pseudocount {}, softness {}, entropy {}",
            self.pseudocount, self.softness, self.entropy
        )
    }
}

/// The combinations that can be run; too much softness is left out with a note.
pub(super) fn allowed(
    grid: &Grid,
    task: &TrainingTask,
) -> Result<(Vec<GridPoint>, Vec<String>), LearnError> {
    let circuit = task.model.circuit();
    let all = grid.points();
    for point in &all {
        // Too much softness is left out below; what is no softness at all is an error.
        let mut options = point.options(task.options);
        options.softness = 0.0;
        options.check(circuit)?;
        if !(point.softness >= 0.0 && point.softness.is_finite()) {
            point.options(task.options).check(circuit)?;
        }
    }
    let (points, notes) = within_bounds(all, circuit);
    if points.is_empty() {
        let reason = notes.first().map_or("the grid is empty", String::as_str);
        let message = format!("there is nothing to try: {reason}");
        return Err(LearnError::Option(message));
    }
    Ok((points, notes))
}

fn within_bounds(all: Vec<GridPoint>, circuit: &CircuitGraph) -> (Vec<GridPoint>, Vec<String>) {
    let bound = LearnOptions::softness_bound(circuit);
    let is_allowed = |point: &GridPoint| match &bound {
        _ if point.softness == 0.0 => true,
        Some((_, bound)) => point.softness < *bound,
        None => false,
    };
    let (points, beyond): (Vec<_>, Vec<_>) = all.into_iter().partition(is_allowed);
    let largest = beyond.iter().map(|point| point.softness);
    let note = largest.reduce(f64::max).map(|softness| match bound {
        Some((variable, bound)) => format!(
            "softness up to {softness} was left out: it must be below {bound:.4} for `{}`",
            variable.name
        ),
        None => "softness was left out: no variable has a finite domain of several values".into(),
    });
    (points, note.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_come_from_less_to_more() {
        let grid = Grid {
            pseudocounts: vec![2.0, 1.0, 2.0],
            softnesses: vec![0.1, 0.0],
            entropies: vec![0.0],
        };
        let points = grid.points().into_iter();
        let points: Vec<(f64, f64)> = points.map(|p| (p.pseudocount, p.softness)).collect();
        assert_eq!(points, [(1.0, 0.0), (1.0, 0.1), (2.0, 0.0), (2.0, 0.1)]);
        assert_eq!(Grid::default().points().len(), 96);
    }
}
