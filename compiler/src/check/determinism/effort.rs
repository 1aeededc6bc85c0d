//! How much of the usual work the check may do.

use super::DeterminismLimits;

impl DeterminismLimits {
    /// These limits times `effort`. What is cheap (single variables, points, lists of pairs)
    /// only grows: an effort of 0 leaves out the searches alone.
    #[must_use]
    pub fn scaled(&self, effort: f64) -> DeterminismLimits {
        // The cast saturates, so an absurd effort means no limit.
        let search = |steps: u64| (steps as f64 * effort) as u64;
        let cheap = |steps: u64| (steps as f64 * effort.max(1.0)) as u64;
        DeterminismLimits {
            implied_steps: cheap(self.implied_steps),
            pairs: cheap(self.pairs as u64) as usize,
            samples: cheap(self.samples as u64) as usize,
            sample_steps: cheap(self.sample_steps),
            pair_steps: search(self.pair_steps),
            table_steps: search(self.table_steps),
            sat_clauses: search(self.sat_clauses),
            sat_conflicts: search(self.sat_conflicts),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effort_scales_the_searches_and_never_starves_what_is_cheap() {
        let limits = DeterminismLimits::default();
        let none = limits.scaled(0.0);
        assert_eq!((none.pair_steps, none.sat_conflicts), (0, 0));
        assert_eq!((none.pairs, none.samples), (limits.pairs, limits.samples));
        assert_eq!(limits.scaled(10.0).pair_steps, 10 * limits.pair_steps);
    }
}
