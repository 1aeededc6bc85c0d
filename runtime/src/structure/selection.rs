//! Which members an ensemble is made of.

pub(super) struct EnsembleCandidates<'a> {
    /// The log-likelihood of each validation row under each, `[member][row]`.
    pub logs: &'a [Vec<f64>],
    /// How much each row counts; all alike if there are none.
    pub row_weights: Option<&'a [f64]>,
    /// Weighted edges of each.
    pub edges: &'a [usize],
    /// The most weighted edges of all together.
    pub most_edges: usize,
}

/// The most members of an ensemble: beyond that nothing is gained.
const MOST_MEMBERS: usize = 20;

/// Members are added so often in all, each perhaps several times.
const MOST_STEPS: usize = 60;

/// The least gain in mean log-likelihood that is worth another step.
const LEAST_GAIN: f64 = 1e-5;

impl EnsembleCandidates<'_> {
    /// The members of an ensemble: the best one, then again and again whichever makes
    /// the rows likeliest in an even mixture with those that were taken before.
    ///
    /// Weights fitted to all members at once would give each lucky one a share; a
    /// member that is taken has to help those that are better.
    pub fn choose(&self) -> Vec<usize> {
        let relative = self.relative();
        let mut mixture = vec![0.0; relative.first().map_or(0, Vec::len)];
        let mut chosen: Vec<usize> = Vec::new();
        let mut best = f64::NEG_INFINITY;
        for n_before in 0..MOST_STEPS {
            // 1. Whichever helps most in an even mixture with those that were taken.
            let scale = 1.0 / (n_before + 1) as f64;
            let allowed = (0..relative.len()).filter(|&at| self.is_allowed(at, &chosen));
            let scored = allowed.map(|at| (self.mean(&mixture, &relative[at], scale), at));
            let Some((mean, at)) = scored.max_by(|a, b| a.0.total_cmp(&b.0)) else {
                break;
            };
            // 2. An even mixture of more is worse, unless the new one explains what others cannot.
            if mean < best + LEAST_GAIN {
                break;
            }
            best = mean;
            let taken = mixture.iter_mut().zip(&relative[at]);
            taken.for_each(|(sum, value)| *sum += value);
            if !chosen.contains(&at) {
                chosen.push(at);
            }
        }
        chosen
    }

    /// Whether a member can be taken beside others; the first can.
    fn is_allowed(&self, at: usize, chosen: &[usize]) -> bool {
        let n_edges: usize = chosen.iter().map(|&own| self.edges[own]).sum();
        let fits = n_edges + self.edges[at] <= self.most_edges && chosen.len() < MOST_MEMBERS;
        chosen.is_empty() || chosen.contains(&at) || fits
    }

    /// Likelihoods as parts of the largest of each row; rows that are impossible under
    /// all members say nothing.
    fn relative(&self) -> Vec<Vec<f64>> {
        let n_rows = self.logs.first().map_or(0, Vec::len);
        let most = |row: usize| {
            let logs = self.logs.iter().map(|own| own[row]);
            logs.fold(f64::NEG_INFINITY, f64::max)
        };
        let most: Vec<f64> = (0..n_rows).map(most).collect();
        let part = |(log, most): (&f64, &f64)| match *most {
            f64::NEG_INFINITY => 1.0,
            most => (log - most).exp(),
        };
        let relative = |own: &Vec<f64>| own.iter().zip(&most).map(part).collect();
        self.logs.iter().map(relative).collect()
    }

    /// The mean logarithm of a mixture with one more member.
    fn mean(&self, mixture: &[f64], member: &[f64], scale: f64) -> f64 {
        let weight = |row: usize| self.row_weights.map_or(1.0, |weights| weights[row]);
        let pairs = mixture.iter().zip(member).enumerate();
        let (mut sum, mut total) = (0.0, 0.0);
        for (row, (before, value)) in pairs {
            // A row that a member cannot explain costs it dear, but not for ever.
            sum += weight(row) * (scale * (before + value)).max(f64::MIN_POSITIVE).ln();
            total += weight(row);
        }
        sum / total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(likelihoods: &[&[f64]], most_edges: usize) -> Vec<usize> {
        let logs: Vec<Vec<f64>> = likelihoods
            .iter()
            .map(|own| own.iter().map(|value| value.ln()).collect())
            .collect();
        let edges = vec![10; logs.len()];
        let candidates = EnsembleCandidates {
            logs: &logs,
            row_weights: None,
            edges: &edges,
            most_edges,
        };
        candidates.choose()
    }

    #[test]
    fn members_that_complete_each_other_are_taken() {
        let (left, right, poor) = ([0.9, 0.1, 0.8], [0.1, 0.9, 0.7], [0.1, 0.1, 0.1]);
        let mut chosen = choose(&[&poor, &left, &right], 1000);
        chosen.sort_unstable();
        assert_eq!(chosen, [1, 2]);
    }

    #[test]
    fn the_best_is_always_taken_and_others_as_far_as_they_fit() {
        let (left, right) = ([0.9, 0.1], [0.1, 0.8]);
        assert_eq!(choose(&[&right, &left], 15), [1]);
        assert_eq!(choose(&[&left], 1), [0]);
        assert_eq!(choose(&[&[0.0, 0.0], &[0.0, 0.0]], 15).len(), 1);
    }

    #[test]
    fn equal_members_are_taken_once() {
        let same = [0.3, 0.4, 0.5];
        assert_eq!(choose(&[&same, &same, &same], 1000).len(), 1);
    }
}
